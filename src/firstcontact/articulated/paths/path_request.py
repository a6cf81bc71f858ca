"""What is asked of paths, and what is found."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Ids
from firstcontact.articulated.paths.path_subdivision import N_COUNTS

METHODS = {"subdivision": 0, "advancement": 1}


class PathsFound(NamedTuple):
    """Contacts of n paths: pair, -1 where there is none, time (n,), and counts (n, N_COUNTS)."""

    pairs: Ids
    times: Array
    counts: NDArray[np.int64]


class Asked(NamedTuple):
    """What holds for all paths."""

    tolerance: float
    min_separation: float
    is_first: bool
    method: int = 0


def no_paths(n: int) -> PathsFound:
    """Nothing found, yet, of n paths."""
    return PathsFound(np.full(n, -1, np.int32), np.full(n, np.inf), np.zeros((n, N_COUNTS), np.int64))
