"""`firstcontact distance --points`: how far is each point of a file from a thing?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

import firstcontact as fc
from firstcontact._whole_file import whole_file, write_whole
from firstcontact.arrays import Array
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.options.motion_options import asked
from firstcontact.cli.texts.json_text import json_text
from firstcontact.cli.texts.number_file import NumberRow, read_number_file
from firstcontact.cli.texts.shape_text import read_shape
from firstcontact.cli.texts.table import table

HEAD = "distance,point_x,point_y,point_z,normal_x,normal_y,normal_z,face"


def add_point_options(parser: argparse.ArgumentParser) -> None:
    """Add the options about points."""
    group = parser.add_argument_group("points of a file")
    group.add_argument(
        "--points",
        metavar="FILE",
        type=Path,
        help="three numbers a line, an array (n, 3) in a .npy file, or .ply",
    )
    group.add_argument(
        "--sign",
        choices=("auto", "pseudonormal", "winding"),
        default="auto",
        help="how the side of a mesh is told (default: auto)",
    )
    group.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="write distances, closest points, normals and faces"
    )


def measure_points(options: argparse.Namespace, thing: Any) -> None:
    """Measure all points, print what was found in short, and write all of it if asked."""
    given = {"B": options.b, "--pose-b": options.pose_b, "--solid": options.solid, "--view": options.view}
    given["--penetration"] = options.penetration
    unused = [name for name, value in given.items() if value]
    if unused:
        raise CommandError(f"{unused[0]} has no meaning with --points")
    points = read_points(options.points)
    found = asked(fc.signed_distance, thing, points, sign=options.sign)
    if options.output is not None:
        _write(found, options.output)
    distance = np.asarray(found.distance)
    facts = {
        "points": len(distance),
        "inside": int(np.count_nonzero(distance < 0.0)),
        "least": float(distance.min(initial=np.inf)),
        "greatest": float(distance.max(initial=-np.inf)),
        "sign": found.sign,
    }
    if options.json:
        output = None if options.output is None else str(options.output)
        print(json_text({"a": options.a, **facts, "distance": distance, "output": output}))
        return
    print(table([(key, str(value)) for key, value in facts.items()]))
    if options.output is not None:
        print(f"\ndistances are in {options.output}")


def read_points(file: Path) -> Array:
    """Read points: three numbers a line, an array of them in a .npy file, or those of a .ply file."""
    if file.suffix == ".npy":
        if not file.is_file():
            raise CommandError(f"there is no file {file}")
        try:
            points = np.load(file, allow_pickle=False)
        except (OSError, ValueError, EOFError):
            points = None
        if not isinstance(points, np.ndarray):  # an archive of several, for one
            raise CommandError(f"{file} is no file of a numpy array")
        if points.ndim != 2 or points.shape[1] != 3:
            raise CommandError(f"{file} must have an array of shape (n, 3); it has {points.shape}")
        return points
    if file.suffix.lower() == ".ply":
        cloud: fc.Points = read_shape(f"points:0,{file}")
        return cloud.positions
    rows = read_number_file(file).rows
    if rows and not any(map(_is_number, rows[0].cells)):  # the names of the columns
        rows = rows[1:]
    return np.array([_numbers(file, row) for row in rows], float).reshape(-1, 3)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _numbers(file: Path, row: NumberRow) -> list[float]:
    if len(row.cells) != 3 or not all(map(_is_number, row.cells)):
        raise CommandError(
            f"{file} must have three numbers a line; line {row.line} has {' '.join(row.cells)}"
        )
    return [float(cell) for cell in row.cells]


def _write(found: fc.SignedDistances, file: Path) -> None:
    """Write a row for each point: as text with commas, or the arrays in a .npz file."""
    try:
        if file.suffix == ".npz":
            with whole_file(file) as stream:
                np.savez(
                    stream,
                    distance=found.distance,
                    points=found.points,
                    normals=found.normals,
                    faces=found.faces,
                )
            return
        columns = np.column_stack([np.asarray(found.distance), found.points, found.normals])
        rows = (
            ",".join([*map(repr, row), str(face)])
            for row, face in zip(columns.tolist(), np.asarray(found.faces).tolist(), strict=True)
        )
        write_whole(file, "\n".join([HEAD, *rows, ""]))
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}") from None
