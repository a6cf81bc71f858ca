"""What `penetration` gives back."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firstcontact.answers.answer import Answer
from firstcontact.arrays import Array


@dataclass(frozen=True, eq=False)
class Penetration(Answer):
    """How deep two shapes are in each other; of a batch, with a leading axis everywhere.

    A single one is true where they overlap.

    Attributes
    ----------
    depth : float, or (n,) float64
        How far one has to be moved for them to be apart; 0 where they only touch, or are apart.
    direction : (3,) or (n, 3) float64
        Unit vector: after b has moved by ``depth * direction``, or a by the opposite, they only touch. NaN
        where they are apart.
    points_a, points_b : (3,) or (n, 3) float64
        The deepest points in the world: from that of b to that of a is ``depth * direction``. NaN where they
        are apart.
    is_overlapping : bool, or (n,) bool
        Whether they have a common point, to rounding.
    things : what was asked about, by name
    """

    depth: float | Array
    direction: Array
    points_a: Array
    points_b: Array
    is_overlapping: bool | NDArray[np.bool_]

    def __bool__(self) -> bool:
        if isinstance(self.is_overlapping, bool):
            return self.is_overlapping
        raise ValueError("a batch is neither true nor false: ask for is_overlapping")

    def __repr__(self) -> str:
        if isinstance(self.depth, float):
            return f"Penetration({self.depth:.6g})" if self.is_overlapping else "Penetration(apart)"
        return f"Penetration({len(self.depth)} pairs of poses)"
