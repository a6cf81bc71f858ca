"""First contact by controlled conservative advancement, all pairs of nodes together: the published algorithm.

Tang, Kim, Manocha, "C2A: controlled conservative advancement for continuous collision detection of polygonal
models", 2009. Time goes on from one instant to the next, for all pairs at once. At each, both trees are
traversed as in a search for the distance, nearer halves first, and the pairs where the traversal stops are
given a step of advancement. The smallest is the step of all. As long as the instants are the first ones and
the bodies are not yet near, the traversal stops at pairs farther apart than a share w of the distance found
so far: the steps are shorter, but of far fewer pairs.

What is different from the text in print:

- Algorithm 1 returns from the first of two halves. Both are visited here.
- Distances are counted from that which is contact on: with a separation, w of the whole could be below it.
- The steps are those of `rigid.steps`, sharper than Lemmas 1 and 2 and the same as in `rigid.best_first`.
- A traversal starts from the front of the last, not from the roots. A front pair keeps the time that its step
  led to, and is not looked at before that is among the earliest. With control, that is 2 to 4 times fewer
  tests of volumes where bodies collide, but 1 to 2.5 times more where they do not; without, 1 to 1.6 times
  more. The reason: as time goes by fronts shrink, because larger and larger pairs are far enough apart, or
  stay apart to the end. To look at the whole front again takes more tests yet.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.bounds.swept_sphere import REACH, volume_of
from firstcontact.hierarchy.pair_key import HALF, LOWER
from firstcontact.motions.relative_motion import Placement, RelativeMotion, placement_at
from firstcontact.proximity.body import Body
from firstcontact.proximity.placed_triangle import placed_triangle, triangle_of
from firstcontact.rigid.queue import new_queue, with_room
from firstcontact.rigid.request import (
    CONTACT,
    FRONT_NODES,
    ITERATIONS,
    MAX_ITERATIONS,
    SEPARATED,
    TRIANGLE_TESTS,
    VOLUME_TESTS,
    Arrival,
    Goal,
)
from firstcontact.rigid.steps import step_triangles, step_volumes

INFINITY = np.inf

# Shares w of the distance at which a traversal stops: with control, and without. From 0.3 to 0.5, the range
# of the paper, all cost the same to within a tenth; the larger w, the fewer iterations.
CONTROL, NO_CONTROL = 0.5, 1.0

# Control ends after this many iterations, lest a long slide along a surface take twice as many. Where bodies
# collide, each iteration without it costs as much as several with it: on the models of the benchmark, a limit
# of 4 cost four times as much, one of 16 a sixth more.
R_MAX = 32

# And it ends below this distance, in units of the smaller body's reach: closer to contact, steps of the whole
# distance converge in a few iterations. Four times as much cost a tenth more, a fifth as much saved nothing.
D_THRESHOLD = 1e-3


class Front(NamedTuple):
    """Pairs where a traversal stopped, n of them, and times before which each cannot touch."""

    times: NDArray[np.float64]
    pairs: NDArray[np.int64]
    n: int


class Instant(NamedTuple):
    """A time, the bodies' placement, and the share w of the distance at which to stop."""

    t: float
    place: Placement
    w: float


class Traversal(NamedTuple):
    """What a traversal found.

    distance : smallest of triangles that may touch before the end
    time : no pair touches before
    contact : a pair of leaves in contact, or -1
    front : where the traversal stopped; the pair of leaves with that distance comes first
    """

    distance: float
    time: float
    contact: int
    front: Front


@kernel
def advance(
    a: Body, b: Body, motion: RelativeMotion, goal: Goal, counts: NDArray[np.int64], w: float
) -> Arrival:
    """Find the first contact between goal.start and goal.end of two bodies that have triangles."""
    times, pairs = new_queue()
    times[0], pairs[0] = goal.start, 0
    found = Traversal(INFINITY, goal.start, -1, Front(times, pairs, 1))
    times, pairs = new_queue()
    spare, near = Front(times, pairs, 0), D_THRESHOLD * min(a.reach, b.reach)
    for iteration in range(goal.max_iterations):
        counts[ITERATIONS] += 1
        t, front = found.time, found.front
        is_controlled = iteration < R_MAX and found.distance - goal.margin >= near
        instant = Instant(t, placement_at(motion, t), w if is_controlled else NO_CONTROL)
        found = _traverse(a, b, instant, goal, front, spare, counts)
        if found.contact >= 0:
            i, j = found.contact >> HALF, found.contact & LOWER
            return Arrival(CONTACT, t, ~a.children[i, 0], ~b.children[j, 0])
        if found.front.n == 0:
            return Arrival(SEPARATED, goal.end, -1, -1)
        spare = front
    return Arrival(MAX_ITERATIONS, found.time, -1, -1)


