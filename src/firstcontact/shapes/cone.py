"""The cone."""

from math import nextafter, sqrt

import numpy as np

from firstcontact._validate import as_size
from firstcontact.arrays import Array
from firstcontact.plain import once
from firstcontact.shapes.convex import CONE, ConvexTable, simple_table
from firstcontact.shapes.convex_shape import ConvexShape, Profile, revolved
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.shape import frozen


class Cone(ConvexShape):
    """A round cone around the third axis, its apex up, with the middle of its height at the origin.

    As ROS and FCL place it. What has its base at the origin, as in trimesh, is half its height higher:
    ``cone.at((np.eye(3), [0, 0, height / 2]))``.

    Parameters
    ----------
    radius : of the base, a positive number
    height : from the base to the apex, a positive number

    Examples
    --------
    >>> Cone(1, 4).bounds.tolist()
    [[-1.0, -1.0, -2.0], [1.0, 1.0, 2.0]]
    >>> Cone(1, 0)
    Traceback (most recent call last):
    ValueError: height must be positive; received 0
    """

    def __init__(self, radius: float, height: float) -> None:
        self._radius, self._height = as_size("radius", radius), as_size("height", height)

    @property
    def radius(self) -> float:
        """The radius of the base."""
        return self._radius

    @property
    def height(self) -> float:
        """The height of the apex above the base."""
        return self._height

    @once
    def bounds(self) -> Array:
        """The smallest box around the cone, (2, 3)."""
        half = np.array([self._radius, self._radius, 0.5 * self._height])
        return frozen(np.stack([-half, half]))

    @once
    def centroid(self) -> Array:
        """The centre of mass, (3,), a quarter of the height above the base."""
        return frozen(np.array([0.0, 0.0, -0.25 * self._height]))

    @property
    def witness(self) -> Array:
        """The centre of mass, (3,)."""
        return self.centroid

    @property
    def farthest(self) -> float:
        """How far the edge of the base is from the middle of the height."""
        return float(np.hypot(self._radius, 0.5 * self._height))

    def support(self, directions: Array) -> Array:
        """That of the apex along vectors (n, 3), or of the circle around the base."""
        up = 0.5 * self._height * directions[:, 2]
        found: Array = np.maximum(up, self._radius * np.hypot(directions[:, 0], directions[:, 1]) - up)
        return found

    @once
    def table(self) -> ConvexTable:
        """The cone itself."""
        radius, half = self._radius, 0.5 * self._height
        reach = nextafter(sqrt(radius * radius + half * half), np.inf)
        return simple_table(CONE, (radius, radius, half), 0.0, reach)

    @once
    def mesh(self) -> Mesh:
        """A closed mesh with its corners on the edge of the base, in its middle and at the apex."""
        half = 0.5 * self._height
        return revolved(Profile(np.array([0.0, self._radius, 0.0]), np.array([-half, -half, half])))

    def __repr__(self) -> str:
        return f"Cone({self._radius:g}, {self._height:g})"
