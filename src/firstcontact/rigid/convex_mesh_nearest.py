"""Least distances of a convex shape, a solid, and a mesh, a surface, over their motions."""

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
from firstcontact.arrays import Array
from firstcontact.bodies.convex_mesh_volume import N_RECTANGLE, BoundedShape, triangle_shape
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.placed_triangle import triangle_of
from firstcontact.bounds.swept_sphere import volume_of
from firstcontact.motions.relative_motion import RelativeMotion, placement_at
from firstcontact.motions.rigid_motion import number_at
from firstcontact.narrowphase.convex.gjk import EXACT, RelativePose, closest_convex_convex, core_distance
from firstcontact.rigid.convex_mesh_first import ConvexMeshBatch
from firstcontact.rigid.convex_mesh_search import search_mesh
from firstcontact.scalar.vec3 import sub
from firstcontact.shapes.convex import Convex, convex_at, origin_at

# Motions from which several threads are worth their start.
WORTH_A_THREAD = 32


def convex_mesh_least(batch: ConvexMeshBatch, nearness: Nearness, nearest: Nearest) -> None:
    """Find the least distance of a shape and a mesh that has triangles, from a distance on that is known."""

    def task(first: int, last: int) -> None:
        _walk_range(batch, nearness, nearest, new_queue(), first, last)

    on_ranges(task, len(nearest.time), WORTH_A_THREAD)


@driver
def _walk_range(
    batch: ConvexMeshBatch, nearness: Nearness, nearest: Nearest, queue: Queue, first: int, last: int
) -> None:
    records, mesh = batch.table.records, batch.mesh
    # Not a plain zero: functions are compiled for a constant argument apart.
    zero = int(np.int64(0))
    shape, rectangle = convex_at(records, zero), np.empty(3 * N_RECTANGLE)
    bounded = BoundedShape(shape, batch.table.pool, volume_of(batch.volumes, zero), rectangle)
    extent_a = BodyExtent(origin_at(records, zero), shape.reach, shape.radius)
    extent_b = BodyExtent(mesh.origin, mesh.reach, 0.0)
    for k in range(first, last):
        rows_a, rows_b = motion_rows(batch.rows_a, batch.rows_b, k)
        walk = walk_at(nearest, k)
        i, j = number_at(rows_a, walk.at), number_at(rows_b, walk.at)
        while i < len(rows_a) and j < len(rows_b) and walk.state == GOING:
            motion, stretch = stretch_of(extent_a, extent_b, rows_a[i], rows_b[j])
            walk = _walk_through(bounded, mesh, motion, stretch, nearness, walk, (queue, nearest.counts[k]))
            i, j = pieces_after(rows_a, rows_b, i, j, stretch.end)
        write_walk(nearest, k, walk)


@kernel
def _walk_through(
    bounded: BoundedShape,
    mesh: Body,
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
        arrival = search_mesh(bounded, mesh, motion, goal, queue, counts)
        if arrival.status == SEPARATED:
            return passed(walk, level, stretch.end)
        if counts[ITERATIONS] >= nearness.max_iterations:
            return exhausted(walk)
        times = arrival.time, start, stretch.end
        of_pair = bounded.shape, bounded.pool, mesh.triangles
        descent = _descend(of_pair, arrival.triangle_b, motion, times, nearness, counts)
        walk = descended(walk, level, arrival.time, descent, stretch, nearness)
    return walk


@kernel
def _descend(
    of_pair: tuple[Convex, Array, Array],
    i: int,
    motion: RelativeMotion,
    times: tuple[float, float, float],
    nearness: Nearness,
    counts: NDArray[np.int64],
) -> Descent:
    """Go down along time with a triangle: no other is needed for an upper bound."""
    shape, pool, triangles = of_pair
    triangle, corners = triangle_shape(triangles, i), triangles.reshape(-1)
    descent = first_look(times[0], times[1], times[2])
    guess = sub(triangle_of(triangles, i)[0], placement_at(motion, times[0]).offset)
    while descent.n_left > 0:
        counts[TRIANGLE_TESTS] += 1
        place = placement_at(motion, descent.now)
        frame = RelativePose(place.rotation, place.offset)
        closest = closest_convex_convex(shape, triangle, pool, corners, frame, guess, EXACT)
        guess, distance = closest.direction, max(core_distance(closest) - shape.radius, 0.0)
        rate = parting_rate(place, closest.point_a, closest.point_b)
        descent = next_look(descent, distance, rate, worth_a_look(distance, nearness))
    return descent
