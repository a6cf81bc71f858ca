"""`firstcontact view`: show what moves, on a page for the browser."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import firstcontact as fc
from firstcontact.cli.command import add_command
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.frame_view import frame_view
from firstcontact.cli.options.motion_options import MOTIONS, add_motion, add_spline, asked, moving_pair
from firstcontact.cli.options.moving_robot import moving_robot
from firstcontact.cli.options.option_values import page
from firstcontact.cli.options.robot_options import add_robot, read_obstacles
from firstcontact.cli.page import write_page
from firstcontact.cli.texts.frames import frames_of, is_frames
from firstcontact.cli.texts.shape_text import thing_name

_DESCRIPTION = """
Show things in 3-D, as they move, with a timeline that stops at the first contact. WHAT is a thing or two, as
`firstcontact check` takes them, with their motions; or a robot's .urdf file with its path, as `firstcontact
robot` takes them; or a folder, or an .npz file, of frames, as `firstcontact sequence` takes them.

The page holds all it needs and opens without a network. Unless --output says where it goes, it is a temporary
file, and a browser opens it where there is a display.
"""

_EXAMPLES = """
firstcontact view part.stl
firstcontact view hammer.obj anvil.obj --start-a 0,0,2 --end-a "0,0,-1 euler=0,170,0" -o strike.html
firstcontact view arm.urdf --path path.csv --world table.stl --self-contact
firstcontact view frames/ -o cloth.html
"""

_OF_ROBOTS = ("path", "degrees", "world", "self_contact", "srdf", "package_dir", "floating_base")


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "view WHAT [WHAT] [options]", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("what", nargs="+", metavar="WHAT", help="one or two things, a robot, or frames")
    parser.add_argument("-o", "--output", type=page, metavar="PAGE.html", help="where to write the page")
    add_motion(parser, "a")
    add_motion(parser, "b")
    add_robot(parser, is_required=False)
    add_spline(parser, "pass the rows of motion files, or of the path, smoothly instead of in pieces")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Gather what there is to see, and write the page."""
    file = write_page(_seen(options), options.output, [thing_name(text) for text in options.what])
    print(f"a page is in {file}")


def _seen(options: argparse.Namespace) -> Any:
    """Find out what is meant, and refuse what has no meaning for it."""
    first = Path(options.what[0])
    motions = [f"{key}_{name}" for name in "ab" for key in MOTIONS]
    if first.suffix.lower() == ".urdf":
        _refuse(options, motions, "a robot", limit=1)
        return _robot(first, options)
    if is_frames(first):
        _refuse(options, [*motions, *_OF_ROBOTS, "spline"], "frames", limit=1)
        return frame_view(frames_of([first]), first.name)
    _refuse(options, _OF_ROBOTS, "what is no robot", limit=2)
    if len(options.what) == 1:
        _refuse(options, [f"{key}_b" for key in MOTIONS], "one thing alone", limit=1)
        return {thing_name(options.what[0]): moving_pair(options, options.what)[0]}
    return asked(fc.first_contact, *moving_pair(options, options.what))


def _refuse(options: argparse.Namespace, names: Sequence[str], what: str, limit: int) -> None:
    if len(options.what) > limit:
        rule = f"{what} must be given alone" if limit == 1 else "one or two things can be shown"
        raise CommandError(f"{rule}; received {len(options.what)}")
    for name in names:
        if getattr(options, name) not in (None, False, []):
            raise CommandError(f"--{name.replace('_', '-')} has no meaning for {what}")


def _robot(file: Path, options: argparse.Namespace) -> Any:
    robot, moving = moving_robot(file, options)
    obstacles: Any = read_obstacles(options.world)
    if not obstacles and not options.self_contact:
        return {robot.name: moving}
    return asked(fc.first_contact, moving, obstacles, self_contact=options.self_contact)
