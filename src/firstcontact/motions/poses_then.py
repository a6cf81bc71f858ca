"""Where each body of a batch is at a time of its own."""

import numpy as np

from firstcontact._jit import driver
from firstcontact.arrays import Array
from firstcontact.motions.rigid_motion import (
    BASE_TIME,
    RATE,
    VELOCITY,
    RigidMotion,
    axis_of,
    center_of,
    pose_at,
    rotation_of,
)
from firstcontact.motions.rotation import turned_away
from firstcontact.scalar.mat3 import mat_vec


def poses_then(motion: RigidMotion, times: Array) -> Array:
    """Poses (n, 4, 4) of n motions, or of a single one n times, each at its own time (n,) in [0, 1]."""
    n = len(times)
    if motion.is_resting:
        poses: Array = np.broadcast_to(motion.pose(0.0), (n, 4, 4)).copy()
        return poses
    if motion.law is not None:
        own = [motion.law if len(motion) == 1 else motion.law.chosen(np.array([k])) for k in range(n)]
        return np.array([law.poses(t)[0] for law, t in zip(own, times.tolist(), strict=True)]).reshape(
            n, 4, 4
        )
    poses = np.zeros((n, 4, 4))
    poses[:, 3, 3] = 1.0
    pieces = np.minimum(np.searchsorted(motion.times, times, side="right"), len(motion.times) - 1) - 1
    which = np.zeros(n, np.intp) if len(motion) == 1 else np.arange(n)
    _write_each(motion.pieces[which, pieces], motion.translations[which, pieces], times, poses)
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
