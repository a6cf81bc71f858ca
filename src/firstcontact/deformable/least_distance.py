"""The least distance over a time in which the corners of triangles go straight: branch and bound.

Pairs of nodes and stretches of time are divided until their boxes keep farther apart than a level: the least
distance seen, less the tolerance. Two triangles are seen at the middle of a stretch: along the direction in
which they are closest then, their gap is a concave function of time, and least at an end of the stretch.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.bodies.convex_mesh_volume import triangle_shape
from firstcontact.bodies.placed_triangle import N_TRIANGLE
from firstcontact.deformable.moving_tree import MovingTree, boxes_apart, size_of_node, triangle_at
from firstcontact.narrowphase.convex.gjk import EXACT, RelativePose, closest_convex_convex
from firstcontact.narrowphase.triangles.triangle_distance import closest_triangle_triangle
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.vec3 import Triangle, Vec3, dot, norm, scale, sub
from firstcontact.shapes.convex import ConvexTable, convex_at
from firstcontact.shapes.cores import support

# Halvings of a stretch of time, at the most, and the shortest one that is halved.
MAX_HALVINGS = 64
SHORTEST_SPAN = 2.0**-60


class Stack(NamedTuple):
    """Pairs of nodes (n, 2) and stretches of time (n, 2) that wait, and how near the boxes come."""

    nodes: NDArray[np.int64]
    spans: Array
    gaps: Array


class Bound(NamedTuple):
    """How well to know: a part of the distance, and a length; what is hidden of any distance that is seen.

    is_rough : whether to give up, with a lower bound of -1, where what is hidden stands in the way
    """

    part: float
    length: float
    hidden: float
    is_rough: bool = False


class Least(NamedTuple):
    """What is known so far.

    upper, time : a distance that is no less than the least, and when, from 0 to 1 of this step; nan where it
        was in another
    lower : up to now, no pair is nearer; -1 where a rough search gave up
    n_left : how many more pairs of nodes may be looked at; -1 where there would have been more
    n_pairs : pairs of triangles that were measured
    """

    upper: float
    time: float
    lower: float
    n_left: int
    n_pairs: int


class Seen(NamedTuple):
    """Two triangles at a time: their distance, and a lower bound of it over a stretch of time."""

    distance: float
    lower: float


def least_in_step(
    a: MovingTree,
    b: MovingTree,
    table: ConvexTable | None,
    span: tuple[float, float],
    bound: Bound,
    known: Least,
) -> Least:
    """Find how near two trees come between two times, of 0 to 1; b stands for a convex shape if there is one.

    With a span of no length, the least distance at an instant, of which nothing else is proven.
    """
    return Least(*_search(a, b, table, span, bound, known))


@driver
def _search(
    a: MovingTree,
    b: MovingTree,
    table: ConvexTable | None,
    span: tuple[float, float],
    bound: Bound,
    known: Least,
) -> tuple[float, float, float, int, int]:
    found = _searched(a, b, table, span, bound, known)
    return found.upper, found.time, found.lower, found.n_left, found.n_pairs


@kernel
def _searched(
    a: MovingTree,
    b: MovingTree,
    table: ConvexTable | None,
    span: tuple[float, float],
    bound: Bound,
    known: Least,
) -> Least:
    """Divide what is nearest first, until all keeps above the level."""
    upper, time, lower, n_left, n_pairs = known
    room = a.depth + b.depth + MAX_HALVINGS + 4
    stack = Stack(np.empty((room, 2), np.int64), np.empty((room, 2)), np.empty(room))
    nodes, spans, gaps = stack
    corners = np.zeros((1, N_TRIANGLE))
    nodes[0, 0], nodes[0, 1], spans[0, 0], spans[0, 1], gaps[0], n = 0, 0, span[0], span[1], 0.0, 1
    is_instant = span[0] == span[1]
    while n > 0 and lower > 0.0:
        n -= 1
        level = upper if is_instant else _level(upper, bound)
        if gaps[n] - bound.hidden >= level:
            lower = min(lower, level)
            continue
        if n_left <= 0:
            return Least(upper, time, 0.0, int(np.int64(-1)), n_pairs)
        n_left -= 1
        i, j = int(np.int64(nodes[n, 0])), int(np.int64(nodes[n, 1]))
        s, e = spans[n, 0], spans[n, 1]
        m = 0.5 * (s + e)
        is_leaf_a, is_leaf_b = a.children[i, 0] < 0, b.children[j, 0] < 0
        if is_leaf_a and is_leaf_b:
            n_pairs += 1
            seen = _seen(a, int(~a.children[i, 0]), b, int(~b.children[j, 0]), table, (s, e), corners)
            if seen.distance + bound.hidden < upper:
                upper, time = seen.distance + bound.hidden, m
                level = upper if is_instant else _level(upper, bound)
            if is_instant:
                continue
            if seen.lower - bound.hidden >= level:
                lower = min(lower, level)
                continue
            if bound.is_rough and seen.distance - bound.hidden < level:
                return Least(upper, time, -1.0, n_left, n_pairs)
            if level <= 0.0 or not (e - s > SHORTEST_SPAN and s < m < e):
                lower = min(lower, max(seen.lower - bound.hidden, 0.0))
                continue
        n = _divided(a, b, (i, j), (s, e), stack, n)
    return Least(upper, time, lower, n_left, n_pairs)


@kernel
def _level(upper: float, bound: Bound) -> float:
    """What is to be proven: the least distance seen, less the tolerance."""
    return max(upper - max(bound.part * upper, bound.length), 0.0)


@kernel
def _divided(
    a: MovingTree, b: MovingTree, pair: tuple[int, int], span: tuple[float, float], stack: Stack, n: int
) -> int:
    """Put two halves on the stack, the nearer one last: of the time, or of the larger node."""
    (i, j), (s, e), (nodes, spans, gaps) = pair, span, stack
    is_leaf_a, is_leaf_b = a.children[i, 0] < 0, b.children[j, 0] < 0
    size_a, size_b = size_of_node(a, i), size_of_node(b, j)
    m, change = 0.5 * (s + e), boxes_apart(a, i, b, j, span)[1]
    # As long as all goes farther than the boxes are large, smaller ones would say no more; nor would shorter
    # times of what goes less far than the larger box.
    is_time = (
        e - s > SHORTEST_SPAN and s < m < e and (change > max(size_a, size_b) or (is_leaf_a and is_leaf_b))
    )
    is_a = not is_time and not is_leaf_a and (size_a >= size_b or is_leaf_b)
    for k in range(2):
        x = int(np.int64(a.children[i, k])) if is_a else i
        y = j if is_time or is_a else int(np.int64(b.children[j, k]))
        begin, end = (m if k == 1 and is_time else s), (m if k == 0 and is_time else e)
        gap = boxes_apart(a, x, b, y, (begin, end))[0]
        at = n + k
        if k == 1 and gap > gaps[n]:
            nodes[n + 1, 0], nodes[n + 1, 1] = nodes[n, 0], nodes[n, 1]
            spans[n + 1, 0], spans[n + 1, 1], gaps[n + 1] = spans[n, 0], spans[n, 1], gaps[n]
            at = n
        nodes[at, 0], nodes[at, 1], spans[at, 0], spans[at, 1], gaps[at] = x, y, begin, end, gap
    return n + 2


@kernel
def _seen(
    a: MovingTree,
    i: int,
    b: MovingTree,
    j: int,
    table: ConvexTable | None,
    span: tuple[float, float],
    corners: Array,
) -> Seen:
    """Measure a pair in the middle of a stretch; along the direction of that, its gap is least at an end."""
    m, radii = 0.5 * (span[0] + span[1]), a.radii[i] + b.radii[j]
    one = triangle_at(a, i, m)
    if table is None:
        other = triangle_at(b, j, m)
        p, q = closest_triangle_triangle(one, other)
        e = sub(q, p)
        distance = norm(e)
        if not distance > SHORTEST:
            return Seen(0.0, 0.0)
        n, lower = scale(1.0 / distance, e), INFINITY
        for k in range(2):
            front = _least_along(triangle_at(b, j, span[k]), n)
            lower = min(lower, front + _least_along(triangle_at(a, i, span[k]), scale(-1.0, n)))
        return Seen(max(distance - radii, 0.0), lower - radii)
    for k in range(3):
        corners[0, k], corners[0, 3 + k], corners[0, 6 + k] = one[0][k], one[1][k], one[2][k]
    zero = int(np.int64(0))  # not a plain zero: functions are compiled for a constant argument apart
    shape, triangle, pool = convex_at(table.records, zero), triangle_shape(corners, zero), table.pool
    guess, rest = one[0], RelativePose((1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    found = closest_convex_convex(shape, triangle, pool, corners.reshape(-1), rest, guess, EXACT)
    distance = max(found.distance - shape.radius - radii, 0.0)
    n = found.direction
    front = dot(n, support(shape, pool, n)) + shape.radius + radii
    behind = min(_least_along(triangle_at(a, i, span[0]), n), _least_along(triangle_at(a, i, span[1]), n))
    return Seen(distance, behind - front)


@kernel
def _least_along(t: Triangle, n: Vec3) -> float:
    return min(min(dot(n, t[0]), dot(n, t[1])), dot(n, t[2]))
