import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import expm, logm
from scipy.spatial.transform import Rotation

from firstcontact.motions.rigid_paths import (
    SMALLEST_SCREW,
    motion_along,
    motion_at,
    motion_at_origin,
    motion_between,
    motion_with,
)
from poses import moved, pose, random_poses

CENTER = np.array([0.5, -2.0, 1.0])
KINDS = ("constant", "screw")
AXIS = np.array([2.0, 3.0, 6.0]) / 7.0
# Around the angle from which a screw has its axis, too.
TINY = [0.0, 5e-324, 1e-17, 1e-15, 1e-12, 1e-9, 0.9 * SMALLEST_SCREW, 1.1 * SMALLEST_SCREW, 1e-6, 1e-4, 1e-2]

seeds = st.integers(0, 2**32 - 1)
times = st.floats(0.0, 1.0)
kinds = st.sampled_from(KINDS)


def ends(seed, angle, axis=AXIS):
    """A random pose, and another that is turned by an angle and shifted."""
    start, end = random_poses(2, seed)
    turn = Rotation.from_rotvec(angle * axis) * Rotation.from_matrix(start[:3, :3])
    return start, pose(end[:3, 3], turn)


def skew(twist):
    """The matrix whose exponential is a screw, from a velocity of the origin and an angular velocity."""
    (x, y, z), (a, b, c) = twist
    return np.array([[0, -c, b, x], [c, 0, -a, y], [-b, a, 0, z], [0, 0, 0, 0]])


@given(seeds, kinds)
def test_both_ends_are_reached(seed, path):
    start, end = random_poses(2, seed)
    motion = motion_between(start, end, CENTER, path)
    assert motion.pose(0.0).tolist() == start.tolist()
    np.testing.assert_allclose(motion.pose(1.0)[:3, :3], end[:3, :3], rtol=0, atol=4e-15)
    # A screw's axis may be far from here: what is lost is rounding of the way.
    np.testing.assert_allclose(motion.pose(1.0)[:3, 3], end[:3, 3], rtol=0, atol=2e-14)


@pytest.mark.parametrize("path", KINDS)
@pytest.mark.parametrize("angle", [*TINY, math.pi - 1e-9, math.pi, math.pi + 1e-9, -math.pi])
@given(seed=seeds)
def test_tiny_and_half_turns_reach_the_end(path, angle, seed):
    start, end = ends(seed, angle)
    motion = motion_between(start, end, CENTER, path)
    np.testing.assert_allclose(motion.pose(1.0), end, rtol=0, atol=2e-14)
    np.testing.assert_allclose(np.linalg.norm(motion.angular_velocities), abs(angle), atol=3e-9)


@pytest.mark.parametrize("path", KINDS)
@pytest.mark.parametrize("angle", TINY)
def test_tiny_turns_from_the_identity_keep_their_digits(path, angle):
    end = pose([3.0, 4.0, 5.0], Rotation.from_rotvec(angle * AXIS))
    motion = motion_between(np.eye(4), end, CENTER, path)
    np.testing.assert_allclose(motion.angular_velocities[0, 0], angle * AXIS, rtol=1e-14, atol=1e-323)
    halfway = motion.pose(0.5)
    skewness = 0.5 * (halfway[2, 1] - halfway[1, 2])
    np.testing.assert_allclose(skewness, math.sin(0.5 * angle) * AXIS[0], rtol=1e-14, atol=1e-323)
    np.testing.assert_allclose(motion.pose(1.0)[:3, 3], end[:3, 3], rtol=1e-15)


@given(seeds, times)
def test_a_constant_motion_takes_its_center_straight_and_turns_evenly(seed, t):
    start, end = random_poses(2, seed)
    pose = motion_between(start, end, CENTER, "constant").pose(t)
    straight = (1.0 - t) * moved(start, CENTER) + t * moved(end, CENTER)
    np.testing.assert_allclose(moved(pose, CENTER), straight, rtol=0, atol=2e-14)
    first, last = (Rotation.from_matrix(matrix[:3, :3]) for matrix in (start, end))
    turn = Rotation.from_rotvec(t * (last * first.inv()).as_rotvec())
    np.testing.assert_allclose(pose[:3, :3], (turn * first).as_matrix(), rtol=0, atol=1e-14)


