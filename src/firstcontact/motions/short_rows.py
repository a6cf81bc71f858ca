"""The row of a single motion, from poses that are plain arrays: checked, copied and joined in one call.

What is anything else, and what is wrong with it, is left to `rigid_paths`: here it has no row.
"""

from typing import Any

import numpy as np

from firstcontact._jit import NotPlainError, kernel, plain_driver
from firstcontact._validate import COORDINATE_LIMIT
from firstcontact.arrays import Array
from firstcontact.motions.poses import RIGID_TOLERANCE, quaternion_rotation, rigid_rotation
from firstcontact.motions.rigid_motion import (
    END_TIME,
    N_COLUMNS,
    POSITION,
    RATE,
    ROTATION,
    VELOCITY,
    RigidMotion,
)
from firstcontact.motions.rigid_paths import PIECEWISE, Pose, evenly, step_between, write_piece
from firstcontact.scalar.vec3 import Vec3

# After the columns of the piece, where its pose has the origin.
TRANSLATION = N_COLUMNS
N_SHORT = N_COLUMNS + 3

# Stand still in the identity pose.
AT_ORIGIN = np.zeros(N_SHORT)
AT_ORIGIN[[ROTATION, ROTATION + 4, ROTATION + 8, END_TIME]] = 1.0

_NO_VELOCITY, _NO_TURN = np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0])

