"""What a measurement of points gives back."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firstcontact.plain import Later


@dataclass(frozen=True, eq=False)
class SignedDistances(Later):
    """How far each point is from a shape; of a single point, without the leading axis, of a batch, with two.

    Attributes
    ----------
    distance : float, or (n,) or (m, n) float64
        From the surface, negative inside; ``inf`` where the shape has no points.
    points : (..., 3) float64
        The closest points of the surface, in the world; NaN where there is none.
    faces : int, or (n,) or (m, n) int32
        Of the mesh, or of a hull's mesh; where several are as close, the first. -1 for shapes without faces.
    normals : (..., 3) float64
        The gradient of the distance, unit vectors in the world: the way to go outwards, on the surface too.
        Where several closest points are as close, that of one of them; NaN where there is none.
    sign : str
        How the side was told: "pseudonormal", "winding", "convex", or of points and strands "radius".
    """

    distance: float | NDArray[np.float64]
    points: NDArray[np.float64]
    faces: int | NDArray[np.int32]
    normals: NDArray[np.float64]
    sign: str

    def __repr__(self) -> str:
        if isinstance(self.distance, float):
            return f"SignedDistances({self.distance:.6g}, face {self.faces})"
        inside = np.count_nonzero(self.distance < 0.0)
        return f"SignedDistances({self.distance.size} points, {inside} inside)"
