"""First contact of a convex shape and a mesh by conservative advancement, earliest nodes first.

As in best_first.py, with one tree in place of two: every node has a time before which nothing below it can
touch the shape, and the earliest is split, or, if it is a triangle, advanced.
"""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.advancement.arrival import (
    CONTACT,
    FRONT_NODES,
    ITERATIONS,
    MAX_ITERATIONS,
    SEPARATED,
    TRIANGLE_TESTS,
    VOLUME_TESTS,
    Arrival,
    not_arrived,
)
from firstcontact.advancement.goal import Goal
from firstcontact.advancement.queue import Queue, drop_first, push, with_room
from firstcontact.arrays import Array
from firstcontact.bodies.convex_mesh_volume import BoundedShape, triangle_shape, volume_shape
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.placed_triangle import triangle_of
from firstcontact.bounds.swept_sphere import volume_of
from firstcontact.motions.relative_motion import Placement, RelativeMotion, placement_at
from firstcontact.narrowphase.convex.gjk import EXACT, RelativePose, closest_convex_convex, surface_points
from firstcontact.rigid.convex.convex_mesh_steps import is_swept, step_shape_triangle, step_shape_volume
from firstcontact.rigid.mesh_steps import are_apart, step_volumes
from firstcontact.scalar.vec3 import sub
from firstcontact.shapes.convex import SEGMENT, Convex

# An item of the queue is twice the number of a node, and one more if its time comes from the shape itself.
ADVANCED = 1


@kernel
def search_mesh(
    bounded: BoundedShape,
    mesh: Body,
    motion: RelativeMotion,
    goal: Goal,
    queue: Queue,
    counts: NDArray[np.int64],
) -> Arrival:
    """Find the first contact between goal.start and goal.end of a shape and a mesh that has triangles."""
    (shape, pool, volume, rectangle), (times, items) = bounded, queue
    children, volumes, triangles = mesh.children, mesh.volumes, mesh.triangles
    swept, is_round = is_swept(shape, motion), shape.kind <= SEGMENT
    # Not plain numbers: functions are compiled for a constant argument apart.
    n, item, t, n_left = int(np.int64(0)), int(np.int64(ADVANCED)), goal.start, goal.max_iterations
    while n_left > 0:
        while n_left > 0 and n + 2 <= len(times):
            n_left -= 1
            counts[ITERATIONS] += 1
            place, i, time = placement_at(motion, t), item >> 1, t
            if children[i, 0] < 0:
                counts[TRIANGLE_TESTS] += 1
                time = t + step_shape_triangle(shape, pool, triangles, ~children[i, 0], place, goal, swept)
                if not time > t:
                    counts[FRONT_NODES] += n + 1
                    time = min(t, times[0]) if n > 0 else t
                    return _arrived(shape, pool, triangles, ~children[i, 0], place, time)
                counts[FRONT_NODES] += time >= goal.end
            elif item & ADVANCED == 0 and not is_round:
                # The volume around the shape has given it a time; the shape itself gives it a better one.
                node = volume_of(volumes, i)
                other = volume_shape(node, rectangle)
                time = t + step_shape_volume(shape, pool, node, other, rectangle, place, goal.margin)
                item |= ADVANCED
                counts[VOLUME_TESTS] += 1
                counts[FRONT_NODES] += time >= goal.end
            if children[i, 0] >= 0 and not time > t:
                time = goal.end
                # What is farther apart than all speeds together can take it needs no closer look.
                far = goal.margin + goal.speed * (goal.end - t)
                for k in range(2):
                    child, other_time = int(np.int64(children[i, k])), goal.end
                    half = volume_of(volumes, child)
                    if not are_apart(place, volume, half, far):
                        other_time = t + step_volumes(place, volume, half, goal.margin).time
                    other_item, counts[VOLUME_TESTS] = child << 1, counts[VOLUME_TESTS] + 1
                    counts[FRONT_NODES] += other_time >= goal.end
                    # The earlier half goes on, the other one into the queue.
                    if other_time < time:
                        other_time, other_item, time, item = time, item, other_time, other_item
                    if other_time < goal.end:
                        n = push(times, items, n, other_time, other_item)
            if n > 0 and (time >= goal.end or times[0] + goal.slack < time):
                earliest, earliest_item = times[0], int(items[0])
                n = drop_first(times, items, n)
                if time < goal.end:
                    n = push(times, items, n, time, item)
                time, item = earliest, earliest_item
            if time >= goal.end:
                return not_arrived(SEPARATED, goal.end)
            t = time
        times, items = with_room(times, items)
    counts[FRONT_NODES] += n + 1
    return not_arrived(MAX_ITERATIONS, min(t, times[0]) if n > 0 else t)


@kernel
def _arrived(shape: Convex, pool: Array, triangles: Array, i: int, place: Placement, time: float) -> Arrival:
    """Contact with a triangle, and where it is."""
    triangle, frame = triangle_shape(triangles, i), RelativePose(place.rotation, place.offset)
    guess = sub(triangle_of(triangles, i)[0], place.offset)
    closest = closest_convex_convex(shape, triangle, pool, triangles.reshape(-1), frame, guess, EXACT)
    point_a, point_b = surface_points(closest, shape.radius, triangle.radius)
    return Arrival(CONTACT, time, -1, i, point_a, point_b, closest.direction)
