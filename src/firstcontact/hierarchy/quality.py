"""How good a tree still is, in units of its primitives' surface areas.

Two sums say it, and both are needed. The areas in which siblings overlap tell when a tree is loose: in trees
built anew over a rolled and crumpled sheet, over mixing balls and over a sheet that is wrung in one place,
they stay within 1.1 of what they were in the first tree; in a first tree that was only refitted they grow,
sixfold over the balls, where it takes 1.5 times as many box tests as a new one. The areas of all inner nodes
depend on the shape of the scene (1.5 on the sheet, 0.6 on the wrung one), but they alone tell where a tree is
loose: primitives that drift apart no longer overlap, and the nodes that hold them grow.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array
from firstcontact.hierarchy.tree import Tree


class Quality(NamedTuple):
    """Areas in a tree over the sum of its primitives' areas; 0 where a tree has none.

    overlap : sum of those in which siblings' boxes overlap
    spreads : (n_nodes,), for the tree below each node the sum of its inner nodes' areas
    """

    overlap: float
    spreads: Array


def quality(tree: Tree, node_bounds: Array) -> Quality:
    """Measure a tree."""
    overlaps, spreads = qualities(tree.children, np.array([0, len(node_bounds)]), node_bounds)
    return Quality(float(overlaps[0]), spreads)


def qualities(children: NDArray[np.int32], roots: NDArray[np.int64], bounds: Array) -> tuple[Array, Array]:
    """Measure trees that begin at each of `roots` but the last: their overlaps (n,), spreads (n_nodes,)."""
    overlaps, spreads = np.empty(len(roots) - 1), np.empty(len(bounds))
    _measure(children, roots, bounds, overlaps, spreads)
    return overlaps, spreads


@driver
def _measure(
    children: NDArray[np.int32], roots: NDArray[np.int64], bounds: Array, overlaps: Array, spreads: Array
) -> None:
    """Write the overlap of each tree, and the spreads, children before parents."""
    inner, leaves = np.zeros(len(bounds)), np.zeros(len(bounds))
    for tree in range(len(overlaps)):
        overlap, total = 0.0, 0.0
        for node in range(roots[tree + 1] - 1, roots[tree] - 1, -1):
            left, right = int(np.int64(children[node, 0])), int(np.int64(children[node, 1]))
            area = _common_area(bounds, node, node)
            if left < 0:
                leaves[node] = area
                total += area
            else:
                inner[node] = area + inner[left] + inner[right]
                leaves[node] = leaves[left] + leaves[right]
                overlap += _common_area(bounds, left, right)
            spreads[node] = inner[node] / leaves[node] if inner[node] > 0.0 else 0.0
        overlaps[tree] = overlap / total if overlap > 0.0 else 0.0


@kernel
def _common_area(bounds: Array, a: int, b: int) -> float:
    """Half the surface area of the box in which two nodes overlap."""
    half = bounds.shape[1] // 2
    x = min(bounds[a, half], bounds[b, half]) - max(bounds[a, 0], bounds[b, 0])
    y = min(bounds[a, half + 1], bounds[b, half + 1]) - max(bounds[a, 1], bounds[b, 1])
    z = min(bounds[a, half + 2], bounds[b, half + 2]) - max(bounds[a, 2], bounds[b, 2])
    return x * y + y * z + z * x if min(min(x, y), z) >= 0.0 else 0.0
