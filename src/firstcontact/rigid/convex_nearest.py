"""Least distances of pairs of convex shapes over their motions."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.arrival import ITERATIONS, SEPARATED
from firstcontact.advancement.descent import Descent, first_look, next_look, parting_rate
from firstcontact.advancement.goal import BodyExtent, pieces_after
from firstcontact.advancement.nearest import (
    GOING,
    Nearest,
    Nearness,
    Stretch,
    Walk,
    descended,
    exhausted,
    level_goal,
    passed,
    stretch_of,
    touched,
    walk_at,
    worth_a_look,
    write_walk,
)
from firstcontact.arrays import INFINITY, Array
from firstcontact.bodies.convex_side import Side
from firstcontact.motions.relative_motion import RelativeMotion, placement_at
from firstcontact.motions.rigid_motion import number_at
from firstcontact.narrowphase.convex.gjk import (
    EXACT,
    RelativePose,
    closest_from,
    core_distance,
    moved_simplex,
    no_simplex,
)
from firstcontact.rigid.convex_first import advance_convexes
from firstcontact.scalar.vec3 import scale
from firstcontact.shapes.convex import Convex, convex_at, origin_at

# Pairs from which several threads are worth their start.
WORTH_A_THREAD = 128


def convex_least(a: Side, b: Side, nearness: Nearness, nearest: Nearest) -> None:
    """Find the least distance of each pair, from the times on that are proven already."""

    def task(first: int, last: int) -> None:
        _walk_range(a, b, nearness, nearest, first, last)

    on_ranges(task, len(a.shape_ids), WORTH_A_THREAD)


@driver
def _walk_range(a: Side, b: Side, nearness: Nearness, nearest: Nearest, first: int, last: int) -> None:
    records_a, pool_a, records_b, pool_b = a.table.records, a.table.pool, b.table.records, b.table.pool
    all_rows_a, all_rows_b = a.rows, b.rows
    for k in range(first, last):
        i, j = int(np.int64(a.shape_ids[k])), int(np.int64(b.shape_ids[k]))
        shape_a, shape_b = convex_at(records_a, i), convex_at(records_b, j)
        extent_a = BodyExtent(origin_at(records_a, i), shape_a.reach, shape_a.radius)
        extent_b = BodyExtent(origin_at(records_b, j), shape_b.reach, shape_b.radius)
        rows_a, rows_b = all_rows_a[a.row_ids[k]], all_rows_b[b.row_ids[k]]
        walk = walk_at(nearest, k)
        piece_a, piece_b = number_at(rows_a, walk.at), number_at(rows_b, walk.at)
        while piece_a < len(rows_a) and piece_b < len(rows_b) and walk.state == GOING:
            motion, stretch = stretch_of(extent_a, extent_b, rows_a[piece_a], rows_b[piece_b])
            walk = _walk_through(
                (shape_a, shape_b), (pool_a, pool_b), motion, stretch, nearness, walk, nearest.counts[k]
            )
            piece_a, piece_b = pieces_after(rows_a, rows_b, piece_a, piece_b, stretch.end)
        write_walk(nearest, k, walk)


@kernel
def _walk_through(
    shapes: tuple[Convex, Convex],
    pools: tuple[Array, Array],
    motion: RelativeMotion,
    stretch: Stretch,
    nearness: Nearness,
    walk: Walk,
    counts: NDArray[np.int64],
) -> Walk:
    """Go through a piece of two motions, down to the least distance where it is less than known."""
    start = walk.at
    while walk.state == GOING:
        level, goal = level_goal(walk, stretch, nearness)
        at = walk.at
        if walk.upper < INFINITY:
            if level == 0.0:
                return touched(walk)
            arrival = advance_convexes(shapes[0], shapes[1], pools[0], pools[1], motion, goal, counts)
            if arrival.status == SEPARATED:
                return passed(walk, level, stretch.end)
            if counts[ITERATIONS] >= nearness.max_iterations:
                return exhausted(walk)
            at = arrival.time
        times = at, start, stretch.end
        descent = _descend(shapes, pools, motion, times, nearness, counts)
        walk = descended(walk, level, at, descent, stretch, nearness)
    return walk


@kernel
def _descend(
    shapes: tuple[Convex, Convex],
    pools: tuple[Array, Array],
    motion: RelativeMotion,
    times: tuple[float, float, float],
    nearness: Nearness,
    counts: NDArray[np.int64],
) -> Descent:
    """Go down along time from the first of the times, between the other two."""
    a, b = shapes
    radii, descent = a.radius + b.radius, first_look(times[0], times[1], times[2])
    place = placement_at(motion, times[0])
    frame, simplex = RelativePose(place.rotation, place.offset), no_simplex(scale(-1.0, place.offset))
    while descent.n_left > 0:
        counts[ITERATIONS] += 1
        before, place = frame, placement_at(motion, descent.now)
        frame = RelativePose(place.rotation, place.offset)
        simplex = moved_simplex(simplex, before, frame)
        closest, simplex = closest_from(a, b, pools[0], pools[1], frame, simplex, EXACT)
        distance = max(core_distance(closest) - radii, 0.0)
        # Along the line of the cores' closest points; as the shapes overlap, there is nothing below.
        rate = parting_rate(place, closest.point_a, closest.point_b)
        descent = next_look(descent, distance, rate, worth_a_look(distance, nearness))
    return descent
