"""Rigid motions, in pieces of constant linear and angular velocity.

In a piece that is counted from the time `tb`, a body point x is at

    x(t) = g0 + (t - tb) v + Rot(axis, rate (t - tb)) R0 (x - center)

where `center` is the body point that it turns about, at g0 at that time, and all else is in world axes. A
screw is such a motion too: its center lies on the axis, and v along it.

A motion that is not made of such pieces has a `Law`, which gives pieces for any stretch of time, and how far
the body may be from them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array
from firstcontact.motions.law import Law, Which
from firstcontact.motions.rotation import turned_away
from firstcontact.plain import once
from firstcontact.scalar.mat3 import Mat3, axis_rotation, mat_mul, mat_vec
from firstcontact.scalar.vec3 import Vec3, cross, scale

# A piece of a motion as the kernels read it: the first column of each part of a row of `RigidMotion.rows`.
ROTATION = 0  # R0, nine columns, row by row
POSITION = 9  # g0, three columns
VELOCITY = 12  # v, three
AXIS = 15  # three: a unit vector, or zero where nothing turns
RATE = 18  # radians per unit of time, not negative
BASE_TIME = 19  # tb: when the piece starts, or earlier
CENTER = 20  # three
END_TIME = 23
START_TIME = 24
DEVIATION = 25  # no point of the body is ever farther from where the piece has it
N_COLUMNS = 26


@dataclass(frozen=True, eq=False, repr=False)
class RigidMotion:
    """One motion, or a batch of n, each in k pieces. The arrays are not to be changed.

    Attributes
    ----------
    pieces : (n, k, N_COLUMNS) float64, in the columns named in this module
    translations : (n, k, 3) float64, of the poses at which the pieces start
    times : (k + 1,) float64, from 0 to 1
    is_batch : whether the motion was given as a batch
    law : what the motion truly is, where the pieces deviate from it; None where they do not
    """

    pieces: Array
    translations: Array
    times: Array
    is_batch: bool
    law: Law | None = None

    def __len__(self) -> int:
        return len(self.pieces)

    def rows(self) -> Array:
        """Pieces as the kernels take them, (n, k, N_COLUMNS)."""
        return self.pieces

    def refined(self, which: NDArray[np.intp], breaks: Array) -> Array:
        """Pieces (m, k, N_COLUMNS) of m motions between times (m, k + 1); those it has, if they are exact.

        Half as long, a piece deviates by a quarter.
        """
        if self.law is None:
            return self.pieces if len(self) == 1 else self.pieces[which]
        m, k = breaks.shape[0], breaks.shape[1] - 1
        own = np.repeat(np.zeros(m, np.intp) if len(self) == 1 else which, k)
        rows = self.law.rows(own, breaks[:, :-1].reshape(-1), breaks[:, 1:].reshape(-1))
        return rows.reshape(m, k, N_COLUMNS)

    def chosen(self, which: Which, is_batch: bool) -> "RigidMotion":
        """Some motions of a batch; a single one goes with all."""
        if len(self) == 1 and not self.is_batch:
            return self
        law = None if self.law is None else self.law.chosen(which)
        return RigidMotion(self.pieces[which], self.translations[which], self.times, is_batch, law)

    @property
    def rotations(self) -> Array:
        """Orientations in which the pieces start, (n, k, 3, 3)."""
        return self.pieces[..., ROTATION:POSITION].copy().reshape(*self.pieces.shape[:2], 3, 3)

    @property
    def centers(self) -> Array:
        """Body points that are turned about, (n, k, 3)."""
        return self.pieces[..., CENTER:END_TIME].copy()

    @property
    def velocities(self) -> Array:
        """Velocities of the centers per unit of time, (n, k, 3)."""
        return self.pieces[..., VELOCITY:AXIS].copy()

    @property
    def angular_velocities(self) -> Array:
        """Angular velocities about the centers in radians per unit of time, (n, k, 3)."""
        return self.pieces[..., AXIS:RATE] * self.pieces[..., RATE, np.newaxis]

    @once
    def is_resting(self) -> bool:
        """Does nothing move at all?"""
        return self.law is None and not (
            self.pieces[..., VELOCITY:AXIS].any() or self.pieces[..., RATE].any()
        )

    def pose(self, t: float) -> Array:
        """Pose at t in [0, 1], (4, 4), of a batch (n, 4, 4): where a piece starts, exactly the one given."""
        if self.law is not None:
            poses = self.law.poses(float(t))
            return poses if self.is_batch else poses[0]
        poses = np.zeros((len(self), 4, 4))
        poses[:, 3, 3] = 1.0
        if self.is_resting:
            poses[:, :3, :3], poses[:, :3, 3] = self.rotations[:, 0], self.translations[:, 0]
        else:
            piece = min(int(np.searchsorted(self.times, t, side="right")), len(self.times) - 1) - 1
            write_poses(self.pieces, self.translations, piece, float(t), poses)
        return poses if self.is_batch else poses[0]

    def vertices(self, t: float, vertices: Array) -> Array:
        """Positions at t of body points (m, 3), of a batch (n, m, 3); exact in the identity pose."""
        poses = self.pose(t)
        if (poses == np.eye(4)).all():  # adding zeros would take the signs of zeros away
            return np.broadcast_to(vertices, (*poses.shape[:-2], *vertices.shape)).copy()
        columns = np.moveaxis(poses[..., np.newaxis, :3, :], -1, 0)
        x, y, z = vertices[:, 0:1], vertices[:, 1:2], vertices[:, 2:3]
        positions: Array = x * columns[0] + y * columns[1] + z * columns[2] + columns[3]
        return positions

    def __repr__(self) -> str:
        count = f"{len(self)} motions, " if self.is_batch else ""
        pieces = f"{len(self.times) - 1} pieces, " if len(self.times) > 2 else ""
        if self.is_resting:
            return f"RigidMotion({count}{pieces}at rest)"
        spans = np.diff(self.times)
        way = (spans * np.linalg.norm(self.velocities, axis=2)).sum(axis=1).max()
        angle = (spans * self.pieces[..., RATE]).sum(axis=1).max()
        return f"RigidMotion({count}{pieces}by up to {way:.4g}, turning by up to {angle:.4g} rad)"


@kernel
def rotation_of(row: Array) -> Mat3:
    """R0 of a piece."""
    # Where the columns are is written once, here and below: indices that are not constants cost time.
    return (
        *(row[ROTATION], row[ROTATION + 1], row[ROTATION + 2]),
        *(row[ROTATION + 3], row[ROTATION + 4], row[ROTATION + 5]),
        *(row[ROTATION + 6], row[ROTATION + 7], row[ROTATION + 8]),
    )


@kernel
def position_of(row: Array) -> Vec3:
    """g0 of a piece."""
    return row[POSITION], row[POSITION + 1], row[POSITION + 2]


@kernel
def velocity_of(row: Array) -> Vec3:
    """V of a piece."""
    return row[VELOCITY], row[VELOCITY + 1], row[VELOCITY + 2]


@kernel
def axis_of(row: Array) -> Vec3:
    """Unit axis that a piece turns about; zero where nothing turns."""
    return row[AXIS], row[AXIS + 1], row[AXIS + 2]


@kernel
def center_of(row: Array) -> Vec3:
    """Body point that a piece turns about."""
    return row[CENTER], row[CENTER + 1], row[CENTER + 2]


@kernel
def number_at(rows: Array, t: float) -> int:
    """Number of the piece (k, N_COLUMNS) that a time lies in; of two that meet, the later one."""
    i = 0
    while i + 1 < len(rows) and rows[i, END_TIME] <= t:
        i += 1
    return i


@kernel
def number_before(rows: Array, t: float) -> int:
    """Number of the piece (k, N_COLUMNS) that a time lies in; of two that meet, the earlier one."""
    i = len(rows) - 1
    while i > 0 and rows[i, START_TIME] >= t:
        i -= 1
    return i


@kernel
def start_of(rows_a: Array, rows_b: Array) -> float:
    """When both of two motions (k, N_COLUMNS) are under way."""
    start: float = max(rows_a[0, START_TIME], rows_b[0, START_TIME])
    return start


@kernel
def deviation_of(row_a: Array, row_b: Array) -> float:
    """How far points of two bodies may be, as seen from each other, from where their pieces have them."""
    deviation: float = row_a[DEVIATION] + row_b[DEVIATION]
    return deviation


@kernel
def pose_at(row: Array, t: float) -> tuple[Mat3, Vec3]:
    """Orientation at t and position of the center: x is at ``position + orientation (x - center)``."""
    passed, g, v = t - row[BASE_TIME], position_of(row), velocity_of(row)
    position = g[0] + passed * v[0], g[1] + passed * v[1], g[2] + passed * v[2]
    rotation = rotation_of(row)
    if row[RATE] == 0.0:
        return rotation, position
    turned = axis_rotation(axis_of(row), row[RATE] * passed)
    return mat_mul(turned, rotation), position


@kernel
def velocity_at(row: Array, point: Vec3, t: float) -> Vec3:
    """Velocity at t of the body point that is at a place in the world then."""
    passed, g, v = t - row[BASE_TIME], position_of(row), velocity_of(row)
    x = point[0] - g[0] - passed * v[0]
    y = point[1] - g[1] - passed * v[1]
    z = point[2] - g[2] - passed * v[2]
    swing = scale(row[RATE], cross(axis_of(row), (x, y, z)))
    return v[0] + swing[0], v[1] + swing[1], v[2] + swing[2]


@driver
def write_poses(pieces: Array, translations: Array, piece: int, t: float, poses: Array) -> None:
    """Write the pose at t, which lies in that piece, of each motion into (n, 4, 4)."""
    for i in range(len(pieces)):
        row, start = pieces[i, piece], translations[i, piece]
        orientation, _ = pose_at(row, t)
        # The center may be far away, on the axis of a screw that hardly turns. Its position is left aside:
        # the way that the origin goes is computed as such, and what it loses is rounding of that way.
        arm = mat_vec(rotation_of(row), center_of(row))
        passed = t - row[BASE_TIME]
        back = turned_away(axis_of(row), row[RATE] * passed, arm)
        for j in range(3):
            for k in range(3):
                poses[i, j, k] = orientation[3 * j + k]
            poses[i, j, 3] = start[j] + (passed * row[VELOCITY + j] - back[j])
