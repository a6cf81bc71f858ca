"""Distances from points to sites by brute force, in extended precision."""

import numpy as np


def to_segments(points, a, b):
    """Distances (n, m) from points to segments."""
    p, a, b = (np.asarray(x, np.longdouble) for x in (points, a, b))
    along, way = (b - a)[np.newaxis], p[:, np.newaxis] - a
    square = (along**2).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(square > 0, (way * along).sum(axis=-1) / square, 0)
    return np.sqrt(((way - np.clip(t, 0, 1)[..., np.newaxis] * along) ** 2).sum(axis=-1))


def to_triangles(points, corners):
    """Distances (n, m) from points to triangles (m, 3, 3)."""
    a, b, c = (np.asarray(corners[:, i], np.longdouble) for i in range(3))
    edges = np.minimum(to_segments(points, a, b), to_segments(points, b, c))
    edges = np.minimum(edges, to_segments(points, c, a))
    normal = np.cross(b - a, c - a)
    size = np.sqrt((normal**2).sum(axis=-1))
    p = np.asarray(points, np.longdouble)[:, np.newaxis]
    is_above = size[np.newaxis] > 0
    for start, end in ((a, b), (b, c), (c, a)):
        is_above = is_above & ((np.cross(normal, end - start) * (p - start)).sum(axis=-1) >= 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        height = np.abs(((p - a) * normal).sum(axis=-1)) / size
    return np.where(is_above, np.minimum(height, edges), edges)


def centers(voronoi):
    """The centre of each cell, (n, d)."""
    return np.stack(np.meshgrid(*voronoi.axes, indexing="ij"), axis=-1).reshape(-1, voronoi.ids.ndim)


def assert_nearest(voronoi, values, farthest=False):
    """Values (n_cells, n_sites): are ids and distances right, within the error that is stated?"""
    best = values.max(axis=1) if farthest else values.min(axis=1)
    ids, distance = voronoi.ids.reshape(-1), voronoi.distance.reshape(-1)
    assert np.abs(distance - best).max() <= voronoi.error
    own = values[np.arange(len(ids)), ids]
    assert np.abs(own - best).max() <= 2 * voronoi.error
