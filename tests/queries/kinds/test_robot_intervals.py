"""When robots touch something and when they are free again: closed forms, samples, what is degenerate."""

import pickle

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import firstcontact as fc
from queries.kinds.test_robot_clearance import OBSTACLES, arm, paths
from queries.test_contact_intervals import brackets
from samples import sample

HERE = np.eye(3)
N = sample(12, 400)
EVENLY = np.linspace(0, 1, 129)


def hinge(bone):
    links = {"base": (), "arm": bone.at((HERE, [0, 0, 0.5]))}
    return fc.Robot(links, [fc.Joint("hinge", "revolute", "base", "arm", axis=[0, 1, 0])])


@pytest.mark.parametrize("turns", [1, 3])
def test_a_hinge_passes_a_ball(turns):
    """A capsule is in contact while its line, which goes through the hinge, is within 0.15 of the ball."""
    ball = fc.Sphere(0.1).at((HERE, [0.6, 0, 0.8]))
    found = fc.contact_intervals(hinge(fc.Capsule(0.05, 1)).moving([0], [2 * np.pi * turns]), ball)
    middle, half = np.arctan2(0.6, 0.8), np.arcsin(0.15)
    truth = (middle + 2 * np.pi * np.arange(turns)[:, np.newaxis] + [-half, half]) / (2 * np.pi * turns)
    brackets(found, truth, 1e-5)
    assert (found.a, found.b) == (["arm"] * turns, ["world"] * turns)
    assert not found.doubt.any()
    assert repr(found).startswith("RobotIntervals(0.")


@pytest.mark.parametrize("self_contact", [False, True])
@pytest.mark.parametrize("as_mesh", [False, True])
def test_no_sample_contradicts(as_mesh, self_contact):
    robot = arm(as_mesh=as_mesh)
    moving = paths(robot, N)
    found = fc.contact_intervals(moving, OBSTACLES, self_contact=self_contact)
    assert len(found) == N
    q0, q1 = moving.motion.configuration(0.0), moving.motion.configuration(1.0)
    for k, one in enumerate(found):
        ends = np.concatenate([one.touch, one.part]).ravel()
        times = np.unique(np.clip(np.concatenate([EVENLY, ends, ends - 1e-6, ends + 1e-6]), 0, 1))
        q = q0[k] + times[:, np.newaxis] * (q1[k] - q0[k])
        touches = fc.intersects(robot.at(q), OBSTACLES, self_contact=self_contact)
        contradicted(one, times, touches)
        first = fc.first_contact(robot.moving(q0[k], q1[k]), OBSTACLES, self_contact=self_contact)
        assert bool(first) == (len(one) > 0)
        if first:
            assert one.touch[0, 0] == pytest.approx(first.time, abs=1e-5)
            assert (one.a[0], one.b[0]) == (first.a, first.b)


def contradicted(found, times, touches):
    """No contact outside of intervals, and contact all along within."""
    is_free = np.ones(len(times), bool)
    for k, ((touch, touch_upper), (part, part_upper)) in enumerate(found):
        is_free &= (times < touch) | (times > part_upper)
        assert touch <= touch_upper <= part_upper
        if found.is_proven[k] and found.doubt[k] == 0:
            assert touches[(times >= touch_upper) & (times <= part)].all()
    assert not touches[is_free].any()


def test_one_of_a_batch_and_one_alone():
    robot = arm()
    moving = paths(robot, 9)
    batch = fc.contact_intervals(moving, OBSTACLES)
    q0, q1 = moving.motion.configuration(0.0), moving.motion.configuration(1.0)
    for k in range(9):
        alone = fc.contact_intervals(robot.moving(q0[k], q1[k]), OBSTACLES)
        assert list(alone) == list(batch[k])
        assert (alone.a, alone.b) == (batch[k].a, batch[k].b)
    assert pickle.loads(pickle.dumps(batch)) == batch
    assert repr(batch) == f"RobotIntervals(9 motions, {len(batch.touch)} intervals)"


