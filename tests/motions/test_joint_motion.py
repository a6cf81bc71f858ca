import dataclasses

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from firstcontact.motions.joint_motion import JointMotion, brought_near


def motion_of(configurations, times=(0.0, 1.0), quaternions=(), is_batch=False):
    values = np.array(configurations, float)
    brought_near(values, quaternions)
    return JointMotion(values, np.array(times, float), quaternions, is_batch)


def test_numbers_go_straight():
    motion = motion_of([[[0, 1], [2, -3]]])
    assert motion.configuration(0.0).tolist() == [0, 1]
    assert motion.configuration(0.25).tolist() == [0.5, 0]
    assert motion.configuration(1.0).tolist() == [2, -3]


def test_a_batch_has_a_leading_axis():
    motion = motion_of([[[0], [2]], [[1], [1]]], is_batch=True)
    assert len(motion) == 2
    assert motion.configuration(0.5).tolist() == [[1], [1]]
    assert motion_of([[[0], [2]]], is_batch=True).configuration(0.5).tolist() == [[1]]
    assert motion_of(np.empty((0, 2, 3)), is_batch=True).configuration(0.5).shape == (0, 3)


def test_pieces_meet_where_they_should():
    motion = motion_of([[[0], [1], [5], [5]]], [0, 0.5, 0.75, 1])
    assert [motion.configuration(t).tolist() for t in (0, 0.25, 0.5, 0.625, 0.75, 0.9, 1)] == [
        [0],
        [0.5],
        [1],
        [3],
        [5],
        [5],
        [5],
    ]


def test_what_does_not_move_is_at_rest():
    assert motion_of([[[1, 2], [1, 2]]]).is_resting
    assert motion_of([[[1, 2], [1, 2]], [[3, 4], [3, 4]]], is_batch=True).is_resting
    assert motion_of(np.empty((1, 2, 0))).is_resting
    assert not motion_of([[[1, 2], [1, 2]], [[3, 4], [3, 5]]], is_batch=True).is_resting
    assert not motion_of([[[1], [2], [1]]], [0, 0.5, 1]).is_resting


@pytest.mark.parametrize("seed", range(10))
def test_quaternions_turn_at_a_constant_rate_by_the_shorter_way(seed):
    rng = np.random.default_rng(seed)
    turns = Rotation.random(2, rng=rng)
    ends = turns.as_quat() * [[1], [rng.choice([-1, 1])]]
    # Numbers before the quaternion, and one after it.
    motion = motion_of([[[9, 0, 0, 0, *ends[0], 1], [5, 1, 2, 3, *ends[1], 2]]], quaternions=(4,))
    for t in (0.0, 0.3, 0.5, 1.0):
        found = motion.configuration(t)
        np.testing.assert_allclose(found[:4], [9 - 4 * t, t, 2 * t, 3 * t], atol=1e-15)
        np.testing.assert_allclose(found[8], 1 + t)
        assert abs(np.linalg.norm(found[4:8]) - 1.0) < 1e-15
        turn = Rotation.from_quat(found[4:8])
        np.testing.assert_allclose(turn.as_matrix(), Slerp([0, 1], turns)(t).as_matrix(), atol=1e-14)


def test_quaternions_are_brought_near_the_one_before():
    values = np.zeros((2, 3, 8))
    values[..., 7] = [[1, -1, -1], [-1, 1, -1]]
    values[..., 0] = 5.0
    brought_near(values, (4,))
    assert values[..., 7].tolist() == [[1, 1, 1], [-1, -1, -1]]
    assert (values[..., 0] == 5.0).all()
    there_and_back = motion_of([[[0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, -1]]], quaternions=(3,))
    assert there_and_back.is_resting


@pytest.mark.parametrize("angle", [0.0, 1e-300, 1e-12, 1e-8, 1e-5, 1e-4, 3e-4])
def test_quaternions_that_are_all_but_equal(angle):
    ends = Rotation.from_rotvec([[0, 0, 0], [0, 0, angle]]).as_quat()
    motion = motion_of([[[0, 0, 0, *end] for end in ends]], quaternions=(3,))
    turn = Rotation.from_quat(motion.configuration(0.25)[3:]).as_rotvec()
    np.testing.assert_allclose(turn, [0, 0, 0.25 * angle], rtol=1e-9, atol=1e-16)


def test_it_cannot_be_changed_and_gives_out_copies():
    motion = motion_of([[[0.0], [1.0]]])
    with pytest.raises(dataclasses.FrozenInstanceError):
        motion.times = None
    motion.configuration(0.0)[:] = 7.0
    assert motion.configuration(0.0).tolist() == [0.0]


@pytest.mark.parametrize(
    ("motion", "text"),
    [
        (motion_of([[[0, 0], [1, -2]]]), "JointMotion(by up to 2)"),
        (motion_of([[[0], [0]]]), "JointMotion(at rest)"),
        (motion_of([[[0], [1], [0]]], [0, 0.5, 1]), "JointMotion(2 pieces, by up to 2)"),
        (motion_of([[[0], [1]], [[0], [4]]], is_batch=True), "JointMotion(2 motions, by up to 4)"),
        (motion_of(np.empty((0, 2, 3)), is_batch=True), "JointMotion(0 motions, at rest)"),
    ],
)
def test_it_says_what_it_is(motion, text):
    assert repr(motion) == text
