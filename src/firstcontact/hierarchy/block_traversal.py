"""Pairs of leaves of two trees of boxes, eight children a node, one of them placed; or of one with itself.

Boxes are turned as they are met, so that no tree is made anew for a pose. The larger of two nodes is taken
apart: the other's box is seen from its frame and compared with those of its eight children together, along
the axes of both frames.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._box_lanes import near_boxes
from firstcontact._jit import driver, kernel
from firstcontact._lanes import HIGH, LOW, WIDTH, Singles, lowest_bit
from firstcontact.arrays import Ids
from firstcontact.hierarchy.box_blocks import BoxBlocks
from firstcontact.scalar.mat3 import Mat3, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, dot, scale, sub

# What is counted: pairs of boxes compared, and boxes seen from another frame.
BOX_TESTS, BOX_UPDATES, N_COUNTS = 0, 1, 2

# Items of work for one: of a node with itself, its children with themselves and with each other.
ITEMS_A_NODE = WIDTH * (WIDTH + 1) // 2

# A traversal pauses after so many items.
ITEMS = 256

# A box is named by its place among all: WIDTH times its block, and which of the eight it is. The root has no
# box, and nothing links to it: a link of zero is one that is left over.
NO_LINK = 0


class Seen(NamedTuple):
    """How one frame is seen from another: a point x is at ``ratio * rotation x + offset``.

    margin : boxes that are as far apart count as overlapping, in units of the frame from which it is seen
    """

    rotation: Mat3
    offset: Vec3
    ratio: float
    margin: float


class BlockPairing(NamedTuple):
    """What is traversed: two trees, each with one block at least, or one with itself.

    boxes, children : those of `BoxBlocks`
    a_in_b, b_in_a : how the frames of their boxes are seen from each other
    """

    boxes_a: Singles
    children_a: Ids
    boxes_b: Singles
    children_b: Ids
    a_in_b: Seen
    b_in_a: Seen
    is_self: bool


# A box seen from another frame, in units of that, all twice as large: its middle, its own sides, and those of
# the box around it along the axes of that frame.
TurnedBox = tuple[Vec3, Vec3, Vec3]


def block_stack_size(a: BoxBlocks, b: BoxBlocks) -> int:
    """How many items a traversal can leave waiting, and room for those that are tried."""
    return WIDTH * WIDTH + (ITEMS_A_NODE - 1) * (a.depth + b.depth + 2) + WIDTH


@driver
def push_roots(pairing: BlockPairing, stack: Ids, counts: NDArray[np.int64]) -> int:
    """Put the items on a stack that stand for a whole traversal; return how many."""
    top, root = 0, int(np.int64(0))
    if pairing.is_self:
        return _push_within(pairing, root, stack, top, counts)
    back = transposed(pairing.a_in_b.rotation)
    for k in range(WIDTH):
        if pairing.children_a[root, k] == NO_LINK:
            break
        one = _turned(pairing.boxes_a, k, pairing.a_in_b)
        near = near_boxes(pairing.boxes_b, root, one, back, pairing.a_in_b.margin)
        for m in range(WIDTH):
            stack[top, 0], stack[top, 1] = k, m
            top += (pairing.children_b[root, m] != NO_LINK) & (near >> m & 1)
        counts[BOX_TESTS] += WIDTH
        counts[BOX_UPDATES] += 1
    return top


@kernel
def next_leaf_pairs(
    pairing: BlockPairing, stack: Ids, top: int, pairs: Ids, counts: NDArray[np.int64]
) -> tuple[int, int]:
    """Fill `pairs` with pairs of leaves; return their number, and that of the items left on the stack.

    Stops when `pairs` is full, or after ITEMS items. One loop over plain arrays, as in traversal.py.
    """
    boxes_a, children_a, a_in_b = pairing.boxes_a, pairing.children_a, pairing.a_in_b
    boxes_b, children_b, b_in_a = pairing.boxes_b, pairing.children_b, pairing.b_in_a
    to_a, to_b = transposed(a_in_b.rotation), transposed(b_in_a.rotation)
    n_pairs, n_updates, items = 0, 0, ITEMS
    while top > 0 and n_pairs < len(pairs) and items > 0:
        items -= 1
        top -= 1
        i, j = stack[top, 0], stack[top, 1]
        link_a, link_b = children_a[i // WIDTH, i % WIDTH], children_b[j // WIDTH, j % WIDTH]
        if link_a < 0 and link_b < 0:
            pairs[n_pairs, 0], pairs[n_pairs, 1] = ~link_a, ~link_b
            n_pairs += 1
        elif pairing.is_self and i == j:
            top = _push_within(pairing, link_a, stack, top, counts)
        elif link_b < 0 or (link_a >= 0 and a_in_b.ratio * _size(boxes_a, i) >= _size(boxes_b, j)):
            n_updates += 1
            near = near_boxes(boxes_a, link_a, _turned(boxes_b, j, b_in_a), to_b, b_in_a.margin)
            while near != 0:
                k = lowest_bit(near)
                near &= near - 1
                stack[top, 0], stack[top, 1] = WIDTH * link_a + k, j
                top += children_a[link_a, k] != NO_LINK
        else:
            n_updates += 1
            near = near_boxes(boxes_b, link_b, _turned(boxes_a, i, a_in_b), to_a, a_in_b.margin)
            while near != 0:
                k = lowest_bit(near)
                near &= near - 1
                stack[top, 0], stack[top, 1] = i, WIDTH * link_b + k
                top += children_b[link_b, k] != NO_LINK
    counts[BOX_TESTS] += WIDTH * n_updates
    counts[BOX_UPDATES] += n_updates
    return n_pairs, top


@kernel
def _push_within(pairing: BlockPairing, block: int, stack: Ids, top: int, counts: NDArray[np.int64]) -> int:
    """Put the pairs within a block on the stack: its children with themselves, and with each other."""
    back = transposed(pairing.a_in_b.rotation)
    for k in range(WIDTH):
        if pairing.children_a[block, k] == NO_LINK:
            break
        stack[top, 0] = stack[top, 1] = WIDTH * block + k
        top += 1
        one = _turned(pairing.boxes_a, WIDTH * block + k, pairing.a_in_b)
        near = near_boxes(pairing.boxes_a, block, one, back, pairing.a_in_b.margin)
        counts[BOX_TESTS] += WIDTH
        for m in range(k + 1, WIDTH):
            stack[top, 0], stack[top, 1] = WIDTH * block + k, WIDTH * block + m
            top += (pairing.children_a[block, m] != NO_LINK) & (near >> m & 1)
    return top


@kernel
def _size(boxes: Singles, place: int) -> float:
    """Sum of the sides of a box."""
    block, k, size = place // WIDTH, place % WIDTH, 0.0
    for axis in range(3):
        size += float(boxes[block, HIGH + axis, k]) - float(boxes[block, LOW + axis, k])
    return size


@kernel
def _turned(boxes: Singles, place: int, seen: Seen) -> TurnedBox:
    """A box of a tree as it is seen from another."""
    block, k = place // WIDTH, place % WIDTH
    low = float(boxes[block, LOW, k]), float(boxes[block, LOW + 1, k]), float(boxes[block, LOW + 2, k])
    high = float(boxes[block, HIGH, k]), float(boxes[block, HIGH + 1, k]), float(boxes[block, HIGH + 2, k])
    middle = mat_vec(seen.rotation, scale(seen.ratio, add(low, high)))
    own = scale(seen.ratio, sub(high, low))
    return add(middle, scale(2.0, seen.offset)), own, _around(seen.rotation, own)


@kernel
def _around(rotation: Mat3, sides: Vec3) -> Vec3:
    """Sides of the box around a box that is turned."""
    a, b, c, d, e, f, g, h, i = rotation
    return (
        dot((abs(a), abs(b), abs(c)), sides),
        dot((abs(d), abs(e), abs(f)), sides),
        dot((abs(g), abs(h), abs(i)), sides),
    )
