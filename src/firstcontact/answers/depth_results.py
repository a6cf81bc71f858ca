"""What `depths` gives back."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firstcontact.answers.answer import Answer
from firstcontact.arrays import Array


@dataclass(frozen=True, eq=False)
class Depths(Answer):
    """Vertices that are inside the other solid, or inside their own: a row for each, those of a first.

    True where there is one.

    Attributes
    ----------
    is_of_b : (n,) bool
        Whether the vertex is one of b.
    vertex_ids : (n,) int32
        Which vertex; of a convex shape, of its mesh.
    depth : (n,) float64
        How far the vertex is from the nearest point of the surface that it is inside of, above 0.
    directions : (n, 3) float64
        Unit vectors in the world: a vertex that moves by `depth` along it is on that surface.
    points, surface_points : (n, 3) float64
        The vertices, and those nearest points, in the world.
    faces : (n,) int32
        The faces that these are of; -1 for shapes without faces.
    things : what was asked about, by name
    """

    is_of_b: NDArray[np.bool_]
    vertex_ids: NDArray[np.int32]
    depth: Array
    directions: Array
    points: Array
    surface_points: Array
    faces: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.depth)

    def __bool__(self) -> bool:
        return len(self) > 0

    def __repr__(self) -> str:
        deepest = f", {self.depth.max():.6g} at the most" if len(self) else ""
        return f"Depths({len(self)} vertices{deepest})"
