"""What the queries at one instant give back."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from firstcontact.answers.answer import Answer
from firstcontact.plain import Plain


@dataclass(frozen=True, eq=False)
class DistanceStats(Plain):
    """What a search for the closest pair did; of a batch, (n,) int64 each.

    Attributes
    ----------
    volume_tests : pairs of bounding volumes measured
    triangle_tests : pairs of triangles measured
    iterations : steps towards the closest points of convex shapes
    """

    volume_tests: int | NDArray[np.int64]
    triangle_tests: int | NDArray[np.int64]
    iterations: int | NDArray[np.int64] = 0


@dataclass(frozen=True, eq=False)
class Distance(Answer):
    """How far two shapes are apart; of a batch, with a leading axis everywhere.

    Attributes
    ----------
    distance : float, or (n,) float64
        Zero where they overlap; ``inf`` where a mesh has no faces.
    points_a, points_b : (3,) or (n, 3) float64
        Closest points in the world; a common point where they overlap, NaN where there are none.
    faces : (2,) or (n, 2) int32
        The faces of a and of b that they lie on; -1 where there are none, as of a convex shape.
    stats : DistanceStats
    things : what was asked about, by name
    """

    distance: float | NDArray[np.float64]
    points_a: NDArray[np.float64]
    points_b: NDArray[np.float64]
    faces: NDArray[np.int32]
    stats: DistanceStats = field(compare=False)

    def __repr__(self) -> str:
        if isinstance(self.distance, float):
            faces = f", faces {self.faces[0]} and {self.faces[1]}" if self.faces.max() >= 0 else ""
            return f"Distance({self.distance:.6g}{faces})"
        return f"Distance({len(self.distance)} pairs of poses)"
