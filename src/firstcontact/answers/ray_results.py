"""What a cast of rays gives back."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firstcontact.plain import Later


@dataclass(frozen=True, eq=False)
class RayHits(Later):
    """What each ray meets first, or at all; of a single ray, without the leading axis.

    Attributes
    ----------
    hit : bool, or (n,) bool
    time : float, or (n,) float64
        In units of the direction; ``inf`` where nothing is met.
    points : (3,) or (n, 3) float64
        In the world; NaN where nothing is met. In the plane they have two coordinates, and so have normals.
    normals : (3,) or (n, 3) float64
        Unit vectors in the world; NaN where nothing is met.
    faces : int, or (n,) int32
        Of the mesh, or of a hull's mesh; -1 where nothing is met, and for shapes without faces. In the plane,
        edges.
    """

    hit: bool | NDArray[np.bool_]
    time: float | NDArray[np.float64]
    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    faces: int | NDArray[np.int32]

    def __repr__(self) -> str:
        if isinstance(self.time, float):
            return f"RayHits(at {self.time:.6g}, face {self.faces})" if self.hit else "RayHits(no hit)"
        return f"RayHits({len(self.time)} rays, {np.count_nonzero(self.hit)} hits)"


@dataclass(frozen=True, eq=False)
class AllRayHits(Later):
    """All that n rays meet, k hits: ray by ray, the earlier first, at one time the smaller face first.

    Attributes
    ----------
    rays : (k,) int32
        The ray of each hit.
    time : (k,) float64
        In units of the direction.
    points, normals : (k, 3) float64
        In the world; in the plane (k, 2).
    faces : (k,) int32
        As in `RayHits`.
    offsets : (n + 1,) int64
        The hits of ray `i` are the rows ``offsets[i]`` up to, not with, ``offsets[i + 1]``.
    """

    rays: NDArray[np.int32]
    time: NDArray[np.float64]
    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    faces: NDArray[np.int32]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.rays)

    def __repr__(self) -> str:
        return f"AllRayHits({len(self.offsets) - 1} rays, {len(self)} hits)"
