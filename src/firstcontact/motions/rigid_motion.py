"""Rigid motions, in pieces of constant linear and angular velocity.

In the piece that starts at the time `tb`, a body point x is at

    x(t) = g0 + (t - tb) v + Rot(axis, rate (t - tb)) R0 (x - center)

where `center` is the body point that it turns about, at g0 when the piece starts, and all else is in world
axes. A screw is such a motion too: its center lies on the axis, and v along it.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array
from firstcontact.motions.rotation import turned_away
from firstcontact.scalar.mat3 import Mat3, axis_rotation, mat_mul, mat_vec
from firstcontact.scalar.vec3 import Vec3, cross, scale

# A piece of a motion as the kernels read it: the first column of each part of a row of `RigidMotion.rows`.
ROTATION = 0  # R0, nine columns, row by row
POSITION = 9  # g0, three columns
VELOCITY = 12  # v, three
AXIS = 15  # three: a unit vector, or zero where nothing turns
RATE = 18  # radians per unit of time, not negative
START_TIME = 19  # tb
CENTER = 20  # three
END_TIME = 23
N_COLUMNS = 24


@dataclass(frozen=True, eq=False, repr=False)
class RigidMotion:
    """One motion, or a batch of n, each in k pieces. The arrays are not to be changed.

    Attributes
    ----------
    pieces : (n, k, 24) float64, in the columns named in this module
    translations : (n, k, 3) float64, of the poses at which the pieces start
    times : (k + 1,) float64, from 0 to 1
    is_batch : whether the motion was given as a batch
    """

    pieces: Array
    translations: Array
    times: Array
    is_batch: bool

    def __len__(self) -> int:
        return len(self.pieces)

    def rows(self) -> Array:
        """Pieces as the kernels take them, (n, k, 24)."""
        return self.pieces

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

    @cached_property
    def is_resting(self) -> bool:
        """Does nothing move at all?"""
        return not (self.pieces[..., VELOCITY:AXIS].any() or self.pieces[..., RATE].any())

    def pose(self, t: float) -> Array:
        """Pose at t in [0, 1], (4, 4), of a batch (n, 4, 4): where a piece starts, exactly the one given."""
        poses = np.zeros((len(self), 4, 4))
        poses[:, 3, 3] = 1.0
        if self.is_resting:
            poses[:, :3, :3], poses[:, :3, 3] = self.rotations[:, 0], self.translations[:, 0]
        else:
            piece = min(int(np.searchsorted(self.times, t, side="right")), len(self.times) - 1) - 1
            _write_poses(self.pieces, self.translations, piece, float(t), poses)
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
def pose_at(row: Array, t: float) -> tuple[Mat3, Vec3]:
    """Orientation at t and position of the center: x is at ``position + orientation (x - center)``."""
    passed = t - row[START_TIME]
    position = row[9] + passed * row[12], row[10] + passed * row[13], row[11] + passed * row[14]
    rotation = row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8]
    if row[RATE] == 0.0:
        return rotation, position
    turned = axis_rotation((row[15], row[16], row[17]), row[RATE] * passed)
    return mat_mul(turned, rotation), position


@kernel
def velocity_at(row: Array, point: Vec3, t: float) -> Vec3:
    """Velocity at t of the body point that is at a place in the world then."""
    passed = t - row[START_TIME]
    x = point[0] - row[9] - passed * row[12]
    y = point[1] - row[10] - passed * row[13]
    z = point[2] - row[11] - passed * row[14]
    swing = scale(row[RATE], cross((row[15], row[16], row[17]), (x, y, z)))
    return row[12] + swing[0], row[13] + swing[1], row[14] + swing[2]


@driver
def _write_poses(pieces: Array, translations: Array, piece: int, t: float, poses: Array) -> None:
    """Write the pose at t, which lies in that piece, of each motion into (n, 4, 4)."""
    for i in range(len(pieces)):
        row, start = pieces[i, piece], translations[i, piece]
        orientation, _ = pose_at(row, t)
        rotation = row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8]
        # The center may be far away, on the axis of a screw that hardly turns. Its position is left aside:
        # the way that the origin goes is computed as such, and what it loses is rounding of that way.
        arm = mat_vec(rotation, (row[20], row[21], row[22]))
        passed = t - row[START_TIME]
        back = turned_away((row[15], row[16], row[17]), row[RATE] * passed, arm)
        for j in range(3):
            for k in range(3):
                poses[i, j, k] = orientation[3 * j + k]
            poses[i, j, 3] = start[j] + (passed * row[VELOCITY + j] - back[j])
