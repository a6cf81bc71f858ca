"""A single point and a shape that stands somewhere, in one call: how far, and on which side.

What is no plain point, and what is wrong with it, is left to who takes many, and so is what is unclear.
"""

from typing import Any, NamedTuple

import numpy as np

from firstcontact._jit import kernel, plain_driver
from firstcontact._lanes import Singles
from firstcontact.arrays import Array, Flags, Ids
from firstcontact.bodies.point_body import PointBody, point_body_of
from firstcontact.motions.standing_rows import (
    is_standing,
    is_vector,
    point_in_world,
    seen_by,
    vector_in,
    way_in_world,
    write_vector,
)
from firstcontact.narrowphase.convex.point_shapes import measure_solid
from firstcontact.proximity.points.pseudonormals import Pseudonormals, orientation_of, pseudonormals_of
from firstcontact.proximity.points.signed_on_mesh import PSEUDONORMAL, Field, measure_all, rule_of
from firstcontact.proximity.points.winding import (
    ACCURACY,
    HALF,
    NEAREST,
    Surface,
    WindingBody,
    sum_range,
    winding_body_of,
)
from firstcontact.scalar.vec3 import Vec3
from firstcontact.shapes.convex import convex_at
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.packed_convex import records_in

# Columns of what is found.
POINT = 0  # three
NORMAL = 3  # three
FACE = 6
N_COLUMNS = 7

# Columns of what is known of a mesh.
MIDDLE = 0  # three
FACTOR = 3
DEPTH = 4
LONGEST = 5
IS_CLOSED = 6
N_NUMBERS = 7

# On which side a point is, where nobody can tell in short.
LEFT = -1


class PackedPoints(NamedTuple):
    """A mesh whose sides pseudonormals tell, as a query about one point takes it.

    numbers : in the columns above; none where that is not so, or the mesh has no faces
    arrays : those of its `PointBody`, and those of its `Pseudonormals`
    """

    numbers: Array
    arrays: Any


class PackedSurface(NamedTuple):
    """A mesh as a query takes it that asks which side of it one point is: dipoles, links and triangles."""

    numbers: Array
    dipoles: Singles
    links: Ids
    triangles: Array


@OnceForEachMesh
def packed_points_of(mesh: Mesh) -> PackedPoints:
    """Return what is measured of a mesh, made on the first call."""
    body = point_body_of(mesh)
    if body.depth == 0 or rule_of(mesh) != PSEUDONORMAL:
        return PackedPoints(np.empty(0), ())
    numbers = _numbers(body, orientation_of(mesh) is not None)
    return PackedPoints(numbers, (*body[:5], *pseudonormals_of(mesh)))


@OnceForEachMesh
def packed_surface_of(mesh: Mesh) -> PackedSurface:
    """Return what winds around points, made on the first call."""
    body = point_body_of(mesh)
    return PackedSurface(_numbers(body, False), *winding_body_of(mesh), body.triangles)


def _numbers(body: PointBody, is_closed: bool) -> Array:
    return np.array([*body.middle, body.factor, body.depth, body.longest, is_closed])


@plain_driver(0, 1, 1, 1, 1)
def measure_on_mesh(
    arrays: tuple[Singles, Ids, Singles, Array, Ids, Array, Array, Flags],
    numbers: Array,
    rows: Array,
    point: Array,
    out: Array,
) -> float:
    """Give the distance of a point from a mesh, and write the rest; NaN where that is left."""
    if not (is_standing(rows) and is_vector(point)):
        return np.nan
    blocks, links, leaves, triangles, faces, normals, errors, clear = arrays
    middle, depth = vector_in(numbers, MIDDLE), int(numbers[DEPTH])
    body = PointBody(
        blocks, links, leaves, triangles, faces, middle, numbers[FACTOR], depth, numbers[LONGEST]
    )
    field = Field(np.empty(1), np.empty((1, 3)), np.empty((1, 3)), np.empty(1, np.int32))
    points = _only(seen_by(rows, (point[0], point[1], point[2])))
    pseudonormals = Pseudonormals(normals, errors, clear)
    if not measure_all(body, pseudonormals, numbers[IS_CLOSED] > 0.0, points, field):
        return np.nan
    found, normal = field.points[0], field.normals[0]
    write_vector(point_in_world(rows, (found[0], found[1], found[2])), out, POINT)
    write_vector(way_in_world(rows, (normal[0], normal[1], normal[2])), out, NORMAL)
    out[FACE] = field.faces[0]
    distance: float = field.distances[0]
    return distance


@plain_driver(1, 0, 0, 2, 1, 1)
def winds_around_point(
    numbers: Array, dipoles: Singles, links: Ids, triangles: Array, rows: Array, point: Array
) -> int:
    """Does a mesh wind around a point, 1 or 0? LEFT where it is none, or the mesh moves."""
    if not (is_standing(rows) and is_vector(point)):
        return LEFT
    depth, zero = int(numbers[DEPTH]), int(np.int64(0))
    if depth == 0:
        return zero
    middle, factor = vector_in(numbers, MIDDLE), numbers[FACTOR]
    surface = Surface(WindingBody(dipoles, links), triangles, middle, factor, depth)
    points, winding = _only(seen_by(rows, (point[0], point[1], point[2]))), np.zeros(1)
    for attempt in range(len(NEAREST)):
        if attempt == 0 or abs(abs(winding[0]) - HALF) < ACCURACY[attempt - 1]:
            sum_range(surface, points, NEAREST[attempt], winding, zero, zero + 1)
    return 1 if abs(winding[0]) > HALF else zero


@plain_driver(1, 1, 1, 1)
def measure_on_convex(packed: Array, rows: Array, point: Array, out: Array) -> float:
    """Give the distance of a point from a shape, no hull, and write the rest; NaN where that is left."""
    if not (is_standing(rows) and is_vector(point)):
        return np.nan
    zero = int(np.int64(0))  # not a plain zero: functions are compiled for a constant argument apart
    shape = convex_at(records_in(packed), zero)
    d, closest, normal = measure_solid(shape, seen_by(rows, (point[0], point[1], point[2])))
    write_vector(point_in_world(rows, closest), out, POINT)
    write_vector(way_in_world(rows, normal), out, NORMAL)
    out[FACE] = -1.0
    return d


@kernel
def _only(point: Vec3) -> Array:
    """One point as a row of many."""
    points = np.empty((1, 3))
    points[0, 0], points[0, 1], points[0, 2] = point
    return points
