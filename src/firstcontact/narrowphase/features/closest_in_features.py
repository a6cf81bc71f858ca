"""The closest points of two features: vertices, edges and triangles, as weights of their corners.

Two triangles, and an edge beside a triangle that it is parallel to, have their closest points on smaller
features, too: a weight of 0 leaves a corner out.
"""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.narrowphase.convex.simplex import segment_weights, triangle_weights
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, scale, sub


class Corners(NamedTuple):
    """One to three corners of a feature; what is left over repeats the first."""

    n: int
    first: Vec3
    second: Vec3
    third: Vec3


class Nearest(NamedTuple):
    """Weights of the corners of both features at their closest points, and the square of their distance."""

    of_a: Vec3
    of_b: Vec3
    squared: float


@kernel
def weighted(corners: Corners, weights: Vec3) -> Vec3:
    """Return the point with these weights."""
    p = add(scale(weights[0], corners.first), scale(weights[1], corners.second))
    return add(p, scale(weights[2], corners.third))


@kernel
def nearest_in_features(a: Corners, b: Corners) -> Nearest:
    """Find the closest points of a vertex, an edge or a triangle, not both triangles."""
    if a.n == 1:
        return _from_point(a.first, b)
    if b.n == 1:
        found = _from_point(b.first, a)
        return Nearest(found.of_b, found.of_a, found.squared)
    if a.n == 2 and b.n == 2:
        return _nearest_edges(a.first, a.second, b.first, b.second)
    if a.n == 2:
        return _nearest_edge_triangle(a, b)
    found = _nearest_edge_triangle(b, a)
    return Nearest(found.of_b, found.of_a, found.squared)


@kernel
def _from_point(p: Vec3, b: Corners) -> Nearest:
    """The closest point of a feature to a point."""
    one = (1.0, 0.0, 0.0)
    first, second = sub(b.first, p), sub(b.second, p)
    weights = one
    if b.n == 2:
        s, t = segment_weights(first, second)
        weights = s, t, 0.0
    elif b.n == 3:
        weights = triangle_weights(first, second, sub(b.third, p))
    e = sub(weighted(b, weights), p)
    return Nearest(one, weights, dot(e, e))


@kernel
def _nearest_edges(p: Vec3, p_end: Vec3, q: Vec3, q_end: Vec3) -> Nearest:
    """The closest points of two segments."""
    e, f, r = sub(p_end, p), sub(q_end, q), sub(p, q)
    ee, ff, ef, er, fr = dot(e, e), dot(f, f), dot(e, f), dot(e, r), dot(f, r)
    area, s = ee * ff - ef * ef, 0.0
    if area > 0.0:
        s = min(max((ef * fr - er * ff) / area, 0.0), 1.0)
    t = _in_unit(ef * s + fr, ff)
    s = _in_unit(ef * t - er, ee)
    # Once more, where they are almost parallel.
    t = _in_unit(ef * s + fr, ff)
    apart = add(r, sub(scale(s, e), scale(t, f)))
    return Nearest((1.0 - s, s, 0.0), (1.0 - t, t, 0.0), dot(apart, apart))


@kernel
def _in_unit(x: float, over: float) -> float:
    """A fraction, from 0 to 1."""
    if not x > 0.0:
        return 0.0
    return x / over if x < over else 1.0


@kernel
def _nearest_edge_triangle(a: Corners, b: Corners) -> Nearest:
    """The closest points of a segment and a triangle; at no distance where it goes through."""
    if _goes_through(a, b):
        return Nearest((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.0)
    best = _from_point(a.first, b)
    other = _from_point(a.second, b)
    if other.squared < best.squared:
        best = Nearest((0.0, 1.0, 0.0), other.of_b, other.squared)
    corners = b.first, b.second, b.third
    for k in range(3):
        i, j = k, (k + 1) % 3
        found = _nearest_edges(a.first, a.second, corners[i], corners[j])
        if found.squared < best.squared:
            s, t = found.of_b[0], found.of_b[1]
            of_b = s, t, 0.0
            if k == 1:
                of_b = 0.0, s, t
            elif k == 2:
                of_b = t, 0.0, s
            best = Nearest(found.of_a, of_b, found.squared)
    return best


@kernel
def _goes_through(a: Corners, b: Corners) -> bool:
    """Are the ends of a segment on two sides of a triangle, and its corners around the line between them?"""
    n = cross(sub(b.second, b.first), sub(b.third, b.first))
    before, after = dot(n, sub(a.first, b.first)), dot(n, sub(a.second, b.first))
    if not before * after < 0.0:
        return False
    p, e = a.first, sub(a.second, a.first)
    u, v, w = sub(b.first, p), sub(b.second, p), sub(b.third, p)
    first, second, third = dot(e, cross(u, v)), dot(e, cross(v, w)), dot(e, cross(w, u))
    is_left, is_right = min(first, min(second, third)) > 0.0, max(first, max(second, third)) < 0.0
    return is_left or is_right
