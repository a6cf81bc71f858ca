"""Options that say where things are, and how they move."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import firstcontact as fc
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.options.option_values import numbers
from firstcontact.cli.texts.motion_file import read_motion
from firstcontact.cli.texts.pose_text import read_pose
from firstcontact.cli.texts.shape_text import HELP, read_shape

MOTIONS = ("start", "end", "velocity", "angular_velocity", "acceleration", "motion")

SMOOTHLY = "pass the poses of motion files smoothly, by a spline, instead of in pieces"


def add_motion(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the options of the motion of a thing: "a" or "b"."""
    group = parser.add_argument_group(f"motion of {name.upper()} over t in [0, 1]")
    add = group.add_argument
    add(f"--start-{name}", metavar="POSE", help="pose at t = 0 (default: where its file has it)")
    add(f"--end-{name}", metavar="POSE", help="pose at t = 1, by the shortest turn about the centroid")
    add(f"--velocity-{name}", metavar="X,Y,Z", help="instead of an end: how far the centroid goes")
    add(f"--angular-velocity-{name}", metavar="X,Y,Z", help="the axis, as long as the angle in degrees")
    add(f"--acceleration-{name}", metavar="X,Y,Z", help="of the whole body, constant in the world")
    add(f"--motion-{name}", type=Path, metavar="FILE", help="instead of all these: poses and their times")


def add_pair(parser: argparse.ArgumentParser) -> None:
    """Add two things, and the options of their motions."""
    parser.add_argument("a", metavar="A", help=HELP)
    parser.add_argument("b", metavar="B", help="the same")
    add_motion(parser, "a")
    add_motion(parser, "b")
    add_spline(parser.add_argument_group("motion files"))


def add_solid(parser: Any) -> None:
    """Let what is inside a closed thing be in contact with it."""
    parser.add_argument(
        "--solid", action="store_true", help="one inside the other, both closed, is in contact"
    )


def add_spline(parser: Any, what: str = SMOOTHLY) -> None:
    """Let what is between the rows of a file be smooth."""
    parser.add_argument("--spline", action="store_true", help=what)


def moving_pair(options: argparse.Namespace, texts: Sequence[str]) -> list[fc.Moving]:
    """Read one thing or two, each with its motion; files with times must have the same clock."""
    files = [getattr(options, f"motion_{name}") for name in "ab"[: len(texts)]]
    if options.spline and not any(files):
        raise CommandError("--spline has no meaning without a motion file: give --motion-a or --motion-b")
    things = [moving_of(options, name, text) for name, text in zip("ab", texts, strict=False)]
    clock_of(options)
    return things


def clock_of(options: argparse.Namespace) -> tuple[float, float] | None:
    """When t = 0 and t = 1 are by the clock of motion files; None where they have none."""
    files = [file for name in "ab" if (file := getattr(options, f"motion_{name}")) is not None]
    clocks = [(clock, file) for file in files if (clock := read_motion(file).clock) is not None]
    for (start, end), file in clocks[1:]:
        first, known = clocks[0]
        if (start, end) != first:
            rule = f"{known} and {file} must have the same first and last time"
            raise CommandError(f"{rule}; received {first[0]:g} to {first[1]:g}, and {start:g} to {end:g}")
    return clocks[0][0] if clocks else None


def moving_of(options: argparse.Namespace, name: str, text: str) -> fc.Moving:
    """Read a thing and its motion; without any it rests at the start."""
    given = {key: getattr(options, f"{key}_{name}") for key in MOTIONS}
    if given["motion"] is not None:
        return _of_file(options, name, text)
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


def _of_file(options: argparse.Namespace, name: str, text: str) -> fc.Moving:
    """Read a thing that moves as a file says, and nothing else does."""
    file = getattr(options, f"motion_{name}")
    for key in MOTIONS[:-1]:
        if getattr(options, f"{key}_{name}") is not None:
            option = f"--{key.replace('_', '-')}-{name}"
            raise CommandError(f"--motion-{name} says all of the motion: leave out {option}")
    moving: fc.Moving = asked(read_motion(file).of, read_shape(text), is_spline=options.spline)
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
