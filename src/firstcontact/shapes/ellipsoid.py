"""The ellipsoid."""

import numpy as np
from numpy.typing import ArrayLike

from firstcontact._validate import as_sizes
from firstcontact.arrays import Array
from firstcontact.plain import once
from firstcontact.shapes.convex import ELLIPSOID, ConvexTable, simple_table
from firstcontact.shapes.convex_shape import N_SEGMENTS, CenteredShape, half_circle, revolved
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.shape import frozen


class Ellipsoid(CenteredShape):
    """A ball around the origin, stretched along the axes.

    Parameters
    ----------
    radii : (3,) positive numbers, the semi-axes

    Examples
    --------
    >>> Ellipsoid([1, 2, 3]).bounds.tolist()
    [[-1.0, -2.0, -3.0], [1.0, 2.0, 3.0]]
    >>> Ellipsoid([1, 0, 3])
    Traceback (most recent call last):
    ValueError: radii[1] must be positive; received 0
    """

    def __init__(self, radii: ArrayLike) -> None:
        self._radii = frozen(as_sizes("radii", radii))

    @property
    def radii(self) -> Array:
        """The semi-axes, (3,)."""
        return self._radii

    @property
    def half_sizes(self) -> Array:
        """The semi-axes, (3,)."""
        return self._radii

    @property
    def farthest(self) -> float:
        """The largest semi-axis."""
        return float(self._radii.max())

    def support(self, directions: Array) -> Array:
        """The lengths of vectors (n, 3) that are stretched as the ball is."""
        found: Array = np.linalg.norm(self._radii * directions, axis=1)
        return found

    @once
    def table(self) -> ConvexTable:
        """The ellipsoid itself."""
        x, y, z = self._radii.tolist()
        return simple_table(ELLIPSOID, (x, y, z), 0.0, max(x, y, z))

    @once
    def mesh(self) -> Mesh:
        """A closed mesh with its corners on the ellipsoid."""
        ball = revolved(half_circle(N_SEGMENTS // 2))
        return Mesh(self._radii * ball.vertices, ball.faces)

    def __repr__(self) -> str:
        x, y, z = self._radii
        return f"Ellipsoid([{x:g}, {y:g}, {z:g}])"
