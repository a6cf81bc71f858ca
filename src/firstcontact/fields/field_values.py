"""Values and gradients of a field: find the cell, and interpolate between its corners."""

from math import sqrt

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array
from firstcontact.fields.octree import Octree
from firstcontact.scalar.vec3 import Vec3, dot, norm, scale

# Points from which several threads are worth their start.
WORTH_A_THREAD = 16384


def field_values(octree: Octree, points: Array) -> Array:
    """Values at points (n, 3)."""
    values = np.empty(len(points))
    on_ranges(
        lambda first, last: _value_range(octree, points, values, first, last), len(points), WORTH_A_THREAD
    )
    return values


def field_gradients(octree: Octree, points: Array) -> tuple[Array, Array]:
    """Values (n,) and gradients (n, 3) at points (n, 3)."""
    values, gradients = np.empty(len(points)), np.empty((len(points), 3))

    def task(first: int, last: int) -> None:
        _gradient_range(octree, points, values, gradients, (first, last))

    on_ranges(task, len(points), WORTH_A_THREAD)
    return values, gradients


@driver
def _value_range(octree: Octree, points: Array, values: Array, first: int, last: int) -> None:
    for i in range(first, last):
        values[i] = value_at(octree, (points[i, 0], points[i, 1], points[i, 2]))


@driver
def _gradient_range(
    octree: Octree, points: Array, values: Array, gradients: Array, span: tuple[int, int]
) -> None:
    for i in range(span[0], span[1]):
        value, g = gradient_at(octree, (points[i, 0], points[i, 1], points[i, 2]))
        values[i] = value
        gradients[i, 0], gradients[i, 1], gradients[i, 2] = g


@kernel
def _into_box(octree: Octree, p: Vec3) -> tuple[Vec3, Vec3]:
    """Closest point of the box, in cubes from its lowest corner; and the vector from it, in lengths."""
    grid = octree.grid
    part = 1.0 / grid.width  # exact: a power of two
    x, y, z = p[0] - grid.lower[0], p[1] - grid.lower[1], p[2] - grid.lower[2]
    a, b, c = grid.shape
    u, v, w = min(max(x * part, 0.0), a), min(max(y * part, 0.0), b), min(max(z * part, 0.0), c)
    return (u, v, w), (x - u * grid.width, y - v * grid.width, z - w * grid.width)


@kernel
def leaf_at(octree: Octree, place: Vec3) -> tuple[int, Vec3, float]:
    """Leaf at a place, in cubes; where in it the place is, in [0, 1] cubed; and the cubes in its width."""
    a, b, c = octree.grid.shape
    i, j, k = min(int(place[0]), a - 1), min(int(place[1]), b - 1), min(int(place[2]), c - 1)
    x, y, z = place[0] - i, place[1] - j, place[2] - k
    link, size = octree.links[(i * b + j) * c + k], 1.0
    while link >= 0:
        x, y, z, size = 2.0 * x, 2.0 * y, 2.0 * z, 0.5 * size
        i, j, k = x >= 1.0, y >= 1.0, z >= 1.0
        x, y, z = x - i, y - j, z - k
        link = octree.links[link + i + 2 * j + 4 * k]
    return -1 - link, (x, y, z), size


@kernel
def value_at(octree: Octree, p: Vec3) -> float:
    """Value of a field at a point; outside its box by the closest point of that."""
    place, out = _into_box(octree, p)
    leaf, (x, y, z), _ = leaf_at(octree, place)
    v = octree.values[leaf]
    a, b = _mix(v[0], v[1], x), _mix(v[2], v[3], x)
    c, d = _mix(v[4], v[5], x), _mix(v[6], v[7], x)
    value = _mix(_mix(a, b, y), _mix(c, d, y), z)
    if out[0] == 0.0 and out[1] == 0.0 and out[2] == 0.0:
        return value
    return sqrt(dot(out, out) + max(value, 0.0) ** 2)


@kernel
def _mix(a: float, b: float, t: float) -> float:
    """Value between a (t = 0) and b (t = 1): never beyond either."""
    first, last = float(a), float(b)
    return first + t * (last - first)


@kernel
def gradient_at(octree: Octree, p: Vec3) -> tuple[float, Vec3]:
    """Value of a field at a point, and its derivative there."""
    place, out = _into_box(octree, p)
    leaf, (x, y, z), size = leaf_at(octree, place)
    v = octree.values[leaf]
    a, b = _mix(v[0], v[1], x), _mix(v[2], v[3], x)
    c, d = _mix(v[4], v[5], x), _mix(v[6], v[7], x)
    e, f = _mix(a, b, y), _mix(c, d, y)
    part = 1.0 / (size * octree.grid.width)
    along_x = _mix(
        _mix(float(v[1]) - float(v[0]), float(v[3]) - float(v[2]), y),
        _mix(float(v[5]) - float(v[4]), float(v[7]) - float(v[6]), y),
        z,
    )
    value, g = _mix(e, f, z), (part * along_x, part * _mix(b - a, d - c, z), part * (f - e))
    away = norm(out)
    if away == 0.0:
        return value, g
    # Along the axes that the point is beyond, the closest point of the box does not move.
    inner = max(value, 0.0)
    outer = sqrt(away * away + inner * inner)
    g = (
        0.0 if out[0] != 0.0 else g[0],
        0.0 if out[1] != 0.0 else g[1],
        0.0 if out[2] != 0.0 else g[2],
    )
    part = inner / outer
    return outer, (
        out[0] / outer + part * g[0],
        out[1] / outer + part * g[1],
        out[2] / outer + part * g[2],
    )


@kernel
def unit_or(g: Vec3, other: Vec3) -> Vec3:
    """Vector of length one along g, or another one where g has no direction."""
    length = norm(g)
    return scale(1.0 / length, g) if length > 0.0 else other
