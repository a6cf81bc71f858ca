"""Do triangles overlap, do edges pass through them? In rational arithmetic, pair by pair."""

from fractions import Fraction
from itertools import product

import numpy as np


def exact(points):
    return [[Fraction(float(x)) for x in point] for point in np.asarray(points).reshape(-1, 3)]


def overlap(a, b):
    """Have two closed triangles of positive area a common point? By separating axes."""
    a, b = exact(a), exact(b)
    sides_a, sides_b = ([_minus(t[(i + 1) % 3], t[i]) for i in range(3)] for t in (a, b))
    plane_a, plane_b = _cross(*sides_a[:2]), _cross(*sides_b[:2])
    assert any(plane_a), "a has no area"
    assert any(plane_b), "b has no area"
    axes = [plane_a, plane_b, *(_cross(p, q) for p, q in product(sides_a, sides_b))]
    axes += [_cross(plane_a, side) for side in sides_a] + [_cross(plane_b, side) for side in sides_b]
    return not any(_is_apart(axis, a, b) for axis in axes)


def passes_through(p, q, triangle):
    """Has an edge its ends strictly on both sides of a triangle, and goes through its inside?"""
    (p, q), t = exact([p, q]), exact(triangle)
    plane = _cross(_minus(t[1], t[0]), _minus(t[2], t[0]))
    before, after = (_dot(plane, _minus(x, t[0])) for x in (p, q))
    if before * after >= 0:
        return False
    part = before / (before - after)
    x = [u + part * (v - u) for u, v in zip(p, q, strict=True)]
    sides = [_dot(plane, _cross(_minus(t[(i + 1) % 3], t[i]), _minus(x, t[i]))) for i in range(3)]
    return min(sides) > 0


def pierced(vertices_a, mesh_a, vertices_b=None, mesh_b=None):
    """All (edge, face) of a and b, and (face, edge): edges that pass through faces; of a alone once."""
    if mesh_b is None:
        return _pierced(vertices_a, mesh_a, vertices_a, mesh_a, is_self=True), set()
    there = _pierced(vertices_a, mesh_a, vertices_b, mesh_b)
    back = _pierced(vertices_b, mesh_b, vertices_a, mesh_a)
    return there, {(face, edge) for edge, face in back}


def _pierced(vertices_a, mesh_a, vertices_b, mesh_b, is_self=False):
    return {
        (e, f)
        for e, ends in enumerate(mesh_a.edges.tolist())
        for f, corners in enumerate(mesh_b.faces.tolist())
        if not (is_self and set(ends) & set(corners))
        and passes_through(*vertices_a[ends], vertices_b[corners])
    }


def _is_apart(axis, a, b):
    shadows = [[_dot(axis, point) for point in t] for t in (a, b)]
    return any(axis) and (max(shadows[0]) < min(shadows[1]) or max(shadows[1]) < min(shadows[0]))


def _minus(x, y):
    return [a - b for a, b in zip(x, y, strict=True)]


def _dot(x, y):
    return sum(a * b for a, b in zip(x, y, strict=True))


def _cross(x, y):
    return [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
