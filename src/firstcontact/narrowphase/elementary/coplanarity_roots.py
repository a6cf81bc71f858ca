"""First contact among the transversal roots of the coplanarity cubics of a block of queries.

Huh et al. 2014: split the interval at the cubic's extrema, find the root of each part by Householder
iteration, test inclusion there. Here every step is proven: a part counts as free of roots, or as holding one,
only by signs that exceed the rounding error and the slack of the part's monotonicity, and inclusion is
decided on the whole bracket of the root or not at all.

The loops are straight-line code over rows of numbers, which the compiler vectorises: first every cubic is cut
and its parts are classified; then all roots of the block are iterated together, a fixed number of steps,
bracketed, and tested. What this leaves open, for whatever reason, is for the next stage.
"""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel, vector_kernel
from firstcontact.arrays import Array
from firstcontact.narrowphase.elementary.coplanarity_filter import BLOCK
from firstcontact.narrowphase.elementary.elementary_query import Options
from firstcontact.narrowphase.elementary.inclusion import UNSURE, agreement, area_tolerance, signed_areas
from firstcontact.narrowphase.elementary.moving_quad import MovingQuad, quad_at, quad_of_vectors
from firstcontact.scalar.bernstein import (
    Cubic,
    cubic_hodograph,
    cubic_value,
    monotone_slack,
    quadratic_blossom,
    split_at_extrema,
)
from firstcontact.scalar.error_bounds import CUBIC_COEFFICIENT, CUBIC_EVALUATION, UNDERFLOW, UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Vec3

Ids = NDArray[np.int64]

# Householder steps for all roots alike: of random roots, one in 100,000 needs more and is left open. With
# five it is one in 140, and four nanoseconds a query less.
STEPS = 8

# Brackets are not narrower than the resolution of a time near one, whatever the tolerance.
FINEST_STEP = 4.0 * UNIT_ROUNDOFF

# What a part of a cubic is known to hold.
NO_ROOT = 0.0
ONE_ROOT = 1.0
OPEN = 2.0

# Rows of the cubics' workspace, BLOCK numbers each: coefficients and permanent; then for each of three parts
# its end, the value there, what a value must exceed, and what the part holds.
COEFFICIENT = 0
PERMANENT = 4 * BLOCK
CUT = 5 * BLOCK
VALUE = 8 * BLOCK
LIMIT = 11 * BLOCK
HOLDS = 14 * BLOCK
CUBICS_SIZE = 17 * BLOCK

# Rows of the roots' workspace, ROOTS numbers each, up to three for a query: the six vectors, the
# coefficients, the part (times, values, limit), the iteration, and the bracket that comes of it.
ROOTS = 3 * BLOCK
VECTOR = 0
ROOT_COEFFICIENT = 18 * ROOTS
PART_START = 22 * ROOTS
PART_END = 23 * ROOTS
PART_VALUE_START = 24 * ROOTS
PART_VALUE_END = 25 * ROOTS
PART_LIMIT = 26 * ROOTS
TIME = 27 * ROOTS
LOW = 28 * ROOTS
HIGH = 29 * ROOTS
LOWER = 30 * ROOTS
UPPER = 31 * ROOTS
ROOTS_SIZE = 32 * ROOTS


@kernel
def cubic_error(b: Cubic, permanent: float) -> float:
    """What a value must exceed, beyond the part's slack, to prove that the part has no root beyond it."""
    largest = max(max(abs(b[0]), abs(b[1])), max(abs(b[2]), abs(b[3])))
    return CUBIC_COEFFICIENT * permanent + CUBIC_EVALUATION * largest + UNDERFLOW


@kernel
def cubic_of(cubics: Array, i: int) -> Cubic:
    """Coefficients of cubic i."""
    return cubics[i], cubics[i + BLOCK], cubics[i + 2 * BLOCK], cubics[i + 3 * BLOCK]


@kernel
def root_cubic(roots: Array, j: int) -> Cubic:
    """Coefficients of the cubic of root j."""
    at = ROOT_COEFFICIENT + j
    return roots[at], roots[at + ROOTS], roots[at + 2 * ROOTS], roots[at + 3 * ROOTS]


