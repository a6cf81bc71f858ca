"""How points of a robot's links move with each number of its configuration."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Ids, crossed
from firstcontact.articulated.model.kinematic_tree import BALL, FLOATING, SLIDING, TURNING, KinematicTree
from firstcontact.motions.joint_motion import N_QUATERNION


class Twists(NamedTuple):
    """How all that a frame carries moves with each number, in n configurations, in the world.

    spins : (n, dof, 3) angular velocity
    velocities : (n, dof, 3) velocity of the world's origin, as if it belonged to the frame
    """

    spins: Array
    velocities: Array


def frame_twists(tree: KinematicTree, poses: Array, configurations: Array) -> list[Twists]:
    """Give those of each frame, with all joints below it.

    poses : (n, n_frames, 4, 4) of the frames in the world
    configurations : (n, dof), quaternions of unit length
    """
    n, found = len(poses), list[Twists]()
    for f, parent in enumerate(tree.parents.tolist()):
        below = found[parent] if parent >= 0 else Twists(*np.zeros((2, n, tree.dof, 3)))
        spins, velocities = below.spins.copy(), below.velocities.copy()
        column, place = int(tree.frames.columns[f]), poses[:, f, :3, 3]
        kind, factor = tree.frames.kinds[f], tree.frames.drives[f, 0]
        axis = factor * (poses[:, f, :3, :3] @ tree.frames.axes[f])
        if kind == TURNING:
            spins[:, column] += axis
            velocities[:, column] += crossed(place, axis)
        elif kind == SLIDING:
            velocities[:, column] += axis
        elif kind in (FLOATING, BALL):
            below_turn = poses[:, parent, :3, :3] if parent >= 0 else np.eye(3)
            turn = below_turn @ tree.frames.origins[f, :9].reshape(3, 3)
            turned = np.swapaxes(np.broadcast_to(turn, (n, 3, 3)), 1, 2)
            if kind == FLOATING:
                velocities[:, column : column + 3] += turned
                column += 3
            numbers = np.s_[:, column : column + N_QUATERNION]
            own = _quaternion_spins(configurations[numbers]) @ turned
            spins[numbers] += own
            velocities[numbers] += crossed(place[:, np.newaxis], own)
        found.append(Twists(spins, velocities))
    return found


def _quaternion_spins(quaternions: Array) -> Array:
    """Angular velocity (n, 4, 3) for each number of quaternions (n, 4), (x, y, z, w) of unit length."""
    vector, real = quaternions[:, :3], quaternions[:, 3]
    found = np.empty((len(quaternions), 4, 3))
    for k, axis in enumerate(np.eye(3)):
        found[:, k] = 2.0 * (real[:, np.newaxis] * axis - crossed(axis, vector))
    found[:, 3] = -2.0 * vector
    return found


def point_velocities(twists: Twists, rows: NDArray[np.intp], points: Array) -> Array:
    """How points (m, 3), of configurations (m,), move with each number: (m, dof, 3)."""
    spins, velocities = twists.spins[rows], twists.velocities[rows]
    found: Array = velocities + crossed(spins, points[:, np.newaxis])
    return found


def along(twists: list[Twists], frames: Ids, rows: NDArray[np.intp], points: Array, ways: Array) -> Array:
    """How far points (m, 3) of frames (m,) go along ways (m, 3), with each number: (m, dof).

    What is carried by no frame of the robot, as -1 says, stands still.
    """
    dof = twists[0].spins.shape[1] if twists else 0
    found, arms = np.zeros((len(rows), dof)), crossed(points, ways)
    for f in np.unique(frames[(frames >= 0) & (frames < len(twists))]).tolist():
        which = np.flatnonzero(frames == f)
        spins, velocities = (column[rows[which]] for column in twists[f])
        found[which] = np.einsum("mdk,mk->md", velocities, ways[which])
        found[which] += np.einsum("mdk,mk->md", spins, arms[which])
    return found
