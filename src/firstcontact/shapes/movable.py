"""What can be moved, and the kinds of things that queries tell apart."""

from enum import IntEnum
from typing import Any, ClassVar

from firstcontact.arrays import Array
from firstcontact.motions.law_table import NO_LAW, LawTable


class Kind(IntEnum):
    """What a thing is to a query, which decides who answers.

    The first four and the last move or rest; the others are what such a thing may be asked about besides:
    rays, several things by their names, nothing else, and points.
    """

    CONVEX = 0
    MESH = 1
    DEFORMING = 2
    ROBOT = 3
    RAYS = 4
    SEVERAL = 5
    NOTHING = 6
    POINTS = 7
    FIELD = 8


class Movable:
    """What can be moved: a shape, or a robot. Its kind is that of the thing, unless the motion deforms it."""

    kind: ClassVar[Kind]
    # As `Moving.rows`, of what is not moved; None of what cannot be asked about in short.
    rows: ClassVar[Any] = None

    @property
    def followed(self) -> tuple[Array, LawTable] | None:
        """As `Moving.followed`, of what is not moved."""
        return None if self.rows is None else (self.rows, NO_LAW)
