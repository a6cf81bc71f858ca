"""A tree of swept sphere volumes over primitives of three points."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, on_ranges
from firstcontact.arrays import Array
from firstcontact.bounds.swept_sphere import N_COLUMNS, fit_volumes
from firstcontact.hierarchy.build import build_tree

# Nodes from which several threads are worth their start.
WORTH_A_THREAD = 4096


class VolumeTree(NamedTuple):
    """A binary tree, numbered depth first, with a volume for each node and one primitive a leaf.

    children : (n_nodes, 2) int32, the children of an inner node; the leaf of primitive p has ~p twice
    volumes : (n_nodes, 16), rows for `volume_of`
    points : (n, 9), three points of each primitive; primitives are numbered in the order of the leaves
    order : (n,) int32, what number each of them had
    depth : that of the deepest leaf
    """

    children: NDArray[np.int32]
    volumes: Array
    points: Array
    order: NDArray[np.int32]
    depth: int


def volume_tree(points: Array) -> VolumeTree:
    """Build the tree over points (n, 3, 3), three of each primitive."""
    tree = build_tree(np.concatenate([points.min(axis=1), points.max(axis=1)], axis=1))
    n_nodes = len(tree.children)
    children, order = np.empty_like(tree.children), np.empty(len(points), np.int32)
    ranges, volumes = np.empty((n_nodes, 2), np.int64), np.empty((n_nodes, N_COLUMNS))
    _rank_leaves(tree.children, children, order, ranges)
    in_order = np.ascontiguousarray(points[order])
    corners = in_order.reshape(-1, 3)

    def fit(first: int, last: int) -> None:
        fit_volumes(corners, ranges, volumes, first, last)

    on_ranges(fit, n_nodes, WORTH_A_THREAD)
    return VolumeTree(children, volumes, in_order.reshape(-1, 9), order, tree.depth)


@driver
def _rank_leaves(
    children: NDArray[np.int32],
    ranked: NDArray[np.int32],
    order: NDArray[np.int32],
    ranges: NDArray[np.int64],
) -> None:
    """Number the primitives in the order of the leaves, and find the range of points below each node."""
    rank = 0
    for node in range(len(children)):
        ranges[node, 0] = 3 * rank
        ranked[node, 0], ranked[node, 1] = children[node, 0], children[node, 1]
        if children[node, 0] < 0:
            order[rank] = ~children[node, 0]
            ranked[node, 0] = ranked[node, 1] = ~rank
            rank += 1
    for node in range(len(children) - 1, -1, -1):
        is_leaf = children[node, 0] < 0
        ranges[node, 1] = ranges[node, 0] + 3 if is_leaf else ranges[children[node, 1], 1]
