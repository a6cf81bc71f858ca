"""The doubles on both sides of the first time of contact, or the one that is it, where something is a tie.

Given a bracket of the first contact of points that touch without a separation. Two kinds of pairs, of which
`neighboring_times` knows none, and which grids are full of:

- Those that touch at a double. If the slope of the coplanarity cubic has one sign throughout the bracket, it
  has one root there, and a contact is at a root: a time at which the cubic is zero, exactly, is the contact.
- Those in a plane that does not turn, as of parallel edges: the cubic is zero for all time. Seen along an
  axis that sees the plane, they are apart as long as two areas have signs strictly against the pattern. So a
  contact begins at a root of an area that is not zero throughout. If the slope of each of these has one sign
  throughout the bracket, each has one root there at most; where all that have one have it between the same
  two neighbouring doubles, or at the same double, so is the contact.

Signs that are not certain in double-double arithmetic are decided exactly, by expansions.
"""

from math import ceil, nextafter

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Flags
from firstcontact.narrowphase.elementary.elementary_stages import points_of
from firstcontact.narrowphase.elementary.moving_quad import Quadruple, moving_quad
from firstcontact.narrowphase.elementary.neighboring_times import (
    CUBIC,
    MAX_TIMES,
    POINTS,
    SLOPE,
    Bracket,
    has_one_slope,
)
from firstcontact.narrowphase.elementary.neighboring_times import ROOM_SIZE as CUBIC_ROOM_SIZE
from firstcontact.narrowphase.elementary.refinement import (
    exact_vectors,
    get,
    put,
    put_cubic,
    refinement_errors,
)
from firstcontact.narrowphase.elementary.tie_crossings import middle_area_sign, plane_of, vector_of
from firstcontact.narrowphase.elementary.tie_stage import SHORT_TIMES
from firstcontact.narrowphase.elementary.ties import (
    END,
    ROOM_SIZE,
    START,
    area_sign,
    load_between,
    load_query,
    orientation,
    vectors_around,
)
from firstcontact.scalar.double_double import dd_add, dd_det2, dd_mean, dd_mul, two_sum
from firstcontact.scalar.expansion import factor

# Numbers of the areas' room, of two doubles each: three coefficients of each of four.
AREAS_SIZE = 2 * 12

NO_TIMES = (1.0, 0.0)


