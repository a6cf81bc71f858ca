"""How far points are from a convex shape, and where to go from there."""

import numpy as np

from firstcontact._jit import driver, on_ranges
from firstcontact.arrays import Array
from firstcontact.narrowphase.convex.point_shapes import ANYWHERE, measure_solid
from firstcontact.proximity.points.signed_on_mesh import Field, rule_of, signed_on_mesh
from firstcontact.shapes.convex import HULL, KIND, RADIUS, convex_at
from firstcontact.shapes.convex_shape import ConvexShape

WORTH_A_THREAD = 2048


def signed_on_convex(shape: ConvexShape, points: Array) -> Field:
    """Find the distance field of a shape at points (n, 3) in its frame; of a hull, by its faces."""
    records, n = shape.table.records, len(points)
    if records[0, KIND] == HULL:
        mesh = shape.unrounded.mesh
        field, radius = signed_on_mesh(mesh, points, rule_of(mesh)), float(records[0, RADIUS])
        return field if radius == 0.0 else _grown(field, radius)
    field = Field(np.empty(n), np.empty((n, 3)), np.empty((n, 3)), np.full(n, -1, np.int32))

    def task(first: int, last: int) -> None:
        _measure_range(records, points, field, first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    return field


def _grown(field: Field, radius: float) -> Field:
    """The field of all points within a radius of a hull: as far as from that, and the radius less."""
    normals = field.normals
    normals[~np.isfinite(normals).all(axis=1)] = ANYWHERE  # on a hull without an inside, any way leads out
    faces = np.full(len(normals), -1, np.int32)
    return Field(field.distances - radius, field.points + radius * normals, normals, faces)


@driver
def _measure_range(records: Array, points: Array, field: Field, first: int, last: int) -> None:
    shape = convex_at(records, 0)
    for i in range(first, last):
        d, point, normal = measure_solid(shape, (points[i, 0], points[i, 1], points[i, 2]))
        field.distances[i] = d
        for k in range(3):
            field.points[i, k], field.normals[i, k] = point[k], normal[k]
