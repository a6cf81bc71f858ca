"""The distance field: an octree of distances, with a proven error."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from firstcontact._validate import as_count, as_flag, as_length, as_path, as_scalar, as_size, as_stack
from firstcontact.arrays import Array
from firstcontact.fields.field_file import Stored, read_field, write_field
from firstcontact.fields.field_values import field_gradients, field_values
from firstcontact.fields.level_mesh import level_mesh
from firstcontact.fields.octree import Octree, upper_of
from firstcontact.fields.sampling import sampled
from firstcontact.plain import seal
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.shape import Shape

# Leaves that a field may have unless told otherwise: some 300 MB.
MOST_CELLS = 8_000_000

# Bytes that a file may unpack to unless told otherwise.
MOST_BYTES = (1 << 31) - 1


class DistanceField(Shape):
    """Signed distances to a shape, at any point, in some tens of nanoseconds: `field(points)`.

    In its box ``abs(field(x) - truth) <= tolerance``, proven for every point. Outside the box,
    ``field(x) - tolerance <= truth <= sqrt(2) * field(x) + tolerance``. Negative inside; of an open mesh,
    which has no inside, all distances are positive. Made by `of`, `load` and other fields.

    A field is a shape: it stands and moves as others do, and in queries stands for the shape that it was made
    of, which is solid where it has an inside. No contact with that is ever missed, or told late.
    """

    kind: ClassVar[Kind] = Kind.FIELD

    _stored: Stored

    @classmethod
    def of(
        cls,
        shape: Any,
        tolerance: float | None = None,
        *,
        margin: float | None = None,
        max_cells: int = MOST_CELLS,
        progress: bool = False,
    ) -> "DistanceField":
        """Sample the distance to a shape, finer and finer, until the tolerance is proven everywhere.

        Parameters
        ----------
        shape : a convex shape, or a mesh; inside of a closed one is what it winds around
        tolerance : a length, 2**-20 of the box at the least; 1/500 of the largest size unless given
        margin : how far the box goes beyond the shape; a quarter of the largest size unless given
        max_cells : more leaves than this, of 37 bytes, are an error
        progress : show a progress bar

        Examples
        --------
        >>> from firstcontact import Mesh, Sphere
        >>> field = DistanceField.of(Sphere(1), tolerance=0.01)
        >>> abs(field([0, 0, 0.5]) + 0.5) <= 0.01, field([3, 0, 4]) <= 4.01 <= 1.5 * field([3, 0, 4])
        (True, True)
        >>> DistanceField.of(Mesh([], []))
        Traceback (most recent call last):
        ValueError: a field needs a shape; received a mesh without faces
        """
        most = as_count("max_cells", max_cells)
        error = None if tolerance is None else as_size("tolerance", tolerance)
        beyond = None if margin is None else as_length("margin", margin)
        return cls._made(sampled(shape, error, beyond, most, as_flag("progress", progress)))

    @classmethod
    def load(cls, file: Any, *, max_bytes: int = MOST_BYTES) -> "DistanceField":
        """Read a field that `save` wrote; `FieldFileError` for any other file, or one that is too large."""
        return cls._made(read_field(as_path("file", file), as_count("max_bytes", max_bytes)))

    @classmethod
    def _made(cls, stored: Stored) -> "DistanceField":
        field = cls.__new__(cls)
        seal(tuple(stored))
        field._stored = stored
        return field

    @property
    def tolerance(self) -> float:
        """How far off a value may be, a length."""
        return self._stored.tolerance

    @property
    def bounds(self) -> Array:
        """The smallest box around the shape, (2, 3); the field's own box, `box`, is larger."""
        return self._stored.bounds

    @property
    def centroid(self) -> Array:
        """The middle of the box around the shape, (3,)."""
        middle: Array = 0.5 * (self.bounds[0] + self.bounds[1])
        return middle

    @property
    def is_signed(self) -> bool:
        """Are distances inside negative? Those of an open mesh, which has no inside, are not."""
        return self._stored.is_signed

    @property
    def octree(self) -> Octree:
        """The cells and their values, as compiled code takes them."""
        return self._stored.octree

    def save(self, file: Any) -> None:
        """Write the field to an .npz file, whole or not at all."""
        write_field(as_path("file", file), self._stored)

    def __call__(self, points: ArrayLike) -> Any:
        """Distances at points, (n,) for (n, 3); a number for one point."""
        places, is_batch = as_stack("points", points, (3,))
        values = field_values(self.octree, places)
        return values if is_batch else float(values[0])

    def gradient(self, points: ArrayLike) -> Array:
        """Derivatives at points, (n, 3) or (3,): of length about one, away from the middles of things.

        That of the interpolation, which is what `field` gives; on a border of cells, from one side of it.
        """
        places, is_batch = as_stack("points", points, (3,))
        gradients = field_gradients(self.octree, places)[1]
        return gradients if is_batch else gradients[0]

    def mesh(self, level: float = 0.0) -> Mesh:
        """The surface at a distance: a closed mesh, which looks away from the shape.

        Its vertices are where the field passes the level between corners of cells, or the mean of a few such
        places. Two sheets that meet in one cell share a vertex.

        Examples
        --------
        >>> from firstcontact import Box
        >>> skin = DistanceField.of(Box([2, 2, 2]), tolerance=0.05).mesh(level=0.25)
        >>> bool(np.allclose(skin.bounds, [[-1.25] * 3, [1.25] * 3], atol=0.05))
        True
        """
        height = as_scalar("level", level, -np.inf)
        vertices, faces, n_out = level_mesh(self.octree, height)
        if n_out > 0:
            raise ValueError(
                f"the surface at level {height:g} leaves the box: make the field with more margin"
            )
        return Mesh(vertices, faces)

    @property
    def box(self) -> Array:
        """The box in which the tolerance holds, (2, 3)."""
        return np.stack([np.array(self.octree.grid.lower), upper_of(self.octree.grid)])

    @property
    def n_cells(self) -> int:
        """The number of cells that have values: the leaves of the octree."""
        return len(self.octree.values)

    @property
    def nbytes(self) -> int:
        """Memory that the field takes."""
        return int(self.octree.links.nbytes + self.octree.values.nbytes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DistanceField):
            return NotImplemented
        return (
            self.octree.grid == other.octree.grid
            and self.tolerance == other.tolerance
            and self.is_signed == other.is_signed
            and np.array_equal(self.bounds, other.bounds)
            and np.array_equal(self.octree.links, other.octree.links)
            and np.array_equal(self.octree.values, other.octree.values)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        lower, upper = (", ".join(f"{x:.4g}" for x in corner) for corner in self.box)
        return (
            f"DistanceField({self.n_cells} cells, within {self.tolerance:.3g}, from [{lower}] to [{upper}])"
        )
