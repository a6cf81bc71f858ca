"""The closest point of a mesh to each of many points.

Boxes and triangles are measured eight at a time in single precision. That only says which triangles may be
the closest: these few are measured in doubles, and the nearest of them, of the smallest number where several
are as near, is the answer. The limits below are derived in docs/points.md.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact._lanes import LANE, LINKS, WIDTH, Singles, bits_of, lowest_bit, measure_leaf, push_nearest
from firstcontact.arrays import INFINITY, Array, Ids, Keys
from firstcontact.bodies.point_body import PointBody, corners_at
from firstcontact.narrowphase.triangles.nearest_on_triangle import nearest_on_triangle
from firstcontact.proximity.points.point_order import point_order
from firstcontact.scalar.vec3 import Vec3, dot, sub

# Points from which another thread is worth its start.
WORTH_A_THREAD = 512

# Triangles that may be the closest to one point: where there are more, doubles alone are used.
MOST_CANDIDATES = 64

# Points farther from the middle than this, in units of the tree, are measured in doubles alone: in singles,
# most of a mesh is as far away as the rest.
FARTHEST = 64.0

# What a distance in singles may be off by: a part of the distance and of the longest side, 64 roundings, and
# a part of the tree's size, 8 of them. A limit takes four times that, since two distances are compared.
SINGLE = 2.0**-24
RELATIVE, ABSOLUTE = 4.0 * 64.0 * SINGLE, 4.0 * 8.0 * SINGLE

# The same in doubles, where boxes are exact: parts of the distance, and of the point's coordinates.
DOUBLE = 2.0**-48

LOW_HALF = (1 << 32) - 1


class OnMesh(NamedTuple):
    """What is closest to n points.

    places : (n,) int32, of the triangle in the body; -1 where there is none
    weights : (n, 2), of its second and its third corner
    offsets : (n, 3), from the closest point to the point, in the body's frame
    distances : (n,), their lengths; inf where there is no triangle
    """

    places: Ids
    weights: Array
    offsets: Array
    distances: Array


class PointScratch(NamedTuple):
    """What a search works in.

    stack : blocks and leaves to look into: see `_lanes.push_nearest_plain`
    room : (WIDTH,) distances of the triangles of a leaf, squared
    near, near_places : (MOST_CANDIDATES,) distances, squared, and places of the triangles that may be closest
    nears : how far away, squared, what is on the stack is; for searches in doubles
    """

    stack: Keys
    nears: Array
    room: Singles
    near: Singles
    near_places: Ids


class Searched(NamedTuple):
    """Points in the order in which they were searched for, what is closest to each, and which they were."""

    points: Array
    found: OnMesh
    order: Keys


def closest_on_mesh(body: PointBody, points: Array) -> OnMesh:
    """Find the closest point of a mesh to each of the points (n, 3), in the body's frame."""
    searched = search(body, points)
    found, order, in_order = _room(len(points)), searched.order, searched.found
    found.places[order], found.weights[order] = in_order.places, in_order.weights
    found.offsets[order], found.distances[order] = in_order.offsets, in_order.distances
    return found


