from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from firstcontact.narrowphase.elementary.inclusion import (
    INSIDE,
    OUTSIDE,
    UNSURE,
    agreement,
    area_tolerance,
    signed_areas,
)
from firstcontact.narrowphase.elementary.moving_quad import moving_quad, quad_at
from oracles.exact_distance import exact_distance_squared, points_at
from oracles.scalar_roots import inclusion
from samples import sample
from tuples import as_tuples

KINDS = {"vf": False, "ee": True}
FACE = [(0.0, 0.0), (4.0, 0.0), (0.0, 4.0)]


def planar_quad(points, is_moving=False):
    """Points of a tilted plane, one-to-one on each coordinate plane, which may be carried along."""
    lifted = [(x, y, x + 2.0 * y) for x, y in points]
    carried = [(x + 1.0, y - 2.0, z + 3.0) for x, y, z in lifted] if is_moving else lifted
    return moving_quad(as_tuples(lifted), as_tuples(carried))


VERTEX_FACE_CASES = [
    ((1.0, 1.0), INSIDE),
    ((3.0, 3.0), OUTSIDE),
    ((-1.0, 1.0), OUTSIDE),
    ((5.0, -0.5), OUTSIDE),
    ((2.0, 0.0), UNSURE),  # on an edge
    ((4.0, 0.0), UNSURE),  # on a corner
    ((6.0, 0.0), OUTSIDE),  # on the line of an edge, beyond its end
]


@pytest.mark.parametrize(("vertex", "expected"), VERTEX_FACE_CASES)
@pytest.mark.parametrize("is_moving", [False, True])
def test_a_vertex_is_inside_its_face_or_not_whatever_the_order_of_corners(vertex, expected, is_moving):
    for corners in permutations(FACE):
        quad = planar_quad([vertex, *corners], is_moving)
        found = inclusion(quad, False, 0.5, 0.5)
        assert found == expected
        assert found == inclusion(quad, False, 0.5, 0.5, agreement.py_func)


EDGE_EDGE_CASES = [
    (((0.0, 0.0), (2.0, 2.0), (0.0, 2.0), (2.0, 0.0)), INSIDE),
    (((0.0, 0.0), (1.0, 1.0), (0.0, 3.0), (3.0, 0.0)), OUTSIDE),
    (((0.0, 0.0), (2.0, 0.0), (0.0, 1.0), (2.0, 1.0)), OUTSIDE),  # parallel
    (((0.0, 0.0), (2.0, 0.0), (1.0, 0.0), (1.0, 2.0)), UNSURE),  # one ends on the other
    (((0.0, 0.0), (2.0, 0.0), (1.0, 0.0), (3.0, 0.0)), UNSURE),  # on one line
]


@pytest.mark.parametrize(("points", "expected"), EDGE_EDGE_CASES)
def test_edges_cross_or_not_whatever_their_order_and_direction(points, expected):
    a0, a1, b0, b1 = points
    for order in ((a0, a1, b0, b1), (a1, a0, b0, b1), (a1, a0, b1, b0), (b0, b1, a0, a1), (b1, b0, a0, a1)):
        quad = planar_quad(order)
        assert inclusion(quad, True, 0.25, 0.25) == expected
        assert inclusion(quad, True, 0.25, 0.25, agreement.py_func) == expected


def dyadic(rng, shape, reach=16):
    return rng.integers(-reach, reach + 1, shape) / 8.0


def coplanar_at(rng, t):
    """Moving points with exact coordinates that are coplanar at a dyadic time t, in a random plane."""
    plane = dyadic(rng, (4, 2), 8) @ dyadic(rng, (2, 3), 8)
    velocity = dyadic(rng, (4, 3)) * 2.0 ** -rng.integers(0, 20)
    return as_tuples(plane - t * velocity), as_tuples(plane + (1.0 - t) * velocity)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_decided_is_the_truth_at_a_coplanar_time_in_the_bracket(kind):
    rng = np.random.default_rng(1)
    decided = []
    for _ in range(sample(500, of=1500)):
        t = float(rng.integers(0, 17)) / 16.0
        t0, t1 = coplanar_at(rng, t)
        lower = max(t - 10.0 ** rng.uniform(-18.0, -0.5), 0.0)
        upper = min(t + 10.0 ** rng.uniform(-18.0, -0.5), 1.0)
        found = inclusion(moving_quad(t0, t1), KINDS[kind], lower, upper)
        if found != UNSURE:
            touches = exact_distance_squared(kind, points_at(t0, t1, Fraction(t))) == 0
            assert found == (INSIDE if touches else OUTSIDE)
            decided.append(found)
    assert min(decided.count(INSIDE), decided.count(OUTSIDE)) > 20


