"""States and bounds of frames, against poses computed at many times."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from articulated.plain_kinematics import plain_poses, random_tree
from firstcontact.articulated.paths.frame_rows import frame_rows
from firstcontact.articulated.paths.frames import (
    N_STATE,
    PLACE,
    SPIN,
    VELOCITY,
    place_frames,
    reach_of,
    turn_of,
    twist_at,
    vector_of,
)
from samples import sample

STEP = 1e-5  # of differences in place of derivatives


class Case:
    """A random robot on its way, its frames at a time, and points that hang on one of them."""

    def __init__(self, seed):
        self.links, self.joints = random_tree(seed)
        self.robot = fc.Robot(dict.fromkeys(self.links, ()), self.joints)
        self.tree, rng = self.robot.tree, np.random.default_rng(seed)
        ends = rng.normal(size=(2, self.robot.dof))
        self.motion = self.robot.moving(*ends).motion
        self.rows, self.t = frame_rows(self.tree, self.motion)[0, 0], rng.uniform(0.3, 0.7)
        self.states = np.zeros((len(self.rows), N_STATE))
        place_frames(self.rows, self.tree.parents, self.t, self.states)
        # The last frame carries the most; its base may be any that carries it, or the world.
        self.frame = len(self.rows) - 1
        chain = [-1]
        f = self.frame
        while f >= 0:
            f = int(self.tree.parents[f])
            chain.append(f)
        self.base = int(rng.choice(chain))
        self.center, self.radius = rng.normal(size=3), rng.uniform(0.1, 0.5)
        offsets = rng.normal(size=(20, 3))
        offsets *= self.radius / np.linalg.norm(offsets, axis=1, keepdims=True)
        self.points = self.center + offsets

    def pose(self, frame, t):
        """Pose of a frame, by that of the link which its joint turns."""
        if frame < 0:
            return np.eye(4)
        return plain_poses(self.links, self.joints, self.motion.configuration(t))[
            self.tree.joints[frame].child
        ]

    def seen(self, points, t, base=-1):
        """Where points of the frame are, as seen from a base."""
        pose = np.linalg.inv(self.pose(base, t)) @ self.pose(self.frame, t)
        return points @ pose[:3, :3].T + pose[:3, 3]


CASES = [seed for seed in range(40) if any(joint.kind != "fixed" for joint in random_tree(seed)[1])][:25]


@pytest.mark.parametrize("seed", CASES)
def test_frames_are_where_links_are(seed):
    case = Case(seed)
    for f in range(len(case.rows)):
        pose = case.pose(f, case.t)
        np.testing.assert_allclose(np.reshape(turn_of(case.states, f), (3, 3)), pose[:3, :3], atol=1e-11)
        np.testing.assert_allclose(vector_of(case.states, f, PLACE), pose[:3, 3], atol=1e-11)


@pytest.mark.parametrize("seed", CASES)
def test_frames_move_as_differences_say(seed):
    case = Case(seed)
    for f in range(len(case.rows)):
        before, after = case.pose(f, case.t - STEP), case.pose(f, case.t + STEP)
        velocity = (after - before)[:3, 3] / (2 * STEP)
        spin = Rotation.from_matrix(after[:3, :3] @ before[:3, :3].T).as_rotvec() / (2 * STEP)
        np.testing.assert_allclose(vector_of(case.states, f, VELOCITY), velocity, atol=1e-6)
        np.testing.assert_allclose(vector_of(case.states, f, SPIN), spin, atol=1e-6)


@pytest.mark.parametrize("seed", CASES)
def test_a_point_moves_as_seen_from_the_base(seed):
    case = Case(seed)
    point = case.seen(case.center[None], case.t)[0]
    twist = twist_at(case.states, case.frame, case.base, tuple(point))
    turn = case.pose(case.base, case.t)[:3, :3]  # from the axes of the base to those of the world
    ends = [case.seen(case.center[None], case.t + step, case.base)[0] for step in (-STEP, STEP)]
    np.testing.assert_allclose(twist.velocity, turn @ (ends[1] - ends[0]) / (2 * STEP), atol=1e-6)


@pytest.mark.parametrize("seed", CASES)
@pytest.mark.parametrize("span", [0.0, 0.1, 0.3])
def test_no_point_of_a_ball_is_faster_or_bends_more_than_its_bounds(seed, span):
    case = Case(seed)
    center = tuple(case.seen(case.center[None], case.t)[0])
    reach = reach_of(case.states, case.tree.parents, case.frame, case.base, center, case.radius, span)
    step = 1e-4
    for t in case.t + np.linspace(-span, span, sample(3, of=9)):
        before, now, after = (case.seen(case.points, t + d, case.base) for d in (-step, 0.0, step))
        speeds = np.linalg.norm(after - before, axis=1) / (2 * step)
        bends = np.linalg.norm(after - 2 * now + before, axis=1) / step**2
        assert speeds.max() <= reach.speed + 1e-5 * (1 + reach.speed)
        assert bends.max() <= reach.bend + 1e-4 * (1 + reach.bend)


def test_what_does_not_move_has_no_bounds():
    states = np.zeros((0, N_STATE))
    reach = reach_of(states, np.empty(0, np.int32), -1, -1, (1.0, 2.0, 3.0), 1.0, 1.0)
    assert reach == (0.0, 0.0)


def test_one_joint_has_the_speed_of_its_circle():
    robot = fc.Robot({"a": (), "b": ()}, [fc.Joint("j", "revolute", "a", "b", axis=[0, 0, 1])])
    rows = frame_rows(robot.tree, robot.moving([0], [-2]).motion)[0, 0]
    states = np.zeros((1, N_STATE))
    place_frames(rows, robot.tree.parents, 0.5, states)
    reach = reach_of(states, robot.tree.parents, 0, -1, (3.0, 4.0, 7.0), 1.0, 0.5)
    assert reach.speed == pytest.approx(2 * 6)
    assert reach.bend == pytest.approx(4 * 6)
