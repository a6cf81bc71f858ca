"""Pairs of features that face each other along a direction: vertex and face, edge and edge.

Seen along the direction, both shapes are convex regions with a height each: a below, b above. A vertex of one
in the region of the other faces the plane that is met there; two edges that cross face each other where they
do. Those are all corners of what both regions have in common, and of the faces in it.
"""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.proximity.manifolds.facing_shape import EDGE_ID, ENDS, FACE_ID, PLANES, Ids
from firstcontact.proximity.manifolds.placed_features import HEIGHT, U, V, surface_at
from firstcontact.status import ContactKind

# Columns of what is listed: where, the heights of a and b there, the kind, and the ids on a and b.
HEIGHT_A = 2
HEIGHT_B = 3
KIND = 4
ID_A = 5
ID_B = 6
N_FACING = 7

VERTEX_FACE, EDGE_EDGE, FACE_VERTEX, SHAPE_SHAPE = (
    int(ContactKind.VERTEX_FACE),
    int(ContactKind.EDGE_EDGE),
    int(ContactKind.FACE_VERTEX),
    int(ContactKind.SHAPE_SHAPE),
)

# Edges whose directions have a sine below this, seen along the direction, are parallel.
PARALLEL = 1e-9


class Placed(NamedTuple):
    """A shape as it stands: points, planes, edges, which of the points and edges face, and how many."""

    points: Array
    planes: Array
    edges: Ids
    is_facing: Array
    n_points: int
    n_planes: int
    n_edges: int


class Limits(NamedTuple):
    """How far apart features may be, seen along the direction, and how far lines may pass by as rounding."""

    farthest: float
    slack: float
    within: float


@kernel
def list_facing(a: Placed, b: Placed, limits: Limits, found: Array) -> int:
    """List all pairs that face each other no farther apart than the limit; -1 where there is no room."""
    n = _list_vertices(a, b, limits, found, 0, 1.0)
    if n >= 0:
        n = _list_vertices(b, a, limits, found, n, -1.0)
    for i in range(a.n_edges):
        if n < 0 or a.is_facing[a.n_points + i] == 0.0:
            continue
        for j in range(b.n_edges):
            if n >= 0 and b.is_facing[b.n_points + j] != 0.0:
                n = _cross_edges(a, b, i, j, limits, found, n)
    return n


@kernel
def add_facing(
    found: Array,
    n: int,
    row: tuple[float, float, float, float],
    kind: int,
    id_a: int,
    id_b: int,
    slack: float,
) -> int:
    """Add a pair, unless one is listed at that place; -1 where there is no room."""
    for k in range(n):
        if abs(found[k, U] - row[0]) <= slack and abs(found[k, V] - row[1]) <= slack:
            return n
    if n == len(found):
        return -1
    for k in range(4):
        found[n, k] = row[k]
    found[n, KIND], found[n, ID_A], found[n, ID_B] = kind, id_a, id_b
    return n + 1


@kernel
def _list_vertices(a: Placed, b: Placed, limits: Limits, found: Array, n: int, side: float) -> int:
    """List vertices of the first with faces of the second, which is above (1) or below (-1)."""
    for i in range(a.n_points):
        if a.is_facing[i] == 0.0:
            continue
        u, v, height = a.points[i, U], a.points[i, V], a.points[i, HEIGHT]
        k, other = surface_at(b.planes, b.n_planes, -side, u, v, limits.slack)
        if k < 0 or (other - height) * side > limits.farthest:
            continue
        face = int(b.planes[k, FACE_ID])
        if side > 0.0:
            n = add_facing(found, n, (u, v, height, other), VERTEX_FACE, i, face, limits.slack)
        else:
            n = add_facing(found, n, (u, v, other, height), FACE_VERTEX, face, i, limits.slack)
        if n < 0:
            return n
    return n


