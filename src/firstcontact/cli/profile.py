"""Distance against time as a picture, and times of contact as a table: of two things, and of robots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import firstcontact as fc
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.texts.table import table

HEADS = "touch from", "proven by", "to", "apart by"


def add_profile(parser: Any) -> None:
    """Let the times of contact be listed, and the distance be drawn."""
    parser.add_argument("--intervals", action="store_true", help="list when they touch and when they part")
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw distance against time: .png, .pdf, .svg"
    )


def spans_table(spans: Any) -> str:
    """All contacts, those of robots with names; all digits, since rounded they would be wrong."""
    has_names = isinstance(spans, fc.RobotIntervals)
    names = list(zip(spans.a, spans.b, strict=True)) if has_names else [()] * len(spans)
    rows = [(*map(str, (*touch, *part)), *who) for (touch, part), who in zip(spans, names, strict=True)]
    heads = (*HEADS, "link", "touches") if has_names else HEADS
    return table([heads, *rows]) if rows else "no contact, proven"


def listed_spans(spans: Any) -> list[dict[str, Any]]:
    """All contacts as plain data."""
    found = [{"touch": touch, "part": part} for touch, part in spans]
    if isinstance(spans, fc.RobotIntervals):
        names = zip(found, spans.a, spans.b, strict=True)
        return [one | {"link": a, "touches": b} for one, a, b in names]
    return found


def write_plot(found: fc.Clearance, file: Path) -> None:
    """Draw the profile into a file."""
    import matplotlib as mpl

    mpl.use("Agg")
    ax = fc.plot(found)
    try:
        ax.figure.savefig(file)  # type: ignore[union-attr]
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}") from None
    except ValueError as error:
        raise CommandError(f"{file} must end as a picture does, as .png: {error}") from None
