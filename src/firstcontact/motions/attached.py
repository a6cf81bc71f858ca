"""What is fixed to a body in a pose of its own, and goes where that goes.

A point y of it is the body's point P_R y + p. So a piece of the body's motion is one of its own, with the
orientation R0 P_R and the same center, which is P_R^T (center - p) to it; all else is as it was.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.motions.law import Law, Which
from firstcontact.motions.rigid_motion import (
    AXIS,
    BASE_TIME,
    CENTER,
    END_TIME,
    POSITION,
    RATE,
    ROTATION,
    START_TIME,
    RigidMotion,
)


@dataclass(frozen=True, eq=False)
class AttachedLaw:
    """The law of n bodies, for what is fixed to them: it is off its pieces as they are off theirs.

    Attributes
    ----------
    law : of the bodies
    poses_on : (n, 4, 4) in the frame of each
    """

    law: Law
    poses_on: Array

    def rows(self, which: NDArray[np.intp], starts: Array, ends: Array) -> Array:
        """Give pieces (m, N_COLUMNS) of motions (m,) over stretches of time, from (m,) to (m,)."""
        return _attached_rows(self.law.rows(which, starts, ends), self.poses_on[which])

    def poses(self, t: float) -> Array:
        """Give the poses at t, (n, 4, 4)."""
        poses: Array = self.law.poses(t) @ self.poses_on
        return poses

    def chosen(self, which: Which) -> "AttachedLaw":
        """Give the law of some of the bodies."""
        return AttachedLaw(self.law.chosen(which), self.poses_on[which])

    def joined(self, others: "Sequence[AttachedLaw]") -> "AttachedLaw":
        """Give the law of these bodies, and of those of others, one behind the other."""
        laws = self.law.joined([other.law for other in others])
        return AttachedLaw(laws, np.concatenate([law.poses_on for law in (self, *others)]))


def attached(motion: RigidMotion, pose: Array) -> RigidMotion:
    """Give the motion of what is fixed to a body in a pose (4, 4); to rounding of both poses' product."""
    if motion.law is None and np.array_equal(pose, np.eye(4)):
        return motion
    n, pieces = len(motion), motion.rows()
    translations = motion.translations + turns_at_starts(motion) @ pose[:3, 3]
    law = None if motion.law is None else AttachedLaw(motion.law, np.tile(pose, (n, 1, 1)))
    return RigidMotion(_attached_rows(pieces, pose), translations, motion.times, motion.is_batch, law)


def turns_at_starts(motion: RigidMotion) -> Array:
    """Give the orientations in which pieces start, (n, k, 3, 3), also of parts of longer pieces."""
    pieces, turns = motion.rows(), motion.rotations
    passed = pieces[..., START_TIME] - pieces[..., BASE_TIME]
    if not passed.any():
        return turns
    from scipy.spatial.transform import Rotation  # which takes a while to load

    vectors = pieces[..., AXIS:RATE] * (pieces[..., RATE] * passed)[..., np.newaxis]
    since: Array = Rotation.from_rotvec(vectors.reshape(-1, 3)).as_matrix().reshape(turns.shape)
    return since @ turns


def attached_each(motion: RigidMotion, poses: Array) -> Array:
    """Give pieces (p, n, k, N_COLUMNS) of p things that are fixed to a body in poses (p, 4, 4)."""
    rows = motion.rows()
    return _attached_rows(np.broadcast_to(rows, (len(poses), *rows.shape)), poses[:, np.newaxis, np.newaxis])


def _attached_rows(rows: Array, poses: Array) -> Array:
    """Pieces (..., N_COLUMNS) of what is fixed to bodies in poses, (4, 4) or one for each row."""
    found = rows.copy()
    turns, places = poses[..., :3, :3], poses[..., :3, 3]
    own = rows[..., ROTATION:POSITION].reshape(*rows.shape[:-1], 3, 3) @ turns
    found[..., ROTATION:POSITION] = own.reshape(*rows.shape[:-1], 9)
    arms = rows[..., CENTER:END_TIME] - places
    found[..., CENTER:END_TIME] = (arms[..., np.newaxis, :] @ turns)[..., 0, :]
    return found
