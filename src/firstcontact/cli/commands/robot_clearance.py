"""`firstcontact robot --clearance`: how near does a robot come on its path, and when does it touch?"""

from __future__ import annotations

import argparse
from typing import Any

import firstcontact as fc
from firstcontact.cli.command import CONTACT, FINE
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.commands.segments import time_between
from firstcontact.cli.options.motion_options import asked
from firstcontact.cli.profile import listed_spans, spans_table, write_plot
from firstcontact.cli.texts.joint_path import Waypoints, spline_of
from firstcontact.cli.texts.json_text import json_text
from firstcontact.cli.texts.table import point, table

# Options of the command that say something about first contacts of segments, and what they are unless given.
OF_SEGMENTS = {"first": False, "min_separation": 0.0, "method": None, "cluster": None}


def tell_clearance(
    robot: fc.Robot, path: Waypoints, obstacles: dict[str, Any], options: argparse.Namespace
) -> int:
    """Find the least distance, and the times of contact; print them, and give the exit status."""
    for name, usual in OF_SEGMENTS.items():
        if getattr(options, name) != usual:
            option = f"--{name.replace('_', '-')}"
            raise CommandError(f"{option} is for first contacts: leave it out with --clearance and its like")
    things, chosen = (_moving(robot, path, options), obstacles), {"self_contact": options.self_contact}
    near = asked(fc.clearance, *things, **chosen, tolerance=options.tolerance)
    spans = asked(fc.contact_intervals, *things, **chosen) if options.intervals else []
    if options.plot is not None:
        write_plot(near, options.plot)
    facts = {
        "distance": near.distance,
        "distance_lower": near.distance_lower,
        "t": near.time,
        **({} if path.times is None else {"time": _clock(path, near.time)}),
        "link": near.a,
        "nearest_to": near.b,
        "points": near.points,
        "status": fc.Status(near.status),
    }
    if options.json:
        listed = {"intervals": listed_spans(spans)} if options.intervals else {}
        plot = None if options.plot is None else str(options.plot)
        print(json_text({"robot": robot.name} | facts | listed | {"plot": plot}))
    else:
        print(_account(facts, spans, options))
    return CONTACT if options.exit_code and near.distance_lower == 0.0 else FINE


def _moving(robot: fc.Robot, path: Waypoints, options: argparse.Namespace) -> fc.Moving:
    """The whole path as one motion."""
    points, times = path.configurations, path.times
    if options.spline:
        moving: fc.Moving = asked(robot.along, spline_of(path))
    elif len(points) == 1:
        moving = asked(robot.at, points[0])
    else:
        parts = None if times is None else (times - times[0]) / (times[-1] - times[0])
        moving = asked(robot.along, points, parts)
    return moving


def _clock(path: Waypoints, t: float) -> float:
    """When that is by the clock of the file."""
    assert path.times is not None
    return time_between(float(path.times[0]), float(path.times[-1]), t)


def _account(facts: dict[str, Any], spans: Any, options: argparse.Namespace) -> str:
    """Two tables, and where the plot is."""
    cells = {key: str(value) for key, value in facts.items() if key not in ("points", "status")}
    if facts["link"] is not None:
        cells |= {
            f"point of {facts[key]}": point(facts["points"][k])
            for k, key in enumerate(("link", "nearest_to"))
        }
    lines = [table([(key.replace("_", " "), value) for key, value in cells.items()])]
    if options.intervals:
        lines += ["", spans_table(spans)]
    if options.plot is not None:
        lines += ["", f"a plot is in {options.plot}"]
    return "\n".join(lines)
