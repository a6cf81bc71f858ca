"""The capsule."""

import numpy as np

from firstcontact.arrays import Array
from firstcontact.plain import once
from firstcontact.shapes.convex import SEGMENT, ConvexTable, simple_table
from firstcontact.shapes.convex_shape import N_SEGMENTS, AxialShape, Profile, half_circle, revolved
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.shape import frozen


class Capsule(AxialShape):
    """All points within a radius of a segment, which lies on the third axis with its middle at the origin.

    Parameters
    ----------
    radius : a positive number
    length : of the segment, a positive number; from end to end the capsule is longer by two radii

    Examples
    --------
    >>> Capsule(1, 4).bounds.tolist()
    [[-1.0, -1.0, -3.0], [1.0, 1.0, 3.0]]
    >>> Capsule(1, 0)
    Traceback (most recent call last):
    ValueError: length must be positive; received 0
    """

    @once
    def half_sizes(self) -> Array:
        """Half the size along each axis, (3,)."""
        return frozen(np.array([self._radius, self._radius, 0.5 * self._length + self._radius]))

    @property
    def farthest(self) -> float:
        """Half the length from end to end."""
        return self._radius + 0.5 * self._length

    def support(self, directions: Array) -> Array:
        """That of the segment along vectors (n, 3), and the radius times their lengths."""
        ends = 0.5 * self._length * np.abs(directions[:, 2])
        found: Array = ends + self._radius * np.linalg.norm(directions, axis=1)
        return found

    @once
    def table(self) -> ConvexTable:
        """The segment, and the radius around it."""
        half = 0.5 * self._length
        return simple_table(SEGMENT, (0.0, 0.0, half), self._radius, half)

    @once
    def mesh(self) -> Mesh:
        """A closed mesh with its corners on the capsule."""
        n = N_SEGMENTS // 2
        radii, heights = (self._radius * np.insert(part, n // 2, part[n // 2]) for part in half_circle(n))
        ends = np.where(np.arange(n + 2) <= n // 2, -0.5, 0.5) * self._length
        return revolved(Profile(radii, heights + ends))
