"""Spans of time in which two rigid bodies of any kinds touch."""

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
from firstcontact.advancement.goal import Options, goal_between, pieces_after
from firstcontact.advancement.nearest import Stretch, stretch_of
from firstcontact.advancement.proof_times import CLEARANCE
from firstcontact.arrays import INFINITY, Array
from firstcontact.motions.relative_motion import placement_at
from firstcontact.motions.rigid_motion import number_at, start_of
from firstcontact.proximity.touching.firm_depths import depth_room
from firstcontact.proximity.touching.near_pairs import FLOOR
from firstcontact.rigid.closest_then import stack_of
from firstcontact.rigid.depths import depth_of
from firstcontact.rigid.pair_kinds import (
    Bodies,
    Convexes,
    Meshes,
    Room,
    SolidMesh,
    extents_of,
    new_room,
    searched,
)


def touching_spans(bodies: Bodies, rows_a: Array, rows_b: Array, options: Options, spans: Array) -> int:
    """Write the spans of one motion, rows (k, 26) of each, where there is room; return how many there are."""
    rows = bodies.ordered(rows_a, rows_b)
    return int(_watch(*bodies.kinds, rows, options, spans, new_room()))


@driver
def _watch(
    convexes: Convexes | None,
    solid: SolidMesh | None,
    meshes: Meshes | None,
    rows: tuple[Array, Array],
    options: Options,
    spans: Array,
    room: Room,
) -> int:
    extent_a, extent_b = extents_of(convexes, solid, meshes)
    counts, depths, (rows_a, rows_b) = (
        np.zeros(N_COUNTS, np.int64),
        (stack_of(solid, meshes), depth_room()),
        rows,
    )
    start, n = start_of(rows_a, rows_b), int(np.int64(0))
    watch = first_watch(start)
    i, j = number_at(rows_a, start), number_at(rows_b, start)
    while i < len(rows_a) and j < len(rows_b):
        motion, stretch = stretch_of(extent_a, extent_b, rows_a[i], rows_b[j])
        pace = _pace_of(stretch, options, start)
        watch = entered(watch, pace)
        while watch.now < pace.end:
            if watch.phase == DEPTH or watch.phase == BACK:
                place = placement_at(motion, watch.now)
                answer = depth_of(convexes, solid, meshes, place, stretch.rounding, depths)
                # By how much it is to be more than 0 to be one.
                answer -= CLEARANCE * stretch.rounding + stretch.deviation
            else:
                goal = goal_between(
                    watch.now, watch.until, options, stretch.rounding, stretch.deviation, stretch.speed
                )
                arrival = searched(convexes, solid, meshes, motion, goal, room, counts)
                answer = INFINITY if arrival.status == SEPARATED else arrival.time
            watch, n = next_watch(watch, answer, pace, spans, n)
        (i, j), start = pieces_after(rows_a, rows_b, i, j, stretch.end), stretch.end
    return n if watch.phase == FREE else write_span(watch, start, spans, n)


@kernel
def _pace_of(stretch: Stretch, options: Options, start: float) -> Pace:
    """Steps through a piece that begins at a time."""
    tolerance = max(options.tolerance, FLOOR * stretch.rounding) + stretch.deviation
    least = tolerance / stretch.speed if stretch.speed > 0.0 else INFINITY
    return Pace(start, stretch.end, least, stretch.speed)
