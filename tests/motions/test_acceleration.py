"""Throws: their pieces are as near as they say, and their poses are those of the closed form."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.motions.rigid_motion import (
    AXIS,
    BASE_TIME,
    CENTER,
    DEVIATION,
    END_TIME,
    POSITION,
    RATE,
    ROTATION,
    START_TIME,
    VELOCITY,
)
from poses import moved, random_poses

Real = np.longdouble
N = 4000
SHAPE = fc.Box([1, 2, 3])


def thrown(rng, n, size=1.0):
    """Motions of many sizes, and the acceleration of each."""
    start = random_poses(n, 3)
    start[:, :3, 3] *= size
    sizes = size * 10.0 ** rng.uniform(-6, 6, (n, 1))
    velocity, acceleration = rng.normal(size=(n, 3)) * size, rng.normal(size=(n, 3)) * sizes
    moving = SHAPE.moving(
        start, velocity=velocity, angular_velocity=rng.normal(size=(n, 3)), acceleration=acceleration
    )
    return moving, start, velocity, acceleration


def test_no_point_is_farther_from_a_piece_than_it_says():
    rng = np.random.default_rng(0)
    motion = thrown(rng, N)[0].motion
    ends = np.sort(rng.random((N, 2)) ** rng.integers(1, 8, (N, 1)), axis=1)
    rows = motion.refined(np.arange(N), ends)[:, 0].astype(Real)
    base, a = motion.law.pieces[:, 0].astype(Real), motion.law.accelerations.astype(Real)
    for part in (0.0, 0.25, 0.5, 0.9, 1.0):
        t = (ends[:, :1] + part * (ends[:, 1:] - ends[:, :1])).astype(Real)
        true = base[:, POSITION:VELOCITY] + t * base[:, VELOCITY:AXIS] + t * t * a / 2
        seen = rows[:, POSITION:VELOCITY] + t * rows[:, VELOCITY:AXIS]
        away = np.sqrt(((true - seen) ** 2).sum(axis=1))
        assert (away <= rows[:, DEVIATION]).all()
    size = np.abs(base[:, POSITION:AXIS]).sum(axis=1) + np.abs(a).sum(axis=1)
    bend = np.sqrt((a * a).sum(axis=1)) * (ends[:, 1] - ends[:, 0]) ** 2 / 8
    assert (rows[:, DEVIATION] <= bend * (1 + 1e-12) + 4e-15 * size).all()


def test_pieces_turn_as_the_throw_does():
    motion = thrown(np.random.default_rng(1), 5)[0].motion
    rows, base = motion.refined(np.arange(5), np.tile([0.2, 0.5, 0.7], (5, 1))), motion.law.pieces
    assert rows.shape == (5, 2, base.shape[2])
    for columns in (slice(ROTATION, POSITION), slice(AXIS, RATE + 1), slice(CENTER, END_TIME), BASE_TIME):
        assert_array_equal(rows[..., columns], np.broadcast_to(base[..., columns], rows[..., columns].shape))
    assert_array_equal(rows[..., [START_TIME, END_TIME]], [[[0.2, 0.5], [0.5, 0.7]]] * 5)


def test_half_as_long_a_piece_deviates_by_a_quarter():
    motion = SHAPE.moving(np.eye(4), acceleration=[3, 4, 12]).motion
    whole, half, none = (
        motion.refined(np.zeros(1, int), np.array([[0.3, 0.3 + h]]))[0, 0, DEVIATION] for h in (0.4, 0.2, 0.0)
    )
    assert motion.rows()[0, 0, DEVIATION] == pytest.approx(13 / 8)
    assert whole == pytest.approx(13 * 0.16 / 8)
    assert half == pytest.approx(whole / 4)
    assert 0.0 < none < 1e-12


def test_poses_are_those_of_the_closed_form():
    moving, start, velocity, acceleration = thrown(np.random.default_rng(2), 50)
    assert_array_equal(moving.pose(0.0), start)
    straight = SHAPE.moving(start, velocity=velocity, angular_velocity=moving.motion.angular_velocities[:, 0])
    for t in (0.25, 0.5, 1.0):
        expected = straight.pose(t)
        expected[:, :3, 3] += t * t / 2 * acceleration
        np.testing.assert_allclose(moving.pose(t), expected, rtol=1e-13, atol=1e-13)


def test_with_an_end_the_end_is_reached():
    start, end = random_poses(2, 5)
    acceleration = np.array([1.0, -20.0, 3.0])
    straight, bent = SHAPE.moving(start, end), SHAPE.moving(start, end, acceleration=acceleration)
    assert_array_equal(bent.pose(0.0), start)
    np.testing.assert_allclose(bent.pose(1.0), end, atol=1e-13)
    half = straight.pose(0.5)
    half[:3, 3] -= acceleration / 8
    np.testing.assert_allclose(bent.pose(0.5), half, atol=1e-13)


@pytest.mark.parametrize("path", ["constant", "screw"])
def test_every_path_is_bent_alike(path):
    start, end = random_poses(2, 7)
    straight = SHAPE.moving(start, end, path=path, center=[1, 2, 3])
    bent = SHAPE.moving(start, end, path=path, center=[1, 2, 3], acceleration=[8, 0, 0])
    for t in (0.3, 0.8):
        difference = moved(bent.pose(t), np.ones(3)) - moved(straight.pose(t), np.ones(3))
        np.testing.assert_allclose(difference, [4 * t * (t - 1), 0, 0], atol=1e-12)


def test_no_acceleration_is_no_law():
    for acceleration in ([0, 0, 0], np.zeros((3, 3))):
        moving = SHAPE.moving(np.eye(4), velocity=[1, 2, 3], acceleration=acceleration)
        plain = SHAPE.moving(np.eye(4), velocity=[1, 2, 3])
        assert moving.motion.law is None
        assert (moving.motion.rows() == plain.motion.rows()).all()
    assert moving.motion.is_batch
    assert len(moving.motion) == 3


def test_none_of_a_batch_deviates_without_an_acceleration():
    acceleration = [[0, 0, 0], [1, 0, 0]]
    rows = SHAPE.moving(np.eye(4), velocity=[1, 2, 3], acceleration=acceleration).motion.rows()
    plain = SHAPE.moving(np.eye(4), velocity=[1, 2, 3]).motion.rows()
    assert_array_equal(rows[0], plain[0])
    assert rows[1, 0, DEVIATION] == pytest.approx(1 / 8)


def test_what_comes_back_to_its_start_does_not_rest():
    moving = SHAPE.moving(np.eye(4), velocity=[0, 0, 4], acceleration=[0, 0, -8])
    assert not moving.motion.is_resting
    assert "at rest" not in repr(moving.motion)
    assert moving.pose(0.5)[2, 3] == 1.0


@pytest.mark.parametrize("size", [2.0**-140, 2.0**-40, 2.0**40, 2.0**140])
def test_sizes_are_any(size):
    moving, *_ = thrown(np.random.default_rng(4), 20, size / 1e7)
    assert np.isfinite(moving.motion.rows()).all()
    assert (moving.motion.rows()[..., DEVIATION] > 0.0).all()


def test_an_acceleration_too_small_for_squares_still_counts():
    motion = SHAPE.moving(np.eye(4), acceleration=[0, 0, 1e-300]).motion
    assert motion.law is not None
    assert motion.rows()[0, 0, DEVIATION] > 1e-300 / 8


def test_batches_go_together():
    start, one = random_poses(3, 9), np.array([1.0, 0.0, -2.0])
    many = SHAPE.moving(start, velocity=[0, 1, 0], acceleration=one)
    assert len(many.motion) == 3
    each = SHAPE.moving(start[0], velocity=[0, 1, 0], acceleration=np.outer([1, 2, 3], one))
    assert each.pose(1.0).shape == (3, 4, 4)
    assert each.motion.is_batch
    chosen = each.motion.chosen(slice(1, 2), False)
    assert_array_equal(chosen.pose(0.7), each.pose(0.7)[1])


def test_they_travel():
    moving = thrown(np.random.default_rng(6), 4)[0]
    again = pickle.loads(pickle.dumps(moving))
    assert_array_equal(again.pose(0.6), moving.pose(0.6))
    assert_array_equal(again.motion.rows(), moving.motion.rows())


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"acceleration": [0, 0, np.nan]}, "acceleration"),
        ({"acceleration": [0, 0, np.inf]}, "acceleration"),
        ({"acceleration": [0, 0, 1e60]}, "acceleration"),
        ({"acceleration": [0, 0]}, "acceleration"),
        ({"acceleration": "down"}, "acceleration"),
    ],
)
def test_what_is_no_acceleration_is_refused(arguments, fault):
    with pytest.raises((TypeError, ValueError), match=fault):
        SHAPE.moving(np.eye(4), **arguments)


def test_batches_of_other_lengths_are_refused():
    with pytest.raises(ValueError, match="of one length, or single; received 2 and 3"):
        SHAPE.moving(random_poses(2, 1), velocity=[1, 0, 0], acceleration=np.ones((3, 3)))


def test_an_end_and_a_velocity_are_refused_as_ever():
    with pytest.raises(TypeError, match="not both"):
        SHAPE.moving(np.eye(4), np.eye(4), velocity=[1, 0, 0], acceleration=[1, 0, 0])
    with pytest.raises(TypeError, match="at least one"):
        SHAPE.moving(np.eye(4))


def test_a_spin_stays_as_it_is():
    turn = np.array([0.3, -4.0, 9.0])
    moving = SHAPE.moving(np.eye(4), angular_velocity=turn, acceleration=[0, 0, -5])
    np.testing.assert_allclose(
        moving.pose(0.7)[:3, :3], Rotation.from_rotvec(0.7 * turn).as_matrix(), atol=1e-14
    )
