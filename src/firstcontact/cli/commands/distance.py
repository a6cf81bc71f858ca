"""`firstcontact distance`: how far are two things apart, or how deep in each other?"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import firstcontact as fc
from firstcontact.cli.command import add_command, add_json, add_view
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.commands.point_distances import add_point_options, measure_points
from firstcontact.cli.options.motion_options import asked
from firstcontact.cli.options.placed import add_poses, placed
from firstcontact.cli.page import write_page
from firstcontact.cli.texts.json_text import json_text
from firstcontact.cli.texts.pose_text import EXPLAINED
from firstcontact.cli.texts.shape_text import HELP, thing_name
from firstcontact.cli.texts.table import point, table

_DESCRIPTION = f"""
How far are two things apart, and where are they closest? With --penetration: how deep are they in each other,
and which is the shortest way out? With --points, and no B: how far is each point of a file from A, negative
inside?
\n{EXPLAINED}
"""

_EXAMPLES = """
firstcontact distance part.stl fixture.stl --pose-a 0,0,0.2
firstcontact distance part.stl --points samples.csv -o distances.csv
firstcontact distance sphere:0.5 box:1,1,1 --pose-a "0.9,0,0" --penetration --json
"""


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "distance A [B] [options]", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("a", metavar="A", help=HELP)
    parser.add_argument("b", metavar="B", nargs="?", help="the same; not with --points")
    add_poses(parser)
    parser.add_argument(
        "--solid", action="store_true", help="closed meshes have an inside: no distance there"
    )
    parser.add_argument("--penetration", action="store_true", help="the depth; of meshes that are closed")
    add_point_options(parser)
    answer = parser.add_argument_group("the answer")
    add_json(answer)
    add_view(answer)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Measure, and print what was found."""
    if options.points is not None:
        measure_points(options, placed(options, "a"))
        return
    if options.output is not None or options.sign != "auto":
        raise CommandError("-o and --sign go with --points")
    if options.b is None:
        raise CommandError("distance is about two things: B is missing; or --points FILE")
    things = [placed(options, name) for name in ("a", "b")]
    if options.penetration and options.solid:
        raise CommandError(
            "--solid goes with the distance: --penetration takes closed meshes as solid anyway"
        )
    if options.penetration:
        found = asked(fc.penetration, *things)
    else:
        found = asked(fc.distance, *things, solid=options.solid)
    if options.view is not None:
        write_page(found, options.view, [thing_name(options.a), thing_name(options.b)])
    facts = _depth(found) if options.penetration else _gap(found)
    if options.json:
        view = None if options.view is None else str(options.view)
        print(json_text({"a": options.a, "b": options.b, **facts, "view": view}))
        return
    print(table([(key.replace("_", " "), _cell(value)) for key, value in facts.items()]))
    if options.view is not None:
        print(f"\na page is in {options.view}")


def _gap(found: fc.Distance) -> dict[str, Any]:
    face_a, face_b = (None if face < 0 else int(face) for face in found.faces)
    return {
        "distance": found.distance,
        "point_a": found.points_a,
        "point_b": found.points_b,
        "face_a": face_a,
        "face_b": face_b,
    }


def _depth(found: fc.Penetration) -> dict[str, Any]:
    return {
        "is_overlapping": found.is_overlapping,
        "depth": found.depth,
        "direction": found.direction,
        "point_a": found.points_a,
        "point_b": found.points_b,
    }


def _cell(value: Any) -> str:
    """All digits of a number; places with fewer; "-" for what there is none of."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, np.ndarray):
        return "-" if np.isnan(value).any() else point(value)
    return "-" if value is None else str(value)
