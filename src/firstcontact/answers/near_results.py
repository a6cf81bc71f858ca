"""What `near` gives back: every pair of things within a distance, signed, with gradients."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_count
from firstcontact.answers.answer import Answer
from firstcontact.arrays import Array


@dataclass(frozen=True, eq=False)
class NearPairs(Answer):
    """All pairs within a distance, one behind the other; those of row i of a batch in one piece.

    Attributes
    ----------
    starts : (n + 1,) int64
        Those of row i are ``starts[i]`` to ``starts[i + 1]``; of what is no batch, n is 1.
    a, b : m names each
        The two of a pair; of a robot, links, then links or obstacles.
    distance : (m,) float64
        Negative by the depth where two solids overlap; 0 where they touch, or overlap and one has no inside.
    points_a, points_b : (m, 3) float64
        The closest points in the world; of two that overlap, the deepest. In the plane (m, 2), like normals.
    normals : (m, 3) float64
        Unit vectors: the way to move b, or a against it, for a larger distance. NaN where nobody can tell.
    gradient : (m, dof) float64 of a robot, else (m, 2, 6)
        How `distance` changes with the robot's configuration; else as a is moved, and as b is: a translation,
        and a rotation vector about the origin of its pose, in the world. In the plane (m, 2, 3), with an
        angle. NaN where there is no normal.
    things : what was asked about, by name
    """

    starts: NDArray[np.int64]
    a: list[str]
    b: list[str]
    distance: Array
    points_a: Array
    points_b: Array
    normals: Array
    gradient: Array

    @property
    def rows(self) -> NDArray[np.int64]:
        """The row of the batch that each pair belongs to, (m,)."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def least(self, nothing: float = np.inf) -> Array:
        """The least distance of each row, (n,); `nothing` where no pair is within the distance.

        Examples
        --------
        >>> from firstcontact import Sphere, near
        >>> there = Sphere(1).at((np.eye(3), [[1.5, 0, 0], [9, 0, 0]]))
        >>> near(Sphere(1), there, within=2).least().tolist()
        [-0.5, inf]
        """
        found = np.full(len(self.starts) - 1, float(nothing))
        np.minimum.at(found, self.rows, self.distance)
        return found

    def of(self, row: int) -> slice:
        """Where the pairs of one row of a batch are."""
        n = len(self.starts) - 1
        i = as_count("row", row, 0)
        if i >= n:
            raise IndexError(f"row must be below {n}, the number of rows; received {i}")
        return slice(int(self.starts[i]), int(self.starts[i + 1]))

    def __len__(self) -> int:
        return len(self.distance)

    def __bool__(self) -> bool:
        return len(self) > 0

    def __repr__(self) -> str:
        nearest = f", the nearest {self.distance.min():.6g}" if len(self) else ""
        return f"NearPairs({len(self)}{nearest})"


@dataclass(frozen=True, eq=False, repr=False)
class NearPaths(NearPairs):
    """All pairs that come within a distance on their ways, each where it is nearest or deepest.

    As `NearPairs`, at a time of each pair's own. Of a path through waypoints, both ends are those of the line
    that this time is on.

    Attributes
    ----------
    distance_lower, time : (m,) float64
        No distance of the pair on the whole way is less; and when it is `distance`.
    gradient : (m, 2, dof) float64 of a robot, else (m, 2, 2, 6)
        How `distance` at `time` changes with the configurations at both ends; else with the start and the end
        of a and of b, each moved as in `NearPairs`. Of splines and of what deforms, as it is moved by what
        fades straight from one end to the other.
    """

    distance_lower: Array
    time: Array

    def __repr__(self) -> str:
        return super().__repr__().replace("NearPairs", "NearPaths")
