"""`firstcontact voronoi`: which of several sites is the nearest, everywhere in an image or a volume."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

import firstcontact as fc
from firstcontact._whole_file import whole_file
from firstcontact.arrays import Array
from firstcontact.cli.command import add_command, add_json
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.options.motion_options import asked
from firstcontact.cli.options.option_values import count, numbers
from firstcontact.cli.texts.json_text import json_text
from firstcontact.cli.texts.number_file import read_number_file, row_numbers
from firstcontact.cli.texts.shape_text import read_shape
from firstcontact.cli.texts.table import table

_DESCRIPTION = """
Which site is the nearest to the centre of each cell of an image, and how far away is it? SITE is a thing, as
`firstcontact check` takes it, or a .csv or .txt file with a point a row, each a site of its own: two numbers
for an image in the plane, three for a volume.
"""

_EXAMPLES = """
firstcontact voronoi points.csv --bounds 0,0,1,1 --resolution 512 --picture regions.png
firstcontact voronoi part.stl fixture.stl sphere:0.1 --bounds=-1,-1,-1,1,1,1 --solid -o diagram.npz
"""

_ROWS = (".csv", ".txt")

# Pixels of a picture, for each inch.
_DOTS = 200


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "voronoi SITE [SITE ...] [options]", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("sites", metavar="SITE", nargs="+", help="a thing, or a file of points")
    image = parser.add_argument_group("the image")
    image.add_argument(
        "--bounds", metavar="X,Y[,Z],X,Y[,Z]", required=True, help="its lower and its upper ends"
    )
    image.add_argument(
        "--resolution", type=count, default=128, help="cells along its longest side (default: 128)"
    )
    image.add_argument("--farthest", action="store_true", help="the farthest site instead")
    image.add_argument("--solid", action="store_true", help="what is inside of closed sites is below 0")
    image.add_argument(
        "--features", action="store_true", help="each vertex, edge and face is a site of its own"
    )
    answer = parser.add_argument_group("the answer")
    answer.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="write ids, distances and more to an .npz file"
    )
    answer.add_argument("--picture", metavar="FILE", type=Path, help="draw it: .png, .svg or .pdf")
    answer.add_argument(
        "--plane", metavar="z=0.5", help="of a volume, where it is drawn (default: its middle)"
    )
    add_json(answer)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Make the diagram, write and draw it, and tell what is in it."""
    if options.plane is not None and options.picture is None:
        raise CommandError("--plane has no meaning without --picture")
    bounds = _bounds(options.bounds)
    found: fc.Voronoi = asked(
        fc.voronoi,
        [site for text in options.sites for site in _sites(text, bounds.shape[1])],
        bounds,
        options.resolution,
        farthest=options.farthest,
        solid=options.solid,
        features=options.features,
    )
    if options.output is not None:
        _write(found, options.output)
    if options.picture is not None:
        _draw(found, options.picture, options.plane)
    _tell(options, found)


def _bounds(text: str) -> Array:
    n = len(text.split(","))
    if n not in (4, 6):
        raise CommandError(
            f"--bounds must have four numbers, or six, with commas between them; received {text[:60]!r}"
        )
    return np.reshape(numbers("--bounds", text, n), (2, -1))


def _sites(text: str, dimension: int) -> list[Any]:
    """A thing, or the points of a file."""
    file = Path(text)
    if file.suffix.lower() not in _ROWS:
        return [read_shape(text)]
    names = "xyz"[:dimension]
    return [np.array(row_numbers(file, row, names)) for row in read_number_file(file).rows]


def _write(found: fc.Voronoi, file: Path) -> None:
    if file.suffix != ".npz":
        raise CommandError(f"a diagram is written to an .npz file; received {str(file)!r}")
    arrays: dict[str, Any] = {"ids": found.ids, "distance": found.distance, "bounds": found.bounds}
    if found.features is not None:
        arrays["features"] = found.features
    try:
        with whole_file(file) as stream:
            np.savez(stream, error=np.array(found.error), neighbors=found.neighbors(), **arrays)
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}") from None


def _draw(found: fc.Voronoi, file: Path, plane: str | None) -> None:
    if file.suffix.lower() not in (".png", ".svg", ".pdf"):
        raise CommandError(f"a picture must end in .png, .svg or .pdf; received {str(file)!r}")
    axes = asked(fc.plot, found, plane=plane)
    try:
        with whole_file(file) as stream:
            axes.get_figure().savefig(stream, format=file.suffix.lower()[1:], dpi=_DOTS)
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}") from None


def _tell(options: argparse.Namespace, found: fc.Voronoi) -> None:
    facts: dict[str, Any] = {
        "cells": " x ".join(map(str, found.ids.shape)),
        "sites": found.n_sites,
        "regions": len(np.unique(found.ids[found.ids >= 0])),
        "neighbors": len(found.neighbors()),
        "least": float(found.distance.min()),
        "greatest": float(found.distance.max()),
        "error": found.error,
    }
    files = {"output": options.output, "picture": options.picture}
    if options.json:
        named = {key: None if file is None else str(file) for key, file in files.items()}
        print(json_text({**facts, **named}))
        return
    print(table([(key, str(value)) for key, value in facts.items()]))
    for key, file in files.items():
        if file is not None:
            print(f"\n{'the diagram' if key == 'output' else 'a picture'} is in {file}")
