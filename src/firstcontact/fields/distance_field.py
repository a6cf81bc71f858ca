"""The distance field: an octree of distances, with a proven error."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from firstcontact._jit import NotPlainError
from firstcontact._validate import as_count, as_flag, as_length, as_path, as_scalar, as_size, as_stack, shown
from firstcontact.arrays import Array
from firstcontact.fields.building.combining import (
    DIFFERENCE,
    INTERSECTION,
    UNION,
    Limits,
    Rule,
    combined,
    moved_out,
)
from firstcontact.fields.building.sampling import sampled
from firstcontact.fields.building.updating import updated
from firstcontact.fields.field_file import Stored, read_field, write_field
from firstcontact.fields.field_values import field_gradients, field_values
from firstcontact.fields.level_mesh import level_mesh
from firstcontact.fields.octree import Octree, upper_of
from firstcontact.fields.single_point import PackedOctree, gradient_of_point, packed_octree, value_of_point
from firstcontact.motions.short_rows import AT_ORIGIN
from firstcontact.plain import once, seal
from firstcontact.shapes.mesh import Mesh, as_mesh
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
    which has no inside, all distances are positive. Made by `of`, `load` and other fields: on a side where
    `is_exact` is False, what it tells is a bound from below of how far the surface is, and so is every
    distance that a query makes of it.

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
    def is_exact(self) -> tuple[bool, bool]:
        """Is it a field of the distance outside, and inside?

        Where it is not, it is one of a function that has the same sign, is nowhere larger in magnitude, and
        changes by no more than a point moves: so it is with fields of fields.
        """
        return self._stored.is_exact

    @property
    def octree(self) -> Octree:
        """The cells and their values, as compiled code takes them."""
        return self._stored.octree

    @once
    def packed(self) -> PackedOctree:
        """The same as queries about one point take it."""
        return packed_octree(self.octree)

    def save(self, file: Any) -> None:
        """Write the field to an .npz file, whole or not at all."""
        write_field(as_path("file", file), self._stored)

    def union(self, other: "DistanceField", tolerance: float | None = None, **limits: Any) -> "DistanceField":
        """The field of all that is in one of two shapes, or in both: of the lower of both distances.

        Outside, that is the distance to the union. Inside it is nowhere larger, in magnitude, than the
        distance to the union's surface: `is_exact` says so. Proven everywhere in the box, which is where the
        boxes of both are; a union that leaves it is refused.

        Parameters
        ----------
        other : another field, in the same frame
        tolerance : more than those of both; twice the larger one unless given
        limits : max_cells and progress, as in `of`

        Examples
        --------
        >>> from firstcontact import Box, Sphere
        >>> ball = DistanceField.of(Sphere(1), 0.01, margin=1)
        >>> box = DistanceField.of(Box([1, 1, 3]), 0.01, margin=1)
        >>> both = ball.union(box)
        >>> abs(both([0, 0, 1.7]) - 0.2) <= both.tolerance, both.tolerance, both.is_exact
        (True, 0.02, (True, False))
        >>> ball.union(ball).is_exact
        (True, False)
        """
        return self._combined(UNION, other, tolerance, **limits)

    def intersection(
        self, other: "DistanceField", tolerance: float | None = None, **limits: Any
    ) -> "DistanceField":
        """The field of what is in both of two shapes: of the higher of both distances; see `union`.

        Inside, that is the distance to the surface of what they have in common. Outside it is nowhere larger.
        """
        return self._combined(INTERSECTION, other, tolerance, **limits)

    def difference(
        self, other: "DistanceField", tolerance: float | None = None, **limits: Any
    ) -> "DistanceField":
        """The field of what is in this shape and not in the other; see `union`.

        Of the higher of this distance and the other's, its sign turned: inside, that is the distance to the
        surface of what is left. Outside it is nowhere larger.
        """
        return self._combined(DIFFERENCE, other, tolerance, **limits)

    def offset(self, distance: float) -> "DistanceField":
        """The field of all within a distance of the shape; of a negative one, of what is deeper than that.

        All values are less by the distance. Outwards, that is the distance to the offset shape outside of it;
        inwards, inside of it. On the other side it is nowhere larger: `is_exact` says which. An offset to a
        side where the field is not exact is refused: nobody knows how far the surface is.

        Examples
        --------
        >>> from firstcontact import Sphere
        >>> larger = DistanceField.of(Sphere(1), 0.01, margin=1).offset(0.5)
        >>> abs(larger([0, 0, 2]) - 0.5) <= larger.tolerance, larger.is_exact
        (True, (True, False))
        >>> larger.offset(-0.1)
        Traceback (most recent call last):
        ValueError: an offset inwards needs a field that is exact there: `is_exact` says otherwise
        """
        return self._made(moved_out(self._stored, as_scalar("distance", distance, -np.inf)))

    def updated(
        self, before: Any, after: Any, *, max_cells: int = MOST_CELLS, progress: bool = False
    ) -> "DistanceField":
        """The field of a mesh after some of its vertices have moved: cells that are as they were are kept.

        As proven as a new one, with the same tolerance and the same box; where the mesh leaves that, a new
        field is made. It takes as long as what is nearer to a face that has moved than to others.

        Parameters
        ----------
        before : the mesh that this field was made of, to the last digit
        after : the same faces, with vertices elsewhere
        max_cells, progress : as in `of`

        Examples
        --------
        >>> from firstcontact import Box, Mesh
        >>> box = Box([1, 1, 1]).mesh
        >>> field, pulled = DistanceField.of(box, 0.05, margin=1), box.vertices.copy()
        >>> pulled[-1] += 0.5
        >>> later = field.updated(box, Mesh(pulled, box.faces))
        >>> later([0.9, 0.9, 0.9]) < 0 < field([0.9, 0.9, 0.9]), field.updated(box, box) == field
        (True, True)
        """
        one, other = as_mesh(before), as_mesh(after)
        if not np.array_equal(one.faces, other.faces):
            raise ValueError("before and after must have the same faces")
        if one.n_vertices != other.n_vertices:
            raise ValueError(f"after must have {one.n_vertices} vertices; received {other.n_vertices}")
        limits = as_count("max_cells", max_cells), as_flag("progress", progress)
        found = updated(self._stored, one, other, *limits)
        return (
            self._made(found)
            if found is not None
            else self.of(other, self.tolerance, max_cells=max_cells, progress=progress)
        )

    def _combined(
        self,
        rule: Rule,
        other: "DistanceField",
        tolerance: float | None,
        *,
        max_cells: int = MOST_CELLS,
        progress: bool = False,
    ) -> "DistanceField":
        if not isinstance(other, DistanceField):
            raise TypeError(f"the {rule.name} is of two fields; received {shown(other)}")
        error = None if tolerance is None else as_size("tolerance", tolerance)
        limits = Limits(error, as_count("max_cells", max_cells), as_flag("progress", progress))
        return self._made(combined(rule, self._stored, other._stored, limits))

    def __call__(self, points: ArrayLike) -> Any:
        """Distances at points, (n,) for (n, 3); a number for one point."""
        if type(points) is np.ndarray and points.ndim == 1:
            try:
                value = value_of_point(*self.packed, AT_ORIGIN, points)
            except NotPlainError:
                value = np.nan
            if value == value:  # what is no point has none
                return value
        places, is_batch = as_stack("points", points, (3,))
        values = field_values(self.octree, places)
        return values if is_batch else float(values[0])

    def gradient(self, points: ArrayLike) -> Array:
        """Derivatives at points, (n, 3) or (3,): of length about one, away from the middles of things.

        That of the interpolation, which is what `field` gives; on a border of cells, from one side of it.
        """
        if type(points) is np.ndarray and points.ndim == 1:
            out = np.empty(3)
            try:
                is_point = gradient_of_point(*self.packed, points, out)
            except NotPlainError:
                is_point = False
            if is_point:
                return out
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
            and self.is_exact == other.is_exact
            and np.array_equal(self.bounds, other.bounds)
            and np.array_equal(self.octree.links, other.octree.links)
            and np.array_equal(self.octree.values, other.octree.values)
        )

    def __hash__(self) -> int:
        return hash((self.octree.grid, self.tolerance, self.n_cells))

    def __repr__(self) -> str:
        lower, upper = (", ".join(f"{x:.4g}" for x in corner) for corner in self.box)
        return (
            f"DistanceField({self.n_cells} cells, within {self.tolerance:.3g}, from [{lower}] to [{upper}])"
        )
