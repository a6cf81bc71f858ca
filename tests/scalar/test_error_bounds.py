"""Each rounding error bound against exact rational arithmetic, on quads chosen to make the errors large.

A function `errors_of_...` yields the error that was made and the bound that the code relies on.
"""

from fractions import Fraction
from itertools import pairwise
from math import isqrt

import numpy as np
import pytest

from firstcontact.narrowphase.elementary.coplanarity_roots import cubic_error
from firstcontact.narrowphase.elementary.inclusion import area_tolerance, signed_areas
from firstcontact.narrowphase.elementary.moving_quad import (
    coplanarity_cubic,
    magnitude_permanent,
    moving_quad,
    quad_at,
)
from firstcontact.narrowphase.elementary.refinement import (
    AREAS,
    BEGIN,
    ROW,
    WIDTH,
    first_row,
    get,
    halve,
    projection_axis,
    refinement_errors,
)
from firstcontact.narrowphase.elementary.separation_advancement import (
    moving_pairs,
    pairs_at,
    required_extent,
    smallest_extent,
    view_at,
)
from firstcontact.narrowphase.triangles.closest_points import contact_weights, weighted_offset
from firstcontact.scalar.bernstein import cubic_value, monotone_slack, restrict_cubic, split_at_extrema
from firstcontact.scalar.error_bounds import (
    CUBIC_COEFFICIENT,
    CUBIC_RESTRICTED,
    POINT_DISTANCE,
    UNDERFLOW,
    UNIT_ROUNDOFF,
)
from oracles.exact_distance import exact_distance_squared, points_at
from tuples import as_tuples

QUADS = 60
KINDS = {"vf": False, "ee": True}


def wild_quad(rng):
    """Four moving points, as tuples: flat, far away, nearly coplanar, nearly at rest, or none of these."""
    stretch = 10.0 ** (rng.uniform(-12.0, 12.0) - rng.uniform(0.0, 8.0, 3) * rng.integers(0, 2))
    start = rng.uniform(-1.0, 1.0, (4, 3))
    motion = 10.0 ** rng.choice([-16.0, -8.0, -1.0, 0.0]) * rng.uniform(-1.0, 1.0, (4, 3))
    if rng.random() < 0.5:
        start[0] = rng.dirichlet((1, 1, 1)) @ start[1:]
    if rng.random() < 0.3:
        motion[1:] = motion[0] * (1.0 + 1e-9 * rng.uniform(-1.0, 1.0, (3, 1)))
    away = rng.choice([0.0, 1.0, 1e8]) * rng.uniform(-1.0, 1.0, 3)
    return as_tuples((start + away) * stretch), as_tuples((start + motion + away) * stretch)


def wild_quads(n, seed=1):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        yield rng, *wild_quad(rng)


def vectors(points):
    return [[x - y for x, y in zip(point, points[3], strict=True)] for point in points[:3]]


def cross(p, q):
    return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]


def dot(p, q):
    return sum(x * y for x, y in zip(p, q, strict=True))


def determinant(p, q, r):
    return dot(cross(p, q), r)


def exact_cubic(t0, t1, times=(0, 1)):
    """Bernstein coefficients on an interval: the determinant's polar form at its ends."""
    a, b = (vectors(points_at(t0, t1, t)) for t in times)
    first = determinant(b[0], a[1], a[2]) + determinant(a[0], b[1], a[2]) + determinant(a[0], a[1], b[2])
    second = determinant(a[0], b[1], b[2]) + determinant(b[0], a[1], b[2]) + determinant(b[0], b[1], a[2])
    return [determinant(*a), first / 3, second / 3, determinant(*b)]


def exact_areas(t0, t1, times, k):
    """Bernstein coefficients on an interval of the four signed areas along axis k."""
    a, b = (vectors(points_at(t0, t1, t)) for t in times)
    areas = []
    for i, j in ((1, 2), (2, 0), (0, 1)):
        middle = (cross(a[i], b[j])[k] + cross(b[i], a[j])[k]) / 2
        areas.append([cross(a[i], a[j])[k], middle, cross(b[i], b[j])[k]])
    return [*areas, [-sum(coefficients) for coefficients in zip(*areas, strict=True)]]


def errors_of_coefficients(n, seed=1):
    for _, t0, t1 in wild_quads(n, seed):
        quad = moving_quad(t0, t1)
        bound = CUBIC_COEFFICIENT * magnitude_permanent(quad) + UNDERFLOW
        for computed, exact in zip(coplanarity_cubic(quad), exact_cubic(t0, t1), strict=True):
            yield abs(Fraction(computed) - exact), bound


