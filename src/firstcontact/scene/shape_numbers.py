"""The shapes of a scene's bodies, numbered."""

from collections.abc import Hashable, Iterable

from firstcontact.shapes.convex import ConvexTable, joined
from firstcontact.shapes.convex_shape import table_of
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.shape import Shape


class ShapeNumbers:
    """A number for each shape; those of convex ones are theirs in one table, all others are negative.

    Meshes of the same vertices and faces have the same number, whichever objects they are.
    """

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._tables: list[ConvexTable] = []
        self._joined: ConvexTable | None = None

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
            self._numbers[own] = ~len(self._numbers)
        return self._numbers[own]

    def all_of(self, shapes: Iterable[Shape]) -> list[int]:
        """Give the numbers of shapes."""
        return [self.of(shape) for shape in shapes]

    def has_convex(self) -> bool:
        """Is any shape convex?"""
        return len(self._tables) > 0

    def table(self) -> ConvexTable:
        """Give the table of all convex shapes, joined once."""
        table = self._joined
        if table is None:
            table = self._joined = joined(self._tables)
        return table

    def copy(self) -> "ShapeNumbers":
        """Give the same numbers, to go on with apart."""
        new = ShapeNumbers()
        new._numbers, new._tables, new._joined = self._numbers.copy(), self._tables.copy(), self._joined
        return new

    def __len__(self) -> int:
        return len(self._numbers)
