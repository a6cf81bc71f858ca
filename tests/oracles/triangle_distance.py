"""Exact distance of two triangles at rest, as the least one of their features; and how deep they cross."""

from fractions import Fraction
from itertools import product

import numpy as np

from oracles.exact_distance import point_triangle_squared, segment_segment_squared


def triangle_distance_squared(a, b):
    """Squared distance of two triangles of three points each, as a Fraction; 0 where they meet."""
    (a, b), unit = as_integers(a, b)
    if any(is_pierced(e, b) for e in edges(a)) or any(is_pierced(e, a) for e in edges(b)):
        return Fraction(0)
    corners = [point_triangle_squared(p, *t) for s, t in ((a, b), (b, a)) for p in s]
    return min(corners + [segment_segment_squared(*e, *f) for e, f in product(edges(a), edges(b))]) * unit**2


def as_integers(*triangles):
    """Coordinates as integers, quicker than Fractions, and the unit that they count."""
    unit = min(Fraction(1, float(x).as_integer_ratio()[1]) for t in triangles for p in t for x in p)
    return [[[int(Fraction(float(x)) / unit) for x in p] for p in t] for t in triangles], unit


def edges(t):
    return [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]


def is_pierced(edge, t):
    """Does the edge meet the plane of the triangle in one point, which is of the triangle?"""
    before, after = (height(p, t) for p in edge)
    if before == after or before * after > 0:
        return False
    s = Fraction(before, before - after)
    return point_triangle_squared([(1 - s) * x + s * y for x, y in zip(*edge, strict=True)], *t) == 0


def height(p, t):
    """Height of a point above the plane of a triangle, times twice the triangle's area."""
    (a, b, c), (d, e, f), (g, h, i) = ([x - y for x, y in zip(q, t[0], strict=True)] for q in (t[1], t[2], p))
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def crossing_depth(a, b):
    """Shortest translation that takes two triangles apart; negative where some direction shows them apart.

    The directions to try are the normals of their Minkowski difference: of both faces, of all pairs of edges,
    and for triangles in one plane of each edge within it.
    """
    a, b = np.asarray(a, float), np.asarray(b, float)
    sides_a, sides_b = np.roll(a, -1, axis=0) - a, np.roll(b, -1, axis=0) - b
    normals = [np.cross(sides[0], sides[1]) for sides in (sides_a, sides_b)]
    directions = [np.cross(e, f) for e, f in product(sides_a, sides_b)] + normals
    directions += [np.cross(n, e) for n in normals for e in (*sides_a, *sides_b)]
    lengths = np.linalg.norm(directions, axis=1)
    units = np.asarray(directions)[lengths > 0.0] / lengths[lengths > 0.0, None]
    along_a, along_b = a @ units.T, b @ units.T
    overlaps = np.minimum(along_a.max(0) - along_b.min(0), along_b.max(0) - along_a.min(0))
    return overlaps.min(initial=np.inf)
