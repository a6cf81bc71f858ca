"""Every vertex on its own straight line."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from firstcontact.arrays import Array
from firstcontact.plain import Sealed, once


@dataclass(frozen=True, eq=False, repr=False)
class Deformation(Sealed):
    """Vertices that move linearly, each on its own, from where they are at t = 0 to where they are at t = 1.

    Attributes
    ----------
    vertices_t0, vertices_t1 : (n, 3) float64
    """

    vertices_t0: Array
    vertices_t1: Array
    is_batch: ClassVar[bool] = False

    def __len__(self) -> int:
        return 1

    @once
    def is_resting(self) -> bool:
        """Does nothing move at all?"""
        return np.array_equal(self.vertices_t0, self.vertices_t1)

    @property
    def frames(self) -> Array:
        """Positions at both ends, (2, n, 3)."""
        return np.stack([self.vertices_t0, self.vertices_t1])

    @property
    def times(self) -> Array:
        """Times of both ends."""
        return np.array([0.0, 1.0])

    def vertices(self, t: float) -> Array:
        """Positions at t, (n, 3); at t = 0 and t = 1 exactly those given."""
        return (1.0 - t) * self.vertices_t0 + t * self.vertices_t1

    def __repr__(self) -> str:
        steps = self.vertices_t1 - self.vertices_t0
        farthest = float(np.sqrt(np.max(np.einsum("ij,ij->i", steps, steps), initial=0.0)))
        return f"Deformation({len(steps)} vertices, by up to {farthest:.4g})"
