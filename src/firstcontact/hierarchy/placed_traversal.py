"""Pairs of primitives of two trees of boxes, of which the first is placed by a linear map.

Boxes of the first are turned as they are met, so that no tree is fitted anew for a pose: the box around a
turned box is no larger than the square root of three times as large along an axis.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel, thread_count
from firstcontact.arrays import Array, Ids
from firstcontact.hierarchy.shares import PARALLEL_FROM, Shares
from firstcontact.hierarchy.traversal import N_COUNTS, NODE_TESTS, stack_size

# Subtrees that a thread has at least: enough for shares to be of nearly equal size.
SUBTREES_A_THREAD = 64


class PlacedPairing(NamedTuple):
    """Two trees with the boxes of their nodes, each in a frame of its own.

    place : (3, 4), from the frame of a to that of b
    margin : boxes that are as far apart count as overlapping
    """

    children_a: Ids
    bounds_a: Array
    children_b: Ids
    bounds_b: Array
    place: Array
    margin: float


@kernel
def next_placed_pairs(
    pairing: PlacedPairing, stack: Ids, top: int, pairs: Ids, counts: NDArray[np.int64]
) -> tuple[int, int]:
    """Fill `pairs` with pairs of primitives; return their number, and that of the items left on the stack.

    Of two nodes the larger is taken apart, so that a small tree finds its way through a large one. One loop
    over plain arrays, as in traversal.py.
    """
    children_a, bounds_a, place = pairing.children_a, pairing.bounds_a, pairing.place
    children_b, bounds_b, margin = pairing.children_b, pairing.bounds_b, 2.0 * pairing.margin
    n_pairs = n_tests = 0
    while top > 0 and n_pairs < len(pairs):
        top -= 1
        n_tests += 1
        i, j = stack[top, 0], stack[top, 1]
        # The box around box i as it is placed, twice as large about its middle; and box j.
        is_apart, size_a, size_b = False, 0.0, 0.0
        lows, highs = bounds_a[i, :3], bounds_a[i, 3:]
        x, y, z = lows[0] + highs[0], lows[1] + highs[1], lows[2] + highs[2]
        u, v, w = highs[0] - lows[0], highs[1] - lows[1], highs[2] - lows[2]
        for k in range(3):
            p, q, r = place[k, 0], place[k, 1], place[k, 2]
            middle, wide = p * x + q * y + r * z + 2.0 * place[k, 3], abs(p) * u + abs(q) * v + abs(r) * w
            low, high = bounds_b[j, k], bounds_b[j, 3 + k]
            is_apart |= abs(middle - (low + high)) > wide + (high - low) + margin
            size_a, size_b = size_a + wide, size_b + (high - low)
        if is_apart:
            continue
        left_a, left_b = children_a[i, 0], children_b[j, 0]
        if left_a < 0 and left_b < 0:
            pairs[n_pairs, 0], pairs[n_pairs, 1] = ~left_a, ~left_b
            n_pairs += 1
        elif left_b < 0 or (left_a >= 0 and size_a >= size_b):
            stack[top, 0], stack[top + 1, 0], stack[top + 1, 1] = left_a, children_a[i, 1], j
            top += 2
        else:
            stack[top, 1], stack[top + 1, 0], stack[top + 1, 1] = left_b, i, children_b[j, 1]
            top += 2
    counts[NODE_TESTS] += n_tests
    return n_pairs, top


def shared_subtrees(pairing: PlacedPairing, depths: tuple[int, int]) -> Shares:
    """Share the work among the threads: each has subtrees of a, to be met by all of b."""
    n_primitives = (len(pairing.children_a) + len(pairing.children_b)) // 2
    n_threads = 1 if n_primitives < PARALLEL_FROM else thread_count()
    nodes = np.zeros(1, np.int32)
    while n_threads > 1 and len(nodes) < n_threads * SUBTREES_A_THREAD:
        below = pairing.children_a[nodes]
        is_leaf = below[:, 0] < 0
        if is_leaf.all():
            break
        nodes = np.concatenate([nodes[is_leaf], below[~is_leaf].reshape(-1)])
    share = -(-len(nodes) // n_threads)
    stacks = np.zeros((n_threads, share + stack_size(*depths), 2), np.int32)
    tops = np.zeros(n_threads, np.int64)
    for thread in range(n_threads):
        mine = nodes[thread::n_threads]
        tops[thread], stacks[thread, : len(mine), 0] = len(mine), mine
    return Shares(stacks, tops, np.zeros((n_threads, N_COUNTS), np.int64))
