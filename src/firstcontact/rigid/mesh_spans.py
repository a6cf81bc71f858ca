"""Spans of time in which two meshes touch: their surfaces, as where an edge passes through a face."""

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.advancement.arrival import N_COUNTS, SEPARATED
from firstcontact.advancement.contact_watch import (
    BACK,
    DEPTH,
    FREE,
    entered,
    first_watch,
    next_watch,
    write_span,
)
from firstcontact.advancement.goal import BodyExtent, Options, goal_between, pieces_after
from firstcontact.advancement.nearest import stretch_of
from firstcontact.advancement.queue import Queue, new_queue
from firstcontact.arrays import INFINITY, Array, Ids
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.placed_triangle import placed_triangle, triangle_of
from firstcontact.motions.relative_motion import RelativeMotion, placement_at
from firstcontact.motions.rigid_motion import number_at, start_of
from firstcontact.narrowphase.triangles.piercing_depth import crossing_depth
from firstcontact.proximity.touching.near_pairs import Instant, collect_pairs
from firstcontact.rigid.best_first import search
from firstcontact.rigid.convex_spans import clearance_of, pace_of

# Pairs of triangles that are looked at for the firmest crossing.
MAX_PAIRS = 256

# Room for pairs and their distances.
Near = tuple[Ids, Array]


def mesh_spans(a: Body, b: Body, rows_a: Array, rows_b: Array, options: Options, spans: Array) -> int:
    """Write the spans of one motion, rows (k, 26) of each, where there is room; return how many there are."""
    if len(a.children) == 0 or len(b.children) == 0:
        return 0
    near = np.empty((MAX_PAIRS, 2), np.int32), np.empty(MAX_PAIRS)
    return int(_watch(a, b, rows_a, rows_b, options, spans, (new_queue(), near)))


@driver
def _watch(
    a: Body,
    b: Body,
    rows_a: Array,
    rows_b: Array,
    options: Options,
    spans: Array,
    room: tuple[Queue, Near],
) -> int:
    extent_a, extent_b = BodyExtent(a.origin, a.reach, 0.0), BodyExtent(b.origin, b.reach, 0.0)
    counts, (queue, near) = np.zeros(N_COUNTS, np.int64), room
    start, n = start_of(rows_a, rows_b), int(np.int64(0))
    watch = first_watch(start)
    i, j = number_at(rows_a, start), number_at(rows_b, start)
    while i < len(rows_a) and j < len(rows_b):
        motion, stretch = stretch_of(extent_a, extent_b, rows_a[i], rows_b[j])
        pace = pace_of(stretch, options, start)
        watch = entered(watch, pace)
        while watch.now < pace.end:
            if watch.phase == DEPTH or watch.phase == BACK:
                answer = _depth(a, b, motion, watch.now, stretch.rounding, near) - clearance_of(stretch)
            else:
                goal = goal_between(
                    watch.now, watch.until, options, stretch.rounding, stretch.deviation, stretch.speed
                )
                arrival = search(a, b, motion, goal, queue, counts)
                answer = INFINITY if arrival.status == SEPARATED else arrival.time
            watch, n = next_watch(watch, answer, pace, spans, n)
        (i, j), start = pieces_after(rows_a, rows_b, i, j, stretch.end), stretch.end
    return n if watch.phase == FREE else write_span(watch, start, spans, n)


@kernel
def _depth(a: Body, b: Body, motion: RelativeMotion, t: float, rounding: float, near: Near) -> float:
    """How firmly any edge passes through any face, of those pairs that touch."""
    place, depth = placement_at(motion, t), 0.0
    n, _ = collect_pairs(a, b, Instant(place, rounding), rounding, near[0], near[1])
    for k in range(n):
        triangle_a = placed_triangle(place, triangle_of(a.triangles, int(np.int64(near[0][k, 0]))))
        triangle_b = triangle_of(b.triangles, int(np.int64(near[0][k, 1])))
        depth = max(depth, crossing_depth(triangle_a, triangle_b))
    return depth
