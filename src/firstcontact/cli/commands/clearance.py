"""`firstcontact clearance`: how near do two moving things come, and when do they touch?"""

from __future__ import annotations

import argparse
from typing import Any

import firstcontact as fc
from firstcontact.cli.command import CONTACT, FINE, add_command, add_exit_code, add_json, add_view
from firstcontact.cli.options.motion_options import add_pair, add_solid, asked, moving_pair
from firstcontact.cli.options.option_values import LONGEST, number
from firstcontact.cli.page import write_page
from firstcontact.cli.profile import add_profile, listed_spans, spans_table, write_plot
from firstcontact.cli.texts.json_text import json_text
from firstcontact.cli.texts.motion_file import EXPLAINED as OF_MOTIONS
from firstcontact.cli.texts.pose_text import EXPLAINED
from firstcontact.cli.texts.shape_text import thing_name
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
    add_pair(parser)
    search = parser.add_argument_group("the search")
    search.add_argument(
        "--tolerance",
        type=number(0.0, LONGEST),
        metavar="D",
        help="how far apart the two bounds may be (default: a hundredth of the distance)",
    )
    add_solid(search)
    answer = parser.add_argument_group("the answer")
    add_profile(answer)
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
        write_plot(found, options.plot)
    if options.view is not None:
        write_page(found, options.view, [thing_name(options.a), thing_name(options.b)])
    if options.json:
        files = {
            key: None if (file := getattr(options, key)) is None else str(file) for key in ("plot", "view")
        }
        listed = {"intervals": listed_spans(spans)}
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
        lines += ["", spans_table(spans)]
    for what, file in (("a plot", options.plot), ("a page", options.view)):
        if file is not None:
            lines += ["", f"{what} is in {file}"]
    return "\n".join(lines)
