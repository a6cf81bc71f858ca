"""What all broad phases have in common."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from firstcontact.broadphase.changes import Changes


class BroadPhase(Protocol):
    """The pairs of overlapping boxes, from step to step; the same pairs whatever the method."""

    changes: Changes

    def update(self, boxes: NDArray[np.float64], is_active: NDArray[np.bool_]) -> bool:
        """Go on to the boxes (n, 6) of the next step, lower and upper ends, and which of them count, (n,).

        Boxes are closed, finite and C-contiguous. There may be more than before, and never fewer. Returns
        whether the pairs are listed: where they would be too many there are none, and it begins anew.
        """
        ...

    def pairs(self) -> NDArray[np.int32]:
        """Give all pairs (m, 2) of overlapping boxes, i < j, sorted by i, then by j."""
        ...
