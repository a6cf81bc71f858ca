"""`firstcontact check`: when do two moving things first touch?"""

from __future__ import annotations

import argparse
from typing import Any

import firstcontact as fc
from firstcontact.cli.command import (
    CONTACT,
    FINE,
    add_command,
    add_exit_code,
    add_json,
    add_min_separation,
    add_tolerance,
    add_view,
)
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.commands.check_each import run_each
from firstcontact.cli.commands.segments import time_between
from firstcontact.cli.options.motion_options import add_pair, add_solid, asked, clock_of, moving_pair
from firstcontact.cli.options.workers import add_cluster
from firstcontact.cli.page import write_page
from firstcontact.cli.texts.json_text import json_text, name_of
from firstcontact.cli.texts.motion_file import EXPLAINED as OF_MOTIONS
from firstcontact.cli.texts.pose_text import EXPLAINED
from firstcontact.cli.texts.shape_text import thing_name
from firstcontact.cli.texts.table import point, table

_N_ROWS = 10

# Of meshes, and of convex shapes.
_METHODS = "c2a", "c2a-2009", "ca", "interval", "algebraic", "advancement", "swept", "bisection", "extruded"

_DESCRIPTION = f"""
When do two rigid things, each moving over t in [0, 1], first touch, where, and with what? The time given is
never later than the true first contact, and "free" is proven for all times.
\n{EXPLAINED}\n{OF_MOTIONS}
"""

_EXAMPLES = """
firstcontact check hammer.obj anvil.obj --start-a 0,0,2 --end-a "0,0,-1 euler=0,170,0"
firstcontact check ball.stl box:4,4,0.1 --start-a start.json --velocity-a 0,0,-3 --json
firstcontact check part.stl fixture.stl --motion-a poses.csv --spline
firstcontact check part.stl fixture.stl --motion-a poses.csv --each --cluster tcp://scheduler:8786
firstcontact check a.ply b.ply --velocity-a 1,0,0 --angular-velocity-a 0,0,720 --view contact.html
"""


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "check A B [options]", _DESCRIPTION, _EXAMPLES)
    add_pair(parser)
    search = parser.add_argument_group("the search")
    add_tolerance(search)
    add_min_separation(search)
    search.add_argument(
        "--method", choices=_METHODS, help="how to search, to compare (default: that of the shapes)"
    )
    search.add_argument(
        "--each",
        action="store_true",
        help="ask about the way from each row of motion files to the next as a motion of its own",
    )
    add_solid(search)
    add_cluster(search)
    answer = parser.add_argument_group("the answer")
    add_json(answer)
    add_view(answer)
    add_exit_code(answer)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Find the first contact, print it, and give the exit status."""
    chosen = {key: getattr(options, key) for key in ("tolerance", "min_separation", "method", "solid")}
    if options.each:
        return run_each(options, chosen)
    if options.cluster is not None:
        raise CommandError("--cluster is for many motions: it goes with --each")
    things = moving_pair(options, (options.a, options.b))
    found = asked(fc.first_contact, *things, **chosen)
    if options.view is not None:
        write_page(found, options.view, [thing_name(options.a), thing_name(options.b)])
    print(json_text(_described(found, options)) if options.json else _account(found, options))
    return CONTACT if options.exit_code and found else FINE


def _described(found: fc.FirstContact, options: argparse.Namespace) -> dict[str, Any]:
    rows, clock = zip(found.features, found.points, found.normals, strict=True), clock_of(options)
    contacts = [
        {"kind": fc.ContactKind(kind), "id_a": _id(a), "id_b": _id(b), "point": place, "normal": normal}
        for (kind, a, b), place, normal in rows
    ]
    return {
        "a": options.a,
        "b": options.b,
        "is_free": not found,
        "status": found.status,
        "t": found.time,
        "t_upper": found.time_upper,
        **({} if clock is None else {"time": time_between(*clock, found.time)}),
        "contacts": contacts,
        "seconds": found.stats.seconds,
        "view": None if options.view is None else str(options.view),
    }


def _account(found: fc.FirstContact, options: argparse.Namespace) -> str:
    """A sentence, and a table of what touches."""
    lines, clock = [_sentence(found, options.min_separation)], clock_of(options)
    if found and clock is not None:
        lines.append(f"by the clock of the file at {time_between(*clock, found.time)}")
    if len(found.points):
        shown = zip(found.features[:_N_ROWS], found.points, found.normals, strict=False)
        rows = [
            (name_of(fc.ContactKind(kind)), _word(a), _word(b), point(place), point(normal))
            for (kind, a, b), place, normal in shown
        ]
        lines += ["", table([("touching", "id of A", "id of B", "at", "normal, A to B"), *rows])]
    if len(found.points) > _N_ROWS:
        lines.append(f"and {len(found.points) - _N_ROWS:,} more, which --json lists")
    if options.view is not None:
        lines += ["", f"a page is in {options.view}"]
    return "\n".join(lines)


def _sentence(found: fc.FirstContact, separation: float) -> str:
    """What was found; all digits of times, since rounded up they would be late."""
    if not found:
        return f"free: more than {separation:g} apart at all times, proven" if separation else "free, proven"
    near = f" (within {separation:g})" if separation else ""
    if found.status == fc.Status.CONTACT_AT_START:
        return f"contact{near} from the start"
    if found.status != fc.Status.CONTACT:
        return f"contact{near} is possible from t = {found.time} on: {name_of(found.status)}"
    upper = f", proven by t = {found.time_upper}" if found.time_upper <= 1.0 else ""
    return f"contact{near} at t = {found.time}{upper}"


def _id(number: int) -> int | None:
    return None if number < 0 else int(number)  # a convex shape has no features


def _word(number: int) -> str:
    return "-" if number < 0 else str(number)
