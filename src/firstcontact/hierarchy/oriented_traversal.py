"""Pairs of primitives of two trees of oriented boxes, of which the first is placed, or of one with itself.

An item of work is a pair of nodes whose boxes are not known to be apart; a pair of a node with itself, where
a tree is traversed with itself, stands for all pairs within. The larger of two nodes is taken apart: the
other's box is seen from its frame, and compared with those of its children together.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.bounds.oriented_box import SIZE, oriented_box_of, placed_box, separate_block
from firstcontact.hierarchy.oriented_tree import ITEMS_A_NODE, WIDTH, OrientedTree
from firstcontact.scalar.mat3 import Mat3, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, scale

# What is counted: pairs of boxes compared, pairs of primitives handed out, boxes placed in another frame.
BOX_TESTS, PAIR_TESTS, BOX_UPDATES, N_COUNTS = 0, 1, 2, 3


class OrientedPairing(NamedTuple):
    """What is traversed.

    rotation, offset : a point x of a is at ``rotation x + offset`` in the frame of b
    margin : boxes that are as far apart count as overlapping
    is_self : whether a and b are one tree, in one place

    Both trees have a root.
    """

    a: OrientedTree
    b: OrientedTree
    rotation: Mat3
    offset: Vec3
    margin: float
    is_self: bool


@kernel
def next_oriented_pairs(
    pairing: OrientedPairing,
    stack: Ids,
    top: int,
    most_items: int,
    pairs: Ids,
    counts: NDArray[np.int64],
    gaps: Array,
) -> tuple[int, int]:
    """Fill `pairs` with pairs of primitives; return their number, and that of the items left on the stack.

    Stops when `pairs` is full, or after so many items. The room for `gaps` is (WIDTH,).
    """
    (boxes_a, blocks_of_a, nodes_a, blocks_a, _) = pairing.a
    (boxes_b, blocks_of_b, nodes_b, blocks_b, _) = pairing.b
    rotation, offset, margin = pairing.rotation, pairing.offset, pairing.margin
    back = transposed(rotation)
    offset_back = scale(-1.0, mat_vec(back, offset))
    n_pairs = n_tests = n_updates = 0
    while top > 0 and n_pairs < len(pairs) and most_items > 0:
        most_items -= 1
        top -= 1
        i, j = stack[top, 0], stack[top, 1]
        block_a, block_b = blocks_of_a[i], blocks_of_b[j]
        if pairing.is_self and i == j:
            if block_a >= 0:
                top = _push_within(boxes_a, nodes_a[block_a], blocks_a[block_a], margin, stack, top, gaps)
                n_tests += WIDTH * (WIDTH - 1) // 2
            continue
        if block_a < 0 and block_b < 0:
            pairs[n_pairs, 0], pairs[n_pairs, 1] = ~block_a, ~block_b
            n_pairs += 1
            continue
        n_updates += 1
        n_tests += WIDTH
        if block_b < 0 or (block_a >= 0 and boxes_a[i, SIZE] > boxes_b[j, SIZE]):
            separate_block(
                placed_box(oriented_box_of(boxes_b, j), back, offset_back), blocks_a[block_a], gaps
            )
            for k in range(WIDTH):
                stack[top, 0], stack[top, 1] = nodes_a[block_a, k], j
                top += not gaps[k] > margin
        else:
            separate_block(placed_box(oriented_box_of(boxes_a, i), rotation, offset), blocks_b[block_b], gaps)
            for k in range(WIDTH):
                stack[top, 0], stack[top, 1] = i, nodes_b[block_b, k]
                top += not gaps[k] > margin
    counts[BOX_TESTS] += n_tests
    counts[PAIR_TESTS] += n_pairs
    counts[BOX_UPDATES] += n_updates
    return n_pairs, top


@kernel
def _push_within(
    boxes: Array, nodes: Ids, block: Array, margin: float, stack: Ids, top: int, gaps: Array
) -> int:
    """Put the pairs within a node on the stack: its children with themselves, and with each other."""
    for k in range(WIDTH):
        if nodes[k] < 0:
            break
        stack[top, 0] = stack[top, 1] = nodes[k]
        top += 1
        separate_block(oriented_box_of(boxes, nodes[k]), block, gaps)
        for m in range(k + 1, WIDTH):
            stack[top, 0], stack[top, 1] = nodes[k], nodes[m]
            top += not gaps[m] > margin
    return top


def oriented_stack_size(a: OrientedTree, b: OrientedTree) -> int:
    """How many items a traversal from one item can leave waiting, and room for those that are tried."""
    return (ITEMS_A_NODE - 1) * (a.depth + b.depth + 2) + WIDTH + 1
