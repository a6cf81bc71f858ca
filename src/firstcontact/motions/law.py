"""Motions that are not made of pieces of constant velocities, and what they give of such pieces."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array

# Numbers of motions of a batch, or a slice of it.
Which = slice | NDArray[Any]


class Law(Protocol):
    """How each of n bodies truly moves over t in [0, 1]; searches know it by its pieces alone."""

    def rows(self, which: NDArray[np.intp], starts: Array, ends: Array) -> Array:
        """Give m pieces, (m, N_COLUMNS): of the motion of each number (m,), from a start (m,) to an end (m,).

        Each has a proven bound of how far any point of the body is from it while it lasts, rounding included;
        it shrinks with the square of the length. A piece may have no length.
        """
        ...

    def poses(self, t: float) -> Array:
        """Give the true poses at t, (n, 4, 4): those given where the motions start, to rounding elsewhere."""
        ...

    def chosen(self, which: Which) -> "Law":
        """Give the law of some of the bodies."""
        ...

    def joined(self, others: "Sequence[Any]") -> "Law":
        """Give the law of these bodies, and of those of others of the same class, one behind the other."""
        ...
