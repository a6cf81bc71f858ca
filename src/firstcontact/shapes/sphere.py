"""The ball."""

import numpy as np

from firstcontact._validate import as_size
from firstcontact.arrays import Array
from firstcontact.plain import once
from firstcontact.shapes.convex import POINT, ConvexTable, simple_table
from firstcontact.shapes.convex_shape import N_SEGMENTS, CenteredShape, half_circle, revolved
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.shape import frozen


class Sphere(CenteredShape):
    """A ball around the origin.

    Parameters
    ----------
    radius : a positive number

    Examples
    --------
    >>> Sphere(2)
    Sphere(2)
    >>> Sphere(0)
    Traceback (most recent call last):
    ValueError: radius must be positive; received 0
    """

    def __init__(self, radius: float) -> None:
        self._radius = as_size("radius", radius)

    @property
    def radius(self) -> float:
        """The radius."""
        return self._radius

    @once
    def half_sizes(self) -> Array:
        """The radius along each axis, (3,)."""
        return frozen(np.full(3, self._radius))

    @property
    def farthest(self) -> float:
        """The radius."""
        return self._radius

    def support(self, directions: Array) -> Array:
        """The radius, times the lengths of vectors (n, 3)."""
        found: Array = self._radius * np.linalg.norm(directions, axis=1)
        return found

    @once
    def table(self) -> ConvexTable:
        """A point, and the radius around it."""
        return simple_table(POINT, (0.0, 0.0, 0.0), self._radius, 0.0)

    @once
    def mesh(self) -> Mesh:
        """A closed mesh with its corners on the sphere."""
        ball = revolved(half_circle(N_SEGMENTS // 2))
        return Mesh(self._radius * ball.vertices, ball.faces)

    def __repr__(self) -> str:
        return f"Sphere({self._radius:g})"