@kernel
def _traverse(
    a: Body, b: Body, instant: Instant, goal: Goal, last: Front, spare: Front, counts: NDArray[np.int64]
) -> Traversal:
    """Traverse both trees at an instant, from the last front on; the new one is put where `spare` is."""
    # Plain arrays in one loop: with its parts in functions of the bodies it took 1.4 times as long.
    children_a, volumes_a, triangles_a = a.children, a.volumes, a.triangles
    children_b, volumes_b, triangles_b = b.children, b.volumes, b.triangles
    t, place, w, margin = instant.t, instant.place, instant.w, goal.margin
    times, pairs, n, nearest = spare.times, spare.pairs, 0, 0
    distance, first, k, top = INFINITY, goal.end, 0, 0
    room = a.depth + b.depth + 2  # a split adds one to the stack
    stack, gaps, until = np.empty(room, np.int64), np.empty(room), np.empty(room)
    while k < last.n or top > 0:
        # Not in the loop below, which would take twice as long if its arrays could change.
        if n == len(times):
            times, pairs = with_room(times, pairs)
        while n < len(times) and (k < last.n or top > 0):
            if top == 0:
                stack[0], gaps[0], until[0], top, k = last.pairs[k], INFINITY, last.times[k], 1, k + 1
                if until[0] < first:  # else another pair may touch before, and this one stays as it is
                    i, j = stack[0] >> HALF, stack[0] & LOWER
                    step = step_volumes(place, volume_of(volumes_a, i), volume_of(volumes_b, j), margin)
                    gaps[0], until[0] = step.distance, t + step.time
                    counts[VOLUME_TESTS] += 1
                    counts[FRONT_NODES] += 1
            top -= 1
            pair, gap, time = stack[top], gaps[top], until[top]
            if time >= goal.end:
                continue
            i, j, is_near = pair >> HALF, pair & LOWER, gap - margin < w * (distance - margin)
            if is_near and (children_a[i, 0] >= 0 or children_b[j, 0] >= 0):
                is_a = children_b[j, 0] < 0
                if not is_a and children_a[i, 0] >= 0:
                    is_a = volumes_a[i, REACH] > volumes_b[j, REACH]
                for h in range(2):
                    half_a, half_b = children_a[i, h] if is_a else i, j if is_a else children_b[j, h]
                    halves = volume_of(volumes_a, half_a), volume_of(volumes_b, half_b)
                    step = step_volumes(place, halves[0], halves[1], margin)
                    stack[top + h], gaps[top + h] = (half_a << HALF) | half_b, step.distance
                    until[top + h] = t + step.time
                _put_nearer_on_top(stack, gaps, until, top)
                counts[VOLUME_TESTS] += 2
                counts[FRONT_NODES] += 1  # two for one
                top += 2
                continue
            if is_near:
                counts[TRIANGLE_TESTS] += 1
                triangle_a = placed_triangle(place, triangle_of(triangles_a, ~children_a[i, 0]))
                step = step_triangles(place, triangle_a, triangle_of(triangles_b, ~children_b[j, 0]), margin)
                time = max(time, t + step.time)
                # A step of no length: the direction was lost to rounding, at a distance of that size.
                if step.distance <= goal.target or time <= t:
                    return Traversal(step.distance, t, pair, last)
                if time >= goal.end:
                    continue
                if step.distance < distance:
                    distance, nearest = step.distance, n
            times[n], pairs[n], n, first = time, pair, n + 1, min(first, time)
    if n > 0:
        times[0], times[nearest] = times[nearest], times[0]
        pairs[0], pairs[nearest] = pairs[nearest], pairs[0]
    return Traversal(distance, first, -1, Front(times, pairs, n))


@kernel
def _put_nearer_on_top(
    stack: NDArray[np.int64], gaps: NDArray[np.float64], until: NDArray[np.float64], i: int
) -> None:
    if gaps[i] < gaps[i + 1]:
        stack[i], stack[i + 1] = stack[i + 1], stack[i]
        gaps[i], gaps[i + 1] = gaps[i + 1], gaps[i]
        until[i], until[i + 1] = until[i + 1], until[i]
