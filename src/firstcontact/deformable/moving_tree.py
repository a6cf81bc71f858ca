"""A tree of boxes over triangles whose corners go straight: each box goes from where it is to where it gets.

At any time between, a corner is as far from either end as its box is: what is in a box at both ends is in the
box between them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.refit import refit
from firstcontact.hierarchy.tree import Tree
from firstcontact.scalar.vec3 import Triangle
from firstcontact.shapes.mesh import Mesh

# Columns of a node: its box, lower and upper corner, at the start, and at the end.
LOWER, UPPER, N_BOX = 0, 3, 6


class MovingTree(NamedTuple):
    """Triangles that go straight from one place to another.

    children, depth : of a `Tree`
    boxes : (2, n_nodes, 6) of each node, at the start and at the end
    corners : (2, n, 9) of each triangle
    radii : (n,) how far what it stands for reaches around it; boxes hold that
    """

    children: Ids
    depth: int
    boxes: Array
    corners: Array
    radii: Array


def tree_over(vertices: Array, faces: NDArray[np.int32]) -> Tree:
    """A tree for faces that are somewhere near these places."""
    return build_tree(_boxes(vertices[faces]))


def moving_tree(tree: Tree, mesh: Mesh, start: Array, end: Array) -> MovingTree:
    """Fit a tree to a mesh whose vertices (n, 3) go from a start to an end."""
    corners, radii = np.stack([start[mesh.faces], end[mesh.faces]]), mesh.radii.copy()
    outward = np.stack([-radii, -radii, -radii, radii, radii, radii], axis=1)
    boxes = np.stack([refit(tree, _boxes(places) + outward) for places in corners])
    return MovingTree(tree.children, tree.depth, boxes, corners.reshape(2, -1, 9), radii)


def standing_tree(box: Array) -> MovingTree:
    """A tree of one leaf that stays where it is: of what is no triangle, and fills a box (2, 3)."""
    boxes = np.tile(box.reshape(-1), (2, 1, 1))
    return MovingTree(np.full((1, 2), -1, np.int32), 0, boxes, np.zeros((2, 1, 9)), np.zeros(1))


def _boxes(corners: Array) -> Array:
    """Boxes (n, 6) of triangles (n, 3, 3)."""
    return np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)


@kernel
def triangle_at(tree: MovingTree, i: int, t: float) -> Triangle:
    """Corners of a triangle at a time, from 0 to 1."""
    p, q, s = tree.corners[0, i], tree.corners[1, i], 1.0 - t
    return (
        (s * p[0] + t * q[0], s * p[1] + t * q[1], s * p[2] + t * q[2]),
        (s * p[3] + t * q[3], s * p[4] + t * q[4], s * p[5] + t * q[5]),
        (s * p[6] + t * q[6], s * p[7] + t * q[7], s * p[8] + t * q[8]),
    )


@kernel
def side_at(tree: MovingTree, i: int, k: int, t: float) -> float:
    """One of the coordinates of a node's box at a time."""
    side: float = (1.0 - t) * tree.boxes[0, i, k] + t * tree.boxes[1, i, k]
    return side


@kernel
def size_of_node(tree: MovingTree, i: int) -> float:
    """The longest side of a node's box, at the start or at the end."""
    size = 0.0
    for e in range(2):
        for k in range(3):
            size = max(size, tree.boxes[e, i, UPPER + k] - tree.boxes[e, i, LOWER + k])
    return size


@kernel
def boxes_apart(
    a: MovingTree, i: int, b: MovingTree, j: int, span: tuple[float, float]
) -> tuple[float, float]:
    """How near the boxes of two nodes come between two times, at the least; and how far a gap may change."""
    apart, change = 0.0, 0.0
    for k in range(3):
        above_s = side_at(b, j, LOWER + k, span[0]) - side_at(a, i, UPPER + k, span[0])
        above_e = side_at(b, j, LOWER + k, span[1]) - side_at(a, i, UPPER + k, span[1])
        below_s = side_at(a, i, LOWER + k, span[0]) - side_at(b, j, UPPER + k, span[0])
        below_e = side_at(a, i, LOWER + k, span[1]) - side_at(b, j, UPPER + k, span[1])
        gap = max(max(min(above_s, above_e), min(below_s, below_e)), 0.0)
        apart += gap * gap
        change = max(change, max(abs(above_e - above_s), abs(below_e - below_s)))
    return np.sqrt(apart), change