@kernel
def put_areas(room: Array, axis: int, areas: Array) -> None:
    """Set the Bernstein coefficients of the areas that leave out each of the points, seen along an axis."""
    y, z = (axis + 1) % 3, (axis + 2) % 3
    for point in range(4):
        i, j = vectors_around(point)
        for n in range(4):
            p, q = (START if n < 2 else END) + i, (START if n % 2 == 0 else END) + j
            a, b, c, d = factor(room, p + y), factor(room, q + z), factor(room, p + z), factor(room, q + y)
            value = dd_det2(a, b, c, d)
            if n == 2:
                value = dd_mean(get(areas, 3 * point + 1), value)
            put(areas, 3 * point + (n + 1) // 2, value)


@kernel
def area_at(areas: Array, point: int, t: float) -> float:
    """An area at a time, by de Casteljau's construction."""
    s, whole = two_sum(1.0, -t), (t, 0.0)
    b0, b1, b2 = get(areas, 3 * point), get(areas, 3 * point + 1), get(areas, 3 * point + 2)
    b0, b1 = dd_add(dd_mul(s, b0), dd_mul(whole, b1)), dd_add(dd_mul(s, b1), dd_mul(whole, b2))
    return float(dd_add(dd_mul(s, b0), dd_mul(whole, b1))[0])


@kernel
def is_zero_throughout(room: Array, areas: Array, point: int, axis: int, error: float) -> bool:
    """Is an area zero for all time? Exact."""
    for c in range(3):
        if abs(areas[2 * (3 * point + c)]) > error:
            return False
    if area_sign(room, START, point, axis) != 0.0 or area_sign(room, END, point, axis) != 0.0:
        return False
    return middle_area_sign(room, point, axis) == 0.0


@kernel
def is_area_monotone(areas: Array, point: int, known: Bracket, error: float) -> bool:
    """Has the slope of an area one sign throughout a bracket? It is linear."""
    c0, c1, c2 = areas[6 * point], areas[6 * point + 2], areas[6 * point + 4]
    unsure = SLOPE * max(max(abs(c0), abs(c1)), abs(c2)) + 8.0 * error
    n_up = n_down = 0
    for t in known:
        slope = (1.0 - t) * (c1 - c0) + t * (c2 - c1)
        n_up += slope > unsure
        n_down += slope < -unsure
    return n_up == 2 or n_down == 2


@kernel
def neighbors_of_root(areas: Array, point: int, known: Bracket, error: float) -> Bracket:
    """Neighbouring doubles in a bracket between which an area changes its sign; `NO_TIMES` if it does not."""
    lower, upper = known
    p, q = (lower, area_at(areas, point, lower)), (upper, area_at(areas, point, upper))
    sign = 1.0 if p[1] > 0.0 else -1.0
    if not (sign * p[1] > error and sign * q[1] < -error):
        return NO_TIMES
    for _ in range(MAX_TIMES):
        if not upper > nextafter(lower, 1.0):
            return lower, upper
        t = q[0] - q[1] * ((q[0] - p[0]) / (q[1] - p[1]))
        t = min(max(t, nextafter(lower, 1.0)), nextafter(upper, 0.0))
        p, q = q, (t, area_at(areas, point, t))
        if sign * q[1] > 0.0:
            lower = t
        else:
            upper = t
    return NO_TIMES


@kernel
def are_roots_between(
    room: Array, areas: Array, axis: int, known: Bracket, times: Bracket, error: float
) -> bool:
    """Have all areas that have a root in a bracket this between two times, or at the one that both are?"""
    a, b = times
    at, n_roots = load_between(room, a) if a == b else -1, 0
    for point in range(4):
        if is_zero_throughout(room, areas, point, axis, error):
            continue
        if not is_area_monotone(areas, point, known, error):
            return False
        at_start, at_end = area_at(areas, point, known[0]), area_at(areas, point, known[1])
        if min(at_start, at_end) > error or max(at_start, at_end) < -error:
            continue
        n_roots += 1
        if a == b:
            if at < 0 or area_sign(room, at, point, axis) != 0.0:
                return False
        else:
            at_a, at_b = area_at(areas, point, a), area_at(areas, point, b)
            if not (min(at_a, at_b) < -error and max(at_a, at_b) > error):
                return False
    return n_roots > 0


@kernel
def is_flat(room: Array, p: int, q: int) -> bool:
    """Are all six vectors in the plane of two of them? Exact."""
    n_outside = 0
    for i in range(6):
        n_outside += orientation(room, p, q, vector_of(i)) != 0
    return n_outside == 0


@kernel
def flat_times(room: Array, axis: int, known: Bracket, short: float, error: float) -> tuple[Bracket, bool]:
    """Do the same as `tie_times` for points in a plane that an axis sees."""
    areas = np.empty(AREAS_SIZE)
    put_areas(room, axis, areas)
    for t in (short, known[1]):
        if known[0] <= t <= known[1] and are_roots_between(room, areas, axis, known, (t, t), error):
            return (t, t), True
    for point in range(4):
        a, b = neighbors_of_root(areas, point, known, error)
        for times in ((a, b), (a, a), (b, b)):
            if a < b and are_roots_between(room, areas, axis, known, times, error):
                return times, True
    return known, False


@kernel
def tie_times(
    t0: Quadruple, t1: Quadruple, is_edge_edge: bool, known: Bracket, room: Array, cubic: Array
) -> tuple[Bracket, bool]:
    """Two times in a bracket of the first one, and whether it is proven to be between them, or both."""
    if not load_query(t0, t1, is_edge_edge, room):
        return known, False
    errors = refinement_errors(moving_quad(t0, t1))
    short = ceil(SHORT_TIMES * known[0]) / SHORT_TIMES
    p, q, axis = plane_of(room)
    if axis >= 0 and is_flat(room, p, q):
        return flat_times(room, axis, known, short, errors.area)
    cubic[: 2 * POINTS] = exact_vectors(t0, t1)
    put_cubic(cubic[: 2 * POINTS], cubic[2 * CUBIC :])
    if has_one_slope(cubic, known[0], known[1], errors.cubic):
        for t in (short, known[1]):
            at = load_between(room, t) if known[0] <= t <= known[1] else -1
            if at >= 0 and orientation(room, at, at + 3, at + 6) == 0:
                return (t, t), True
    return known, False


@driver
def narrow_tied_rows(
    start: Array, end: Array, is_edge_edge: bool, lower: Array, upper: Array, is_sure: Flags
) -> None:
    """Narrow down brackets of first contacts that are not sure yet, where that is proven."""
    room, cubic = np.empty(ROOM_SIZE), np.zeros(CUBIC_ROOM_SIZE)
    for row in range(len(lower)):
        if not is_sure[row]:
            t0, t1, known = points_of(start, row), points_of(end, row), (lower[row], upper[row])
            times, is_sure[row] = tie_times(t0, t1, is_edge_edge, known, room, cubic)
            if is_sure[row]:
                lower[row], upper[row] = times
