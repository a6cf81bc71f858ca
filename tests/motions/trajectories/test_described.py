"""What `motion` takes, and what it refuses by name."""

import math

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.motions.trajectories.formula_trajectory import FormulaTrajectory


def turn(t):
    return np.array([[np.cos(t), -np.sin(t), 0], [np.sin(t), np.cos(t), 0], [0, 0, 1]])


def test_all_forms_of_a_rotation_are_one():
    vector = fc.motion(lambda t: ([0, 0, t], [t, 0, 0]))
    quaternion = fc.motion(lambda t: ([0, 0, 5 * np.sin(t / 2), 5 * np.cos(t / 2)], [t, 0, 0]))
    matrix = fc.motion(lambda t: (turn(t), [t, 0, 0]))
    pose = fc.motion(
        lambda t: np.block([[turn(t), np.array([[t], [0], [0]])], [np.zeros((1, 3)), np.ones((1, 1))]])
    )
    for t in (0.0, 0.4, 1.0):
        for other in (quaternion, matrix, pose):
            np.testing.assert_allclose(other.poses(t), vector.poses(t), atol=1e-15)


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (lambda t: [math.sin(t), 0, 0], "math"),
        (lambda t: [np.interp(t, [0, 1], [0, 1]), 0, 0], "np.interp"),
        (lambda t: [np.where(t > 0.5, 1, 0), 0, 0], "comparison"),
        (lambda t: [1 if t else 0, 0, 0], "branch"),
        (lambda t: [1 if t == 0 else 0, 0, 0], "comparison"),
        (lambda t: [np.floor(t), 0, 0], "np.floor"),
        (lambda t: [np.maximum(t, 0.5), 0, 0], "np.maximum"),
        (lambda t: [np.clip(t, 0, 1), 0, 0], "np.clip"),
        (lambda t: [np.arctan2(t, 1), 0, 0], "np.arctan2"),
        (lambda t: [t % 1, 0, 0], "remainder"),
        (lambda t: [divmod(t, 1)[1], 0, 0], "remainder"),
        (lambda t: [round(t, 3), 0, 0], "round"),
        (lambda t: [math.ceil(t), 0, 0], "ceil"),
        (lambda t: np.array([t, 0, 0], float), "float"),
        (lambda t: [t, 0, np.nan], "finite"),
        (lambda t: [t, 0, "x"], "numbers"),
        (lambda t: [t, 0, None], "numbers"),
    ],
)
def test_what_derivatives_are_not_known_of_is_refused_by_name(function, name):
    with pytest.raises(TypeError, match=name):
        fc.motion(function)


@pytest.mark.parametrize(
    ("function", "fault"),
    [
        (lambda t: [np.sqrt(t), 0, 0], "np.sqrt"),
        (lambda t: [abs(t - 0.5), 0, 0], "np.abs"),
        (lambda t: [1 / (t - 0.5), 0, 0], "division"),
        (lambda t: [np.log(t), 0, 0], "np.log"),
        (lambda t: [np.arcsin(t), 0, 0], "np.arcsin"),
        (lambda t: ([t - 0.5, 0, 0, 0], [0, 0, 0]), "quaternion"),
        (lambda t: [t, 0], "translation of shape"),
        (lambda t: ([t, 0], [0, 0, 0]), "rotation of shape"),
        (lambda t: (2 * turn(t), [0, 0, 0]), "rigid"),
        (lambda t: ((1 + np.sin(8 * np.pi * t)) * turn(t), [0, 0, 0]), "rigid"),  # at all eighths it is
        (lambda t: [1e60 * t, 0, 0], "below"),
        (lambda t: [np.exp(1e4 * t), 0, 0], "np.exp"),
    ],
)
def test_what_has_no_bounds_is_refused(function, fault):
    with pytest.raises(ValueError, match=fault):
        fc.motion(function)


def test_matrices_of_objects_are_matrices():
    """As who fills an array with formulas has them, also where t is a number."""

    def function(t):
        rotation = np.empty((3, 3), object)
        rotation[:] = turn(t)
        return rotation, [t, 0, 0]

    np.testing.assert_array_equal(
        fc.motion(function).poses(0.3), fc.motion(lambda t: (turn(t), [t, 0, 0])).poses(0.3)
    )


def test_abs_and_roots_of_what_stays_away_from_0_are_fine():
    motion = fc.motion(lambda t: [abs(t + 1), np.sqrt(t + 1), -abs(t - 2)])
    np.testing.assert_allclose(motion.poses(0.44)[0, :3, 3], [1.44, 1.2, -1.56], atol=1e-15)


def test_formulas_that_differ_in_numbers_are_carried_out_together():
    """What rows have in common, and numbers that happen to be equal, make no difference."""
    numbers = [[2.0, 4.0], [4.0, 2.0], [0.5, 5.0]]

    def place(a, b, t):
        angle = a * t + 0.5 * np.sin(3.0 * t)
        return [a + b * np.cos(angle), b * t, 3.0 - np.sin(angle) / (a + t)]

    batch = fc.motion(lambda t: [place(*row, t) for row in numbers])
    assert isinstance(batch, FormulaTrajectory)
    for t in (0.0, 0.3, 1.0):
        np.testing.assert_allclose(batch.poses(t)[:, :3, 3], [place(*row, t) for row in numbers], atol=1e-14)
    alone = fc.motion(lambda t: place(*numbers[2], t))
    np.testing.assert_array_equal(alone.poses(0.3)[0], batch.poses(0.3)[2])


def test_a_function_is_called_once():
    calls = []
    moving = fc.Sphere(1).along(fc.motion(lambda t: calls.append(1) or [t, 0, 0]))
    fc.first_contact(moving, fc.Sphere(1).at((np.eye(3), [5, 0, 0])))
    assert len(calls) == 1


def test_what_is_no_function_is_refused():
    with pytest.raises(TypeError, match="function of t"):
        fc.motion(3)


def test_a_motion_takes_no_times():
    with pytest.raises(TypeError, match="leave out times"):
        fc.Sphere(1).along(fc.motion(lambda t: [t, 0, 0]), [0, 1])
    with pytest.raises(TypeError, match="leave out times"):
        fc.Sphere(1).along(fc.motion(lambda t: [t, 0, 0]), center=[0, 0, 0])


def test_bounds_are_stated_together():
    with pytest.raises(TypeError, match="acceleration_bound"):
        fc.motion(lambda t: [t, 0, 0], angular_velocity_bound=1, angular_acceleration_bound=1)
    with pytest.raises(TypeError, match="go together"):
        fc.motion(lambda t: [t, 0, 0], acceleration_bound=1, angular_velocity_bound=1)
    with pytest.raises(ValueError, match="at least 0"):
        fc.motion(lambda t: [t, 0, 0], acceleration_bound=-1)
