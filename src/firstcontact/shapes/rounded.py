"""A convex shape with a ball around each of its points."""

from typing import Any

import numpy as np

from firstcontact._validate import as_size, shown
from firstcontact.arrays import Array
from firstcontact.plain import once
from firstcontact.shapes.convex import ELLIPSOID, KIND, RADIUS, ConvexTable
from firstcontact.shapes.convex_hull import ConvexHull
from firstcontact.shapes.convex_shape import N_SEGMENTS, ConvexShape, half_circle, revolved
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.movable import Movable
from firstcontact.shapes.shape import frozen

# Corners of a shape this near to the farthest along a direction, in units of its size, are as far.
EQUALLY_FAR = 2.0**-40


class Rounded(ConvexShape):
    """All points within a radius of a convex shape: the shape with round edges and corners, and larger.

    Exact, as the shape itself is: the Minkowski sum with a ball. `Rounded` of a rounded shape has both radii.

    Parameters
    ----------
    shape : a convex shape
    radius : a positive number

    Examples
    --------
    >>> from firstcontact import Box, Mesh
    >>> Rounded(Box([2, 4, 6]), 0.5).bounds.tolist()
    [[-1.5, -2.5, -3.5], [1.5, 2.5, 3.5]]
    >>> Rounded(Rounded(Box([2, 4, 6]), 0.5), 0.25)
    Rounded(Box([2, 4, 6]), 0.75)
    >>> Rounded(Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), 0.5)
    Traceback (most recent call last):
    TypeError: a convex shape can be rounded; received a Mesh: take the ConvexHull of its vertices
    """

    def __init__(self, shape: ConvexShape, radius: float) -> None:
        if not isinstance(shape, ConvexShape):
            raise TypeError(f"a convex shape can be rounded; received {_told(shape)}")
        own = as_size("radius", radius)
        if isinstance(shape, Rounded):
            own = as_size("radius, with that of the shape,", shape.radius + own)
            shape = shape.unrounded
        self._shape, self._radius = shape, own

    @property
    def unrounded(self) -> ConvexShape:
        """The shape within."""
        return self._shape

    @property
    def radius(self) -> float:
        """The radius of the ball around each point of the shape within."""
        return self._radius

    @once
    def bounds(self) -> Array:
        """The smallest box around the shape, (2, 3)."""
        lower, upper = self._shape.bounds
        return frozen(np.stack([lower - self._radius, upper + self._radius]))

    @property
    def centroid(self) -> Array:
        """The centre of the shape within, (3,)."""
        return self._shape.centroid

    @property
    def witness(self) -> Array:
        """A point of the shape within, (3,)."""
        return self._shape.witness

    @property
    def farthest(self) -> float:
        """The radius more than of the shape within."""
        return self._shape.farthest + self._radius

    def support(self, directions: Array) -> Array:
        """That of the shape within along vectors (n, 3), and the radius times their lengths."""
        found: Array = self._shape.support(directions) + self._radius * np.linalg.norm(directions, axis=1)
        return found

    @once
    def table(self) -> ConvexTable:
        """The core of the shape within, and a radius that has grown."""
        records, pool = self._shape.table
        grown = records.copy()
        grown[:, RADIUS] += self._radius
        return ConvexTable(grown, pool)

    @once
    def mesh(self) -> Mesh:
        """A closed mesh with its corners on the surface."""
        normals = revolved(half_circle(N_SEGMENTS // 2)).vertices
        if self._shape.table.records[0, KIND] == ELLIPSOID:
            return self._around_ellipsoid(normals)
        corners = self._shape.mesh.vertices
        along = normals @ corners.T
        size = float(np.abs(self.bounds).max())
        which, whose = np.nonzero(along >= along.max(axis=1)[:, np.newaxis] - EQUALLY_FAR * size)
        return ConvexHull(corners[whose] + self._radius * normals[which]).mesh

    def _around_ellipsoid(self, units: Array) -> Mesh:
        """A mesh with corners where the ellipsoid's own has them, and where these are the normals."""
        half = 0.5 * (self._shape.bounds[1] - self._shape.bounds[0])
        points = np.concatenate([units, _units(half / half.max() * units)])
        return ConvexHull(half * points + self._radius * _units(points * (half.min() / half))).mesh

    def __repr__(self) -> str:
        return f"Rounded({self._shape!r}, {self._radius:g})"


def _units(vectors: Array) -> Array:
    found: Array = vectors / np.linalg.norm(vectors, axis=1)[:, np.newaxis]
    return found


def _told(thing: Any) -> str:
    """Name what is not convex, and what to take instead."""
    kind = type(thing).__name__
    if isinstance(thing, Movable):
        return f"a {kind}: take the ConvexHull of its vertices" if hasattr(thing, "vertices") else f"a {kind}"
    return shown(thing)
