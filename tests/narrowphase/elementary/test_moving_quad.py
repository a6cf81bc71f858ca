from fractions import Fraction

import numpy as np
import pytest

from firstcontact.narrowphase.elementary.moving_quad import (
    coplanarity_cubic,
    magnitude_permanent,
    moving_quad,
    quad_at,
)
from oracles.exact_distance import points_at

CORNER = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
RNG = np.random.default_rng(1)


def random_points(step):
    """Four points on a grid coarse enough for exact products."""
    return tuple(tuple(point) for point in (RNG.integers(-8, 9, (4, 3)) * step).tolist())


def exact_volume(t0, t1, t):
    """Determinant of the vectors from the last point at a rational time."""
    *points, last = points_at(t0, t1, t)
    a, b, c = ([x - y for x, y in zip(point, last, strict=True)] for point in points)
    n = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    return sum(x * y for x, y in zip(n, c, strict=True))


def test_compiled_and_python_functions_agree():
    for _ in range(50):
        t0, t1 = random_points(0.1), random_points(0.3)
        quad = moving_quad(t0, t1)
        assert quad == moving_quad.py_func(t0, t1)
        assert quad_at(quad, 0.3) == quad_at.py_func(quad, 0.3)
        assert coplanarity_cubic(quad) == coplanarity_cubic.py_func(quad)
        assert magnitude_permanent(quad) == magnitude_permanent.py_func(quad)


def test_vectors_go_from_the_last_point_to_the_others():
    quad = moving_quad(CORNER, tuple(CORNER[i] for i in (3, 1, 2, 0)))
    assert quad.t0 == ((0.0, 0.0, -1.0), (1.0, 0.0, -1.0), (0.0, 1.0, -1.0))
    assert quad.t1 == ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    assert quad.size == ((0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (0.0, 1.0, 1.0))
    assert quad_at(quad, 0.0) == quad.t0
    assert quad_at(quad, 1.0) == quad.t1
    assert quad_at(quad, 0.5)[0] == (0.0, 0.0, 0.0)


def test_the_cubic_is_the_volume_of_the_points_at_every_time():
    for _ in range(50):
        t0, t1 = random_points(1.0), random_points(1.0)
        quad = moving_quad(t0, t1)
        b = [Fraction(c).limit_denominator(3) for c in coplanarity_cubic(quad)]  # thirds of integers
        for t in (Fraction(0), Fraction(1, 7), Fraction(1, 2), Fraction(1)):
            s = 1 - t
            value = b[0] * s**3 + 3 * b[1] * s**2 * t + 3 * b[2] * s * t**2 + b[3] * t**3
            assert value == exact_volume(t0, t1, t)


def test_the_cubic_ends_with_the_volumes_at_both_ends():
    for _ in range(50):
        t0, t1 = random_points(0.5), random_points(0.125)
        b = coplanarity_cubic(moving_quad(t0, t1))
        assert (b[0], b[3]) == (exact_volume(t0, t1, 0), exact_volume(t0, t1, 1))


def test_the_permanent_bounds_every_coefficient():
    for _ in range(50):
        quad = moving_quad(random_points(0.1), random_points(0.3))
        largest = max(abs(c) for c in coplanarity_cubic(quad))
        assert largest <= magnitude_permanent(quad) * (1.0 + 1e-14)


@pytest.mark.parametrize("k", range(3))
def test_the_permanent_is_zero_in_a_coordinate_plane(k):
    t0, t1 = ([[0.0 if i == k else x for i, x in enumerate(p)] for p in random_points(0.1)] for _ in range(2))
    quad = moving_quad(tuple(map(tuple, t0)), tuple(map(tuple, t1)))
    assert magnitude_permanent(quad) == 0.0
    assert coplanarity_cubic(quad) == (0.0, 0.0, 0.0, 0.0)


def test_points_far_from_the_origin_lose_nothing():
    away = 2.0**40
    far = tuple(tuple(x + away for x in point) for point in CORNER)
    assert moving_quad(far, far) == moving_quad(CORNER, CORNER)
