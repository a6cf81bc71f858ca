"""How far points are from a convex shape that is no hull, and where to go from there."""

import numpy as np

from firstcontact._jit import driver, on_ranges
from firstcontact.arrays import Array
from firstcontact.narrowphase.convex.point_shapes import measure_solid
from firstcontact.proximity.points.signed_on_mesh import Field
from firstcontact.shapes.convex import ConvexTable, convex_at

WORTH_A_THREAD = 2048


def signed_on_convex(table: ConvexTable, points: Array) -> Field:
    """Find the distance field of the first shape of a table, no hull, at points (n, 3) in its frame."""
    n = len(points)
    field = Field(np.empty(n), np.empty((n, 3)), np.empty((n, 3)), np.full(n, -1, np.int32))

    def task(first: int, last: int) -> None:
        _measure_range(table.records, points, field, first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    return field


@driver
def _measure_range(records: Array, points: Array, field: Field, first: int, last: int) -> None:
    shape = convex_at(records, 0)
    for i in range(first, last):
        d, point, normal = measure_solid(shape, (points[i, 0], points[i, 1], points[i, 2]))
        field.distances[i] = d
        for k in range(3):
            field.points[i, k], field.normals[i, k] = point[k], normal[k]
