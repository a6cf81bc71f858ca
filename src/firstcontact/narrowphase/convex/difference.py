"""The differences of the points of two convex cores, as a convex set of its own.

All vectors from a point of b to a point of a, in the frame of b. The cores overlap where it holds the origin,
and the way from the origin out of it, along a direction, is how far b has to go that way to be out of a.
"""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.narrowphase.convex.gjk import RelativePose
from firstcontact.scalar.mat3 import Mat3, mat_vec
from firstcontact.scalar.vec3 import Vec3, add, norm
from firstcontact.shapes.convex import Convex


class CorePair(NamedTuple):
    """Two cores; where a is, as seen from b; and the rotation back."""

    a: Convex
    b: Convex
    frame: RelativePose
    back: Mat3


class Escape(NamedTuple):
    """The shortest way of the core b out of the core a, in the frame of b.

    depth : its length, never less than it takes; negative where the cores are apart, at least by that
    direction : unit vector
    is_known : whether the point is
    point : the point of a that b touches at the end
    steps : how many it took
    """

    depth: float
    direction: Vec3
    is_known: bool
    point: Vec3
    steps: int


@kernel
def placed(frame: RelativePose, p: Vec3) -> Vec3:
    """Return a point of a as seen from b."""
    return add(frame.offset, mat_vec(frame.rotation, p))


@kernel
def size_of(pair: CorePair) -> float:
    """No difference is longer than this."""
    return pair.a.reach + pair.b.reach + norm(pair.frame.offset)
