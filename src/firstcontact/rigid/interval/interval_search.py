"""First contact by intervals of time, the earliest first: what may touch in one is looked at in its halves.

Over an interval, both trees are traversed from the pairs of nodes that were left of the longer interval that
it is a half of. A pair that stays apart is dropped with all that is below it. One that does not is split, as
long as it is larger than the way that its points go in the interval; else it is left to the halves. So are
triangles that may touch. Where none is left the interval is free. In one so short that nothing goes farther
than a quarter of the tolerance, the distance at its start decides: its start is the answer, or it is free.
"""

from typing import NamedTuple

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
    triangles_touch,
)
from firstcontact.advancement.goal import Goal
from firstcontact.arrays import Array
from firstcontact.bodies.convex_mesh_volume import BoundedShape, triangle_shape
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.placed_triangle import placed_triangle, radius_of, triangle_of
from firstcontact.bounds.swept_sphere import REACH, Volume, volume_of
from firstcontact.hierarchy.pair_key import HALF, LOWER
from firstcontact.motions.relative_motion import Placement, RelativeMotion, placement_at
from firstcontact.narrowphase.triangles.triangle_distance import closest_triangle_triangle
from firstcontact.rigid.interval.convexes_apart import convexes_at, convexes_stay_apart
from firstcontact.rigid.interval.features_apart import triangles_stay_apart
from firstcontact.rigid.interval.placement_range import PlacementRange, placement_range, way_of
from firstcontact.rigid.interval.volumes_apart import blur_of, volumes_stay_apart
from firstcontact.scalar.vec3 import norm, sub

# A pair of nodes is split where it is larger than so many times the way that its points go in the interval.
# With 1 a search of the models of the benchmark takes 2 to 4 times as long, with 16 up to 1.3 times.
BLURRED = 8.0

# Pairs that may be left of an interval before the rest is left to its halves as it is.
MANY = 4_096

# Intervals one in another: a slack is no less than 2**-47, since the tolerance has a floor.
MOST_LEVELS = 64

# Pairs that there is room for at first.
ROOM = 1_024

# What becomes of a pair in an interval: it stays apart, is split, is left to shorter intervals, or touches.
APART, SPLIT, LEFT, TOUCHING = range(4)

Pairs = NDArray[np.int64]


class Fronts(NamedTuple):
    """Room for a search.

    pairs : those that are left of intervals, one after the other
    stack : pairs of nodes that a traversal has still to look at
    times, parts : (MOST_LEVELS, 2) start and end of each interval that is left, and of its part of the pairs
    """

    pairs: Pairs
    stack: Pairs
    times: NDArray[np.float64]
    parts: NDArray[np.int64]


class Look(NamedTuple):
    """An interval of time, and the part of the pairs that may touch in it."""

    start: float
    end: float
    first: int
    last: int


class Front(NamedTuple):
    """What is left of an interval: pairs up to an end, in an array that may have grown; a contact, or -1."""

    pairs: Pairs
    end: int
    contact: int


def fronts_for(depth_a: int, depth_b: int) -> Fronts:
    """Make room for trees of these depths."""
    stack = np.empty(depth_a + depth_b + 2, np.int64)  # a split adds one
    times, parts = np.empty((MOST_LEVELS, 2)), np.empty((MOST_LEVELS, 2), np.int64)
    return Fronts(np.empty(ROOM, np.int64), stack, times, parts)


@kernel
def search_intervals(
    bodies: tuple[Body, Body],
    solid: BoundedShape | None,
    motion: RelativeMotion,
    goal: Goal,
    fronts: Fronts,
    counts: NDArray[np.int64],
) -> Arrival:
    """Find the first contact between goal.start and goal.end of two bodies that have triangles.

    solid : None, or a convex shape in place of the first body, which has a single node with its volume then
    """
    pairs, stack, times, parts = fronts
    pairs[0], n = 0, 1
    # The start is looked at as an interval without length.
    times[0, 0], times[0, 1], parts[0, 0], parts[0, 1] = goal.start, goal.start, 0, 1
    for iteration in range(goal.max_iterations):
        n -= 1
        look = Look(times[n, 0], times[n, 1], parts[n, 0], parts[n, 1])
        front = _front(bodies, solid, motion, goal, (pairs, stack), look, counts)
        pairs = front.pairs
        if front.contact >= 0:
            i, j = front.contact >> HALF, front.contact & LOWER
            p, q = ~bodies[0].children[i, 0], ~bodies[1].children[j, 0]
            if solid is not None:
                return _solid_touch(solid, bodies[1].triangles, q, motion, goal, look.start)
            return triangles_touch(look.start, p, q)
        if iteration == 0 and goal.speed > 0.0:
            times[0, 1], n = goal.end, 1
        if front.end > look.last:
            middle = 0.5 * (look.start + look.end)
            times[n, 0], times[n, 1] = middle, look.end
            times[n + 1, 0], times[n + 1, 1] = look.start, middle
            for k in range(n, n + 2):
                parts[k, 0], parts[k, 1] = look.last, front.end
            n += 2
        if n == 0:
            return not_arrived(SEPARATED, goal.end)
    return not_arrived(MAX_ITERATIONS, times[n - 1, 0])


