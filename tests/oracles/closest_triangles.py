"""Closest points of many pairs of triangles in extended precision: all pairs of features are tried.

Vectors are arrays with the components first, triangles arrays (3 components, 3 corners, n).
"""

import numpy as np

Real = np.longdouble


def dot(x, y):
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]


def cross(x, y):
    return np.stack([x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]])


def norm(x):
    return np.sqrt(dot(x, x))


def over(x, y):
    """x / y, and 0 where y is 0."""
    x, y = np.broadcast_arrays(x, y)
    return np.divide(x, y, out=np.zeros(x.shape, Real), where=y != 0)


def closest_points(a, b):
    """Closest points of triangles, (3, n) on a and on b: points of the triangles, whatever rounding does."""
    on_a, from_b = _features_and_corners(a, b)
    on_b, from_a = _features_and_corners(b, a)
    p, q = _edges_and_edges(a, b)
    p, q = np.concatenate([on_a, from_a, p], axis=1), np.concatenate([from_b, on_b, q], axis=1)
    best = np.argmin(dot(q - p, q - p), axis=0)[None, None]
    p, q = (np.take_along_axis(x, np.broadcast_to(best, (3, 1, x.shape[2])), axis=1)[:, 0] for x in (p, q))
    return p, q


def _features_and_corners(t, y):
    """Candidates (3, 15, n) on t and on y: corners of y and edges or the face of t, edges of y through it."""
    n = t.shape[2]
    start, e = t[:, None], (np.roll(t, -1, axis=1) - t)[:, None]
    corner = y[:, :, None]
    s = np.clip(over(dot(corner - start, e), dot(e, e)), 0, 1)
    at_edges = (start + s * e).reshape(3, 9, n), np.broadcast_to(corner, (3, 3, 3, n)).reshape(3, 9, n)
    normal = np.broadcast_to(cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])[:, None], y.shape)
    heights = dot(y - t[:, :1], normal)
    at_face = _in_face(y - over(heights, dot(normal, normal)) * normal, t, normal), y
    edges = np.roll(y, -1, axis=1) - y
    pierced = y + np.clip(over(-heights, dot(edges, normal)), 0, 1) * edges
    through = _in_face(pierced, t, normal), pierced
    candidates = zip(at_edges, at_face, through, strict=True)
    return tuple(np.concatenate(points, axis=1) for points in candidates)


def _in_face(points, t, normal):
    """Points of triangles, those given (3, 3, n) where they are inside; a corner where they are not."""
    weights = []
    for i in range(3):
        start, end = t[:, (i + 1) % 3, None], t[:, (i + 2) % 3, None]
        side = np.broadcast_to(end - start, points.shape)
        weights.append(dot(cross(side, points - start), normal))
    weights = np.where(np.min(weights, axis=0) >= 0, weights, 0)
    shares = over(weights, weights.sum(axis=0))
    shares[0] += shares.sum(axis=0) == 0
    return sum(shares[i] * t[:, i, None] for i in range(3))


def _edges_and_edges(a, b):
    """Candidates (3, 9, n) on the edges of a and of b: where the lines are closest."""
    n = a.shape[2]
    p, d = a[:, :, None], (np.roll(a, -1, axis=1) - a)[:, :, None]
    q, e = b[:, None], (np.roll(b, -1, axis=1) - b)[:, None]
    w = q - p
    dd, ee, de, dw, ew = dot(d, d), dot(e, e), dot(d, e), dot(d, w), dot(e, w)
    s = np.clip(over(dw * ee - ew * de, dd * ee - de * de), 0, 1)
    u = np.clip(over(s * de - ew, ee), 0, 1)
    s = np.clip(over(u * de + dw, dd), 0, 1)
    return (p + s * d).reshape(3, 9, n), (q + u * e).reshape(3, 9, n)