@kernel
def part_holds(s: float, e: float, value_s: float, value_e: float, limit: float) -> float:
    """What a part is known to hold by the values at its ends."""
    lowest, highest = min(value_s, value_e), max(value_s, value_e)
    is_free = (lowest > limit) | (highest < -limit) | (s >= e)
    is_crossed = (lowest < -limit) & (highest > limit)
    return NO_ROOT if is_free else (ONE_ROOT if is_crossed else OPEN)


@vector_kernel
def classify_parts(cubics: Array, count: int, end: float) -> None:
    """Cut every cubic where it turns, and say what each part holds."""
    for q in range(count):
        b = cubic_of(cubics, q)
        error = cubic_error(b, cubics[PERMANENT + q])
        _, s, e, _ = split_at_extrema(b, end)
        at_s, at_e, at_end = cubic_value(b, s), cubic_value(b, e), cubic_value(b, end)
        limit_0 = error + monotone_slack(b, 0.0, s, at_s > b[0])
        limit_1 = error + monotone_slack(b, s, e, at_e > at_s)
        limit_2 = error + monotone_slack(b, e, end, at_end > at_e)
        cubics[CUT + q], cubics[CUT + BLOCK + q], cubics[CUT + 2 * BLOCK + q] = s, e, end
        cubics[VALUE + q], cubics[VALUE + BLOCK + q], cubics[VALUE + 2 * BLOCK + q] = at_s, at_e, at_end
        cubics[LIMIT + q], cubics[LIMIT + BLOCK + q], cubics[LIMIT + 2 * BLOCK + q] = (
            limit_0,
            limit_1,
            limit_2,
        )
        cubics[HOLDS + q] = part_holds(0.0, s, b[0], at_s, limit_0)
        cubics[HOLDS + BLOCK + q] = part_holds(s, e, at_s, at_e, limit_1)
        cubics[HOLDS + 2 * BLOCK + q] = part_holds(e, end, at_e, at_end, limit_2) if end > 0.0 else OPEN


@vector_kernel
def iterate_roots(roots: Array, count: int) -> None:
    """Approximate all roots, each in its part, by Householder steps that stay within shrinking brackets."""
    for j in range(count):
        s, e = roots[PART_START + j], roots[PART_END + j]
        value_s, value_e = roots[PART_VALUE_START + j], roots[PART_VALUE_END + j]
        roots[LOW + j], roots[HIGH + j] = s, e
        roots[TIME + j] = s + (e - s) * (value_s / (value_s - value_e))
    for _ in range(STEPS):
        for j in range(count):
            b, t = root_cubic(roots, j), roots[TIME + j]
            d = cubic_hodograph(b)
            value, slope = cubic_value(b, t), 3.0 * quadratic_blossom(d, t, t)
            bend = 6.0 * ((d[1] - d[0]) * (1.0 - t) + (d[2] - d[1]) * t)
            is_before = (value < 0.0) == (roots[PART_VALUE_START + j] < 0.0)
            low, high = (t if is_before else roots[LOW + j]), (roots[HIGH + j] if is_before else t)
            following = t - 2.0 * value * slope / (2.0 * slope * slope - value * bend)
            is_inside = (following >= low) & (following <= high)
            roots[TIME + j] = following if is_inside else 0.5 * (low + high)
            roots[LOW + j], roots[HIGH + j] = low, high


@kernel
def root_vector(roots: Array, at: int) -> Vec3:
    """Vector in three rows."""
    return roots[at], roots[at + ROOTS], roots[at + 2 * ROOTS]


@kernel
def root_quad(roots: Array, j: int) -> MovingQuad:
    """Moving points of root j."""
    at = VECTOR + j
    t0 = (root_vector(roots, at), root_vector(roots, at + 3 * ROOTS), root_vector(roots, at + 6 * ROOTS))
    at += 9 * ROOTS
    t1 = (root_vector(roots, at), root_vector(roots, at + 3 * ROOTS), root_vector(roots, at + 6 * ROOTS))
    return quad_of_vectors(t0, t1)


