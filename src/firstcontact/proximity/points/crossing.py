"""Does a surface go through itself, or almost? Some edge then meets a face, and not only in its plane."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact._lanes import LINKS, WIDTH
from firstcontact.arrays import Array, Flags, Ids, Keys
from firstcontact.bodies.point_body import PointBody, corners_at, point_body_of
from firstcontact.narrowphase.triangles.piercing import ROOM_SIZE, UNKNOWN, volume_sign
from firstcontact.scalar.vec3 import Triangle, Vec3, cross, dot, sub
from firstcontact.shapes.mesh import Mesh

# Triangles from which another thread is worth its start.
WORTH_A_THREAD = 512


# Triangles this close together, in units of the tree, are near each other: some hundred times as far as
# rounding can mistake one for the other from any point that is not farther away than FARTHEST.
NEAR = 2.0**-38


class SelfContact(NamedTuple):
    """Where a surface meets itself.

    crosses : does an edge meet a face that it has no end in common with, or may it?
    near : (n_places,) is another triangle, with no corner in common, near? Only known where nothing crosses.
    """

    crosses: bool
    near: Flags


class CrossingRoom(NamedTuple):
    """What a search works in: blocks to look into, room for exact signs, and where it says what it found."""

    stack: Keys
    exact: Array
    found: Ids
    near: Flags


def self_contact(mesh: Mesh, faces: NDArray[np.int64]) -> SelfContact:
    """Find out whether a closed mesh crosses itself, and which of its triangles are near others.

    Edges in the plane of a face do not count: where surfaces cross, others do. Decided exactly where numbers
    allow it; where they end, it crosses. Near are all that are, and at times some that are not quite.

    Its faces (m, 3) may have one number for all vertices at one place.
    """
    body, found = point_body_of(mesh), np.zeros(1, np.int32)
    near = np.zeros(len(body.faces), np.bool_)
    if body.depth == 0:
        return SelfContact(False, near)
    ids = faces[body.faces].astype(np.int32)

    def task(first: int, last: int) -> None:
        stack = np.empty((WIDTH - 1) * body.depth + 1, np.int64)
        _look_range(body, ids, CrossingRoom(stack, np.empty(ROOM_SIZE), found, near), first, last)

    on_ranges(task, len(body.faces), WORTH_A_THREAD)
    return SelfContact(bool(found[0]), near)


@driver
def _look_range(body: PointBody, ids: Ids, room: CrossingRoom, first: int, last: int) -> None:
    """Look what the triangles at the places [first, last) are near, and what their edges pass through."""
    blocks, links, faces, triangles = body.blocks, body.links, body.faces, body.triangles
    stack, exact, found, near = room.stack, room.exact, room.found, room.near
    for i in range(first, last):
        if faces[i] < 0:
            continue
        a, b, c = corners_at(triangles, i)
        low, high = _box(sub(a, body.middle), sub(b, body.middle), sub(c, body.middle))
        stack[0], n = 0, int(found[0] == 0)
        while n > 0:
            n -= 1
            block = stack[n]
            if block >= 0:
                for k in range(WIDTH):
                    is_apart = blocks[block, 0, k] > high[0] or blocks[block, 3, k] < low[0]
                    is_apart = is_apart or blocks[block, 1, k] > high[1] or blocks[block, 4, k] < low[1]
                    if not (is_apart or blocks[block, 2, k] > high[2] or blocks[block, 5, k] < low[2]):
                        stack[n] = links[block, LINKS, k]
                        n += 1
                continue
            for j in range(WIDTH * ~block, WIDTH * ~block + WIDTH):
                if faces[j] < 0 or i == j:
                    continue
                if not _share_corner(ids, i, j):
                    if _are_apart(corners_at(triangles, i), corners_at(triangles, j)):
                        continue
                    near[i] = True
                if _passes(triangles, ids, i, j, exact):
                    found[0] = 1
                    return


@kernel
def _box(a: Vec3, b: Vec3, c: Vec3) -> tuple[Vec3, Vec3]:
    """Box of all that may be near a triangle."""
    x, y, z = min(min(a[0], b[0]), c[0]), min(min(a[1], b[1]), c[1]), min(min(a[2], b[2]), c[2])
    low = x - NEAR, y - NEAR, z - NEAR
    x, y, z = max(max(a[0], b[0]), c[0]), max(max(a[1], b[1]), c[1]), max(max(a[2], b[2]), c[2])
    return low, (x + NEAR, y + NEAR, z + NEAR)


@kernel
def _share_corner(ids: Ids, i: int, j: int) -> bool:
    is_shared = False
    for k in range(3):
        for m in range(3):
            is_shared = is_shared or ids[i, k] == ids[j, m]
    return is_shared


@kernel
def _are_apart(s: Triangle, t: Triangle) -> bool:
    """Are two triangles farther apart than NEAR, along an axis, a normal, or across a side in its plane?"""
    a, b, c = t[0], t[1], t[2]
    p, q, r = sub(s[0], a), sub(s[1], a), sub(s[2], a)
    b, c, a = sub(b, a), sub(c, a), (0.0, 0.0, 0.0)
    for axis in range(3):
        low, high = min(min(p[axis], q[axis]), r[axis]), max(max(p[axis], q[axis]), r[axis])
        if max(max(b[axis], c[axis]), 0.0) < low - NEAR or min(min(b[axis], c[axis]), 0.0) > high + NEAR:
            return True
    return _part(p, q, r, a, b, c) or _part(a, b, c, p, q, r)


@kernel
def _part(p: Vec3, q: Vec3, r: Vec3, a: Vec3, b: Vec3, c: Vec3) -> bool:
    """Does a plane along a triangle pqr, or one through a side of it and upright, part it from another?"""
    pq, pr, qr = sub(q, p), sub(r, p), sub(r, q)
    n = cross(pq, pr)
    if _is_gap(n, p, q, r, a, b, c) or _is_gap(cross(n, pq), p, q, r, a, b, c):
        return True
    return _is_gap(cross(n, pr), p, q, r, a, b, c) or _is_gap(cross(n, qr), p, q, r, a, b, c)


@kernel
def _is_gap(g: Vec3, p: Vec3, q: Vec3, r: Vec3, a: Vec3, b: Vec3, c: Vec3) -> bool:
    """Is there a gap of more than NEAR between two triangles along g?"""
    x, y, z, u, v, w = dot(g, p), dot(g, q), dot(g, r), dot(g, a), dot(g, b), dot(g, c)
    low, high = min(min(x, y), z), max(max(x, y), z)
    gap = max(min(min(u, v), w) - high, low - max(max(u, v), w))
    return gap > 0.0 and gap * gap > NEAR * NEAR * dot(g, g)


@kernel
def _passes(triangles: Array, ids: Ids, i: int, j: int, exact: Array) -> bool:
    """Does an edge of the triangle at i, with no end in common with that at j, meet that?"""
    for k in range(3):
        p, q = ids[i, k], ids[i, (k + 1) % 3]
        is_joined = False
        for m in range(3):
            is_joined = is_joined or ids[j, m] == p or ids[j, m] == q
        if is_joined or p > q:  # the other way round, it is an edge of a neighbour
            continue
        if _is_beside(triangles, i, k, j):
            continue
        one, other = 3 * k, 3 * ((k + 1) % 3)
        start = triangles[i, one], triangles[i, one + 1], triangles[i, one + 2]
        end = triangles[i, other], triangles[i, other + 1], triangles[i, other + 2]
        if _meets(start, end, corners_at(triangles, j), exact):
            return True
    return False


@kernel
def _meets(p: Vec3, q: Vec3, t: Triangle, exact: Array) -> bool:
    """Has the edge from p to q, not in the plane of a triangle, a point of it, its border included?"""
    x, y = volume_sign(t[0], t[1], t[2], p, exact), volume_sign(t[0], t[1], t[2], q, exact)
    is_known = x != UNKNOWN and y != UNKNOWN
    if is_known and (x * y > 0 or (x == 0 and y == 0)):
        return False
    has_left = has_right = False
    for i in range(3):
        sign = volume_sign(p, q, t[i], t[(i + 1) % 3], exact)
        has_left, has_right = has_left or sign == 1, has_right or sign == -1
    return not (has_left and has_right)


@kernel
def _is_beside(triangles: Array, i: int, k: int, j: int) -> bool:
    """Is side k of one triangle, along some axis, beside another triangle?"""
    for axis in range(3):
        p, q = triangles[i, 3 * k + axis], triangles[i, 3 * ((k + 1) % 3) + axis]
        x, y, z = triangles[j, axis], triangles[j, 3 + axis], triangles[j, 6 + axis]
        if max(p, q) < min(min(x, y), z) or min(p, q) > max(max(x, y), z):
            return True
    return False
