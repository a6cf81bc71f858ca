"""`firstcontact robot`: check a robot's path for contacts."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
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
)
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.commands.robot_clearance import tell_clearance
from firstcontact.cli.commands.segments import (
    PART,
    PART_OF_MANY,
    Checked,
    SegmentTouch,
    check_segments,
    described,
)
from firstcontact.cli.options.motion_options import add_spline, asked
from firstcontact.cli.options.robot_options import add_robot, read_obstacles, read_robot
from firstcontact.cli.options.workers import add_cluster, workers
from firstcontact.cli.profile import add_profile
from firstcontact.cli.texts.joint_path import Waypoints, beyond_limits, read_path, spline_of
from firstcontact.cli.texts.json_text import json_text
from firstcontact.cli.texts.table import point, table

_DESCRIPTION = """
Check a robot's path for contacts with its surroundings and with itself: segment i is from configuration i to
configuration i + 1, and all joints move at constant rates, or with --spline by cubics that pass all
configurations without a jump of velocity or acceleration. The path is a text file with a row for each
configuration, cells separated by commas, semicolons or blanks, and # before comments. A first row may name
the joints of the columns, in any order, and a column "time"; without it there is a number for each joint in
the order of the robot's file. A floating joint has the columns NAME.x, .y, .z, .qx, .qy, .qz and .qw. One
configuration is checked at rest.

The table has the first contact of each segment that is not free: t is from 0 to 1 along the segment, never
later than the true first contact; time is by the column "time". Segments that are not in the table are proven
free; with --first, those before it.

With --clearance, --intervals or --plot, the whole path is one motion, and t goes from 0 to 1 along it: how
near does the robot come, which link to what, when does it touch, and when is it free again?
"""

_EXAMPLES = """
firstcontact robot arm.urdf --path path.csv --world table.stl shelf.stl --self-contact
firstcontact robot arm.urdf --path path.csv --world cell.ply --min-separation 0.01 --first --json
firstcontact robot arm.urdf --path path.csv --world cell.ply --clearance --intervals --plot distance.png
"""


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "robot ROBOT.urdf --path PATH.csv [options]", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("robot", type=Path, metavar="ROBOT.urdf", help="with its collision geometry")
    add_robot(parser, is_required=True)
    search = parser.add_argument_group("the search")
    add = search.add_argument
    add("--learn-allowed", action="store_true", help="links that touch in each of many samples may do so")
    add("--check-limits", action="store_true", help="warn of values beyond the joints' limits")
    add_tolerance(search)
    add_min_separation(search)
    methods = "subdivision", "advancement", "interval"
    add("--method", choices=methods, help="how to search (default: subdivision)")
    add("--first", action="store_true", help="find only the first contact of the path")
    add_cluster(search)
    add_spline(search, "pass the configurations smoothly, by a cubic spline, instead of in straight lines")
    answer = parser.add_argument_group("the answer")
    answer.add_argument(
        "--clearance", action="store_true", help="how near does it come on the whole path, t from 0 to 1?"
    )
    add_profile(answer)
    add_json(answer)
    add_exit_code(answer)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check the path, print what was found, and give the exit status."""
    if not options.world and not options.self_contact:
        raise CommandError("nothing to check: give obstacles by --world, or --self-contact, or both")
    if options.learn_allowed and not options.self_contact:
        raise CommandError("--learn-allowed is of use with --self-contact only")
    obstacles = read_obstacles(options.world)
    robot = read_robot(options.robot, options)
    path = read_path(options.path, robot, in_degrees=options.degrees)
    if options.check_limits:
        for warning in beyond_limits(robot, path):
            _tell(warning)
    if options.learn_allowed:
        robot = _taught(robot)
    if options.clearance or options.intervals or options.plot is not None:
        return tell_clearance(robot, path, obstacles, options)
    checked = _checked(robot, path, obstacles, options)
    print(_as_json(robot, checked) if options.json else _account(checked, path, options.first))
    return CONTACT if options.exit_code and checked.touches else FINE


def _taught(robot: fc.Robot) -> fc.Robot:
    """Let links touch that always do, and tell which: they are not checked."""
    taught = robot.learn_allowed_pairs()
    pairs = sorted(" and ".join(sorted(pair)) for pair in taught.allowed_pairs - robot.allowed_pairs)
    if pairs:
        _tell(f"links that always touch, and may: {', '.join(pairs)}")
    return taught


def _tell(message: str) -> None:
    print(f"firstcontact: {message}", file=sys.stderr)


def _checked(
    robot: fc.Robot, path: Waypoints, obstacles: dict[str, fc.Mesh], options: argparse.Namespace
) -> Checked:
    """Check the path with a progress bar."""
    from tqdm import tqdm

    chosen = {key: getattr(options, key) for key in ("self_contact", "min_separation", "tolerance", "method")}
    n_segments = max(len(path.configurations) - 1, 1)
    spline = spline_of(path) if options.spline else None
    with (
        workers(options.cluster) as executor,
        tqdm(total=n_segments, desc="checking", unit="segment", disable=None) as progress,
    ):
        find: Any = partial(fc.first_contacts, b=obstacles, **chosen, executor=executor)
        size = PART_OF_MANY if executor is not None else PART
        checked: Checked = asked(
            check_segments, robot, path, find, options.first, progress.update, size, spline
        )
        return checked


def _as_json(robot: fc.Robot, checked: Checked) -> str:
    return json_text(
        {
            "robot": robot.name,
            "n_segments": checked.n_segments,
            "n_checked": checked.n_checked,
            "is_free": not checked.touches,
            "contacts": [described(touch) for touch in checked.touches],
        }
    )


def _account(checked: Checked, path: Waypoints, only_first: bool) -> str:
    """A table of the contacts, if there are any, and a sentence about the path."""
    n, touches, is_resting = checked.n_segments, checked.touches, len(path.configurations) == 1
    if not touches:
        what = "1 configuration at rest" if is_resting else f"{n:,} segment{'s' * (n != 1)}"
        return f"free: {what}, certified"
    segment, t = touches[0].segment, touches[0].contact.time
    where = f"at t = {t} of segment {segment}"
    if is_resting:
        sentence = "contact in the configuration at rest"
    elif only_first:
        sentence = f"the first contact is {where}"
        sentence += "; all before it is free, certified" * (segment + t > 0.0)
    else:
        sentence = f"contact in {len(touches):,} of {n:,} segment{'s' * (n != 1)}, the first {where}"
        sentence += "; the others are free, certified" * (len(touches) < n)
    clock = () if path.times is None else ("time",)
    rows = [("segment", "t", *clock, "link", "touches", "at"), *map(_row, touches)]
    return f"{table(rows)}\n\n{sentence}"


def _row(touch: SegmentTouch) -> tuple[str, ...]:
    contact = touch.contact
    # All digits of times: rounded up they would be late.
    clock = () if touch.clock is None else (str(touch.clock),)
    # One that is inside another from the start has no points.
    at = point(contact.points[0]) if len(contact.points) else "inside"
    return str(touch.segment), str(contact.time), *clock, str(contact.a), str(contact.b), at
