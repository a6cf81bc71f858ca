"""The oracle of depths against closed forms, and its two ways against each other."""

import numpy as np
import pytest

from oracles import convex_penetration
from oracles.convex_cores import Core, placed, shadow_gap, size_of
from oracles.convex_penetration import hull_depth, penetration
from properties.convex_families import cores_of, generate
from properties.rigid_families import orientation
from samples import sample

POINT, NONE, AT_ORIGIN = np.zeros((1, 3)), np.zeros(3), (np.eye(3), np.zeros(3))
BOX = np.array([[x, y, z] for x in (-1, 1) for y in (-2, 2) for z in (-3, 3)], float)


def test_balls():
    found = penetration(Core(POINT, NONE, 1.0), AT_ORIGIN, Core(POINT, NONE, 2.0), (np.eye(3), [0, 0, 2.5]))
    assert found.lower == found.upper == 0.5
    assert np.allclose(found.direction, [0, 0, 1])
    assert penetration(Core(POINT, NONE, 1.0), AT_ORIGIN, Core(POINT, NONE, 2.0), AT_ORIGIN).upper == 3.0
    apart = penetration(Core(POINT, NONE, 1.0), AT_ORIGIN, Core(POINT, NONE, 1.0), (np.eye(3), [0, 0, 2.5]))
    assert apart.lower == apart.upper == 0.0


def test_boxes_along_an_axis():
    box = Core(BOX, NONE, 0.0)
    for axis, way, expected in ((0, 1.5, 0.5), (0, -0.5, 1.5), (1, 0.1, 2.0), (1, 3.5, 0.5)):
        place = np.eye(3)[axis] * way
        found = penetration(box, AT_ORIGIN, box, (np.eye(3), place))
        assert abs(found.upper - expected) < 1e-15
        assert abs(found.lower - expected) < 1e-15


def test_a_point_in_a_box_with_a_ball_about_it():
    found = penetration(Core(BOX, NONE, 0.5), AT_ORIGIN, Core(POINT, NONE, 0.25), (np.eye(3), [0.2, 0.3, 0]))
    assert abs(found.upper - (0.8 + 0.75)) < 1e-15


def test_flat_hulls():
    square = Core(BOX[::2] * [1, 1, 0], NONE, 0.0)
    rod = Core(np.array([[0, 0, -0.3], [0, 0, 0.5]]), NONE, 0.0)
    found = penetration(square, AT_ORIGIN, rod, AT_ORIGIN)
    assert abs(found.upper - 0.3) < 1e-15
    assert penetration(square, AT_ORIGIN, square, AT_ORIGIN).upper == 0.0


def test_an_ellipsoid_that_is_a_ball():
    round_one, other = Core(POINT, np.full(3, 1.5), 0.0), Core(POINT, np.full(3, 0.5), 0.0)
    found = penetration(round_one, AT_ORIGIN, other, (np.eye(3), [0.3, 0.4, 0.0]))
    assert found.lower <= 1.5 <= found.upper + 1e-15
    assert found.upper - found.lower < 1e-9


def test_a_cylinder_in_a_box():
    cylinder = Core(np.array([[0, 0, -0.5], [0, 0, 0.5]]), np.array([0.3, 0.3, 0.0]), 0.0)
    found = penetration(Core(BOX, NONE, 0.0), AT_ORIGIN, cylinder, (np.eye(3), [0.6, 0.0, 0.0]))
    assert abs(found.upper - 0.7) < 1e-14
    assert abs(found.lower - 0.7) < 1e-12


@pytest.mark.parametrize("n", [4, 9, 25])
def test_the_two_ways_agree_for_hulls(n):
    rng = np.random.default_rng(n)
    for _ in range(4):
        cores = [Core(rng.standard_normal((n, 3)), NONE, 0.0) for _ in range(2)]
        a, b = (placed([core], [orientation(rng)], [0.2 * rng.standard_normal(3)]) for core in cores)
        grown = convex_penetration._grown(a, b, sum(size_of(core) for core in cores))
        tried = hull_depth(a, b)
        if tried.upper > 0:
            assert abs(grown.upper - tried.upper) < 1e-13
            assert abs(grown.lower - tried.upper) < 1e-12


@pytest.mark.parametrize("family", ["plain", "deep", "flat hulls", "touching"])
def test_the_bounds_meet_and_the_direction_parts(family):
    for seed in range(sample(1, of=3)):
        case = generate(family, seed)
        a, b = cores_of(case)
        size = sum(
            size_of(Core(x.points[..., 0].T, x.semiaxes[:, 0], x.radius[0], x.apex[0])) for x in (a, b)
        )
        for k in range(3):
            poses = [(rotations[k], places[k]) for rotations, places in (case.poses_a, case.poses_b)]
            found = penetration(case.a, poses[0], case.b, poses[1])
            assert 0.0 <= found.lower <= found.upper <= found.lower + 1e-5 * size
            if found.upper > 0.0:
                gap = shadow_gap(a.only([k]), b.only([k]), found.direction[:, None].astype(np.longdouble))
                assert abs(gap[0] + found.upper) < 1e-15 * size
