import dataclasses
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from firstcontact.motions import rigid_motion
from firstcontact.motions.rigid_motion import N_COLUMNS, pose_at
from firstcontact.motions.rigid_paths import motion_along, motion_at, motion_between, motion_with
from poses import moved, random_poses

POSES = random_poses(6, seed=7)
CENTER = np.array([0.5, -2.0, 1.0])
KINDS = ("constant", "screw")

seeds = st.integers(0, 2**32 - 1)
times = st.floats(0.0, 1.0)


def test_the_columns_are_those_named():
    motion = motion_along(POSES, [0, 0.1, 0.2, 0.5, 0.7, 1], CENTER, "constant")
    rows = motion.rows()
    assert rows.shape == (1, 5, N_COLUMNS)
    assert rows.dtype == np.float64
    assert rows.flags.c_contiguous
    assert rows.flags.writeable
    assert rows is motion.rows()
    parts = {
        "ROTATION": POSES[:-1, :3, :3].reshape(5, 9),
        "POSITION": [moved(pose, CENTER) for pose in POSES[:-1]],
        "VELOCITY": motion.velocities[0],
        "CENTER": np.tile(CENTER, (5, 1)),
        "START_TIME": motion.times[:-1, np.newaxis],
        "END_TIME": motion.times[1:, np.newaxis],
    }
    for name, part in parts.items():
        first = getattr(rigid_motion, name)
        width = np.shape(part)[1]
        np.testing.assert_allclose(rows[0, :, first : first + width], part, rtol=0, atol=1e-14)
    axes, rates = rows[0, :, rigid_motion.AXIS : rigid_motion.RATE], rows[0, :, rigid_motion.RATE]
    np.testing.assert_allclose(np.linalg.norm(axes, axis=1), 1.0, rtol=0, atol=1e-15)
    np.testing.assert_allclose(axes * rates[:, np.newaxis], motion.angular_velocities[0])
    assert (rates > 0.0).all()


@given(seeds, times, st.sampled_from(KINDS))
def test_kernels_see_the_same_motion(seed, t, path):
    poses = random_poses(2, seed)
    motion = motion_between(poses[0], poses[1], CENTER, path)
    row = motion.rows()[0, 0]
    orientation, position = pose_at(row, t)
    pose = motion.pose(t)
    np.testing.assert_allclose(np.reshape(orientation, (3, 3)), pose[:3, :3], rtol=0, atol=2e-15)
    reach = 1.0 + np.abs(row).max()
    np.testing.assert_allclose(position, moved(pose, motion.centers[0, 0]), rtol=0, atol=4e-15 * reach)
    assert pose_at.py_func(row, t) == (orientation, position)


@given(seeds, st.integers(0, 4), times)
def test_poses_are_those_of_the_formula(seed, piece, part):
    poses = random_poses(6, seed)
    motion = motion_along(poses, [0, 0.1, 0.2, 0.5, 0.7, 1], CENTER, "constant")
    begin, end = motion.times[piece], motion.times[piece + 1]
    t = min(begin + part * (end - begin), np.nextafter(end, 0.0))
    passed = t - begin
    start, center = poses[piece], motion.centers[0, piece]
    turned = Rotation.from_rotvec(passed * motion.angular_velocities[0, piece]).as_matrix() @ start[:3, :3]
    shift = start[:3, 3] + passed * motion.velocities[0, piece] + (start[:3, :3] - turned) @ center
    np.testing.assert_allclose(motion.pose(t)[:3, :3], turned, rtol=0, atol=4e-15)
    np.testing.assert_allclose(motion.pose(t)[:3, 3], shift, rtol=0, atol=4e-14)
    assert motion.pose(t)[3].tolist() == [0, 0, 0, 1]


