"""All pairs of overlapping boxes, a part at a time, in order: for crowds that are too many to list."""

from collections.abc import Iterator
from typing import NamedTuple, final

import numpy as np

from firstcontact._jit import driver
from firstcontact.arrays import Array, Flags, Ids, Keys
from firstcontact.broadphase.cells import is_touching
from firstcontact.broadphase.pairs import pairs_of
from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.pair_key import HALF
from firstcontact.hierarchy.refit import refit
from firstcontact.hierarchy.tree import MAX_DEPTH

# Pairs in a part, or the pairs of one box where these are more.
PART = 1 << 18


class Part(NamedTuple):
    """All pairs (m, 2) of the boxes of some rows, from the first up to the last, with those of later rows."""

    pairs: Ids
    first: int
    last: int


@final
class Overlaps:
    """The pairs of overlapping boxes at one instant; it never changes.

    Parameters
    ----------
    boxes, is_active : (n, 6) lower and upper ends, and which of them count, (n,)
    """

    def __init__(self, boxes: Array, is_active: Flags) -> None:
        self._ids = np.flatnonzero(is_active).astype(np.int32)
        self._boxes, self._n_rows = boxes[self._ids], len(boxes)
        tree = build_tree(self._boxes)
        self._children, self._bounds = tree.children, refit(tree, self._boxes)

    def parts(self) -> Iterator[Part]:
        """Give all pairs, i < j, sorted by i, then by j; there is room for one part only."""
        ids, keys, at, first = self._ids, np.empty(max(PART, len(self._ids)), np.int64), 0, 0
        while at < len(ids):
            n, at = _list_overlaps(self._children, self._bounds, self._boxes, at, keys)
            found = keys[:n]
            found.sort()
            last = int(ids[at]) if at < len(ids) else self._n_rows
            yield Part(ids[pairs_of(found)], first, last)
            first = last


@driver
def _list_overlaps(children: Ids, bounds: Array, boxes: Array, first: int, keys: Keys) -> tuple[int, int]:
    """List the pairs of boxes from the first on, as keys, while there is room for all pairs of one more box.

    Returns how many there are, and the box to go on with.
    """
    stack = np.empty(MAX_DEPTH + 2, np.int32)
    n, i = 0, int(np.int64(first))
    while i < len(boxes) and n + len(boxes) - 1 - i <= len(keys):
        top = 1
        stack[0] = 0
        while top > 0:
            top -= 1
            node = int(np.int64(stack[top]))
            j = ~int(np.int64(children[node, 0]))
            if j < 0:
                for side in range(2):
                    child = int(np.int64(children[node, side]))
                    stack[top] = child
                    top += is_touching(boxes, i, bounds, child)
            elif j > i and is_touching(boxes, i, bounds, node):
                keys[n] = i << HALF | j
                n += 1
        i += 1
    return n, i
