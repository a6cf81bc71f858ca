"""Motions with bounds that a user states: within these, their pieces are as near as they say."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.motions.rigid_motion import DEVIATION
from firstcontact.motions.smooth import motion_following
from motions.trajectories.test_formula_trajectory import points_within, stretches
from oracles.trajectories import row_places, true_places


def test_no_point_is_farther_from_a_piece_than_it_says():
    rng = np.random.default_rng(0)
    for _ in range(12):
        axis, amplitude, rate = rng.normal(size=3), rng.uniform(0, 2), rng.uniform(1, 8)
        axis /= np.linalg.norm(axis)
        size = rng.normal(size=3)

        def function(t, axis=axis, amplitude=amplitude, rate=rate, size=size):
            return axis * (amplitude * np.sin(rate * t)), size * np.cos(rate * t)

        bound = fc.motion(
            function,
            acceleration_bound=np.linalg.norm(size) * rate**2,
            angular_velocity_bound=amplitude * rate,
            angular_acceleration_bound=amplitude * rate**2,
        )
        reach = 10.0 ** rng.uniform(-2, 1)
        points, ends = points_within(rng, reach), stretches(rng, 12)
        rows = motion_following(bound, reach).law.rows(np.zeros(12, np.intp), *ends.T)
        for row, (start, end) in zip(rows, ends, strict=True):
            for part in (0.0, 0.3, 0.5, 1.0):
                t = min(start + part * (end - start), end)
                away = true_places(function, t, points) - row_places(row, t, points)
                rounding = 1e-14 * (np.linalg.norm(size) + reach)  # of the function
                assert np.sqrt((away**2).sum(axis=1)).max() <= row[DEVIATION] + rounding


def test_a_table_is_never_late():
    times, heights = np.linspace(0, 1, 50), np.linspace(0, 1, 50) ** 2
    smooth = fc.motion(lambda t: [0, 0, np.interp(t, times, heights)], acceleration_bound=200)
    hit = fc.first_contact(fc.Sphere(0.1).along(smooth), fc.Box([1, 1, 1]).at((np.eye(3), [0, 0, 1.1])))
    truth = np.interp(0.5, heights, times)
    assert truth - 1e-4 < hit.time <= truth <= hit.time_upper


def test_what_contradicts_its_bounds_is_refused():
    with pytest.raises(ValueError, match="keep to the bounds"):
        fc.Sphere(1).along(fc.motion(lambda t: [np.sin(9 * t), 0, 0], acceleration_bound=1))
    spin = fc.motion(lambda t: ([0, 0, 2 * t], [0, 0, 0]), acceleration_bound=0)
    with pytest.raises(ValueError, match="keep to the bounds"):
        fc.Sphere(1).along(spin)
    with pytest.raises(ValueError, match="one pose"):
        fc.Sphere(1).along(fc.motion(lambda t: np.tile(np.eye(4), (2, 1, 1)), acceleration_bound=0))
