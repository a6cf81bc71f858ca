"""What `Shape.sphere_tree` gives back."""

from dataclasses import dataclass
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import shown
from firstcontact.plain import Plain
from firstcontact.shapes.cloud import Points


@dataclass(frozen=True, eq=False, repr=False)
class SphereTree(Plain):
    """Spheres that cover a shape, level by level: level k has rows ``starts[k]`` to ``starts[k + 1]``.

    Every point of the shape is in a sphere of each level, in a child of that, and so on.

    Attributes
    ----------
    centers, radii : (n, 3) and (n,) float64
    parents : (n,) int32
        The row of each sphere's parent, which is of the level before; -1 for the first.
    starts : (n_levels + 1,) int64
    deviation : (n_levels,) float64
        No point of any sphere of the level is farther from the shape: from the solid, or from an open mesh.
    method : str
    """

    centers: NDArray[np.float64]
    radii: NDArray[np.float64]
    parents: NDArray[np.int32]
    starts: NDArray[np.int64]
    deviation: NDArray[np.float64]
    method: str

    @property
    def n_levels(self) -> int:
        """The number of levels."""
        return len(self.deviation)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many spheres each level has, (n_levels,)."""
        return np.diff(self.starts)

    def rows(self, level: int = -1) -> slice:
        """Which rows are of a level; the last unless given, and negative ones count from there."""
        k = _as_level(level, self.n_levels)
        return slice(int(self.starts[k]), int(self.starts[k + 1]))

    def as_points(self, level: int = -1) -> Points:
        """Give the spheres of a level as one shape, which every query takes; of the last unless given."""
        rows = self.rows(level)
        return Points(self.centers[rows], self.radii[rows])

    def __repr__(self) -> str:
        n = f"{self.n_levels} level{'' if self.n_levels == 1 else 's'}"
        spheres = f"{self.counts[-1]} sphere{'' if self.counts[-1] == 1 else 's'}"
        return f"SphereTree({n}, {spheres} in the last, deviation {self.deviation[-1]:.4g}, by {self.method})"


def _as_level(level: object, n: int) -> int:
    """Cast the number of a level, of n; negative ones count from the last."""
    if isinstance(level, bool) or not isinstance(level, Integral) or not -n <= int(level) < n:
        raise ValueError(f"level must be an integer from {-n} to {n - 1}; received {shown(level)}")
    return int(level) % n
