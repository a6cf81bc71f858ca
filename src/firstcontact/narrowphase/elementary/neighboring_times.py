"""The doubles on both sides of the first time of contact, in double-double arithmetic.

Given a bracket of the first contact, a secant finds two neighbouring doubles in it between which a function
changes its sign, and certificates prove that the first time is strictly between these. What has none is left
to integers.

- Where points touch, it is the coplanarity cubic, whose signs at both doubles are certain. If its slope has
  one sign throughout the bracket, it has one root there; a contact is at a root, so that is the contact.
- With a separation it is the distance. At the later double, two points of both sides are nearer than the
  separation. At the earlier one, the gap between all points of both sides along one direction is larger; and
  so it is where the bracket begins, which is enough: along a fixed direction each gap of two vertices is
  linear in time, and the least of them is not less between two times than at one of these.

All numbers are in one array, its `room`, as in the refinement.
"""

from math import nextafter, sqrt

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import INFINITY, Array, Flags
from firstcontact.narrowphase.elementary.elementary_stages import points_of
from firstcontact.narrowphase.elementary.moving_quad import Quadruple, moving_quad
from firstcontact.narrowphase.elementary.refinement import (
    exact_vectors,
    get,
    put,
    put_cubic,
    refinement_errors,
)
from firstcontact.narrowphase.triangles.closest_points import contact_weights
from firstcontact.scalar.double_double import (
    DoubleDouble,
    dd_add,
    dd_mul,
    dd_sub,
    two_product,
    two_sum,
)
from firstcontact.scalar.error_bounds import REFINED_GAP, UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Triangle

Bracket = tuple[float, float]

# Numbers of the room, of two doubles each: vectors from the fourth point to the others at both ends of the
# motion, and at a time, with the fourth itself; a vector between two features, two along them, and the vector
# between their closest points; the weights along the two. Or thrice the coefficients of the cubic.
ENDS, POINTS, BASE, ALONG, OFFSET, WEIGHTS = 0, 18, 30, 33, 39, 42
CUBIC = POINTS
ROOM_SIZE = 2 * 44

# Smaller separations have squares whose squares lose digits to underflow.
SMALLEST_SEPARATION = 2.0**-200

# Weights of closest points that are this near an end are not taken for those of an edge or a face.
SMALLEST_WEIGHT = 2.0**-30

# Times tried; and corrections of closest points, each of which doubles the digits that are right.
MAX_TIMES, CORRECTIONS = 16, 2


# Slope of the cubic, and the change of it, by rounded coefficients, in units of the largest: 60 u and 72 u.
SLOPE = 128.0 * UNIT_ROUNDOFF


@kernel
def cubic_value(room: Array, t: float) -> float:
    """Thrice the value of the cubic at a time, by de Casteljau's construction."""
    s = two_sum(1.0, -t)
    b = [get(room, CUBIC), get(room, CUBIC + 1), get(room, CUBIC + 2), get(room, CUBIC + 3)]
    for n in range(3, 0, -1):
        for i in range(n):
            b[i] = dd_add(dd_mul(s, b[i]), dd_mul((t, 0.0), b[i + 1]))
    return float(b[0][0])


@kernel
def has_one_slope(room: Array, lower: float, upper: float, error: float) -> bool:
    """Has the slope of the cubic one sign between two times? Its coefficients are off by the error each."""
    b0, b1, b2, b3 = (room[2 * CUBIC], room[2 * CUBIC + 2], room[2 * CUBIC + 4], room[2 * CUBIC + 6])
    size = max(max(abs(b0), abs(b1)), max(abs(b2), abs(b3)))
    unsure = SLOPE * size + 32.0 * error
    bend = 6.0 * max(abs(b0 - 2.0 * b1 + b2), abs(b1 - 2.0 * b2 + b3)) + unsure
    t = 0.5 * (lower + upper)
    s = 1.0 - t
    slope = 3.0 * (s * s * (b1 - b0) + 2.0 * s * t * (b2 - b1) + t * t * (b3 - b2))
    return bool(abs(slope) > unsure + bend * (upper - lower))


@kernel
def put_points(room: Array, t: float) -> None:
    """Set the four points at a time, as seen from the fourth."""
    s = two_sum(1.0, -t)
    for i in range(9):
        at_start, at_end = dd_mul(s, get(room, ENDS + i)), dd_mul((t, 0.0), get(room, ENDS + 9 + i))
        put(room, POINTS + i, dd_add(at_start, at_end))
    for k in range(3):
        put(room, POINTS + 9 + k, (0.0, 0.0))


