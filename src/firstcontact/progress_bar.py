"""A progress bar, where one is wanted."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any


def bar_of(is_shown: bool, doing: str, unit: str, total: int | None = None) -> Any:
    """Give a bar of tqdm's, or nothing, for a `with` statement."""
    if not is_shown:
        return nullcontext()
    from tqdm import tqdm

    return tqdm(desc=doing, unit=f" {unit}", unit_scale=total is None, total=total)


@contextmanager
def counted(
    is_shown: bool, doing: str, unit: str, total: int | None = None
) -> Iterator[Callable[[float], object]]:
    """Give what is to be told how much more was done, whether that is shown or not."""
    with bar_of(is_shown, doing, unit, total) as bar:
        yield (lambda _: None) if bar is None else bar.update
