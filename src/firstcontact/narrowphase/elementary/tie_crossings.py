"""Crossings: ties at a time that is no double, proven by what changes its sign around it.

Each certificate proves a contact between two times close to each other; none of them says when. A query that
has no certificate stays open. The proofs are in docs/guarantees.md.

- `is_crossed`: the cubic changes sign, and meanwhile no area has the wrong sign, though some may be zero.
- `is_passed`: in a plane that does not turn, a point crosses the line of an edge within the edge.
- `is_met`: a point of one side coincides with a point of the other.
"""

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.narrowphase.elementary.ties import (
    COORDINATES,
    CUBIC,
    CUBIC_ERROR,
    END,
    SIZE,
    START,
    area,
    area_error,
    area_sign,
    cubic_at,
    disagree,
    load_between,
    load_rounded,
    orientation,
    vectors_around,
    wanted,
)
from firstcontact.scalar.double_double import two_sum
from firstcontact.scalar.error_bounds import SIGNED_AREA, UNDERFLOW, UNIT_ROUNDOFF
from firstcontact.scalar.expansion import COUNT, add_determinant, determinant_sign, factor, total_sign

# A linear function between its ends: four roundings, of the larger end's magnitude.
LINEAR_VALUE = 8.0 * UNIT_ROUNDOFF


@kernel
def middle_area_sign(room: Array, point: int, axis: int) -> float:
    """Sign of the middle Bernstein coefficient on [0, 1] of the area that leaves out a point; exact."""
    first, second = vectors_around(point)
    y, z = (axis + 1) % 3, (axis + 2) % 3
    room[COUNT] = 0.0
    for at in (START, END):
        i, j = at + first, START + END - at + second
        a, b, c, d = factor(room, i + y), factor(room, j + z), factor(room, i + z), factor(room, j + y)
        add_determinant(room, a, b, c, d)
    return float(total_sign(room))


@kernel
def agree_throughout(room: Array, is_edge_edge: bool, axis: int, error: float) -> bool:
    """Have no two areas opposite signs, and has one of them always the same, over a stretch of time?

    The areas are known up to an error on the stretch; one that this leaves open must have no coefficient of
    the wrong sign on all of [0, 1].
    """
    lowest, highest, has_one = 0.0, 0.0, False
    for point in range(4):
        value, want = area(room, point, axis), wanted(point, is_edge_edge)
        low = high = want * value
        if abs(value) <= error:
            low = high = want * middle_area_sign(room, point, axis)
            for at in (START, END):
                sign = want * area_sign(room, at, point, axis)
                low, high = min(low, sign), max(high, sign)
        has_one = has_one or low > 0.0 or high < 0.0
        lowest, highest = min(lowest, low), max(highest, high)
    return has_one and (lowest == 0.0 or highest == 0.0)


@kernel
def is_crossed(room: Array, is_edge_edge: bool, s: float, e: float) -> bool:
    """Does the cubic change sign between two times, and no area have the wrong sign meanwhile?"""
    n_positive = n_negative = 0
    for t in (s, e):
        sign = cubic_at(room, t)
        at = load_between(room, t) if sign == 0.0 else -1
        if at >= 0:
            sign = float(orientation(room, at, at + 3, at + 6))
        n_positive += sign > 0.0
        n_negative += sign < 0.0
    if n_positive != 1 or n_negative != 1:
        return False
    first_axis, error = load_rounded(room, 0.5 * (s + e)), area_error(room, 0.5 * (e - s))
    for k in range(3):
        axis = (first_axis + k) % 3
        if disagree(room, is_edge_edge, axis, error):
            return False
        if agree_throughout(room, is_edge_edge, axis, error):
            return True
    return False


@kernel
def vector_of(i: int) -> int:
    """Where vector i of six is: of those of the quad, three at the start and three at the end."""
    return START + 3 * i if i < 3 else END + 3 * (i - 3)


@kernel
def plane_of(room: Array) -> tuple[int, int, int]:
    """Two of the six vectors that span a plane, and an axis that sees it; the axis is -1 if there is none."""
    p, q, axis, length = 0, 0, -1, 0.0
    for i in range(6):
        for k in range(3):
            component = abs(factor(room, vector_of(i) + k)[0])
            if component > length:
                p, length = vector_of(i), component
    largest = SIGNED_AREA * room[SIZE] * room[SIZE] + UNDERFLOW
    for i in range(6):
        for k in range(3):
            v, y, z = vector_of(i), (k + 1) % 3, (k + 2) % 3
            a, b = (
                factor(room, p + y)[0] * factor(room, v + z)[0],
                factor(room, p + z)[0] * factor(room, v + y)[0],
            )
            if abs(a - b) > largest:
                q, axis, largest = v, k, abs(a - b)
    return p, q, axis


