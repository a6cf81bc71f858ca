"""First contact by controlled conservative advancement, all pairs of nodes together: the published algorithm.

Tang, Kim, Manocha, "C2A: controlled conservative advancement for continuous collision detection of polygonal
models", 2009. Time goes on from one instant to the next, for all pairs at once. At each, both trees are
traversed from their roots as in a search for the distance, nearer halves first, and the pairs where the
traversal stops, the front nodes, are given a step of advancement by Lemmas 1 and 2. The smallest is the step
of all. In the first iterations, as long as no triangles near each other are seen, the traversal stops at
pairs farther apart than a share w of the distance found so far: the steps are shorter, but of far fewer
pairs. A pair whose step leads beyond the end is dropped with all that is below it.

What is different from the text in print:

- Algorithm 1 returns from the first of two halves. Both are visited here.
- It splits the first body's node down to its triangles before the second body's. Here the larger of the two
  is split, as in the distance queries that the authors build on; as printed, there are 14 to 165 times as
  many front nodes.
- The lemmas are for one body that moves. With two, what their turns can add is added.
- Distances are counted from that which is contact on: with a separation, w of the whole could be below it.
- A gap is the width of an empty slab, less what rounding may hide, and a step is rounded down: so no time is
  late. The slab between two volumes is that of nearly closest points.
"""

from typing import NamedTuple

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
from firstcontact.arrays import INFINITY
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.placed_triangle import placed_triangle, radius_of, triangle_of
from firstcontact.bounds.swept_sphere import REACH, volume_of
from firstcontact.hierarchy.pair_key import HALF, LOWER
from firstcontact.motions.relative_motion import Placement, RelativeMotion, placement_at
from firstcontact.rigid.lemma_steps import lemma_step_triangles, lemma_step_volumes

# Shares w of the distance at which a traversal stops: with control, and without. The paper has 0.3 to 0.5;
# with 0.3 there are as many front nodes or up to 1.3 times as many, since there are more iterations.
CONTROL, NO_CONTROL = 0.5, 1.0

# Control ends after this many iterations, lest a long slide along a surface take twice as many. The paper
# names no number. On models of the benchmark, 12 has 1.1 to 1.6 times as many front nodes, 5 has 1.3 to 2.7.
R_MAX = 32

# And it ends below this distance, in units of the smaller body's reach; in the paper it has no number either.
# Ten times as much is worth 0.9 to 1.2 times as many front nodes.
D_THRESHOLD = 1e-3


class Stack(NamedTuple):
    """Pairs of nodes that are left to a traversal, how far apart each is, and until when it cannot touch."""

    pairs: NDArray[np.int64]
    gaps: NDArray[np.float64]
    until: NDArray[np.float64]


class TraversedInstant(NamedTuple):
    """A time, the bodies' placement, the share w of the distance at which to stop, and how near it ends."""

    t: float
    place: Placement
    w: float
    near: float


class Traversal(NamedTuple):
    """What a traversal found.

    distance : smallest of the triangles that were looked at
    time : no pair touches before
    contact : a pair of leaves in contact, or -1
    """

    distance: float
    time: float
    contact: int


@kernel
def advance(
    a: Body, b: Body, motion: RelativeMotion, goal: Goal, stack: Stack, counts: NDArray[np.int64], w: float
) -> Arrival:
    """Find the first contact between goal.start and goal.end of two bodies that have triangles."""
    near, t = D_THRESHOLD * min(a.reach, b.reach), goal.start
    for iteration in range(goal.max_iterations):
        counts[ITERATIONS] += 1
        instant = TraversedInstant(t, placement_at(motion, t), w if iteration < R_MAX else NO_CONTROL, near)
        found = _traverse(a, b, instant, goal, stack, counts)
        if found.contact >= 0:
            i, j = found.contact >> HALF, found.contact & LOWER
            return triangles_touch(t, ~a.children[i, 0], ~b.children[j, 0])
        if found.time >= goal.end:
            return not_arrived(SEPARATED, goal.end)
        t = found.time
    return not_arrived(MAX_ITERATIONS, t)


def stack_for(depth_a: int, depth_b: int) -> Stack:
    """Make room for a traversal of trees of these depths."""
    room = depth_a + depth_b + 2  # a split adds one
    return Stack(np.empty(room, np.int64), np.empty(room), np.empty(room))


@kernel
def _traverse(
    a: Body, b: Body, instant: TraversedInstant, goal: Goal, stack: Stack, counts: NDArray[np.int64]
) -> Traversal:
    """Traverse both trees at an instant, from their roots on."""
    # Plain arrays in one loop: with its parts in functions of the bodies it took 1.4 times as long.
    children_a, volumes_a, triangles_a = a.children, a.volumes, a.triangles
    children_b, volumes_b, triangles_b = b.children, b.volumes, b.triangles
    t, place, margin, (pairs, gaps, until) = instant.t, instant.place, goal.margin, stack
    distance, first, top = INFINITY, goal.end, 1
    step = lemma_step_volumes(place, volume_of(volumes_a, 0), volume_of(volumes_b, 0), margin)
    pairs[0], gaps[0], until[0] = 0, step.distance, t + step.time
    counts[VOLUME_TESTS] += 1
    counts[FRONT_NODES] += 1
    while top > 0:
        top -= 1
        pair, gap, time = pairs[top], gaps[top], until[top]
        if time >= goal.end:
            continue
        w = instant.w if distance - margin >= instant.near else NO_CONTROL
        i, j, is_near = pair >> HALF, pair & LOWER, gap - margin < w * (distance - margin)
        if is_near and (children_a[i, 0] >= 0 or children_b[j, 0] >= 0):
            is_a = children_b[j, 0] < 0
            if not is_a and children_a[i, 0] >= 0:
                is_a = volumes_a[i, REACH] > volumes_b[j, REACH]
            for h in range(2):
                half_a, half_b = children_a[i, h] if is_a else i, j if is_a else children_b[j, h]
                halves = volume_of(volumes_a, half_a), volume_of(volumes_b, half_b)
                step = lemma_step_volumes(place, halves[0], halves[1], margin)
                pairs[top + h], gaps[top + h] = (half_a << HALF) | half_b, step.distance
                until[top + h] = t + step.time
            _put_nearer_on_top(stack, top)
            counts[VOLUME_TESTS] += 2
            counts[FRONT_NODES] += 1  # two for one
            top += 2
            continue
        if is_near:
            counts[TRIANGLE_TESTS] += 1
            triangle_a = placed_triangle(place, triangle_of(triangles_a, ~children_a[i, 0]))
            triangle_b = triangle_of(triangles_b, ~children_b[j, 0])
            radii = radius_of(triangles_a, ~children_a[i, 0]) + radius_of(triangles_b, ~children_b[j, 0])
            step = lemma_step_triangles(place, triangle_a, triangle_b, margin + radii)
            time = max(time, t + step.time)
            # A step of no length: the direction was lost to rounding, at a distance of that size.
            if step.distance <= goal.target + radii or time <= t:
                return Traversal(step.distance - radii, t, pair)
            distance = min(distance, step.distance - radii)
        first = min(first, time)
    return Traversal(distance, first, -1)


@kernel
def _put_nearer_on_top(stack: Stack, i: int) -> None:
    pairs, gaps, until = stack
    if gaps[i] < gaps[i + 1]:
        pairs[i], pairs[i + 1] = pairs[i + 1], pairs[i]
        gaps[i], gaps[i + 1] = gaps[i + 1], gaps[i]
        until[i], until[i + 1] = until[i + 1], until[i]
