"""Whether two convex shapes are apart: a direction along which there is a gap between them is the proof.

Boxes that are not rounded have 15 directions to try, spheres and capsules that of their closest points. For
all others the search for the closest points goes on no longer than until it comes across a gap.
"""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.narrowphase.convex.gjk import (
    Precision,
    RelativePose,
    closest_from,
    closest_straight,
    no_simplex,
)
from firstcontact.narrowphase.convex.separating_axis_boxes import least_overlap
from firstcontact.scalar.vec3 import Vec3
from firstcontact.shapes.convex import BOX, Convex


class AxisGap(NamedTuple):
    """Between two shapes, along a direction of any length; not positive where none was found."""

    width: float
    direction: Vec3


@kernel
def gap_convex_convex(
    a: Convex, b: Convex, pool_a: Array, pool_b: Array, frame: RelativePose, guess: Vec3, rounding: float
) -> AxisGap:
    """Find a gap wider than rounding, if there is one; not the widest.

    guess : the first direction to try, from a to b, of any length
    """
    margin = a.radius + b.radius + rounding
    if a.kind == BOX and b.kind == BOX and margin == rounding:
        overlap = least_overlap(a.half, b.half, frame.rotation, frame.offset, rounding).overlap
        return AxisGap(0.0 if overlap >= -rounding else rounding, guess)
    straight = closest_straight(a, b, frame)
    if straight.steps > 0:
        return AxisGap(straight.gap - margin, straight.direction)
    # As soon as it is wider than the margin, no gap has to be known any better.
    precision = Precision(INFINITY, margin, margin)
    closest, _ = closest_from(a, b, pool_a, pool_b, frame, no_simplex(guess), precision)
    return AxisGap(closest.gap - margin, closest.direction)
