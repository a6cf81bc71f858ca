"""The least of every pair over whole paths: brackets against dense samples, gradients against differences."""

import numpy as np
import pytest

import firstcontact as fc
from queries.kinds.test_robot_clearance import OBSTACLES
from queries.kinds.test_robot_near import HERE, ROBOTS
from samples import sample

N = sample(6, 200)
WITHIN = 0.15
MOVING = {"ball": fc.Sphere(0.1).moving((HERE, [0.5, 0, 0.6]), velocity=[-0.4, 0.1, 0])}


def keys(found):
    return list(zip(found.rows.tolist(), found.a, found.b, strict=True))


@pytest.mark.parametrize("name", ["capsules", "meshes", "padded"])
def test_no_sample_is_nearer_than_the_bracket_and_none_is_missing(name):
    robot, rng = ROBOTS[name], np.random.default_rng(13)
    start = robot.sample(N, seed=6)
    end = start + 0.6 * rng.normal(size=start.shape)
    found = fc.near(robot.moving(start, end), OBSTACLES, within=WITHIN, self_contact=True, tolerance=1e-3)
    told = dict(zip(keys(found), range(len(found)), strict=True))
    assert (found.distance_lower <= found.distance).all()
    apart = found.distance > 0.0
    assert (found.distance - found.distance_lower)[apart].max() <= 1.1e-3
    for t in np.linspace(0, 1, 33):
        seen = fc.near(robot.at(start + t * (end - start)), OBSTACLES, within=WITHIN, self_contact=True)
        for key, distance in zip(keys(seen), seen.distance, strict=True):
            assert distance >= found.distance_lower[told[key]] - 1e-9
    for i, t in enumerate(found.time[:20]):
        row = found.rows[i]
        there = fc.near(robot.at(start[row] + t * (end - start)[row]), OBSTACLES, within=1, self_contact=True)
        same = dict(zip(zip(there.a, there.b, strict=True), there.distance, strict=True))
        assert same[found.a[i], found.b[i]] == pytest.approx(found.distance[i], abs=1e-9)


def test_gradients_are_those_of_both_ends():
    robot, step = ROBOTS["capsules"], 1e-4
    start, end = np.zeros((1, 4)), np.array([[0.5, 0.3, -0.4, 0.2]])

    def told(q0, q1):
        found = fc.near(robot.moving(q0, q1), OBSTACLES, within=0.5, tolerance=1e-6)
        return found, dict(zip(keys(found), found.distance, strict=True))

    found, here = told(start, end)
    assert len(found) > 2
    assert found.gradient.shape == (len(found), 2, 4)
    for k, shift in enumerate(step * np.eye(4)):
        for side in range(2):
            ends = [
                np.array([start + s * shift * (side == 0), end + s * shift * (side == 1)]) for s in (1, -1)
            ]
            ahead, behind = (told(*pair)[1] for pair in ends)
            for i, key in enumerate(here):
                slope = (ahead[key] - behind[key]) / (2 * step)
                assert slope == pytest.approx(found.gradient[i, side, k], abs=0.03)


def test_obstacles_that_move_and_waypoints():
    robot = ROBOTS["capsules"]
    way = robot.along([[0, 0, 0, 0], [0.5, 0, 0, 0], [0.5, -0.5, 0, 0.2]])
    found = fc.near(way, MOVING, within=0.3)
    for t in np.linspace(0, 1, 41):
        ball = MOVING["ball"].shape.at(MOVING["ball"].pose(t))
        seen = fc.near(robot.at(way.motion.configuration(t)), {"ball": ball}, within=0.3)
        for a, distance in zip(seen.a, seen.distance, strict=True):
            assert distance >= found.distance_lower[found.a.index(a)] - 1e-9
    still = fc.near(robot.at(np.zeros(4)), MOVING, within=0.3)
    assert isinstance(still, fc.NearPaths)


def test_what_the_bounds_do_not_know_is_refused_in_a_sentence():
    from scipy.interpolate import CubicSpline

    robot = ROBOTS["capsules"]
    spline = CubicSpline([0, 1, 2], np.random.default_rng(0).normal(size=(3, 4)))
    with pytest.raises(ValueError, match=r"^near over a motion is for straight lines"):
        fc.near(robot.along(spline), {}, within=1, self_contact=True)
    field = {"field": fc.DistanceField.of(fc.Sphere(0.2), 0.05)}
    with pytest.raises(TypeError, match=r"^near over a motion knows no fields, and obstacle 'field' is one"):
        fc.near(robot.moving(np.zeros(4), np.ones(4)), field, within=1)
    free = ROBOTS["floating"]
    q = free.sample(2, seed=1)
    with pytest.raises(ValueError, match=r"^near over a motion knows no quaternions, and joint 'free'"):
        fc.near(free.moving(q[0], q[1]), {}, within=1, self_contact=True)


def test_a_tolerance_asks_for_a_way_also_where_nothing_moves_and_none_is_too_small():
    robot = ROBOTS["capsules"]
    still = fc.near(robot.at(np.zeros(4)), OBSTACLES, within=1, tolerance=0.1)
    assert isinstance(still, fc.NearPaths)
    np.testing.assert_allclose(still.distance, fc.near(robot.at(np.zeros(4)), OBSTACLES, within=1).distance)
    slide = fc.Joint("slide", "prismatic", "base", "cart", axis=[1, 0, 0])
    cart = fc.Robot({"base": (), "cart": fc.Box([1, 1, 1])}, [slide])
    floor = {"floor": fc.Box([20, 20, 1]).at((HERE, [0, 0, -1.25]))}  # at the same distance all the way
    found = fc.near(cart.moving([-3], [3]), floor, within=1, tolerance=0)
    assert 0.2 < found.distance_lower[0] <= found.distance[0] == pytest.approx(0.25)


def test_none_is_told_that_is_farther_and_gradients_are_those_of_the_time_that_is_told():
    robot, step = ROBOTS["capsules"], 1e-6
    starts = robot.sample(40, seed=3)
    ends = starts + np.random.default_rng(21).normal(size=starts.shape)
    found = fc.near(robot.moving(starts, ends), OBSTACLES, within=0.0, tolerance=1e-4)
    assert 2 < len(found) < 20
    assert found.distance.max() < 1e-3
    n_deep = 0
    for i, (row, a, b) in enumerate(keys(found)):
        t = found.time[i]

        def then(start, end, t=t, a=a, b=b):
            near = fc.near(robot.at((1 - t) * start + t * end), OBSTACLES, within=9)
            return dict(zip(zip(near.a, near.b, strict=True), near.distance, strict=True))[a, b]

        if found.distance[i] < -0.005:
            n_deep += 1
            for k, shift in enumerate(step * np.eye(4)):
                for side, (d0, d1) in enumerate(((shift, 0.0 * shift), (0.0 * shift, shift))):
                    ahead, behind = (then(starts[row] + s * d0, ends[row] + s * d1) for s in (1.0, -1.0))
                    slope = (ahead - behind) / (2.0 * step)
                    assert slope == pytest.approx(found.gradient[i, side, k], abs=1e-4)
    assert n_deep >= 2