@given(seeds, times)
def test_a_screw_is_the_exponential_of_a_constant_twist(seed, t):
    start, end = random_poses(2, seed)
    relative = end @ np.linalg.inv(start)
    if np.trace(relative[:3, :3]) > -0.99:  # the logarithm of the oracle fails near half turns
        expected = expm(t * np.real(logm(relative))) @ start
        pose = motion_between(start, end, CENTER, "screw").pose(t)
        np.testing.assert_allclose(pose, expected, rtol=0, atol=1e-9)


@given(seeds)
def test_a_screw_does_not_depend_on_the_center(seed):
    start, end = random_poses(2, seed)
    here, there = (motion_between(start, end, center, "screw") for center in (CENTER, [7, 8, 9]))
    np.testing.assert_allclose(here.pose(0.3), there.pose(0.3), rtol=0, atol=1e-12)


def test_a_screw_between_poses_is_the_helix():
    """Half a turn about the line x = 1, y = 0, and up by 4."""
    end = pose([2.0, 0.0, 4.0], Rotation.from_rotvec([0, 0, math.pi]))
    motion = motion_between(np.eye(4), end, [5.0, 6.0, 7.0], "screw")
    for t in np.linspace(0.0, 1.0, 9):
        angle = math.pi * t
        helix = [1.0 - math.cos(angle), -math.sin(angle), 4.0 * t]
        np.testing.assert_allclose(motion.pose(t)[:3, 3], helix, rtol=0, atol=4e-15)
    np.testing.assert_allclose(motion.velocities[0, 0], [0, 0, 4], rtol=0, atol=1e-14)


@pytest.mark.parametrize("turns", [0.3, 1.0, 5.0, 1000.25])
def test_many_turns_with_velocities(turns):
    """The center of a constant motion goes straight; that of a screw goes round and round."""
    start = random_poses(1, 3)[0]
    velocity, angular = np.array([0.3, -0.2, 0.9]), 2.0 * math.pi * turns * AXIS
    slack = 1e-14 * (1.0 + turns)
    for t in (0.0, 0.13, 0.5, 1.0):
        pose = motion_with(start, velocity, angular, CENTER, "constant").pose(t)
        np.testing.assert_allclose(
            moved(pose, CENTER), moved(start, CENTER) + t * velocity, rtol=0, atol=slack
        )
        turned = Rotation.from_rotvec(t * angular).as_matrix() @ start[:3, :3]
        np.testing.assert_allclose(pose[:3, :3], turned, rtol=0, atol=slack)
        screw = motion_with(start, velocity, angular, CENTER, "screw").pose(t)
        twist = velocity - np.cross(angular, moved(start, CENTER)), angular
        if turns <= 5.0:  # the oracle loses digits with every turn
            np.testing.assert_allclose(screw, expm(t * skew(twist)) @ start, rtol=0, atol=1e-10)
        np.testing.assert_allclose(screw[:3, :3], turned, rtol=0, atol=slack)


@pytest.mark.parametrize("angle", TINY)
def test_a_screw_with_velocities_that_hardly_turns(angle):
    start, velocity = random_poses(1, 4)[0], np.array([0.3, -0.2, 0.9])
    pose = motion_with(start, velocity, angle * AXIS, CENTER, "screw").pose(1.0)
    # The center goes along an arc: the first terms of its series.
    bend, twist = angle * np.cross(AXIS, velocity), angle**2 * np.cross(AXIS, np.cross(AXIS, velocity))
    arc = moved(start, CENTER) + velocity + bend / 2.0 + twist / 6.0
    np.testing.assert_allclose(moved(pose, CENTER), arc, rtol=0, atol=1e-14 + angle**3)


