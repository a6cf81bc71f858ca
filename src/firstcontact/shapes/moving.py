"""A shape with its motion."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from firstcontact._validate import as_scalar
from firstcontact.arrays import Array
from firstcontact.motions.deformation import Deformation
from firstcontact.motions.joint_motion import JointMotion
from firstcontact.motions.rigid_motion import RigidMotion

if TYPE_CHECKING:
    from firstcontact.shapes.mesh import Mesh
    from firstcontact.shapes.shape import Shape


@dataclass(frozen=True, eq=False)
class Moving:
    """A shape and how it moves over t in [0, 1]: what `Shape.moving` and its like give, and queries take.

    Attributes
    ----------
    shape : Shape, or Robot
    motion : RigidMotion or Deformation; of a robot, JointMotion
    """

    shape: "Shape"
    motion: RigidMotion | Deformation

    def __post_init__(self) -> None:
        """Refuse what has neither a shape nor a motion."""
        shape, motion = cast(Any, self.shape), cast(Any, self.motion)
        if not isinstance(motion, RigidMotion | Deformation | JointMotion):
            what = type(motion).__name__
            raise TypeError(f"motion must be what shape.moving, at and their like give; received {what}")
        if isinstance(shape, type) or not hasattr(shape, "at"):
            raise TypeError(f"shape must be a shape or a robot; received {type(shape).__name__}")

    @property
    def surface(self) -> "Mesh":
        """The mesh that moves; what is no mesh says so in a `TypeError`."""
        from firstcontact.shapes.mesh import Mesh

        if not isinstance(self.shape, Mesh):
            raise TypeError(f"a {type(self.shape).__name__} has no vertices and faces; its .mesh has")
        return self.shape

    def pose(self, t: float) -> Array:
        """Pose at t in [0, 1], (4, 4), or of a batch (n, 4, 4): the motion that the queries are about.

        Exact at the start, to rounding elsewhere. What deforms has none, and says so in a `TypeError`.
        """
        if isinstance(self.motion, Deformation):
            raise TypeError("a deforming mesh has no pose; ask for its vertices(t)")
        if not isinstance(self.motion, RigidMotion):
            raise TypeError("a robot has a pose for each link: link_poses(motion.configuration(t)) of it")
        return self.motion.pose(as_scalar("t", t, 0.0, 1.0))

    def vertices(self, t: float) -> Array:
        """Positions of the vertices at t in [0, 1], (n, 3), or of a batch (b, n, 3).

        Those of a deformation are exact at both ends, and all are in the identity pose; else each coordinate
        is rounded, which the queries allow for.
        """
        time = as_scalar("t", t, 0.0, 1.0)
        if isinstance(self.motion, Deformation):
            return self.motion.vertices(time)
        surface = self.surface  # what is no mesh says so
        return self.motion.vertices(time, surface.vertices)
