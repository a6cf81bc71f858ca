"""Depths by the definition: the boundary of all places of one polygon at which it meets another."""

import numpy as np
import shapely

from plane.outlines import Points


def depth_by_sum(a: Points, b: Points) -> float:
    """How far the origin is from the boundary of a, less b: of hulls of pairs of triangles, united."""
    ours, theirs = (_triangles(points) for points in (a, b))
    corners = ours[:, np.newaxis, :, np.newaxis] - theirs[np.newaxis, :, np.newaxis]
    hulls = shapely.convex_hull(shapely.multipoints(corners.reshape(-1, 9, 2)))
    united = shapely.union_all(hulls)
    return float(shapely.distance(shapely.boundary(united), shapely.Point(0.0, 0.0)))


def _triangles(points: Points) -> Points:
    """A polygon in triangles, (k, 3, 2)."""
    parts = shapely.get_parts(shapely.constrained_delaunay_triangles(shapely.Polygon(points)))
    return np.stack([shapely.get_coordinates(part)[:3] for part in parts])
