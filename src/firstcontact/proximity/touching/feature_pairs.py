"""Corners, edges and faces of two triangles, pair by pair.

A feature of a triangle is a number: corners are 0 to 2, edges 3 to 5 (edge 3 + i joins the corners i and
i + 1), the face is 6.
"""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY
from firstcontact.narrowphase.triangles.closest_points import (
    closest_point_triangle,
    closest_segment_segment,
    triangle_point,
)
from firstcontact.scalar.vec3 import Triangle, Vec3, cross, dot, lerp, norm, sub

FACE = 6

# Pairs of features: first corners of a and the face of b, the face of a and corners of b; then edges and
# edges; then edges of a through the face of b, the face of a and edges of b through it.
EDGES_EDGES, EDGES_FACES, N_PAIRS = 6, 15, 21

# A barycentric weight up to this is none: so close to an edge, in units of the triangle's size, is on it.
ON_EDGE = 2.0**-40


class Meeting(NamedTuple):
    """Two features, that of a first, their closest points and the distance."""

    feature_a: int
    feature_b: int
    p: Vec3
    q: Vec3
    distance: float


@kernel
def features_of(k: int) -> tuple[int, int]:
    """Features of the k-th pair."""
    if k < EDGES_EDGES:
        return (k, FACE) if k < 3 else (FACE, k - 3)
    if k < EDGES_FACES:
        return 3 + (k - EDGES_EDGES) % 3, 3 + (k - EDGES_EDGES) // 3
    return (k - 12, FACE) if k < 18 else (FACE, k - 15)


@kernel
def meeting(k: int, a: Triangle, b: Triangle, near: float, depth: float) -> Meeting:
    """Closest points of the k-th pair of features, and the least features that they are on.

    An edge that does not pass through a face (or by it, as near as `near`), or whose ends are both within the
    depth of its plane, is at an infinite distance.
    """
    i, j = features_of(k)
    if i != FACE and j != FACE:
        a0, a1, b0, b1 = a[i - 3], a[(i + 1) % 3], b[j - 3], b[(j + 1) % 3]
        s, u = closest_segment_segment(a0, a1, b0, b1)
        p, q = lerp(a0, a1, s), lerp(b0, b1, u)
        return Meeting(end_at(i - 3, s), end_at(j - 3, u), p, q, norm(sub(q, p)))
    # A point, or where an edge is in the plane of the face, and the closest point of the face.
    is_a, is_corner = j == FACE, k < EDGES_EDGES
    side, face, m = (a, b, i) if is_a else (b, a, j)
    is_met, x = True, side[m % 3]
    if not is_corner:
        is_met, x = plane_point(x, side[(m + 1) % 3], face, depth)
    w = closest_point_triangle(x, *face)
    y = triangle_point(*face, w)
    distance, on_face = norm(sub(y, x)), feature_at(w)
    if not is_corner:
        y, distance, on_face = x, 0.0 if is_met and distance <= near else INFINITY, FACE
    return Meeting(m, on_face, x, y, distance) if is_a else Meeting(on_face, m, y, x, distance)


@kernel
def feature_at(w: Vec3) -> int:
    """Feature of a triangle that the point with these weights is on."""
    n = (w[0] <= ON_EDGE) + (w[1] <= ON_EDGE) + (w[2] <= ON_EDGE)
    if n == 0:
        return FACE
    if n == 1:
        # Across from corner 0 is the edge from 1 to 2.
        return 4 if w[0] <= ON_EDGE else (5 if w[1] <= ON_EDGE else 3)
    return 0 if w[0] > ON_EDGE else (1 if w[1] > ON_EDGE else 2)


@kernel
def end_at(i: int, s: float) -> int:
    """Feature that the point of edge 3 + i at the parameter s is on: the edge, or one of its ends."""
    if s <= ON_EDGE:
        return i
    return (i + 1) % 3 if s >= 1.0 - ON_EDGE else 3 + i


@kernel
def plane_point(start: Vec3, end: Vec3, t: Triangle, depth: float) -> tuple[bool, Vec3]:
    """Point of a segment in the plane of a triangle; whether there is one, and an end beyond the depth."""
    n = cross(sub(t[1], t[0]), sub(t[2], t[0]))
    x, y = dot(sub(start, t[0]), n), dot(sub(end, t[0]), n)
    if not min(x, y) < 0.0 < max(x, y):
        return False, start
    return max(abs(x), abs(y)) > depth * norm(n), lerp(start, end, x / (x - y))


@kernel
def nearest_features(a: Triangle, b: Triangle, near: float) -> Meeting:
    """Features at which two triangles are nearest: the first of those that differ by no more than `near`."""
    best = meeting(0, a, b, near, 0.0)
    for k in range(1, N_PAIRS):
        met = meeting(k, a, b, near, 0.0)
        if met.distance < best.distance - near:
            i, j = features_of(k)
            # The ends of edges have had their turn.
            best = met if k < EDGES_EDGES else Meeting(i, j, met.p, met.q, met.distance)
    return best
