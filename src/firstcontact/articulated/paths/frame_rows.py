"""Motions of a robot's frames in their parents' between configurations, and where they take its links."""

from math import atan2

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array
from firstcontact.articulated.model.kinematic_tree import BALL, FLOATING, HELD, SLIDING, Frames, KinematicTree
from firstcontact.motions.joint_motion import JointMotion
from firstcontact.motions.rigid_motion import (
    AXIS,
    BASE_TIME,
    END_TIME,
    N_COLUMNS,
    POSITION,
    RATE,
    ROTATION,
    START_TIME,
    VELOCITY,
    position_of,
    rotation_of,
)
from firstcontact.motions.rotation import axis_and_angle
from firstcontact.scalar.mat3 import Mat3, axis_rotation, mat_mul, mat_vec
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, scale, sub

# Of a unit quaternion, (x, y, z) and w: where w is.
REAL_PART = 3


def frame_rows(tree: KinematicTree, motion: JointMotion) -> Array:
    """Motions of all frames, (n, k, n_frames, 26), in the columns of `RigidMotion.rows`.

    The tree is that of the robot, or, where the motion says where its base is, the same tree held there.
    """
    rows = np.zeros((len(motion), len(motion.times) - 1, len(tree.parents), N_COLUMNS))
    _write_rows(tree.frames, motion.configurations, motion.times, rows)
    if motion.bases is not None:
        poses = motion.bases[:, np.newaxis]
        rows[:, :, 0, ROTATION:POSITION] = poses[..., :3, :3].reshape(len(motion), 1, 9)
        rows[:, :, 0, POSITION:VELOCITY] = poses[..., :3, 3]
    return rows


def frame_poses(tree: KinematicTree, motion: JointMotion) -> Array:
    """Poses (n, n_frames, 4, 4) of all frames at the start of a motion."""
    rows = frame_rows(tree, motion)[:, 0]
    frames = np.zeros((len(motion), len(tree.parents), 4, 4))
    for f, parent in enumerate(tree.parents.tolist()):
        own = np.zeros((len(motion), 4, 4))
        own[:, :3, :3] = rows[:, f, ROTATION:POSITION].reshape(-1, 3, 3)
        own[:, :3, 3], own[:, 3, 3] = rows[:, f, POSITION:VELOCITY], 1.0
        frames[:, f] = frames[:, parent] @ own if parent >= 0 else own
    return frames


def link_poses(tree: KinematicTree, motion: JointMotion) -> dict[str, Array]:
    """Poses (n, 4, 4) of all links at the start of a motion."""
    frames = frame_poses(tree, motion)
    poses = {}
    for name, offset in tree.link_offsets.items():
        frame = tree.link_frames[name]
        still = np.broadcast_to(offset, (len(motion), 4, 4)).copy()
        poses[name] = frames[:, frame] @ offset if frame >= 0 else still
    return poses


@driver
def _write_rows(frames: Frames, configurations: Array, times: Array, rows: Array) -> None:
    write_rows(frames, configurations, times, rows)


@kernel
def write_rows(frames: Frames, configurations: Array, times: Array, rows: Array) -> None:
    """Write how all frames move between configurations (n, k + 1, dof), into rows (n, k, n_frames, 26)."""
    for i in range(rows.shape[0]):
        for k in range(rows.shape[1]):
            first, last, span = configurations[i, k], configurations[i, k + 1], times[k + 1] - times[k]
            if span == 0.0:  # at an instant, nothing moves
                span = 1.0
            for f in range(rows.shape[2]):
                row = rows[i, k, f]
                row[BASE_TIME], row[START_TIME], row[END_TIME] = times[k], times[k], times[k + 1]
                if frames.kinds[f] == FLOATING or frames.kinds[f] == BALL:
                    _write_quaternion(frames, f, first, last, span, row)
                elif frames.kinds[f] != HELD:
                    _write_joint(frames, f, first, last, span, row)


@kernel
def _write_joint(frames: Frames, f: int, first: Array, last: Array, span: float, row: Array) -> None:
    """Write the motion of a joint with one value, between two configurations."""
    column, factor, shift = frames.columns[f], frames.drives[f, 0], frames.drives[f, 1]
    value = factor * first[column] + shift
    write_joint(frames, f, value, (factor * last[column] + shift - value) / span, row)


@kernel
def write_joint(frames: Frames, f: int, value: float, rate: float, row: Array) -> None:
    """Write the motion of a joint with one value, which it has when the row begins, but for its times."""
    x = frames.origins[f]
    turn, place = rotation_of(x), position_of(x)
    own = frames.axes[f, 0], frames.axes[f, 1], frames.axes[f, 2]
    axis = mat_vec(turn, own)
    if frames.kinds[f] == SLIDING:
        _write(row, turn, add(place, scale(value, axis)))
        for c in range(3):
            row[VELOCITY + c] = rate * axis[c]
        return
    _write(row, mat_mul(turn, axis_rotation(own, value)), place)
    row[RATE] = abs(rate)
    for c in range(3):
        row[AXIS + c] = -axis[c] if rate < 0.0 else axis[c]


@kernel
def _write_quaternion(frames: Frames, f: int, first: Array, last: Array, span: float, row: Array) -> None:
    """Write the motion of a ball joint, or of a floating one, which has a place before its quaternion."""
    column, x, p, q = frames.columns[f], frames.origins[f], (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    turn = rotation_of(x)
    if frames.kinds[f] == FLOATING:
        p = mat_vec(turn, (first[column], first[column + 1], first[column + 2]))
        q = mat_vec(turn, (last[column], last[column + 1], last[column + 2]))
        column += 3
    _write(row, mat_mul(turn, _turn_of(first, column)), add(position_of(x), p))
    # The turn from one to the other, as a quaternion: its real part is not negative, they are near.
    u, v = _vector_part(first, column), _vector_part(last, column)
    w_first, w_last = first[column + REAL_PART], last[column + REAL_PART]
    real = dot(u, v) + w_first * w_last
    vector = add(sub(scale(w_first, v), scale(w_last, u)), cross(u, v))
    axis, sine = axis_and_angle(mat_vec(turn, vector))
    row[RATE] = 2.0 * atan2(sine, max(real, 0.0)) / span
    for c in range(3):
        row[VELOCITY + c], row[AXIS + c] = (q[c] - p[c]) / span, axis[c]


@kernel
def _turn_of(values: Array, column: int) -> Mat3:
    """Rotation by a unit quaternion (x, y, z, w), from a column on."""
    axis, sine = axis_and_angle(_vector_part(values, column))
    return axis_rotation(axis, 2.0 * atan2(sine, values[column + REAL_PART]))


@kernel
def _vector_part(values: Array, column: int) -> Vec3:
    """Vector part of a unit quaternion, from a column on."""
    return values[column], values[column + 1], values[column + 2]


@kernel
def _write(row: Array, turn: Mat3, place: Vec3) -> None:
    for c in range(9):
        row[ROTATION + c] = turn[c]
    for c in range(3):
        row[POSITION + c] = place[c]
