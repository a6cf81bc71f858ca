"""Spans of time in which two convex shapes touch."""

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.advancement.arrival import N_COUNTS, SEPARATED
from firstcontact.advancement.contact_watch import (
    BACK,
    DEPTH,
    FREE,
    Pace,
    entered,
    first_watch,
    next_watch,
    write_span,
)
from firstcontact.advancement.goal import BodyExtent, Options, goal_between, pieces_after
from firstcontact.advancement.nearest import Stretch, stretch_of
from firstcontact.advancement.proof_times import CLEARANCE
from firstcontact.arrays import INFINITY, Array
from firstcontact.motions.relative_motion import RelativeMotion, placement_at
from firstcontact.motions.rigid_motion import number_at, start_of
from firstcontact.narrowphase.convex.gjk import RelativePose
from firstcontact.narrowphase.convex.overlap_depth import least_depth
from firstcontact.narrowphase.convex.polytope import workspace
from firstcontact.narrowphase.convex.way_out import FEW_CORNERS
from firstcontact.proximity.touching.near_pairs import FLOOR
from firstcontact.rigid.convex_first import advance_convexes
from firstcontact.shapes.convex import ConvexTable, convex_at, origin_at


def convex_spans(
    a: ConvexTable, b: ConvexTable, rows_a: Array, rows_b: Array, options: Options, spans: Array
) -> int:
    """Write the spans of one motion, rows (k, 26) of each, where there is room; return how many there are."""
    return int(_watch(a, b, rows_a, rows_b, options, spans))


@driver
def _watch(
    a: ConvexTable, b: ConvexTable, rows_a: Array, rows_b: Array, options: Options, spans: Array
) -> int:
    # Not a plain zero: functions are compiled for a constant argument apart.
    zero = int(np.int64(0))
    shape_a, shape_b = convex_at(a.records, zero), convex_at(b.records, zero)
    extent_a = BodyExtent(origin_at(a.records, zero), shape_a.reach, shape_a.radius)
    extent_b = BodyExtent(origin_at(b.records, zero), shape_b.reach, shape_b.radius)
    counts, (numbers, links) = np.zeros(N_COUNTS, np.int64), workspace(FEW_CORNERS)
    start, n = start_of(rows_a, rows_b), zero
    watch = first_watch(start)
    i, j = number_at(rows_a, start), number_at(rows_b, start)
    while i < len(rows_a) and j < len(rows_b):
        motion, stretch = stretch_of(extent_a, extent_b, rows_a[i], rows_b[j])
        pace = pace_of(stretch, options, start)
        watch = entered(watch, pace)
        while watch.now < pace.end:
            if watch.phase == DEPTH or watch.phase == BACK:
                frame = _frame(motion, watch.now)
                depth = least_depth(shape_a, shape_b, a.pool, b.pool, frame, numbers, links)
                answer = depth - clearance_of(stretch)
            else:
                goal = goal_between(
                    watch.now, watch.until, options, stretch.rounding, stretch.deviation, stretch.speed
                )
                arrival = advance_convexes(shape_a, shape_b, a.pool, b.pool, motion, goal, counts)
                answer = INFINITY if arrival.status == SEPARATED else arrival.time
            watch, n = next_watch(watch, answer, pace, spans, n)
        (i, j), start = pieces_after(rows_a, rows_b, i, j, stretch.end), stretch.end
    return n if watch.phase == FREE else write_span(watch, start, spans, n)


@kernel
def pace_of(stretch: Stretch, options: Options, start: float) -> Pace:
    """Steps through a piece that begins at a time."""
    tolerance = max(options.tolerance, FLOOR * stretch.rounding) + stretch.deviation
    least = tolerance / stretch.speed if stretch.speed > 0.0 else INFINITY
    return Pace(start, stretch.end, least, stretch.speed)


@kernel
def clearance_of(stretch: Stretch) -> float:
    """By how much a depth is to be more than 0 to be one."""
    return CLEARANCE * stretch.rounding + stretch.deviation


@kernel
def _frame(motion: RelativeMotion, t: float) -> RelativePose:
    place = placement_at(motion, t)
    return RelativePose(place.rotation, place.offset)
