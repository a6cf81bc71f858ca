"""A tree of boxes with eight children a node and a few primitives a leaf, for queries of single lines.

The boxes of a node's children lie column by column in one block, in single precision, rounded outwards: one
instruction takes all eight. Half the memory of doubles, which is what a large mesh is slow for.
"""

from math import frexp, ldexp, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact._lanes import BLOCK_ROWS, LINKS, WIDTH, Singles
from firstcontact.arrays import Array, Ids
from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.refit import refit
from firstcontact.scalar.vec3 import Vec3

# A node has WIDTH children, the singles that one instruction takes. Four take 5 to 15 % longer, sixteen are
# no faster.

# What a leaf costs to look into, in units of what a block does.
LEAF_COST = 0.8

# Column of shares in which a node's block of its own has them: one place is never shared.
OWN = 0

# Bytes that a processor fetches at once: blocks and leaves begin at multiples.
CACHE_LINE = 64

# Sizes beyond these are not brought to one: what is scaled must neither overflow nor underflow.
LARGEST_EXPONENT = 300


Shares = NDArray[np.int8]


class BoxBlocks(NamedTuple):
    """The tree, in units in which all boxes, seen from their middle, lie within [-1, 1].

    boxes : (m, 6, WIDTH) float32, lower and upper corners of the children; those left over are empty
    children : (m, WIDTH) int32, the block of each child, ~l for leaf l
    leaves : (n_leaves, leaf_size) int32, the primitives of each leaf, -1 for those left over
    middle : of all boxes, scaled
    factor : what coordinates are scaled by, a power of two
    half : half the size along each axis, scaled, in [0, 1]
    depth : of the deepest block, counted from 1 for the root; 0 where there is none
    """

    boxes: NDArray[np.float32]
    children: Ids
    leaves: Ids
    middle: Vec3
    factor: float
    half: Vec3
    depth: int


def box_blocks(bounds: Array, leaf_size: int) -> BoxBlocks:
    """Build the tree over boxes (n, 6), lower and upper corners, with so many a leaf at the most."""
    n = len(bounds)
    tree = build_tree(bounds)
    if n == 0:
        none = np.empty((0, 6, WIDTH), np.float32), np.empty((0, WIDTH), np.int32)
        return BoxBlocks(*none, np.empty((0, leaf_size), np.int32), (0.0,) * 3, 1.0, (0.0,) * 3, 0)
    nodes_bounds = refit(tree, bounds)
    nodes, children = np.full((n, WIDTH), -1, np.int32), np.zeros((n, WIDTH), np.int32)
    leaves = np.full((n, leaf_size), -1, np.int32)
    x, y, z = (nodes_bounds[:, 3:] - nodes_bounds[:, :3]).T
    n_blocks, n_leaves, depth = _collapse(tree.children, x * y + y * z + z * x, nodes, children, leaves)
    return placed_blocks(
        nodes_bounds, nodes[:n_blocks], children[:n_blocks].copy(), leaves[:n_leaves].copy(), depth
    )


def placed_blocks(bounds: Array, nodes: Ids, children: Ids, leaves: Ids, depth: int) -> BoxBlocks:
    """Make blocks of nodes (m, WIDTH), -1 for those left over; the first bounds are the root's."""
    low, high = bounds[0, :3], bounds[0, 3:]
    exponent = min(max(-frexp(0.5 * float(np.max(high - low)))[1], -LARGEST_EXPONENT), LARGEST_EXPONENT)
    factor = ldexp(1.0, exponent)
    middle = 0.5 * (low + high) * factor
    # A rounding more than the farther side: the middle is rounded.
    half = np.nextafter(np.maximum(high * factor - middle, middle - low * factor), np.inf)
    boxes = _rounded(bounds, nodes, factor, middle)
    return BoxBlocks(boxes, children, leaves, _vec3(middle), factor, _vec3(half), depth)


def lane_blocks(tree: BoxBlocks) -> Singles:
    """Bring the boxes and links of a tree together, as `_lanes` reads them: (m, BLOCK_ROWS, WIDTH)."""
    blocks = aligned((len(tree.boxes), BLOCK_ROWS, WIDTH))
    blocks[:, :LINKS], blocks[:, LINKS + 1 :] = tree.boxes, 0.0
    blocks.view(np.int32)[:, LINKS] = tree.children
    return blocks


