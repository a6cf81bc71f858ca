"""What a story is: rows of a summary, and a part of the page."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from firstcontact.times import rounded_down
from firstcontact.viz.page import Section

# Says what is being done, and which share of the story is told.
Report = Callable[[str, float], None]

NO_BREAK = "\N{NO-BREAK SPACE}"

ROWS = ("asked", "of", "samples say", "found", "proven", "took")


class Story(NamedTuple):
    """A story that has been told: for each row of the summary a few words, and what the page shows."""

    cells: dict[str, str]
    sections: tuple[Section, ...]


def rows_of(rows: Sequence[tuple[str, ...]]) -> str:
    """Make a table of HTML; its first row is the heading."""
    head = "".join(f"<th>{cell}</th>" for cell in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows[1:])
    return f"<table><tr>{head}</tr>{body}</table>"


def early(value: float, digits: int) -> str:
    """The time of a contact, rounded down: what is told is never late either."""
    return f"{rounded_down(value, digits):.{digits}f}"


def duration(seconds: Any) -> str:
    """A time for people to read, to about two digits, on one line with its unit."""
    if seconds >= 1.0:
        return f"{seconds:.1f}{NO_BREAK}s"
    digits = f"{1e3 * seconds:.0f}" if seconds >= 0.01 else f"{1e3 * seconds:.2g}"
    return f"{digits}{NO_BREAK}ms"
