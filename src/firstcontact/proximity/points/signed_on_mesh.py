"""How far points are from a mesh, on which side, and where to go from there: the field of its distance."""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact._lanes import WIDTH, Z_AXIS
from firstcontact.arrays import Array, Flags, Ids
from firstcontact.bodies.point_body import PointBody, corners_at, point_body_of
from firstcontact.proximity.points.closest_on_mesh import OnMesh, Searched, find_range, search
from firstcontact.proximity.points.point_order import WORTH_ORDERING
from firstcontact.proximity.points.pseudonormals import (
    CORNERS,
    EDGES,
    FACE,
    Pseudonormals,
    orientation_of,
    pseudonormals_of,
)
from firstcontact.proximity.points.winding import winds_around
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Vec3, cross, dot, scale, sub
from firstcontact.shapes.mesh import Mesh

# Ways to tell the side.
PSEUDONORMAL, WINDING = "pseudonormal", "winding"

WORTH_A_THREAD = 4096

# What the vector from the closest point may be off by, in units of its length and of the mesh's size.
OFFSET_ROUNDING = 32.0 * UNIT_ROUNDOFF

# Shorter vectors, in units of the mesh's size, have no direction of their own: normals have.
ON_SURFACE = 2.0**-46

# Only between these distances, in units of the mesh's half size or twice that, do normals tell the side of a
# closed mesh: closer, rounding may turn the vector; farther, it may take any face for any other.
LEAST_FAR, MOST_FAR = 2.0**-32, 32.0

OUTSIDE, UNCLEAR, INSIDE = 1, 0, -1
Sides = NDArray[np.int8]


class Field(NamedTuple):
    """The distance field of a mesh at n points, in the mesh's frame.

    distances : (n,), negative inside
    points, normals : (n, 3), closest points, and the gradients of the distance, of length one
    faces : (n,) int32
    """

    distances: Array
    points: Array
    normals: Array
    faces: Ids


def rule_of(mesh: Mesh) -> str:
    """Say which way to tell the side is right for a mesh."""
    is_oriented = not mesh.has_inside or orientation_of(mesh) is not None
    return PSEUDONORMAL if is_oriented else WINDING


def is_inside_mesh(mesh: Mesh, points: Array) -> Flags:
    """Which points (n, 3) are inside a mesh? Those below a height field; else those that it winds around."""
    if not mesh.has_inside:
        return signed_on_mesh(mesh, points, PSEUDONORMAL).distances < 0.0
    return winds_around(mesh, points)


