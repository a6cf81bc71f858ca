"""Balls and ellipsoids that move straight on, against bisection and by hand."""

import numpy as np
import pytest

from firstcontact.narrowphase.convex.swept_ellipsoid import (
    swept_ball_triangle,
    swept_ellipsoid_triangle,
    swept_point_ball,
)
from firstcontact.narrowphase.triangles.closest_points import closest_point_triangle, triangle_point
from properties.rigid_families import unit
from samples import sample
from tuples import as_tuples

FLOOR = (-1.0, -1.0, -2.0), (5.0, -1.0, -2.0), (-1.0, 5.0, -2.0)


def distance(center, triangle):
    """Distance of a point and a triangle."""
    weights = closest_point_triangle(tuple(map(float, center)), *triangle)
    return np.linalg.norm(np.array(triangle_point(*triangle, weights)) - center)


def first_time(v, radius, triangle, end):
    """First time at which a ball that moves by v touches a triangle: the distance is convex in time."""
    times = np.linspace(0.0, end, 400)
    gaps = np.array([distance(t * v, triangle) - radius for t in times])
    k = int(np.argmin(gaps))
    low, high = times[max(k - 1, 0)], times[min(k + 1, 399)]
    for _ in range(200):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if distance(a * v, triangle) < distance(b * v, triangle) else (a, high)
    if distance(low * v, triangle) > radius:
        return np.inf
    low, high = 0.0, low
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if distance(middle * v, triangle) <= radius else (middle, high)
    return high


def test_a_ball_meets_face_edge_and_corner():
    assert swept_ball_triangle((0.0, 0.0, -1.0), 0.5, FLOOR) == (1.5, (0.0, 0.0, -2.0))
    # Beyond the edge by as much as 0.3: it dips by 0.4 more.
    beside = tuple((x + 1.3, y, z) for x, y, z in FLOOR)
    time, point = swept_ball_triangle((0.0, 0.0, -1.0), 0.5, beside)
    assert time == pytest.approx(1.6)
    assert point == pytest.approx((0.3, 0.0, -2.0))
    beside = tuple((x + 1.3, y + 1.4, z) for x, y, z in FLOOR)
    time, point = swept_ball_triangle((0.0, 0.0, -1.0), 0.5, beside)
    assert time == pytest.approx(2.0)
    assert point == pytest.approx((0.3, 0.4, -2.0))


def test_a_ball_passes_by_goes_away_or_stands():
    for v in ((0.0, 0.0, 1.0), (0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (-3.0, 0.0, -1.0)):
        assert swept_ball_triangle(v, 0.5, FLOOR)[0] == np.inf
    assert swept_point_ball((0.0, 0.0, 3.0), (0.0, 0.0, -1.0), 1.0) == 2.0
    assert swept_point_ball((0.0, 0.0, 3.0), (0.0, 0.0, 1.0), 1.0) == np.inf
    assert swept_point_ball((0.0, 0.0, 0.5), (0.0, 0.0, -1.0), 1.0) == np.inf


def test_balls_against_bisection():
    rng = np.random.default_rng(2)
    n_hits = 0
    for _ in range(sample(60, of=150)):
        triangle = as_tuples(3.0 * unit(rng) + rng.choice([0.1, 1.0, 3.0]) * rng.standard_normal((3, 3)))
        if rng.random() < 0.2:
            triangle = triangle[0], triangle[1], triangle[rng.integers(2)]
        v = np.mean(triangle, axis=0) + 0.5 * rng.standard_normal(3)
        radius = rng.uniform(0.05, 1.0)
        if distance(np.zeros(3), triangle) <= radius:
            continue
        time, point = swept_ball_triangle(tuple(v), radius, triangle)
        truth = first_time(v, radius, triangle, 4.0)
        if time > 4.0 or truth == np.inf:
            assert truth == np.inf or truth > 3.99
            continue
        n_hits += 1
        assert time == pytest.approx(truth, abs=1e-6)
        assert np.linalg.norm(np.array(point) - time * v) == pytest.approx(radius)
        assert distance(point, triangle) < 1e-9
    assert n_hits > 30


def test_ellipsoids_are_balls_in_a_stretched_space():
    rng = np.random.default_rng(3)
    n_hits = 0
    for _ in range(100):
        radii = rng.uniform(0.2, 1.0, 3)
        triangle = 2.5 * unit(rng) + 0.6 * rng.standard_normal((3, 3))
        v = rng.uniform(0.5, 2.0) * triangle.mean(axis=0)
        time, normal = swept_ellipsoid_triangle(tuple(v), tuple(radii), as_tuples(triangle))
        stretched = as_tuples(triangle / radii)
        assert time == swept_ball_triangle(tuple(v / radii), 1.0, stretched)[0] or time == pytest.approx(
            swept_ball_triangle(tuple(v / radii), 1.0, stretched)[0]
        )
        if time == np.inf or distance(np.zeros(3), stretched) <= 1.0:
            continue
        n_hits += 1
        # The plane at right angles to the normal separates the two, and both touch it.
        n = np.array(normal) / np.linalg.norm(normal)
        front = np.linalg.norm(radii * n)
        assert ((triangle - time * v) @ n).min() == pytest.approx(front, rel=1e-9)
    assert n_hits > 30
