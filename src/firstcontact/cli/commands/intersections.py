"""`firstcontact intersections`: which faces of two meshes meet, or of one with itself?"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

import numpy as np

import firstcontact as fc
from firstcontact.cli.command import CONTACT, FINE, add_command, add_exit_code, add_json, add_view
from firstcontact.cli.options.motion_options import asked
from firstcontact.cli.options.placed import add_poses, placed
from firstcontact.cli.page import write_page
from firstcontact.cli.texts.json_text import json_text
from firstcontact.cli.texts.pose_text import EXPLAINED
from firstcontact.cli.texts.shape_text import HELP, thing_name
from firstcontact.cli.texts.table import table

_DESCRIPTION = f"""
Which faces of A and B meet, all of them, and in which curves? Without B: which faces of A meet others of A,
elsewhere than in corners and edges that they have in common? Decided exactly; what only touches counts.
\n{EXPLAINED}
"""

_EXAMPLES = """
firstcontact intersections part.stl fixture.stl --pose-a 0,0,0.2 --view curve.html
firstcontact intersections part.stl --exit-code
"""


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "intersections A [B] [options]", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("a", metavar="A", help=HELP)
    parser.add_argument("b", metavar="B", nargs="?", help="the same; without it, A is asked about itself")
    add_poses(parser)
    parser.add_argument(
        "--method", choices=("boxes", "obb"), help="how to search: trees of boxes, or of oriented ones"
    )
    answer = parser.add_argument_group("the answer")
    add_json(answer)
    add_view(answer)
    add_exit_code(answer)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """List what meets, and print it."""
    names = ["a"] if options.b is None else ["a", "b"]
    things = [_surface(placed(options, name)) for name in names]
    found = asked(fc.intersections, *things, method=options.method)
    if options.view is not None:
        write_page(found, options.view, [thing_name(getattr(options, name)) for name in names])
    if options.json:
        print(json_text({"a": options.a, "b": options.b, **_facts(found), **_rows(found)}))
    else:
        print(table([(key.replace("_", " "), str(value)) for key, value in _facts(found).items()]))
        if options.view is not None:
            print(f"\na page is in {options.view}")
    return CONTACT if found and options.exit_code else FINE


def _surface(thing: fc.Moving) -> fc.Moving:
    """Of a convex shape, its mesh."""
    shape: Any = thing.shape
    return thing if isinstance(shape, fc.Mesh) or not hasattr(shape, "mesh") else shape.mesh.at(thing.pose(0))


def _facts(found: fc.Intersections) -> dict[str, Any]:
    curves = found.curves
    return {
        "pairs_of_faces": len(found),
        "in_one_plane": int(np.count_nonzero(found.is_coplanar)),
        "curves": len(curves),
        "closed_curves": sum(bool(np.array_equal(curve[0], curve[-1])) for curve in curves),
        "length": float(sum(np.linalg.norm(np.diff(curve, axis=0), axis=1).sum() for curve in curves)),
    }


def _rows(found: fc.Intersections) -> dict[str, Any]:
    return {
        "faces_a": found.faces_a,
        "faces_b": found.faces_b,
        "is_coplanar": found.is_coplanar,
        "segments": found.segments,
        "points_of_curves": found.curves,
        "stats": asdict(found.stats),
    }
