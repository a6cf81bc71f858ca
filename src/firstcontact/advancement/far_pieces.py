"""Pieces of two motions in which two bodies are too far apart to touch: told by balls around them alone."""

from firstcontact._jit import kernel
from firstcontact.advancement.goal import BodyExtent, Goal
from firstcontact.motions.relative_motion import RelativeMotion, Spin
from firstcontact.scalar.vec3 import add, norm, scale

# No two places of a point that turns are farther apart, in units of its distance from what it turns about.
DIAMETER = 2.0


@kernel
def is_far(motion: RelativeMotion, goal: Goal, a: BodyExtent, b: BodyExtent) -> bool:
    """Do balls around two bodies stay farther apart than the margin throughout a piece?

    A motion of many pieces passes most of them so, at a fiftieth of what a search in one takes.
    """
    # The margin holds what rounding may hide of any distance between the bodies; this one has fewer terms.
    half, middle = 0.5 * (goal.end - goal.start), 0.5 * (goal.start + goal.end)
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
