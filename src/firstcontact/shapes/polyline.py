"""Polylines: curves in the plane, made of edges."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._validate import as_counts, as_flag
from firstcontact.arrays import Array
from firstcontact.plain import once
from firstcontact.shapes.planar import Planar, as_plane_points
from firstcontact.shapes.shape import frozen


class Polyline(Planar):
    """Rows of points in the plane, each joined to the next: a wall, a road, a coast. It has no inside.

    Rows may cross themselves and each other. A row of one point is that point; edges of no length are legal.

    Parameters
    ----------
    points : (n, 2) numbers, finite: of the first row, of the next, and so on
    counts : (k,) integers: how many points each row has; one row unless given
    closed : whether the last point of each row is joined to its first

    Examples
    --------
    >>> import firstcontact as fc
    >>> wall = fc.Polyline([[0, 0], [4, 0], [4, 3]])
    >>> wall
    Polyline(3 points, 2 edges, from [0, 0] to [4, 3])
    >>> fc.signed_distance(wall, [1, 2]).distance
    2.0
    >>> fc.Polyline([[0, 0], [1, 0], [9, 9]], [2, 1]).edges.tolist(), fc.Polyline([])
    ([[0, 1], [2, 2]], Polyline(0 points, 0 edges))
    """

    closed: bool

    def __init__(self, points: ArrayLike, counts: ArrayLike | None = None, *, closed: bool = False) -> None:
        found = as_plane_points("points", points)
        own = np.array([len(found)] * (len(found) > 0)) if counts is None else counts
        self._set(found, as_counts("counts", own, len(found)))
        object.__setattr__(self, "closed", as_flag("closed", closed))

    @once
    def edges(self) -> NDArray[np.int32]:
        """The points at both ends of each edge, (m, 2); a row of one point has that one twice."""
        return frozen(edges_of_rows(self.counts, self.closed))

    @once
    def centroid(self) -> Array:
        """The centre, (2,): of the edges' middles, by their lengths; of points where there are none."""
        if self.n_vertices == 0:
            return frozen(np.zeros(2))
        ends = self.vertices[self.edges]
        lengths, middles = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1), ends.mean(axis=1)
        longest = lengths.max()
        return frozen(np.average(middles, axis=0, weights=lengths / longest if longest > 0.0 else None))

    def __reduce__(self) -> tuple[Any, ...]:
        return _polyline, (self.vertices, self.counts, self.closed)

    def __repr__(self) -> str:
        counts = f"{self.n_vertices} points, {self.n_edges} edges"
        return f"Polyline({counts}{box_words(self.bounds)})"


def _polyline(points: Array, counts: NDArray[np.int64], closed: bool) -> Polyline:
    """Make a polyline anew where it was sent."""
    return Polyline(points, counts, closed=closed)


def edges_of_rows(counts: NDArray[np.int64], is_closed: bool) -> NDArray[np.int32]:
    """Each point and the next in its row, (m, 2); the last one and the first where rows are closed.

    Of a row of two points there is one edge, of one point that with itself.
    """
    n = int(counts.sum())
    rows, firsts = np.repeat(np.arange(len(counts)), counts), np.cumsum(counts) - counts
    following = np.arange(1, n + 1)
    is_last = following == (firsts + counts)[rows]
    following[is_last] = firsts[rows[is_last]]
    is_edge = ~is_last | (counts == 1)[rows] | (is_closed & (counts > 2)[rows])
    found: NDArray[np.int32] = np.stack([np.arange(n), following], axis=1)[is_edge].astype(np.int32)
    return found


def box_words(bounds: Array) -> str:
    """What a repr says of a box in the plane; nothing of the empty one."""
    if not bounds[0, 0] <= bounds[1, 0]:
        return ""
    lower, upper = (", ".join(f"{x:.4g}" for x in corner) for corner in bounds)
    return f", from [{lower}] to [{upper}]"
