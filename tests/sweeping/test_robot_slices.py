"""Slices of robots' paths: links are as near to straight ways as is said."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import firstcontact as fc
from firstcontact.sweeping.robot_slices import robot_slices
from firstcontact.sweeping.slices import Fineness

ARM = fc.Robot(
    {
        "base": (),
        "upper": fc.Sphere(0.2),
        "cart": (),
        "fore": fc.Sphere(0.1),
        "hand": fc.Box([0.5, 0.2, 0.1]),
    },
    [
        fc.Joint("shoulder", "revolute", "base", "upper", axis=[0, 0, 1]),
        fc.Joint(
            "slide", "prismatic", "upper", "cart", [[0, -1, 0, 1], [1, 0, 0, 0], [0, 0, 1, 0.2], [0, 0, 0, 1]]
        ),
        fc.Joint("elbow", "continuous", "cart", "fore", (np.eye(3), [0.3, 0, 0]), axis=[0, 1, 0]),
        fc.Joint("hold", "fixed", "fore", "hand", (np.eye(3), [1.0, 0, 0])),
    ],
)
FREE = fc.Robot({"world": (), "body": fc.Box([1, 1, 1])}, [fc.Joint("free", "floating", "world", "body")])
KNOTS = np.array([[0.0, 0.0, 0.0], [1.0, 0.5, -2.0], [2.5, -0.3, 1.0]])
MOTIONS = {
    "straight": (ARM, ARM.moving([0, 0, 0], [2, 1, -3]), "hand"),
    "waypoints": (ARM, ARM.along(KNOTS, [0, 0.2, 1]), "hand"),
    "spline": (ARM, ARM.along(CubicSpline([0, 1, 3], KNOTS)), "hand"),
    "first link": (ARM, ARM.moving([0, 0, 0], [2, 1, -3]), "upper"),
    "base": (ARM, ARM.moving([0, 0, 0], [2, 1, -3]), "base"),
    "floating": (FREE, FREE.moving([0, 0, 0, 0, 0, 0, 1], [1, 2, 0, 1, 0, 0, 0.2]), "body"),
}
POINTS = np.random.default_rng(0).uniform(-0.5, 0.5, (20, 3))
REACH = float(np.linalg.norm(POINTS, axis=1).max())


@pytest.mark.parametrize("name", MOTIONS)
@pytest.mark.parametrize("deviation", [0.05, 1e-3])
def test_points_of_links_are_near_their_chords(name, deviation):
    robot, moving, link = MOTIONS[name]
    slices = robot_slices(robot, moving.motion, link, REACH, Fineness(deviation, 0.5, np.inf))
    assert slices.deviations.max() <= deviation
    starts, ends = (p[:, :3, :3] @ POINTS.T + p[:, :3, 3:] for p in (slices.starts, slices.ends))
    ways = ends - starts
    lengths = np.einsum("kij,kij->kj", ways, ways)
    for t in np.linspace(0.0, 1.0, 101):
        at = robot.link_poses(moving.motion.configuration(float(t)))[link]
        placed = at[:3, :3] @ POINTS.T + at[:3, 3:]
        part = np.einsum("kij,kij->kj", placed - starts, ways) / np.where(lengths > 0, lengths, 1.0)
        off = np.linalg.norm(placed - starts - np.clip(part, 0, 1)[:, None] * ways, axis=1).max(axis=1)
        assert (off <= slices.deviations).any(), t


def test_slices_go_no_farther_than_told():
    robot, moving, link = MOTIONS["straight"]
    slices = robot_slices(robot, moving.motion, link, REACH, Fineness(1.0, 1.0, 0.1))
    ways = (slices.ends - slices.starts)[:, :3] @ np.append(POINTS, np.ones((20, 1)), axis=1).T
    assert np.linalg.norm(ways, axis=1).max() <= 0.1
