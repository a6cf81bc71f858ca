"""Motions of many bodies as they were given, in plain arrays, and the rows of motion that come of them.

Where all bodies go from pose to pose, rows are made of those that are looked at: what bodies sweep, and so
which of them may touch, follows from the poses alone, in a third of the time.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import brief_driver, driver, kernel
from firstcontact._validate import COORDINATE_LIMIT
from firstcontact.arrays import Array, Flags, Keys
from firstcontact.bounds.body_bounds import write_corridor, write_corridor_between
from firstcontact.motions.poses import rigid_rotation
from firstcontact.motions.rigid_motion import CENTER, N_COLUMNS
from firstcontact.motions.rigid_paths import Pose, Step, write_piece
from firstcontact.motions.rotation import is_orthogonal, rotation_vector
from firstcontact.scalar.mat3 import Mat3, mat_mul, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, sub
from firstcontact.shapes.convex import convex_at, origin_at

Rows = NDArray[np.int64]


class Given(NamedTuple):
    """Motions of n bodies as they were given.

    rotations, places : (n, 3, 3) and (n, 3), the poses at the start
    ends : (n, 3, 3), rotations at the end; (0, 3, 3) where velocities were given
    ways : (n, 3), places at the end, or velocities of the centers
    turns : (n, 3), angular velocities; (0, 3) where poses at the end were given
    """

    rotations: Array
    places: Array
    ends: Array
    ways: Array
    turns: Array


# Columns of poses from which and to which bodies go, together for who looks at a body here and there.
START_TURN = 0  # nine: the rotation at the start
END_TURN = 9  # nine
START_PLACE = 18  # three
END_PLACE = 21  # three
N_POSES = 24

NO_POSES = np.empty((0, N_POSES))


@driver
def hold_poses(
    given: Given,
    records: Array,
    centers: Array,
    poses: Array,
    corridors: Array,
    before: tuple[Flags, Keys, Keys],
    has_moved: Flags,
) -> bool:
    """Copy the poses of bodies that go from pose to pose, made rigid to the last digit; write corridors.

    False where a pose is not rigid, or a number beyond the limit: what is written is worth nothing then.

    before : which bodies went from pose to pose before, these poses, and those that are written, bit by bit
    has_moved : written, (n,), False where a body goes as it did before
    """
    rotations, places, ends, end_places, _ = given
    was_posed, bits_before, bits = before
    row = np.empty(N_COLUMNS)
    for i in range(len(rotations)):
        r, s = _matrix(rotations[i]), _matrix(ends[i])
        p, q = vector_at(places, i), vector_at(end_places, i)
        # Without branches up to here it takes a fifth of the time.
        if not (_is_exactly_rigid(r) & _is_exactly_rigid(s)):
            is_rigid, r = _made_rigid(r)
            is_rigid_too, s = _made_rigid(s)
            if not (is_rigid and is_rigid_too):
                return False
        if not (_is_small(p) & _is_small(q)):
            return False
        for k in range(9):
            poses[i, START_TURN + k], poses[i, END_TURN + k] = r[k], s[k]
        for k in range(3):
            poses[i, START_PLACE + k], poses[i, END_PLACE + k] = p[k], q[k]
        has_moved[i] = not (i < len(bits_before) and was_posed[i] and _are_same(bits_before, bits, i))
        center, shape, origin = vector_at(centers, i), convex_at(records, i), origin_at(records, i)
        start, end = _seen_from((r, p), center), _seen_from((s, q), center)
        if not write_corridor_between(shape, origin, center, start, end, corridors[i]):
            write_row_between(poses[i], center, row)
            write_corridor(shape, origin, row, corridors[i])
    return True


@kernel
def _are_same(before: Keys, now: Keys, i: int) -> bool:
    """Are poses the same to the last bit? What moves differs in its place, most often."""
    are_same = before[i, END_PLACE] == now[i, END_PLACE]
    k = 0
    while are_same and k < N_POSES:
        are_same = before[i, k] == now[i, k]
        k += 1
    return bool(are_same)


@brief_driver
def write_rows(
    poses: Array, centers: Array, which: Rows, is_written: Flags, pieces: Array, places: Array
) -> None:
    """Write the rows of motion, and the places at the start, of some bodies, or of all; each once.

    It keeps Python's lock: who finds that a row is written finds it written to its end.
    """
    for k in range(len(which) if len(which) > 0 else len(is_written)):
        i = which[k] if len(which) > 0 else k
        if not is_written[i]:
            write_row_between(poses[i], vector_at(centers, i), pieces[i])
            for axis in range(3):
                places[i, axis] = poses[i, START_PLACE + axis]
            is_written[i] = True


@kernel
def write_row_between(poses: Array, center: Vec3, row: Array) -> None:
    """Write the row of motion of a body that goes from pose to pose, as seen from its center."""
    start, end = _seen_from(start_pose(poses), center), _seen_from(end_pose(poses), center)
    _write_piece(start, _step_between(start, end), center, row)


@kernel
def write_row(given: Given, i: int, center: Vec3, is_exact: bool, row: Array) -> Vec3:
    """Write the row of motion of a body, as seen from its center; return its place at the start."""
    rotations, places, ends, ways, turns = given
    given_start = _pose(rotations[i], places[i], is_exact)
    start = _seen_from(given_start, center)
    if len(ends) > 0:
        step = _step_between(start, _seen_from(_pose(ends[i], ways[i], is_exact), center))
    else:
        step = vector_at(ways, i), vector_at(turns, i)
    _write_piece(start, step, center, row)
    return given_start[1]


@kernel
def _write_piece(start: Pose, step: Step, center: Vec3, row: Array) -> None:
    """Write a motion; seen from its center, a body turns about the origin: the column tells where it is."""
    write_piece(start, step, (0.0, 0.0, 0.0), (0.0, 1.0), False, row)
    for k in range(3):
        row[CENTER + k] = center[k]


@kernel
def start_pose(poses: Array) -> Pose:
    """The pose that a body starts with."""
    p, k = poses, START_TURN
    turn = p[k], p[k + 1], p[k + 2], p[k + 3], p[k + 4], p[k + 5], p[k + 6], p[k + 7], p[k + 8]
    return turn, (p[START_PLACE], p[START_PLACE + 1], p[START_PLACE + 2])


@kernel
def end_pose(poses: Array) -> Pose:
    """The pose that a body ends with."""
    p, k = poses, END_TURN
    turn = p[k], p[k + 1], p[k + 2], p[k + 3], p[k + 4], p[k + 5], p[k + 6], p[k + 7], p[k + 8]
    return turn, (p[END_PLACE], p[END_PLACE + 1], p[END_PLACE + 2])


@kernel
def check_given(given: Given) -> tuple[bool, bool]:
    """Are all poses rigid, and all velocities within the limit? And are rotations so to the last digit?"""
    rotations, places, ends, ways, turns = given
    is_right, is_exact = True, True
    for i in range(len(rotations)):
        is_right &= _is_small(vector_at(places, i)) & _is_small(vector_at(ways, i))
        is_right, is_exact = _is_rotation(rotations[i], is_right, is_exact)
        if len(ends) > 0:
            is_right, is_exact = _is_rotation(ends[i], is_right, is_exact)
        else:
            is_right &= _is_small(vector_at(turns, i))
        if not is_right:
            break
    return is_right, is_exact


@kernel
def _made_rigid(m: Mat3) -> tuple[bool, Mat3]:
    """The rotation to the last digit that a matrix is near to; False where it is near to none."""
    if _is_exactly_rigid(m):
        return True, m
    if not _has_small_entries(m):
        return False, m
    m, fault = rigid_rotation(m)
    return fault < 0.0, m


@kernel
def _is_rotation(r: Array, is_right: bool, is_exact: bool) -> tuple[bool, bool]:
    """Whether this and all before are near to a rotation, and whether to the last digit."""
    m = _matrix(r)
    if _is_exactly_rigid(m):
        return is_right, is_exact
    if not _has_small_entries(m):
        return False, False
    _, fault = rigid_rotation(m)
    return is_right and fault < 0.0, False


@kernel
def _is_exactly_rigid(m: Mat3) -> bool:
    volume = dot((m[0], m[1], m[2]), cross((m[3], m[4], m[5]), (m[6], m[7], m[8])))
    return is_orthogonal(m) & (volume > 0.0)


@kernel
def _has_small_entries(m: Mat3) -> bool:
    return _is_small((m[0], m[1], m[2])) and _is_small((m[3], m[4], m[5])) and _is_small((m[6], m[7], m[8]))


@kernel
def _pose(rotation: Array, place: Array, is_exact: bool) -> Pose:
    """Read a pose, and make it rigid to the last digit where it is not."""
    m = _matrix(rotation)
    if not is_exact:
        m, _ = rigid_rotation(m)
    return m, (place[0], place[1], place[2])


@kernel
def _matrix(r: Array) -> Mat3:
    return r[0, 0], r[0, 1], r[0, 2], r[1, 0], r[1, 1], r[1, 2], r[2, 0], r[2, 1], r[2, 2]


@kernel
def _is_small(v: Vec3) -> bool:
    """Are all numbers within the limit? NaN never is."""
    limit = COORDINATE_LIMIT
    return (abs(v[0]) <= limit) & (abs(v[1]) <= limit) & (abs(v[2]) <= limit)


@kernel
def vector_at(array: Array, i: int) -> Vec3:
    """Read a vector of an array (n, 3)."""
    return array[i, 0], array[i, 1], array[i, 2]


@kernel
def _seen_from(pose: Pose, center: Vec3) -> Pose:
    """Pose of a body that is described from its center."""
    return pose[0], add(mat_vec(pose[0], center), pose[1])


@kernel
def _step_between(start: Pose, end: Pose) -> Step:
    """Way of the origin and shortest turn from pose to pose: no swing, since it turns about that."""
    turn = rotation_vector(mat_mul(end[0], transposed(start[0])))
    way = sub(end[1], start[1])
    return (way[0] + 0.0, way[1] + 0.0, way[2] + 0.0), turn