@kernel
def put_difference(room: Array, i: int, j: int, at: int) -> None:
    """Set a vector from point j to point i."""
    for k in range(3):
        put(room, at + k, dd_sub(get(room, POINTS + 3 * i + k), get(room, POINTS + 3 * j + k)))


@kernel
def dot_in(room: Array, i: int, j: int) -> DoubleDouble:
    """Scalar product of two vectors of the room."""
    total = (0.0, 0.0)
    for k in range(3):
        total = dd_add(total, dd_mul(get(room, i + k), get(room, j + k)))
    return total


@kernel
def rounded_points(room: Array) -> Triangle:
    """Three of the points, as seen from the fourth."""
    p = POINTS
    return (
        (room[2 * p], room[2 * p + 2], room[2 * p + 4]),
        (room[2 * p + 6], room[2 * p + 8], room[2 * p + 10]),
        (room[2 * p + 12], room[2 * p + 14], room[2 * p + 16]),
    )


@kernel
def put_features(room: Array, is_edge_edge: bool) -> int:
    """Set what the closest points of both sides are on, as vectors and weights; give the number of weights.

    The point of a side is a vertex of it, less weights times vectors from others to that one.
    """
    w = contact_weights(rounded_points(room), is_edge_edge)
    first, last, n = 0, 3, 0
    if is_edge_edge:
        first = 0 if w[0] > 0.0 else 1
        last = 3 if w[3] > 0.0 else 2
        if w[0] > 0.0 and w[1] > 0.0:
            put_difference(room, 0, 1, ALONG)
            put(room, WEIGHTS, (w[1], 0.0))
            n = 1
        if w[2] > 0.0 and w[3] > 0.0:
            put_difference(room, 2, 3, ALONG + 3 * n)
            put(room, WEIGHTS + n, (w[2], 0.0))
            n += 1
    else:
        last = 3 if w[3] > 0.0 else (2 if w[2] > 0.0 else 1)
        for i in range(1, last):
            if w[i] > 0.0:
                put_difference(room, i, last, ALONG + 3 * n)
                put(room, WEIGHTS + n, (w[i], 0.0))
                n += 1
    put_difference(room, first, last, BASE)
    return n


@kernel
def put_offset(room: Array, n: int) -> None:
    """Set the vector between the closest points by their weights."""
    for k in range(3):
        value = get(room, BASE + k)
        for i in range(n):
            value = dd_sub(value, dd_mul(get(room, WEIGHTS + i), get(room, ALONG + 3 * i + k)))
        put(room, OFFSET + k, value)


@kernel
def correct_weights(room: Array, n: int) -> None:
    """Move the closest points to where the vector between them is normal to what they are on."""
    p, q = dot_in(room, OFFSET, ALONG)[0], dot_in(room, OFFSET, ALONG + 3)[0] if n == 2 else 0.0
    ee = dot_in(room, ALONG, ALONG)[0]
    ef, ff = 0.0, 1.0
    if n == 2:
        ef, ff = dot_in(room, ALONG, ALONG + 3)[0], dot_in(room, ALONG + 3, ALONG + 3)[0]
    determinant = ee * ff - ef * ef
    if determinant > 0.0:
        put(room, WEIGHTS, dd_add(get(room, WEIGHTS), ((p * ff - q * ef) / determinant, 0.0)))
        if n == 2:
            put(room, WEIGHTS + 1, dd_add(get(room, WEIGHTS + 1), ((q * ee - p * ef) / determinant, 0.0)))


@kernel
def are_within(room: Array, n: int, is_edge_edge: bool) -> bool:
    """Are points with these weights on their features?"""
    total = 0.0
    for i in range(n):
        weight = room[2 * (WEIGHTS + i)]
        total += weight
        if not SMALLEST_WEIGHT < weight < 1.0 - SMALLEST_WEIGHT:
            return False
    return is_edge_edge or total < 1.0 - SMALLEST_WEIGHT


@kernel
def excess_at(room: Array, is_edge_edge: bool, separation: float, t: float) -> float:
    """By how much the squared distance at a time is above the squared separation; NaN where it is not known.

    It is right in its digits, and in its sign by `is_nearer` and `is_farther` only. Without a separation,
    the value of the cubic.
    """
    if separation == 0.0:
        return cubic_value(room, t)
    put_points(room, t)
    n = put_features(room, is_edge_edge)
    put_offset(room, n)
    for _ in range(CORRECTIONS if n > 0 else 0):
        correct_weights(room, n)
        put_offset(room, n)
    if not are_within(room, n, is_edge_edge):
        return np.nan
    return float(dd_sub(dot_in(room, OFFSET, OFFSET), two_product(separation, separation))[0])


