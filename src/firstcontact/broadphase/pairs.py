"""Sets of pairs, as sorted keys: the pair (i, j), i < j, is ``i << HALF | j``.

A sorted array is all that a set of pairs needs here: what begins in a step is merged in, what has ended is
left out on the way, and the order is that of the answer. There is no hash table to fill, and no order that
depends on how a pair was met.
"""

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Flags, Ids, Keys
from firstcontact.hierarchy.pair_key import HALF, LOWER

NO_KEYS: Keys = np.empty(0, np.int64)

# Pairs that a broad phase keeps from step to step, at most: some 100 MB while they are merged. So many boxes
# each of which overlaps hundreds are no longer told from those of the step before, but found anew.
MOST_PAIRS = 1 << 22


def pairs_of(keys: Keys) -> Ids:
    """Give the pairs (m, 2) of sorted keys, sorted by the first, then by the second."""
    pairs = np.empty((len(keys), 2), np.int32)
    pairs[:, 0], pairs[:, 1] = keys >> HALF, keys & LOWER
    return pairs


@kernel
def have_common_point(boxes: Array, i: int, j: int) -> bool:
    """Do two of the boxes overlap, or touch?"""
    is_apart = False
    for k in range(3):  # to the end: a branch that is hard to predict takes longer
        is_apart |= (boxes[i, k] > boxes[j, 3 + k]) | (boxes[j, k] > boxes[i, 3 + k])
    return not is_apart


def next_keys(keys: Keys, others: Keys, boxes: Array, is_active: Flags) -> tuple[Keys, int]:
    """Give the keys of a step, sorted, from those of the step before and sorted others that may have begun.

    Those whose boxes do not overlap now, or which are no longer there, are left out. Also returns how many
    are left of those of the step before.
    """
    merged = np.empty(len(keys) + len(others), np.int64)
    n, n_kept = _merge(keys, others, boxes, is_active, merged)
    return merged[:n], n_kept


@driver
def _merge(keys: Keys, others: Keys, boxes: Array, is_active: Flags, merged: Keys) -> tuple[int, int]:
    """Merge two sorted lists of keys; return how many there are, each once, and how many of the first."""
    n = n_kept = at = at_others = 0
    last = np.int64(-1)
    while at < len(keys) or at_others < len(others):
        is_known = at_others == len(others) or (at < len(keys) and keys[at] <= others[at_others])
        key = keys[at] if is_known else others[at_others]
        at += is_known
        at_others += not is_known
        i, j = key >> HALF, key & LOWER
        if key != last and is_active[i] and is_active[j] and have_common_point(boxes, i, j):
            merged[n] = key
            n += 1
            n_kept += is_known
        last = key
    return n, n_kept