def test_a_wide_bracket_is_unsure_where_the_vertex_leaves_the_face():
    t0 = as_tuples([(1.0, 1.0, 0.0), *((x, y, 0.0) for x, y in FACE)])
    t1 = as_tuples([(9.0, 1.0, 0.0), *((x, y, 0.0) for x, y in FACE)])
    quad = moving_quad(t0, t1)
    assert inclusion(quad, False, 0.0, 0.001) == INSIDE
    assert inclusion(quad, False, 0.999, 1.0) == OUTSIDE
    assert inclusion(quad, False, 0.0, 1.0) == UNSURE


@pytest.mark.parametrize("scale", [2.0**-400, 2.0**-320, 2.0**150])
def test_no_size_of_the_scene_makes_a_wrong_decision(scale):
    inside, outside = (
        as_tuples([(scale * x, scale * y, 0.0) for x, y in [p, *FACE]]) for p in ((1, 1), (3, 3))
    )
    assert inclusion(moving_quad(inside, inside), False, 0.5, 0.5) in (INSIDE, UNSURE)
    assert inclusion(moving_quad(outside, outside), False, 0.5, 0.5) in (OUTSIDE, UNSURE)


def test_points_on_one_line_or_in_one_place_are_unsure():
    for points in ([(x, 0.0, 0.0) for x in (1.0, 0.0, 2.0, 5.0)], [(1.0, 2.0, 3.0)] * 4):
        quad = moving_quad(as_tuples(points), as_tuples(points))
        assert inclusion(quad, False, 0.5, 0.5) == inclusion(quad, True, 0.5, 0.5) == UNSURE


@pytest.mark.parametrize("k", range(3))
def test_triangles_are_seen_along_the_axis_that_shows_them_best(k):
    points = [np.roll((0.01 * x, x, y), k).tolist() for x, y in [(1.0, 1.0), *FACE]]
    r = quad_at(moving_quad(as_tuples(points), as_tuples(points)), 0.0)
    areas = signed_areas(r)
    assert areas == signed_areas.py_func(r)
    assert sum(areas) == 0.0
    assert [abs(area) for area in areas] == [16.0, 8.0, 4.0, 4.0]


@pytest.mark.parametrize(
    ("areas", "vertex_face", "edge_edge"),
    [
        ((-9.0, 2.0, 3.0, 4.0), INSIDE, OUTSIDE),
        ((9.0, -2.0, -3.0, -4.0), INSIDE, OUTSIDE),
        ((5.0, 2.0, -3.0, -4.0), OUTSIDE, INSIDE),
        ((-5.0, -2.0, 3.0, 4.0), OUTSIDE, INSIDE),
        ((5.0, -2.0, 3.0, -6.0), OUTSIDE, OUTSIDE),
        ((-5.0, 0.0, 2.0, 3.0), UNSURE, UNSURE),
        ((-5.0, 0.5, 2.0, 2.5), UNSURE, UNSURE),
        ((-5.0, 2.0, -1.5, 4.5), OUTSIDE, OUTSIDE),
        ((0.0, 0.0, 0.0, 0.0), UNSURE, UNSURE),
    ],
)
def test_areas_agree_in_the_pattern_of_each_kind(areas, vertex_face, edge_edge):
    assert agreement(areas, False, 1.0) == agreement.py_func(areas, False, 1.0) == vertex_face
    assert agreement(areas, True, 1.0) == agreement.py_func(areas, True, 1.0) == edge_edge


def test_the_tolerance_grows_with_the_bracket_and_the_motion():
    still, moving = (
        planar_quad([(1.0, 1.0), *FACE]),
        moving_quad(as_tuples(np.eye(4, 3)), as_tuples(-np.eye(4, 3))),
    )
    assert area_tolerance(still, 0.0) == area_tolerance(still, 0.5)
    assert area_tolerance(moving, 0.0) < area_tolerance(moving, 0.1) < area_tolerance(moving, 0.5)
    assert area_tolerance(moving, 0.1) == area_tolerance.py_func(moving, 0.1)
