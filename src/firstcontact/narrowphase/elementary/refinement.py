"""Refinement: bisection of time in double-double arithmetic, for near misses beyond a double's resolution.

A stretch of time is dropped when the coplanarity cubic keeps one sign on it, or when two signed areas (see
`inclusion`) disagree throughout; it holds a contact when the cubic changes sign and all areas agree. All of
it is read off Bernstein coefficients, which are halved by de Casteljau's construction. What stays open is a
true tie, or as good as one.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.narrowphase.elementary.elementary_query import (
    CONTACT,
    MAX_ITERATIONS,
    SEPARATED,
    UNDECIDED,
    Finding,
    Options,
)
from firstcontact.narrowphase.elementary.inclusion import INSIDE, OUTSIDE, UNSURE, visible_sizes
from firstcontact.narrowphase.elementary.moving_quad import (
    MovingQuad,
    Quadruple,
    magnitude_permanent,
    moving_quad,
    quad_at,
)
from firstcontact.scalar.double_double import (
    DoubleDouble,
    dd_add,
    dd_det2,
    dd_mean,
    dd_mul,
    dd_neg,
    two_sum,
)
from firstcontact.scalar.error_bounds import REFINED_AREA, REFINED_CUBIC, UNDERFLOW
from firstcontact.scalar.vec3 import Triangle, cross, largest_component

# Halvings at most: beyond them a double-double no longer tells two times near one apart.
MAX_HALVINGS = 104
SMALLEST_WIDTH = 2.0**-MAX_HALVINGS

# Stretches looked at before giving up. A near miss takes about sixty.
MAX_STRETCHES = 512

# A row of the stack holds a stretch of time: the numbers are 4 coefficients of the cubic, 3 of each of 4
# areas and the beginning; then follows the width, one double.
AREAS = 4
BEGIN = 16
WIDTH = 34
ROW = 35

# More than a unit in the last place, relative: moves a double past its neighbour.
ROUND_OUTWARD = 2.0**-52


class Errors(NamedTuple):
    """What a coefficient of the cubic and of an area must exceed to have a proven sign."""

    cubic: float
    area: float


@kernel
def get(row: Array, i: int) -> DoubleDouble:
    """Return number i of a row."""
    return row[2 * i], row[2 * i + 1]


@kernel
def put(row: Array, i: int, value: DoubleDouble) -> None:
    """Set number i of a row."""
    row[2 * i], row[2 * i + 1] = value


@kernel
def exact_vectors(t0: Quadruple, t1: Quadruple) -> Array:
    """Vectors from the fourth point to the others, without error: number 9 end + 3 point + axis of a row."""
    r = np.empty(36)
    for i in range(3):
        for k in range(3):
            put(r, 3 * i + k, two_sum(t0[i][k], -t0[3][k]))
            put(r, 9 + 3 * i + k, two_sum(t1[i][k], -t1[3][k]))
    return r


@kernel
def mixed_area(r: Array, i: int, j: int, k: int) -> DoubleDouble:
    """Cross product along axis k of two vectors, given by the numbers of their first components."""
    y, z = (k + 1) % 3, (k + 2) % 3
    return dd_det2(get(r, i + y), get(r, j + z), get(r, i + z), get(r, j + y))


@kernel
def put_area(r: Array, i: int, j: int, k: int, row: Array, at: int) -> None:
    """Set numbers at, at + 1, at + 2 to the Bernstein coefficients of the cross product of points i and j."""
    put(row, at, mixed_area(r, 3 * i, 3 * j, k))
    put(row, at + 1, dd_mean(mixed_area(r, 3 * i, 9 + 3 * j, k), mixed_area(r, 9 + 3 * i, 3 * j, k)))
    put(row, at + 2, mixed_area(r, 9 + 3 * i, 9 + 3 * j, k))


@kernel
def put_cubic(r: Array, row: Array) -> None:
    """Set numbers 0 to 3 to thrice the Bernstein coefficients of the coplanarity cubic."""
    area = np.empty(6)
    for i in range(4):
        put(row, i, (0.0, 0.0))
    for k in range(3):
        put_area(r, 1, 2, k, area, 0)
        x0, x1 = get(r, k), get(r, 9 + k)
        x0_doubled, x1_doubled = dd_add(x0, x0), dd_add(x1, x1)
        put(row, 0, dd_add(get(row, 0), dd_mul(dd_add(x0, x0_doubled), get(area, 0))))
        first = dd_add(dd_mul(x1, get(area, 0)), dd_mul(x0_doubled, get(area, 1)))
        second = dd_add(dd_mul(x0, get(area, 2)), dd_mul(x1_doubled, get(area, 1)))
        put(row, 1, dd_add(get(row, 1), first))
        put(row, 2, dd_add(get(row, 2), second))
        put(row, 3, dd_add(get(row, 3), dd_mul(dd_add(x1, x1_doubled), get(area, 2))))


@kernel
def put_agreement(r: Array, k: int, is_edge_edge: bool, row: Array) -> None:
    """Set the areas seen along axis k, with signs that all agree exactly where the sides touch."""
    put_area(r, 1, 2, k, row, AREAS)
    put_area(r, 2, 0, k, row, AREAS + 3)
    put_area(r, 0, 1, k, row, AREAS + 6)
    for c in range(AREAS, AREAS + 3):
        whole = dd_add(dd_add(get(row, c), get(row, c + 3)), get(row, c + 6))
        put(row, c + 9, whole if is_edge_edge else dd_neg(whole))
        flipped = c + 6 if is_edge_edge else c
        put(row, flipped, dd_neg(get(row, flipped)))


@kernel
def halve_cubic(row: Array, left: Array) -> None:
    """Restrict the cubic of `row` to its right half, and set that of `left` to the other."""
    b01, b12 = dd_mean(get(row, 0), get(row, 1)), dd_mean(get(row, 1), get(row, 2))
    b23 = dd_mean(get(row, 2), get(row, 3))
    b012, b123 = dd_mean(b01, b12), dd_mean(b12, b23)
    middle = dd_mean(b012, b123)
    put(left, 0, get(row, 0))
    put(left, 1, b01)
    put(left, 2, b012)
    put(left, 3, middle)
    put(row, 0, middle)
    put(row, 1, b123)
    put(row, 2, b23)


@kernel
def halve_quadratic(row: Array, left: Array, at: int) -> None:
    """Restrict the quadratic at a number of `row` to its right half, and set that of `left` to the other."""
    b01, b12 = dd_mean(get(row, at), get(row, at + 1)), dd_mean(get(row, at + 1), get(row, at + 2))
    middle = dd_mean(b01, b12)
    put(left, at, get(row, at))
    put(left, at + 1, b01)
    put(left, at + 2, middle)
    put(row, at, middle)
    put(row, at + 1, b12)


@kernel
def halve(row: Array, left: Array) -> None:
    """Shrink the stretch of `row` to its right half, and set `left` to the other."""
    halve_cubic(row, left)
    for at in range(AREAS, BEGIN, 3):
        halve_quadratic(row, left, at)
    row[WIDTH] *= 0.5
    left[WIDTH] = row[WIDTH]
    put(left, BEGIN, get(row, BEGIN))
    put(row, BEGIN, dd_add(get(row, BEGIN), (row[WIDTH], 0.0)))


@kernel
def areas_say(row: Array, error: float, first: int, stop: int) -> int:
    """Decide inclusion from coefficients `first` to `stop` of each area: all of 0 to 3, or those of one end.

    Outside where one area is positive and another negative throughout, inside where all have one sign.
    """
    n_positive = 0
    n_negative = 0
    for at in range(AREAS, BEGIN, 3):
        lowest = row[2 * (at + first)]
        highest = lowest
        for c in range(at + first + 1, at + stop):
            lowest, highest = min(lowest, row[2 * c]), max(highest, row[2 * c])
        n_positive += lowest > error
        n_negative += highest < -error
    if n_positive > 0 and n_negative > 0:
        return OUTSIDE
    return INSIDE if n_positive == 4 or n_negative == 4 else UNSURE


@kernel
def is_open_end(row: Array, errors: Errors, end: int) -> bool:
    """Can contact at an end of the stretch, 0 or 1, neither be proven away nor be decided by any halving?"""
    if abs(row[6 * end]) > errors.cubic:
        return False
    return areas_say(row, errors.area, 2 * end, 2 * end + 1) != OUTSIDE


@kernel
def is_free(row: Array, errors: Errors) -> bool:
    """Is there no contact in the stretch, its ends included?"""
    lowest = min(min(row[0], row[2]), min(row[4], row[6]))
    highest = max(max(row[0], row[2]), max(row[4], row[6]))
    if lowest > errors.cubic or highest < -errors.cubic:
        return True
    return areas_say(row, errors.area, 0, 3) == OUTSIDE


@kernel
def is_contact(row: Array, errors: Errors) -> bool:
    """Is there a contact in the stretch for sure?"""
    if min(row[0], row[6]) < -errors.cubic and max(row[0], row[6]) > errors.cubic:
        return areas_say(row, errors.area, 0, 3) == INSIDE
    return False


@kernel
def projection_axis(r: Triangle) -> int:
    """Axis along which the triangles of four nearly coplanar points look largest."""
    x, y, z = visible_sizes(cross(r[1], r[2]), cross(r[2], r[0]), cross(r[0], r[1]))
    if x >= y and x >= z:
        return 0
    return 1 if y >= z else 2


@kernel
def first_row(t0: Quadruple, t1: Quadruple, axis: int, is_edge_edge: bool) -> Array:
    """Stack whose first row is the stretch [0, 1]."""
    stack = np.empty((MAX_HALVINGS + 2, ROW))
    r = exact_vectors(t0, t1)
    put_cubic(r, stack[0])
    put_agreement(r, axis, is_edge_edge, stack[0])
    put(stack[0], BEGIN, (0.0, 0.0))
    stack[0, WIDTH] = 1.0
    return stack


@kernel
def refinement_errors(quad: MovingQuad) -> Errors:
    """Bounds of the coefficients' errors over all halvings."""
    size = largest_component(quad.size[0], quad.size[1], quad.size[2])
    return Errors(
        REFINED_CUBIC * magnitude_permanent(quad) + UNDERFLOW, REFINED_AREA * size * size + UNDERFLOW
    )


