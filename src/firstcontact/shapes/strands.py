"""Strands: hair, ropes, cables."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._validate import as_counts, as_vertices
from firstcontact.shapes.cloud import Cloud
from firstcontact.shapes.shape import frozen


class Strands(Cloud):
    """Strands, each a row of points joined by segments, with a radius around them: hair, ropes, cables.

    A segment is a capsule: all that is within its radius belongs to the shape. Where the radii of its ends
    differ it has the larger one. A strand of one point is a ball. Segments of no length are legal.

    Parameters
    ----------
    positions : (n, 3) numbers, finite: the points of the first strand, of the next, and so on
    counts : (k,) integers: how many points each strand has
    radius : a number, 0 or more, or one for each point

    Examples
    --------
    >>> import firstcontact as fc
    >>> rope = fc.Strands([[0, 0, 0], [1, 0, 0], [2, 0, 0], [9, 0, 0]], [3, 1], radius=0.1)
    >>> rope
    Strands(2 strands, 4 points, radius 0.1, from [-0.1, -0.1, -0.1] to [9.1, 0.1, 0.1])
    >>> rope.segments.tolist(), rope.strand_ids.tolist()
    ([[0, 1], [1, 2], [3, 3]], [0, 0, 1])
    >>> round(fc.distance(rope, fc.Sphere(1).at((np.eye(3), [1, 0, 3]))).distance, 12)
    1.9
    >>> fc.Strands([], [])
    Strands(0 strands, 0 points)
    """

    element: ClassVar[str] = "SEGMENT"

    counts: NDArray[np.int64]

    def __init__(self, positions: ArrayLike, counts: ArrayLike, radius: ArrayLike = 0.0) -> None:
        points = as_vertices(positions, "positions")
        own = as_counts("counts", counts, len(points))
        super().__init__(points, _faces(own), radius)
        object.__setattr__(self, "counts", frozen(own))

    def save(self, file: Any) -> None:
        """Write positions, counts and radii to an .npz file, whole or not at all, for `load_strands`."""
        import_module("firstcontact.io.load_clouds").save_strands(self, file)  # above a shape

    @property
    def n_strands(self) -> int:
        """The number of strands."""
        return len(self.counts)

    @property
    def segments(self) -> NDArray[np.int32]:
        """The points at both ends of each segment, (m, 2); a strand of one point has that one twice."""
        return self.faces[:, :2]

    @property
    def strand_ids(self) -> NDArray[np.int32]:
        """The strand of each segment, (m,)."""
        return np.repeat(np.arange(self.n_strands, dtype=np.int32), _n_segments(self.counts))

    def placed(self, vertices: NDArray[np.float64]) -> "Strands":
        """The same strands with points elsewhere."""
        return Strands(vertices, self.counts, self.radius)

    def part(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> "Strands":
        """Some of the segments, in that order, a strand each, with points elsewhere."""
        ends = self.segments[faces].reshape(-1)
        return Strands(vertices[ends], np.full(len(faces), 2), np.repeat(self.radii[faces], 2))

    def __reduce__(self) -> tuple[Callable[..., "Strands"], tuple[Any, ...]]:
        return Strands, (self.vertices, self.counts, self.radius)

    def __repr__(self) -> str:
        return f"Strands({self.n_strands} strands, {self.n_vertices} points{self._words()})"


def _n_segments(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many segments strands of so many points have: a single point is one, too."""
    return np.where(counts > 1, counts - 1, counts)


def _faces(counts: NDArray[np.int64]) -> NDArray[np.int32]:
    """Segments as faces without area: each from a point to the next, or to itself."""
    n = _n_segments(counts)
    firsts = np.repeat(np.cumsum(counts) - counts - (np.cumsum(n) - n), n) + np.arange(n.sum())
    lasts = firsts + np.repeat(counts > 1, n)
    return np.stack([firsts, lasts, lasts], axis=1).astype(np.int32)
