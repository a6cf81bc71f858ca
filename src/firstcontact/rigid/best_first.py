"""First contact by conservative advancement, earliest pairs first.

Every pair of nodes has a time before which what is below it cannot touch. The pair with the earliest is
taken and split, and each half is given a time of its own, by one step of advancement from that of the whole.
A pair of triangles is advanced itself. When the earliest pair is one of triangles within the tolerance of
each other, all other pairs touch later: its time is the answer. So each pair is looked at once, at the time
that matters, and only those are split that may be first.

A branch is followed as long as it is at most the slack behind the earliest: where two large faces meet at
once, all pairs have the same time but for rounding, and would all be split before any is at its triangles.
"""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.advancement.arrival import (
    FRONT_NODES,
    ITERATIONS,
    MAX_ITERATIONS,
    SEPARATED,
    TRIANGLE_TESTS,
    VOLUME_TESTS,
    Arrival,
    not_arrived,
    triangles_touch,
)
from firstcontact.advancement.goal import Goal
from firstcontact.advancement.queue import Queue, drop_first, push, with_room
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.placed_triangle import placed_triangle, radius_of, triangle_of
from firstcontact.bounds.swept_sphere import REACH, volume_of
from firstcontact.hierarchy.pair_key import HALF, LOWER
from firstcontact.motions.relative_motion import RelativeMotion, placement_at
from firstcontact.rigid.mesh_steps import are_apart, step_triangles, step_volumes


@kernel
def search(
    a: Body, b: Body, motion: RelativeMotion, goal: Goal, queue: Queue, counts: NDArray[np.int64]
) -> Arrival:
    """Find the first contact between goal.start and goal.end of two bodies that have triangles."""
    children_a, volumes_a, triangles_a = a.children, a.volumes, a.triangles
    children_b, volumes_b, triangles_b = b.children, b.volumes, b.triangles
    times, pairs = queue
    # Not plain zeros: functions are compiled for a constant argument apart.
    n, i, j, t = int(np.int64(0)), int(np.int64(0)), int(np.int64(0)), goal.start
    n_left = goal.max_iterations
    while n_left > 0:
        # The queue grows outside of the loop that uses it: that made the search 3 to 19 % faster.
        while n_left > 0 and n + 2 <= len(times):
            n_left -= 1
            counts[ITERATIONS] += 1
            place = placement_at(motion, t)
            time, pair = goal.end, (i << HALF) | j
            if children_a[i, 0] < 0 and children_b[j, 0] < 0:
                counts[TRIANGLE_TESTS] += 1
                p, q = ~children_a[i, 0], ~children_b[j, 0]
                triangle_a = placed_triangle(place, triangle_of(triangles_a, p))
                radii = radius_of(triangles_a, p) + radius_of(triangles_b, q)
                step = step_triangles(place, triangle_a, triangle_of(triangles_b, q), goal.margin + radii)
                time = t + step.time
                # A step of no length: the direction was lost to rounding, at a distance of that size.
                if step.distance <= goal.target + radii or time == t:
                    counts[FRONT_NODES] += n + 1
                    return triangles_touch(min(t, times[0]) if n > 0 else t, p, q)
                counts[FRONT_NODES] += time >= goal.end
            else:
                is_a = children_b[j, 0] < 0
                if not is_a and children_a[i, 0] >= 0:
                    is_a = volumes_a[i, REACH] > volumes_b[j, REACH]
                # What is farther apart than all speeds together can take it needs no closer look.
                far = goal.margin + goal.speed * (goal.end - t)
                for k in range(2):
                    half_a, half_b = children_a[i, k] if is_a else i, j if is_a else children_b[j, k]
                    halves, other = (volume_of(volumes_a, half_a), volume_of(volumes_b, half_b)), goal.end
                    if not are_apart(place, halves[0], halves[1], far):
                        other = t + step_volumes(place, halves[0], halves[1], goal.margin).time
                    other_pair = (half_a << HALF) | half_b
                    counts[VOLUME_TESTS] += 1
                    counts[FRONT_NODES] += other >= goal.end
                    # The earlier half goes on, the other one into the queue.
                    if other < time:
                        other, other_pair, time, pair = time, pair, other, other_pair
                    if other < goal.end:
                        n = push(times, pairs, n, other, other_pair)
            if n > 0 and (time >= goal.end or times[0] + goal.slack < time):
                earliest, earliest_pair = times[0], pairs[0]
                n = drop_first(times, pairs, n)
                if time < goal.end:
                    n = push(times, pairs, n, time, pair)
                time, pair = earliest, earliest_pair
            if time >= goal.end:
                return not_arrived(SEPARATED, goal.end)
            t, i, j = time, pair >> HALF, pair & LOWER
        times, pairs = with_room(times, pairs)
    counts[FRONT_NODES] += n + 1
    return not_arrived(MAX_ITERATIONS, min(t, times[0]) if n > 0 else t)
