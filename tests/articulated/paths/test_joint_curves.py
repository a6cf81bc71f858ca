"""Joints along polynomials, searched as they are: the same contacts as with straight lines that deviate."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, make_interp_spline

import firstcontact as fc
from firstcontact.advancement.goal import Options
from firstcontact.articulated.paths.joint_curves import roundings_of_values
from firstcontact.articulated.paths.path_types import METHODS
from firstcontact.articulated.paths.refined_paths import refined_paths
from firstcontact.articulated.paths.world_motions import world_of
from firstcontact.motions.trajectories.joint_spline import joint_spline
from properties.test_robot_splines import ARM
from samples import sample

HERE = np.eye(3)
TOLERANCE = 1e-6


def found_both_ways(moving, obstacles, method, is_first=True):
    options = Options(TOLERANCE, 0.0, method=METHODS[method], is_first=is_first)
    worlds = [world_of(moving, obstacles, True, TOLERANCE, along_curves=way) for way in (True, False)]
    assert worlds[0].curves is not None
    assert not worlds[0].deviates
    assert worlds[1].deviates
    return [refined_paths(world, options) for world in worlds]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("degree", [3, 5])
def test_the_same_as_with_straight_lines(method, degree):
    rng, n_hits, n = np.random.default_rng(degree), 0, sample(8, of=60)
    for _ in range(n):
        points = rng.uniform(-1, 1, (7, 3)) * [1.2, 1.2, 0.2]
        moving = ARM.along(make_interp_spline(np.linspace(0, 4, 7), points, k=degree))
        start = rng.uniform(-1.8, 1.8, 3)
        ball = fc.Sphere(0.3).moving((HERE, start), velocity=rng.normal(size=3))
        quick, slow = found_both_ways(moving, ball, method)
        assert (quick.pairs >= 0).tolist() == (slow.pairs >= 0).tolist()
        free, _ = found_both_ways(moving, ball, method, is_first=False)
        assert (free.pairs >= 0).tolist() == (quick.pairs >= 0).tolist()
        if quick.pairs[0] >= 0:
            n_hits += 1
            assert quick.times == pytest.approx(slow.times, abs=1e-5)
    assert 0 < n_hits < n


def test_one_path_among_a_batch_of_obstacles():
    rng = np.random.default_rng(1)
    moving = ARM.along(CubicSpline(np.linspace(0, 1, 5), rng.uniform(-1, 1, (5, 3)) * [1.5, 1.5, 0.2]))
    places = rng.uniform(-1.8, 1.8, (6, 3))
    many = fc.first_contacts(moving, fc.Sphere(0.3).at((HERE, places)))
    assert 0 < (many.status == fc.Status.CONTACT).sum() < 6
    for i, place in enumerate(places):
        one = fc.first_contact(moving, fc.Sphere(0.3).at((HERE, place)))
        assert (one.status, one.time, one.a, one.b) == (many.status[i], many.time[i], many.a[i], many.b[i])


def test_what_else_deviates_is_searched_in_straight_lines():
    spline = CubicSpline([0, 1, 2], [[0.0, 0, 0], [0.5, 0.2, 0.1], [1.0, -0.3, 0.0]])
    other = fc.Robot(
        {"post": fc.Box([0.1, 0.1, 2]).at((HERE, [2, 0, 0])), "arm": fc.Sphere(0.2)},
        [fc.Joint("swing", "revolute", "post", "arm", (HERE, [2, 0, 1]), axis=[0, 1, 0])],
    ).along(CubicSpline([0, 1, 2], [[0.0], [0.4], [0.1]]))
    thrown = fc.Sphere(0.2).moving((HERE, [1, 0, 3]), acceleration=[0, 0, -4])
    for obstacle in (other, thrown):
        assert world_of(ARM.along(spline), {"it": obstacle}, True, None, along_curves=True).curves is None
    hit = fc.first_contact(ARM.along(spline), {"ball": thrown})
    assert hit
    gaps = [
        fc.distance(ARM.at(spline(2 * t)), fc.Sphere(0.2).at(thrown.pose(t))).distance
        for t in hit.time * np.linspace(0, 1, 60)
    ]
    assert min(gaps[:-1]) > 0.0
    assert gaps[-1] < 1e-5


def test_a_path_that_touches_at_its_start_and_one_that_rests():
    up, still = [[0.0, 0, 0], [0.5, 0.2, 0.1], [1.0, -0.3, 0.0]], [[0.3, 0.1, 0.0]] * 3
    ball = fc.Sphere(0.3).at((HERE, [0, 0, 0.5]))
    for values in (up, still):
        hit = fc.first_contact(ARM.along(CubicSpline([0, 1, 2], values)), ball)
        assert hit.status == fc.Status.CONTACT_AT_START
    away = fc.Sphere(0.3).at((HERE, [3, 0, 0.5]))
    assert fc.is_free(ARM.along(CubicSpline([0, 1, 2], still)), away)


def test_rounding_grows_with_what_values_are_summed_from():
    small = joint_spline(CubicSpline([0, 1, 2], [[0.0] * 3, [0.1] * 3, [0.3] * 3]), 3)[0]
    large = joint_spline(CubicSpline([0, 1, 2], [[1e6] * 3, [1e6 + 0.1] * 3, [1e6 + 0.3] * 3]), 3)[0]
    frames, size = ARM.tree.frames, np.ones(1)
    one, other = (float(roundings_of_values(law, frames, size)[0]) for law in (small, large))
    assert 0.0 < one < 1e-12
    assert 1e5 * one < other < 0.1  # of a slide of 1e6, a hinge behind it turns that much
