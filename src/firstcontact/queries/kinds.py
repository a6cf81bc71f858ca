"""What kinds of things a query is about: that chooses the algorithm."""

from enum import Enum

from firstcontact.motions.deformation import Deformation
from firstcontact.motions.rigid_motion import RigidMotion
from firstcontact.shapes.convex import ConvexTable
from firstcontact.shapes.convex_shape import ConvexShape
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape


class Kind(Enum):
    """A convex shape or a mesh that moves rigidly or rests, or a mesh that deforms."""

    CONVEX = "convex"
    MESH = "mesh"
    DEFORMING = "deforming"


def kind_of(thing: Moving) -> Kind:
    """Tell what a moving thing is."""
    if isinstance(thing.motion, Deformation):
        return Kind.DEFORMING
    return Kind.CONVEX if isinstance(thing.shape, ConvexShape) else Kind.MESH


def table_of(shape: Shape) -> ConvexTable:
    """What compiled code sees of a shape that is known to be convex."""
    if not isinstance(shape, ConvexShape):
        raise TypeError(f"a {type(shape).__name__} is not convex")
    return shape.table


def rigid_motion(thing: Moving) -> RigidMotion:
    """Motion of what is known not to deform."""
    if isinstance(thing.motion, Deformation):
        raise TypeError("a deforming mesh has no rigid motion")
    return thing.motion


def single(thing: Moving, name: str) -> Moving:
    """Accept a thing with one motion."""
    motion = thing.motion
    if not isinstance(motion, Deformation) and motion.is_batch:
        raise ValueError(f"{name} has a batch of {len(motion)} motions: use first_contacts")
    return thing


def common_length(a: RigidMotion, b: RigidMotion, what: str) -> int:
    """Length of a batch; where both are one, they must be of the same length."""
    if a.is_batch and b.is_batch and len(a) != len(b):
        raise ValueError(f"batches must have the same length; a has {len(a)} {what} and b has {len(b)}")
    return len(b) if len(a) == 1 else len(a)
