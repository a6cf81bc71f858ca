"""The broad phase that a scene has unless told otherwise: all pairs of few boxes, a grid, or sorted lists."""

from typing import final

import numpy as np

from firstcontact._jit import driver
from firstcontact.arrays import Array, Flags, Ids
from firstcontact.broadphase.changes import Changes
from firstcontact.broadphase.grid import grid_pairs
from firstcontact.broadphase.pairs import have_common_point, pairs_of
from firstcontact.broadphase.sweep_and_prune import SweepAndPrune

# Boxes up to which every two are compared: of 100 that takes 6 us, where keeping lists takes 35.
FEW = 128

# Steps that go by without another try of a grid that was not worth it.
WAIT = 16


@final
class Chosen:
    """The pairs of overlapping boxes, from step to step, by what is faster for so many.

    Boxes of similar sizes, and a few large ones, are sorted into a grid each time anew, in half of the time
    that sorted lists take to follow them. Where sizes differ or boxes crowd, it is sorted lists.
    """

    def __init__(self) -> None:
        self.changes = Changes()
        self._pairs: Ids = np.empty((0, 2), np.int32)
        self._many: SweepAndPrune | None = None
        self._wait = 0

    def update(self, boxes: Array, is_active: Flags) -> bool:
        """Go on to the boxes (n, 6) of the next step, and which of them count, (n,): see `BroadPhase`."""
        if len(boxes) <= FEW:
            self._wait, self._many, self.changes = 0, None, Changes()
            found = np.empty((FEW * (FEW - 1) // 2, 2), np.int32)
            self._pairs = found[: _list_pairs(boxes, is_active, found)]
            return True
        if self._wait == 0:
            keys = grid_pairs(boxes, is_active)
            if keys is not None:
                self._many, self.changes = None, Changes()
                self._pairs = pairs_of(keys)
                return True
        self._wait = (self._wait or WAIT) - 1
        if self._many is None:
            self._many = SweepAndPrune()
        is_listed = self._many.update(boxes, is_active)
        self.changes = self._many.changes
        return is_listed

    def pairs(self) -> Ids:
        """Give all pairs (m, 2) of overlapping boxes, i < j, sorted by i, then by j."""
        return self._pairs.copy() if self._many is None else self._many.pairs()


@driver
def _list_pairs(boxes: Array, is_active: Flags, found: Ids) -> int:
    """Write every pair of boxes that overlap; return how many there are."""
    n = 0
    for i in range(len(boxes)):
        if not is_active[i]:
            continue
        for j in range(i + 1, len(boxes)):
            if have_common_point(boxes, i, j) and is_active[j]:
                found[n, 0], found[n, 1] = i, j
                n += 1
    return n
