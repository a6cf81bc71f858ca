"""Slopes with respect to both ends of a motion, against differences of where a point of the body is."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.motions.end_slopes import slopes_at_ends
from firstcontact.motions.poses_then import poses_then
from samples import sample

N = sample(40, 1000)
STEP = 1e-6
HERE = np.eye(3)


def poses_of(rng, n):
    poses = np.tile(np.eye(4), (n, 1, 1))
    poses[:, :3, :3] = Rotation.random(n, random_state=rng.integers(1 << 30)).as_matrix()
    poses[:, :3, 3] = rng.normal(size=(n, 3))
    return poses


def moved(poses, twist):
    found = poses.copy()
    found[:, :3, :3] = Rotation.from_rotvec(twist[3:]).as_matrix() @ poses[:, :3, :3]
    found[:, :3, 3] += twist[:3]
    return found


def slopes_of(motion, times, point, ways):
    """How far a body point is along ways, and how that changes with the pose then."""
    poses = poses_then(motion, times)
    arms = (poses[:, :3, :3] @ point[:, :, np.newaxis])[..., 0]
    values = ((arms + poses[:, :3, 3]) * ways).sum(axis=1)
    return values, np.concatenate([ways, np.cross(arms, ways)], axis=1)


@pytest.mark.parametrize("options", [{}, {"center": [0.3, -0.2, 0.5]}, {"acceleration": [0.5, 0, -2.0]}])
def test_they_are_those_of_differences(options):
    rng = np.random.default_rng(5)
    ends, ball = [poses_of(rng, N), poses_of(rng, N)], fc.Sphere(1)
    near = Rotation.from_rotvec(1e-5 * rng.normal(size=(N // 4, 3))).as_matrix()
    ends[1][: N // 4, :3, :3] = near @ ends[0][: N // 4, :3, :3]
    times, point, ways = rng.uniform(0, 1, N), rng.normal(size=(N, 3)), rng.normal(size=(N, 3))
    times[:3] = 0.0, 1.0, 0.5
    motion = ball.moving(ends[0], ends[1], **options).rigid
    found = slopes_at_ends(motion, np.arange(N), times, slopes_of(motion, times, point, ways)[1])
    for end in range(2):
        for k, step in enumerate(STEP * np.eye(6)):
            values = []
            for sign in (1.0, -1.0):
                other = list(ends)
                other[end] = moved(ends[end], sign * step)
                away = ball.moving(other[0], other[1], **options).rigid
                values.append(slopes_of(away, times, point, ways)[0])
            np.testing.assert_allclose((values[0] - values[1]) / (2 * STEP), found[:, end, k], atol=2e-7)


def test_along_waypoints_they_are_those_of_the_piece():
    rng, ball = np.random.default_rng(6), fc.Sphere(1)
    poses = poses_of(rng, 4)
    motion = ball.along(poses, [0, 0.3, 0.8, 1]).rigid
    times, point, ways = np.array([0.5]), rng.normal(size=(1, 3)), rng.normal(size=(1, 3))
    found = slopes_at_ends(motion, np.zeros(1, int), times, slopes_of(motion, times, point, ways)[1])
    part = ball.moving(poses[1], poses[2]).rigid
    then = np.array([0.4])
    same = slopes_at_ends(part, np.zeros(1, int), then, slopes_of(part, then, point, ways)[1])
    np.testing.assert_allclose(found, same, atol=1e-12)


def test_what_rests_is_moved_as_a_whole_by_both_ends():
    resting = fc.Sphere(1).at((HERE, [1, 2, 3])).rigid
    slopes = np.arange(6.0)[np.newaxis]
    found = slopes_at_ends(resting, np.zeros(1, int), np.array([0.25]), slopes)
    np.testing.assert_allclose(found[0], [0.75 * slopes[0], 0.25 * slopes[0]], atol=1e-15)


def test_whole_turns_have_no_slopes_and_splines_are_moved_by_what_fades():
    spun = fc.Sphere(1).moving((HERE, [0, 0, 0]), angular_velocity=[0, 0, 2 * np.pi]).rigid
    slopes = np.ones((1, 6))
    assert np.isnan(slopes_at_ends(spun, np.zeros(1, int), np.array([0.5]), slopes)).any()
    spline = (
        fc.Sphere(1)
        .along(fc.Spline([0, 0.5, 1], (np.stack([HERE] * 3), [[0, 0, 0], [1, 0, 0], [1, 1, 0]])))
        .rigid
    )
    found = slopes_at_ends(spline, np.zeros(1, int), np.array([0.25]), slopes)
    np.testing.assert_allclose(found[0], [0.75 * slopes[0], 0.25 * slopes[0]])
