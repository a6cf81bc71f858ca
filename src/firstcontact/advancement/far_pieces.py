"""Pieces of two motions in which two bodies are too far apart to touch: told by balls around them alone."""

from math import sqrt

from firstcontact._jit import kernel
from firstcontact.advancement.goal import BodyExtent, Goal
from firstcontact.arrays import Array
from firstcontact.motions.relative_motion import RelativeMotion, Spin
from firstcontact.motions.rigid_motion import (
    BASE_TIME,
    CENTER,
    DEVIATION,
    END_TIME,
    POSITION,
    RATE,
    VELOCITY,
    center_of,
)
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.vec3 import add, norm, scale, sub

# No two places of a point that turns are farther apart, in units of its distance from what it turns about.
DIAMETER = 2.0

# What rounding may hide of any distance, in units of all coordinates, ways, sizes and angles of both bodies:
# more than `rounding_error` has, many times.
ROUGH = 2.0**-40


@kernel
def is_clearly_far(
    row_a: Array, row_b: Array, start: float, separation: float, a: BodyExtent, b: BodyExtent
) -> bool:
    """Do balls around the points that two bodies turn about stay apart from a time to the end of a piece?

    Told of rows as they are, at a tenth of what it takes to join them: motions of many pieces pass most so.
    """
    middle, half = _middle(start, min(row_a[END_TIME], row_b[END_TIME]))
    passed_a, passed_b = middle - row_a[BASE_TIME], middle - row_b[BASE_TIME]
    apart, way, size = 0.0, 0.0, 0.0
    for c in range(3):
        v, w = row_a[VELOCITY + c], row_b[VELOCITY + c]
        e = (row_a[POSITION + c] - row_b[POSITION + c]) + (passed_a * v - passed_b * w)
        apart, way = apart + e * e, way + (v - w) * (v - w)
        size += abs(row_a[POSITION + c]) + abs(row_b[POSITION + c]) + abs(v) + abs(w)
        size += abs(row_a[CENTER + c]) + abs(row_b[CENTER + c])
    ball_a = norm(sub(a.origin, center_of(row_a))) + a.reach + a.radius
    ball_b = norm(sub(b.origin, center_of(row_b))) + b.reach + b.radius
    size += (1.0 + row_a[RATE]) * ball_a + (1.0 + row_b[RATE]) * ball_b
    near = ball_a + ball_b + separation + row_a[DEVIATION] + row_b[DEVIATION] + (ROUGH * size + SHORTEST)
    return bool(sqrt(apart) - half * sqrt(way) > near)


@kernel
def _middle(start: float, end: float) -> tuple[float, float]:
    """Middle and half of the length of a stretch."""
    return 0.5 * (start + end), 0.5 * (end - start)


@kernel
def is_far(motion: RelativeMotion, goal: Goal, a: BodyExtent, b: BodyExtent) -> bool:
    """Do balls around two bodies stay farther apart than the margin throughout a piece?

    A motion of many pieces passes most of them so, at a fiftieth of what a search in one takes.
    """
    # The margin holds what rounding may hide of any distance between the bodies; this one has fewer terms.
    middle, half = _middle(goal.start, goal.end)
    offset = add(motion.offset, scale(middle - motion.base, motion.velocity))
    way = (
        half * norm(motion.velocity) + _swing_of(motion.spin_a, goal.end) + _swing_of(motion.spin_b, goal.end)
    )
    extent = a.reach + a.radius + b.reach + b.radius
    return bool(norm(offset) - way - extent > goal.margin)


@kernel
def _swing_of(spin: Spin, end: float) -> float:
    """Bound how far its turn takes the origin of a body, until a time."""
    farthest: float = min(spin.rate * (end - spin.base), DIAMETER) * norm(spin.lever)
    return farthest
