"""Motions by quaternions of any length: places against fractions, deviations against their bounds."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.motions.rigid_motion import DEVIATION, N_COLUMNS
from firstcontact.motions.trajectories.quaternion_trajectory import (
    quaternion_path,
    quaternions_of,
)
from oracles.quaternion_motion import exact_place
from samples import sample

TURNS = {
    "any": [[0.3, -1.0, 2.0], [-1.1, 0.4, 0.2]],
    "half": [[0, 0, 0], [0, 0, np.pi]],
    "none": [[0.5, 0, 0], [0.5, 0, 0]],
    "tiny": [[0, 0, 0], [0, 1e-12, 0]],
    "beyond half": [[0, 0, -2.0], [0, 0, 2.0]],
}


def poses(name, far=1.0):
    rotations = Rotation.from_rotvec(TURNS[name]).as_matrix()
    return [(rotations[k], far * np.array([[-2.0, 0.5, 0.1], [1.0, 0.2, -0.3]][k])) for k in range(2)]


def distance(exact, place):
    return float(sum((p - Fraction(x)) ** 2 for p, x in zip(exact, place, strict=True))) ** 0.5


def place_by_row(row, point, t):
    """Where a piece has a body point; pieces about the origin of the body's frame."""
    from firstcontact.motions.rigid_motion import AXIS, BASE_TIME, POSITION, RATE, ROTATION, VELOCITY

    since = t - row[BASE_TIME]
    turn = Rotation.from_rotvec(row[AXIS : AXIS + 3] * row[RATE] * since).as_matrix()
    return (
        row[POSITION : POSITION + 3]
        + since * row[VELOCITY : VELOCITY + 3]
        + turn @ row[ROTATION:POSITION].reshape(3, 3) @ point
    )


@pytest.mark.parametrize("name", TURNS)
@pytest.mark.parametrize("center", [[0, 0, 0], [0.3, -2.0, 1.0]])
def test_pieces_are_as_near_as_they_say(name, center):
    path = quaternion_path(*poses(name), center)
    rng = np.random.default_rng(5)
    for _ in range(sample(6, of=100)):
        start, end = np.sort(rng.random(2) * rng.choice([1.0, 0.1, 0.001]))
        row = np.zeros((1, N_COLUMNS))
        path.write_rows(np.zeros(1, np.intp), np.array([start]), np.array([end]), np.array([2.0]), row)
        for t in (start, end, 0.5 * (start + end)):
            point = rng.normal(size=3)
            point *= 2.0 / np.linalg.norm(point) * (1 - 1e-15)
            off = distance(exact_place(path.numbers[0], point, t), place_by_row(row[0], point, t))
            assert off <= row[0, DEVIATION] + 1e-14
        width = end - start
        assert row[0, DEVIATION] < 200.0 * width * width + 1e-13


@pytest.mark.parametrize("name", TURNS)
def test_poses_are_those_of_the_quaternion(name):
    start, end = poses(name)
    path = fc.Box([1, 2, 3]).moving(start, end, path="quaternion", center=[1, 0, 2])
    for t in (0.0, 0.25, 1.0):
        pose = path.pose(t)
        exact = exact_place(path.motion.law.trajectory.numbers[0], [0.5, -1.0, 1.5], t)
        assert distance(exact, pose[:3, :3] @ [0.5, -1.0, 1.5] + pose[:3, 3]) < 1e-14
    for t, (rotation, translation) in ((0.0, start), (1.0, end)):
        assert np.allclose(path.pose(t)[:3, :3], rotation, atol=1e-14)
        assert np.allclose(path.pose(t)[:3, 3], translation, atol=1e-14)


def test_quaternions_of_all_turns():
    rotations = Rotation.random(500, random_state=2)
    found = quaternions_of(rotations.as_matrix())
    signs = np.sign((found * rotations.as_quat()).sum(axis=1, keepdims=True))
    assert np.abs(signs * found - rotations.as_quat()).max() < 1e-15
    halves = quaternions_of(np.array([np.diag(d) for d in ([1.0, -1, -1], [-1.0, 1, -1], [-1.0, -1, 1])]))
    assert np.abs(halves).tolist() == np.eye(4)[:3].tolist()


def test_it_turns_fastest_in_the_middle():
    path = fc.Sphere(1).moving(*poses("any"), path="quaternion")
    angles = [
        Rotation.from_matrix(path.pose(t + 0.01)[:3, :3] @ path.pose(t)[:3, :3].T).magnitude()
        for t in (0.0, 0.495, 0.99)
    ]
    assert angles[1] > 1.2 * max(angles[0], angles[2])


def test_batches_and_those_of_one():
    ends = np.stack([np.eye(4), np.eye(4)])
    ends[1, :3, :3] = Rotation.from_rotvec([0, 1, 0]).as_matrix()
    many = fc.Box([1, 1, 1]).moving(np.eye(4), ends, path="quaternion")
    assert many.pose(0.5).shape == (2, 4, 4)
    one = fc.Box([1, 1, 1]).moving(np.eye(4), ends[1], path="quaternion")
    assert (many.pose(0.5)[1] == one.pose(0.5)).all()
    assert "by quaternions" in repr(many.motion.law.trajectory)
    nobody = fc.Box([1, 1, 1]).moving(np.eye(4), ends[:0], path="quaternion")
    assert len(nobody.motion) == 0


def test_first_contacts_are_not_late():
    # A rod about its end, from along x to along y: its tip is where the quaternion has it.
    rod, wall = fc.Box([2, 0.02, 0.02]), fc.Box([9, 1, 9]).at((np.eye(3), [0, 1.0, 0]))
    end = Rotation.from_rotvec([0, 0, np.pi / 2]).as_matrix()
    swung = rod.moving(np.eye(4), (end, [0, 0, 0]), path="quaternion", center=[0, 0, 0])
    found = fc.first_contact(swung, wall)
    # sin(angle) + 0.01 cos(angle) = 0.5, and tan(angle / 2) = t sin(pi/4) / (1 - t + t cos(pi/4)).
    angle = np.arcsin(0.5 / np.hypot(1, 0.01)) - np.arctan(0.01)
    half, h = np.tan(angle / 2), np.sqrt(0.5)
    truth = half / (h + half * (1 - h))
    assert found.time <= truth <= found.time_upper
    assert truth - found.time < 1e-5


def test_what_it_does_not_take():
    box, pose = fc.Box([1, 1, 1]), np.eye(4)
    wrong = [
        lambda: box.moving(pose, pose, path="quaternion", acceleration=[0, 0, 1]),
        lambda: box.moving(pose, velocity=np.array([0.0, 0, 1]), path="quaternion"),
        lambda: box.along(np.stack([pose] * 3), path="quaternion"),
        lambda: box.along([pose, pose], [0, 1], path="quaternion"),
    ]
    for call in wrong:
        with pytest.raises(ValueError, match="from a start to an end"):
            call()
    with pytest.raises(TypeError, match="HalfSpace goes through poses"):
        fc.HalfSpace([0, 0, 1], 0).moving(pose, pose, path="quaternion")
    with pytest.raises(ValueError, match="center must have shape"):
        box.moving(pose, pose, path="quaternion", center=[[0, 0, 0]])
    with pytest.raises(ValueError, match=r"start and end must be batches of one length.*2 and 3"):
        box.moving(np.stack([pose] * 2), np.stack([pose] * 3), path="quaternion")
    with pytest.raises(ValueError, match=r"path.*quaternion"):
        box.moving(pose, pose, path="linear")