@pytest.mark.parametrize("path", KINDS)
def test_without_a_turn_it_is_a_translation(path):
    start = random_poses(1, 5)[0]
    end = start.copy()
    end[:3, 3] += [1.0, 2.0, 3.0]
    for motion in (
        motion_between(start, end, CENTER, path),
        motion_with(start, [1, 2, 3], None, CENTER, path),
        motion_with(start, [1, 2, 3], [0, 0, 0], CENTER, path),
    ):
        assert not motion.angular_velocities.any()
        np.testing.assert_allclose(motion.velocities[0, 0], [1, 2, 3], rtol=1e-15)
        halfway = motion.pose(0.5)
        assert halfway[:3, :3].tolist() == start[:3, :3].tolist()
        np.testing.assert_allclose(halfway[:3, 3], start[:3, 3] + [0.5, 1.0, 1.5], rtol=0, atol=1e-15)


def test_a_half_turn_is_about_the_same_axis_whatever_the_start():
    for seed in range(20):
        start = random_poses(1, seed)[0]
        end = np.diag([-1.0, 1.0, -1.0, 1.0]) @ start
        motion = motion_between(start, end, CENTER, "constant")
        np.testing.assert_allclose(motion.angular_velocities[0, 0], [0, math.pi, 0], rtol=0, atol=1e-14)


@given(seeds, kinds)
def test_pieces_meet_at_the_poses(seed, path):
    poses, when = random_poses(5, seed), np.array([0.0, 1e-6, 0.3, 0.9, 1.0])
    motion = motion_along(poses, when, CENTER, path)
    assert motion.times.tolist() == when.tolist()
    for place, t in zip(poses[:-1], when[:-1], strict=True):
        assert motion.pose(t).tolist() == place.tolist()
    # From the other side; a step of time before it is a step of the way, of a piece as short as 1e-6.
    for place, t in zip(poses[1:], when[1:], strict=True):
        np.testing.assert_allclose(
            motion.pose(np.nextafter(t, 0.0)), place, rtol=0, atol=1e-8 if t < 0.1 else 1e-13
        )


@given(seeds, times, kinds)
def test_a_piece_alone_is_the_motion_between_its_poses(seed, part, path):
    poses = random_poses(4, seed)
    motion = motion_along(poses, None, CENTER, path)
    np.testing.assert_allclose(motion.times, [0, 1 / 3, 2 / 3, 1], rtol=1e-15)
    alone = motion_between(poses[1], poses[2], CENTER, path).pose(part)
    np.testing.assert_allclose(motion.pose((1.0 + part) / 3.0), alone, rtol=0, atol=1e-13)


@given(seeds, kinds)
def test_batches_are_the_same_as_one_by_one(seed, path):
    starts, finishes = random_poses(7, seed), random_poses(7, seed + 1)
    finishes[0], finishes[1, :3, :3] = starts[0], starts[1, :3, :3]  # at rest, and without a turn
    velocity, angular = finishes[:, :3, 3], starts[:, 0, :3]
    together = (
        motion_at(starts),
        motion_between(starts, finishes, CENTER, path),
        motion_with(starts, velocity, angular, CENTER, path),
    )
    for i in range(7):
        alone = (
            motion_at(starts[i]),
            motion_between(starts[i], finishes[i], CENTER, path),
            motion_with(starts[i], velocity[i], angular[i], CENTER, path),
        )
        for many, one in zip(together, alone, strict=True):
            assert many.rows()[i].tobytes() == one.rows()[0].tobytes()
            for t in (0.0, 0.37, 1.0):
                assert many.pose(t)[i].tobytes() == one.pose(t).tobytes()


def test_a_single_pose_goes_with_each_of_a_batch():
    poses = random_poses(4, 1)
    for motion in (
        motion_between(poses[0], poses, CENTER, "constant"),
        motion_with(poses[0], poses[:, :3, 3], None, CENTER, "constant"),
        motion_with(poses[0], [1, 2, 3], poses[:, :3, 3], CENTER, "constant"),
    ):
        assert len(motion) == 4
        assert motion.is_batch
        assert motion.pose(0.0).tolist() == [poses[0].tolist()] * 4
    motion = motion_between(poses, poses[0], CENTER, "constant")
    np.testing.assert_allclose(motion.pose(1.0), [poses[0]] * 4, rtol=0, atol=1e-14)
    assert motion_between(poses[:1], poses[0], CENTER, "constant").is_batch


