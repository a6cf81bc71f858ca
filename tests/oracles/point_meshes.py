"""Points and meshes in extended precision: distances to all faces, and how often a surface winds around.

Triangles thinner than 1e-12 of their length are for `exact_distances`, in fractions. Vectors are arrays with
the components last; (n, m) pairs of points and faces are made by broadcasting.
"""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

from oracles.exact_distance import point_triangle_squared

Real = np.longdouble


def dot(x, y):
    return (x * y).sum(axis=-1)


def over(x, y):
    """x / y, and 0 where y is 0."""
    x, y = np.broadcast_arrays(x, y)
    return np.divide(x, y, out=np.zeros(x.shape, Real), where=y != 0)


def distances_to_faces(points, vertices, faces):
    """Distances of points (n, 3) from all faces (m, 3) of a mesh, (n, m)."""
    corners = np.asarray(vertices, Real)[np.asarray(faces)]
    p = np.asarray(points, Real)[:, None]
    candidates = [_from_segments(p, corners[:, k], corners[:, (k + 1) % 3]) for k in range(3)]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    squared = dot(normals, normals)
    is_above = squared > 0
    for k in range(3):
        side = corners[:, (k + 1) % 3] - corners[:, k]
        is_above = is_above & (dot(np.cross(side, p - corners[:, k]), normals) >= 0)
    heights = np.abs(over(dot(p - corners[:, 0], normals), np.sqrt(squared)))
    return np.where(is_above, heights, np.min(candidates, axis=0))


def _from_segments(p, a, b):
    along = np.clip(over(dot(p - a, b - a), dot(b - a, b - a)), 0, 1)
    rest = p - a - along[..., None] * (b - a)
    return np.sqrt(dot(rest, rest))


def winding_numbers(points, vertices, faces):
    """How often the faces of a mesh wind around points, (n,): the sum of their solid angles."""
    corners = np.asarray(vertices, Real)[np.asarray(faces).reshape(-1, 3)]
    a, b, c = (corners[:, k] - np.asarray(points, Real)[:, None] for k in range(3))
    x, y, z = (np.sqrt(dot(v, v)) for v in (a, b, c))
    over_all = dot(a, np.cross(b, c))
    below = x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y
    return np.arctan2(over_all, below).sum(axis=1) / (2 * Real(np.pi))


def exact_distances(points, vertices, faces):
    """Distances of points (n, 3) from all faces (m, 3) of a mesh, (n, m), by fractions."""
    exact = [[Fraction(float(x)) for x in vertex] for vertex in vertices]
    found = np.empty((len(points), len(faces)), Real)
    for i, point in enumerate(points):
        p = [Fraction(float(x)) for x in point]
        for j, face in enumerate(faces):
            found[i, j] = _root(point_triangle_squared(p, *(exact[k] for k in face)))
    return found


def _root(x):
    with localcontext() as context:
        context.prec = 40
        return Real(str((Decimal(x.numerator) / Decimal(x.denominator)).sqrt()))