@vector_kernel
def bracket_roots(roots: Array, count: int, options: Options, where: NDArray[np.int8]) -> None:
    """Bracket all roots by proven signs, and decide contact on each bracket; UNSURE where either fails.

    There is no root in the part before its bracket, which is the whole part where the signs are not proven.
    """
    half_width = max(0.25 * options.time_tolerance, FINEST_STEP)
    for j in range(count):
        b, root, limit = root_cubic(roots, j), roots[TIME + j], roots[PART_LIMIT + j]
        slope = 3.0 * abs(quadratic_blossom(cubic_hodograph(b), root, root))
        width = max(half_width, 1.25 * limit / slope + 2.0 * UNIT_ROUNDOFF)
        lower = max(root - width, roots[PART_START + j])
        upper = min(root + width, roots[PART_END + j])
        sign = 1.0 if roots[PART_VALUE_END + j] > 0.0 else -1.0
        is_proven = (sign * cubic_value(b, lower) < -limit) & (sign * cubic_value(b, upper) > limit)
        quad = root_quad(roots, j)
        areas = signed_areas(quad_at(quad, 0.5 * (lower + upper)))
        decided = agreement(areas, options.is_edge_edge, area_tolerance(quad, 0.5 * (upper - lower)))
        where[j] = decided if is_proven else UNSURE
        roots[LOWER + j] = lower if is_proven else roots[PART_START + j]
        roots[UPPER + j] = upper if is_proven else roots[PART_END + j]


@kernel
def keep_live(is_free: NDArray[np.bool_], count: int, cubics: Array, live: Ids) -> int:
    """Move the cubics of the queries that are not free to the front; list these queries, and count them."""
    n_live = 0
    for q in range(count):
        # Always write, and count what was wanted: half the time of a branch that is hard to predict.
        for row in range(5):
            cubics[row * BLOCK + n_live] = cubics[row * BLOCK + q]
        live[n_live] = q
        n_live += not is_free[q]
    return n_live


@kernel
def is_left_open(cubics: Array, i: int) -> bool:
    """Has cubic i a part of which nothing is known?"""
    first, second, third = cubics[HOLDS + i], cubics[HOLDS + BLOCK + i], cubics[HOLDS + 2 * BLOCK + i]
    return bool((first == OPEN) | (second == OPEN) | (third == OPEN))


@kernel
def list_roots(live: Ids, cubics: Array, owners: Ids) -> int:
    """List the roots of all cubics that have no open part, in order of time for each, and count them.

    `owners` gets two rows of ROOTS: the query in the block, and where in the rows of `cubics` its part is.
    """
    n_roots = 0
    for i in range(len(live)):
        is_closed = not is_left_open(cubics, i)
        for part in range(3):
            owners[n_roots] = live[i]
            owners[ROOTS + n_roots] = part * BLOCK + i
            n_roots += is_closed & (cubics[HOLDS + part * BLOCK + i] == ONE_ROOT)
    return n_roots


@kernel
def load_roots(block: Array, cubics: Array, owners: Ids, count: int, roots: Array) -> None:
    """Fill the rows of the listed roots: vectors, coefficients, parts."""
    for k in range(9):
        axis = k % 3
        for j in range(count):
            q = owners[j]
            roots[VECTOR + k * ROOTS + j] = block[k * BLOCK + q] - block[(9 + axis) * BLOCK + q]
            roots[VECTOR + (9 + k) * ROOTS + j] = block[(12 + k) * BLOCK + q] - block[(21 + axis) * BLOCK + q]
    for j in range(count):
        at = owners[ROOTS + j]
        i = at % BLOCK
        for k in range(4):
            roots[ROOT_COEFFICIENT + k * ROOTS + j] = cubics[COEFFICIENT + k * BLOCK + i]
        is_first = at < BLOCK
        roots[PART_START + j] = 0.0 if is_first else cubics[CUT + at - BLOCK]
        roots[PART_VALUE_START + j] = cubics[COEFFICIENT + i] if is_first else cubics[VALUE + at - BLOCK]
        roots[PART_END + j] = cubics[CUT + at]
        roots[PART_VALUE_END + j] = cubics[VALUE + at]
        roots[PART_LIMIT + j] = cubics[LIMIT + at]
