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


def test_what_hardly_stays_at_its_speed_is_a_spline_still():
    hinge = fc.Joint("hinge", "continuous", "base", "arm", axis=[0, 1, 0])
    robot = fc.Robot({"base": (), "arm": fc.Sphere(0.1)}, [hinge])
    rng = np.random.default_rng(0)
    for k in range(300):
        way, rate = rng.uniform(0.1, 3), rng.uniform(0.1, 4)
        # At this speed there is no time left to stay at it, but for what is added.
        speed = np.sqrt(way * rate) * (1.0 - rng.choice([0.0, 1e-16, 1e-13, 1e-9, 1e-7]) if k % 2 else 9.0)
        path = fc.trapezoidal([[0], [way], [0]], speed, rate)
        assert path.x[-1] == pytest.approx(4 * np.sqrt(way / rate), rel=1e-6)
        assert np.abs(path.derivative(1)(path.x)).max() <= speed * (1 + 1e-12)
        assert np.abs(path.c[0]).max() * 2 <= rate * (1 + 1e-12)
        assert fc.is_free(robot.along(path), {})


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (([[0, 0]], 1, 1), "two or more"),
        (([[0, 0], [0, 0]], 1, 1), "differ"),
        (([[0, 0], [1, 0]], 0, 1), "max_velocity"),
        (([[0, 0], [1, 0]], 1, [1, -1]), "max_acceleration"),
        (([[0, 0], [1, 0]], [1, 1, 1], 1), "max_velocity"),
        (([[0, 0], [np.nan, 0]], 1, 1), "waypoints"),
        (([[0, 0], [1, 0]], np.inf, 1), "max_velocity must be finite"),
        (([[0, 0], [1, 0]], 1, [[1], [1, 2]]), "max_acceleration must be a rectangular array of numbers"),
    ],
)
def test_what_is_no_profile_is_refused(arguments, fault):
    with pytest.raises(ValueError, match=fault):
        fc.trapezoidal(*arguments)
