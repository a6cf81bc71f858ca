"""First contacts of pairs of a scene, in arrays."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.arrival import SEPARATED
from firstcontact.arrays import Array


class Solved(NamedTuple):
    """First contacts of m pairs: status (m,) int8, time (m,), a point and the normal there (m, 3)."""

    status: NDArray[np.int8]
    time: Array
    points: Array
    normals: Array

    def taken(self, which: Any) -> "Solved":
        """Some of them, by their numbers or by a mask."""
        return Solved(self.status[which], self.time[which], self.points[which], self.normals[which])


def no_pairs_solved(m: int) -> Solved:
    """Room for the first contacts of m pairs, none of which is in contact."""
    nowhere = np.full((m, 3), np.nan)
    return Solved(np.full(m, SEPARATED, np.int8), np.full(m, np.inf), nowhere, nowhere.copy())


def together(parts: list[Solved]) -> Solved:
    """Put first contacts one behind the other."""
    return Solved._make(np.concatenate(arrays) for arrays in zip(*parts, strict=True))
