"""Frames and poses of links, against forward kinematics link by link, with nothing but matrices."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

import firstcontact as fc
from articulated.plain_kinematics import plain_poses, random_tree
from firstcontact.articulated.paths.frame_rows import frame_rows
from firstcontact.articulated.paths.posed import pose_in_parent


def random_values(robot, n, rng):
    return rng.normal(scale=2.0, size=(n, robot.dof))


@pytest.mark.parametrize("seed", range(30))
def test_links_are_where_plain_kinematics_has_them(seed):
    links, joints = random_tree(seed)
    robot = fc.Robot(dict.fromkeys(links, ()), joints)
    values = random_values(robot, 3, np.random.default_rng(seed))
    found = robot.link_poses(values)
    assert list(found) != []
    assert set(found) == set(links)
    for i, q in enumerate(values):
        alone = robot.link_poses(q)
        for link, pose in plain_poses(links, joints, q).items():
            assert found[link].shape == (3, 4, 4)
            np.testing.assert_allclose(found[link][i], pose, atol=1e-12)
            assert alone[link].tobytes() == found[link][i].tobytes()


@pytest.mark.parametrize("seed", range(20))
def test_frames_move_as_the_configuration_does(seed):
    links, joints = random_tree(seed + 100)
    robot = fc.Robot(dict.fromkeys(links, ()), joints)
    rng = np.random.default_rng(seed)
    moving = robot.along(random_values(robot, 3, rng), [0, 0.3, 1])
    rows, tree = frame_rows(robot.tree, moving.motion)[0], robot.tree
    for t in (0.0, 0.1, 0.3, 0.65, 1.0):
        wanted = plain_poses(links, joints, moving.motion.configuration(t))
        for link in links:
            pose, frame = tree.link_offsets[link], tree.link_frames[link]
            while frame >= 0:
                pose = pose_in_parent(rows[int(t >= 0.3), frame], t) @ pose
                frame = tree.parents[frame]
            np.testing.assert_allclose(pose, wanted[link], atol=1e-11)


def test_a_floating_joint_turns_by_the_shortest_way_at_a_constant_rate():
    robot = fc.Robot({"world": (), "body": ()}, [fc.Joint("free", "floating", "world", "body")])
    turns = Rotation.random(2, rng=np.random.default_rng(5))
    q0, q1 = ([*place, *turn.as_quat()] for place, turn in zip(([0, 0, 0], [1, 2, 3]), turns, strict=True))
    motion = robot.moving(q0, -np.array(q1) * [-1, -1, -1, 1, 1, 1, 1]).motion
    for t in (0.0, 0.2, 0.5, 1.0):
        pose = robot.link_poses(motion.configuration(t))["body"]
        np.testing.assert_allclose(pose[:3, 3], [t, 2 * t, 3 * t], atol=1e-14)
        np.testing.assert_allclose(pose[:3, :3], Slerp([0, 1], turns)(t).as_matrix(), atol=1e-14)


@pytest.mark.parametrize("quaternion", [[0, 0, 1, 0], [0, 0, -1, 0], [1, 0, 0, 0], [0, -0.6, 0.8, 0]])
def test_half_a_turn_goes_the_way_that_configurations_say(quaternion):
    robot = fc.Robot({"world": (), "body": ()}, [fc.Joint("free", "floating", "world", "body")])
    moving = robot.moving([0, 0, 0, 0, 0, 0, 1], [0, 0, 0, *quaternion])
    row = frame_rows(robot.tree, moving.motion)[0, 0, 0]
    for t in (0.25, 0.5, 0.75):
        said = robot.link_poses(moving.motion.configuration(t))["body"]
        np.testing.assert_allclose(pose_in_parent(row, t), said, atol=1e-12)


def test_followers_of_followers():
    joints = [
        fc.Joint("third", "prismatic", "b", "c", mimic=("second", 3, 0.5)),
        fc.Joint("second", "prismatic", "a", "b", mimic=("first", -2, 1)),
        fc.Joint("first", "prismatic", "root", "a"),
    ]
    robot = fc.Robot(dict.fromkeys(["root", "a", "b", "c"], ()), joints)
    assert robot.dof == 1
    assert robot.joint_names == ("first",)
    # 0.25, then -2 * 0.25 + 1 = 0.5, then 3 * 0.5 + 0.5 = 2
    found = robot.link_poses([0.25])
    assert [found[link][0, 3] for link in "abc"] == [0.25, 0.75, 2.75]


def test_numbers_are_in_the_order_of_the_joints_not_of_the_tree():
    joints = [
        fc.Joint("second", "prismatic", "a", "b", axis=[0, 1, 0]),
        fc.Joint("loose", "floating", "root", "c"),
        fc.Joint("first", "prismatic", "root", "a"),
    ]
    robot = fc.Robot(dict.fromkeys(["root", "a", "b", "c"], ()), joints)
    assert robot.joint_names == ("second", "loose", "first")
    found = robot.link_poses([1, 2, 3, 4, 0, 0, 0, 1, 5])
    assert found["b"][:3, 3].tolist() == [5, 1, 0]
    assert found["c"][:3, 3].tolist() == [2, 3, 4]
