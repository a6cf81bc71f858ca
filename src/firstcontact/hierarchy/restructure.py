"""Repair of a loose tree: its tight subtrees stay as they are, and a new tree is built over them."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Ids
from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.tree import Tree

Ranges = NDArray[np.int64]


def tight_subtrees(tree: Tree, spreads: Array, limits: Array) -> Ranges:
    """List the largest subtrees whose spreads are within their limits, as ranges of nodes, (m, 2).

    A leaf's always is, so each primitive is in exactly one of them. A tight tree has one: itself.
    """
    return _tight_subtrees(tree.children, spreads, limits)


def restructure(tree: Tree, node_bounds: Array, kept: Ranges) -> tuple[Tree, Ranges]:
    """Build a new tree over subtrees of a tree, which together hold all its leaves.

    The depth may exceed MAX_DEPTH: it is up to that of the new tree plus that of a subtree.

    Returns
    -------
    tree : over the same primitives
    moved : (n_nodes,) int64, the old number of each node of a kept subtree; -1 for new nodes
    """
    top = build_tree(node_bounds[kept[:, 0]])
    children, moved = np.empty_like(tree.children), np.full(len(tree.children), -1, np.int64)
    depth = _graft(tree.children, top.children, kept, children, moved)
    return Tree(children, depth), moved


@driver
def _tight_subtrees(children: Ids, spreads: Array, limits: Array) -> Ranges:
    """Walk from the root down to the nodes that are within their limits, and list the nodes below them."""
    n = len(children)
    kept, ends = np.empty((n, 2), np.int64), np.empty(n + 1, np.int64)
    ends[0] = n
    n_kept, node = 0, 0
    while node < n:
        if children[node, 0] < 0 or spreads[node] <= limits[node]:
            kept[n_kept, 0], kept[n_kept, 1] = node, ends[node]
            n_kept += 1
            node = ends[node]
        else:
            ends[children[node, 0]], ends[children[node, 1]] = children[node, 1], ends[node]
            node += 1
    return kept[:n_kept]


@driver
def _graft(children: Ids, top: Ids, kept: Ranges, grafted: Ids, moved: Ranges) -> int:
    """Copy a tree over kept subtrees, and these in place of its leaves; return the depth of the whole."""
    where = np.empty(len(top), np.int64)
    n = 0
    for node in range(len(top)):
        where[node] = n
        item = ~top[node, 0]
        n += kept[item, 1] - kept[item, 0] if item >= 0 else 1
    for node in range(len(top)):
        item, to = ~top[node, 0], where[node]
        if item < 0:
            grafted[to, 0], grafted[to, 1] = where[top[node, 0]], where[top[node, 1]]
            continue
        shift = to - kept[item, 0]
        for old in range(kept[item, 0], kept[item, 1]):
            moved[old + shift] = old
            is_leaf = children[old, 0] < 0
            for side in range(2):
                grafted[old + shift, side] = children[old, side] if is_leaf else children[old, side] + shift
    return _depth(grafted)


@kernel
def _depth(children: Ids) -> int:
    """Find the depth of the deepest leaf."""
    depths = np.zeros(len(children), np.int64)
    deepest = 0
    for node in range(len(children)):
        deepest = max(deepest, depths[node])
        if children[node, 0] >= 0:
            depths[children[node, 0]] = depths[children[node, 1]] = depths[node] + 1
    return deepest
