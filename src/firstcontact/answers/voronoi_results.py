"""Where the regions of a Voronoi diagram meet."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firstcontact.plain import Plain


@dataclass(frozen=True, eq=False)
class VoronoiBoundary(Plain):
    """Pairs of neighbouring cells of a diagram that belong to two sites, or to two parts of sites.

    Attributes
    ----------
    points : (n, 2) or (n, 3) float64, halfway between the centres of both cells
    sites : (n, 2) int32, whose the cells are; of a medial axis, both may be the same
    distance : (n,) float64, the smaller of the distances that both cells have
    cells : (n, 2, d) int64, which cells they are
    """

    points: NDArray[np.float64]
    sites: NDArray[np.int32]
    distance: NDArray[np.float64]
    cells: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.points)

    def __bool__(self) -> bool:
        return len(self) > 0

    def __repr__(self) -> str:
        return f"VoronoiBoundary({len(self)} points)"
