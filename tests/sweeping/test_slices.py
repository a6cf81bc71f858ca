"""Slices of rigid motions: bodies are as near to straight ways as is said."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.sweeping.slices import Fineness, fine_rows, halved, rigid_slices

POINTS = np.random.default_rng(0).normal(size=(30, 3))
BALL = np.zeros(3), float(np.linalg.norm(POINTS, axis=1).max())
HULL = fc.ConvexHull(POINTS)


def pose(seed):
    rng = np.random.default_rng(seed)
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    found = np.eye(4)
    found[:3, :3], found[:3, 3] = q * np.linalg.det(q), rng.normal(size=3)
    return found


MOTIONS = {
    "velocities": HULL.moving(pose(1), velocity=[3, 1, 0], angular_velocity=[1, -5, 2]),
    "ends": HULL.moving(pose(1), pose(2)),
    "screw": HULL.moving(pose(1), pose(2), path="screw"),
    "thrown": HULL.moving(pose(1), velocity=[3, 1, 0], angular_velocity=[1, 2, 2], acceleration=[0, 0, -9]),
    "poses": HULL.along(np.stack([pose(k) for k in range(4)]), [0, 0.1, 0.7, 1]),
    "spline": HULL.along(fc.Spline([0, 0.4, 1], np.stack([pose(k) for k in range(3)]))),
    "straight": HULL.moving(pose(1), velocity=[1e3, 0, 0]),
    "rest": HULL.at(pose(1)),
}


@pytest.mark.parametrize("name", MOTIONS)
@pytest.mark.parametrize("deviation", [0.1, 1e-3])
def test_points_are_near_their_chords(name, deviation):
    moving = MOTIONS[name]
    slices = rigid_slices(moving.rigid, BALL, Fineness(deviation, 0.5, np.inf))
    assert slices.deviations.max() <= deviation * (1 + 1e-9)
    times = np.sort(np.random.default_rng(3).random(200))
    starts, ends = (p[:, :3, :3] @ POINTS.T + p[:, :3, 3:] for p in (slices.starts, slices.ends))
    for t in (0.0, 1.0, *times):
        at = moving.pose(float(t))
        placed = at[:3, :3] @ POINTS.T + at[:3, 3:]
        ways = ends - starts
        lengths = np.einsum("kij,kij->kj", ways, ways)
        part = np.einsum("kij,kij->kj", placed - starts, ways) / np.where(lengths > 0, lengths, 1.0)
        off = np.linalg.norm(placed - starts - np.clip(part, 0, 1)[:, None] * ways, axis=1).max(axis=1)
        assert (off <= slices.deviations * (1 + 1e-9)).any(), t


def test_slices_turn_and_go_no_farther_than_told():
    fine = Fineness(1.0, 0.05, 0.2)
    slices = rigid_slices(MOTIONS["velocities"].rigid, BALL, fine)
    turns = np.einsum("kji,kjl->kil", slices.starts[:, :3, :3], slices.ends[:, :3, :3])
    assert np.arccos(np.clip((np.trace(turns, axis1=1, axis2=2) - 1) / 2, -1, 1)).max() <= 0.05 + 1e-6
    ways = (slices.ends - slices.starts)[:, :3] @ np.append(POINTS, np.ones((30, 1)), axis=1).T
    assert np.linalg.norm(ways, axis=1).max() <= 0.2


def test_a_straight_way_is_one_slice_and_rest_too():
    for name in ("straight", "rest"):
        assert len(rigid_slices(MOTIONS[name].rigid, BALL, Fineness(1e-3, 1.0, np.inf)).deviations) == 1


def test_pieces_of_a_law_are_halved_until_they_deviate_little():
    rows = fine_rows(MOTIONS["thrown"].rigid, 1e-4)
    assert 1 < len(rows) < 1000
    assert halved(np.array([0.0, 1.0, 2.0]), np.array([True, False])).tolist() == [0.0, 0.5, 1.0, 2.0]


def test_a_motion_of_too_many_slices_is_refused_in_a_sentence():
    spinning = HULL.moving(pose(1), angular_velocity=[1e9, 0, 0])
    with pytest.raises(ValueError, match="slices of time: allow a larger tolerance"):
        rigid_slices(spinning.rigid, BALL, Fineness(1e-3, 0.1, np.inf))
