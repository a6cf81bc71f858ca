"""What pairs of faces share, of meshes where they are: which meet, and the ends of what they have in common.

Decided exactly, about vertices as they are placed, rounded to doubles; what compiled code leaves open is
settled in rational numbers.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Ids
from firstcontact.narrowphase.triangles.crossing import N_FEATURES, OPEN, common_points
from firstcontact.narrowphase.triangles.crossing_exact import common_points_exactly
from firstcontact.narrowphase.triangles.crossing_point import crossing_point
from firstcontact.narrowphase.triangles.piercing import volume_sign
from firstcontact.scalar.vec3 import Triangle, Vec3

# Columns of what is found: both faces, the two ends of what they share, -1 for none, and how many points.
FACE_A, FACE_B, FIRST, SECOND, N_POINTS, N_COLUMNS = 0, 1, 2, 3, 4, 5

NO_POINT = -1

# A pose, row by row.
Numbers = tuple[tuple[float, float, float, float], ...]


class Standing(NamedTuple):
    """A mesh where it is: vertices (v, 3), faces (m, 3), and the pose, (4, 4)."""

    vertices: Array
    faces: Ids
    pose: Array


class Placed(NamedTuple):
    """The same, as pairs of its faces are listed.

    places : the faces once more, with one number for vertices at one place
    leaves : (n, WIDTH), the faces of the leaves of a tree; -1 for those left over
    """

    vertices: Array
    faces: Ids
    pose: Array
    places: Ids
    leaves: Ids


def segments_of(a: Standing, b: Standing, rows: Ids) -> Array:
    """Ends of what pairs of faces share, (n, 2, 3); twice the same for a point, NaN for an area."""
    segments = np.empty((len(rows), 2, 3))
    _write_segments(a, b, np.ascontiguousarray(rows), segments)
    return segments


def settled(a: Placed, b: Placed, found: Ids) -> Ids:
    """Decide, in rational numbers, the pairs that compiled code could not; they are few."""
    is_open = found[:, N_POINTS] == OPEN
    if not is_open.any():
        return found
    found, is_kept = found.copy(), np.ones(len(found), np.bool_)
    for row in np.flatnonzero(is_open).tolist():
        f, g = found[row, : FACE_B + 1].tolist()
        corners = np.stack([_corners_of(a, np.array([f]))[0], _corners_of(b, np.array([g]))[0]])
        ends = common_points_exactly(corners)
        n, common = len(ends), _names_of_common(corners, a.places[f], a.places[g]) if a is b else set()
        is_kept[row] = n > 2 or not {*ends} <= common
        found[row, FIRST:] = ends[0] if n in (1, 2) else NO_POINT, ends[1] if n == 2 else NO_POINT, n
    return found[is_kept]


def _names_of_common(corners: Array, places_f: Ids, places_g: Ids) -> set[int]:
    """Names that a corner which two faces share may go by: others, far away, may be rounded to its place."""
    one, other = ([tuple(corner) for corner in face] for face in corners.tolist())
    shared = {one[i] for i in np.flatnonzero(np.isin(places_f, places_g)).tolist()}
    return {N_FEATURES * i + j for i in range(3) for j in range(3) if one[i] == other[j] and one[i] in shared}


def _corners_of(side: Placed, faces: Ids) -> Array:
    """Corners of faces where they are placed, (n, 3, 3): to the last digit as compiled code has them."""
    x, y, z = np.moveaxis(side.vertices[side.faces[faces]], -1, 0)[..., np.newaxis]
    columns = side.pose[:3].T
    corners: Array = x * columns[0] + y * columns[1] + z * columns[2] + columns[3]
    return corners


@kernel
def list_crossings(a: Placed, b: Placed, pairs: Ids, found: Ids, n: int, room: Array, points: Ids) -> int:
    """Add the pairs (m, 2) of two meshes that meet to what is found; how many rows there are then."""
    # Plain arrays: to hand a tuple of arrays to a function for each pair takes several times longer.
    vertices_a, faces_a, pose_a = a.vertices, a.faces, numbers_of(a.pose)
    vertices_b, faces_b, pose_b = b.vertices, b.faces, numbers_of(b.pose)
    for k in range(len(pairs)):
        f, g = pairs[k, 0], pairs[k, 1]
        one, other = _face(vertices_a, faces_a, pose_a, f), _face(vertices_b, faces_b, pose_b, g)
        n_points = 0 if _have_gap(one, other) else common_points(one, other, room, points)
        if n_points != 0:
            write_row(found, n, f, g, points, n_points)
            n += 1
    return n


@kernel
def list_own_crossings(side: Placed, pairs: Ids, found: Ids, n: int, room: Array, points: Ids) -> int:
    """The same of pairs of one mesh that meet elsewhere than in what they share anyway; lower face first."""
    vertices, faces, pose, places = side.vertices, side.faces, numbers_of(side.pose), side.places
    for k in range(len(pairs)):
        f, g = min(pairs[k, 0], pairs[k, 1]), max(pairs[k, 0], pairs[k, 1])
        one, other = _face(vertices, faces, pose, f), _face(vertices, faces, pose, g)
        n_points = points_elsewhere((one, other), places, (f, g), room, points)
        if n_points != 0:
            write_row(found, n, f, g, points, n_points)
            n += 1
    return n


@kernel
def points_elsewhere(
    pair: tuple[Triangle, Triangle], places: Ids, faces: tuple[int, int], room: Array, points: Ids
) -> int:
    """Write what two faces of one mesh share: as `common_points`, but 0 where it is no more than corners."""
    (one, other), (f, g) = pair, faces
    if _share_a_corner(places, f, g) and (
        _is_beside(one, other, places, f, g, room) or _is_beside(other, one, places, g, f, room)
    ):
        return 0
    n_points = common_points(one, other, room, points)
    return 0 if n_points > 0 and _are_common(places, f, g, points, n_points) else n_points


@driver
def _write_segments(a: Standing, b: Standing, rows: Ids, segments: Array) -> None:
    vertices_a, faces_a, pose_a = a.vertices, a.faces, numbers_of(a.pose)
    vertices_b, faces_b, pose_b = b.vertices, b.faces, numbers_of(b.pose)
    for k in range(len(rows)):
        f, g = rows[k, FACE_A], rows[k, FACE_B]
        one, other = _face(vertices_a, faces_a, pose_a, f), _face(vertices_b, faces_b, pose_b, g)
        for end in range(2):
            point = rows[k, FIRST + end]
            if point == NO_POINT:
                point = rows[k, FIRST]
            place = (np.nan, np.nan, np.nan) if point == NO_POINT else crossing_point(one, other, point)
            segments[k, end, 0], segments[k, end, 1], segments[k, end, 2] = place


@kernel
def write_row(found: Ids, n: int, f: int, g: int, points: Ids, n_points: int) -> None:
    """Write a row of what is found."""
    found[n, FACE_A], found[n, FACE_B], found[n, N_POINTS] = f, g, n_points
    found[n, FIRST] = points[0] if 1 <= n_points <= 2 else NO_POINT
    found[n, SECOND] = points[1] if n_points == 2 else NO_POINT


@kernel
def numbers_of(pose: Array) -> Numbers:
    """A pose as plain numbers."""
    x, y, z = pose[0], pose[1], pose[2]
    return (x[0], x[1], x[2], x[3]), (y[0], y[1], y[2], y[3]), (z[0], z[1], z[2], z[3])


@kernel
def _face(vertices: Array, faces: Ids, pose: Numbers, f: int) -> Triangle:
    return (
        placed_corner(vertices, pose, faces[f, 0]),
        placed_corner(vertices, pose, faces[f, 1]),
        placed_corner(vertices, pose, faces[f, 2]),
    )


@kernel
def placed_corner(vertices: Array, pose: Numbers, i: int) -> Vec3:
    """A vertex where it is placed: all decisions are about this."""
    x, y, z = vertices[i, 0], vertices[i, 1], vertices[i, 2]
    u, v, w = pose
    return (
        x * u[0] + y * u[1] + z * u[2] + u[3],
        x * v[0] + y * v[1] + z * v[2] + v[3],
        x * w[0] + y * w[1] + z * w[2] + w[3],
    )


@kernel
def _have_gap(a: Triangle, b: Triangle) -> bool:
    """Are the boxes around two triangles apart?"""
    is_apart = False
    for k in range(3):
        is_apart |= max(max(a[0][k], a[1][k]), a[2][k]) < min(min(b[0][k], b[1][k]), b[2][k])
        is_apart |= min(min(a[0][k], a[1][k]), a[2][k]) > max(max(b[0][k], b[1][k]), b[2][k])
    return is_apart


@kernel
def _share_a_corner(places: Ids, f: int, g: int) -> bool:
    """Have two faces a corner in common?"""
    is_found = False
    for i in range(3):
        for j in range(3):
            is_found |= places[f, i] == places[g, j]
    return is_found


@kernel
def _is_beside(one: Triangle, other: Triangle, places: Ids, f: int, g: int, room: Array) -> bool:
    """Is all of face f, but for the corners that it shares with g, on one side of g's plane? Most are."""
    sign = 0
    for i in range(3):
        v = places[f, i]
        if v == places[g, 0] or v == places[g, 1] or v == places[g, 2]:
            continue
        this = volume_sign(other[0], other[1], other[2], one[i], room)
        if abs(this) != 1 or this == -sign:
            return False
        sign = this
    return sign != 0


@kernel
def _are_common(places: Ids, f: int, g: int, points: Ids, n: int) -> bool:
    """Are all common points of two faces corners that they share? Not where they are one face twice."""
    if n > 2:
        return False
    for k in range(n):
        i, j = points[k] // N_FEATURES, points[k] % N_FEATURES
        if i > 2 or j > 2 or places[f, i] != places[g, j]:
            return False
    return True
