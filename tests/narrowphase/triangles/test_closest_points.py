"""Closest points against exact distances.

Where a triangle is thin or edges are nearly parallel, the weights of the foot on the plane lose digits: at
worst half of them, since what is lost beyond that is less than the width that makes the triangle thin. A
distance may then be off by a few 1e-8 of the size of the points, and not more: ACCURACY. Elsewhere it is
right to a few roundings times the inverse sine of the smallest angle: GOOD_ACCURACY.
"""

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from firstcontact.narrowphase.triangles.closest_points import (
    closest_point_segment,
    closest_point_triangle,
    closest_point_triangle_edges,
    closest_segment_ends,
    closest_segment_segment,
    contact_weights,
    distance_squared_point_segment,
    triangle_point,
    weighted_offset,
)
from oracles.exact_distance import exact_distance_squared, point_segment_squared
from samples import sample
from tuples import as_tuples

ACCURACY = 1e-7
GOOD_ACCURACY = 1e-11
KINDS = {"vf": False, "ee": True}
RNG = np.random.default_rng(1)


def exact(points):
    return [[Fraction(x) for x in point] for point in points]


def squeezed(points, size):
    """Flatten the last three points towards a line, the first two edges towards each other's direction."""
    points = points.copy()
    points[3] = points[2] + RNG.uniform(-1.0, 1.0) * (points[1] - points[2]) + size * RNG.normal(size=3)
    return points


def degenerate(points):
    """Points, segments and lines in place of triangles and edges; exact, by copies and small integers."""
    points = np.rint(2.0 * points)
    i, j = RNG.choice(4, 2, replace=False)
    points[i] = points[j]
    if RNG.random() < 0.3:
        points[1:] = points[1]
    if RNG.random() < 0.3:
        points[3] = 2.0 * points[2] - points[1]
    return points


def parallel(points, size):
    """Edges of nearly one direction."""
    points = points.copy()
    points[1] = points[0] + RNG.uniform(-2.0, 2.0) * (points[3] - points[2]) + size * RNG.normal(size=3)
    return points


def close_to_foot(points, size):
    """A vertex near its face."""
    points = points.copy()
    points[0] = RNG.dirichlet((1.0, 1.0, 1.0)) @ points[1:] + size * RNG.normal(size=3)
    return points


FAMILIES = {
    "random": lambda p: p,
    "far": lambda p: p * [[1e4], [1.0], [1.0], [1.0]],
    "near": lambda p: close_to_foot(p, 10.0 ** RNG.uniform(-12.0, 0.0)),
    "sliver": lambda p: squeezed(p, 10.0 ** RNG.uniform(-18.0, -1.0)),
    "near sliver": lambda p: close_to_foot(squeezed(p, 10.0 ** RNG.uniform(-18.0, -1.0)), 1e-6),
    "parallel": lambda p: parallel(p, 10.0 ** RNG.uniform(-18.0, -1.0)),
    "exactly parallel": lambda p: parallel(np.rint(2.0 * p), 0.0),
    "degenerate": degenerate,
    "tiny": lambda p: 1e-40 * p,
    "huge": lambda p: 1e44 * p,
    "flat": lambda p: p * [1.0, 1e-3, 1e-9],
}


def weights_from(points, is_edge_edge):
    """Weights and the vectors that they were computed from, which are the points to be judged."""
    r = as_tuples(points[:3] - points[3])
    return contact_weights(r, is_edge_edge), [*r, (0.0, 0.0, 0.0)]


def squared_distance_at(points, weights, is_edge_edge):
    """Exact squared distance of the two points with given weights."""
    n = 2 if is_edge_edge else 1
    signs = [1 if i < n else -1 for i in range(4)]
    terms = [s * Fraction(w) for s, w in zip(signs, weights, strict=True)]
    offset = [sum(w * p[k] for w, p in zip(terms, exact(points), strict=True)) for k in range(3)]
    return sum(x * x for x in offset)


def distance_error(points, weights, kind):
    """By how much the distance at the weights exceeds the least one, in units of the size."""
    size = max(abs(x) for point in points for x in point) or 1.0
    scaled = [[Fraction(x) / Fraction(size) for x in point] for point in points]
    least = exact_distance_squared(kind, scaled)
    return sqrt(squared_distance_at(scaled, weights, KINDS[kind])) - sqrt(least)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", KINDS)
def test_distances_are_the_least_up_to_rounding(family, kind):
    accuracy = GOOD_ACCURACY if family in ("random", "near", "tiny", "huge", "far") else ACCURACY
    for points in RNG.normal(size=(sample(50, of=150), 4, 3)):
        weights, judged = weights_from(FAMILIES[family](points), KINDS[kind])
        assert distance_error(judged, weights, kind) <= accuracy, judged


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_a_point_of_each_side(family, kind):
    n = 2 if KINDS[kind] else 1
    for points in RNG.normal(size=(sample(50, of=150), 4, 3)):
        weights, _ = weights_from(FAMILIES[family](points), KINDS[kind])
        assert min(weights) >= 0.0
        assert sum(weights[:n]) == pytest.approx(1.0, abs=4e-16)
        assert sum(weights[n:]) == pytest.approx(1.0, abs=4e-16)


