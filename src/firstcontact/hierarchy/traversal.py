"""Pairs of primitives of a tree whose bounds overlap.

Traversal hands out pairs a bufferful at a time and can be resumed: it knows bounds, and nothing of what its
pairs are for. An item of work is a pair of nodes that may hold overlapping primitives; the pair of a node
with itself stands for all pairs within the node.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._box_lanes import are_apart
from firstcontact._jit import driver, kernel
from firstcontact._lanes import WIDTH
from firstcontact.arrays import Array, Ids

# An item is replaced by at most four, of which one is taken up at once.
ITEMS_A_LEVEL, MOST_PARTS = 3, 4

# Bounds of no nodes at both ends of a motion.
NO_ENDS: Array = np.empty((0, 12))

# Part of the whole time up to which two times are not told apart: far more than their rounding.
SAME_TIME = 2.0**-40


class Pairing(NamedTuple):
    """What is traversed: a tree, or several below one top, with the bounds of their nodes.

    `quiet` marks nodes of which no pairs within are wanted, and why; `is_bounded` is False to study what a
    traversal without bounds would cost.

    ends : bounds of nodes that move, (n_nodes, 12): lower ends of three intervals at the times 0 and 1, then
        upper ends; with no rows, unless what is swept at different times is to be told apart
    """

    children: Ids
    bounds: Array
    is_bounded: bool
    quiet: NDArray[np.int8]
    ends: Array = NO_ENDS


# Why no pairs within a node are wanted: none would touch, or nobody asks for them.
NOT_QUIET, SMOOTH, NOT_ASKED = range(3)

# What a traversal counts: tests of two bounds, and nodes met of which no two primitives touch.
NODE_TESTS = 0
QUIET_NODES = 1
N_COUNTS = 2


def stack_size(depth: int) -> int:
    """How many items a traversal from one item can leave waiting, by the depth of the tree."""
    return ITEMS_A_LEVEL * (2 * depth + 2) + 1


@kernel
def is_overlapping(p: Array, i: int, q: Array, j: int) -> bool:
    """Do bounds i of p and j of q have a common point?"""
    half = p.shape[1] // 2
    if half == WIDTH:
        return not are_apart(p, i, q, j)
    is_apart = False
    for k in range(half):  # to the end: a branch that is hard to predict takes longer
        is_apart |= (p[i, k] > q[j, half + k]) | (q[j, k] > p[i, half + k])
    return not is_apart


@kernel
def do_meet(p: Array, i: int, q: Array, j: int) -> bool:
    """Do bounds i of p and j of q, which move linearly from end to end, have a common point at some time?

    Along an axis a gap is linear in time: it is open up to a time, or from one on. The ends are wide enough
    that a gap which is open by rounding alone is none; where gaps differ in sign nothing cancels, so that a
    time is right but for some roundings.
    """
    first, last = 0.0, 1.0
    for k in range(3):
        for side in range(2):
            if side == 0:
                start, end = p[i, k] - q[j, 6 + k], p[i, 3 + k] - q[j, 9 + k]
            else:
                start, end = q[j, k] - p[i, 6 + k], q[j, 3 + k] - p[i, 9 + k]
            if start > 0.0:
                if end > 0.0:
                    return False
                first = max(first, start / (start - end))
            elif end > 0.0:
                last = min(last, start / (start - end))
    return first <= last + SAME_TIME


@kernel
def next_pairs(
    pairing: Pairing, stack: Ids, top: int, most_items: int, pairs: Ids, counts: NDArray[np.int64]
) -> tuple[int, int]:
    """Fill `pairs` with pairs of primitives; return their number, and that of the items left on the stack.

    Stops when `pairs` is full, or after so many items. One loop over plain arrays: to hand a tuple of arrays
    to a function for each item takes ten times longer. Leaves that are near go into `pairs` at once where
    there is room: whether an item is a pair of leaves is what a processor cannot foresee.
    """
    children, bounds, quiet = pairing.children, pairing.bounds, pairing.quiet
    ends, is_timed = pairing.ends, len(pairing.ends) > 0
    n_pairs = n_tests = n_quiet = 0
    while top > 0 and n_pairs < len(pairs) and most_items > 0:
        most_items -= 1
        top -= 1
        i, j = stack[top, 0], stack[top, 1]
        left_a, right_a = children[i, 0], children[i, 1]
        left_b, right_b = children[j, 0], children[j, 1]
        is_leaf_a, is_leaf_b = left_a < 0, left_b < 0
        has_room = n_pairs + MOST_PARTS <= len(pairs)
        if i == j:
            if is_leaf_a:
                continue
            if quiet[i] != NOT_QUIET:
                n_quiet += quiet[i] == SMOOTH
                continue
            stack[top, 0] = stack[top, 1] = left_a
            top += children[left_a, 0] >= 0
            stack[top, 0] = stack[top, 1] = right_a
            top += children[right_a, 0] >= 0
            stack[top, 0], stack[top, 1] = left_a, right_a
            n_tests += 1
            is_near = not pairing.is_bounded or is_overlapping(bounds, left_a, bounds, right_a)
            if is_timed and is_near:
                is_near = do_meet(ends, left_a, ends, right_a)
            top += is_near
        elif is_leaf_a and is_leaf_b:
            pairs[n_pairs, 0], pairs[n_pairs, 1] = ~left_a, ~left_b
            n_pairs += 1
        else:
            for m in range(1 if is_leaf_a else 2):
                for n in range(1 if is_leaf_b else 2):
                    a = i if is_leaf_a else (left_a if m == 0 else right_a)
                    b = j if is_leaf_b else (left_b if n == 0 else right_b)
                    n_tests += 1
                    is_near = not pairing.is_bounded or is_overlapping(bounds, a, bounds, b)
                    if is_timed and is_near:
                        is_near = do_meet(ends, a, ends, b)
                    below_a, below_b = children[a, 0], children[b, 0]
                    is_pair = is_near & has_room & (below_a < 0) & (below_b < 0)
                    pairs[n_pairs, 0], pairs[n_pairs, 1] = ~below_a, ~below_b
                    n_pairs += is_pair
                    stack[top, 0], stack[top, 1] = a, b
                    top += is_near & (not is_pair)
    counts[NODE_TESTS] += n_tests
    counts[QUIET_NODES] += n_quiet
    return n_pairs, top


@driver
def split_items(pairing: Pairing, items: Ids, n_items: int, wanted: int, counts: NDArray[np.int64]) -> int:
    """Replace items by what they consist of, breadth first, until there are `wanted` or only pairs of leaves.

    There must be room for five times as many; returns how many items there are then.
    """
    parts, pairs = np.empty((len(items), 2), np.int32), np.empty((1, 2), np.int32)
    one = int(np.int64(1))  # not a plain one: functions are compiled for a constant argument apart
    has_split = True
    while n_items < wanted and has_split:
        has_split = False
        n_parts = 0
        for item in range(n_items):
            parts[n_parts, 0], parts[n_parts, 1] = items[item, 0], items[item, 1]
            n_pairs, top = next_pairs(pairing, parts[n_parts:], one, one, pairs, counts)
            n_parts += top + n_pairs  # a pair of leaves stays as it is
            has_split |= n_pairs == 0
        n_items = n_parts
        for item in range(n_items):
            items[item, 0], items[item, 1] = parts[item, 0], parts[item, 1]
    return n_items