def test_a_resting_pose_is_the_one_given():
    for motion in (motion_at(POSES[0]), motion_with(POSES[0], [0, 0, 0], None, CENTER, "screw")):
        assert motion.is_resting
        for t in (0.0, 0.3, 1.0):
            assert motion.pose(t).tolist() == POSES[0].tolist()
        orientation, position = pose_at(motion.rows()[0, 0], 0.3)
        assert orientation == tuple(POSES[0, :3, :3].ravel())
        np.testing.assert_allclose(position, moved(POSES[0], motion.centers[0, 0]), rtol=0, atol=1e-15)


def test_what_moves_does_not_rest():
    assert not motion_with(POSES[0], [0, 0, 1e-300], None, CENTER, "constant").is_resting
    assert not motion_with(POSES[0], None, [0, 5e-324, 0], CENTER, "constant").is_resting
    assert motion_between(POSES[0], POSES[0], CENTER, "constant").is_resting
    assert not motion_along(POSES[[0, 0, 1]], None, CENTER, "constant").is_resting


def test_batches_have_a_leading_axis():
    motion = motion_at(POSES)
    assert len(motion) == 6
    assert motion.is_batch
    assert motion.pose(0.5).shape == (6, 4, 4)
    assert motion.vertices(0.5, np.zeros((2, 3))).shape == (6, 2, 3)
    assert motion_at(POSES[:1]).pose(0.0).shape == (1, 4, 4)
    assert motion_at(POSES[0]).pose(0.0).shape == (4, 4)
    nobody = motion_between(POSES[:0], POSES[0], CENTER, "screw")
    assert len(nobody) == 0
    assert nobody.pose(0.5).shape == (0, 4, 4)
    assert nobody.vertices(0.5, np.zeros((2, 3))).shape == (0, 2, 3)


def test_vertices_are_where_the_pose_takes_them():
    points = np.random.default_rng(0).normal(size=(50, 3))
    motion = motion_between(POSES[:3], POSES[3:], CENTER, "screw")
    for t in (0.0, 0.4, 1.0):
        expected = [moved(pose, points) for pose in motion.pose(t)]
        np.testing.assert_allclose(motion.vertices(t, points), expected, rtol=0, atol=1e-14)
    assert motion.vertices(0.4, points[:0]).shape == (3, 0, 3)


def test_the_identity_keeps_every_bit():
    points = np.array([[-0.0, 5e-324, 1e45], [0.1, -0.0, 1.0 / 3.0]])
    for pose in (np.eye(4), np.eye(4)[np.newaxis]):
        positions = motion_at(pose).vertices(0.7, points)
        assert positions.reshape(2, 3).tobytes() == points.tobytes()
        assert not np.shares_memory(positions, points)
        assert positions.flags.writeable


def test_motions_are_frozen_and_travel():
    motion = motion_between(POSES[0], POSES[1], CENTER, "screw")
    with pytest.raises(dataclasses.FrozenInstanceError):
        motion.times = None
    twin = pickle.loads(pickle.dumps(motion))
    assert twin.pose(0.3).tolist() == motion.pose(0.3).tolist()
    motion.velocities[:], motion.centers[:], motion.rotations[:] = 0, 0, 0
    assert twin.pose(0.3).tolist() == motion.pose(0.3).tolist()


def test_repr_tells_how_far():
    still, there = np.eye(4), np.eye(4)
    there[0, 3] = 3.0
    assert repr(motion_at(still)) == "RigidMotion(at rest)"
    assert repr(motion_at(np.empty((0, 4, 4)))) == "RigidMotion(0 motions, at rest)"
    assert repr(motion_between([still] * 2, there, CENTER, "constant")) == (
        "RigidMotion(2 motions, by up to 3, turning by up to 0 rad)"
    )
    assert repr(motion_along([still, there, still], None, [0, 0, 0], "constant")) == (
        "RigidMotion(2 pieces, by up to 6, turning by up to 0 rad)"
    )
    assert repr(motion_with(still, None, [0, 0, 12.5], CENTER, "constant")) == (
        "RigidMotion(by up to 0, turning by up to 12.5 rad)"
    )