def errors_of_restricted_coefficients(n, seed=1):
    for rng, t0, t1 in wild_quads(n, seed):
        quad = moving_quad(t0, t1)
        end = float(rng.choice([1.0, rng.random(), 1e-9 * rng.random(), 1.0 - 1e-9 * rng.random()]))
        bound = CUBIC_RESTRICTED * magnitude_permanent(quad) + UNDERFLOW
        restricted = restrict_cubic(coplanarity_cubic(quad), end)
        for computed, exact in zip(restricted, exact_cubic(t0, t1, (0, end)), strict=True):
            yield abs(Fraction(computed) - exact), bound


def stretches(rng, b):
    """Ascending pairs of times: the parts of a cubic, and random ones around its extrema."""
    yield from (pair for pair in pairwise(split_at_extrema(b, 1.0)) if pair[0] < pair[1])
    middle = split_at_extrema(b, 1.0)[1]
    for width in (1.0, 1e-4, 1e-10):
        s, e = sorted(np.clip(middle + width * rng.uniform(-1.0, 1.0, 2), 0.0, 1.0).tolist())
        yield s, e


def errors_of_monotony(n, seed=1):
    """By how much the exact cubic runs beyond the computed values at the ends of a stretch and the slack."""
    for rng, t0, t1 in wild_quads(n, seed):
        quad = moving_quad(t0, t1)
        b = coplanarity_cubic(quad)
        for s, e in stretches(rng, b):
            at_s, at_e = cubic_value(b, s), cubic_value(b, e)
            slack = Fraction(monotone_slack(b, s, e, at_e > at_s))
            between = [Fraction(s) + (Fraction(e) - Fraction(s)) * Fraction(i, 7) for i in range(8)]
            values = [determinant(*vectors(points_at(t0, t1, t))) for t in between]
            low, high = sorted((Fraction(at_s), Fraction(at_e)))
            yield (
                max(low - min(values), max(values) - high) - slack,
                cubic_error(b, magnitude_permanent(quad)),
            )


def errors_of_areas(n, seed=1):
    for rng, t0, t1 in wild_quads(n, seed):
        quad = moving_quad(t0, t1)
        middle = rng.random()
        half_width = float(min(10.0 ** rng.uniform(-18.0, 0.0), middle, 1.0 - middle) * rng.integers(0, 2))
        lower, upper = middle - half_width, middle + half_width
        t = 0.5 * (lower + upper)
        bound = area_tolerance(quad, 0.5 * (upper - lower))
        r = quad_at(quad, t)
        k = projection_axis(r)
        for time in (lower, upper):
            for area, exact in zip(signed_areas(r), exact_areas(t0, t1, (time, time), k), strict=True):
                yield abs(Fraction(area) - exact[0]), bound


def exact_extent(n, t0, t1, t, is_edge_edge):
    points = points_at(t0, t1, t)
    first, second = (points[:2], points[2:]) if is_edge_edge else (points[:1], points[1:])
    n = [Fraction(x) for x in n]
    return min(dot(n, p) for p in first) - max(dot(n, p) for p in second)


def errors_of_extents(n, is_edge_edge, seed=1):
    for rng, t0, t1 in wild_quads(n, seed):
        quad = moving_quad(t0, t1)
        pairs = moving_pairs(quad, is_edge_edge)
        t = rng.random()
        for direction in (tuple(rng.uniform(-1.0, 1.0, 3).tolist()), (0.0, 1.0, 0.0)):
            computed = smallest_extent(direction, pairs_at(pairs, t))
            exact = exact_extent(direction, t0, t1, t, is_edge_edge)
            yield Fraction(computed) - exact, required_extent(direction, pairs.size, 0.0)