@kernel
def _cross_edges(a: Placed, b: Placed, i: int, j: int, limits: Limits, found: Array, n: int) -> int:
    """Add two edges where they cross; where both have no faces and lie along each other, at both ends."""
    p0, p1 = a.edges[i, ENDS], a.edges[i, ENDS + 1]
    q0, q1 = b.edges[j, ENDS], b.edges[j, ENDS + 1]
    pu, pv, du, dv = (
        a.points[p0, U],
        a.points[p0, V],
        a.points[p1, U] - a.points[p0, U],
        a.points[p1, V] - a.points[p0, V],
    )
    qu, qv, eu, ev = (
        b.points[q0, U],
        b.points[q0, V],
        b.points[q1, U] - b.points[q0, U],
        b.points[q1, V] - b.points[q0, V],
    )
    wu, wv = qu - pu, qv - pv
    area, squared_a, squared_b = du * ev - dv * eu, du * du + dv * dv, eu * eu + ev * ev
    rise_a, rise_b = a.points[p1, HEIGHT] - a.points[p0, HEIGHT], b.points[q1, HEIGHT] - b.points[q0, HEIGHT]
    if area * area > PARALLEL * PARALLEL * squared_a * squared_b:
        s, t = (wu * ev - wv * eu) / area, (wu * dv - wv * du) / area
        if not (0.0 <= s <= 1.0 and 0.0 <= t <= 1.0):
            return n
        height_a, height_b = a.points[p0, HEIGHT] + s * rise_a, b.points[q0, HEIGHT] + t * rise_b
        if height_b - height_a > limits.farthest:
            return n
        row = pu + s * du, pv + s * dv, height_a, height_b
        ids = a.edges[i, EDGE_ID], b.edges[j, EDGE_ID]
        if not _lie_along(a, b, i, j, area, limits):
            return add_facing(found, n, row, EDGE_EDGE, ids[0], ids[1], limits.slack)
    elif a.edges[i, PLANES] >= 0 or b.edges[j, PLANES] >= 0 or squared_a == 0.0 or squared_b == 0.0:
        return n
    # Both ends of what they have in common, along the first.
    t0, t1 = (wu * du + wv * dv) / squared_a, ((wu + eu) * du + (wv + ev) * dv) / squared_a
    low, high = max(min(t0, t1), 0.0), min(max(t0, t1), 1.0)
    for k in range(2):
        s = low if k == 0 else high
        if low > high or n < 0:
            return n
        t = (s - t0) / (t1 - t0)
        u, v = pu + s * du, pv + s * dv
        height_a, height_b = a.points[p0, HEIGHT] + s * rise_a, b.points[q0, HEIGHT] + t * rise_b
        is_beside = abs(qu + t * eu - u) <= limits.within and abs(qv + t * ev - v) <= limits.within
        if is_beside and height_b - height_a <= limits.farthest:
            n = add_facing(found, n, (u, v, height_a, height_b), SHAPE_SHAPE, k, k, limits.slack)
    return n


@kernel
def _lie_along(a: Placed, b: Placed, i: int, j: int, area: float, limits: Limits) -> bool:
    """Do two edges without faces cross so flat that their ends are no farther apart than is near?"""
    if a.edges[i, PLANES] >= 0 or b.edges[j, PLANES] >= 0:
        return False
    p0, p1, q0, q1 = a.edges[i, ENDS], a.edges[i, ENDS + 1], b.edges[j, ENDS], b.edges[j, ENDS + 1]
    du, dv = a.points[p1, U] - a.points[p0, U], a.points[p1, V] - a.points[p0, V]
    eu, ev = b.points[q1, U] - b.points[q0, U], b.points[q1, V] - b.points[q0, V]
    squared = max(du * du + dv * dv, eu * eu + ev * ev)
    return bool(area * area <= limits.within * limits.within * squared)


@kernel
def keep_outline(found: Array, n: int, order: Ids, slack: float) -> int:
    """Keep the corners of the outline of what is listed, and the nearest pair: return how many."""
    if n <= 2:
        return n
    nearest = 0
    for k in range(n):
        order[k] = k
        if (
            found[k, HEIGHT_B] - found[k, HEIGHT_A]
            < found[nearest, HEIGHT_B] - found[nearest, HEIGHT_A] - slack
        ):
            nearest = k
    for k in range(1, n):
        own, at = order[k], k
        while at > 0 and _is_before(found, own, order[at - 1]):
            order[at] = order[at - 1]
            at -= 1
        order[at] = own
    m = _hull(found, n, order, slack)
    for k in range(n):
        found[k, KIND] += 100.0
    for k in range(m):
        found[order[n + k], KIND] -= 100.0 if found[order[n + k], KIND] >= 100.0 else 0.0
    if found[nearest, KIND] >= 100.0:
        found[nearest, KIND] -= 100.0
    kept = 0
    for k in range(n):
        if found[k, KIND] < 100.0:
            for c in range(N_FACING):
                found[kept, c] = found[k, c]
            kept += 1
    return kept


@kernel
def _is_before(found: Array, i: int, j: int) -> bool:
    return bool(found[i, U] < found[j, U] or (found[i, U] == found[j, U] and found[i, V] < found[j, V]))


@kernel
def _hull(found: Array, n: int, order: Ids, slack: float) -> int:
    """Write the corners of the hull of sorted points behind them (Andrew's chains); return how many."""
    m = 0
    for turn in range(2):
        first = m
        for step in range(n):
            i = order[step] if turn == 0 else order[n - 1 - step]
            while m - first >= 2 and not _turns_left(found, order[n + m - 2], order[n + m - 1], i, slack):
                m -= 1
            order[n + m] = i
            m += 1
        m -= 1
    return max(m, 1)


@kernel
def _turns_left(found: Array, i: int, j: int, k: int, slack: float) -> bool:
    """Is the middle one of three points outside of the line between the others, by more than a slack?"""
    xu, xv = found[k, U] - found[i, U], found[k, V] - found[i, V]
    yu, yv = found[j, U] - found[i, U], found[j, V] - found[i, V]
    area = yu * xv - yv * xu
    return bool(area > 0.0 and area * area > slack * slack * (xu * xu + xv * xv))
