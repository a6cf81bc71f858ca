"""Bounds of all nodes of a tree from those of its leaves; exact, since minima and maxima are."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges, thread_count
from firstcontact.arrays import Array, Ids
from firstcontact.hierarchy.tree import Tree

Ranges = NDArray[np.int64]

# Nodes from which several threads are worth their start, and nodes that one task takes at most.
PARALLEL_FROM = 2**17
TASK_NODES = 4096


def refit(tree: Tree, leaf_bounds: Array) -> Array:
    """Bound every node of a tree.

    Parameters
    ----------
    leaf_bounds : (n, k) bounds of the primitives

    Returns
    -------
    (n_nodes, k) node bounds: a leaf's is its primitive's, an inner node's the union of its children's
    """
    children = tree.children
    bounds = np.empty((len(children), leaf_bounds.shape[1]))
    refit_below(children, np.array([0, len(children)]), leaf_bounds, bounds)
    return bounds


def refit_below(children: Ids, roots: NDArray[np.int64], leaf_bounds: Array, bounds: Array) -> None:
    """Write the bounds of trees that begin at each of `roots` but the last, which is where the last ends."""
    if len(children) < PARALLEL_FROM or thread_count() == 1:
        _refit_ranges(children, np.array([[roots[0], roots[-1]]]), leaf_bounds, bounds)
        return
    top, tasks = _subtrees(children, roots)

    def fit(first: int, last: int) -> None:
        _refit_ranges(children, tasks[first:last], leaf_bounds, bounds)

    on_ranges(fit, len(tasks), 1)
    _refit_ranges(children, top, leaf_bounds, bounds)


def refit_top(children: Ids, nodes: tuple[int, int], bounds: Array) -> None:
    """Write the bounds of nodes [first, last), none of which is a leaf, where those below are known."""
    if nodes[0] < nodes[1]:
        _refit_ranges(children, np.array([nodes]), bounds, bounds)


@kernel
def _refit_range(children: Ids, nodes: Ranges, leaf_bounds: Array, bounds: Array) -> None:
    """Bound the nodes [first, last), children before parents."""
    k = bounds.shape[1]
    for node in range(nodes[1] - 1, nodes[0] - 1, -1):
        left, right = children[node, 0], children[node, 1]
        if left < 0:
            for j in range(k):
                bounds[node, j] = leaf_bounds[~left, j]
            continue
        for j in range(k // 2):
            bounds[node, j] = min(bounds[left, j], bounds[right, j])
        for j in range(k // 2, k):
            bounds[node, j] = max(bounds[left, j], bounds[right, j])


@driver
def _refit_ranges(children: Ids, ranges: Ranges, leaf_bounds: Array, bounds: Array) -> None:
    """Bound the nodes of all ranges, last to first."""
    for i in range(len(ranges) - 1, -1, -1):
        _refit_range(children, ranges[i], leaf_bounds, bounds)


@driver
def _subtrees(children: Ids, roots: NDArray[np.int64]) -> tuple[Ranges, Ranges]:
    """List the nodes with more than TASK_NODES below, in order, and the subtrees that hang from them."""
    top, tasks = np.empty((len(children), 2), np.int64), np.empty((len(children), 2), np.int64)
    n_top, n_tasks, node = 0, 0, roots[0]
    ends = np.empty(len(children) + 1, np.int64)
    for tree in range(len(roots) - 1):
        ends[roots[tree]] = roots[tree + 1]
    while node < len(children):
        end = ends[node]
        if end - node <= TASK_NODES:
            tasks[n_tasks, 0], tasks[n_tasks, 1] = node, end
            n_tasks += 1
            node = end
        else:
            top[n_top, 0], top[n_top, 1] = node, node + 1
            n_top += 1
            right = children[node, 1]
            ends[node + 1], ends[right] = right, end
            node += 1
    return top[:n_top], tasks[:n_tasks]
