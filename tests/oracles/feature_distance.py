"""Distances of features whose vertices move on lines, at many times, in plain NumPy."""

import numpy as np


def distances_over_time(start, end, is_edge_edge, times):
    """Distances (n,) of a vertex and a face, or of two edges, of four points each, at times (n,)."""
    t = times[:, None, None]
    points = (1.0 - t) * np.asarray(start) + t * np.asarray(end)
    p = [points[:, i] for i in range(4)]
    if is_edge_edge:
        return _segments(p[0], p[1], p[2], p[3])
    sides = [_to_segment(p[0], p[1 + i], p[1 + (i + 1) % 3]) for i in range(3)]
    return np.minimum(np.min(sides, axis=0), _to_inside(*p))


def distances_of_points(points, is_edge_edge):
    """Distances (n,) of a vertex and a face, or where is_edge_edge (n,) of two edges; points (n, 4, 3)."""
    p = [points[:, i] for i in range(4)]
    sides = [_to_segment(p[0], p[1 + i], p[1 + (i + 1) % 3]) for i in range(3)]
    to_face = np.minimum(np.min(sides, axis=0), _to_inside(*p))
    return np.where(is_edge_edge, _segments(*p), to_face)


def _to_segment(p, a, b):
    way = b - a
    size = np.einsum("ni,ni->n", way, way)
    part = np.einsum("ni,ni->n", p - a, way) / np.where(size > 0.0, size, 1.0)
    return np.linalg.norm(p - a - np.clip(part, 0.0, 1.0)[:, None] * way, axis=1)


def _to_inside(p, a, b, c):
    """Distance to the plane of a triangle where the foot is inside of it, else infinite."""
    normal = np.cross(b - a, c - a)
    size = np.linalg.norm(normal, axis=1)
    unit = normal / np.where(size > 0.0, size, 1.0)[:, None]
    signs = [np.einsum("ni,ni->n", np.cross(r - q, p - q), unit) for q, r in ((a, b), (b, c), (c, a))]
    is_inside = (np.min(signs, axis=0) >= 0.0) & (size > 0.0)
    return np.where(is_inside, np.abs(np.einsum("ni,ni->n", p - a, unit)), np.inf)


def _segments(a, b, c, d):
    ends = [_to_segment(a, c, d), _to_segment(b, c, d), _to_segment(c, a, b), _to_segment(d, a, b)]
    u, v, w = b - a, d - c, a - c
    uu, uv, vv = (np.einsum("ni,ni->n", x, y) for x, y in ((u, u), (u, v), (v, v)))
    uw, vw = np.einsum("ni,ni->n", u, w), np.einsum("ni,ni->n", v, w)
    whole = uu * vv - uv * uv
    safe = np.where(whole > 0.0, whole, 1.0)
    s, r = (uv * vw - vv * uw) / safe, (uu * vw - uv * uw) / safe
    is_inside = (whole > 0.0) & (s >= 0.0) & (s <= 1.0) & (r >= 0.0) & (r <= 1.0)
    between = np.linalg.norm(w + s[:, None] * u - r[:, None] * v, axis=1)
    return np.minimum(np.min(ends, axis=0), np.where(is_inside, between, np.inf))
