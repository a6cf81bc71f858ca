"""What a benchmark gives to the report: parts, each with tables, pictures, headlines and all its figures.

A benchmark is a module with a `TITLE`, a docstring that says what is measured and how, and `PARTS`: functions
by name that take a `Run` and give a `Part`. `report/stage.py` runs them; `report/run.py` runs all of them.
"""

from pathlib import Path
from typing import Any, NamedTuple

Lines = list[tuple[str, ...]]  # the head, then the rows


class Run(NamedTuple):
    """How much is to be measured, and where the third-party data are."""

    quick: bool
    data: Path


class Table(NamedTuple):
    """Texts in rows; the first few columns are names, all others numbers."""

    title: str
    lines: Lines
    n_left: int = 1
    note: str = ""


class Picture(NamedTuple):
    """A figure of matplotlib; `name` is that of its file."""

    name: str
    title: str
    figure: Any


class Headline(NamedTuple):
    """One comparison: seconds of this library and of a peer, not a number where there are none."""

    what: str
    own: float
    peer: str
    theirs: float
    note: str = ""


class Target(NamedTuple):
    """What the library sets out to reach, and what it reached."""

    text: str
    reached: str
    is_met: bool


class Part(NamedTuple):
    """What one part of a benchmark found; `figures` is all of it, ready for a JSON file."""

    tables: tuple[Table, ...] = ()
    pictures: tuple[Picture, ...] = ()
    headlines: tuple[Headline, ...] = ()
    targets: tuple[Target, ...] = ()
    notes: tuple[str, ...] = ()
    figures: Any = None


class SkippedError(Exception):
    """A part cannot be measured here, and that is no fault: its message says what is missing."""


def plain(value: Any) -> Any:
    """The value in lists, dictionaries, texts and numbers; what is no finite number is None."""
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(one) for one in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if abs(value) < float("inf") else None
    return value if value is None or isinstance(value, (bool, int)) else str(value)
