"""`firstcontact field`: sample the distance to a thing once; and pictures and offsets of that."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path
from typing import Any

import firstcontact as fc
from firstcontact._whole_file import whole_file
from firstcontact.cli.command import add_command, add_json, add_view
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.mesh_output import check_mesh_name, write_mesh
from firstcontact.cli.options.motion_options import asked
from firstcontact.cli.options.option_values import LONGEST, number
from firstcontact.cli.texts.json_text import json_text
from firstcontact.cli.texts.shape_text import HELP, is_stored_shape, read_shape, thing_name
from firstcontact.cli.texts.table import point, table

_DESCRIPTION = """
Sample the distance to a thing in an octree, finer and finer, until it is proven to keep a tolerance
everywhere in its box; -o writes that field. With --slice, -o writes a picture of its distances on a plane
instead; with --level, the surface at a distance from the thing, as a closed mesh.
"""

_EXAMPLES = """
firstcontact field part.stl -o part.npz --tolerance 0.001
firstcontact field part.npz --slice z=0.02 -o slice.png
firstcontact field part.stl --level 0.005 -o offset.stl
"""

# What a field is written as.
_FIELD = ".npz"


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "field THING [options]", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("thing", metavar="THING", help=f"{HELP}; or a field, FILE{_FIELD}")
    making = parser.add_argument_group("the field")
    making.add_argument(
        "--tolerance",
        type=number(0.0, LONGEST),
        metavar="D",
        help="how far off a distance may be (default: 1/500 of the size)",
    )
    making.add_argument(
        "--margin",
        type=number(0.0, LONGEST),
        metavar="D",
        help="how far the field goes beyond the thing (default: a quarter of the size)",
    )
    answer = parser.add_argument_group("the answer")
    answer.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="what to write: a field, a picture or a mesh"
    )
    answer.add_argument("--slice", metavar="PLANE", help="draw the distances on a plane, as z=0")
    answer.add_argument(
        "--level",
        type=number(-LONGEST, LONGEST),
        metavar="D",
        help="make the surface at a distance; inside, below 0",
    )
    add_json(answer)
    add_view(answer)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Make the field or read it, and write what is asked for."""
    _check_output(options)
    field = _field(options)
    facts: dict[str, Any] = {
        "tolerance": field.tolerance,
        "cells": field.n_cells,
        "bytes": field.nbytes,
        "has_inside": field.is_signed,
        "box_from": field.box[0],
        "box_to": field.box[1],
    }
    if options.level is not None:
        facts["triangles"] = _write_level(field, options.level, options.output)
    elif options.slice is not None and options.output is not None:
        _write_slice(field, options.slice, options.output)
    elif options.output is not None:
        _written(options.output, lambda: field.save(options.output))
    if options.view is not None:
        title = thing_name(options.thing)
        _written(options.view, lambda: asked(fc.show, field, options.view, title=title, plane=options.slice))
    _tell(options, facts)


def _check_output(options: argparse.Namespace) -> None:
    """Refuse what does not go together, before anything takes long."""
    if options.slice is not None and options.level is not None:
        raise CommandError("--slice draws a picture and --level makes a mesh: give one of them")
    if options.slice is not None and options.output is None and options.view is None:
        raise CommandError("--slice needs a picture to write to: -o FILE, or --view PAGE.html")
    if options.level is not None and options.output is None:
        raise CommandError("--level needs a mesh to write to: -o FILE")
    if options.output is None:
        return
    end = options.output.suffix.lower()
    if options.level is not None:
        check_mesh_name(options.output)
    if options.level is None and options.slice is None and end != _FIELD:
        raise CommandError(f"a field must end in {_FIELD}; received {options.output}")


def _field(options: argparse.Namespace) -> fc.DistanceField:
    """Read a field, or make it of a thing, with a progress bar where there is a terminal."""
    given = {"tolerance": options.tolerance, "margin": options.margin}
    if options.thing.lower().endswith(_FIELD) and not is_stored_shape(Path(options.thing)):
        unused = [name for name, value in given.items() if value is not None]
        if unused:
            raise CommandError(f"--{unused[0]} is for a field that is made, and {options.thing} is one")
        try:
            return fc.DistanceField.load(options.thing)
        except (OSError, ValueError) as error:
            raise CommandError.of(error) from None
    shape = read_shape(options.thing)
    made: fc.DistanceField = asked(fc.DistanceField.of, shape, **given, progress=sys.stderr.isatty())
    return made


def _write_level(field: fc.DistanceField, level: float, file: Path) -> int:
    """Write the surface at a distance; give the number of its triangles."""
    skin: fc.Mesh = asked(field.mesh, level)
    if skin.n_faces == 0:
        raise CommandError(f"the field has no surface at level {level:g}")
    write_mesh(skin, file)
    return int(skin.n_faces)


def _write_slice(field: fc.DistanceField, plane: str, file: Path) -> None:
    """Draw the distances on a plane into a file."""
    import matplotlib as mpl

    mpl.use("Agg")
    ax, picture = asked(fc.plot, field, plane=plane), io.BytesIO()
    kind = file.suffix.lower()[1:]
    try:
        ax.figure.savefig(picture, format=kind or "png", dpi=150)
    except ValueError as error:
        raise CommandError(f"{file} must end as a picture does, as .png: {error}") from None

    def write() -> None:
        with whole_file(file) as stream:
            stream.write(picture.getvalue())

    _written(file, write)


def _written(file: Path, write: Any) -> None:
    try:
        write()
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}") from None


def _tell(options: argparse.Namespace, facts: dict[str, Any]) -> None:
    files = {"output": options.output, "view": options.view}
    if options.json:
        named = {key: None if file is None else str(file) for key, file in files.items()}
        print(json_text({"thing": options.thing, **facts, **named}))
        return
    cells = {key: point(value) if key.startswith("box") else _cell(value) for key, value in facts.items()}
    print(table([(key.replace("_", " "), value) for key, value in cells.items()]))
    what = (
        "a mesh" if options.level is not None else "a picture" if options.slice is not None else "the field"
    )
    for word, file in ((what, options.output), ("a page", options.view)):
        if file is not None:
            print(f"\n{word} is in {file}")


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)
