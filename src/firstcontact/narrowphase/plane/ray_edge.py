"""When a ray of the plane meets an edge: whether it does is decided exactly, the time is right to rounding.

A ray is o + t d. Its line passes between the ends a and b of an edge where d x (a - o) and d x (b - o) have
different signs, or one of them is zero: edges that share a point agree on its sign, so nothing slips through
between them. Whether that is ahead of the origin is the side of the edge on which the origin is. The time is
((a - o) . d d x (b - o) - (b - o) . d d x (a - o)) / (d x (b - a) d . d), in numbers of twice the precision.
"""

from math import sqrt

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.narrowphase.plane.turn import TURN_ERROR, TURN_UNDERFLOW, Edge2, Vec2, turn_sign
from firstcontact.scalar.double_double import (
    DoubleDouble,
    dd_add,
    dd_det2,
    dd_mul,
    dd_sub,
    two_product,
    two_sum,
)
from firstcontact.scalar.expansion import determinant_sign

# The least time that is not zero: of what is ahead, or behind, by less.
LEAST = 2.0**-800


@kernel
def side_of_ray(o: Vec2, d: Vec2, p: Vec2, room: Array) -> int:
    """Whether a point is to the left of a ray's line, 1, to its right, -1, or on it, 0: exactly."""
    left, right = d[0] * (p[1] - o[1]), d[1] * (p[0] - o[0])
    off = TURN_ERROR * (abs(left) + abs(right)) + TURN_UNDERFLOW
    if left - right > off:
        return 1
    if right - left > off:
        return -1
    return determinant_sign(room, (d[0], 0.0), two_sum(p[1], -o[1]), (d[1], 0.0), two_sum(p[0], -o[0]))


@kernel
def times_of_edge(o: Vec2, d: Vec2, e: Edge2, room: Array) -> Vec2:
    """From when to when a ray's line is on an edge: one time but for an edge along it; infinite for never.

    d : its longer coordinate between 1/2 and 1
    """
    a, b = e
    a_side, b_side = side_of_ray(o, d, a, room), side_of_ray(o, d, b, room)
    if a_side * b_side > 0:
        return INFINITY, INFINITY
    if a_side == 0 and b_side == 0:
        s, t = _time_of_point(o, d, a), _time_of_point(o, d, b)
        return min(s, t), max(s, t)
    sign = turn_sign(a, b, o, room) * (1 if b_side > a_side else -1)
    if sign == 0:
        return 0.0, 0.0
    if a_side == 0 or b_side == 0:  # at a point: the same for all edges that have it
        t = _time_of_point(o, d, b if b_side == 0 else a)
    else:
        u, v = _across(o, d, a), _across(o, d, b)
        over = dd_det2(_along(o, d, a), v, _along(o, d, b), u)
        under = dd_mul(dd_sub(v, u), _squared(d))
        t = over[0] / under[0] if under[0] != 0.0 else 0.0
    return (max(t, LEAST), max(t, LEAST)) if sign > 0 else (min(t, -LEAST), min(t, -LEAST))


@kernel
def normal_of_edge(o: Vec2, d: Vec2, e: Edge2, turn: float, room: Array) -> Vec2:
    """The unit normal where a ray meets an edge: out of what is filled, else to where the ray comes from.

    turn : 1 where the inside is to the left of the edge, -1 to the right, 0 where there is none
    """
    a, b = e
    if side_of_ray(o, d, a, room) == 0 and side_of_ray(o, d, b, room) == 0:
        x, y = -d[0], -d[1]  # along the ray: it meets an end
    elif turn == 0.0:
        x, y = b[1] - a[1], a[0] - b[0]
        if side_of_ray(o, d, b, room) > side_of_ray(o, d, a, room):
            x, y = -x, -y
    else:
        x, y = turn * (b[1] - a[1]), turn * (a[0] - b[0])
    size = max(abs(x), abs(y))
    x, y = x / size, y / size
    length = sqrt(x * x + y * y)
    return x / length + 0.0, y / length + 0.0


@kernel
def _time_of_point(o: Vec2, d: Vec2, p: Vec2) -> float:
    """When a ray is at a point of its line."""
    over, under = _along(o, d, p), _squared(d)
    return over[0] / under[0]


@kernel
def _along(o: Vec2, d: Vec2, p: Vec2) -> DoubleDouble:
    """How far a point is along a ray, times the length of its direction."""
    return dd_add(
        dd_mul((d[0], 0.0), two_sum(p[0], -o[0])),
        dd_mul((d[1], 0.0), two_sum(p[1], -o[1])),
    )


@kernel
def _across(o: Vec2, d: Vec2, p: Vec2) -> DoubleDouble:
    """How far a point is to the left of a ray's line, times the length of its direction."""
    return dd_det2((d[0], 0.0), two_sum(p[1], -o[1]), (d[1], 0.0), two_sum(p[0], -o[0]))


@kernel
def _squared(d: Vec2) -> DoubleDouble:
    return dd_add(two_product(d[0], d[0]), two_product(d[1], d[1]))