def search(body: PointBody, points: Array) -> Searched:
    """Find what is closest to each of the points (n, 3), in the body's frame, in an order that is fast."""
    n = len(points)
    order = point_order(points)
    if body.depth == 0:
        nothing = np.full(n, -1, np.int32), np.zeros((n, 2)), np.full((n, 3), np.nan), np.full(n, np.inf)
        return Searched(points, OnMesh(*nothing), order)
    ordered, found = points[order], _room(n)

    def task(first: int, last: int) -> None:
        _find_range(body, ordered, found, first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    return Searched(ordered, found, order)


def _room(n: int) -> OnMesh:
    return OnMesh(np.empty(n, np.int32), np.empty((n, 2)), np.empty((n, 3)), np.empty(n))


@kernel
def _scratch(depth: int) -> PointScratch:
    """Make room for a search: a block is replaced by WIDTH at the most, and WIDTH are written at once."""
    stack = np.empty((WIDTH - 1) * depth + 1 + WIDTH, np.int64)
    near, near_places = np.empty(MOST_CANDIDATES, np.float32), np.empty(MOST_CANDIDATES, np.int32)
    return PointScratch(stack, np.empty(len(stack)), np.empty(WIDTH, np.float32), near, near_places)


@driver
def _find_range(body: PointBody, points: Array, found: OnMesh, first: int, last: int) -> None:
    find_range(body, points, found, first, last)


@kernel
def find_range(body: PointBody, points: Array, found: OnMesh, first: int, last: int) -> None:
    """Find what is closest to the points [first, last), each beginning with what was closest to the last.

    One loop over plain arrays: to hand a tuple of them to a function for each block would take longer.
    """
    blocks, links, leaves, triangles, faces = body.blocks, body.links, body.leaves, body.triangles, body.faces
    scratch = _scratch(body.depth)
    stack, room, near, near_places = scratch.stack, scratch.room, scratch.near, scratch.near_places
    slack = RELATIVE * body.longest + ABSOLUTE
    place, last_point = 0, corners_at(triangles, 0)[0]
    for i in range(first, last):
        p = body.factor * points[i, 0], body.factor * points[i, 1], body.factor * points[i, 2]
        # What was closest to the last point: to measure its triangle instead would take a fifth longer.
        to_last = sub(p, last_point)
        best, wb, wc = dot(to_last, to_last), 0.0, 0.0
        x, y, z = sub(p, body.middle)
        q = np.float32(x), np.float32(y), np.float32(z)
        is_far = max(max(abs(x), abs(y)), abs(z)) > FARTHEST
        nearest = np.float32(best)
        limit = _limit(best, slack)
        best = INFINITY
        bits = bits_of(limit) | LANE
        n, count = 0 if is_far else push_nearest(blocks, 0, q, limit, stack, 0), 0
        while n > 0:
            n -= 1
            key = stack[n] >> 32
            if key > bits:
                continue
            child = links[stack[n] & LOW_HALF, LINKS, key & LANE]
            if child >= 0:
                n = push_nearest(blocks, child, q, limit, stack, n)
                continue
            met = measure_leaf(leaves, ~child, q, limit, room)
            while met != 0:
                k = lowest_bit(met)
                met &= met - 1
                if count == MOST_CANDIDATES:
                    count = _kept(near, near_places, limit)
                if count == MOST_CANDIDATES:
                    n = met = 0
                    is_far = True
                    break
                near[count], near_places[count] = room[k], WIDTH * ~child + k
                count += 1
                if room[k] < nearest:
                    nearest = room[k]
                    limit = min(limit, _limit(nearest, slack))
                    bits = bits_of(limit) | LANE
        for k in range(0 if is_far else count):
            if near[k] <= limit:
                squared, b, c = _measure(triangles, near_places[k], p)
                other = near_places[k]
                if squared < best or (squared == best and faces[other] < faces[place]):
                    best, wb, wc, place = squared, b, c, other
        if is_far or best == INFINITY:
            place = _closest_in_doubles(body, p, place, stack, scratch.nears)
            best, wb, wc = _measure(triangles, place, p)
        last_point = _write(found, i, body, place, p, (wb, wc))


@kernel
def _limit(squared: float, slack: float) -> np.float32:
    """Square of how far away, in singles, what may be the closest can be."""
    farthest = sqrt(squared) * (1.0 + RELATIVE) + slack
    return np.float32(farthest * farthest * (1.0 + 8.0 * SINGLE))


@kernel
def _kept(near: Singles, near_places: Ids, limit: np.float32) -> int:
    """Keep the candidates within a limit; return how many."""
    count = 0
    for k in range(MOST_CANDIDATES):
        if near[k] <= limit:
            near[count], near_places[count] = near[k], near_places[k]
            count += 1
    return count


@kernel
def _measure(triangles: Array, place: int, p: Vec3) -> tuple[float, float, float]:
    """Squared distance of a triangle, and the weights of its second and third corner at the closest point."""
    a, b, c = corners_at(triangles, place)
    wb, wc = nearest_on_triangle(sub(p, a), sub(b, a), sub(c, a))
    offset = _offset(p, a, b, c, wb, wc)
    return dot(offset, offset), wb, wc


@kernel
def _offset(p: Vec3, a: Vec3, b: Vec3, c: Vec3, wb: float, wc: float) -> Vec3:
    """Vector to p from the point of a triangle with these weights; of a corner, in one rounding."""
    if wb == 1.0:
        return sub(p, b)
    if wc == 1.0:
        return sub(p, c)
    ap, ab, ac = sub(p, a), sub(b, a), sub(c, a)
    return (
        ap[0] - (wb * ab[0] + wc * ac[0]),
        ap[1] - (wb * ab[1] + wc * ac[1]),
        ap[2] - (wb * ab[2] + wc * ac[2]),
    )


@kernel
def _write(found: OnMesh, i: int, body: PointBody, place: int, p: Vec3, w: tuple[float, float]) -> Vec3:
    """Say what is closest to point i, in the units that users have; return it in those of the tree."""
    a, b, c = corners_at(body.triangles, place)
    x, y, z = _offset(p, a, b, c, w[0], w[1])
    unit = 1.0 / body.factor
    found.places[i], found.weights[i, 0], found.weights[i, 1] = place, w[0], w[1]
    found.offsets[i, 0], found.offsets[i, 1], found.offsets[i, 2] = unit * x, unit * y, unit * z
    found.distances[i] = unit * sqrt(x * x + y * y + z * z)
    # Not from p, which may be too far away to tell it.
    ab, ac = sub(b, a), sub(c, a)
    x, y, z = w[0] * ab[0] + w[1] * ac[0], w[0] * ab[1] + w[1] * ac[1], w[0] * ab[2] + w[1] * ac[2]
    return a[0] + x, a[1] + y, a[2] + z


@kernel
def _closest_in_doubles(body: PointBody, p: Vec3, place: int, stack: Keys, nears: Array) -> int:
    """Find the place of the closest triangle, from that of any on, with no help of singles but for boxes."""
    blocks, links, triangles, faces = body.blocks, body.links, body.triangles, body.faces
    x, y, z = sub(p, body.middle)
    slack = DOUBLE * (abs(x) + abs(y) + abs(z) + 4.0)
    best = _measure(triangles, place, p)[0]
    limit = (sqrt(best) * (1.0 + DOUBLE) + slack) ** 2
    stack[0], nears[0], n = 0, 0.0, 1
    while n > 0:
        n -= 1
        if nears[n] > limit:
            continue
        block, bottom = stack[n], n
        if block < 0:
            for other in range(WIDTH * ~block, WIDTH * ~block + WIDTH):
                squared = _measure(triangles, other, p)[0] if faces[other] >= 0 else INFINITY
                if squared < best or (squared == best and faces[other] < faces[place]):
                    best, place = squared, other
                    limit = (sqrt(best) * (1.0 + DOUBLE) + slack) ** 2
            continue
        for k in range(WIDTH):
            gx = max(max(blocks[block, 0, k] - x, x - blocks[block, 3, k]), 0.0)
            gy = max(max(blocks[block, 1, k] - y, y - blocks[block, 4, k]), 0.0)
            gz = max(max(blocks[block, 2, k] - z, z - blocks[block, 5, k]), 0.0)
            near = gx * gx + gy * gy + gz * gz
            if near <= limit:
                at = n
                while at > bottom and nears[at - 1] < near:
                    stack[at], nears[at] = stack[at - 1], nears[at - 1]
                    at -= 1
                stack[at], nears[at] = links[block, LINKS, k], near
                n += 1
    return place
