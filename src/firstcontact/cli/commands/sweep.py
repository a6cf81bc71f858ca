"""`firstcontact sweep`: what a moving thing passes through, as a closed mesh."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import firstcontact as fc
from firstcontact.cli.command import add_command, add_json, add_view
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.frame_view import alike_meshes
from firstcontact.cli.mesh_output import check_mesh_name, write_mesh
from firstcontact.cli.options.motion_options import MOTIONS, add_motion, add_spline, asked, moving_pair
from firstcontact.cli.options.moving_robot import moving_robot
from firstcontact.cli.options.option_values import LONGEST, number
from firstcontact.cli.options.robot_options import add_robot_files
from firstcontact.cli.page import write_page
from firstcontact.cli.texts.frames import frames_of, is_frames
from firstcontact.cli.texts.json_text import json_text
from firstcontact.cli.texts.shape_text import thing_name
from firstcontact.cli.texts.table import point, table

_DESCRIPTION = """
What does a thing pass through as it moves over t in [0, 1]? The mesh that -o writes is closed, contains all
of it, and is nowhere farther from it than the tolerance: that is proven. WHAT is a thing, as `firstcontact
check` takes it, with its motion; or a robot's .urdf file with its path; or a folder, or an .npz file, of
frames.
"""

_EXAMPLES = """
firstcontact sweep part.stl --start-a 0,0,2 --end-a "0,0,-1 euler=0,170,0" --tolerance 0.01 -o sweep.stl
firstcontact sweep cylinder:0.1,1 --velocity-a 0,0,-1 --angular-velocity-a 0,0,3600 --inner -o drilled.stl
firstcontact sweep arm.urdf --path path.csv --links hand wrist -o sweep.stl --view sweep.html
"""

_OF_ROBOTS = ("path", "degrees", "srdf", "package_dir", "allow_outside", "floating_base", "links")


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "sweep WHAT [options]", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("what", metavar="WHAT", help="a thing, a robot, or frames")
    add_motion(parser, "a")
    add_robot_files(parser, is_required=False)
    add_spline(parser, "pass the rows of a motion file, or of the path, smoothly instead of in pieces")
    making = parser.add_argument_group("the mesh")
    making.add_argument(
        "--tolerance",
        type=number(0.0, LONGEST),
        metavar="D",
        help="how far from the sweep it may be (default: 1/64 of the sweep's size)",
    )
    making.add_argument("--inner", action="store_true", help="make a mesh inside of the sweep instead")
    making.add_argument(
        "--method", choices=("elements", "capsules"), default="elements", help="how (default: elements)"
    )
    making.add_argument("--links", nargs="+", metavar="LINK", help="those of a robot that count")
    answer = parser.add_argument_group("the answer")
    answer.add_argument("-o", "--output", metavar="FILE", type=Path, help="where to write the mesh")
    add_json(answer)
    add_view(answer)
    parser.set_defaults(run=run, motion_b=None)


def run(options: argparse.Namespace) -> None:
    """Make the mesh, write it, and tell how large it is."""
    if options.output is not None:
        check_mesh_name(options.output)
    thing = _thing(options)
    found: fc.SweptVolume = asked(
        fc.swept_volume,
        thing,
        options.tolerance,
        inner=options.inner,
        method=options.method,
        links=options.links,
        progress=sys.stderr.isatty(),
    )
    if options.output is not None:
        write_mesh(found.mesh, options.output)
    if options.view is not None:
        write_page(found, options.view, [thing_name(options.what)])
    _tell(options, found)


def _thing(options: argparse.Namespace) -> fc.Moving:
    """Find out what is meant, and refuse what has no meaning for it."""
    file = Path(options.what)
    motions = [f"{key}_a" for key in MOTIONS]
    if file.suffix.lower() == ".urdf":
        _refuse(options, motions, "a robot")
        return moving_robot(file, options)[1]
    if is_frames(file):
        _refuse(options, [*motions, *_OF_ROBOTS, "spline"], "frames")
        return _frames(file)
    _refuse(options, _OF_ROBOTS, "what is no robot")
    return moving_pair(options, [options.what])[0]


def _frames(file: Path) -> fc.Moving:
    """Read frames of a mesh that deforms; all must have the same faces."""
    meshes = alike_meshes(frames_of([file]))
    places = [mesh.vertices for mesh in meshes]
    moving: fc.Moving = asked(meshes[0].along, places if len(places) > 1 else places * 2)
    return moving


def _refuse(options: argparse.Namespace, names: Any, what: str) -> None:
    for name in names:
        if getattr(options, name) not in (None, False, []):
            raise CommandError(f"--{name.replace('_', '-')} has no meaning for {what}")


def _tell(options: argparse.Namespace, found: fc.SweptVolume) -> None:
    facts: dict[str, Any] = {
        "tolerance": found.tolerance,
        "outer_error": found.outer_error,
        "volume": found.volume,
        "triangles": len(found.faces),
        "box_from": found.bounds[0],
        "box_to": found.bounds[1],
    }
    files = {"output": options.output, "view": options.view}
    if options.json:
        named = {key: None if file is None else str(file) for key, file in files.items()}
        print(json_text({"thing": options.what, **facts, **named}))
        return
    cells = {key: point(value) if key.startswith("box") else str(value) for key, value in facts.items()}
    print(table([(key.replace("_", " "), value) for key, value in cells.items()]))
    for word, file in (("a mesh", options.output), ("a page", options.view)):
        if file is not None:
            print(f"\n{word} is in {file}")
