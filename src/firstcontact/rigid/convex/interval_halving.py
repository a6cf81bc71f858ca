"""First contacts of convex shapes by halving intervals of time, as the course describes it, and never late.

An interval is gone on from where a direction is found that keeps the shapes apart throughout; else it is
halved, the first half first. Where it begins they are measured, once: as near as the target is a contact. If
not, the direction of their distance keeps them apart for a while, so that halving ends.

By swept support maps, each interval has a direction looked for (course, lines 1838-1856). By bisection, the
last one that was found is tried alone, and given up for that of the distance (line 182).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.advancement.arrival import (
    CONTACT,
    ITERATIONS,
    MAX_ITERATIONS,
    SEPARATED,
    Arrival,
    not_arrived,
)
from firstcontact.advancement.goal import Goal
from firstcontact.arrays import Array
from firstcontact.motions.relative_motion import RelativeMotion, orientation, placement_at
from firstcontact.narrowphase.convex.gjk import (
    EXACT,
    Precision,
    RelativePose,
    closest_from,
    no_simplex,
    surface_points,
)
from firstcontact.narrowphase.convex.swept_cores import (
    gap_along,
    needed_along,
    separated_throughout,
    stand_at,
    sweep_between,
)
from firstcontact.rigid.convex.convex_steps import PART
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Vec3, norm, scale
from firstcontact.shapes.convex import Convex

# Halvings at the most: a double has no more digits.
DEEPEST = 60


class Interval(NamedTuple):
    """Part number `number` of all the time that is looked at, cut into 2^depth of them."""

    depth: int
    number: int


@kernel
def halve_swept(
    a: Convex,
    b: Convex,
    pool_a: Array,
    pool_b: Array,
    motion: RelativeMotion,
    goal: Goal,
    counts: NDArray[np.int64],
) -> Arrival:
    """Go through intervals between goal.start and goal.end, each with a direction that is looked for."""
    interval, limit = _all_of_it(), a.radius + b.radius + goal.margin
    begin, is_measured = stand_at(motion, goal.start), False
    n = _unit(begin.offset)
    for _ in range(goal.max_iterations):
        counts[ITERATIONS] += 1
        start, end = _times(goal, interval)
        sweep = sweep_between(motion, a.reach, b.reach, begin, (start, end))
        is_free, tried = separated_throughout(a, b, pool_a, pool_b, sweep, n, limit)
        if is_free:
            if end >= goal.end:
                return not_arrived(SEPARATED, goal.end)
            interval, begin, n, is_measured = _next(interval), sweep.end, tried, False
            continue
        if not is_measured:  # halves begin with that direction: near contact a simplex has none as good
            arrival, n = measured_at(a, b, pool_a, pool_b, motion, goal, start)
            if arrival.status == CONTACT:
                return arrival
            is_measured = True
        if _is_shortest(interval, start, end):
            return _touch(a, b, pool_a, pool_b, motion, start)
        interval = Interval(interval.depth + 1, 2 * interval.number)
    return not_arrived(MAX_ITERATIONS, _times(goal, interval)[0])


@kernel
def bisect_time(
    a: Convex,
    b: Convex,
    pool_a: Array,
    pool_b: Array,
    motion: RelativeMotion,
    goal: Goal,
    counts: NDArray[np.int64],
) -> Arrival:
    """Go through the same intervals with the direction that was found last."""
    interval, limit = _all_of_it(), a.radius + b.radius + goal.margin
    begin, is_measured = stand_at(motion, goal.start), False
    n = _unit(begin.offset)
    for _ in range(goal.max_iterations):
        counts[ITERATIONS] += 1
        start, end = _times(goal, interval)
        sweep = sweep_between(motion, a.reach, b.reach, begin, (start, end))
        needed = needed_along(sweep, n, limit)
        is_free = gap_along(a, b, pool_a, pool_b, begin, n) > needed
        if is_free and gap_along(a, b, pool_a, pool_b, sweep.end, n) > needed:
            if end >= goal.end:
                return not_arrived(SEPARATED, goal.end)
            interval, begin, is_measured = _next(interval), sweep.end, False
            continue
        if not is_measured:  # the next try is of the same interval, with the direction of the distance
            arrival, n = measured_at(a, b, pool_a, pool_b, motion, goal, start)
            if arrival.status == CONTACT:
                return arrival
            is_measured = True
            continue
        if _is_shortest(interval, start, end):
            return _touch(a, b, pool_a, pool_b, motion, start)
        interval = Interval(interval.depth + 1, 2 * interval.number)
    return not_arrived(MAX_ITERATIONS, _times(goal, interval)[0])


@kernel
def measured_at(
    a: Convex, b: Convex, pool_a: Array, pool_b: Array, motion: RelativeMotion, goal: Goal, t: float
) -> tuple[Arrival, Vec3]:
    """Measure two shapes at a time: a contact where they are near; and the unit vector between them."""
    place, radii = placement_at(motion, t), a.radius + b.radius
    frame = RelativePose(place.rotation, place.offset)
    precision = Precision(PART, radii + goal.margin, radii + goal.target)
    guess = no_simplex(scale(-1.0, place.offset))
    closest, _ = closest_from(a, b, pool_a, pool_b, frame, guess, precision)
    if closest.distance - radii <= goal.target:
        return _touch(a, b, pool_a, pool_b, motion, t), closest.direction
    return not_arrived(SEPARATED, t), mat_vec(orientation(motion.spin_b, t), closest.direction)


@kernel
def _touch(a: Convex, b: Convex, pool_a: Array, pool_b: Array, motion: RelativeMotion, t: float) -> Arrival:
    """A contact at a time, with its points, as well as they can be known."""
    place = placement_at(motion, t)
    frame = RelativePose(place.rotation, place.offset)
    closest, _ = closest_from(a, b, pool_a, pool_b, frame, no_simplex(scale(-1.0, place.offset)), EXACT)
    p, q = surface_points(closest, a.radius, b.radius)
    return Arrival(CONTACT, t, -1, -1, p, q, closest.direction)


@kernel
def _all_of_it() -> Interval:
    return Interval(int(np.int64(0)), int(np.int64(0)))


@kernel
def _times(goal: Goal, interval: Interval) -> tuple[float, float]:
    """When an interval begins and ends; neighbours share a time to the last bit."""
    part, span = 2.0**-interval.depth, goal.end - goal.start
    is_last = interval.number + 1 == 1 << interval.depth
    end = goal.end if is_last else goal.start + (interval.number + 1) * part * span
    return goal.start + interval.number * part * span, end


@kernel
def _next(interval: Interval) -> Interval:
    """Go on to the one behind: as long as may be."""
    depth, number = interval.depth, interval.number + 1
    while depth > 0 and number % 2 == 0:
        depth, number = depth - 1, number // 2
    return Interval(depth, number)


@kernel
def _is_shortest(interval: Interval, start: float, end: float) -> bool:
    """Is there no time in between? The direction was lost to rounding, at a distance of that size."""
    middle = 0.5 * (start + end)
    return interval.depth == DEEPEST or not start < middle < end


@kernel
def _unit(offset: Vec3) -> Vec3:
    """Unit vector from a towards b."""
    size = norm(offset)
    return scale(-1.0 / size, offset) if size > 0.0 else (1.0, 0.0, 0.0)
