"""The farthest of many points from what is nearest to each: through trees, so that few are measured."""

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.placed_triangle import triangle_of
from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.tree import MAX_DEPTH
from firstcontact.narrowphase.triangles.closest_points import closest_point_triangle, triangle_point
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Vec3, norm, sub

# Rounding of a height above a plane, in units of the coordinates.
LEVEL = 16.0 * UNIT_ROUNDOFF


def farthest_from_triangles(points: Array, triangles: Array) -> float:
    """Distance of the farthest of some points (n, 3) from its nearest triangle (m, 9)."""
    if len(points) == 0:
        return 0.0
    corners = triangles.reshape(-1, 3, 3)
    boxes = np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)
    children = build_tree(boxes).children
    # Far ones first: what is known to be nearer than the farthest need not be measured to the end.
    order = np.argsort(-np.linalg.norm(points - points.mean(axis=0), axis=1), kind="stable")
    return float(
        _farthest(np.ascontiguousarray(points[order]), triangles, children, _bounds(children, boxes))
    )


def highest_above_planes(points: Array, normals: Array, levels: Array) -> float:
    """How high the highest of some points (n, 3) is above any plane, normal . x = level; at least 0."""
    if len(points) == 0:
        return 0.0
    boxes = np.concatenate([points, points], axis=1)
    children = build_tree(boxes).children
    slack = LEVEL * float(np.abs(points).max())
    return float(_highest(points, (normals, levels), children, _bounds(children, boxes), slack))


@driver
def _bounds(children: Ids, boxes: Array) -> Array:
    """Boxes of all nodes, (n_nodes, 6), of those of the primitives."""
    bounds = np.empty((len(children), 6))
    for node in range(len(children) - 1, -1, -1):  # parents come before their children
        left, right = children[node, 0], children[node, 1]
        for k in range(3):
            if left < 0:
                bounds[node, k], bounds[node, 3 + k] = boxes[~left, k], boxes[~left, 3 + k]
            else:
                bounds[node, k] = min(bounds[left, k], bounds[right, k])
                bounds[node, 3 + k] = max(bounds[left, 3 + k], bounds[right, 3 + k])
    return bounds


@kernel
def _children_of(children: Ids, node: int) -> tuple[int, int]:
    """Both children of a node, as numbers of the kind that the stack has."""
    return int(np.int64(children[node, 0])), int(np.int64(children[node, 1]))


@kernel
def _away(bounds: Array, node: int, p: Vec3) -> float:
    """Squared distance of a point from the box of a node."""
    squared = 0.0
    for k in range(3):
        gap = max(max(bounds[node, k] - p[k], p[k] - bounds[node, 3 + k]), 0.0)
        squared += gap * gap
    return squared


@driver
def _farthest(points: Array, triangles: Array, children: Ids, bounds: Array) -> float:
    farthest, stack = 0.0, np.empty(MAX_DEPTH + 2, np.int64)
    for i in range(len(points)):
        p, nearest = (points[i, 0], points[i, 1], points[i, 2]), np.inf
        stack[0], n = 0, 1
        while n > 0 and nearest > farthest:
            n -= 1
            node = stack[n]
            if _away(bounds, node, p) >= nearest * nearest:
                continue
            left, right = _children_of(children, node)
            if left < 0:
                a, b, c = triangle_of(triangles, ~left)
                q = triangle_point(a, b, c, closest_point_triangle(p, a, b, c))
                nearest = min(nearest, norm(sub(q, p)))
            else:  # the nearer child is looked at first
                is_left = _away(bounds, left, p) <= _away(bounds, right, p)
                stack[n], stack[n + 1] = (right, left) if is_left else (left, right)
                n += 2
        farthest = max(farthest, nearest)
    return farthest


@kernel
def _reach(bounds: Array, node: int, normal: Array) -> float:
    """How far the box of a node reaches along a normal."""
    reach = 0.0
    for k in range(3):
        reach += normal[k] * (bounds[node, 3 + k] if normal[k] > 0.0 else bounds[node, k])
    return reach


@driver
def _highest(points: Array, planes: tuple[Array, Array], children: Ids, bounds: Array, slack: float) -> float:
    (normals, levels), highest, stack = planes, 0.0, np.empty(MAX_DEPTH + 2, np.int64)
    for i in range(len(normals)):
        stack[0], n, normal = 0, 1, normals[i]
        while n > 0:
            n -= 1
            node = stack[n]
            if _reach(bounds, node, normal) - levels[i] + slack <= highest:
                continue
            left, right = _children_of(children, node)
            if left < 0:
                p = points[~left]
                height = normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2] - levels[i]
                highest = max(highest, height)
            else:
                is_left = _reach(bounds, left, normal) >= _reach(bounds, right, normal)
                stack[n], stack[n + 1] = (right, left) if is_left else (left, right)
                n += 2
    return highest
