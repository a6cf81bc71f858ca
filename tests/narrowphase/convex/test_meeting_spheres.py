"""When balls that move straight meet, against fractions."""

from fractions import Fraction

import numpy as np
import pytest

from firstcontact.narrowphase.convex.meeting_spheres import meeting_sphere_sphere


def squared_distance(offset, velocity, time):
    return sum((Fraction(x) + Fraction(v) * time) ** 2 for x, v in zip(offset, velocity, strict=True))


def least_squared(offset, velocity, until):
    """Least squared distance up to a time, in exact arithmetic."""
    v = sum(Fraction(x) ** 2 for x in velocity)
    closest = -sum(Fraction(x) * Fraction(y) for x, y in zip(offset, velocity, strict=True)) / v if v else 0
    return squared_distance(offset, velocity, min(max(closest, 0), until))


@pytest.mark.parametrize("seed", range(200))
def test_no_contact_is_earlier_and_the_time_is_close(seed):
    rng = np.random.default_rng(seed)
    size = 10.0 ** rng.integers(-9, 10)
    offset = rng.standard_normal(3) * size * 10.0 ** rng.integers(0, 4)
    aim = -offset + rng.standard_normal(3) * size * rng.choice([0.1, 1, 2])
    velocity = aim * 10.0 ** rng.integers(-1, 6)
    touching = min(size, 0.9 * np.linalg.norm(offset))
    near = touching * (1 + 1e-6)
    time = meeting_sphere_sphere(tuple(offset), tuple(velocity), touching, near)
    exact = least_squared(offset.tolist(), velocity.tolist(), Fraction(min(time, 1e30)))
    # The error of the distance that is compared, a few roundings of the coordinates: part of any margin.
    rounding = 1e-15 * (np.linalg.norm(offset) + touching)
    assert exact > Fraction(touching - rounding) ** 2
    if np.isfinite(time) and time > 0:
        # How far off the root of the quadratic equation is makes a step shorter, never wrong.
        slack = 8 * rounding * np.linalg.norm(offset) / touching
        then = squared_distance(offset.tolist(), velocity.tolist(), Fraction(time))
        assert then < Fraction(near + slack) ** 2


def test_what_rests_or_leaves_never_meets():
    assert meeting_sphere_sphere((3.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0, 1.1) == np.inf
    assert meeting_sphere_sphere((3.0, 0.0, 0.0), (1.0, 0.0, 0.0), 1.0, 1.1) == np.inf
    assert meeting_sphere_sphere((3.0, 0.0, 0.0), (-1.0, 1.0, 0.0), 1.0, 1.1) == np.inf


def test_what_touches_already_is_not_advanced():
    assert meeting_sphere_sphere((0.5, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0, 1.1) == 0
    assert meeting_sphere_sphere((0.5, 0.0, 0.0), (1.0, 0.0, 0.0), 1.0, 1.1) == 0
    assert meeting_sphere_sphere((0.5, 0.0, 0.0), (-1.0, 0.0, 0.0), 1.0, 1.1) == 0
    assert meeting_sphere_sphere((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0, 1.1) == 0
