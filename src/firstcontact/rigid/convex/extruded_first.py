"""First contacts of convex shapes by the extruded static test, and where that does not do, by advancement.

The way of a seen from b is extruded, a slice of time at a time, and tested once as if it stood still (course,
line 190): a slice is free, or it may not be. The test says neither when nor where; so a slice that may not be
free is gone through by conservative advancement, which finds the contact, or that there is none.
"""

from math import ceil

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.advancement.arrival import ITERATIONS, SEPARATED, Arrival, not_arrived
from firstcontact.advancement.goal import Goal
from firstcontact.arrays import Array
from firstcontact.motions.relative_motion import RelativeMotion
from firstcontact.narrowphase.convex.swept_cores import separated_throughout, stand_at, sweep_between
from firstcontact.rigid.convex.convex_first import advance_convexes
from firstcontact.scalar.vec3 import norm, scale
from firstcontact.shapes.convex import Convex

# The bodies turn by no more in a slice, in radians, which leaves the hull by 1 / 128 of what turns. And there
# are no more slices: what turns faster is far from its hull, and left to advancement.
SLICE_ANGLE = 0.25
MOST_SLICES = 4096


@kernel
def extrude(
    a: Convex,
    b: Convex,
    pool_a: Array,
    pool_b: Array,
    motion: RelativeMotion,
    goal: Goal,
    counts: NDArray[np.int64],
) -> Arrival:
    """Go through the slices between goal.start and goal.end: one, unless the bodies turn."""
    limit, span = a.radius + b.radius + goal.margin, goal.end - goal.start
    turns = (motion.spin_a.rate + motion.spin_b.rate) * span / SLICE_ANGLE
    n_slices = int(min(max(ceil(turns), 1), MOST_SLICES))
    begin, start = stand_at(motion, goal.start), goal.start
    size = norm(begin.offset)
    n = scale(-1.0 / size, begin.offset) if size > 0.0 else (1.0, 0.0, 0.0)
    for k in range(n_slices):
        end = goal.end if k + 1 == n_slices else goal.start + (k + 1) * (span / n_slices)
        counts[ITERATIONS] += 1
        sweep = sweep_between(motion, a.reach, b.reach, begin, (start, end))
        is_free, n = separated_throughout(a, b, pool_a, pool_b, sweep, n, limit)
        if not is_free:
            own = Goal(start, end, goal.margin, goal.target, goal.slack, goal.max_iterations, goal.speed)
            arrival = advance_convexes(a, b, pool_a, pool_b, motion, own, counts)
            if arrival.status != SEPARATED:
                return arrival
        begin, start = sweep.end, end
    return not_arrived(SEPARATED, goal.end)
