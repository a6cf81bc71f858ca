"""Points that a field says are near its shape, with what a force needs: value, first and second derivatives.

In a leaf the field is trilinear: its second derivatives along one axis are zero, those along two are not.
Outside the box it is ``q = sqrt(o^2 + m^2)``, o being the vector from the closest point of the box, which has
parts along the axes that the point is beyond, and m the value there, where positive, which has derivatives
along the others. So ``q H = D + grad m grad m^T + m H_m - grad q grad q^T``, D being one along the first.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Ids
from firstcontact.fields.field_values import field_values, gradient_at, leaf_at
from firstcontact.fields.octree import Octree
from firstcontact.scalar.vec3 import Vec3

# Second derivatives: along x and x, x and y, and so on.
Symmetric = tuple[float, float, float, float, float, float]

XX, XY, XZ, YY, YZ, ZZ = range(6)
N_SECONDS = 6

# Where they are in a matrix.
ROWS_OF = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]])


class NearField(NamedTuple):
    """Points at which a field is at most some value.

    ids : (n,) int32, which they are
    values : (n,) of the field
    gradients, hessians : (n, 3), (n, 3, 3), its derivatives
    """

    ids: Ids
    values: Array
    gradients: Array
    hessians: Array


def near_field(octree: Octree, points: Array, limits: Array) -> NearField:
    """List the points (n, 3) at which a field is at most a limit, (n,)."""
    values = field_values(octree, points)
    ids = np.flatnonzero(values <= limits).astype(np.int32)
    gradients, seconds = np.empty((len(ids), 3)), np.empty((len(ids), N_SECONDS))
    _differentiate(octree, np.ascontiguousarray(points[ids]), gradients, seconds)
    return NearField(ids, values[ids], gradients, seconds[:, ROWS_OF])


@driver
def _differentiate(octree: Octree, points: Array, gradients: Array, seconds: Array) -> None:
    for i in range(len(points)):
        p = points[i, 0], points[i, 1], points[i, 2]
        _, g = gradient_at(octree, p)
        gradients[i, 0], gradients[i, 1], gradients[i, 2] = g
        found = seconds_at(octree, p, g)
        seconds[i, XX], seconds[i, XY], seconds[i, XZ] = found[XX], found[XY], found[XZ]
        seconds[i, YY], seconds[i, YZ], seconds[i, ZZ] = found[YY], found[YZ], found[ZZ]


@kernel
def seconds_at(octree: Octree, p: Vec3, g: Vec3) -> Symmetric:
    """Second derivatives of a field at a point, where its gradient is g."""
    grid = octree.grid
    part = 1.0 / grid.width
    x, y, z = p[0] - grid.lower[0], p[1] - grid.lower[1], p[2] - grid.lower[2]
    a, b, c = grid.shape
    place = min(max(x * part, 0.0), a), min(max(y * part, 0.0), b), min(max(z * part, 0.0), c)
    inner, xy, xz, yz = _in_leaf(octree, place)
    dx, dy, dz = x - place[0] * grid.width, y - place[1] * grid.width, z - place[2] * grid.width
    if dx == 0.0 and dy == 0.0 and dz == 0.0:
        return 0.0, xy, xz, 0.0, yz, 0.0
    m = max(inner, 0.0)
    q = sqrt(dx * dx + dy * dy + dz * dz + m * m)
    # Along the axes that the point is beyond, the value at the closest point of the box does not change.
    ox, oy, oz = dx != 0.0, dy != 0.0, dz != 0.0
    scale = q / m if m > 0.0 else 0.0
    mx, my, mz = 0.0 if ox else scale * g[0], 0.0 if oy else scale * g[1], 0.0 if oz else scale * g[2]
    mxy, mxz, myz = 0.0 if ox or oy else xy, 0.0 if ox or oz else xz, 0.0 if oy or oz else yz
    return (
        ((1.0 if ox else 0.0) + mx * mx - g[0] * g[0]) / q,
        (mx * my + m * mxy - g[0] * g[1]) / q,
        (mx * mz + m * mxz - g[0] * g[2]) / q,
        ((1.0 if oy else 0.0) + my * my - g[1] * g[1]) / q,
        (my * mz + m * myz - g[1] * g[2]) / q,
        ((1.0 if oz else 0.0) + mz * mz - g[2] * g[2]) / q,
    )


@kernel
def _in_leaf(octree: Octree, place: Vec3) -> tuple[float, float, float, float]:
    """Value at a place, in cubes, and its derivatives along x and y, x and z, y and z."""
    leaf, (x, y, z), size = leaf_at(octree, place)
    v = octree.values[leaf]
    part = 1.0 / (size * octree.grid.width)
    v0, v1, v2, v3 = float(v[0]), float(v[1]), float(v[2]), float(v[3])
    v4, v5, v6, v7 = float(v[4]), float(v[5]), float(v[6]), float(v[7])
    low, high = _between(v0, v1, v2, v3, x, y), _between(v4, v5, v6, v7, x, y)
    xy, xy_up = v3 - v2 - v1 + v0, v7 - v6 - v5 + v4
    xz, xz_up = v5 - v4 - v1 + v0, v7 - v6 - v3 + v2
    yz, yz_up = v6 - v4 - v2 + v0, v7 - v5 - v3 + v1
    square = part * part
    return (
        low + z * (high - low),
        square * (xy + z * (xy_up - xy)),
        square * (xz + y * (xz_up - xz)),
        square * (yz + x * (yz_up - yz)),
    )


@kernel
def _between(a: float, b: float, c: float, d: float, x: float, y: float) -> float:
    """Value in a square with these at its corners."""
    low, high = a + x * (b - a), c + x * (d - c)
    return low + y * (high - low)