def signed_on_mesh(mesh: Mesh, points: Array, rule: str) -> Field:
    """Find the distance field of a mesh at points (n, 3), in the mesh's frame."""
    body, n = point_body_of(mesh), len(points)
    field = Field(np.empty(n), np.empty((n, 3)), np.empty((n, 3)), np.empty(n, np.int32))
    if body.depth == 0:
        field.distances.fill(np.inf)
        field.points.fill(np.nan)
        field.normals.fill(np.nan)
        field.faces.fill(-1)
        return field
    if n < WORTH_ORDERING and rule == PSEUDONORMAL:
        is_closed = orientation_of(mesh) is not None
        if _measure_few(body, pseudonormals_of(mesh), is_closed, points, field):
            return field
    searched = search(body, points)
    sides, normals = _sides(mesh, searched, rule)

    def task(first: int, last: int) -> None:
        _write_range(body, searched, sides, normals, field, first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    return field


def _sides(mesh: Mesh, searched: Searched, rule: str) -> tuple[Sides, Array]:
    """On which side points are, and the normals of what is closest to them; (1, 3) where nobody asks."""
    body, n = point_body_of(mesh), len(searched.points)
    if rule == WINDING:
        is_inside = winds_around(mesh, searched.points)
        return np.where(is_inside, INSIDE, OUTSIDE).astype(np.int8), np.zeros((1, 3))
    pseudonormals, sides, normals = pseudonormals_of(mesh), np.empty(n, np.int8), np.empty((n, 3))
    is_closed = orientation_of(mesh) is not None

    def task(first: int, last: int) -> None:
        _judge_range(body, searched.found, pseudonormals, sides, normals, is_closed, (first, last))

    on_ranges(task, n, WORTH_A_THREAD)
    unclear = np.flatnonzero(sides == UNCLEAR)
    if len(unclear) > 0:
        sides[unclear] = np.where(winds_around(mesh, searched.points[unclear]), INSIDE, OUTSIDE)
    return sides, normals


@driver
def _judge_range(
    body: PointBody,
    found: OnMesh,
    pseudonormals: Pseudonormals,
    sides: Sides,
    normals: Array,
    is_closed: bool,
    span: tuple[int, int],
) -> None:
    _judge(body, found, pseudonormals, sides, normals, is_closed, span)


@kernel
def _judge(
    body: PointBody,
    found: OnMesh,
    pseudonormals: Pseudonormals,
    sides: Sides,
    normals: Array,
    is_closed: bool,
    span: tuple[int, int],
) -> None:
    """Say on which side points are; of a closed mesh, UNCLEAR where rounding may have turned the answer."""
    size, half = body.longest / body.factor, 1.0 / body.factor
    for i in range(span[0], span[1]):
        place, feature = found.places[i], _feature(found.weights[i, 0], found.weights[i, 1])
        n = pseudonormals.normals[place, feature]
        normal, offset = (n[0], n[1], n[2]), (found.offsets[i, 0], found.offsets[i, 1], found.offsets[i, 2])
        normals[i, 0], normals[i, 1], normals[i, 2] = normal
        along, d = dot(normal, offset), found.distances[i]
        slack = OFFSET_ROUNDING * (size + d)
        doubt = pseudonormals.errors[place, feature] * d + slack * sqrt(dot(normal, normal))
        sides[i] = INSIDE if along < 0.0 else OUTSIDE
        is_sure = pseudonormals.clear[place] and LEAST_FAR * half < d < MOST_FAR * half
        if is_closed and d > slack and not (is_sure and abs(along) > doubt):
            sides[i] = UNCLEAR


@kernel
def _feature(wb: float, wc: float) -> int:
    """Which feature of a triangle has the point with these weights of its second and third corner?"""
    if wb == 0.0:
        return CORNERS if wc == 0.0 else (CORNERS + 2 if wc == 1.0 else EDGES + 2)
    if wc == 0.0:
        return CORNERS + 1 if wb == 1.0 else EDGES
    return EDGES + 1 if wb + wc >= 1.0 else FACE


@driver
def _write_range(
    body: PointBody, searched: Searched, sides: Sides, normals: Array, field: Field, first: int, last: int
) -> None:
    _write(body, searched, sides, normals, field, first, last)


@driver
def _measure_few(
    body: PointBody, pseudonormals: Pseudonormals, is_closed: bool, points: Array, field: Field
) -> bool:
    """Find the field at a few points in one call; False where the side of one is unclear."""
    return measure_all(body, pseudonormals, is_closed, points, field)


@kernel
def measure_all(
    body: PointBody, pseudonormals: Pseudonormals, is_closed: bool, points: Array, field: Field
) -> bool:
    """Find the field at all points; False where the side of one is unclear."""
    n = len(points)
    found = OnMesh(np.empty(n, np.int32), np.empty((n, 2)), np.empty((n, 3)), np.empty(n))
    sides, normals = np.empty(n, np.int8), np.empty((n, 3))
    zero = int(np.int64(0))  # not a plain zero: functions are compiled for a constant argument apart
    find_range(body, points, found, zero, n)
    _judge(body, found, pseudonormals, sides, normals, is_closed, (zero, n))
    for i in range(n):
        if sides[i] == UNCLEAR:
            return False
    _write(body, Searched(points, found, np.arange(n)), sides, normals, field, zero, n)
    return True


@kernel
def _write(
    body: PointBody, searched: Searched, sides: Sides, normals: Array, field: Field, first: int, last: int
) -> None:
    """Write the field at the points [first, last) of those searched for, where they were before."""
    unit, found, size = 1.0 / body.factor, searched.found, body.longest / body.factor
    for i in range(first, last):
        to, place, side, d = searched.order[i], found.places[i], float(sides[i]), found.distances[i]
        wb, wc = found.weights[i, 0], found.weights[i, 1]
        a, b, c = corners_at(body.triangles, place)
        x, y, z = _point(a, b, c, wb, wc)
        field.faces[to], field.distances[to] = body.faces[place], side * d
        field.points[to, 0], field.points[to, 1], field.points[to, 2] = unit * x, unit * y, unit * z
        offset = found.offsets[i, 0], found.offsets[i, 1], found.offsets[i, 2]
        if d > ON_SURFACE * size:
            x, y, z = scale(side / d, offset)
        else:
            k = min(i, len(normals) - 1)
            x, y, z = _normal(body, place, (normals[k, 0], normals[k, 1], normals[k, 2]))
        field.normals[to, 0], field.normals[to, 1], field.normals[to, 2] = x, y, z


@kernel
def _point(a: Vec3, b: Vec3, c: Vec3, wb: float, wc: float) -> Vec3:
    """Point of a triangle with these weights; a corner as it is."""
    if wb == 1.0:
        return b
    if wc == 1.0:
        return c
    ab, ac = sub(b, a), sub(c, a)
    x, y, z = wb * ab[0] + wc * ac[0], wb * ab[1] + wc * ac[1], wb * ab[2] + wc * ac[2]
    return a[0] + x, a[1] + y, a[2] + z


@kernel
def _normal(body: PointBody, place: int, normal: Vec3) -> Vec3:
    """Normal of what is closest, of length one: as given, else the triangle's, else any across it."""
    if dot(normal, normal) > 0.0:
        return scale(1.0 / sqrt(dot(normal, normal)), normal)
    a, b, c = corners_at(body.triangles, place)
    normal = cross(sub(b, a), sub(c, a))
    if not dot(normal, normal) > 0.0:
        leaf, k, rows = place // WIDTH, place % WIDTH, body.leaves
        x, y, z = rows[leaf, Z_AXIS, k], rows[leaf, Z_AXIS + 1, k], rows[leaf, Z_AXIS + 2, k]
        normal = float(x), float(y), float(z)
    return scale(1.0 / sqrt(dot(normal, normal)), normal)
