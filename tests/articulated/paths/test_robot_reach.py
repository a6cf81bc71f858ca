"""Robots above half-spaces: as above a box that is large enough, and no point is beyond the bound."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import firstcontact as fc
from firstcontact.articulated.paths.robot_reach import bounded_obstacles, robot_reach

TILT = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])


def robot():
    links = {
        "base": (),
        "arm": fc.Capsule(0.1, 1.0).at((np.eye(3), [0, 0, 0.5])),
        "slide": fc.Box([0.2, 0.2, 0.6]).mesh.at((TILT, [0.1, 0, 0])),
        "hand": fc.Sphere(0.2),
    }
    origin = np.eye(4)
    origin[2, 3] = 1.0
    joints = [
        fc.Joint("hip", "revolute", "base", "arm", axis=[0, 1, 0], origin=origin),
        fc.Joint("reach", "prismatic", "arm", "slide", axis=[0, 0, 1], origin=origin),
        fc.Joint("wrist", "revolute", "slide", "hand", axis=[1, 0, 0], origin=origin),
    ]
    return fc.Robot(links, joints)


@pytest.mark.parametrize("seed", range(6))
def test_no_point_is_beyond_the_bound(seed):
    rng, arm = np.random.default_rng(seed), robot()
    ways = 3.0 * rng.normal(size=(4, 3))
    for moving in (arm.along(ways), arm.along(CubicSpline(np.linspace(0, 1, 4), ways))):
        reach = robot_reach(moving)
        for t in np.linspace(0, 1, 41):
            poses = arm.link_poses(moving.motion.configuration(t))
            for part in arm.parts:
                corners = part.shape.corners @ part.pose[:3, :3].T + part.pose[:3, 3]
                places = corners @ poses[part.link][:3, :3].T + poses[part.link][:3, 3]
                assert np.linalg.norm(places, axis=1).max() <= reach + 0.4  # corners of boxes around balls


@pytest.mark.parametrize("seed", range(8))
def test_a_floor_is_a_box_that_is_large_enough(seed):
    rng, arm = np.random.default_rng(seed), robot()
    floor, box = fc.HalfSpace([0, 0, 1], 0.0), fc.Box([200, 200, 200]).at((np.eye(3), [0, 0, -100]))
    path = arm.moving(*(rng.normal(size=(2, 5, 3)) * [1.0, 0.3, 1.0]))
    for query in (fc.first_contacts, fc.clearance):
        found, truth = query(path, {"floor": floor}), query(path, {"floor": box})
        assert np.allclose(found.time, truth.time, atol=1e-5)
    assert (fc.is_free(path, floor) == fc.is_free(path, box)).all()
    one = arm.moving(*(rng.normal(size=(2, 3)) * [0.3, 0.3, 1.0]))
    found = fc.first_contact(one, fc.Scene(floor=floor, wall=fc.HalfSpace([1, 0, 0], -9)))
    assert found.certificate.verify()
    at = arm.at(rng.normal(size=3) * [0.2, 0.2, 1.0])
    assert fc.distance(at, floor).distance == pytest.approx(fc.distance(at, box).distance, abs=1e-12)


def test_what_is_kept_for_a_short_way_is_not_taken_for_a_long_one():
    arm, wall = robot(), fc.HalfSpace([0, 0, -1], -40.0)
    assert fc.is_free(arm.moving([0, 0, 0], [0, 1, 0]), wall)
    assert not fc.is_free(arm.moving([0, 0, 0], [0, 60, 0]), wall)
    assert fc.distance(arm.at([0, 30, 0]), wall).distance == pytest.approx(40 - 33.2)
    ball = {"ball": fc.Sphere(1)}
    assert bounded_obstacles(arm.at([0, 0, 0]), ball) == (ball, np.inf)


def test_a_half_space_is_no_link():
    with pytest.raises(TypeError, match=r"^a link has bounds, and a shape of link 'base' is a HalfSpace"):
        fc.Robot({"base": fc.HalfSpace([0, 0, 1])}, [])