@kernel
def stretch_times(row: Array) -> tuple[float, float]:
    """Ends of a stretch, rounded outward."""
    begin, end = get(row, BEGIN), dd_add(get(row, BEGIN), (row[WIDTH], 0.0))
    lower = begin[0] if begin[1] >= 0.0 else begin[0] * (1.0 - ROUND_OUTWARD)
    upper = end[0] if end[1] <= 0.0 else end[0] * (1.0 + ROUND_OUTWARD)
    return lower, upper


@kernel
def refine(stack: Array, errors: Errors, begin: float, end: float, tolerance: float) -> Finding:
    """Bisect the stack's stretches for the first contact in [begin, end], before which there is none."""
    top = 0
    for _ in range(MAX_STRETCHES):
        if top < 0:
            break
        row = stack[top]
        lower, upper = stretch_times(row)
        if upper < begin or lower > end or is_free(row, errors):
            top -= 1
            continue
        if lower >= begin and is_open_end(row, errors, 0):
            return Finding(UNDECIDED, lower, end)
        is_narrow = upper - lower <= tolerance or upper <= np.nextafter(lower, 1.0)
        if is_narrow and upper <= end:
            if is_contact(row, errors):
                return Finding(CONTACT, max(begin, lower), upper)
            if is_open_end(row, errors, 1):
                return Finding(UNDECIDED, max(begin, lower), end)
        if row[WIDTH] <= SMALLEST_WIDTH:
            return Finding(UNDECIDED, max(begin, lower), end)
        halve(row, stack[top + 1])
        top += 1
    if top < 0:
        return Finding(SEPARATED, INFINITY, INFINITY)
    return Finding(MAX_ITERATIONS, max(begin, stretch_times(stack[top])[0]), end)


@kernel
def refined_contact(t0: Quadruple, t1: Quadruple, options: Options, begin: float, end: float) -> Finding:
    """Find the first contact in [begin, end], before which there is none, in double-double arithmetic."""
    quad = moving_quad(t0, t1)
    axis = projection_axis(quad_at(quad, begin))
    stack = first_row(t0, t1, axis, options.is_edge_edge)
    return refine(stack, refinement_errors(quad), begin, end, options.time_tolerance)
