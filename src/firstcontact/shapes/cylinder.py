"""The cylinder."""

from math import nextafter, sqrt

import numpy as np

from firstcontact.arrays import Array
from firstcontact.plain import once
from firstcontact.shapes.convex import CYLINDER, ConvexTable, simple_table
from firstcontact.shapes.convex_shape import AxialShape, Profile, revolved
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.shape import frozen


class Cylinder(AxialShape):
    """A round cylinder around the third axis, with its middle at the origin.

    Parameters
    ----------
    radius, length : positive numbers

    Examples
    --------
    >>> Cylinder(1, 4).bounds.tolist()
    [[-1.0, -1.0, -2.0], [1.0, 1.0, 2.0]]
    >>> Cylinder(-1, 4)
    Traceback (most recent call last):
    ValueError: radius must be positive; received -1
    """

    @once
    def half_sizes(self) -> Array:
        """Half the size along each axis, (3,)."""
        return frozen(np.array([self._radius, self._radius, 0.5 * self._length]))

    @property
    def farthest(self) -> float:
        """How far the edges are from the middle."""
        return float(np.hypot(self._radius, 0.5 * self._length))

    def support(self, directions: Array) -> Array:
        """That of the axis along vectors (n, 3), and of the circle at its ends."""
        ends: Array = 0.5 * self._length * np.abs(directions[:, 2])
        return ends + self._radius * np.hypot(directions[:, 0], directions[:, 1])

    @once
    def table(self) -> ConvexTable:
        """The cylinder itself."""
        radius, half = self._radius, 0.5 * self._length
        reach = nextafter(sqrt(radius * radius + half * half), np.inf)
        return simple_table(CYLINDER, (radius, radius, half), 0.0, reach)

    @once
    def mesh(self) -> Mesh:
        """A closed mesh with its corners on the edges of the cylinder."""
        half = 0.5 * self._length
        radii = np.array([0.0, self._radius, self._radius, 0.0])
        return revolved(Profile(radii, np.array([-half, -half, half, half])))