@kernel
def differences(room: Array, pair: tuple[int, int], axis: int) -> tuple[float, float]:
    """Coordinate of the second point minus that of the first, at both ends; rounded, with the right signs."""
    a, b = COORDINATES + 3 * pair[0] + axis, COORDINATES + 3 * pair[1] + axis
    return room[b] - room[a], room[b + 12] - room[a + 12]


@kernel
def difference_at(room: Array, pair: tuple[int, int], axis: int, t: float) -> float:
    """Difference of two coordinates at a time; zero where it is less than its rounding error."""
    d0, d1 = differences(room, pair, axis)
    value = (1.0 - t) * d0 + t * d1
    return value if abs(value) > LINEAR_VALUE * max(abs(d0), abs(d1)) + UNDERFLOW else 0.0


@kernel
def stays_below(room: Array, pair: tuple[int, int], axis: int, s: float, e: float) -> int:
    """Is one point below another along an axis from s to e: 2 if strictly, 1 if they may be level, else 0?"""
    lowest = min(differences(room, pair, axis))
    if lowest > 0.0 or min(difference_at(room, pair, axis, s), difference_at(room, pair, axis, e)) > 0.0:
        return 2
    return 1 if lowest >= 0.0 else 0


@kernel
def stays_between(room: Array, x: int, edge: tuple[int, int], axis: int, s: float, e: float) -> bool:
    """Is a point between the ends of an edge along an axis that never sees the edge as a point?"""
    a, b = edge
    for low, high in ((a, b), (b, a)):
        n_below = 0
        for pair in ((low, high), (low, x), (x, high)):
            below = stays_below(room, pair, axis, s, e)
            n_below += below == 2 or (below == 1 and x in pair)
        if n_below == 3:
            return True
    return False


@kernel
def point_and_edge(left_out: int, is_edge_edge: bool) -> tuple[int, tuple[int, int]]:
    """Point of one side and edge of the other that make up a triangle, not that of a face itself."""
    if is_edge_edge:
        return (1 - left_out, (2, 3)) if left_out < 2 else (5 - left_out, (0, 1))
    return 0, (left_out % 3 + 1, (left_out + 1) % 3 + 1)


@kernel
def is_line_crossed(room: Array, is_edge_edge: bool, axis: int, s: float, e: float) -> bool:
    """Does, seen along an axis, a point of one side cross an edge of the other, within the edge?"""
    error = area_error(room, 0.0)
    for left_out in range(0 if is_edge_edge else 1, 4):
        load_rounded(room, s)
        at_s = area(room, left_out, axis)
        load_rounded(room, e)
        at_e = area(room, left_out, axis)
        if min(at_s, at_e) < -error and max(at_s, at_e) > error:
            x, edge = point_and_edge(left_out, is_edge_edge)
            for k in range(1, 3):
                if stays_between(room, x, edge, (axis + k) % 3, s, e):
                    return True
    return False


@kernel
def is_passed(room: Array, is_edge_edge: bool, s: float, e: float) -> bool:
    """Does a point cross an edge in a plane that holds all four points and does not turn?"""
    for i in range(CUBIC, CUBIC + 4):
        if abs(room[i]) > room[CUBIC_ERROR]:
            return False
    p, q, axis = plane_of(room)
    if axis < 0 or not is_line_crossed(room, is_edge_edge, axis, s, e):
        return False
    n_outside = 0
    for i in range(6):
        n_outside += orientation(room, p, q, vector_of(i)) != 0
    return n_outside == 0


@kernel
def meet(room: Array, pair: tuple[int, int], s: float, e: float) -> bool:
    """Do two points coincide at a time between s and e?"""
    a, b = COORDINATES + 3 * pair[0], COORDINATES + 3 * pair[1]
    for x in range(3):
        if difference_at(room, pair, x, s) * difference_at(room, pair, x, e) < 0.0:
            # Along this axis they pass each other; along the others they must do so at the same time.
            x0, x1 = two_sum(room[b + x], -room[a + x]), two_sum(room[b + x + 12], -room[a + x + 12])
            n_same = 0
            for y in range(3):
                y0, y1 = two_sum(room[b + y], -room[a + y]), two_sum(room[b + y + 12], -room[a + y + 12])
                n_same += determinant_sign(room, x0, y1, x1, y0) == 0
            return n_same == 3
    return False


@kernel
def is_met(room: Array, is_edge_edge: bool, s: float, e: float) -> bool:
    """Does a point of one side coincide with a point of the other, at a time between s and e?"""
    n_first = 2 if is_edge_edge else 1
    for a in range(n_first):
        for b in range(n_first, 4):
            if meet(room, (a, b), s, e):
                return True
    return False
