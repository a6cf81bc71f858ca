import math

import numpy as np
import pytest

from oracles.closest_triangles import Real, closest_points, norm
from oracles.triangle_distance import triangle_distance_squared

RNG = np.random.default_rng(5)


def pairs(kind, n=25):
    """Pairs of triangles (n, 2, 3, 3)."""
    both = RNG.standard_normal((n, 2, 3, 3))
    if kind == "lattice":
        return np.round(both)
    if kind == "near":
        both[:, 1] = both[:, 0] + 1e-9 * RNG.standard_normal((n, 3, 3)) + [0.0, 0.0, 1e-7]
    if kind == "flat":
        both[..., 2] = 0.0
    if kind == "segments":
        both[:, 0, 2] = 0.5 * (both[:, 0, 0] + both[:, 0, 1])
    if kind == "points":
        both[:, 1] = both[:, 1, :1]
    if kind == "far":
        both += 1e6
    return both


@pytest.mark.parametrize("kind", ["any", "lattice", "near", "flat", "segments", "points", "far"])
def test_distances_are_those_of_exact_arithmetic(kind):
    both = pairs(kind)
    p, q = closest_points(*both.astype(Real).transpose(1, 3, 2, 0))
    distances, size = norm(q - p), np.abs(both).max()
    for (a, b), distance in zip(both, distances, strict=True):
        assert abs(distance - math.sqrt(triangle_distance_squared(a, b))) <= 1e-15 * size


def test_the_points_are_on_the_triangles():
    a, b = RNG.standard_normal((2, 3, 3, 50)).astype(Real)
    for triangle, points in zip((a, b), closest_points(a, b), strict=True):
        e, f, d = triangle[:, 1] - triangle[:, 0], triangle[:, 2] - triangle[:, 0], points - triangle[:, 0]
        for k in range(50):
            weights, *_ = np.linalg.lstsq(*(x.astype(float) for x in (np.stack([e, f], 1)[..., k], d[:, k])))
            assert np.all(weights >= -1e-12)
            assert weights.sum() <= 1.0 + 1e-12
            assert np.allclose(weights[0] * e[:, k] + weights[1] * f[:, k], d[:, k], atol=1e-12)
