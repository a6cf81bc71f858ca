"""Robots on bases: all answers are those of the same robot at the origin, seen from the base."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import firstcontact as fc
from articulated.random_robots import random_robot
from properties.rigid_families import orientation


def random_pose(rng, reach):
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = orientation(rng), rng.uniform(-reach, reach, 3)
    return pose


def obstacles_seen(rng, base):
    """The same obstacles for a robot at the origin, and for one on a base."""
    shapes = {"box": fc.Box([0.5, 0.4, 0.3]), "can": fc.Cylinder(0.2, 0.6).mesh}
    poses = {name: random_pose(rng, 1.0) for name in shapes}
    here = {name: shapes[name].at(pose) for name, pose in poses.items()}
    return here, {name: shapes[name].at(base @ pose) for name, pose in poses.items()}


@pytest.mark.parametrize("seed", range(4))
def test_answers_are_those_seen_from_the_base(seed):
    rng = np.random.default_rng(seed)
    robot, base = random_robot(rng, n_joints=3).robot, random_pose(rng, 3.0)
    here, there = obstacles_seen(rng, base)
    q0, q1 = robot.sample(2, seed)
    moves = [robot.moving(q0, q1), robot.moving(q0, q1, base=base)]
    one, other = (fc.first_contact(move, things) for move, things in zip(moves, (here, there), strict=True))
    assert (one.a, one.b) == (other.a, other.b)
    assert one.time == other.time or abs(one.time - other.time) < 1e-5
    assert other.certificate.verify()
    near, far = fc.distance(robot.at(q0), here), fc.distance(robot.at(q0, base=base), there)
    assert near.distance == pytest.approx(far.distance, abs=1e-9)
    batch = np.stack([base, random_pose(rng, 3.0), base])
    free = fc.is_free(robot.moving(q0, q1, base=batch), there)
    assert free.shape == (3,)
    assert free[0] == free[2] == (not one)


def test_link_poses_are_those_at_the_origin_on_the_base():
    rng = np.random.default_rng(3)
    robot = random_robot(rng, n_joints=5).robot
    q, bases = robot.sample(4), np.stack([random_pose(rng, 2.0) for _ in range(4)])
    plain, based = robot.link_poses(q), robot.link_poses(q, base=bases)
    for link, poses in plain.items():
        np.testing.assert_allclose(based[link], bases @ poses, atol=1e-12)
    one = robot.link_poses(q[0], base=[1.0, 2.0, 3.0])
    for link, pose in robot.link_poses(q[0]).items():
        np.testing.assert_allclose(one[link][:3, 3], pose[:3, 3] + [1, 2, 3], atol=1e-12)
    assert len(robot.compound(q[0], base=bases[0]).parts) == len(robot.parts)


def test_one_configuration_goes_with_many_bases_and_the_other_way_round():
    slide = fc.Joint("slide", "prismatic", "base", "cart", axis=[1, 0, 0])
    robot, ball = fc.Robot({"base": (), "cart": fc.Sphere(1)}, [slide]), fc.Sphere(1)
    places = np.array([[4.0, 0, 0], [5, 0, 0], [6, 0, 0], [7, 0, 0]])
    assert fc.distance(robot.at([1], base=places), ball).distance.tolist() == [3, 4, 5, 6]
    assert fc.distance(robot.at([[1], [2]], base=[4, 0, 0]), ball).distance.tolist() == [3, 4]
    assert robot.at([1], base=places).motion.base.shape == (4, 4, 4)
    assert robot.moving([0], [1]).motion.base is None
    with pytest.raises(ValueError, match=r"base must have a pose for each of a batch of 2; received 4$"):
        robot.at([[1], [2]], base=places)
    with pytest.raises(ValueError, match=r"^base must have shape"):
        robot.at([1], base=[1, 2])
    assert fc.is_free(robot.moving([0], [1], base=np.empty((0, 3))), ball).shape == (0,)


def test_what_hangs_on_the_root_stands_on_the_base_too():
    robot = fc.Robot({"base": fc.Sphere(1)})
    assert fc.distance(robot.at([], base=[5, 0, 0]), fc.Sphere(1)).distance == 3.0
    assert fc.distance(robot.at([]), robot.at([], base=[5, 0, 0])).distance == 3.0
    field = fc.DistanceField.of(fc.Sphere(1))
    assert abs(fc.distance(robot.at([], base=[5, 0, 0]), field).distance - 3.0) < 0.02
    wall = fc.HalfSpace([1, 0, 0], 2.0)
    assert fc.distance(robot.at([], base=[5, 0, 0]), wall).distance == pytest.approx(2.0)


def test_splines_batches_rays_and_sweeps_on_a_base():
    rng = np.random.default_rng(8)
    robot = random_robot(rng, n_joints=3, kinds=("revolute", "prismatic")).robot
    base, points = random_pose(rng, 2.0), robot.sample(4, 8)
    here, there = obstacles_seen(rng, base)
    spline = CubicSpline([0, 0.3, 0.7, 1], points)
    one = fc.first_contact(robot.along(spline), here)
    other = fc.first_contact(robot.along(spline, base=base), there)
    assert one.time == other.time or abs(one.time - other.time) < 1e-4
    assert other.certificate.verify()
    several = robot.along(spline, base=np.stack([base, base]))
    assert (fc.first_contacts(several, there).time == other.time).all()
    near = fc.clearance(robot.moving(*points[:2]), here).distance
    far = fc.clearance(robot.moving(*points[:2], base=base), there).distance
    assert far == pytest.approx(near, rel=0.05, abs=1e-4)
    start, way = np.array([-9.0, 0.1, 0.2]), np.array([1.0, 0.0, 0.0])
    hits = fc.ray_cast(robot.at(points[0]), start, way)
    seen = fc.ray_cast(robot.at(points[0], base=base), base[:3, :3] @ start + base[:3, 3], base[:3, :3] @ way)
    np.testing.assert_allclose(hits.time, seen.time, atol=1e-9)
    size = fc.swept_volume(robot.moving(*points[:2]), 0.4).vertices
    moved = fc.swept_volume(robot.moving(*points[:2], base=base), 0.4).vertices
    middles = size.mean(axis=0) @ base[:3, :3].T + base[:3, 3], moved.mean(axis=0)
    assert np.linalg.norm(middles[0] - middles[1]) < 0.4


def test_a_group_stands_on_a_base():
    joints = [fc.Joint("slide", "prismatic", "base", "cart"), fc.Joint("turn", "revolute", "cart", "arm")]
    links = {"base": (), "cart": (), "arm": fc.Sphere(0.5)}
    group = fc.Robot(links, joints, groups={"arm": ["turn"]}).group("arm")
    for moving in (group.at([1], base=[2, 0, 0]), group.moving([0], [1], base=[2, 0, 0])):
        assert moving.motion.base[:3, 3].tolist() == [2, 0, 0]
    assert fc.distance(group.at([1], rest={"slide": 1}, base=[2, 0, 0]), fc.Sphere(1)).distance == 1.5
    assert group.along([[0], [1]], base=[2, 0, 0]).motion.base[:3, 3].tolist() == [2, 0, 0]