# To look names up in NumPy takes a twentieth of a call.
_empty, _ndarray = np.empty, np.ndarray
_NOWHERE: Pose = ((0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def row_at(pose: Any) -> Array | None:
    """Stand still at a pose; None where that is not one plain pose."""
    row = _empty(N_SHORT)
    try:
        if type(pose) is _ndarray:
            if pose.ndim == 2:
                return row if _write_resting(pose, row) else None
            if pose.ndim != 1:
                return None
            turn = pose[3:] if len(pose) == 7 else _NO_TURN
            return row if _write_resting_turn(turn, pose[:3], len(pose), row) else None
        if type(pose) is tuple and len(pose) == 2 and type(pose[0]) is type(pose[1]) is _ndarray:
            if pose[0].ndim == 1:
                return row if _write_resting_turn(pose[0], pose[1], 7, row) else None
            return row if _write_resting_parts(pose[0], pose[1], row) else None
    except NotPlainError:
        pass
    return None


def row_between(start: Any, end: Any, center: Array, path: Any) -> Array | None:
    """Go from pose to pose by the shortest turn; None where these are not two plain ones."""
    if not (type(start) is type(end) is np.ndarray and type(path) is str and path in PIECEWISE):
        return None
    row = np.empty(N_SHORT)
    try:
        return row if _write_between(start, end, center, path == "screw", row) else None
    except NotPlainError:
        return None


def row_with(start: Any, velocity: Any, angular_velocity: Any, center: Array, path: Any) -> Array | None:
    """Go on from a pose with velocities; None where that is not one plain pose, or they are not plain."""
    way = _NO_VELOCITY if velocity is None else velocity
    turn = _NO_VELOCITY if angular_velocity is None else angular_velocity
    are_arrays = type(start) is type(way) is type(turn) is np.ndarray
    if not (are_arrays and type(path) is str and path in PIECEWISE):
        return None
    row = np.empty(N_SHORT)
    try:
        return row if _write_with(start, way, turn, center, path == "screw", row) else None
    except NotPlainError:
        return None


def motion_through(poses: Any, center: Array, path: Any) -> RigidMotion | None:
    """Go from pose to pose, in steps of one length; None where these are not plain ones, two or more."""
    if not (type(poses) is np.ndarray and poses.ndim == 3 and type(path) is str and path in PIECEWISE):
        return None
    n = len(poses)
    if n < 2:
        return None
    times, pieces, translations = evenly(n), np.empty((1, n - 1, N_COLUMNS)), np.empty((1, n - 1, 3))
    try:
        is_rigid = _write_through(poses, times, center, path == "screw", pieces, translations)
    except NotPlainError:
        return None
    return RigidMotion(pieces, translations, times, False) if is_rigid else None


def motion_of_row(row: Array) -> RigidMotion:
    """The motion that a row describes; it is kept, not copied."""
    pieces, translations = row[:N_COLUMNS].reshape(1, 1, -1), row[TRANSLATION:].reshape(1, 1, 3)
    return RigidMotion(pieces, translations, np.array([0.0, 1.0]), False)


def rows_of(motion: RigidMotion) -> Array | None:
    """The pieces of one motion, one after the other; None for a batch, or what deviates from its pieces."""
    if motion.is_batch or motion.law is not None or len(motion.pieces) != 1:
        return None
    is_plain = motion.pieces.flags.carray and motion.pieces.dtype == np.float64
    return motion.pieces.reshape(-1) if is_plain else None


@kernel
def is_resting(rows: Array) -> bool:
    """Does nothing move in any piece?"""
    for first in range(0, len(rows) - N_COLUMNS + 1, N_COLUMNS):
        if rows[first + VELOCITY] != 0.0 or rows[first + VELOCITY + 1] != 0.0:
            return False
        if rows[first + VELOCITY + 2] != 0.0 or rows[first + RATE] != 0.0:
            return False
    return True


@kernel
def pieces_in(rows: Array) -> Array:
    """Rows as the searches take them, (k, N_COLUMNS)."""
    n = len(rows) // N_COLUMNS
    return rows[: n * N_COLUMNS].reshape(n, N_COLUMNS)


@plain_driver(2, 1, is_brief=True)
def _write_resting(pose: Array, row: Array) -> bool:
    """Write the row of a body at rest; False where the pose is not rigid."""
    is_rigid, (rotation, translation) = read_pose(pose)
    if is_rigid:
        write_rest(rotation, translation, row)
    return is_rigid


@plain_driver(2, 1, 1, is_brief=True)
def _write_resting_parts(rotation: Array, translation: Array, row: Array) -> bool:
    """Write the row of a body at rest; False where its rotation is none."""
    if rotation.shape != (3, 3) or len(translation) != 3:
        return False
    r = rotation
    matrix = r[0, 0], r[0, 1], r[0, 2], r[1, 0], r[1, 1], r[1, 2], r[2, 0], r[2, 1], r[2, 2]
    place = translation[0], translation[1], translation[2]
    is_rigid, (found, place) = _rigid((matrix, place))
    if is_rigid:
        write_rest(found, place, row)
    return is_rigid


@plain_driver(1, 1, 0, 1, is_brief=True)
def _write_resting_turn(quaternion: Array, translation: Array, n: int, row: Array) -> bool:
    """Write the row of a body at rest of n numbers; False where these are not 3, or 7, or are no pose."""
    if (n != 3 and n != 7) or len(quaternion) != 4 or len(translation) != 3:
        return False
    x, y, z, w = quaternion[0], quaternion[1], quaternion[2], quaternion[3]
    place = translation[0], translation[1], translation[2]
    rotation, is_turn = quaternion_rotation(x, y, z, w)
    if not (is_turn and _is_small((x, y, z)) and abs(w) <= COORDINATE_LIMIT and _is_small(place)):
        return False
    found, _ = rigid_rotation(rotation)
    write_rest(found, place, row)
    return True


@plain_driver(2, 2, 1, 0, 1, is_brief=True)
def _write_between(start: Array, end: Array, center: Array, is_screw: bool, row: Array) -> bool:
    """Write the row of a motion from pose to pose; False where one of them is not rigid."""
    is_start, first = read_pose(start)
    is_end, last = read_pose(end)
    if not (is_start and is_end):
        return False
    point = center[0], center[1], center[2]
    write_piece(first, step_between(first, last, point, is_screw), point, (0.0, 1.0), is_screw, row)
    row[TRANSLATION], row[TRANSLATION + 1], row[TRANSLATION + 2] = first[1]
    return True


@plain_driver(2, 1, 1, 1, 0, 1, is_brief=True)
def _write_with(
    start: Array, velocity: Array, angular: Array, center: Array, is_screw: bool, row: Array
) -> bool:
    """Write the row of a motion with velocities; False where the pose is not rigid, or they are too large."""
    is_start, first = read_pose(start)
    if len(velocity) != 3 or len(angular) != 3:
        return False
    step = (velocity[0], velocity[1], velocity[2]), (angular[0], angular[1], angular[2])
    if not (is_start and _is_small(step[0]) and _is_small(step[1])):
        return False
    write_piece(first, step, (center[0], center[1], center[2]), (0.0, 1.0), is_screw, row)
    row[TRANSLATION], row[TRANSLATION + 1], row[TRANSLATION + 2] = first[1]
    return True


@plain_driver(3, 1, 1, 0, 3, 3)
def _write_through(
    poses: Array, times: Array, center: Array, is_screw: bool, pieces: Array, translations: Array
) -> bool:
    """Write the pieces between neighbours among poses; False where one of them is not rigid."""
    point = center[0], center[1], center[2]
    is_start, start = read_pose(poses[0])
    for i in range(len(poses) - 1):
        is_end, end = read_pose(poses[i + 1])
        if not (is_start and is_end):
            return False
        step = step_between(start, end, point, is_screw)
        write_piece(start, step, point, (times[i], times[i + 1]), is_screw, pieces[0, i])
        translations[0, i, 0], translations[0, i, 1], translations[0, i, 2] = start[1]
        is_start, start = is_end, end
    return True


@kernel
def read_pose(pose: Array) -> tuple[bool, Pose]:
    """Read a pose, and make it rigid; False where it is none."""
    m = pose
    if m.shape != (4, 4):
        return False, _NOWHERE
    matrix = m[0, 0], m[0, 1], m[0, 2], m[1, 0], m[1, 1], m[1, 2], m[2, 0], m[2, 1], m[2, 2]
    is_rigid, found = _rigid((matrix, (m[0, 3], m[1, 3], m[2, 3])))
    off = max(max(abs(m[3, 0]), abs(m[3, 1])), max(abs(m[3, 2]), abs(m[3, 3] - 1.0)))
    is_whole = abs(m[3, 0]) + abs(m[3, 1]) + abs(m[3, 2]) + abs(m[3, 3]) <= 2.0  # no NaN among them
    return is_rigid and is_whole and off <= RIGID_TOLERANCE, found


@kernel
def _rigid(pose: Pose) -> tuple[bool, Pose]:
    m, place = pose
    is_small = (
        _is_small((m[0], m[1], m[2])) and _is_small((m[3], m[4], m[5])) and _is_small((m[6], m[7], m[8]))
    )
    if not (is_small and _is_small(place)):
        return False, pose
    rotation, fault = rigid_rotation(m)
    return fault < 0.0, (rotation, place)


@kernel
def _is_small(v: Vec3) -> bool:
    """Are all coordinates within the limit? NaN never is."""
    limit = COORDINATE_LIMIT
    return abs(v[0]) <= limit and abs(v[1]) <= limit and abs(v[2]) <= limit


@kernel
def write_rest(rotation: tuple[float, ...], translation: Vec3, row: Array) -> None:
    """Write the columns of a body at rest."""
    write_rest_from(rotation, translation, row, int(np.int64(0)))


@kernel
def write_rest_from(rotation: tuple[float, ...], translation: Vec3, row: Array, first: int) -> None:
    """Write the columns of a body at rest, from one of an array on."""
    for i in range(N_COLUMNS):
        row[first + i] = 0.0
    for i in range(9):
        row[first + ROTATION + i] = rotation[i]
    for i in range(3):
        row[first + POSITION + i] = row[first + TRANSLATION + i] = translation[i]
    row[first + END_TIME] = 1.0