def aligned(shape: tuple[int, ...]) -> Singles:
    """Make room for singles that begins at a cache line."""
    n, spare = prod(shape), CACHE_LINE // 4
    room = np.empty(n + spare, np.float32)
    first = -(room.ctypes.data // 4) % spare
    return room[first : first + n].reshape(shape)


def _vec3(array: Array) -> Vec3:
    """Give an array of three numbers as compiled code takes them."""
    x, y, z = array.tolist()
    return x, y, z


def _rounded(bounds: Array, nodes: Ids, factor: float, middle: Array) -> NDArray[np.float32]:
    """Gather the boxes of blocks of nodes, outwards in single precision; a box left over is empty."""
    sides = bounds.reshape(-1, 2, 3) * factor - middle
    singles = sides.astype(np.float32)
    singles[:, 0] = np.nextafter(singles[:, 0], np.float32(-np.inf))
    singles[:, 1] = np.nextafter(singles[:, 1], np.float32(np.inf))
    boxes = singles.reshape(-1, 6)[nodes]
    boxes[nodes < 0] = [np.inf] * 3 + [-np.inf] * 3
    return np.ascontiguousarray(boxes.transpose(0, 2, 1))


@driver
def _collapse(tree: Ids, areas: Array, nodes: Ids, children: Ids, leaves: Ids) -> tuple[int, int, int]:
    """Gather the children of blocks, so that all of it costs least; return counts and depth.

    Blocks are numbered level by level. A node of the tree with m leaves is followed by the 2 m - 2 below it.
    """
    n = len(tree)
    sizes, shares = np.ones(n, np.int32), np.zeros((n, WIDTH + 1), np.int8)
    _share_out(tree, areas, leaves.shape[1], sizes, shares)
    roots, levels = np.zeros(len(nodes), np.int32), np.ones(len(nodes), np.int32)
    n_blocks, n_leaves, block = 1, 0, 0
    while block < n_blocks:
        row = nodes[block]
        count = _gather(tree, shares, roots[block], row)
        for k in range(count):
            if shares[row[k], OWN] > 0:
                roots[n_blocks], levels[n_blocks] = row[k], levels[block] + 1
                children[block, k] = n_blocks
                n_blocks += 1
                continue
            children[block, k] = ~n_leaves
            filled = 0
            for node in range(row[k], row[k] + 2 * sizes[row[k]] - 1):
                if tree[node, 0] < 0:
                    leaves[n_leaves, filled] = ~tree[node, 0]
                    filled += 1
            n_leaves += 1
        block += 1
    return n_blocks, n_leaves, levels[n_blocks - 1]


@kernel
def _share_out(tree: Ids, areas: Array, leaf_size: int, sizes: Ids, shares: Shares) -> None:
    """Find how many of the places that a node gets are for its first child (Ylitie, Karras, Laine 2017).

    shares : (n, WIDTH + 1) written: for each number of places, 0 where the node takes one itself; in column
        `OWN` for a block of its own, 0 where the node is a leaf
    """
    costs = np.zeros((len(tree), WIDTH + 1))
    for node in range(len(tree) - 1, -1, -1):
        one, other = tree[node]
        cost = costs[node]
        if one < 0:
            cost[1:] = areas[node] * LEAF_COST
            continue
        sizes[node] = sizes[one] + sizes[other]
        for places in range(2, WIDTH + 1):
            for share in range(1, places):
                of_both = costs[one, share] + costs[other, places - share]
                if share == 1 or of_both < cost[places]:
                    cost[places], shares[node, places] = of_both, share
        cost[1] = areas[node] + cost[WIDTH]
        shares[node, OWN] = shares[node, WIDTH]
        if sizes[node] <= leaf_size and areas[node] * LEAF_COST <= cost[1]:
            cost[1], shares[node, OWN] = areas[node] * LEAF_COST, 0
        for places in range(2, WIDTH + 1):
            if cost[places - 1] <= cost[places]:
                cost[places], shares[node, places] = cost[places - 1], shares[node, places - 1]


@kernel
def _gather(tree: Ids, shares: Shares, root: int, row: Ids) -> int:
    """Write the children of the block of a node; return how many."""
    places, k, count, share = np.empty(WIDTH, np.int32), 0, 1, shares[root, OWN]
    row[0], places[0] = root, WIDTH
    while k < count:
        if share > 0:
            node = row[k]
            row[k], row[count] = tree[node, 0], tree[node, 1]
            places[k], places[count] = share, places[k] - share
            count += 1
        else:
            k += 1
        share = shares[row[k], places[k]] if k < count else 0
    return count
