"""First contacts of pairs of convex shapes, by intervals of time."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.arrival import (
    ITERATIONS,
    MAX_ITERATIONS,
    SEPARATED,
    Arrival,
    Found,
    not_arrived,
    nothing_found,
)
from firstcontact.advancement.goal import BodyExtent, Goal, Options, goal_of
from firstcontact.advancement.stretches import first_stretch, is_left, next_stretch
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import OneSide, Side
from firstcontact.motions.relative_motion import RelativeMotion, placement_at
from firstcontact.rigid.convex.convex_first import write_touch
from firstcontact.rigid.interval.convexes_apart import convexes_at, convexes_stay_apart
from firstcontact.rigid.interval.interval_search import MOST_LEVELS
from firstcontact.rigid.interval.placement_range import placement_range
from firstcontact.scalar.vec3 import scale
from firstcontact.shapes.convex import convex_at, origin_at

# Pairs from which several threads are worth their start.
WORTH_A_THREAD = 128


def interval_convex_times(a: Side, b: Side, options: Options) -> Found:
    """Find the first contact of each pair."""
    n = len(a.shape_ids)
    found = nothing_found(n)

    def task(first: int, last: int) -> None:
        _search_range(a, b, options, np.empty(MOST_LEVELS), found, first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    return found


@driver
def _search_range(
    a: Side, b: Side, options: Options, ends: Array, found: Found, first: int, last: int
) -> None:
    records_a, records_b = a.table.records, b.table.records
    for k in range(first, last):
        i, j = int(np.int64(a.shape_ids[k])), int(np.int64(b.shape_ids[k]))
        one = OneSide(convex_at(records_a, i), origin_at(records_a, i), a.table.pool, a.rows[a.row_ids[k]])
        other = OneSide(convex_at(records_b, j), origin_at(records_b, j), b.table.pool, b.rows[b.row_ids[k]])
        _search_pieces(one, other, options, ends, found, k)


@kernel
def _search_pieces(a: OneSide, b: OneSide, options: Options, ends: Array, found: Found, k: int) -> None:
    """Find the first contact of a pair, piece by piece of its motions, and write it into row k."""
    extent_a = BodyExtent(a.origin, a.shape.reach, a.shape.radius)
    extent_b = BodyExtent(b.origin, b.shape.reach, b.shape.radius)
    stretch = first_stretch(a.rows, b.rows)
    while is_left(a.rows, b.rows, stretch):
        row_a, row_b = a.rows[stretch.piece_a], b.rows[stretch.piece_b]
        motion, goal = goal_of(extent_a, extent_b, row_a, row_b, options, stretch.start)
        arrival = search_convexes(a, b, motion, goal, ends, found.counts[k])
        if arrival.status != SEPARATED:
            write_touch(found, k, arrival, motion, row_b)
            break
        stretch = next_stretch(a.rows, b.rows, stretch, goal.end)


@kernel
def search_convexes(
    a: OneSide, b: OneSide, motion: RelativeMotion, goal: Goal, ends: Array, counts: NDArray[np.int64]
) -> Arrival:
    """Find the first contact of two shapes between goal.start and goal.end.

    ends : room for those of intervals that are left; each begins where the one after it in the room ends
    """
    start, n = goal.start, 1
    ends[0] = goal.start  # the start is looked at as an interval without length
    for iteration in range(goal.max_iterations):
        counts[ITERATIONS] += 1
        end = ends[n - 1]
        over = placement_range(motion, start, end)
        guess, is_last = scale(-1.0, over.place.offset), end - start <= goal.slack
        is_free = not is_last and convexes_stay_apart(
            over, a.shape, b.shape, a.pool, b.pool, goal.margin, guess
        )
        if is_last:
            now = Goal(start, end, goal.margin, goal.target, goal.slack, goal.max_iterations, goal.speed)
            arrival = convexes_at(placement_at(motion, start), a.shape, b.shape, a.pool, b.pool, now, guess)
            if arrival.status != SEPARATED:
                return arrival
            is_free = True
        if iteration == 0 and goal.speed > 0.0:
            ends[0] = goal.end
        elif is_free:
            start, n = end, n - 1
        else:
            ends[n], n = 0.5 * (start + end), n + 1
        if n == 0:
            return not_arrived(SEPARATED, goal.end)
    return not_arrived(MAX_ITERATIONS, start)
