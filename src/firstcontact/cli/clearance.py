"""`firstcontact clearance`: how near do two moving things come, and when do they touch?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import firstcontact as fc
from firstcontact.cli.command import CONTACT, FINE, add_command, add_exit_code, add_json, add_view
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.options.motion_options import add_motion, add_spline, asked, moving_pair
from firstcontact.cli.options.option_values import LONGEST, number
from firstcontact.cli.page import write_page
from firstcontact.cli.texts.json_text import json_text
from firstcontact.cli.texts.motion_file import EXPLAINED as OF_MOTIONS
from firstcontact.cli.texts.pose_text import EXPLAINED
from firstcontact.cli.texts.shape_text import HELP, thing_name
from firstcontact.cli.texts.table import point, table

_DESCRIPTION = f"""
How near do two rigid things, each moving over t in [0, 1], come, when and where? At no time are they nearer
than the lower bound: that is proven. With --intervals: when do they touch, and when do they part?
\n{EXPLAINED}\n{OF_MOTIONS}
"""

_EXAMPLES = """
firstcontact clearance part.stl fixture.stl --start-a 0,0,2 --velocity-a 0,0,-1 --plot clearance.png
firstcontact clearance part.stl fixture.stl --motion-a poses.csv --spline --plot clearance.png
firstcontact clearance box:2,2,1 box:1,9,9 --angular-velocity-a 0,0,540 --start-b 1.8,0,0 --intervals
"""


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "clearance A B [options]", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("a", metavar="A", help=HELP)
    parser.add_argument("b", metavar="B", help="the same")
    add_motion(parser, "a")
    add_motion(parser, "b")
    add_spline(parser.add_argument_group("motion files"))
    search = parser.add_argument_group("the search")
    search.add_argument(
        "--tolerance",
        type=number(0.0, LONGEST),
        metavar="D",
        help="how far apart the two bounds may be (default: a hundredth of the distance)",
    )
    search.add_argument(
        "--solid", action="store_true", help="one inside the other, both closed, is in contact"
    )
    answer = parser.add_argument_group("the answer")
    answer.add_argument("--intervals", action="store_true", help="list when they touch and when they part")
    answer.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw distance against time: .png, .pdf, .svg"
    )
    add_json(answer)
    add_view(answer)
    add_exit_code(answer)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Find the least distance, print it, and give the exit status."""
    things = moving_pair(options, (options.a, options.b))
    found = asked(fc.clearance, *things, tolerance=options.tolerance, solid=options.solid)
    facts = {
        "distance": found.distance,
        "distance_lower": found.distance_lower,
        "t": found.time,
        "point_a": found.points[0],
        "point_b": found.points[1],
        "status": found.status,
    }
    spans = asked(fc.contact_intervals, *things, solid=options.solid) if options.intervals else []
    if options.plot is not None:
        _write_plot(found, options.plot)
    if options.view is not None:
        write_page(found, options.view, [thing_name(options.a), thing_name(options.b)])
    if options.json:
        files = {
            key: None if (file := getattr(options, key)) is None else str(file) for key in ("plot", "view")
        }
        listed = {"intervals": [{"touch": touch, "part": part} for touch, part in spans]}
        print(
            json_text(
                {"a": options.a, "b": options.b} | facts | (listed if options.intervals else {}) | files
            )
        )
    else:
        print(_account(facts, spans, options))
    return CONTACT if options.exit_code and found.distance_lower == 0.0 else FINE


def _account(facts: dict[str, Any], spans: Any, options: argparse.Namespace) -> str:
    """Two tables, and where files are."""
    cells = {key: facts[key] for key in ("distance", "distance_lower", "t")}
    cells |= {key: point(facts[key]) for key in ("point_a", "point_b")}
    lines = [table([(key.replace("_", " "), str(value)) for key, value in cells.items()])]
    if options.intervals:
        rows = [tuple(map(str, (*touch, *part))) for touch, part in spans]
        heads = "touch from", "proven by", "to", "apart by"
        lines += ["", table([heads, *rows]) if rows else "no contact, proven"]
    for what, file in (("a plot", options.plot), ("a page", options.view)):
        if file is not None:
            lines += ["", f"{what} is in {file}"]
    return "\n".join(lines)


def _write_plot(found: fc.Clearance, file: Path) -> None:
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
