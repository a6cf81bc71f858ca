"""Values and gradients of a field: find the cell, and interpolate between its corners.

Many points go down the octree side by side, a level at a time: none waits for another's memory, and nothing
depends on how deep a leaf is, which a processor cannot guess. It takes half the time of one after the other.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array, Ids
from firstcontact.fields.octree import DEEPEST, Octree
from firstcontact.scalar.vec3 import Vec3, dot, norm, scale

# Points from which several threads are worth their start.
WORTH_A_THREAD = 16384

# Points that go down side by side.
BLOCK = 256


class Descent(NamedTuple):
    """Points on their way down, BLOCK of them.

    places : (3, BLOCK) in cubes of the grid from its lowest corner, within the box
    outs : (3, BLOCK) vectors from there to the points, which are zero in the box
    cells : (3, BLOCK) the smallest cell that there can be at each place
    links, depths : (BLOCK,) where each has arrived, and how deep that is
    """

    places: Array
    outs: Array
    cells: Ids
    links: Ids
    depths: Ids


def _descent() -> Descent:
    ids = np.empty((3, BLOCK), np.int32), np.empty(BLOCK, np.int32), np.empty(BLOCK, np.int32)
    return Descent(np.empty((3, BLOCK)), np.empty((3, BLOCK)), *ids)


def field_values(octree: Octree, points: Array) -> Array:
    """Values at points (n, 3)."""
    values = np.empty(len(points))

    def task(first: int, last: int) -> None:
        _value_range(octree, points, values, _descent(), (first, last))

    on_ranges(task, len(points), WORTH_A_THREAD)
    return values


def field_gradients(octree: Octree, points: Array) -> tuple[Array, Array]:
    """Values (n,) and gradients (n, 3) at points (n, 3)."""
    values, gradients = np.empty(len(points)), np.empty((len(points), 3))

    def task(first: int, last: int) -> None:
        _gradient_range(octree, points, values, gradients, _descent(), (first, last))

    on_ranges(task, len(points), WORTH_A_THREAD)
    return values, gradients


@driver
def _value_range(
    octree: Octree, points: Array, values: Array, descent: Descent, span: tuple[int, int]
) -> None:
    for start in range(span[0], span[1], BLOCK):
        n = min(BLOCK, span[1] - start)
        _go_down(octree, points, start, n, descent)
        for i in range(n):
            leaf, local, _ = _arrived(descent, i)
            values[start + i] = _value_in(octree, leaf, local, _out_of(descent, i))


@driver
def _gradient_range(
    octree: Octree, points: Array, values: Array, gradients: Array, descent: Descent, span: tuple[int, int]
) -> None:
    for start in range(span[0], span[1], BLOCK):
        n = min(BLOCK, span[1] - start)
        _go_down(octree, points, start, n, descent)
        for i in range(n):
            leaf, local, size = _arrived(descent, i)
            value, g = _gradient_in(octree, leaf, local, size, _out_of(descent, i))
            values[start + i] = value
            gradients[start + i, 0], gradients[start + i, 1], gradients[start + i, 2] = g


@kernel
def _go_down(octree: Octree, points: Array, start: int, n: int, descent: Descent) -> None:
    """Bring n points, from one on, to their leaves."""
    links, cells, arrived, depths = octree.links, descent.cells, descent.links, descent.depths
    (a, b, c), steps = octree.grid.shape, float(1 << DEEPEST)
    for i in range(n):
        place, out = _into_box(octree, (points[start + i, 0], points[start + i, 1], points[start + i, 2]))
        # On the upper border of the box, the last cell is the one at hand.
        x = np.int32(min(place[0] * steps, a * steps - 1.0))
        y = np.int32(min(place[1] * steps, b * steps - 1.0))
        z = np.int32(min(place[2] * steps, c * steps - 1.0))
        for k in range(3):
            descent.places[k, i], descent.outs[k, i] = place[k], out[k]
        cells[0, i], cells[1, i], cells[2, i] = x, y, z
        arrived[i] = links[((x >> DEEPEST) * b + (y >> DEEPEST)) * c + (z >> DEEPEST)]
        depths[i] = 0
    shift, n_inner = DEEPEST, n
    while n_inner > 0:
        shift, n_inner = shift - 1, 0
        for i in range(n):
            link = arrived[i]
            is_inner = np.int32(link >= 0)
            x, y, z = cells[0, i] >> shift & 1, cells[1, i] >> shift & 1, cells[2, i] >> shift & 1
            below = links[(link + x + 2 * y + 4 * z) * is_inner]  # of a leaf any link, which nobody looks at
            arrived[i] = below if is_inner else link
            depths[i] += is_inner
            n_inner += int(is_inner)


@kernel
def _arrived(descent: Descent, i: int) -> tuple[int, Vec3, float]:
    """Leaf of a point, where in it that is, in [0, 1] cubed, and the cubes in its width."""
    depth = descent.depths[i]
    n, shift = float(1 << depth), DEEPEST - depth
    x = descent.places[0, i] * n - float(descent.cells[0, i] >> shift)
    y = descent.places[1, i] * n - float(descent.cells[1, i] >> shift)
    z = descent.places[2, i] * n - float(descent.cells[2, i] >> shift)
    return -1 - descent.links[i], (x, y, z), 1.0 / n


@kernel
def _out_of(descent: Descent, i: int) -> Vec3:
    return descent.outs[0, i], descent.outs[1, i], descent.outs[2, i]


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
    leaf, local, _ = leaf_at(octree, place)
    return _value_in(octree, leaf, local, out)


@kernel
def _value_in(octree: Octree, leaf: int, local: Vec3, out: Vec3) -> float:
    """Value at a place of a leaf, or out of the box from there."""
    (x, y, z), v = local, octree.values[leaf]
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
    leaf, local, size = leaf_at(octree, place)
    return _gradient_in(octree, leaf, local, size, out)


@kernel
def _gradient_in(octree: Octree, leaf: int, local: Vec3, size: float, out: Vec3) -> tuple[float, Vec3]:
    """Value and derivative at a place of a leaf, or out of the box from there."""
    (x, y, z), v = local, octree.values[leaf]
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
