"""Leaves wider than their boxes, and which of them meet."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver
from firstcontact.arrays import INFINITY, Array, Flags, Ids, Keys
from firstcontact.broadphase.pairs import have_common_point
from firstcontact.hierarchy.pair_key import HALF
from firstcontact.hierarchy.tree import MAX_DEPTH

# A leaf has room for this many more steps like the last one, on each side. Of bodies that fill 1 % of space
# and go by a tenth of their radius, 22 % leave their leaves in a step with room for 4, 12 % with 8, 9 % with
# 12, and the pairs of leaves that overlap are 2.4, 4.5 and 5.9 times those of boxes.
STEPS_AHEAD = 8.0
# There is no more than this share of the box's extent, however far it has come.
MOST_ROOM = 0.5


class BoxMotion(NamedTuple):
    """Boxes (n, 6) of a step and of the step before, and which of them count, (n,)."""

    old_boxes: Array
    was_active: Flags
    boxes: Array
    is_active: Flags


@driver
def widen_leaves(motion: BoxMotion, leaves: Array, is_moved: Flags) -> int:
    """Give new leaves to the boxes that have none or left it, mark those, and return how many they are."""
    boxes, old_boxes = motion.boxes, motion.old_boxes
    n_moved = 0
    for i in range(len(boxes)):
        is_within = motion.was_active[i]
        for k in range(3):
            is_within &= (leaves[i, k] <= boxes[i, k]) & (boxes[i, 3 + k] <= leaves[i, 3 + k])
        is_moved[i] = motion.is_active[i] and not is_within
        if is_moved[i]:
            n_moved += 1
            for k in range(3):
                low, high = boxes[i, k], boxes[i, 3 + k]
                step = max(abs(low - old_boxes[i, k]), abs(high - old_boxes[i, 3 + k]))
                room = min(STEPS_AHEAD * step, MOST_ROOM * (high - low))
                if not (motion.was_active[i] and room < INFINITY):  # the step is not known
                    room = 0.0
                leaves[i, k], leaves[i, 3 + k] = low - room, high + room
    return n_moved


@driver
def meet_leaves(
    children: Ids, bounds: Array, is_moved: Flags, is_active: Flags, met: Keys, most_pairs: int
) -> tuple[int, int]:
    """List the pairs of leaves that overlap, of which one has moved at least, as keys, each once.

    Returns how many there are, also where the list is too short for them, and the tests of two boxes; where
    there are too many, those of the leaves looked at until then.
    """
    stack = np.empty(MAX_DEPTH + 2, np.int32)
    n = n_tests = 0
    for leaf in range(len(children)):
        i = ~int(np.int64(children[leaf, 0]))
        if i < 0 or not is_moved[i]:
            continue
        if n > most_pairs:
            break
        top = 1
        stack[0] = 0
        while top > 0:
            top -= 1
            node = stack[top]
            j = ~int(np.int64(children[node, 0]))
            if j < 0:
                for side in range(2):
                    child = int(np.int64(children[node, side]))
                    stack[top] = child
                    top += have_common_point(bounds, leaf, child)
                n_tests += 2
            elif is_active[j] and (j > i or not is_moved[j]) and j != i:
                if n < len(met):
                    met[n] = min(i, j) << HALF | max(i, j)
                n += 1
    return n, n_tests