@kernel
def _solid_touch(
    solid: BoundedShape, triangles: Array, i: int, motion: RelativeMotion, goal: Goal, t: float
) -> Arrival:
    """Contact of a convex shape with a triangle, and where it is."""
    place, other = placement_at(motion, t), triangle_shape(triangles, i)
    guess = sub(triangle_of(triangles, i)[0], place.offset)
    found = convexes_at(place, solid.shape, other, solid.pool, triangles.reshape(-1), goal, guess)
    return Arrival(CONTACT, t, -1, i, found.point_a, found.point_b, found.normal)


@kernel
def _front(
    bodies: tuple[Body, Body],
    solid: BoundedShape | None,
    motion: RelativeMotion,
    goal: Goal,
    room: tuple[Pairs, Pairs],
    look: Look,
    counts: NDArray[np.int64],
) -> Front:
    """Go down from a part of the pairs; what is left of the interval is written behind that part."""
    children_a, volumes_a, triangles_a = bodies[0].children, bodies[0].volumes, bodies[0].triangles
    children_b, volumes_b, triangles_b = bodies[1].children, bodies[1].volumes, bodies[1].triangles
    pairs, stack = room
    over, begin = placement_range(motion, look.start, look.end), placement_at(motion, look.start)
    is_last, n = look.end - look.start <= goal.slack, look.last
    counts[ITERATIONS] += 1
    for k in range(look.first, look.last):
        stack[0], top = pairs[k], 1
        while top > 0:
            top -= 1
            pair = stack[top]
            i, j, outcome = pair >> HALF, pair & LOWER, LEFT
            is_leaf = children_a[i, 0] < 0 and children_b[j, 0] < 0
            if is_last or n - look.last < MANY:
                counts[VOLUME_TESTS] += 1
                halves = volume_of(volumes_a, i), volume_of(volumes_b, j)
                outcome = _volumes(over, halves[0], halves[1], goal.margin, is_last or is_leaf)
                if is_leaf and outcome == SPLIT:
                    counts[TRIANGLE_TESTS] += 1
                    p, q = ~children_a[i, 0], ~children_b[j, 0]
                    if solid is not None:
                        outcome = _solid(over, begin, solid, (triangles_b, q), goal, is_last)
                    else:
                        outcome = _triangles(over, begin, (triangles_a, p), (triangles_b, q), goal, is_last)
            if outcome == TOUCHING:
                return Front(pairs, n, pair)
            if outcome != SPLIT:
                counts[FRONT_NODES] += 1
            if outcome == LEFT:
                if n == len(pairs):
                    pairs = _with_room(pairs)
                pairs[n], n = pair, n + 1
            if outcome == SPLIT:
                is_a = children_b[j, 0] < 0
                if not is_a and children_a[i, 0] >= 0:
                    is_a = volumes_a[i, REACH] > volumes_b[j, REACH]
                for h in range(2):
                    half_a, half_b = children_a[i, h] if is_a else i, j if is_a else children_b[j, h]
                    stack[top + h] = (half_a << HALF) | half_b
                top += 2
    return Front(pairs, n, -1)


@kernel
def _volumes(over: PlacementRange, a: Volume, b: Volume, margin: float, is_pressing: bool) -> int:
    """Tell what becomes of a pair of nodes; one that is pressing is not left to shorter intervals."""
    way = way_of(over, a.center, b.center)
    if volumes_stay_apart(over, way, a, b, margin):
        return APART
    is_large = a.reach + b.reach > BLURRED * blur_of(over, way, a.reach)
    return SPLIT if is_pressing or is_large else LEFT


@kernel
def _triangles(
    over: PlacementRange,
    begin: Placement,
    a: tuple[Array, int],
    b: tuple[Array, int],
    goal: Goal,
    is_last: bool,
) -> int:
    """Tell what becomes of two triangles, one of each array; begin : where bodies are at the start."""
    one, other = triangle_of(a[0], a[1]), triangle_of(b[0], b[1])
    radii = radius_of(a[0], a[1]) + radius_of(b[0], b[1])
    if is_last:
        p, q = closest_triangle_triangle(placed_triangle(begin, one), other)
        return TOUCHING if norm(sub(p, q)) <= goal.target + radii else APART
    return APART if triangles_stay_apart(over, one, other, goal.margin + radii) else LEFT


@kernel
def _solid(
    over: PlacementRange,
    begin: Placement,
    a: BoundedShape,
    b: tuple[Array, int],
    goal: Goal,
    is_last: bool,
) -> int:
    """Tell what becomes of a convex shape and one of an array of triangles."""
    other, corner, pool = triangle_shape(b[0], b[1]), triangle_of(b[0], b[1])[0], b[0].reshape(-1)
    if is_last:
        guess = sub(corner, begin.offset)
        found = convexes_at(begin, a.shape, other, a.pool, pool, goal, guess)
        return APART if found.status == SEPARATED else TOUCHING
    guess = sub(corner, over.place.offset)
    return APART if convexes_stay_apart(over, a.shape, other, a.pool, pool, goal.margin, guess) else LEFT


@kernel
def _with_room(pairs: Pairs) -> Pairs:
    """Return an array of twice the length, with the same pairs in front."""
    more = np.empty(2 * len(pairs), np.int64)
    more[: len(pairs)] = pairs
    return more
