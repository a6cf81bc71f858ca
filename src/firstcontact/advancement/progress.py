"""How far a search is, shown where that is wanted."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

import numpy as np

from firstcontact.progress_bar import bar_of

# Motions between two updates of a progress bar.
PROGRESS_EVERY = 256

T = TypeVar("T", bound=tuple[Any, ...])


class Report(Protocol):
    """Takes note of how much is done so far, and of the contacts found."""

    def __call__(self, n_done: int, n_contacts: int | None = None) -> None:
        """Take note."""


def silent(n_done: int, n_contacts: int | None = None) -> None:
    """Show nothing."""


@contextmanager
def shown(is_wanted: bool, unit: str, total: int | None = None) -> Iterator[Report]:
    """Give a report that shows so many units in a bar, or nothing."""
    with bar_of(is_wanted, "searching", unit, total) as bar:
        if bar is None:
            yield silent
            return

        def report(n_done: int, n_contacts: int | None = None) -> None:
            if n_contacts is not None:
                bar.set_postfix(contacts=n_contacts, refresh=False)
            bar.update(n_done - bar.n)

        yield report


def in_parts(search: Callable[[slice], T], n: int, is_shown: bool) -> T:
    """Search n motions, part by part where progress is shown: a tuple of arrays, a row for each motion."""
    if not is_shown:
        return search(slice(None))
    parts = []
    with shown(True, "motions", n) as report:
        for first in range(0, max(n, 1), PROGRESS_EVERY):
            parts.append(search(slice(first, min(first + PROGRESS_EVERY, n))))
            report(min(first + PROGRESS_EVERY, n))
    columns = [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]
    return type(parts[0])._make(columns)  # type: ignore[attr-defined,no-any-return]
