"""Splines: through their poses, smooth, and no point of a body farther from a piece than it says."""

import pickle

import numpy as np
import pytest
from scipy.interpolate import (
    Akima1DInterpolator,
    BPoly,
    CubicHermiteSpline,
    CubicSpline,
    PPoly,
    make_interp_spline,
)
from scipy.spatial.transform import Rotation, RotationSpline

import firstcontact as fc
from firstcontact.motions.rigid_motion import DEVIATION
from firstcontact.motions.smooth import motion_following
from firstcontact.motions.trajectories.spline import trajectory_of_splines
from motions.trajectories.test_formula_trajectory import points_within, stretches
from oracles.trajectories import Real, rotation_of, row_places
from poses import random_poses


def spline_through(rng, k, size=1.0):
    poses = random_poses(k, int(rng.integers(1 << 30)))
    poses[:, :3, 3] *= size
    times = np.linspace(0.0, 1.0, k)
    times[1:-1] += rng.uniform(-0.2, 0.2, k - 2) / k
    return fc.Spline(times, poses), times, poses


def places_of(spline, t, points):
    """Where a spline has points at a time, in extended precision, by its coefficients."""

    def value(breaks, coefficients):
        k = min(int(np.searchsorted(breaks, t, side="right")) - 1, len(breaks) - 2)
        x = Real(t) - Real(breaks[k])
        return k, sum(c.astype(Real) * x**j for j, c in enumerate(coefficients[0, k]))

    _, place = value(spline.place_breaks, spline.place_coefficients)
    k, vector = value(spline.turn_breaks, spline.turn_coefficients)
    base = spline.turn_bases[0, k].reshape(3, 3).astype(Real)
    return points.astype(Real) @ (base @ rotation_of(vector)).T + place


def check(spline, rng, reach):
    points, ends = points_within(rng, reach), stretches(rng, 16)
    ends[2] = spline.place_breaks[1] - 1e-3, spline.place_breaks[1]
    ends[3] = spline.place_breaks[1], spline.place_breaks[1] + 1e-3
    ends[4] = spline.place_breaks[1] - 1e-6, spline.place_breaks[1] + 1e-7
    ends = np.clip(ends, 0.0, 1.0)
    rows = motion_following(spline, reach).law.rows(np.zeros(len(ends), np.intp), *ends.T)
    for row, (start, end) in zip(rows, ends, strict=True):
        for part in (0.0, 0.2, 0.5, 0.9, 1.0):
            t = min(start + part * (end - start), end)
            away = places_of(spline, t, points) - row_places(row, t, points)
            assert np.sqrt((away**2).sum(axis=1)).max() <= row[DEVIATION]


def test_no_point_is_farther_from_a_piece_than_it_says():
    rng = np.random.default_rng(0)
    for _ in range(12):
        spline, *_ = spline_through(rng, int(rng.integers(2, 9)), 10.0 ** rng.uniform(-3, 3))
        check(spline, rng, 10.0 ** rng.uniform(-3, 2))


def test_kinks_and_all_of_scipy_s_splines_keep_their_bounds():
    rng = np.random.default_rng(1)
    x, y, dy = np.linspace(2, 5, 7), rng.normal(size=(7, 3)), rng.normal(size=(7, 3))
    turn = RotationSpline(np.linspace(0, 9, 4), Rotation.random(4, random_state=1))
    straight = PPoly(np.stack([np.diff(y, axis=0) / 0.5, y[:-1]]), x)
    for place in (
        CubicSpline(x, y),
        CubicHermiteSpline(x, y, dy),
        Akima1DInterpolator(x, y),
        make_interp_spline(x, y, k=5),
        make_interp_spline(x, y, k=1),
        BPoly.from_derivatives(x, np.stack([y, dy], axis=1)),
        straight,
    ):
        found = trajectory_of_splines(turn, place)
        np.testing.assert_allclose(found.poses(0.37)[0, :3, 3], place(2 + 3 * 0.37), atol=1e-12)
        np.testing.assert_allclose(found.poses(0.37)[0, :3, :3], turn(9 * 0.37).as_matrix(), atol=1e-12)
        check(found, rng, 0.7)