@pytest.mark.parametrize("family", FAMILIES)
def test_compiled_and_python_functions_agree(family):
    for points in RNG.normal(size=(20, 4, 3)):
        a, b, c, d = p = as_tuples(FAMILIES[family](points))
        for is_edge_edge in (False, True):
            w = contact_weights(p[:3], is_edge_edge)
            assert w == contact_weights.py_func(p[:3], is_edge_edge)
            offset = weighted_offset(p[:3], w, is_edge_edge)
            assert offset == weighted_offset.py_func(p[:3], w, is_edge_edge)
        for kernel in (closest_point_triangle, closest_point_triangle_edges, closest_segment_ends):
            assert kernel(a, b, c, d) == kernel.py_func(a, b, c, d)
        assert closest_segment_segment(a, b, c, d) == closest_segment_segment.py_func(a, b, c, d)
        assert closest_point_segment(a, b, c) == closest_point_segment.py_func(a, b, c)
        assert triangle_point(a, b, c, d) == triangle_point.py_func(a, b, c, d)
        args = (a, b, c, 0.3)
        assert distance_squared_point_segment(*args) == distance_squared_point_segment.py_func(*args)


TRIANGLE = ((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 4.0, 0.0))


@pytest.mark.parametrize(
    ("p", "weights"),
    [
        ((1.0, 1.0, 7.0), (0.5, 0.25, 0.25)),  # above the inside
        ((2.0, -3.0, 1.0), (0.5, 0.5, 0.0)),  # beside an edge
        ((4.0, 4.0, 0.0), (0.0, 0.5, 0.5)),
        ((-1.0, 2.0, 0.0), (0.5, 0.0, 0.5)),
        ((-1.0, -1.0, 0.0), (1.0, 0.0, 0.0)),  # beyond a corner
        ((9.0, -1.0, 0.0), (0.0, 1.0, 0.0)),
        ((0.0, 9.0, 5.0), (0.0, 0.0, 1.0)),
        ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)),  # on a corner
    ],
)
def test_each_feature_of_a_triangle_can_be_closest(p, weights):
    assert closest_point_triangle(p, *TRIANGLE) == weights


def test_a_triangle_of_no_area_is_a_segment_or_a_point():
    a, b, c = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (4.0, 0.0, 0.0)
    point = triangle_point(a, b, c, closest_point_triangle((3.0, 2.0, 0.0), a, b, c))
    assert point == pytest.approx((3.0, 0.0, 0.0), abs=1e-15)
    assert sum(closest_point_triangle((3.0, 2.0, 0.0), b, b, b)) == 1.0


A = ((0.0, 0.0, 0.0), (4.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("b", "parameters"),
    [
        (((1.0, -1.0, 2.0), (1.0, 3.0, 2.0)), (0.25, 0.25)),  # crossing
        (((6.0, 1.0, 0.0), (6.0, 5.0, 0.0)), (1.0, 0.0)),  # end to end
        (((2.0, 1.0, 0.0), (2.0, 5.0, 0.0)), (0.5, 0.0)),  # inside to end
        (((-3.0, -2.0, 1.0), (-3.0, 2.0, 1.0)), (0.0, 0.5)),  # end to inside
        (((1.0, 1.0, 0.0), (1.0, 1.0, 0.0)), (0.25, 0.0)),  # a point
    ],
)
def test_each_feature_of_two_segments_can_be_closest(b, parameters):
    assert closest_segment_segment(*A, *b) == parameters
    assert closest_segment_segment(*b, *A) == parameters[::-1]


def test_parallel_segments_are_at_the_distance_of_their_lines_where_they_overlap():
    s, u = closest_segment_segment(*A, (3.0, 2.0, 0.0), (9.0, 2.0, 0.0))
    assert 4.0 * s == 3.0 + 6.0 * u


def test_two_points_are_segments_too():
    assert closest_segment_segment(A[0], A[0], A[1], A[1]) == (0.0, 0.0)


def test_the_parameter_on_a_segment_is_within_it():
    for p, a, b in (as_tuples(points) for points in RNG.normal(size=(200, 3, 3))):
        w = closest_point_segment(p, a, b)
        assert 0.0 <= w <= 1.0
        least = sqrt(point_segment_squared(*exact((p, a, b))))
        assert sqrt(distance_squared_point_segment(p, a, b, w)) == pytest.approx(least, rel=1e-12)
    assert closest_point_segment(A[1], A[0], A[0]) == 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_the_offset_leads_from_the_second_side_to_the_first(kind):
    is_edge_edge = KINDS[kind]
    r = ((1.0, 1.0, 3.0), (4.0, 0.0, 0.0), (0.0, 4.0, 0.0))
    if is_edge_edge:
        r = ((0.0, 2.0, 3.0), (2.0, 2.0, 3.0), (1.0, 4.0, 0.0))
    offset = weighted_offset(r, contact_weights(r, is_edge_edge), is_edge_edge)
    assert offset == pytest.approx((0.0, 0.0, 3.0), abs=1e-15)
