"""Where each body of a batch is at a time of its own."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver
from firstcontact.arrays import Array
from firstcontact.motions.acceleration import ConstantAcceleration
from firstcontact.motions.law import Law
from firstcontact.motions.rigid_motion import (
    BASE_TIME,
    POSITION,
    RATE,
    ROTATION,
    VELOCITY,
    RigidMotion,
    axis_of,
    center_of,
    pose_at,
    rotation_of,
)
from firstcontact.motions.rotation import turned_away
from firstcontact.motions.smooth import Smooth
from firstcontact.scalar.mat3 import mat_vec


def poses_then(motion: RigidMotion, times: Array) -> Array:
    """Poses (n, 4, 4) of n motions, or of a single one n times, each at its own time (n,) in [0, 1]."""
    n = len(times)
    if motion.is_resting:
        poses: Array = np.broadcast_to(motion.pose(0.0), (n, 4, 4)).copy()
        return poses
    which = np.zeros(n, np.intp) if len(motion) == 1 else np.arange(n)
    if motion.law is not None:
        return _by_law(motion.law, which, times)
    pieces = np.minimum(np.searchsorted(motion.times, times, side="right"), len(motion.times) - 1) - 1
    return _each(motion.pieces[which, pieces], motion.translations[which, pieces], times)


def _by_law(law: Law, which: NDArray[np.intp], times: Array) -> Array:
    """As `Law.poses` has them one by one, which takes far longer for many."""
    if isinstance(law, Smooth):
        # Pieces of no length are where the motion is then, about the origin of the body's frame.
        rows, poses = law.rows(which, times, times), np.zeros((len(times), 4, 4))
        poses[:, :3, :3] = rows[:, ROTATION:POSITION].reshape(-1, 3, 3)
        poses[:, :3, 3], poses[:, 3, 3] = rows[:, POSITION:VELOCITY], 1.0
        return poses
    if isinstance(law, ConstantAcceleration):
        poses = _each(law.pieces[which, 0], law.translations[which, 0], times)
        poses[:, :3, 3] += (0.5 * times * times)[:, np.newaxis] * law.accelerations[which]
        return poses
    own = (law.chosen(which[k : k + 1]).poses(t)[0] for k, t in enumerate(times.tolist()))
    return np.array(list(own)).reshape(-1, 4, 4)


def _each(rows: Array, translations: Array, times: Array) -> Array:
    poses = np.zeros((len(times), 4, 4))
    poses[:, 3, 3] = 1.0
    _write_each(rows, translations, times, poses)
    return poses


@driver
def _write_each(rows: Array, translations: Array, times: Array, poses: Array) -> None:
    """Write the pose of each of n bodies, in a piece of its motion (n, N_COLUMNS), at its own time.

    As `rigid_motion.write_poses` does for one time: to the last digit the same.
    """
    for i in range(len(rows)):
        row, start = rows[i], translations[i]
        turned, _ = pose_at(row, times[i])
        arm = mat_vec(rotation_of(row), center_of(row))
        passed = times[i] - row[BASE_TIME]
        back = turned_away(axis_of(row), row[RATE] * passed, arm)
        for j in range(3):
            for k in range(3):
                poses[i, j, k] = turned[3 * j + k]
            poses[i, j, 3] = start[j] + (passed * row[VELOCITY + j] - back[j])
