"""Swept sphere volumes: all points within a radius of a rectangle, of a segment, or of a point.

One form serves all three: a segment is a rectangle of no width, a point one of no length either. They are
fitted as in Larsen, Gottschalk, Lin, Manocha, "Fast proximity queries with swept sphere volumes", 1999: the
axes are those of the points' covariance, the radius is half the extent along the thinnest, the rectangle is
what is left of the other two. Corners that stick out make the radius larger, and never the fit wrong.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.scalar.eigenvectors import Symmetric3, principal_axes
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, scale, sub

# Columns of an array of volumes, as `Volume` has them.
CENTER, ALONG, ACROSS, NORMAL, HALF_LENGTH, HALF_WIDTH, RADIUS, REACH = 0, 3, 6, 9, 12, 13, 14, 15
N_COLUMNS = 16


class Volume(NamedTuple):
    """All points within `radius` of a rectangle.

    along, across : unit vectors along its sides
    normal : unit vector, at right angles to both
    half_length, half_width : of the rectangle; a segment has no width, a point no length
    reach : no point that the volume was fitted to is farther from its center
    """

    center: Vec3
    along: Vec3
    across: Vec3
    normal: Vec3
    half_length: float
    half_width: float
    radius: float
    reach: float


@kernel
def volume_of(rows: Array, i: int) -> Volume:
    """Read one of an array of volumes."""
    return Volume(
        (rows[i, CENTER], rows[i, CENTER + 1], rows[i, CENTER + 2]),
        (rows[i, ALONG], rows[i, ALONG + 1], rows[i, ALONG + 2]),
        (rows[i, ACROSS], rows[i, ACROSS + 1], rows[i, ACROSS + 2]),
        (rows[i, NORMAL], rows[i, NORMAL + 1], rows[i, NORMAL + 2]),
        rows[i, HALF_LENGTH],
        rows[i, HALF_WIDTH],
        rows[i, RADIUS],
        rows[i, REACH],
    )


@driver
def fit_volumes(points: Array, ranges: NDArray[np.int64], rows: Array, first: int, last: int) -> None:
    """Fit volumes [first, last), each to the points (n, 3) of its range.

    They hold the points, and so their hull, up to a few roundings of the coordinates' size.
    """
    room = np.empty((2, 3, 3))
    for i in range(first, last):
        own = points[ranges[i, 0] : ranges[i, 1]]
        mean = _mean(own)
        axes = principal_axes(_covariance(own, mean), room)
        along, across = (axes[0], axes[1], axes[2]), (axes[3], axes[4], axes[5])
        normal = cross(along, across)
        middle = _fit(own, mean, (along, across, normal), rows[i])
        flat = add(scale(middle[0], along), scale(middle[1], across))
        center = add(mean, add(flat, scale(middle[2], normal)))
        for k in range(3):
            rows[i, CENTER + k], rows[i, ALONG + k] = center[k], along[k]
            rows[i, ACROSS + k], rows[i, NORMAL + k] = across[k], normal[k]


@kernel
def _mean(points: Array) -> Vec3:
    x, y, z, share = 0.0, 0.0, 0.0, 1.0 / len(points)
    for i in range(len(points)):
        x, y, z = x + share * points[i, 0], y + share * points[i, 1], z + share * points[i, 2]
    return x, y, z


@kernel
def _covariance(points: Array, mean: Vec3) -> Symmetric3:
    """Return xx, xy, xz, yy, yz, zz."""
    xx, xy, xz, yy, yz, zz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(len(points)):
        x, y, z = points[i, 0] - mean[0], points[i, 1] - mean[1], points[i, 2] - mean[2]
        xx, xy, xz = xx + x * x, xy + x * y, xz + x * z
        yy, yz, zz = yy + y * y, yz + y * z, zz + z * z
    return xx, xy, xz, yy, yz, zz


@kernel
def _fit(points: Array, mean: Vec3, axes: tuple[Vec3, Vec3, Vec3], row: Array) -> Vec3:
    """Write the sizes of a volume with these axes; return its center, along them, from the mean."""
    low, high = INFINITY, -INFINITY
    for i in range(len(points)):
        z = _coordinates(points, i, mean, axes)[2]
        low, high = min(low, z), max(high, z)
    middle_z, radius = 0.5 * (low + high), 0.5 * (high - low)
    low_x, high_x, low_y, high_y = INFINITY, -INFINITY, INFINITY, -INFINITY
    for i in range(len(points)):
        x, y, z = _coordinates(points, i, mean, axes)
        # The sphere covers this much beyond the rectangle, at this height.
        overhang = sqrt(max(radius * radius - (z - middle_z) * (z - middle_z), 0.0))
        low_x, high_x = min(low_x, x + overhang), max(high_x, x - overhang)
        low_y, high_y = min(low_y, y + overhang), max(high_y, y - overhang)
    middle_x, half_x = 0.5 * (low_x + high_x), max(0.5 * (high_x - low_x), 0.0)
    middle_y, half_y = 0.5 * (low_y + high_y), max(0.5 * (high_y - low_y), 0.0)
    radius_squared, reach_squared = 0.0, 0.0
    for i in range(len(points)):
        x, y, z = sub(_coordinates(points, i, mean, axes), (middle_x, middle_y, middle_z))
        over_x, over_y = max(abs(x) - half_x, 0.0), max(abs(y) - half_y, 0.0)
        radius_squared = max(radius_squared, over_x * over_x + over_y * over_y + z * z)
        reach_squared = max(reach_squared, x * x + y * y + z * z)
    row[HALF_LENGTH], row[HALF_WIDTH] = half_x, half_y
    row[RADIUS], row[REACH] = sqrt(radius_squared), sqrt(reach_squared)
    return middle_x, middle_y, middle_z


@kernel
def _coordinates(points: Array, i: int, mean: Vec3, axes: tuple[Vec3, Vec3, Vec3]) -> Vec3:
    """Coordinates of a point along the axes, from the mean."""
    p = points[i, 0] - mean[0], points[i, 1] - mean[1], points[i, 2] - mean[2]
    return dot(p, axes[0]), dot(p, axes[1]), dot(p, axes[2])
