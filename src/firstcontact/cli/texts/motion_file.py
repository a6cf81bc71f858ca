"""Motions of rigid things from text files: a pose a row."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from firstcontact.arrays import Array
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.options.option_values import as_number
from firstcontact.cli.texts.number_file import NumberRow, increasing_times, read_number_file, row_numbers

TIME, PLACE = ("time",), ("x", "y", "z")
QUATERNION, EULER = ("qx", "qy", "qz", "qw"), ("rx", "ry", "rz")

EXPLAINED = """
A motion file has a pose a row, cells separated by commas, semicolons or blanks, and # before comments: x, y,
z, or x, y, z, qx, qy, qz, qw with a quaternion, each with its time before it or without any. A first row may
name the columns, in any order; angles in degrees are rx, ry, rz. The first time is t = 0, the last t = 1.
"""

_RULE = "columns must be x, y, z; qx, qy, qz, qw or rx, ry, rz besides; and time, if there is one"

# Columns of a file without names, by how many there are.
_UNNAMED = {
    len(names): names for names in (PLACE, TIME + PLACE, PLACE + QUATERNION, TIME + PLACE + QUATERNION)
}


class PoseMotion(NamedTuple):
    """Poses (k, 4, 4), and their times (k,), increasing; None where a file has none."""

    poses: Array
    times: Array | None

    @property
    def clock(self) -> tuple[float, float] | None:
        """When the motion starts and ends by the file's clock."""
        return None if self.times is None else (float(self.times[0]), float(self.times[-1]))

    def of(self, shape: Any, *, is_spline: bool) -> fc.Moving:
        """Move a shape so: smoothly through the poses, or in pieces of constant velocities."""
        knots = None
        if self.times is not None:
            knots = (self.times - self.times[0]) / (self.times[-1] - self.times[0])
        moving: fc.Moving = (
            shape.along(fc.Spline(knots, self.poses)) if is_spline else shape.along(self.poses, knots)
        )
        return moving


def read_motion(file: Path) -> PoseMotion:
    """Read a motion; what is wrong with the file is told with the line."""
    rows = read_number_file(file).rows
    names, rows = _names(file, rows)
    if len(rows) < 2:
        raise CommandError(f"{file} must have two poses or more, a row each; it has {len(rows)}")
    numbers = np.array([row_numbers(file, row, names) for row in rows])
    columns = {name: numbers[:, k] for k, name in enumerate(names)}
    poses = np.tile(np.eye(4), (len(rows), 1, 1))
    poses[:, :3, 3] = np.stack([columns[name] for name in PLACE], axis=1)
    poses[:, :3, :3] = _rotations(file, rows, columns)
    times = columns.get("time")
    return PoseMotion(poses, None if times is None else increasing_times(file, rows, times))


def _names(file: Path, rows: list[NumberRow]) -> tuple[tuple[str, ...], list[NumberRow]]:
    """Find what the columns are, and the rows of numbers."""
    first = rows[0].cells if rows else []
    if first and all(as_number(cell) is None for cell in first):
        names = tuple(cell.lower() for cell in first)
        turns = tuple(sorted(set(names) - {*TIME, *PLACE}))
        is_known = turns in ((), tuple(sorted(QUATERNION)), tuple(sorted(EULER)))
        if len(set(names)) < len(names) or not set(PLACE) <= set(names) or not is_known:
            raise CommandError(f"{file}, line {rows[0].line}: {_RULE}; received {', '.join(names)}")
        return names, rows[1:]
    if first and len(first) not in _UNNAMED:
        raise CommandError(f"{file}, line {rows[0].line}: {_RULE}; received {len(first)} numbers")
    return _UNNAMED.get(len(first), PLACE), rows


def _rotations(file: Path, rows: list[NumberRow], columns: dict[str, Array]) -> Array:
    from scipy.spatial.transform import Rotation

    if EULER[0] in columns:
        angles = np.stack([columns[name] for name in EULER], axis=1)
        turned: Array = Rotation.from_euler("xyz", angles, degrees=True).as_matrix()
        return turned
    if QUATERNION[0] not in columns:
        return np.tile(np.eye(3), (len(rows), 1, 1))
    quaternions = np.stack([columns[name] for name in QUATERNION], axis=1)
    sizes = np.abs(quaternions).max(axis=1, keepdims=True)
    if not sizes.all():
        row = rows[int(np.argmin(sizes))]
        raise CommandError(f"{file}, line {row.line}: a quaternion must not be zero")
    # Brought near 1 first, so that no square overflows or vanishes.
    rotations: Array = Rotation.from_quat(quaternions / sizes).as_matrix()
    return rotations
