"""The shapes of a scene's bodies, numbered."""

from collections.abc import Hashable, Iterable
from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Ids
from firstcontact.bodies.body_table import BodyTable, body_table
from firstcontact.shapes.convex import N_COLUMNS, ConvexTable, joined
from firstcontact.shapes.convex_shape import table_of
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.shape import Shape

# Faces up to which a mesh has its place in one table with others: 2 MB. Of larger ones the search is what
# takes the time, and they need not be there twice.
FEW_FACES = 4096

# So that there is a table where no shape is convex.
_NO_SHAPES = ConvexTable(np.empty((0, N_COLUMNS)), np.empty(0))


class MeshPlaces(NamedTuple):
    """Small meshes in one table; where each is, ``places[~number]``, -1 for all others."""

    places: Ids
    table: BodyTable | None


class ShapeNumbers:
    """A number for each shape; those of convex ones are theirs in one table, all others are negative.

    Meshes of the same vertices and faces have the same number, whichever objects they are.
    """

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._tables: list[ConvexTable] = []
        self._joined: ConvexTable | None = None
        self._small: dict[int, Mesh] = {}
        self._placed: MeshPlaces | None = None

    def of(self, shape: Shape) -> int:
        """Give the number of a shape, a new one where it has none."""
        own = shape.content if type(shape) is Mesh else shape
        number = self._numbers.get(own)
        if number is not None:
            return number
        if shape.kind is Kind.CONVEX:
            # The number comes last: without it, whatever interrupts this, a table is one that nobody uses.
            self._tables.append(table_of(shape))
            self._joined = None
            self._numbers[own] = len(self._tables) - 1
        else:
            number = ~len(self._numbers)
            if type(shape) is Mesh and _is_small(shape):
                self._small[number], self._placed = shape, None
            self._numbers[own] = number
        return self._numbers[own]

    def all_of(self, shapes: Iterable[Shape]) -> list[int]:
        """Give the numbers of shapes."""
        return [self.of(shape) for shape in shapes]

    def table(self) -> ConvexTable:
        """Give the table of all convex shapes, joined once."""
        table = self._joined
        if table is None:
            table = self._joined = joined([_NO_SHAPES, *self._tables])
        return table

    def meshes(self) -> MeshPlaces:
        """Give the table of all small meshes, joined once."""
        found = self._placed
        if found is None:
            numbers = np.array(list(self._small), np.int64)
            places = np.full(len(self._numbers), -1, np.int32)
            places[~numbers] = np.arange(len(numbers))
            table = body_table(list(self._small.values())) if self._small else None
            found = self._placed = MeshPlaces(places, table)
        n_later = len(self._numbers) - len(found.places)
        if n_later > 0:  # shapes that are no small meshes, and have come since
            places = np.concatenate([found.places, np.full(n_later, -1, np.int32)])
            found = self._placed = MeshPlaces(places, found.table)
        return found

    def copy(self) -> "ShapeNumbers":
        """Give the same numbers, to go on with apart."""
        new = ShapeNumbers()
        new._numbers, new._tables, new._joined = self._numbers.copy(), self._tables.copy(), self._joined
        new._small, new._placed = self._small.copy(), self._placed
        return new

    def __len__(self) -> int:
        return len(self._numbers)


def _is_small(mesh: Mesh) -> bool:
    return 0 < mesh.n_faces <= FEW_FACES and not (mesh.is_cloud or mesh.is_thick)
