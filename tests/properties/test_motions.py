"""First contacts along motions of every kind: closed forms, and dense samples by another engine."""

import itertools

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PPoly

import firstcontact as fc
from oracles.trajectories import FAMILIES
from poses import random_poses

HERE = np.eye(3)
ALL = np.linspace(0.0, 1.0, 400)


def as_kind(shape, kind):
    return shape.mesh if kind == "mesh" else shape


@pytest.mark.parametrize(("kind_a", "kind_b"), list(itertools.product(("convex", "mesh"), repeat=2)))
def test_a_swing_meets_a_wall_when_its_sine_says(kind_a, kind_b):
    cube, wall = as_kind(fc.Box([0.2, 0.2, 0.2]), kind_a), as_kind(fc.Box([1, 9, 9]), kind_b)
    rates = np.linspace(4, 40, 10)
    swings = fc.motion(lambda t: np.stack([np.sin(rates * t), 0 * rates + 0 * t, 0 * rates + 0 * t], axis=1))
    truth = np.arcsin(0.8) / rates
    hits = fc.first_contacts(cube.along(swings), wall.at((HERE, [1.4, 0, 0])))
    assert (hits.time <= truth).all()
    assert (truth <= hits.time_upper).all()
    assert (np.sin(rates * truth) - np.sin(rates * hits.time) < 2e-6).all()
    beyond = fc.first_contacts(cube.along(swings), wall.at((HERE, [1.6 + 1e-5, 0, 0])))
    assert (beyond.status == fc.Status.SEPARATED).all()


def test_a_rolling_wheel_meets_a_step_at_its_height():
    radius, step, speed = 0.5, 0.2, 2.0
    wheel = fc.Cylinder(radius, 0.3)
    # Its axis, z, along y of the world; a point of the road never moves under it.
    upright = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])

    def roll(t):
        a = speed * t / radius
        turn = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
        return turn @ upright, [speed * t, 0, radius]

    rolling = wheel.along(fc.motion(roll))
    edge = 1.5
    curb = fc.Box([1, 2, step]).at((HERE, [edge + 0.5, 0, step / 2]))
    truth = (edge - np.sqrt(radius**2 - (radius - step) ** 2)) / speed
    hit = fc.first_contact(rolling, curb)
    assert truth - 1e-5 < hit.time <= truth <= hit.time_upper < truth + 1e-5


def test_a_cam_lifts_its_follower_onto_a_stop():
    # An eccentric disc turns under a follower; here the follower's own motion, by the cam's law.
    e, rate = 0.3, 5.0
    lift = fc.motion(lambda t: [0, 0, 1 + e * (1 - np.cos(rate * t))])
    stop = fc.Box([1, 1, 0.2]).at((HERE, [0, 0, 1.2 + 0.1 + 0.1]))
    truth = np.arccos(1 - 0.2 / e) / rate
    hit = fc.first_contact(fc.Sphere(0.1).along(lift), stop)
    assert truth - 1e-6 < hit.time <= truth <= hit.time_upper


def test_the_course_s_screw_is_the_screw_at_another_pace():
    rod, post = fc.Box([2, 0.1, 0.1]), fc.Box([0.1, 0.1, 4]).at((HERE, [0.5, 0.5, 0]))
    steady = fc.first_contact(rod.moving(np.eye(4), angular_velocity=[0, 0, 2], velocity=[0, 0, 1]), post)
    pace = lambda t: 0.5 * t + 0.5 * t**2  # noqa: E731
    screw = fc.motion(lambda t: ([0, 0, 2 * pace(t)], [0, 0, pace(t)]))
    hit = fc.first_contact(rod.along(screw), post)
    assert pace(hit.time) <= steady.time_upper
    assert pace(hit.time) == pytest.approx(steady.time, abs=2e-6)


@pytest.mark.parametrize("family", FAMILIES)
def test_no_family_is_late_and_none_misses(family):
    rng = np.random.default_rng(5)
    box, other = fc.Box([0.5, 0.3, 0.2]), fc.Capsule(0.15, 0.4)
    for _ in range(3):
        moving = box.along(fc.motion(family(rng)))
        place = moving.pose(rng.random())[:3, 3] + rng.normal(size=3) * 0.7
        there = other.at((HERE, place))
        hit = fc.first_contact(moving, there)
        until = min(hit.time, 1.0)
        poses = np.stack([moving.pose(t) for t in until * ALL])
        gaps = fc.distance(box.at(poses), there).distance
        if hit.time > 0.0:
            assert (gaps[:-1] > 0.0).all()
        if hit:
            assert gaps[-1] < 1e-5
        assert fc.is_free(moving, there) == (not hit)
        assert fc.safe_step(moving, there) == until


def test_splines_meet_everything():
    poses = random_poses(5, 8)
    poses[:, :3, 3] *= 0.5
    box, ball = fc.Box([0.4, 0.3, 0.2]), fc.Sphere(0.2)
    moving, wall = box.along(fc.Spline(None, poses)), ball.at((HERE, poses[3, :3, 3]))
    plain = fc.first_contact(moving, wall)
    assert plain
    scene = fc.Scene()
    scene.add({"box": moving, "ball": wall})
    assert scene.first_contact().time == pytest.approx(plain.time, abs=1e-6)
    cloth = ball.mesh.deforming(*(ball.mesh.vertices + poses[3, :3, 3],) * 2)
    surface = box.mesh.along(fc.Spline(None, poses))
    rigid = fc.first_contact(surface, ball.mesh.at((HERE, poses[3, :3, 3])))
    assert fc.first_contact(cloth, surface).time == pytest.approx(rigid.time, abs=1e-4)
    line = CubicSpline([0, 1, 2], np.array([[0, 0, 0], [1, 1, 0], [2, 0, 0]]))
    assert fc.first_contact(ball.along(line), ball.at((HERE, [1, 1, 0]))).time < 0.5


def test_a_kink_is_no_gap():
    # A straight line, and back: the nearest is where the velocity jumps.
    there = PPoly(np.array([[[4.0, 0, 0], [-4.0, 0, 0]], [[0.0, 0, 0], [2.0, 0, 0]]]), [0, 0.5, 1])
    ball = fc.Sphere(0.5).along(there)
    hit = fc.first_contact(ball, fc.Box([1, 1, 1]).at((HERE, [3.0 - 1e-3, 0, 0])))
    truth = 0.5 - 1e-3 / 4
    assert truth - 1e-6 < hit.time <= truth
    assert not fc.first_contact(ball, fc.Box([1, 1, 1]).at((HERE, [3.0 + 1e-3, 0, 0])))


def test_a_motion_stays_with_shapes_of_its_size():
    moving = fc.Sphere(0.1).along(fc.motion(lambda t: ([0, 0, t**2], [t, 0, 0])))
    with pytest.raises(ValueError, match="ask this shape"):
        fc.Moving(fc.Sphere(1.0), moving.motion)
    fc.Moving(fc.Sphere(0.05), moving.motion)
