"""First contacts of pairs of convex shapes by the methods that are there to be compared with the default."""

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.arrival import SEPARATED, Found, nothing_found
from firstcontact.advancement.goal import BodyExtent, Options, goal_of
from firstcontact.advancement.stretches import first_stretch, is_left, next_stretch
from firstcontact.bodies.convex_side import OneSide, Side
from firstcontact.rigid.convex.convex_first import WORTH_A_THREAD, write_touch
from firstcontact.rigid.convex.extruded_first import extrude
from firstcontact.rigid.convex.interval_halving import bisect_time, halve_swept
from firstcontact.shapes.convex import convex_at, origin_at

# How to search: conservative advancement, which is the default and is not here; swept support maps with
# interval halving; bisection of time with the last separating axis; and the extruded static test.
METHODS = {"advancement": 0, "swept": 1, "bisection": 2, "extruded": 3}
ADVANCEMENT, SWEPT, BISECTION, EXTRUDED = METHODS.values()


def compared_first_times(a: Side, b: Side, options: Options) -> Found:
    """Find the first contact of each pair by the method asked for; deviations are part of the margin."""
    n = len(a.shape_ids)
    found = nothing_found(n)

    def task(first: int, last: int) -> None:
        _compare_range(a, b, options, found, first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    return found


@driver
def _compare_range(a: Side, b: Side, options: Options, found: Found, first: int, last: int) -> None:
    records_a, pool_a, rows_a = a.table.records, a.table.pool, a.rows
    records_b, pool_b, rows_b = b.table.records, b.table.pool, b.rows
    for k in range(first, last):
        i, j = int(np.int64(a.shape_ids[k])), int(np.int64(b.shape_ids[k]))
        one = OneSide(convex_at(records_a, i), origin_at(records_a, i), pool_a, rows_a[a.row_ids[k]])
        other = OneSide(convex_at(records_b, j), origin_at(records_b, j), pool_b, rows_b[b.row_ids[k]])
        _compare_pieces(one, other, options, found, k)


@kernel
def _compare_pieces(a: OneSide, b: OneSide, options: Options, found: Found, k: int) -> None:
    """Find the first contact of a pair, piece by piece of its motions, and write it into row k."""
    extent_a = BodyExtent(a.origin, a.shape.reach, a.shape.radius)
    extent_b = BodyExtent(b.origin, b.shape.reach, b.shape.radius)
    stretch = first_stretch(a.rows, b.rows)
    while is_left(a.rows, b.rows, stretch):
        row_a, row_b = a.rows[stretch.piece_a], b.rows[stretch.piece_b]
        motion, goal = goal_of(extent_a, extent_b, row_a, row_b, options, stretch.start)
        shape_a, shape_b, counts = a.shape, b.shape, found.counts[k]
        if options.method == SWEPT:
            arrival = halve_swept(shape_a, shape_b, a.pool, b.pool, motion, goal, counts)
        elif options.method == BISECTION:
            arrival = bisect_time(shape_a, shape_b, a.pool, b.pool, motion, goal, counts)
        else:
            arrival = extrude(shape_a, shape_b, a.pool, b.pool, motion, goal, counts)
        if arrival.status != SEPARATED:
            write_touch(found, k, arrival, motion, row_b)
            break
        stretch = next_stretch(a.rows, b.rows, stretch, goal.end)
