"""Pairs of bodies that images of their depth keep apart.

After CULLIDE and FAR: seen along an axis, two bodies that touch in a point have it in a common pixel, and the
depths of both hold it. So where the depths of the two are apart in every pixel of an image along one of three
axes, they do not touch. No pixel is sampled: each part of a body, the hull of a few points and all within a
radius of it, marks every pixel that it can reach, with bounds of all its depths there. That is FAR's offset,
and more: the radius also holds what rounding, turns and separations ask for. Each body has its nearest and
its farthest depth, so that one inside of another stays its candidate.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import INFINITY, Array, Flags, Ids, Keys

# Pixels along a side of the image of a pair.
SIDE = 32

# Points whose hull a part is: of a triangle, where it starts and where it ends; of a box, its corners.
N_POINTS = 8

# A triangle that is seen steeper than that has only the bounds of its own box as depths.
STEEP = 0.125

# Coordinates are a rounding or two off: places are widened by more, as a part of the largest.
ROUNDINGS = 2.0**-44

# Rows of what is known of a pixel: of either body, the least depth and the greatest.
LEAST_A, MOST_A, LEAST_B, MOST_B = range(4)


class Shown(NamedTuple):
    """Bodies in parts.

    points : (n, N_POINTS, 3); of a triangle the first three are its corners at the start
    boxes : (n, 6), around the points and all within the radius
    radii : (n,)
    firsts : (n_bodies + 1,), where the parts of each body begin
    bounds : (n_bodies, 6)
    """

    points: Array
    boxes: Array
    radii: Array
    firsts: Keys
    bounds: Array


def shown(points: Array, radii: Array, firsts: Keys) -> Shown:
    """Bound the parts of bodies, each of which has one at least."""
    largest = np.abs(points).max(initial=0.0) + radii.max(initial=0.0)
    wide = (radii + ROUNDINGS * largest)[:, np.newaxis]
    boxes = np.concatenate([points.min(axis=1) - wide, points.max(axis=1) + wide], axis=1)
    lower = np.minimum.reduceat(boxes[:, :3], firsts[:-1])
    upper = np.maximum.reduceat(boxes[:, 3:], firsts[:-1])
    return Shown(points, boxes, wide[:, 0].copy(), firsts, np.concatenate([lower, upper], axis=1))


def may_touch(bodies: Shown, pairs: Ids) -> Flags:
    """Which pairs (m, 2) of bodies are not kept apart by any of their three images?"""
    found = np.ones(len(pairs), np.bool_)
    on_ranges(lambda first, last: _look(bodies, pairs[first:last], found[first:last]), len(pairs), 16)
    return found


@driver
def _look(bodies: Shown, pairs: Ids, found: Flags) -> None:
    depths = np.empty((4, SIDE, SIDE))
    for k in range(len(pairs)):
        i, j = pairs[k, 0], pairs[k, 1]
        for axis in range(3):
            if found[k]:
                found[k] = _meet_in_image(bodies, i, j, axis, depths)


@kernel
def _meet_in_image(bodies: Shown, i: int, j: int, axis: int, depths: Array) -> bool:
    """Is there a pixel, where the boxes of both bodies are, in which their depths have a common one?"""
    u, v, bounds = (axis + 1) % 3, (axis + 2) % 3, bodies.bounds
    low_u, high_u = max(bounds[i, u], bounds[j, u]), min(bounds[i, u + 3], bounds[j, u + 3])
    low_v, high_v = max(bounds[i, v], bounds[j, v]), min(bounds[i, v + 3], bounds[j, v + 3])
    if not (low_u <= high_u and low_v <= high_v):
        return False
    window = (low_u, low_v, (high_u - low_u) / SIDE, (high_v - low_v) / SIDE)
    depths[LEAST_A], depths[MOST_A] = INFINITY, -INFINITY
    depths[LEAST_B], depths[MOST_B] = INFINITY, -INFINITY
    _draw(bodies, i, axis, window, depths[LEAST_A], depths[MOST_A])
    _draw(bodies, j, axis, window, depths[LEAST_B], depths[MOST_B])
    for p in range(SIDE):
        for q in range(SIDE):
            least = max(depths[LEAST_A, p, q], depths[LEAST_B, p, q])
            if least <= min(depths[MOST_A, p, q], depths[MOST_B, p, q]):
                return True
    return False


@kernel
def _draw(
    bodies: Shown, i: int, axis: int, window: tuple[float, float, float, float], least: Array, most: Array
) -> None:
    """Let all parts of a body mark the pixels of a window."""
    u, v, boxes = (axis + 1) % 3, (axis + 2) % 3, bodies.boxes
    low_u, low_v, size_u, size_v = window
    for k in range(bodies.firsts[i], bodies.firsts[i + 1]):
        if boxes[k, u] > low_u + SIDE * size_u or boxes[k, u + 3] < low_u:
            continue
        if boxes[k, v] > low_v + SIDE * size_v or boxes[k, v + 3] < low_v:
            continue
        slopes = _slopes(bodies.points, k, axis)
        first, last = _cells(boxes[k, u], boxes[k, u + 3], low_u, size_u)
        begin, end = _cells(boxes[k, v], boxes[k, v + 3], low_v, size_v)
        wide = 0.5 * size_u, 0.5 * size_v
        normals, ends = _slabs(bodies.points, k, axis)
        lift = _span(bodies.points, k, (-slopes[0], -slopes[1], 1.0), axis)
        around = bodies.radii[k] * sqrt(1.0 + slopes[0] * slopes[0] + slopes[1] * slopes[1])
        around += abs(slopes[0]) * wide[0] + abs(slopes[1]) * wide[1]
        for p in range(first, last):
            for q in range(begin, end):
                place = low_u + (p + 0.5) * size_u, low_v + (q + 0.5) * size_v
                if not _is_reached(normals, ends, place, wide, bodies.radii[k]):
                    continue
                middle = slopes[0] * place[0] + slopes[1] * place[1]
                least[p, q] = min(least[p, q], max(middle + lift[0] - around, boxes[k, axis]))
                most[p, q] = max(most[p, q], min(middle + lift[1] + around, boxes[k, axis + 3]))


@kernel
def _cells(low: float, high: float, origin: float, size: float) -> tuple[int, int]:
    """The pixels that an interval may meet, one more on either side for what rounding does."""
    if size == 0.0:
        return 0, SIDE
    first, last = (low - origin) / size - 1.0, (high - origin) / size + 2.0
    return int(min(max(first, 0.0), float(SIDE))), int(max(min(last, float(SIDE)), 0.0))


@kernel
def _slopes(points: Array, k: int, axis: int) -> tuple[float, float]:
    """How the depth of a triangle grows along both sides of the image; flat where it is steep, or none."""
    u, v = (axis + 1) % 3, (axis + 2) % 3
    au, av, aw = (
        points[k, 1, u] - points[k, 0, u],
        points[k, 1, v] - points[k, 0, v],
        points[k, 1, axis] - points[k, 0, axis],
    )
    bu, bv, bw = (
        points[k, 2, u] - points[k, 0, u],
        points[k, 2, v] - points[k, 0, v],
        points[k, 2, axis] - points[k, 0, axis],
    )
    nu, nv, nw = av * bw - aw * bv, aw * bu - au * bw, au * bv - av * bu
    size = sqrt(nu * nu + nv * nv + nw * nw)
    if not abs(nw) > STEEP * size:
        return 0.0, 0.0
    return -nu / nw, -nv / nw


@kernel
def _span(points: Array, k: int, way: tuple[float, float, float], axis: int) -> tuple[float, float]:
    """How far a part reaches along a direction, given by its parts to the side, up, and in depth."""
    u, v = (axis + 1) % 3, (axis + 2) % 3
    low, high = INFINITY, -INFINITY
    for n in range(N_POINTS):
        x = way[0] * points[k, n, u] + way[1] * points[k, n, v] + way[2] * points[k, n, axis]
        low, high = min(low, x), max(high, x)
    return low, high


Three = tuple[tuple[float, float], tuple[float, float], tuple[float, float]]


@kernel
def _slabs(points: Array, k: int, axis: int) -> tuple[Three, Three]:
    """Unit normals of the first three sides as they are seen, and how far the part reaches along each."""
    one, other, third = (
        _side(points, k, 0, 1, axis),
        _side(points, k, 1, 2, axis),
        _side(points, k, 2, 0, axis),
    )
    ends = (
        _span(points, k, (one[0], one[1], 0.0), axis),
        _span(points, k, (other[0], other[1], 0.0), axis),
        _span(points, k, (third[0], third[1], 0.0), axis),
    )
    return (one, other, third), ends


@kernel
def _side(points: Array, k: int, m: int, n: int, axis: int) -> tuple[float, float]:
    """A unit vector across a side as it is seen; any will do, and it has one where that is a point."""
    u, v = (axis + 1) % 3, (axis + 2) % 3
    x, y = points[k, n, v] - points[k, m, v], points[k, m, u] - points[k, n, u]
    size = sqrt(x * x + y * y)
    return (x / size, y / size) if size > 0.0 else (1.0, 0.0)


@kernel
def _is_reached(
    normals: Three, ends: Three, place: tuple[float, float], wide: tuple[float, float], radius: float
) -> bool:
    """Can a part reach a pixel, as far as three directions tell?"""
    for i in range(3):
        x, y = normals[i]
        low, high = ends[i]
        at = x * place[0] + y * place[1]
        around = 1.0001 * (abs(x) * wide[0] + abs(y) * wide[1] + radius)
        if at < low - around or at > high + around:
            return False
    return True