def test_standing_at_the_origin():
    motion = motion_at_origin()
    assert motion is motion_at_origin()
    assert motion.rows().tobytes() == motion_at(np.eye(4)).rows().tobytes()
    assert motion.pose(0.5).tolist() == np.eye(4).tolist()


@pytest.mark.parametrize("path", KINDS)
@pytest.mark.parametrize("scale", [1e-160, 1e-30, 1e30, 1e44])
def test_any_size_of_way(scale, path):
    start, end = random_poses(2, 9)
    start[:3, 3] *= scale
    end[:3, 3] *= scale
    motion = motion_between(start, end, scale * CENTER, path)
    assert np.isfinite(motion.rows()).all()
    np.testing.assert_allclose(motion.pose(1.0)[:3, 3] / scale, end[:3, 3] / scale, rtol=0, atol=1e-14)


def test_what_was_given_may_be_changed_afterwards():
    poses, when = random_poses(3, 2), np.array([0.0, 0.4, 1.0])
    motion = motion_along(poses, when, CENTER, "constant")
    before = motion.pose(0.4)
    poses[:], when[:] = 0.0, 0.0
    assert motion.pose(0.4).tolist() == before.tolist()


POSES = random_poses(5, 3)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (
            lambda: motion_between(POSES[:3], POSES, CENTER, "screw"),
            ValueError,
            "start and end must be batches of one length, or single; received 3 and 5$",
        ),
        (
            lambda: motion_between(POSES[:1], POSES, CENTER, "screw"),
            ValueError,
            "start and end must be batches of one length, or single; received 1 and 5$",
        ),
        (
            lambda: motion_with(POSES, np.zeros((5, 3)), np.zeros((4, 3)), CENTER, "screw"),
            ValueError,
            "start and velocity and angular_velocity must be batches of one length, .* 5 and 5 and 4$",
        ),
        (
            lambda: motion_between(POSES[0], POSES[1], CENTER, "spiral"),
            ValueError,
            "path must be 'constant' or 'screw' or 'quaternion'; received 'spiral'$",
        ),
        (
            lambda: motion_with(POSES[0], [1, 2, 3], None, CENTER, 1),
            ValueError,
            "path must be .* received 1$",
        ),
        (
            lambda: motion_between(POSES[0], POSES[1], [[1, 2, 3]], "screw"),
            ValueError,
            r"center must have shape \(3,\); received \(1, 3\)$",
        ),
        (
            lambda: motion_with(POSES[0], [1, np.inf, 3], None, CENTER, "screw"),
            ValueError,
            "velocity must be finite; row 1 has inf$",
        ),
        (
            lambda: motion_with(POSES[0], None, [1, 2], CENTER, "screw"),
            ValueError,
            r"angular_velocity must have shape \(n, 3\) or \(3,\); received \(2,\)$",
        ),
        (
            lambda: motion_along(POSES[0], None, CENTER, "screw"),
            ValueError,
            "poses must be two or more, .* 1$",
        ),
        (lambda: motion_along(POSES[:1], None, CENTER, "screw"), ValueError, "poses must be two or more, "),
        (lambda: motion_along([], None, CENTER, "screw"), ValueError, "poses must be two or more, .* 0$"),
        (
            lambda: motion_along(POSES, [0, 0.5, 1], CENTER, "screw"),
            ValueError,
            r"times must have shape \(5,\), one time for each pose; received \(3,\)$",
        ),
        (
            lambda: motion_along(POSES[:3], [0, 0.5, 0.9], CENTER, "screw"),
            ValueError,
            "times must increase from 0 to 1, .*; received 0.0 to 0.9$",
        ),
        (
            lambda: motion_along(POSES[:3], [0, 1, 1], CENTER, "screw"),
            ValueError,
            "times must increase from 0 to 1, .*; rows 1 and 2 have 1.0 and 1.0$",
        ),
        (
            lambda: motion_along(POSES * 1.1, None, CENTER, "screw"),
            ValueError,
            "row 0 of poses must be a rigid pose",
        ),
    ],
)
def test_bad_motions_are_told(make, error, message):
    with pytest.raises(error, match=f"^{message}"):
        make()
