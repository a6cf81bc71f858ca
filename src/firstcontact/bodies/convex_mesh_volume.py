"""Convex shapes and the tree of a mesh: the volume around a shape; triangles and volumes as shapes."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.bodies.placed_triangle import N_TRIANGLE, radius_of
from firstcontact.bounds.swept_sphere import (
    ALONG,
    HALF_LENGTH,
    HALF_WIDTH,
    N_COLUMNS,
    Volume,
    fit_volumes,
)
from firstcontact.bounds.swept_sphere import RADIUS as VOLUME_RADIUS
from firstcontact.bounds.swept_sphere import REACH as VOLUME_REACH
from firstcontact.scalar.vec3 import add, norm, scale, sub
from firstcontact.shapes.convex import (
    CELLS,
    CONE,
    COUNT,
    CYLINDER,
    ELLIPSOID,
    FIRST,
    HALF,
    HULL,
    KIND,
    RADIUS,
    REACH,
    Convex,
    ConvexTable,
)
from firstcontact.shapes.convex_shape import ConvexShape

# Corners of a triangle, and of the rectangle of a volume.
N_CORNERS = 3
N_RECTANGLE = 4


class BoundedShape(NamedTuple):
    """A convex shape, its points, the volume around it, and room for the corners of a volume as a shape."""

    shape: Convex
    pool: Array
    volume: Volume
    rectangle: Array


def bounding_volumes(table: ConvexTable) -> Array:
    """Volumes that hold the shapes, (n, 16), each as seen from its shape's origin."""
    rows = np.zeros((len(table.records), N_COLUMNS))
    for record, row in zip(table.records, rows, strict=True):
        if record[KIND] == HULL:
            points = _points(record, table.pool)
            fit_volumes(points, np.array([[0, len(points)]]), row[np.newaxis], 0, 1)
        else:
            _write_centered(record, row)
        row[VOLUME_RADIUS] += record[RADIUS]
        row[VOLUME_REACH] += record[RADIUS]
    return rows


def volumes_around(shape: ConvexShape) -> Array:
    """The volume that holds a shape, (1, 16), made on the first call."""
    found: Array | None = shape.kept.get("volumes")
    return shape.kept.setdefault("volumes", bounding_volumes(shape.table)) if found is None else found


def _points(record: Array, pool: Array) -> Array:
    """Points of a hull, perhaps more than once."""
    first, n_cells = int(record[FIRST]), int(record[CELLS])
    if n_cells == 0:
        return pool[first : first + 3 * int(record[COUNT])].reshape(-1, 3).copy()
    n_lists = 6 * n_cells * n_cells
    return pool[first + n_lists + 1 : first + int(pool[first + n_lists])].reshape(-1, 3).copy()


def _write_centered(record: Array, row: Array) -> None:
    """Write the volume of a core with three axes: a rectangle along the longer two, a ball for the third."""
    half = record[HALF:RADIUS]
    order = np.argsort(-half, kind="stable")
    length, width, radius = half[order]
    if record[KIND] in (CYLINDER, CONE) and order[0] == 2:
        width, radius = 0.0, width  # it stands: all of it is that near to its axis
    elif record[KIND] == ELLIPSOID:
        # A point of it is that of the ball on the shortest axis, and what the longer two add to that.
        length, width = length - radius, width - radius
    row[ALONG:HALF_LENGTH] = np.eye(3)[order].reshape(-1)
    row[HALF_LENGTH], row[HALF_WIDTH], row[VOLUME_RADIUS], row[VOLUME_REACH] = (
        length,
        width,
        radius,
        record[REACH],
    )


@kernel
def triangle_shape(triangles: Array, i: int) -> Convex:
    """One of an array of triangles (n, N_TRIANGLE) as a shape; the array, flat, is its pool."""
    row = triangles[i]
    reach = max(
        max(norm((row[0], row[1], row[2])), norm((row[3], row[4], row[5]))), norm((row[6], row[7], row[8]))
    )
    # Not plain numbers: functions are compiled for a constant argument apart.
    kind, n_points, n_cells = int(np.int64(HULL)), int(np.int64(N_CORNERS)), int(np.int64(0))
    first = int(np.int64(N_TRIANGLE * i))
    return Convex(kind, (0.0, 0.0, 0.0), radius_of(triangles, i), reach, first, n_points, n_cells)


@kernel
def volume_shape(volume: Volume, pool: Array) -> Convex:
    """A volume as a shape: a rectangle, whose corners go into a pool (12,), and the radius around it."""
    u, v = scale(volume.half_length, volume.along), scale(volume.half_width, volume.across)
    p, q, reach = add(u, v), sub(u, v), 0.0
    corners = (
        add(volume.center, p),
        add(volume.center, q),
        sub(volume.center, p),
        sub(volume.center, q),
    )
    for i in range(N_RECTANGLE):
        for k in range(3):
            pool[3 * i + k] = corners[i][k]
        reach = max(reach, norm(corners[i]))
    kind, first = int(np.int64(HULL)), int(np.int64(0))
    n_points, n_cells = int(np.int64(N_RECTANGLE)), int(np.int64(0))
    return Convex(kind, (0.0, 0.0, 0.0), volume.radius, reach, first, n_points, n_cells)
