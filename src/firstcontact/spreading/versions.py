"""Workers must compute what we would: with the same versions of what computes."""

from functools import cache
from importlib import import_module
from typing import Any

PACKAGES = ("firstcontact", "numba", "numpy")


@cache
def own_versions() -> dict[str, str]:
    """Versions in this process, by the names of the packages."""
    return {name: str(import_module(name).__version__) for name in PACKAGES}


def check_same(worker: str, theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    """Refuse a worker with other versions than those of whoever asks."""
    for name in PACKAGES:
        found, own = theirs.get(name) or "none", ours.get(name)
        if found != own:
            raise RuntimeError(
                f"the worker {worker} has {found} of {name}, and {own} is here: install the same"
            )