def root_above(value):
    """A rational root of a fraction, from above, right to a hundred bits."""
    shift = 2 * max(0, 100 - (value.numerator.bit_length() - value.denominator.bit_length()) // 2)
    return Fraction(isqrt((value.numerator << shift) // value.denominator) + 1, 1 << (shift // 2))


def errors_of_distances(n, is_edge_edge, seed=1):
    """By how much the exact distance exceeds that of the computed closest points."""
    for rng, t0, t1 in wild_quads(n, seed):
        quad = moving_quad(t0, t1)
        t = rng.random()
        r = quad_at(quad, t)
        offset = weighted_offset(r, contact_weights(r, is_edge_edge), is_edge_edge)
        size = max(sum(component) for component in quad.size)
        computed = np.sqrt(np.dot(offset, offset))
        squared = exact_distance_squared("ee" if is_edge_edge else "vf", points_at(t0, t1, t))
        yield root_above(squared) - Fraction(float(computed)), POINT_DISTANCE * size + UNDERFLOW


def halved(stack, rng, times):
    """Halve the first row's stretch again and again, going to either side; its width is exact."""
    for _ in range(times):
        left = np.empty(ROW)
        halve(stack[0], left)
        if rng.random() < 0.5:
            stack[0] = left
    return stack[0]


def exact_number(row, i):
    high, low = get(row, i)
    return Fraction(high) + Fraction(low)


def errors_of_refinement(n, n_halvings, seed=1):
    for rng, t0, t1 in wild_quads(n, seed):
        k, is_edge_edge = int(rng.integers(3)), bool(rng.integers(2))
        errors = refinement_errors(moving_quad(t0, t1))
        row = halved(first_row(t0, t1, k, is_edge_edge), rng, n_halvings)
        times = exact_number(row, BEGIN), exact_number(row, BEGIN) + Fraction(row[WIDTH])
        for i, exact in enumerate(exact_cubic(t0, t1, times)):
            yield abs(exact_number(row, i) - 3 * exact), errors.cubic
        signs = (1, 1, -1, -1) if is_edge_edge else (-1, 1, 1, 1)
        for i, area in enumerate(exact_areas(t0, t1, times, k)):
            for c, exact in enumerate(area):
                yield abs(exact_number(row, AREAS + 3 * i + c) - signs[i] * exact), errors.area


def worst(errors):
    """Largest ratio of error to bound."""
    return max(float(error / Fraction(bound)) for error, bound in errors)


def test_coefficients_of_the_cubic():
    assert worst(errors_of_coefficients(QUADS)) <= 1.0


def test_coefficients_of_the_restricted_cubic():
    assert worst(errors_of_restricted_coefficients(QUADS)) <= 1.0


def test_values_and_slack_of_almost_monotone_parts():
    assert worst(errors_of_monotony(QUADS)) <= 1.0


def test_signed_areas_within_half_a_bracket():
    assert worst(errors_of_areas(QUADS)) <= 1.0


@pytest.mark.parametrize("is_edge_edge", KINDS.values(), ids=KINDS)
def test_extents_along_a_direction(is_edge_edge):
    assert worst(errors_of_extents(QUADS, is_edge_edge)) <= 1.0


@pytest.mark.parametrize("is_edge_edge", KINDS.values(), ids=KINDS)
def test_distances_of_closest_points(is_edge_edge):
    assert worst(errors_of_distances(QUADS, is_edge_edge)) <= 1.0


@pytest.mark.parametrize("n_halvings", [0, 1, 100])
def test_coefficients_in_double_double(n_halvings):
    assert worst(errors_of_refinement(QUADS // 2, n_halvings)) <= 1.0


def test_directions_are_at_most_four_roundings_too_long():
    rng = np.random.default_rng(2)
    limit = (1 + 4 * Fraction(UNIT_ROUNDOFF)) ** 2
    for exponent in rng.uniform(-170.0, 40.0, 500):
        points = (tuple((10.0**exponent * rng.normal(size=3)).tolist()), *[(0.0, 0.0, 0.0)] * 3)
        n = view_at(moving_quad(points, points), False, 0.0).direction
        assert sum(Fraction(x) ** 2 for x in n) <= limit


@pytest.mark.parametrize("scale", [2.0**-300, 2.0**-200, 2.0**149], ids=["tiny", "small", "huge"])
def test_bounds_hold_where_products_underflow_or_grow(scale):
    rng = np.random.default_rng(3)
    for _ in range(20):
        t0, t1 = (as_tuples(scale * rng.uniform(-1.0, 1.0, (4, 3))) for _ in range(2))
        quad = moving_quad(t0, t1)
        bound = Fraction(CUBIC_COEFFICIENT * magnitude_permanent(quad) + UNDERFLOW)
        for computed, exact in zip(coplanarity_cubic(quad), exact_cubic(t0, t1), strict=True):
            assert abs(Fraction(computed) - exact) <= bound
