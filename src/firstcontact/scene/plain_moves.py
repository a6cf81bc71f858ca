"""Rigid motions of many bodies from plain arrays: from poses to rows of motion to corridors in one pass.

What is anything else, and what is wrong with it, is left to `many_motions`: here it is refused.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact._validate import COORDINATE_LIMIT
from firstcontact.arrays import Array
from firstcontact.bounds.body_bounds import write_corridor
from firstcontact.motions.poses import rigid_rotation
from firstcontact.motions.rigid_motion import CENTER
from firstcontact.motions.rigid_paths import Pose, Step, write_piece
from firstcontact.motions.rotation import is_orthogonal, rotation_vector
from firstcontact.motions.short_rows import read_pose
from firstcontact.scalar.mat3 import Mat3, mat_mul, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, sub
from firstcontact.scene.columns import Columns
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


class Moved(NamedTuple):
    """Columns that motions are made of, and those they are written to, as `Columns` has them."""

    records: Array
    centers: Array
    rows: Array
    translations: Array
    corridors: Array


def plain_moves(n: int, start: Any, end: Any, velocity: Any, angular_velocity: Any) -> Given | None:
    """Motions of n bodies, where each is given in plain arrays; else None."""
    starts, no_turns = _plain_poses(n, start), velocity is None and angular_velocity is None
    if starts is None or (end is not None and not no_turns):
        return None
    if end is not None:
        ends = _plain_poses(n, end)
        return None if ends is None else Given(*starts, *ends, np.empty((0, 3)))
    ways, turns = (np.zeros((n, 3)) if one is None else one for one in (velocity, angular_velocity))
    if not (_is_plain(ways, (n, 3)) and _is_plain(turns, (n, 3))):
        return None
    return Given(*starts, np.empty((0, 3, 3)), ways, turns)


def write_plain_moves(rows: Rows, given: Given, columns: Columns) -> bool:
    """Write motions and corridors into some rows of all columns; False, and nothing, where one is wrong."""
    into = Moved(columns.records, columns.centers, columns.rows, columns.translations, columns.corridors)
    return _write(rows, given, into)


def _plain_poses(n: int, poses: Any) -> tuple[Array, Array] | None:
    """Rotations and places, where poses are plain arrays of n of them."""
    if type(poses) is tuple and len(poses) == 2:
        rotations, places = poses
        is_plain = _is_plain(rotations, (n, 3, 3)) and _is_plain(places, (n, 3))
        return (rotations, places) if is_plain else None
    if not _is_plain(poses, (n, 4, 4)):
        return None
    parts = np.empty((n, 3, 3)), np.empty((n, 3))
    return parts if _part(poses, *parts) else None


def _is_plain(array: Any, shape: tuple[int, ...]) -> bool:
    if type(array) is not np.ndarray or array.shape != shape:
        return False
    return array.dtype == np.float64 and bool(array.flags.carray)


@driver
def _part(matrices: Array, rotations: Array, places: Array) -> bool:
    """Take matrices apart; False where one is no pose."""
    for i in range(len(matrices)):
        is_right, (rotation, place) = read_pose(matrices[i])
        if not is_right:
            return False
        for j in range(3):
            places[i, j] = place[j]
            for k in range(3):
                rotations[i, j, k] = rotation[3 * j + k]
    return True


@driver
def _write(rows: Rows, given: Given, into: Moved) -> bool:
    """Write the motions of some rows, as seen from their centers, and the corridors that they go through.

    False, and nothing is written, where a pose is not rigid, or a number beyond the limit.
    """
    rotations, places, ends, ways, turns = given
    records, centers, pieces, translations, corridors = into
    is_right, is_exact = _checked(given)
    for i in range(len(rows) if is_right else 0):
        row = rows[i]
        center = _vector(centers, row)
        given_start = _pose(rotations[i], places[i], is_exact)
        start = _seen_from(given_start, center)
        if len(ends) > 0:
            step = _step_between(start, _seen_from(_pose(ends[i], ways[i], is_exact), center))
        else:
            step = _vector(ways, i), _vector(turns, i)
        # Seen from its center, each body turns about the origin; only the column tells where that is.
        write_piece(start, step, (0.0, 0.0, 0.0), (0.0, 1.0), False, pieces[row])
        for k in range(3):
            pieces[row, CENTER + k], translations[row, k] = center[k], given_start[1][k]
        write_corridor(convex_at(records, row), origin_at(records, row), pieces[row], corridors[row])
    return is_right


@kernel
def _checked(given: Given) -> tuple[bool, bool]:
    """Are all poses rigid, and all velocities within the limit? And are rotations so to the last digit?"""
    rotations, places, ends, ways, turns = given
    is_right, is_exact = True, True
    for i in range(len(rotations)):
        is_right &= _is_small(_vector(places, i)) & _is_small(_vector(ways, i))
        is_right, is_exact = _is_rotation(rotations[i], is_right, is_exact)
        if len(ends) > 0:
            is_right, is_exact = _is_rotation(ends[i], is_right, is_exact)
        else:
            is_right &= _is_small(_vector(turns, i))
        if not is_right:
            break
    return is_right, is_exact


@kernel
def _is_rotation(r: Array, is_right: bool, is_exact: bool) -> tuple[bool, bool]:
    """Whether this and all before are near to a rotation, and whether to the last digit."""
    m = _matrix(r)
    if is_orthogonal(m) and dot((m[0], m[1], m[2]), cross((m[3], m[4], m[5]), (m[6], m[7], m[8]))) > 0.0:
        return is_right, is_exact
    if not (_is_small(m[:3]) and _is_small(m[3:6]) and _is_small(m[6:])):
        return False, False
    _, fault = rigid_rotation(m)
    return is_right and fault < 0.0, False


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
    return abs(v[0]) <= limit and abs(v[1]) <= limit and abs(v[2]) <= limit


@kernel
def _vector(array: Array, i: int) -> Vec3:
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
