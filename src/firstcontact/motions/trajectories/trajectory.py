"""Motions as they are described, whatever follows them: formulas, splines, functions with stated bounds."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array


class Trajectory(Protocol):
    """How frames move over t in [0, 1]: one, or a batch of n."""

    @property
    def is_batch(self) -> bool:
        """Was it given as a batch?"""
        ...

    def __len__(self) -> int: ...

    def write_rows(
        self, which: NDArray[np.intp], starts: Array, ends: Array, reaches: Array, rows: Array
    ) -> None:
        """Write m pieces (m, N_COLUMNS), as of `Law.rows`, of bodies that reach (m,) from their origin."""
        ...

    def poses(self, t: float) -> Array:
        """Give the true poses at t, (n, 4, 4), to rounding."""
        ...
