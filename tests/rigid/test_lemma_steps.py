"""The published motion bounds against their formulas, and against what turning bodies do.

That nothing touches within a step is tested in `test_steps`, with the sharper ones.
"""

import itertools

import numpy as np
import pytest

from firstcontact.bounds.swept_sphere import Volume
from firstcontact.motions.relative_motion import Placement
from firstcontact.rigid.lemma_steps import (
    lemma_step_triangles,
    lemma_step_volumes,
    turning_speed_triangle,
    turning_speed_volume,
)
from firstcontact.scalar.mat3 import axis_rotation
from tuples import as_tuples

ZERO, X, Y, Z = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
IDENTITY = (*X, *Y, *Z)


def drawn(seed):
    """A unit vector, an axis, a rate, a pivot; and a volume."""
    rng = np.random.default_rng(seed)
    frame, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    n, axis = (v / np.linalg.norm(v) for v in rng.normal(size=(2, 3)))
    sizes = rng.uniform(0.0, 1.0, 3)
    volume = Volume(tuple(rng.normal(size=3).tolist()), *as_tuples(frame), *sizes.tolist(), 9.0)
    return tuple(n.tolist()), tuple(axis.tolist()), float(rng.uniform(0.1, 5.0)), (0.3, -0.2, 0.1), volume


def corners_of(volume):
    along = np.multiply(volume.half_length, volume.along)
    across = np.multiply(volume.half_width, volume.across)
    return [volume.center + i * along + j * across for i, j in itertools.product((-1, 1), repeat=2)]


@pytest.mark.parametrize("seed", range(20))
def test_lemma_1_is_that_of_the_farthest_corner(seed):
    n, axis, rate, pivot, volume = drawn(seed)
    omega = rate * np.array(axis)
    farthest = max(np.linalg.norm(np.cross(c - pivot, omega)) / rate for c in corners_of(volume))
    printed = np.linalg.norm(np.cross(omega, n)) * (volume.radius + farthest)
    assert turning_speed_volume.py_func(volume, n, axis, rate, pivot) == pytest.approx(printed, rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_lemma_2_is_that_of_the_farthest_vertex(seed):
    n, axis, rate, pivot, volume = drawn(seed)
    triangle = np.array(corners_of(volume)[:3])
    omega = rate * np.array(axis)
    farthest = np.linalg.norm(np.cross(triangle - pivot, omega), axis=1).max() / rate
    printed = np.linalg.norm(np.cross(omega, n)) * farthest
    found = turning_speed_triangle.py_func(as_tuples(triangle), n, axis, rate, pivot)
    assert found == pytest.approx(printed, rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_no_corner_travels_farther_than_the_bound(seed):
    n, axis, rate, pivot, volume = drawn(seed)
    bound = turning_speed_volume.py_func(volume, n, axis, rate, pivot)
    for s in (1e-3, 0.1, 0.5, 1.0):
        turn = np.reshape(axis_rotation.py_func(axis, rate * s), (3, 3))
        for c in corners_of(volume):
            # A ball around the corner is turned into itself: its shadow moves with its center.
            assert np.dot(n, turn @ (c - pivot) - (c - pivot)) <= s * bound * (1.0 + 1e-12)


def test_what_does_not_turn_adds_nothing():
    n, axis, _, pivot, volume = drawn(0)
    assert turning_speed_volume.py_func(volume, n, axis, 0.0, pivot) == 0.0
    assert turning_speed_triangle.py_func((X, Y, Z), n, axis, 0.0, pivot) == 0.0


def placement(velocity, rate_a=0.0, rate_b=0.0):
    return Placement(IDENTITY, ZERO, velocity, Z, rate_a, ZERO, Z, rate_b, ZERO)


def test_the_translation_counts_whatever_its_sign():
    a, b = (ZERO, Y, Z), ((3.0, 0.0, 0.0), (3.0, 1.0, 0.0), (3.0, 0.0, 1.0))
    balls = [Volume((x, 0.0, 0.0), X, Y, Z, 0.0, 0.0, 0.5, 0.5) for x in (0.0, 4.0)]
    for speed in (2.0, -2.0):
        step = lemma_step_triangles(placement((speed, 5.0, 0.0)), a, b, 1.0)
        assert (step.distance, step.time) == pytest.approx((3.0, 1.0))
        step = lemma_step_volumes(placement((speed, 5.0, 0.0)), *balls, 1.0)
        assert (step.distance, step.time) == pytest.approx((3.0, 1.0))


def test_the_turns_of_both_bodies_add_up():
    a, b = (ZERO, Y, Z), ((3.0, 0.0, 0.0), (3.0, 4.0, 0.0), (3.0, 0.0, 1.0))
    # Farthest from the axis: a at 1, b at 5.
    assert lemma_step_triangles(placement(ZERO, 1.0), a, b, 0.0).time == pytest.approx(3.0)
    assert lemma_step_triangles(placement(ZERO, 0.0, 1.0), a, b, 0.0).time == pytest.approx(0.6)
    assert lemma_step_triangles(placement(ZERO, 1.0, 1.0), a, b, 0.0).time == pytest.approx(0.5)
