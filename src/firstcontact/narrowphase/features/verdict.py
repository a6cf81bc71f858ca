"""What a test of overlap can say, and what is asked of it."""

from typing import NamedTuple

from firstcontact.arrays import Array
from firstcontact.narrowphase.convex.gjk import RelativePose
from firstcontact.scalar.vec3 import Vec3

# They overlap by more than what is in doubt; nothing is known; or they may be apart along a direction.
OVERLAPPING, OPEN, APART = 1, 0, -1


class Verdict(NamedTuple):
    """What a test of overlap found; a direction from a to b, of any length, where they may be apart."""

    kind: int
    direction: Vec3


class FacePair(NamedTuple):
    """The planes and edges of two polytopes, and where a is, as seen from b.

    doubt : a length: less of an overlap is not told
    """

    planes_a: Array
    edges_a: Array
    planes_b: Array
    edges_b: Array
    frame: RelativePose
    doubt: float
