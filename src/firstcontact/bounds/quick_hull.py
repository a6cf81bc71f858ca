"""The convex hull of points, in floating point: quickhull.

It is made for what is fitted to the hull's faces, and decides nothing: a point within rounding of a plane
counts as in it, and where rounding would tear the surface, there is no hull.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Vec3, cross, dot, norm, scale, sub

# A point that is no farther above a plane counts as in it, in units of how far points are from the first of
# them: sums of three products, of unit normals from differences.
SLACK = 64.0 * UNIT_ROUNDOFF

NOBODY = -1


class HullRoom(NamedTuple):
    """Room for the hulls of up to n points.

    corners, beside : (m, 3) of each face: its corners, and the faces across the edges that begin in them
    planes : (m, 4) unit normal outwards, and offset
    is_used : (m,) of which places there is a face in
    above, next_above : first of the points above a face, and of each point the next above the same
    is_due, is_seen, faces, horizon : lists of faces, and edges of the hole that a new point makes
    begins, ends : of each point, the new face with an edge of the hole that begins, or ends, there
    """

    corners: Ids
    beside: Ids
    planes: Array
    is_used: NDArray[np.bool_]
    above: Ids
    next_above: Ids
    is_due: NDArray[np.bool_]
    is_seen: NDArray[np.bool_]
    faces: Ids
    horizon: Ids
    begins: Ids
    ends: Ids


# Rows of the lists of faces: those that points are above, those that are seen from a point, those that are
# made for it, and places without a face.
DUE, SEEN, MADE, SPARE, N_LISTS = 0, 1, 2, 3, 4

# An edge of a hole: its ends, the face beyond it, and which edge of that it is.
BEGIN, END, BEYOND, EDGE_OF_BEYOND = 0, 1, 2, 3


@kernel
def hull_room(n: int) -> HullRoom:
    """Make room: a hull of n points has up to 2 n - 4 faces, a hole up to as many edges as faces around."""
    m = 4 * n + 16
    return HullRoom(
        np.empty((m, 3), np.int32),
        np.empty((m, 3), np.int32),
        np.empty((m, 4)),
        np.zeros(m, np.bool_),
        np.empty(m, np.int32),
        np.empty(n, np.int32),
        np.zeros(m, np.bool_),
        np.zeros(m, np.bool_),
        np.empty((N_LISTS, m), np.int32),
        np.empty((m, 4), np.int32),
        np.full(n, NOBODY, np.int32),
        np.full(n, NOBODY, np.int32),
    )


@kernel
def quick_hull(points: Array, room: HullRoom) -> int:
    """Write the corners of the faces of the hull of points (n, 3); how many faces, 0 for no hull.

    The room is as it was afterwards, but for the corners.
    """
    first = _first_corners(points)
    if first[3] < 0:
        return 0
    slack = SLACK * norm(sub(_point(points, first[0]), _point(points, first[1])))
    n_places = _begin(points, first, slack, room)
    n_due, n_spare, is_whole = 4, 0, True
    while n_due > 0 and is_whole:
        n_due -= 1
        f = room.faces[DUE, n_due]
        room.is_due[f] = False
        if not room.is_used[f] or room.above[f] == NOBODY:
            continue
        p = _take_farthest(points, room, f)
        n_seen, n_edges = _look_from(points, p, f, slack, room)
        n_places, n_spare = _find_places(room, n_edges, n_places, n_spare)
        is_whole = n_edges > 2 and _close(points, p, n_edges, room)
        n_due = _hand_over(points, slack, room, n_seen, n_edges, n_due)
        for k in range(n_seen):
            room.faces[SPARE, n_spare] = room.faces[SEEN, k]
            n_spare += 1
    n_faces = _gathered(room, n_places)
    return n_faces if is_whole else 0


@kernel
def _gathered(room: HullRoom, n_places: int) -> int:
    """Bring the corners of all faces to the front, and leave the places empty; how many there are."""
    n = 0
    for f in range(n_places):
        if room.is_used[f]:
            for k in range(3):
                room.corners[n, k] = room.corners[f, k]
            n += 1
        room.is_used[f] = room.is_due[f] = room.is_seen[f] = False
    return n


@kernel
def _point(points: Array, i: int) -> Vec3:
    return points[i, 0], points[i, 1], points[i, 2]


@kernel
def _first_corners(points: Array) -> tuple[int, int, int, int]:
    """Four points that span a volume, far apart; the last is -1 where points are in a plane, to rounding."""
    p = _point(points, 0)
    a = _farthest(points, p, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    p = _point(points, a)
    b = _farthest(points, p, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    along = sub(_point(points, b), p)
    length = norm(along)
    if not length > 0.0 or not 1.0 / length < np.inf:
        return a, b, 0, -1
    along = scale(1.0 / length, along)
    c = _farthest(points, p, along, (0.0, 0.0, 0.0))
    across = _without(sub(_point(points, c), p), along)
    width = norm(across)
    if not width > 2.0 * SLACK * length:
        return a, b, c, -1
    across = scale(1.0 / width, across)
    d = _farthest(points, p, along, across)
    up = _without(_without(sub(_point(points, d), p), along), across)
    return a, b, c, d if norm(up) > 4.0 * SLACK * length else -1


@kernel
def _without(v: Vec3, unit: Vec3) -> Vec3:
    return sub(v, scale(dot(v, unit), unit))


@kernel
def _farthest(points: Array, p: Vec3, along: Vec3, across: Vec3) -> int:
    """Point that is farthest from p, from the line, or from the plane through p along one or two vectors."""
    best, farthest = -1.0, 0
    for i in range(len(points)):
        v = _without(_without(sub(_point(points, i), p), along), across)
        if dot(v, v) > best:
            best, farthest = dot(v, v), i
    return farthest


@kernel
def _begin(points: Array, first: tuple[int, int, int, int], slack: float, room: HullRoom) -> int:
    """Make a tetrahedron, and share the points among its faces."""
    a, b, c, d = first
    pa = _point(points, a)
    up = cross(sub(_point(points, b), pa), sub(_point(points, c), pa))
    if dot(up, sub(_point(points, d), pa)) > 0.0:
        b, c = c, b
    # Corners of the faces, in the order in which the neighbours below are right.
    for f in range(4):
        q = (a, b, c) if f == 0 else ((b, a, d) if f == 1 else ((c, b, d) if f == 2 else (a, c, d)))
        r = (1, 2, 3) if f == 0 else ((0, 3, 2) if f == 1 else ((0, 1, 3) if f == 2 else (0, 2, 1)))
        for k in range(3):
            room.beside[f, k] = r[k]
        _write_face(points, room, f, q[0], q[1], q[2])
        room.faces[DUE, f], room.is_due[f] = f, True
    for i in range(len(points)):
        if i != a and i != b and i != c and i != d:
            _put(points, slack, room, i, 4, False)
    return 4


@kernel
def _write_face(points: Array, room: HullRoom, f: int, a: int, b: int, c: int) -> None:
    """Put a face in its place, with no point above it yet."""
    p = _point(points, a)
    n = cross(sub(_point(points, b), p), sub(_point(points, c), p))
    length = sqrt(dot(n, n))
    n = scale(1.0 / length if length > 0.0 else 0.0, n)
    room.corners[f, 0], room.corners[f, 1], room.corners[f, 2] = a, b, c
    room.planes[f, 0], room.planes[f, 1], room.planes[f, 2], room.planes[f, 3] = n[0], n[1], n[2], dot(n, p)
    room.is_used[f], room.is_seen[f], room.above[f] = True, False, NOBODY


@kernel
def _height(points: Array, planes: Array, f: int, i: int) -> float:
    height: float = (
        planes[f, 0] * points[i, 0] + planes[f, 1] * points[i, 1] + planes[f, 2] * points[i, 2] - planes[f, 3]
    )
    return height


@kernel
def _put(points: Array, slack: float, room: HullRoom, i: int, n: int, is_made: bool) -> None:
    """Let a point be above one of the first n faces, or of those just made, if it is above any."""
    for k in range(n):
        f = room.faces[MADE, k] if is_made else k
        if _height(points, room.planes, f, i) > slack:
            room.next_above[i], room.above[f] = room.above[f], i
            return


@kernel
def _take_farthest(points: Array, room: HullRoom, f: int) -> int:
    """Take the highest point above a face out of its list."""
    best, taken, before, last = -np.inf, NOBODY, NOBODY, NOBODY
    i = room.above[f]
    while i != NOBODY:
        height = _height(points, room.planes, f, i)
        if height > best:
            best, taken, before = height, i, last
        last, i = i, room.next_above[i]
    if before == NOBODY:
        room.above[f] = room.next_above[taken]
    else:
        room.next_above[before] = room.next_above[taken]
    return taken


@kernel
def _look_from(points: Array, p: int, f: int, slack: float, room: HullRoom) -> tuple[int, int]:
    """List the faces that a point is above, from one of them on, and the edges around them."""
    seen, n_seen, n_done, n_edges = room.faces[SEEN], 1, 0, 0
    seen[0], room.is_seen[f] = f, True
    while n_done < n_seen:
        g = seen[n_done]
        n_done += 1
        for k in range(3):
            h = room.beside[g, k]
            if room.is_seen[h]:
                continue
            if _height(points, room.planes, h, p) > slack:
                seen[n_seen], room.is_seen[h] = h, True
                n_seen += 1
                continue
            edge, begin = room.horizon[n_edges], room.corners[g, k]
            edge[BEGIN], edge[END], edge[BEYOND] = begin, room.corners[g, (k + 1) % 3], h
            for m in range(3):
                if room.corners[h, (m + 1) % 3] == begin:
                    edge[EDGE_OF_BEYOND] = m
            n_edges += 1
    return n_seen, n_edges


@kernel
def _find_places(room: HullRoom, n: int, n_places: int, n_spare: int) -> tuple[int, int]:
    """Find places for new faces, spare ones first."""
    for k in range(n):
        if n_spare > 0:
            n_spare -= 1
            room.faces[MADE, k] = room.faces[SPARE, n_spare]
        else:
            room.faces[MADE, k] = n_places
            n_places += 1
    return n_places, n_spare


@kernel
def _close(points: Array, p: int, n: int, room: HullRoom) -> bool:
    """Join a point to the n edges of a hole; False where these are no single loop."""
    is_loop = True
    for k in range(n):
        u, v, f = room.horizon[k, BEGIN], room.horizon[k, END], room.faces[MADE, k]
        is_loop &= room.begins[u] == NOBODY and room.ends[v] == NOBODY
        room.begins[u], room.ends[v] = f, f
    for k in range(n):
        edge, f = room.horizon[k], room.faces[MADE, k]
        u, v = edge[BEGIN], edge[END]
        is_loop &= room.begins[v] != NOBODY and room.ends[u] != NOBODY
        room.beside[f, 0], room.beside[f, 1], room.beside[f, 2] = edge[BEYOND], room.begins[v], room.ends[u]
        room.beside[edge[BEYOND], edge[EDGE_OF_BEYOND]] = f
        _write_face(points, room, f, u, v, p)
    for k in range(n):
        room.begins[room.horizon[k, BEGIN]] = NOBODY
        room.ends[room.horizon[k, END]] = NOBODY
    return is_loop


@kernel
def _hand_over(points: Array, slack: float, room: HullRoom, n_seen: int, n_made: int, n_due: int) -> int:
    """Share the points above the faces that are gone among the new ones; how many faces are due then."""
    for k in range(n_seen):
        f = room.faces[SEEN, k]
        room.is_used[f] = False
        i = room.above[f]
        while i != NOBODY:
            following = room.next_above[i]
            _put(points, slack, room, i, n_made, True)
            i = following
        room.above[f] = NOBODY
    for k in range(n_made):
        f = room.faces[MADE, k]
        if room.above[f] != NOBODY and not room.is_due[f]:
            room.faces[DUE, n_due], room.is_due[f] = f, True
            n_due += 1
    return n_due
