"""Whether two convex shapes are apart: a direction along which there is a gap between them is the proof.

Boxes have 15 directions to try, spheres and capsules that of their closest points. For all others the search
for the closest points goes on no longer than until it comes across a gap.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.narrowphase.gjk import Frame, Precision, closest_convex_convex
from firstcontact.narrowphase.separating_axis_boxes import least_overlap
from firstcontact.scalar.vec3 import Vec3, dot, norm
from firstcontact.shapes.convex import BOX, SEGMENT, Convex

Array = NDArray[np.float64]

INFINITY = np.inf


class Gap(NamedTuple):
    """Between two shapes, along a direction of any length; not positive where none was found."""

    width: float
    direction: Vec3


@kernel
def gap_convex_convex(
    a: Convex, b: Convex, pool_a: Array, pool_b: Array, frame: Frame, guess: Vec3, rounding: float
) -> Gap:
    """Find a gap wider than rounding, if there is one; not the widest.

    guess : the first direction to try, from a to b, of any length
    """
    margin = a.radius + b.radius + rounding
    if a.kind == BOX and b.kind == BOX:
        overlap = least_overlap(a.half, b.half, frame.rotation, frame.offset, rounding).overlap
        return Gap(0.0 if overlap >= -rounding else rounding, guess)
    if a.kind <= SEGMENT and b.kind <= SEGMENT:
        # Zero for a point: it is a segment without a length.
        length_a, length_b = a.half[2] if a.kind == SEGMENT else 0.0, b.half[2] if b.kind == SEGMENT else 0.0
        m, t = frame.rotation, frame.offset
        side = length_a * m[2], length_a * m[5], length_a * m[8]
        n = between_segments(side, length_b, t)
        distance = norm(n)
        # The points are on the shapes, and the distance is no less than the least.
        if distance <= margin:
            return Gap(0.0, n)
        gap = (-dot(n, t) - abs(dot(n, side)) - abs(n[2]) * length_b) / distance
        if gap > margin:
            return Gap(gap - margin, n)
        guess = n
    # As soon as it is wider than the margin, no gap has to be known any better.
    precision = Precision(INFINITY, margin)
    closest = closest_convex_convex(a, b, pool_a, pool_b, frame, guess, precision)
    return Gap(closest.gap - margin, closest.direction)


@kernel
def between_segments(side: Vec3, half: float, t: Vec3) -> Vec3:
    """Vector from a segment t + [-1, 1] side to one of half a length on the third axis, where they are close.

    The closest points, but for rounding, if the segments are not almost parallel.
    """
    # On the line of the second segment only the parts across the third axis count.
    across = side[0] * side[0] + side[1] * side[1]
    s = -(t[0] * side[0] + t[1] * side[1]) / across if across > 0.0 else 0.0
    s = min(max(s, -1.0), 1.0)
    z = min(max(t[2] + s * side[2], -half), half)
    whole = across + side[2] * side[2]
    s = -(t[0] * side[0] + t[1] * side[1] + (t[2] - z) * side[2]) / whole if whole > 0.0 else 0.0
    s = min(max(s, -1.0), 1.0)
    z = min(max(t[2] + s * side[2], -half), half)
    return -t[0] - s * side[0], -t[1] - s * side[1], z - t[2] - s * side[2]