@kernel
def size_of(room: Array) -> float:
    """The largest coordinate of all vectors over the motion."""
    size = 0.0
    for i in range(18):
        size = max(size, abs(room[2 * (ENDS + i)]))
    return size


@kernel
def is_nearer(excess: float, separation: float, size: float) -> bool:
    """Are the closest points of `excess_at` nearer than the separation for certain?"""
    return excess < -REFINED_GAP * size * separation


@kernel
def is_farther(room: Array, is_edge_edge: bool, separation: float, size: float) -> bool:
    """Are all points of both sides farther apart, along the vector that is set, than the separation?"""
    least = (INFINITY, 0.0)
    n_first = 2 if is_edge_edge else 1
    for i in range(n_first):
        for j in range(n_first, 4):
            put_difference(room, i, j, BASE)
            gap = dot_in(room, BASE, OFFSET)
            if least[0] == INFINITY or dd_sub(gap, least)[0] < 0.0:
                least = gap
    if not least[0] > 0.0:
        return False
    length = dot_in(room, OFFSET, OFFSET)
    wanted = dd_mul(two_product(separation, separation), length)
    error = REFINED_GAP * (size * sqrt(length[0]) * least[0] + wanted[0])
    return dd_sub(dd_mul(least, least), wanted)[0] > error


@kernel
def is_proven(room: Array, is_edge_edge: bool, separation: float, begin: float, between: Bracket) -> bool:
    """Is the first time at a separation, not before `begin`, strictly between two times?"""
    size, (lower, upper) = size_of(room), between
    if not is_nearer(excess_at(room, is_edge_edge, separation, upper), separation, size):
        return False
    if not excess_at(room, is_edge_edge, separation, lower) > 0.0:
        return False
    if not is_farther(room, is_edge_edge, separation, size):
        return False
    put_points(room, begin)
    return is_farther(room, is_edge_edge, separation, size)


@kernel
def neighbors_at(
    t0: Quadruple, t1: Quadruple, is_edge_edge: bool, separation: float, known: Bracket
) -> tuple[Bracket, bool]:
    """Two times in a bracket of the first one, and whether that is proven to be strictly between them.

    They are neighbours then.
    """
    room, sign = np.zeros(ROOM_SIZE), 1.0
    room[: 2 * POINTS] = exact_vectors(t0, t1)
    if separation == 0.0:
        put_cubic(room[: 2 * POINTS], room[2 * CUBIC :])
    lower, upper = known
    p = lower, excess_at(room, is_edge_edge, separation, lower)
    q = upper, excess_at(room, is_edge_edge, separation, upper)
    if separation == 0.0 and p[1] < 0.0:
        sign, p, q = -1.0, (p[0], -p[1]), (q[0], -q[1])
    if not (p[1] > 0.0 and q[1] < 0.0 and (separation == 0.0 or separation > SMALLEST_SEPARATION)):
        return known, False
    for _ in range(MAX_TIMES):
        if not upper > nextafter(lower, 1.0):
            break
        # The secant of the last two times; from what it leads to, the double beside that.
        t = q[0] - q[1] * ((q[0] - p[0]) / (q[1] - p[1]))
        t = min(max(t, nextafter(lower, 1.0)), nextafter(upper, 0.0))
        p, q = q, (t, sign * excess_at(room, is_edge_edge, separation, t))
        # NaN, where closest points are not on their features, is nearer by nothing.
        if q[1] > 0.0:
            lower = t
        else:
            upper = t
    if upper > nextafter(lower, 1.0):
        return known, False
    if separation > 0.0:
        return (lower, upper), is_proven(room, is_edge_edge, separation, known[0], (lower, upper))
    error = refinement_errors(moving_quad(t0, t1)).cubic
    is_sure = sign * cubic_value(room, lower) > error and sign * cubic_value(room, upper) < -error
    return (lower, upper), is_sure and has_one_slope(room, known[0], known[1], error)


@driver
def narrow_rows(
    start: Array,
    end: Array,
    is_edge_edge: bool,
    separations: Array,
    lower: Array,
    upper: Array,
    is_sure: Flags,
) -> None:
    """Narrow down brackets of first contacts, each at its own separation, where that is proven."""
    for row in range(len(lower)):
        t0, t1, known = points_of(start, row), points_of(end, row), (lower[row], upper[row])
        found, is_sure[row] = neighbors_at(t0, t1, is_edge_edge, separations[row], known)
        if is_sure[row]:
            lower[row], upper[row] = found
