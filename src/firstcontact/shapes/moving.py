"""A shape with its motion."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeGuard, cast

import numpy as np

from firstcontact._validate import as_scalar
from firstcontact.arrays import Array
from firstcontact.motions.deformation import Deformation
from firstcontact.motions.joint_motion import JointMotion
from firstcontact.motions.law_table import NO_LAW, LawTable, followed_rows
from firstcontact.motions.plane_poses import poses_in_plane
from firstcontact.motions.rigid_motion import RigidMotion
from firstcontact.motions.short_rows import motion_of_row, rows_of
from firstcontact.motions.stepped_deformation import SteppedDeformation
from firstcontact.shapes.movable import Kind, Movable

if TYPE_CHECKING:
    from firstcontact.shapes.mesh import Mesh

MESH, ROBOT = Kind.MESH, Kind.ROBOT
Deforms = Deformation | SteppedDeformation


class _Slots:
    """A `Moving` that can still be written to, which a frozen one takes longer."""

    __slots__ = ("__weakref__", "kind", "motion", "rows", "shape")


@dataclass(frozen=True, eq=False, slots=True)
class Moving(_Slots):
    """A shape and how it moves over t in [0, 1]: what `Shape.moving` and its like give, and queries take.

    Attributes
    ----------
    shape : Shape, or Robot
    motion : RigidMotion, Deformation or SteppedDeformation; of a robot, JointMotion
    kind : what the thing is to a query: a mesh that deforms is another thing than one that does not
    rows : pieces of one rigid motion, as queries about single things take them; None of any other motion
    """

    shape: Movable
    motion: RigidMotion | Deforms | JointMotion
    kind: Kind = field(init=False, repr=False)
    rows: Array | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what has neither a shape nor a motion of its own."""
        shape: Any = self.shape
        motion: Any = self.motion
        if not isinstance(motion, RigidMotion) and not isinstance(motion, Deforms | JointMotion):
            what = type(motion).__name__
            raise TypeError(f"motion must be what shape.moving, at and their like give; received {what}")
        if not isinstance(shape, Movable):
            raise TypeError(f"shape must be a shape or a robot; received {type(shape).__name__}")
        kind = shape.kind
        if (kind is ROBOT) is not isinstance(motion, JointMotion):
            what = f"a {type(shape).__name__} with a {type(motion).__name__}"
            raise TypeError(f"motion must be a robot's for a robot, and only for one; received {what}")
        reaches = getattr(getattr(motion, "law", None), "reaches", None)
        if reaches is not None and (reaches < getattr(shape, "reach", 0.0)).any():
            raise ValueError("motion must be that of a shape of this size; ask this shape to go along it")
        object.__setattr__(self, "kind", shape.kind_deforming if isinstance(motion, Deforms) else kind)
        object.__setattr__(self, "rows", rows_of(motion) if isinstance(motion, RigidMotion) else None)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Make the motion of what was made of a row, once it is asked for."""
            if name != "motion" or self.rows is None:
                return object.__getattribute__(self, name)
            object.__setattr__(self, name, motion_of_row(self.rows))
            return self.motion

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("shape", "motion")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name in ("shape", "motion"):
            object.__setattr__(self, name, state[name])
        self.__post_init__()

    @property
    def followed(self) -> tuple[Array, LawTable] | None:
        """Pieces of one rigid motion and its law, as queries in short take them; None of any other motion."""
        if self.rows is not None:
            return self.rows, NO_LAW
        return followed_rows(self.motion) if isinstance(self.motion, RigidMotion) else None

    @property
    def rigid(self) -> RigidMotion:
        """The motion of a rigid body; what is none says so in a `TypeError`."""
        if not isinstance(self.motion, RigidMotion):
            what = "robot" if self.kind is ROBOT else "deforming mesh"
            raise TypeError(f"a {what} has no rigid motion")
        return self.motion

    @property
    def deforms(self) -> Deforms:
        """The motion of what deforms, in one step or in several; what does not says so in a `TypeError`."""
        if not isinstance(self.motion, Deforms):
            raise TypeError(f"a {type(self.motion).__name__} deforms nothing")
        return self.motion

    @property
    def deformation(self) -> Deformation:
        """The motion of what deforms in one step; what does not says so in a `TypeError`."""
        motion = self.deforms
        if not isinstance(motion, Deformation):
            raise TypeError(f"a {type(motion).__name__} has several steps, each a deformation")
        return motion

    @property
    def surface(self) -> "Mesh":
        """The mesh that moves; what is no mesh says so in a `TypeError`."""
        if not _is_mesh(self.shape):
            raise TypeError(f"a {type(self.shape).__name__} has no vertices and faces; its .mesh has")
        return self.shape

    @property
    def lifted(self) -> "Moving":
        """What moves in the plane, as its edges do in space."""
        shape: Any = self.shape
        return Moving(shape.lifted, self.motion)

    def pose(self, t: float) -> Array:
        """Pose at t in [0, 1], (4, 4), or of a batch (n, 4, 4): the motion that the queries are about.

        In the plane (3, 3), or (n, 3, 3). Exact at the start, to rounding elsewhere. What deforms has none,
        and says so in a `TypeError`.
        """
        if isinstance(self.motion, Deforms):
            raise TypeError("a deforming mesh has no pose; ask for its vertices(t)")
        if self.kind is ROBOT:
            raise TypeError("a robot has a pose for each link: link_poses(motion.configuration(t)) of it")
        found = self.rigid.pose(as_scalar("t", t, 0.0, 1.0))
        return found if self.shape.dimension == 3 else poses_in_plane(found)

    def vertices(self, t: float) -> Array:
        """Positions of the vertices at t in [0, 1], (n, 3), or of a batch (b, n, 3).

        Those of a deformation are exact at both ends, as at each frame, and all are in the identity pose;
        else each coordinate is rounded, which the queries allow for.
        """
        time = as_scalar("t", t, 0.0, 1.0)
        if self.shape.dimension == 2:
            found = self.lifted.vertices(time)[..., :2]
            return np.ascontiguousarray(found)
        if isinstance(self.motion, Deforms):
            return self.motion.vertices(time)
        surface = self.surface  # what is no mesh says so
        return self.rigid.vertices(time, surface.vertices)


def moving_by_row(shape: Movable, row: Array) -> Moving:
    """A shape, not a robot, that moves as a row says, which was made for it."""
    moving: Any = _Slots()
    moving.shape, moving.kind, moving.rows = shape, shape.kind, row
    moving.__class__ = Moving
    return cast(Moving, moving)


def moving_robot(robot: Movable, motion: JointMotion) -> Moving:
    """A robot that moves as a motion says, which was made for it."""
    moving: Any = _Slots()
    moving.shape, moving.motion, moving.kind, moving.rows = robot, motion, ROBOT, None
    moving.__class__ = Moving
    return cast(Moving, moving)


def _is_mesh(shape: Movable) -> "TypeGuard[Mesh]":
    return shape.kind is MESH


def dimension_of(thing: Any) -> int:
    """How many coordinates the points of a thing have: 3, also of what is none of ours."""
    shape = thing.shape if isinstance(thing, Moving) else thing
    return shape.dimension if isinstance(shape, Movable) else 3
