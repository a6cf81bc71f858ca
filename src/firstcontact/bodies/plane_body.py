"""Edges of the plane made ready for queries: in a tree of boxes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Ids
from firstcontact.hierarchy.build import build_tree
from firstcontact.narrowphase.plane.turn import Edge2, Vec2
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.planar import Planar


class PlaneBody(NamedTuple):
    """Edges, and a tree of their boxes.

    edges : (m, 4), from where to where each goes: x, y, x, y
    boxes : (n_nodes, 4), lower and upper corners
    children : (n_nodes, 2) of an inner node; of a leaf ~edge, twice
    depth : of the deepest leaf
    """

    edges: Array
    boxes: Array
    children: Ids
    depth: int


def plane_body_of(shape: Planar) -> PlaneBody:
    """Return the body of a shape, made on the first call."""
    kept = shape.kept
    found: PlaneBody | None = kept.get("plane body")
    if found is None:
        found = kept.setdefault("plane body", plane_body(shape.vertices, shape.edges))
    return found


def plane_body(vertices: Array, ids: NDArray[np.int32]) -> PlaneBody:
    """Make a body of edges between points (n, 2)."""
    edges = np.ascontiguousarray(vertices[ids].reshape(-1, 4))
    bounds = np.zeros((len(edges), 6))
    bounds[:, :2] = np.minimum(edges[:, :2], edges[:, 2:])
    bounds[:, 3:5] = np.maximum(edges[:, :2], edges[:, 2:])
    tree = build_tree(bounds)
    return fitted(PlaneBody(edges, np.empty((len(tree.children), 4)), tree.children, tree.depth))


@OnceForEachMesh
def centered_body(lifted: Mesh) -> PlaneBody:
    """Return the body of edges in space, in the plane, as seen from their centroid."""
    return plane_body((lifted.vertices - lifted.centroid)[:, :2], lifted.faces[:, :2])


def placed_body(body: PlaneBody, pose: Array) -> PlaneBody:
    """The same edges, as a pose (3, 3) places them, to rounding."""
    ends = body.edges.reshape(-1, 2) @ pose[:2, :2].T + pose[:2, 2]
    return fitted(body._replace(edges=ends.reshape(-1, 4), boxes=np.empty_like(body.boxes)))


def fitted(body: PlaneBody) -> PlaneBody:
    """The body, its boxes written."""
    _fit(body.edges, body.children, body.boxes)
    return body


@driver
def _fit(edges: Array, children: Ids, boxes: Array) -> None:
    """Fit boxes from the leaves up: children come after their parents."""
    for node in range(len(children) - 1, -1, -1):
        left, right = children[node, 0], children[node, 1]
        for k in range(2):
            if left < 0:
                boxes[node, k] = min(edges[~left, k], edges[~left, k + 2])
                boxes[node, k + 2] = max(edges[~left, k], edges[~left, k + 2])
            else:
                boxes[node, k] = min(boxes[left, k], boxes[right, k])
                boxes[node, k + 2] = max(boxes[left, k + 2], boxes[right, k + 2])


@kernel
def edge_at(edges: Array, i: int) -> Edge2:
    """An edge as a pair of points."""
    return (edges[i, 0], edges[i, 1]), (edges[i, 2], edges[i, 3])


@kernel
def box_gap_squared(boxes: Array, node: int, p: Vec2) -> float:
    """The square of how far a point is from a node's box, at the most to rounding."""
    x = max(max(boxes[node, 0] - p[0], p[0] - boxes[node, 2]), 0.0)
    y = max(max(boxes[node, 1] - p[1], p[1] - boxes[node, 3]), 0.0)
    return float(x * x + y * y)
