"""Ties: contacts that no bound of a rounding error can prove, because something in them is exactly zero.

A vertex at rest on a face, a sheet that lands on another, that slides in its own plane: do the points touch
at a given time? Decided by exact signs, which expansions give, of what floating point leaves open.

All that is known of a query is in one array, its `room`: with tuples in its place, compilation takes twice as
long.
"""

from math import floor

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.narrowphase.elementary.coplanarity_roots import cubic_error
from firstcontact.narrowphase.elementary.inclusion import INSIDE, OUTSIDE, UNSURE
from firstcontact.narrowphase.elementary.moving_quad import (
    Quadruple,
    coplanarity_cubic,
    magnitude_permanent,
    moving_quad,
)
from firstcontact.scalar.bernstein import cubic_value
from firstcontact.scalar.double_double import dd_neg, two_sum
from firstcontact.scalar.error_bounds import SIGNED_AREA, UNDERFLOW, UNIT_ROUNDOFF
from firstcontact.scalar.expansion import (
    COUNT,
    FACTORS,
    add_triple_product,
    determinant_sign,
    exact_blend,
    factor,
    set_factor,
    total_sign,
)

# Nonzero coordinates below this leave a query open. From here on they are multiples of 2**-292, and at times
# that are multiples of 2**-53 products of three of them are multiples of 2**-1035: nothing underflows.
SMALLEST_COORDINATE = 2.0**-240
FINEST_TIMES = 2.0**53

# Factors of the room: five vectors at the start, at the end, and at a time in between. Three are those of the
# quad, x0 - x3, x1 - x3, x2 - x3. The last two have the area that leaves out x3 for their cross product, with
# its sign, and with the others they hold all differences between the two sides: x0 - x2 and, for edge-edge,
# x1 - x2, for vertex-face x1 - x0.
START = 0
END = 15
BETWEEN = 30

# Behind the factors: the coordinates at the start and at the end; the same vectors at a time, rounded; the
# cubic, and what a value must exceed to have its sign; the vectors' largest component, and their highest
# speed along an axis.
COORDINATES = FACTORS + 2 * 45
ROUNDED = COORDINATES + 24
CUBIC = ROUNDED + 15
CUBIC_ERROR = CUBIC + 4
SIZE = CUBIC_ERROR + 1
SPEED = SIZE + 1
ROOM_SIZE = SPEED + 1


@kernel
def load_vectors(room: Array, is_edge_edge: bool) -> None:
    """Set the vectors at both ends, their size and their speed."""
    size, speed = 0.0, 0.0
    for i in range(5):
        first = i % 3
        second = 3 if i < 3 else (2 if i == 3 or is_edge_edge else 0)
        for k in range(3):
            a, b = COORDINATES + 3 * first + k, COORDINATES + 3 * second + k
            d0, d1 = two_sum(room[a], -room[b]), two_sum(room[a + 12], -room[b + 12])
            set_factor(room, START + 3 * i + k, d0)
            set_factor(room, END + 3 * i + k, d1)
            size, speed = max(size, max(abs(d0[0]), abs(d1[0]))), max(speed, abs(d1[0] - d0[0]))
    room[SIZE], room[SPEED] = size, speed


@kernel
def load_query(t0: Quadruple, t1: Quadruple, is_edge_edge: bool, room: Array) -> bool:
    """Fill the room for a query; False if a coordinate is too small for exact products."""
    is_small = False
    for i in range(4):
        for k in range(3):
            x0, x1 = t0[i][k], t1[i][k]
            is_small |= (0.0 < abs(x0) < SMALLEST_COORDINATE) | (0.0 < abs(x1) < SMALLEST_COORDINATE)
            room[COORDINATES + 3 * i + k], room[COORDINATES + 12 + 3 * i + k] = x0, x1
    quad = moving_quad(t0, t1)
    b = coplanarity_cubic(quad)
    room[CUBIC], room[CUBIC + 1], room[CUBIC + 2], room[CUBIC + 3] = b
    room[CUBIC_ERROR] = cubic_error(b, magnitude_permanent(quad))
    load_vectors(room, is_edge_edge)
    return not is_small


@kernel
def load_between(room: Array, t: float) -> int:
    """Set the vectors at a time and say where they are; -1 if they or the time have too many digits."""
    if t == 0.0 or t == 1.0:
        return START if t == 0.0 else END
    if floor(FINEST_TIMES * t) != FINEST_TIMES * t:
        return -1
    for i in range(15):
        value, is_exact = exact_blend(factor(room, START + i), factor(room, END + i), t)
        if not is_exact:
            return -1
        set_factor(room, BETWEEN + i, value)
    return BETWEEN


@kernel
def load_rounded(room: Array, t: float) -> int:
    """Set the rounded vectors at a time, and return the axis along which their triangles look largest."""
    for i in range(15):
        room[ROUNDED + i] = (1.0 - t) * factor(room, START + i)[0] + t * factor(room, END + i)[0]
    best, largest = 0, 0.0
    for axis in range(3):
        visible = 0.0
        for point in range(4):
            visible += abs(area(room, point, axis))
        if visible > largest:
            best, largest = axis, visible
    return best


