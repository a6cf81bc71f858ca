"""Trapezoidal profiles: through their waypoints, within their limits, and no slower than they must be."""

import numpy as np
import pytest

import firstcontact as fc


@pytest.mark.parametrize("seed", range(5))
def test_limits_are_kept_and_reached(seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(5, 3))
    speeds, rates = rng.uniform(0.2, 3, 3), rng.uniform(0.2, 3, 3)
    path = fc.trapezoidal(points, speeds, rates)
    t = np.linspace(0, path.x[-1], 20000)
    velocity, acceleration = path.derivative(1)(t), path.derivative(2)(t)
    assert (np.abs(velocity) <= speeds * (1 + 1e-9)).all()
    assert (np.abs(acceleration) <= rates * (1 + 1e-9)).all()
    assert (np.abs(acceleration) / rates).max() == pytest.approx(1)
    for point in points:
        assert np.abs(path(t) - point).max(axis=1).min() < 1e-2
    np.testing.assert_allclose(path([0, path.x[-1]]), points[[0, -1]], atol=1e-12)


def test_a_single_joint_takes_the_time_of_the_textbook():
    assert fc.trapezoidal([[0], [3]], 1.0, 2.0).x[-1] == pytest.approx(3.5)  # rises and falls for 1/2 each
    assert fc.trapezoidal([[0], [0.125]], 1.0, 2.0).x[-1] == pytest.approx(0.5)  # never as fast as it may


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (([[0, 0]], 1, 1), "two or more"),
        (([[0, 0], [0, 0]], 1, 1), "differ"),
        (([[0, 0], [1, 0]], 0, 1), "max_velocity"),
        (([[0, 0], [1, 0]], 1, [1, -1]), "max_acceleration"),
        (([[0, 0], [1, 0]], [1, 1, 1], 1), "max_velocity"),
        (([[0, 0], [np.nan, 0]], 1, 1), "waypoints"),
    ],
)
def test_what_is_no_profile_is_refused(arguments, fault):
    with pytest.raises(ValueError, match=fault):
        fc.trapezoidal(*arguments)
