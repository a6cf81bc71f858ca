"""What can be moved, and the kinds of things that queries tell apart."""

from enum import IntEnum
from typing import Any, ClassVar

from firstcontact.arrays import Array
from firstcontact.motions.law_table import NO_LAW, LawTable


class Kind(IntEnum):
    """What a thing is to a query, which decides who answers.

    The first four and the last eight move or rest; the others are what such a thing may be asked about
    besides: rays, several things by their names, nothing else, and points. Points and strands, which are
    clouds here, are told apart from meshes by the registry alone: who answers takes them for meshes.
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
    CLOUD = 9
    DEFORMING_CLOUD = 10
    HALF_SPACE = 11
    COMPOUND = 12
    VOXELS = 13
    PLANAR = 14
    DEFORMING_PLANAR = 15


class Movable:
    """What can be moved: a shape, or a robot. Its kind is that of the thing, unless the motion deforms it."""

    kind: ClassVar[Kind]
    kind_deforming: ClassVar[Kind] = Kind.DEFORMING
    # How many coordinates a user gives for a point.
    dimension: ClassVar[int] = 3
    # Whether it is made of points or segments with radii: a mesh without area, to whoever answers.
    is_cloud: ClassVar[bool] = False
    # As `Moving.rows`, of what is not moved; None of what cannot be asked about in short.
    rows: ClassVar[Any] = None

    @property
    def is_thick(self) -> bool:
        """Is it a mesh with a thickness, or has it such parts?"""
        return False

    @property
    def followed(self) -> tuple[Array, LawTable] | None:
        """As `Moving.followed`, of what is not moved."""
        return None if self.rows is None else (self.rows, NO_LAW)