def test_it_goes_through_its_poses_smoothly():
    spline, times, poses = spline_through(np.random.default_rng(3), 6)
    moving = fc.Box([1, 1, 1]).along(spline)
    for t, pose in zip(times, poses, strict=True):
        np.testing.assert_allclose(moving.pose(t), pose, atol=1e-12)
    np.testing.assert_array_equal(moving.pose(0.0)[:3, 3], poses[0, :3, 3])
    h = 1e-4
    for t in times[1:-1]:
        before = (moving.pose(t) - 2 * moving.pose(t - h) + moving.pose(t - 2 * h)) / h**2
        after = (moving.pose(t + 2 * h) - 2 * moving.pose(t + h) + moving.pose(t)) / h**2
        assert np.abs(after - before).max() < 0.05 * (1 + np.abs(after).max())


def test_two_poses_are_one_turn():
    here, there = random_poses(2, 4)
    moving = fc.Box([1, 1, 1]).along(fc.Spline(None, [here, there]))
    straight = fc.Box([1, 1, 1]).moving(here, there, center=[0, 0, 0])
    np.testing.assert_allclose(moving.pose(0.3), straight.pose(0.3), atol=1e-13)
    assert moving.motion.rows()[..., DEVIATION].max() < 1e-10


def test_batches_are_each_of_their_splines():
    many = np.stack([random_poses(5, seed) for seed in range(3)])
    batch = fc.Box([1, 1, 1]).along(fc.Spline(None, many))
    assert len(batch.motion) == 3
    for i in range(3):
        one = fc.Box([1, 1, 1]).along(fc.Spline(None, many[i]))
        np.testing.assert_array_equal(one.pose(0.6), batch.pose(0.6)[i])
    pair = fc.Spline(None, (many[:, :, :3, :3], many[:, :, :3, 3]))
    np.testing.assert_array_equal(pair.poses(0.2), batch.motion.law.poses(0.2))


def test_they_travel():
    spline, *_ = spline_through(np.random.default_rng(6), 4)
    moving = fc.Sphere(1).along(spline)
    again = pickle.loads(pickle.dumps(moving))
    np.testing.assert_array_equal(again.pose(0.6), moving.pose(0.6))
    hits = [fc.first_contact(x, fc.Sphere(0.1)).time for x in (moving, again)]
    assert hits[0] == hits[1]


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda: fc.Spline([0, 1], [np.eye(4)]), "two or more"),
        (lambda: fc.Spline([0, 0.5], random_poses(2, 1)), "increase from 0 to 1"),
        (lambda: fc.Spline(None, [np.eye(4), 2 * np.eye(4)]), "rigid"),
        (lambda: fc.Spline(None, [[1], [2, 3]]), "poses must be a rectangular array of numbers"),
        (lambda: fc.Spline([0, 1e-6, 0.5, 1], random_poses(4, 1)), "no smooth turn"),  # SciPy finds NaN
        (lambda: fc.Spline([0, 0.07, 0.08, 0.1, 0.104, 0.4, 1], random_poses(7, 1)), "no smooth turn"),
        (lambda: fc.Sphere(1).along(CubicSpline([0, 1, 2], np.zeros((3, 2)))), "values"),
        (lambda: fc.Sphere(1).along(PPoly(np.array([[[0.0] * 3, [5.0] * 3]]), [0, 1, 2])), "continuous"),
        (lambda: fc.Sphere(1).along(CubicSpline([0, 1, 2], np.zeros((3, 3)), extrapolate=False)), None),
    ],
)
def test_what_is_no_spline_of_a_motion_is_refused(make, fault):
    if fault is None:
        make()
        return
    with pytest.raises((ValueError, TypeError), match=fault):
        make()


def test_a_rotation_spline_alone_is_refused():
    turn = RotationSpline([0, 1], Rotation.random(2, random_state=1))
    with pytest.raises(TypeError, match="spline of the place"):
        fc.Sphere(1).along((turn, None))
