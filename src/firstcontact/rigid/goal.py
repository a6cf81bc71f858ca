"""What is looked for in a piece of two motions."""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.motions.relative_motion import RelativeMotion, fastest, rounding_error
from firstcontact.motions.rigid_motion import END_TIME, deviation_of
from firstcontact.proximity.touching.near_pairs import FLOOR
from firstcontact.rigid.request import Goal, Options


class Extent(NamedTuple):
    """How far a body goes from its origin: what of it turns, and a radius around all of that."""

    reach: float
    radius: float


@kernel
def goal_of(
    motion: RelativeMotion,
    a: Extent,
    b: Extent,
    row_a: Array,
    row_b: Array,
    options: Options,
    start: float,
) -> Goal:
    """What is looked for from a time on; it ends where the first of the two pieces does.

    Bodies that deviate from their pieces are nearer to each other than these by that much at the most.
    """
    rounding = rounding_error(motion, a.reach + a.radius, b.reach + b.radius, row_a, row_b)
    tolerance = max(options.tolerance, FLOOR * rounding)
    deviation, speed = deviation_of(row_a, row_b), fastest(motion, a.reach, b.reach)
    margin = options.min_separation + rounding + deviation
    slack = 0.25 * tolerance / speed if speed > 0.0 else 0.0
    target = options.min_separation + 0.5 * tolerance + deviation
    end = min(row_a[END_TIME], row_b[END_TIME])
    return Goal(start, end, margin, target, slack, options.max_iterations, speed)
