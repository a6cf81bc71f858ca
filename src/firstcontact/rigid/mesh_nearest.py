"""Least distances of two meshes over their motions."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.arrival import ITERATIONS, SEPARATED, TRIANGLE_TESTS
from firstcontact.advancement.descent import Descent, first_look, next_look, parting_rate
from firstcontact.advancement.goal import BodyExtent, motion_rows, pieces_after
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
from firstcontact.advancement.queue import Queue, new_queue
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.placed_triangle import placed_triangle, triangle_of
from firstcontact.motions.relative_motion import RelativeMotion, placement_at
from firstcontact.motions.rigid_motion import number_at
from firstcontact.narrowphase.triangles.triangle_distance import closest_triangle_triangle
from firstcontact.rigid.best_first import search
from firstcontact.rigid.first_times import Batch
from firstcontact.scalar.vec3 import norm, sub

# Motions from which several threads are worth their start.
WORTH_A_THREAD = 8


def mesh_least(batch: Batch, nearness: Nearness, nearest: Nearest) -> None:
    """Find the least distance of two meshes that have triangles, from a distance on that is known."""

    def task(first: int, last: int) -> None:
        _walk_range(batch, nearness, nearest, new_queue(), first, last)

    on_ranges(task, len(nearest.time), WORTH_A_THREAD)


@driver
def _walk_range(
    batch: Batch, nearness: Nearness, nearest: Nearest, queue: Queue, first: int, last: int
) -> None:
    a, b = batch.a, batch.b
    extent_a, extent_b = BodyExtent(a.origin, a.reach, 0.0), BodyExtent(b.origin, b.reach, 0.0)
    for k in range(first, last):
        rows_a, rows_b = motion_rows(batch.rows_a, batch.rows_b, k)
        walk = walk_at(nearest, k)
        i, j = number_at(rows_a, walk.at), number_at(rows_b, walk.at)
        while i < len(rows_a) and j < len(rows_b) and walk.state == GOING:
            motion, stretch = stretch_of(extent_a, extent_b, rows_a[i], rows_b[j])
            walk = _walk_through(a, b, motion, stretch, nearness, walk, (queue, nearest.counts[k]))
            i, j = pieces_after(rows_a, rows_b, i, j, stretch.end)
        write_walk(nearest, k, walk)


@kernel
def _walk_through(
    a: Body,
    b: Body,
    motion: RelativeMotion,
    stretch: Stretch,
    nearness: Nearness,
    walk: Walk,
    work: tuple[Queue, NDArray[np.int64]],
) -> Walk:
    """Go through a piece of two motions, down to the least distance where it is less than known."""
    start, (queue, counts) = walk.at, work
    while walk.state == GOING:
        level, goal = level_goal(walk, stretch, nearness)
        if level == 0.0:
            return touched(walk)
        arrival = search(a, b, motion, goal, queue, counts)
        if arrival.status == SEPARATED:
            return passed(walk, level, stretch.end)
        if counts[ITERATIONS] >= nearness.max_iterations:
            return exhausted(walk)
        pair = arrival.triangle_a, arrival.triangle_b
        times = arrival.time, start, stretch.end
        descent = _descend(a, b, pair, motion, times, nearness, counts)
        walk = descended(walk, level, arrival.time, descent, stretch, nearness)
    return walk


@kernel
def _descend(
    a: Body,
    b: Body,
    pair: tuple[int, int],
    motion: RelativeMotion,
    times: tuple[float, float, float],
    nearness: Nearness,
    counts: NDArray[np.int64],
) -> Descent:
    """Go down along time with a pair of triangles: no other is needed for an upper bound."""
    triangle_a, triangle_b = triangle_of(a.triangles, pair[0]), triangle_of(b.triangles, pair[1])
    descent = first_look(times[0], times[1], times[2])
    while descent.n_left > 0:
        counts[TRIANGLE_TESTS] += 1
        place = placement_at(motion, descent.now)
        p, q = closest_triangle_triangle(placed_triangle(place, triangle_a), triangle_b)
        distance, rate = norm(sub(q, p)), parting_rate(place, p, q)
        descent = next_look(descent, distance, rate, worth_a_look(distance, nearness))
    return descent
