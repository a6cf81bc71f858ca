"""Places of bodies, against those that robots and motions give."""

import numpy as np
import pytest

import firstcontact as fc
from articulated.proof.test_proof_bounds import random_pose, things
from firstcontact.articulated.model.world_shapes import Things
from firstcontact.articulated.proof.proof_bounds import case_of
from firstcontact.articulated.proof.proof_chains import Cast, cast_of, moments, rotations


def places(asked, t):
    """Poses of all bodies at a time, in the world."""
    cast = cast_of(asked)
    n = np.arange(len(cast.bodies))
    poses = case_of(cast, np.stack([n, n], axis=1), np.full(len(n), t), np.full((len(n), 2), t)).a.poses
    robot = asked.robot.shape
    poses[:, :3, 3] += next(joint.origin for joint in robot.joints if joint.parent == robot.root)[:3, 3]
    return poses


@pytest.mark.parametrize("seed", range(5))
def test_bodies_are_where_the_library_has_them(seed):
    rng = np.random.default_rng(seed)
    asked = things(rng)
    robot = asked.robot.shape
    for t in (0.0, 0.3, 1.0):
        links = robot.link_poses(asked.robot.motion.configuration(t))
        wanted = [links[part.link] @ part.pose for part in robot.parts] + [asked.obstacles["thing"].pose(t)]
        assert np.allclose(places(asked, t), wanted, rtol=0.0, atol=1e-13)


def test_joints_that_follow_others():
    joints = [
        fc.Joint("last", "revolute", "b", "c", axis=[0, 0, 1], mimic=("middle", -2, 0.1)),
        fc.Joint("middle", "revolute", "a", "b", axis=[0, 0, 1], mimic=("first", 0.5, 0)),
        fc.Joint("first", "continuous", "root", "a", axis=[0, 1, 0]),
    ]
    ball = fc.Sphere(1).at(random_pose(np.random.default_rng(0), 1.0))
    robot = fc.Robot({"root": (), "c": ball, "a": (), "b": ball}, joints)
    asked = Things(robot.along([[1.0], [0.2], [3.0]]), {}, False)
    for t, q in ((0.0, 1.0), (0.25, 0.6), (0.75, 1.6), (1.0, 3.0)):
        links = robot.link_poses([q])
        wanted = [links[part.link] @ part.pose for part in robot.parts]
        assert np.allclose(places(asked, t), wanted, rtol=0.0, atol=1e-14)


def test_where_two_pieces_of_a_motion_meet_either_may_be_meant():
    ball = fc.Sphere(1)
    robot = fc.Robot({"floor": (), "ball": ball}, [fc.Joint("x", "prismatic", "floor", "ball")])
    cast = cast_of(Things(robot.along([[0.0], [1.0], [-2.0]]), {}, False))
    found = moments(cast, np.array([0.5, 0.5]), np.array([0.25, 0.5]), np.array([0.75, 1.0]))
    assert found.velocities[0, :, 0].tolist() == [2.0, -6.0]
    assert found.poses[0, :, 0, 3].tolist() == [1.0, 1.0]


def test_rotations():
    assert np.array_equal(rotations(np.zeros((1, 3))), np.eye(3)[np.newaxis])
    quarter = rotations(np.array([[0.0, 0.0, np.pi / 2]]))[0]
    assert np.allclose(quarter @ [1, 0, 0], [0, 1, 0])


def test_nobody():
    cast = Cast([], [])
    assert cast.times.tolist() == [0.0, 1.0]
    assert cast.chains.shape == (0, 0)
