"""Robots by intervals of time: as subdivision has it; all kinds of obstacles, lines and splines."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import firstcontact as fc
from samples import sample

HERE = np.eye(3)
BY_INTERVALS = {"method": "interval"}


def at(x, y=0.0, z=0.0):
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def arm():
    links = {
        "base": (),
        "upper": fc.Box([1, 0.1, 0.1]).at(at(0.5)),
        "lower": fc.Capsule(0.05, 0.8).at(at(0.4)),
        "hand": fc.Box([0.4, 0.1, 0.1]).mesh.at(at(0.2)),
    }
    joints = [
        fc.Joint("shoulder", "revolute", "base", "upper", axis=[0, 0, 1]),
        fc.Joint("elbow", "revolute", "upper", "lower", origin=at(1.0), axis=[0, 1, 0]),
        fc.Joint("wrist", "prismatic", "lower", "hand", origin=at(0.8), axis=[1, 0, 0]),
    ]
    return fc.Robot(links, joints)


OBSTACLES = {
    "ball": fc.Sphere(0.3).at(at(1.2, 0.9, 0.3)),
    "gone": fc.Mesh([], []).moving(np.eye(4), velocity=[1, 0, 0]),
    "moving": fc.Sphere(0.2).mesh.moving(at(0.5, -1, 0.2), velocity=[0.3, 0, 0.1]),
    "rod": fc.Cylinder(0.2, 1.0).at(at(0.3, 1.5, -0.5)),
    "floor": fc.HalfSpace([0, 0, 1], -1.5),
}


def paths(n, seed=0):
    rng = np.random.default_rng(seed)
    starts = rng.uniform(-1, 1, (n, 3)) * [1, 1, 0.2]
    return starts, starts + rng.uniform(-2, 2, (n, 3)) * [1, 1, 0.2]


def agree(moving, obstacles, **options):
    found = fc.first_contacts(moving, obstacles, **options, **BY_INTERVALS)
    usual = fc.first_contacts(moving, obstacles, **options)
    assert (np.isfinite(found.time) == np.isfinite(usual.time)).all()
    hits = np.isfinite(found.time)
    assert np.abs(found.time[hits] - usual.time[hits]).max(initial=0.0) < 1e-5
    free = fc.is_free(moving, obstacles, **options, **BY_INTERVALS)
    assert (free == ~hits).all()
    return hits


def test_as_subdivision():
    hits = agree(arm().moving(*paths(sample(20, of=400))), OBSTACLES)
    assert 0 < hits.sum() < len(hits)
    agree(arm().moving(*paths(sample(10, of=400), 1)), OBSTACLES["ball"], self_contact=True)
    agree(arm().moving(*paths(6, 2)), OBSTACLES["ball"], min_separation=0.1)


def test_no_sample_is_in_contact_before():
    robot, (starts, ends) = arm(), paths(sample(6, of=60), 3)
    found = fc.first_contacts(robot.moving(starts, ends), OBSTACLES["ball"], **BY_INTERVALS)
    for k, time in enumerate(np.minimum(found.time, 1.0)):
        for t in np.linspace(0.0, 1.0, 9)[:-1] * time:
            there = robot.at((1.0 - t) * starts[k] + t * ends[k])
            assert not fc.intersects(there, OBSTACLES["ball"])


def test_along_a_spline_and_beside_another_robot():
    way = CubicSpline([0, 0.5, 1], [[0, 0, 0], [0.6, 0.5, 0.1], [1.2, -0.5, 0]])
    moving = arm().along(way)
    found, usual = (fc.first_contact(moving, OBSTACLES["ball"], **asked) for asked in (BY_INTERVALS, {}))
    assert usual.time < 1.0
    assert found.time == pytest.approx(usual.time, abs=1e-5)
    assert (found.a, found.b) == (usual.a, usual.b)
    assert found.certificate.verify()
    other = {"other": arm().moving([0.2, 0, 0], [1, 1, 0.1])}
    agree(arm().moving(*paths(4, 5)), other)


def test_nothing_happens():
    robot = arm()
    assert fc.is_free(robot.at([0, 0, 0]), OBSTACLES["rod"], **BY_INTERVALS)
    assert fc.is_free(robot.moving([0, 0, 0], [1, 1, 0]), {}, **BY_INTERVALS)
    nobody = robot.moving(np.empty((0, 3)), np.empty((0, 3)))
    assert fc.is_free(nobody, OBSTACLES, **BY_INTERVALS).shape == (0,)
    inside = fc.Sphere(9).mesh
    assert fc.first_contact(robot.at([0, 0, 0]), inside, **BY_INTERVALS).time == 0.0
    with pytest.raises(ValueError, match=r"method must be 'subdivision' or 'advancement' or 'interval'"):
        fc.is_free(robot.at([0, 0, 0]), OBSTACLES, method="c2a-2009")