@kernel
def vectors_around(point: int) -> tuple[int, int]:
    """Two vectors whose cross product is the area that leaves out a point."""
    if point == 3:
        return 12, 9
    return 3 * ((point + 1) % 3), 3 * ((point + 2) % 3)


@kernel
def area(room: Array, point: int, axis: int) -> float:
    """Doubled signed area, by the rounded vectors, of the triangle that leaves out a point."""
    i, j = vectors_around(point)
    y, z = ROUNDED + (axis + 1) % 3, ROUNDED + (axis + 2) % 3
    return float(room[i + y] * room[j + z] - room[i + z] * room[j + y])


@kernel
def area_error(room: Array, half_width: float) -> float:
    """Bound the change of an area within `half_width` of a time, and its rounding error: see `inclusion`."""
    size, speed = float(room[SIZE]), float(room[SPEED])
    return 13.0 * size * speed * (half_width + UNIT_ROUNDOFF) + SIGNED_AREA * size * size + UNDERFLOW


@kernel
def wanted(point: int, is_edge_edge: bool) -> float:
    """Sign of the area that leaves out a point, where the sides touch; or all four are the opposite."""
    return -1.0 if (point > 1 if is_edge_edge else point == 0) else 1.0


@kernel
def disagree(room: Array, is_edge_edge: bool, axis: int, error: float) -> bool:
    """Do the signs of the areas, each known up to an error, exclude a contact?"""
    lowest, highest = 0.0, 0.0
    for point in range(4):
        value = wanted(point, is_edge_edge) * area(room, point, axis)
        lowest, highest = min(lowest, value), max(highest, value)
    return lowest < -error and highest > error


@kernel
def area_sign(room: Array, at: int, point: int, axis: int) -> float:
    """Sign of an area, exact."""
    i, j = vectors_around(point)
    y, z = at + (axis + 1) % 3, at + (axis + 2) % 3
    a, b, c, d = factor(room, i + y), factor(room, j + z), factor(room, i + z), factor(room, j + y)
    return float(determinant_sign(room, a, b, c, d))


@kernel
def orientation(room: Array, i: int, j: int, k: int) -> int:
    """Sign of the determinant of three vectors, given by their first factors; exact."""
    room[COUNT] = 0.0
    for x in range(3):
        for is_odd in range(2):
            y, z = (x + 1 + is_odd) % 3, (x + 2 - is_odd) % 3
            a = factor(room, i + x)
            add_triple_product(room, dd_neg(a) if is_odd else a, factor(room, j + y), factor(room, k + z))
    return total_sign(room)


@kernel
def overlaps(room: Array, at: int, axis: int, is_edge_edge: bool) -> bool:
    """Have the intervals that the two sides cover on an axis a common point?"""
    # The first double of a factor has its sign.
    a, b, c = factor(room, at + axis)[0], factor(room, at + 9 + axis)[0], factor(room, at + 12 + axis)[0]
    c, d = (c, factor(room, at + 3 + axis)[0]) if is_edge_edge else (-c, a)
    return min(min(a, b), min(c, d)) <= 0.0 <= max(max(a, b), max(c, d))


@kernel
def has_contact(room: Array, is_edge_edge: bool, at: int, first_axis: int) -> bool:
    """Do coplanar points, whose rounded vectors are loaded, touch? Exact, whatever is degenerate.

    Decided along the first axis that sees the plane; if none does, the points are collinear.
    """
    error = area_error(room, 0.0)
    n_overlaps = 0
    for k in range(3):
        axis = (first_axis + k) % 3
        lowest, highest = 0.0, 0.0
        for point in range(4):
            sign = area(room, point, axis)
            if abs(sign) <= error:
                sign = area_sign(room, at, point, axis)
            sign *= wanted(point, is_edge_edge)
            lowest, highest = min(lowest, sign), max(highest, sign)
        if lowest < highest:
            return lowest == 0.0 or highest == 0.0
        n_overlaps += overlaps(room, at, axis, is_edge_edge)
    return n_overlaps == 3


@kernel
def cubic_at(room: Array, t: float) -> float:
    """Value of the cubic at a time, zero where it does not exceed its error."""
    value = cubic_value((room[CUBIC], room[CUBIC + 1], room[CUBIC + 2], room[CUBIC + 3]), t)
    return value if abs(value) > room[CUBIC_ERROR] else 0.0


@kernel
def touches_at(room: Array, is_edge_edge: bool, t: float) -> int:
    """Do the points touch at a time? UNSURE where exact numbers do not reach."""
    if cubic_at(room, t) != 0.0:
        return OUTSIDE
    axis = load_rounded(room, t)
    if disagree(room, is_edge_edge, axis, area_error(room, 0.0)):
        return OUTSIDE
    at = load_between(room, t)
    if at < 0:
        return UNSURE
    if orientation(room, at, at + 3, at + 6) == 0 and has_contact(room, is_edge_edge, at, axis):
        return INSIDE
    return OUTSIDE
