"""Several trees in one array of nodes, with a small tree above their roots: what one traversal goes through.

The nodes on top come first, then the trees, one behind the other. So parents come before their children here,
too, and each tree keeps its own order: only the top is made anew as things move among each other.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Ids
from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.refit import refit_below, refit_top
from firstcontact.hierarchy.tree import Tree


class Forest(NamedTuple):
    """Trees, and what is above them. A tree without primitives has no nodes, and nothing is above it.

    children : (n_nodes, 2) int32, as of a `Tree`; primitives are numbered from tree to tree
    roots : (n + 1,) where the nodes of each tree begin, and how many there are in all
    depth : that of the deepest leaf
    gathered : the node above all trees that are gathered below one; -1 where there is none
    """

    children: Ids
    roots: NDArray[np.int64]
    depth: int
    gathered: int = -1


def planted(trees: Sequence[Tree], firsts: NDArray[np.int64]) -> Forest:
    """Put trees one behind the other, without a top, of which the room is left; a tree alone needs none.

    firsts : (n + 1,) number of the first primitive of each tree
    """
    sizes = np.array([len(tree.children) for tree in trees], np.int64)
    n_top = max(int(np.count_nonzero(sizes)) - 1, 0)
    roots = n_top + np.concatenate(([0], np.cumsum(sizes)))
    depth = max(tree.depth for tree in trees)
    if len(trees) == 1:
        return Forest(trees[0].children, roots, depth)
    children = np.concatenate([np.zeros((n_top, 2), np.int32), *(tree.children for tree in trees)])
    below = children[n_top:]
    below += np.where(below < 0, -np.repeat(firsts[:-1], sizes)[:, np.newaxis], _shifts(roots, sizes)).astype(
        np.int32
    )
    return Forest(children, roots, depth)


def fitted_below(forest: Forest, leaf_bounds: Array) -> Array:
    """Bounds (n_nodes, k) of all nodes but those on top, which are left open."""
    bounds = np.empty((len(forest.children), leaf_bounds.shape[1]))
    refit_below(forest.children, forest.roots, leaf_bounds, bounds)
    return bounds


def topped(forest: Forest, bounds: Array, is_gathered: Sequence[bool] | None = None) -> Forest:
    """Build a top over the roots as they are bounded now, and write the bounds of it.

    is_gathered : trees that hang from one node, which no other hangs from
    """
    n_top = int(forest.roots[0])
    if n_top == 0:
        return forest
    is_there = np.diff(forest.roots) > 0
    together = is_there & np.array(is_gathered or [False] * len(is_there))
    roots, gathered = forest.roots[:-1][is_there & ~together], forest.roots[:-1][together]
    children, n_apart, depth = forest.children.copy(), n_top, forest.depth
    if len(gathered) > 1:
        n_apart = n_top - (len(gathered) - 1)
        depth += _build_top(children, bounds, gathered, n_apart)
        refit_top(children, (n_apart, n_top), bounds)
        gathered = np.array([n_apart])
    node = n_apart if n_apart < n_top else -1
    if n_apart > 0:
        depth += _build_top(children, bounds, np.concatenate([gathered, roots]), 0)
        refit_top(children, (0, n_apart), bounds)
    return Forest(children, forest.roots, depth, node)


def _build_top(children: Ids, bounds: Array, roots: NDArray[np.int64], first: int) -> int:
    """Write inner nodes above some roots, from a number on; give back how many levels they have."""
    top = build_tree(bounds[roots])
    is_inner = top.children[:, 0] >= 0
    numbers = np.where(is_inner, first + np.cumsum(is_inner) - 1, roots[~np.minimum(top.children[:, 0], -1)])
    children[first : first + len(roots) - 1] = numbers[top.children[is_inner]]
    return top.depth


def refit_forest(forest: Forest, leaf_bounds: Array) -> Array:
    """Bound every node of a forest that has its top, as `refit` does those of a tree."""
    bounds = fitted_below(forest, leaf_bounds)
    refit_top(forest.children, (0, int(forest.roots[0])), bounds)
    return bounds


def _shifts(roots: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """By how much the number of each node grows, (n_nodes, 1)."""
    return np.repeat(roots[:-1], sizes)[:, np.newaxis]
