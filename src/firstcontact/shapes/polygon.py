"""Polygons: a part of the plane, with holes."""

from collections.abc import Sequence
from fractions import Fraction
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._validate import as_several
from firstcontact.arrays import Array
from firstcontact.plain import once
from firstcontact.shapes.planar import Planar, as_plane_points
from firstcontact.shapes.polyline import Polyline, box_words, edges_of_rows
from firstcontact.shapes.shape import frozen


class Polygon(Planar):
    """A part of the plane inside of an outline, and outside of holes: all of it belongs to the shape.

    Outlines run in either direction, and are decided exactly not to meet themselves or each other. The curve
    alone, without an inside, is `outline`.

    Parameters
    ----------
    outline : (n, 2) numbers, finite: three or more points, or none; the first may be repeated at the end
    holes : outlines of the same kind, inside of the first and outside of each other

    Examples
    --------
    >>> import firstcontact as fc
    >>> frame = fc.Polygon([[0, 0], [4, 0], [4, 4], [0, 4]], holes=[[[1, 1], [3, 1], [3, 3], [1, 3]]])
    >>> frame, frame.area
    (Polygon(8 points, 1 hole, from [0, 0] to [4, 4]), 12.0)
    >>> fc.signed_distance(frame, [[2, 2], [0.5, 2]]).distance.tolist(), fc.contains(frame, [9, 9])
    ([1.0, -0.5], False)
    >>> fc.Polygon([[0, 0], [2, 2], [2, 0], [0, 2]])
    Traceback (most recent call last):
    ValueError: outlines must not meet themselves or each other; edges 0 and 2 do
    """

    is_filled: ClassVar[bool] = True

    def __init__(self, outline: ArrayLike, holes: Sequence[ArrayLike] = ()) -> None:
        rings = [_as_ring("outline", outline)]
        rings += [_as_ring(f"holes[{k}]", hole) for k, hole in enumerate(as_several("holes", holes))]
        if len(rings) > 1 and min(map(len, rings)) == 0:
            raise ValueError("an outline without points has no holes, and no hole is without points")
        counts = np.array([len(ring) for ring in rings if len(ring)], np.int64)
        self._set(np.concatenate(rings), counts)
        if self.n_vertices > 0:  # decided by compiled code, far above a shape
            import_module("firstcontact.proximity.plane.rings").check_rings(self)

    @property
    def rings(self) -> list[Array]:
        """The points of the outline, (n, 2), and of each hole."""
        return np.split(self.vertices, np.cumsum(self.counts)[:-1]) if self.n_vertices else []

    @once
    def edges(self) -> NDArray[np.int32]:
        """The points at both ends of each edge, (m, 2): edge k begins at point k."""
        return frozen(edges_of_rows(self.counts, True))

    @once
    def turns(self) -> Array:
        """Which side of each edge is inside, (m,): 1 for the left one, -1 for the right one."""
        signs = [_turn_of_ring(ring) * (-1.0 if k else 1.0) for k, ring in enumerate(self.rings)]
        return frozen(np.repeat(signs, self.counts) if signs else np.empty(0))

    @once
    def outline(self) -> Polyline:
        """The curve around it, and those around its holes: what has no inside."""
        return Polyline(self.vertices, self.counts, closed=True)

    @once
    def area(self) -> float:
        """The area, less that of the holes."""
        return self._moments[0]

    @once
    def centroid(self) -> Array:
        """The centre of the area, (2,); without points the origin."""
        return frozen(np.array(self._moments[1:]))

    @once
    def _moments(self) -> tuple[float, float, float]:
        """The area and its centre, measured from the middle of the box in units of its size."""
        if self.n_vertices == 0:
            return 0.0, 0.0, 0.0
        lower, upper = self.bounds
        middle, size = self.bounds.mean(axis=0), float((upper - lower).max())
        total, moment = 0.0, np.zeros(2)
        for k, ring in enumerate(self.rings):
            a = (ring - middle) / size
            b = np.roll(a, -1, axis=0)
            doubled = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
            sign = np.sign(doubled.sum()) * (-1.0 if k else 1.0)
            total += float(sign * doubled.sum())
            moment += sign * (doubled @ (a + b))
        center = middle + size * moment / (3.0 * total) if total > 0.0 else self.vertices.mean(axis=0)
        return 0.5 * total * size * size, float(center[0]), float(center[1])

    def __reduce__(self) -> tuple[Any, ...]:
        rings = self.rings or [self.vertices]
        return Polygon, (rings[0], rings[1:])

    def __repr__(self) -> str:
        n = max(len(self.counts) - 1, 0)
        holes = f", {n} hole{'s' * (n > 1)}" if n else ""
        return f"Polygon({self.n_vertices} points{holes}{box_words(self.bounds)})"


def _as_ring(name: str, points: ArrayLike) -> Array:
    """Cast the points of an outline, without the first one once more at the end."""
    ring = as_plane_points(name, points)
    if len(ring) > 1 and np.array_equal(ring[0], ring[-1]):
        ring = ring[:-1]
    if 0 < len(ring) < 3:
        raise ValueError(f"{name} must have three points or more, or none; received {len(ring)}")
    return ring


def _turn_of_ring(ring: Array) -> float:
    """1 where an outline runs counterclockwise, -1 where it does not: the sign of its area, exactly."""
    a = ring - ring[0]
    b = np.roll(a, -1, axis=0)
    left, right = a[:, 0] * b[:, 1], a[:, 1] * b[:, 0]
    area, size = float((left - right).sum()), float((np.abs(left) + np.abs(right)).sum())
    if abs(area) <= 2.0**-40 * size:  # far more than rounding can do to a few million points
        x, y = ([Fraction(value) for value in column] for column in ring.T.tolist())
        exact = sum(x[k - 1] * y[k] - y[k - 1] * x[k] for k in range(len(x)))
        return -1.0 if exact < 0 else 1.0
    return -1.0 if area < 0.0 else 1.0
