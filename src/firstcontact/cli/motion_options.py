"""Options that say where things are, and how they move."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import firstcontact as fc
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.option_values import numbers
from firstcontact.cli.pose_text import read_pose
from firstcontact.cli.shape_text import read_shape

MOTIONS = ("start", "end", "velocity", "angular_velocity", "acceleration")


def add_motion(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the options of the motion of a thing: "a" or "b"."""
    group = parser.add_argument_group(f"motion of {name.upper()} over t in [0, 1]")
    add = group.add_argument
    add(f"--start-{name}", metavar="POSE", help="pose at t = 0 (default: where its file has it)")
    add(f"--end-{name}", metavar="POSE", help="pose at t = 1, by the shortest turn about the centroid")
    add(f"--velocity-{name}", metavar="X,Y,Z", help="instead of an end: how far the centroid goes")
    add(f"--angular-velocity-{name}", metavar="X,Y,Z", help="the axis, as long as the angle in degrees")
    add(f"--acceleration-{name}", metavar="X,Y,Z", help="of the whole body, constant in the world")


def moving_of(options: argparse.Namespace, name: str, text: str) -> fc.Moving:
    """Read a thing and its motion; without any it rests at the start."""
    given = {key: getattr(options, f"{key}_{name}") for key in MOTIONS}
    is_velocity = given["velocity"] is not None or given["angular_velocity"] is not None
    is_moving = is_velocity or given["acceleration"] is not None
    if given["end"] is not None and is_velocity:
        raise CommandError(f"--end-{name} and velocities exclude each other: give one of them")
    start, end = (_pose(f"--{key}-{name}", given[key]) for key in ("start", "end"))
    velocity = _vector(f"--velocity-{name}", given["velocity"])
    turn = np.radians(_vector(f"--angular-velocity-{name}", given["angular_velocity"]))
    acceleration = _vector(f"--acceleration-{name}", given["acceleration"])
    shape = read_shape(text)
    velocities = (velocity, turn) if is_moving and end is None else None
    moving: fc.Moving = asked(_move, shape, start, end, velocities, acceleration)
    return moving


def asked(query: Any, *things: Any, **options: Any) -> Any:
    """Ask; what the library refuses, it says in one sentence, which is all the user needs."""
    try:
        return query(*things, **options)
    except (TypeError, ValueError) as error:
        raise CommandError.of(error) from None


def _move(shape: Any, start: Any, end: Any, velocities: Any, acceleration: Any) -> fc.Moving:
    begin = np.eye(4) if start is None else start
    if velocities is None and end is None:
        moving: fc.Moving = shape.at(begin)
    elif velocities is None:
        moving = shape.moving(begin, end, acceleration=acceleration)
    else:
        velocity, turn = velocities
        moving = shape.moving(begin, velocity=velocity, angular_velocity=turn, acceleration=acceleration)
    return moving


def _pose(option: str, text: str | None) -> Any:
    return None if text is None else read_pose(option, text)


def _vector(option: str, text: str | None) -> Any:
    return [0.0] * 3 if text is None else numbers(option, text, 3)
