"""Trajectories by functions of time that nothing is known of but the bounds that a user states."""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array
from firstcontact.motions.poses import as_poses
from firstcontact.motions.rotation import rotation_vector
from firstcontact.motions.trajectories.smooth_rows import Bends, State, write_smooth_row
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import Mat3, mat_mul, transposed
from firstcontact.scalar.vec3 import Vec3, norm

# Angles up to which two poses tell how a body has turned between them, safely below half a turn; with an
# angular acceleration that changes the angle by no more than what is left of that, times four.
TELLING, BENT = 3.0, 0.5

# How far a mean angular velocity is from the one in the middle, in units of the angular acceleration and the
# length: the two turns differ by a quarter of the square, their vectors by pi / 2 times that.
MEAN_SPIN = 0.4

# Rounding of the difference of two places, and of the vector of a turn.
OF_A_DIFFERENCE = 16.0 * UNIT_ROUNDOFF

# Poses that contradict the bounds by more than rounding.
STATED, CONTRADICTION = 1.0 + 1e-9, 1e-9

_TRANSLATION_ONLY = np.eye(3)


@dataclass(frozen=True, eq=False, repr=False)
class StatedTrajectory:
    """A function of t that gives one pose, and bounds: of the acceleration of its origin, and of its turn's.

    Over a stretch the body is taken to have its mean velocities. By the mean value theorem that of the origin
    differs from the one in the middle by at most a quarter of the length times the acceleration.
    """

    function: Callable[[Any], Any]
    acceleration: float
    spin: float
    angular_acceleration: float
    is_batch: ClassVar[bool] = False

    def __len__(self) -> int:
        return 1

    def write_rows(
        self, which: NDArray[np.intp], starts: Array, ends: Array, reaches: Array, rows: Array
    ) -> None:
        """Write m pieces (m, N_COLUMNS)."""
        middles = np.clip(0.5 * starts + 0.5 * ends, starts, ends)
        times, ids = np.unique(np.concatenate([starts, middles, ends]), return_inverse=True)
        each = np.array([self._pose(float(t)) for t in times]).reshape(-1, 4, 4)
        poses = each[ids].reshape(3, len(which), 4, 4)
        bounds = np.array([self.acceleration, self.spin, self.angular_acceleration])
        fault = _write_rows(poses, np.stack([starts, middles, ends]), bounds, reaches, rows)
        if fault >= 0:
            between = f"between t = {starts[fault]:g} and {ends[fault]:g}"
            raise ValueError(f"a motion must keep to the bounds that are stated; {between} it does not")

    def poses(self, t: float) -> Array:
        """Give the pose at t, (1, 4, 4)."""
        return self._pose(t)[np.newaxis]

    def _pose(self, t: float) -> Array:
        given = self.function(t)
        name = f"the pose at t = {t:g}"
        if not isinstance(given, tuple) and np.shape(given) == (3,):
            given = _TRANSLATION_ONLY, given
        rotations, translations, is_batch = as_poses(name, _as_pose(given))
        if is_batch:
            raise ValueError(f"a motion with stated bounds must give one pose; received {len(rotations)}")
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = rotations[0], translations[0]
        return pose

    def __repr__(self) -> str:
        return f"motion(acceleration at most {self.acceleration:.4g})"


def _as_pose(given: Any) -> Any:
    """A pose whose rotation may be a vector or a quaternion."""
    if not isinstance(given, tuple) or len(given) != 2 or np.shape(given[0]) not in ((3,), (4,)):
        return given
    from scipy.spatial.transform import Rotation

    values = np.asarray(given[0], float)
    turn = Rotation.from_rotvec(values) if len(values) == 3 else Rotation.from_quat(values)
    return turn.as_matrix(), given[1]


@driver
def _write_rows(poses: Array, times: Array, bounds: Array, reaches: Array, rows: Array) -> int:
    """Write pieces through poses (3, m, 4, 4) at the starts, middles and ends of stretches, times (3, m).

    Return the first that contradicts the bounds, or -1.
    """
    for k in range(len(rows)):
        start, middle, end = times[0, k], times[1, k], times[2, k]
        velocity, velocity_error = _mean_velocity(poses[:, k], end - start, bounds[0])
        spin, spin_error = _mean_spin(poses[:, k], end - start, bounds[1], bounds[2])
        if not (velocity_error < np.inf and spin_error < np.inf):
            return k
        m = poses[1, k]
        place = m[0, 3], m[1, 3], m[2, 3]
        state = State(_rotation(m), place, velocity, spin, 0.0, 0.0, velocity_error, spin_error)
        write_smooth_row(state, Bends(bounds[0], bounds[2]), (start, end, middle), reaches[k], rows[k])
    return -1


@kernel
def _rotation(pose: Array) -> Mat3:
    return (
        *(pose[0, 0], pose[0, 1], pose[0, 2]),
        *(pose[1, 0], pose[1, 1], pose[1, 2]),
        *(pose[2, 0], pose[2, 1], pose[2, 2]),
    )


@kernel
def _mean_velocity(poses: Array, length: float, acceleration: float) -> tuple[Vec3, float]:
    """Mean velocity between the first and last of three poses, and how far it is from that in the middle.

    The error is infinite where the pose between them is farther from their chord than it can be.
    """
    if not length > 0.0:
        return (0.0, 0.0, 0.0), 0.0
    first, middle, last = poses[0], poses[1], poses[2]
    size, off = 0.0, 0.0
    for c in range(3):
        size += abs(first[c, 3]) + abs(last[c, 3])
        apart = middle[c, 3] - 0.5 * (first[c, 3] + last[c, 3])
        off += apart * apart
    if sqrt(off) > STATED * (0.125 * acceleration * length * length) + CONTRADICTION * size:
        return (0.0, 0.0, 0.0), np.inf
    velocity = (
        (last[0, 3] - first[0, 3]) / length,
        (last[1, 3] - first[1, 3]) / length,
        (last[2, 3] - first[2, 3]) / length,
    )
    return velocity, 0.25 * acceleration * length + OF_A_DIFFERENCE * size / length


@kernel
def _mean_spin(poses: Array, length: float, spin: float, acceleration: float) -> tuple[Vec3, float]:
    """Mean angular velocity, and how far it is from that in the middle; infinite as for the velocity."""
    if not length > 0.0:
        return (0.0, 0.0, 0.0), 0.0
    if spin * length > TELLING or acceleration * length * length > BENT:
        return (0.0, 0.0, 0.0), spin
    turn = rotation_vector(mat_mul(_rotation(poses[2]), transposed(_rotation(poses[0]))))
    if norm(turn) > STATED * spin * length + CONTRADICTION:
        return turn, np.inf
    mean = turn[0] / length, turn[1] / length, turn[2] / length
    return mean, MEAN_SPIN * acceleration * length + 8.0 * OF_A_DIFFERENCE / length
