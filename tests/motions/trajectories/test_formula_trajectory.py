"""Motions by formulas: no point of a body is ever farther from a piece than it says."""

import pickle

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.motions.rigid_motion import DEVIATION
from firstcontact.motions.smooth import motion_following
from oracles.trajectories import FAMILIES, row_places, true_places

N_EACH = 3
N_STRETCHES = 12


def points_within(rng, reach, n=6):
    """Body points at most so far from the origin, on the sphere."""
    x = rng.normal(size=(n, 3))
    return reach * (1 - 1e-15) * x / np.linalg.norm(x, axis=1)[:, np.newaxis]


def stretches(rng, n):
    ends = np.sort(rng.random((n, 2)), axis=1)
    ends[:, 1] = ends[:, 0] + (ends[:, 1] - ends[:, 0]) * 10.0 ** -rng.integers(0, 10, n)
    ends[0] = 0.0, 1.0
    ends[1, 1] = ends[1, 0]
    return ends


@pytest.mark.parametrize("family", FAMILIES)
def test_no_point_is_farther_from_a_piece_than_it_says(family):
    rng = np.random.default_rng(1)
    for _ in range(N_EACH):
        function, reach = family(rng), 10.0 ** rng.uniform(-3, 2)
        law = motion_following(fc.motion(function), reach).law
        points, ends = points_within(rng, reach), stretches(rng, N_STRETCHES)
        rows = law.rows(np.zeros(len(ends), np.intp), *ends.T)
        for row, (start, end) in zip(rows, ends, strict=True):
            for part in (0.0, 0.1, 0.5, 0.8, 1.0):
                t = min(start + part * (end - start), end)
                away = true_places(function, t, points) - row_places(row, t, points)
                assert np.sqrt((away**2).sum(axis=1)).max() <= row[DEVIATION]


@pytest.mark.parametrize("family", FAMILIES)
def test_half_as_long_a_piece_deviates_by_a_quarter_and_none_by_rounding(family):
    law = motion_following(fc.motion(family(np.random.default_rng(2))), 1.0).law
    which = np.zeros(3, np.intp)
    whole, half, none = law.rows(which, np.full(3, 0.4), 0.4 + np.array([2e-3, 1e-3, 0.0]))[:, DEVIATION]
    assert none < 1e-12
    assert half <= 0.27 * whole + 2 * none
    assert whole < 1e-2


def test_poses_are_where_the_function_says():
    rng = np.random.default_rng(3)
    for family in FAMILIES:
        function = family(rng)
        moving = fc.Box([1, 2, 3]).along(fc.motion(function))
        for t in (0.0, 0.3, 1.0):
            pose, points = moving.pose(t), np.eye(3)
            away = points @ pose[:3, :3].T + pose[:3, 3] - true_places(function, t, points)
            assert np.abs(away).max() < 1e-13


def test_a_batch_is_each_of_its_motions():
    speeds = np.array([0.0, 1.0, 2.0, -3.0])
    many = fc.motion(lambda t: np.stack([speeds * t, np.sin(speeds * t), 0 * speeds + t], axis=1))
    moving = fc.Sphere(1).along(many)
    assert moving.motion.is_batch
    for i, speed in enumerate(speeds.tolist()):
        one = fc.Sphere(1).along(fc.motion(lambda t, v=speed: [v * t, np.sin(v * t), t]))
        np.testing.assert_allclose(one.pose(0.7), moving.pose(0.7)[i], atol=1e-15)
        chosen = moving.motion.chosen(np.array([i]), True)
        np.testing.assert_allclose(chosen.pose(0.7)[0], one.pose(0.7), atol=1e-15)
    assert "4 motions" in repr(moving.motion)


def test_they_travel():
    moving = fc.Sphere(1).along(fc.motion(lambda t: ([0, 0, 3 * t], [np.sin(t), 0, 0])))
    again = pickle.loads(pickle.dumps(moving))
    np.testing.assert_array_equal(again.pose(0.6), moving.pose(0.6))
    np.testing.assert_array_equal(again.motion.rows(), moving.motion.rows())


def test_bounds_over_long_stretches_come_from_short_ones():
    # Over all of [0, 1] at once, intervals would have the root of a negative number.
    moving = fc.Sphere(1).along(fc.motion(lambda t: [np.sqrt(0.01 + (t - t**2) * (t - t**2)), 0, 0]))
    assert np.isfinite(moving.motion.rows()).all()