def test_on_waypoints_and_on_a_spline():
    """There and back: twice in contact on either, and a thrown ball passes in between."""
    robot, ball = hinge(fc.Capsule(0.05, 1)), fc.Sphere(0.1).at((HERE, [0.6, 0, 0.8]))
    there = fc.contact_intervals(robot.along([[0], [1.3], [0]]), ball)
    middle, half = np.arctan2(0.6, 0.8), np.arcsin(0.15)
    truth = np.array([[middle - half, middle + half], [2.6 - middle - half, 2.6 - middle + half]]) / 2.6
    brackets(there, truth, 1e-5)
    spline = CubicSpline([0, 0.5, 1], [[0], [1.3], [0]], bc_type="clamped")
    smooth = fc.contact_intervals(robot.along(spline), ball, tolerance=1e-5)
    times = np.linspace(0, 1, 200_001)
    is_near = np.abs(spline(times)[:, 0] - middle) <= half
    starts = times[np.flatnonzero(np.diff(is_near.astype(int)) == 1)]
    ends = times[np.flatnonzero(np.diff(is_near.astype(int)) == -1)]
    assert len(smooth) == len(starts) == 2
    assert (smooth.touch[:, 0] <= starts + 1e-5).all()
    assert (smooth.touch[:, 1] >= starts - 1e-5).all()
    assert (smooth.part[:, 0] <= ends + 1e-5).all()
    assert (smooth.part[:, 1] >= ends - 1e-5).all()
    assert np.diff(smooth.touch).max() < 1e-3


def test_inside_a_closed_mesh_all_along():
    """A link goes into a room through its wall, is in it without touching, and comes out again."""
    slide = fc.Joint("slide", "prismatic", "base", "cart", axis=[1, 0, 0])
    robot = fc.Robot({"base": (), "cart": fc.Box([0.2, 0.2, 0.2])}, [slide])
    room = fc.Cylinder(1, 2).mesh
    hollow = fc.Mesh(room.vertices, room.faces)
    notch = fc.Mesh(  # not convex: another part, far away
        np.concatenate([hollow.vertices, hollow.vertices * 0.1 + [0, 9, 0]]),
        np.concatenate([hollow.faces, hollow.faces + len(hollow.vertices)]),
    )
    found = fc.contact_intervals(robot.moving([-3], [3]), notch)
    assert len(found) == 1
    assert found.is_proven.all()
    assert found.touch[0, 0] <= (3 - 1.1) / 6 <= found.touch[0, 1] + 1e-3
    assert found.part[0, 0] - 1e-3 <= (3 + 1.1) / 6 <= found.part[0, 1]
    assert found.doubt[0] < 1e-3
    (always,) = fc.contact_intervals(robot.moving([-0.1], [0.1]), notch)
    assert always == ((0, 0), (1, 1))


def test_at_the_ends_and_all_along():
    robot = hinge(fc.Box([0.1, 0.1, 1]))
    table = fc.Box([4, 4, 1]).at((HERE, [0, 0, -0.5]))  # its top is where the arm begins
    resting = fc.contact_intervals(robot.at([0]), table)
    assert (len(resting) == 1 and list(resting) == [((0, 1), (0, 1))]) or resting.is_proven.all()
    still = fc.contact_intervals(robot.at([0.3]), fc.Sphere(0.2).at((HERE, [9, 0, 0])))
    assert len(still) == 0
    assert still.a == []
    deep = fc.contact_intervals(robot.at([0.3]), fc.Sphere(0.5))
    assert list(deep) == [((0, 0), (1, 1))]
    away = fc.contact_intervals(robot.moving([0], [1]), fc.Sphere(0.1).at((HERE, [0, 0, 0.9])))
    assert next(iter(away))[0] == (0, 0)
    assert away.part[0, 1] < 1
    assert len(fc.contact_intervals(robot.moving([0], [1]), {})) == 0
    with pytest.raises(ValueError, match=r"^there is nothing to check"):
        fc.contact_intervals(robot.moving([0], [1]))
    with pytest.raises(ValueError, match=r"^solid has no meaning for robots"):
        fc.contact_intervals(robot.moving([0], [1]), table, solid=True)
