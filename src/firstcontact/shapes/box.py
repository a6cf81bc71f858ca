"""The box."""

import numpy as np
from numpy.typing import ArrayLike

from firstcontact._validate import as_sizes
from firstcontact.arrays import Array
from firstcontact.plain import once
from firstcontact.shapes.convex import BOX, ConvexTable, simple_table
from firstcontact.shapes.convex_shape import CenteredShape
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.shape import frozen

# Corners of each face, counted in binary: the third axis changes fastest. Two triangles a face, outwards.
QUADS = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])


class Box(CenteredShape):
    """A box around the origin, its sides along the axes.

    Parameters
    ----------
    extents : (3,) positive numbers, the lengths of its sides

    Examples
    --------
    >>> Box([2, 4, 6]).bounds.tolist()
    [[-1.0, -2.0, -3.0], [1.0, 2.0, 3.0]]
    >>> Box([2, -4, 6])
    Traceback (most recent call last):
    ValueError: extents[1] must be positive; received -4
    """

    def __init__(self, extents: ArrayLike) -> None:
        self._extents = frozen(as_sizes("extents", extents))

    @property
    def extents(self) -> Array:
        """The lengths of the sides, (3,)."""
        return self._extents

    @once
    def half_sizes(self) -> Array:
        """Half the lengths of the sides, (3,)."""
        return frozen(0.5 * self._extents)

    @once
    def table(self) -> ConvexTable:
        """The box itself."""
        x, y, z = self.half_sizes.tolist()
        return simple_table(BOX, (x, y, z), 0.0, float(np.nextafter(np.sqrt(x * x + y * y + z * z), np.inf)))

    @once
    def mesh(self) -> Mesh:
        """The surface: 8 vertices, 12 faces."""
        signs = np.array([[i >> 2 & 1, i >> 1 & 1, i & 1] for i in range(8)]) * 2 - 1
        faces = np.concatenate([QUADS[:, [0, 1, 2]], QUADS[:, [0, 2, 3]]])
        return Mesh(signs * self.half_sizes, faces)

    def __repr__(self) -> str:
        x, y, z = self._extents
        return f"Box([{x:g}, {y:g}, {z:g}])"
