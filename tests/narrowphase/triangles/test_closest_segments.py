"""Closest points of two segments, against a search over both."""

import numpy as np
from scipy.optimize import minimize_scalar

from firstcontact.narrowphase.triangles.closest_segments import closest_segments


def least_distance(side, half, t):
    def at(s):
        p = t + s * side
        return np.linalg.norm(p - [0.0, 0.0, np.clip(p[2], -half, half)])

    return min(minimize_scalar(at, bounds=(-1, 1), options={"xatol": 1e-12}).fun, at(-1.0), at(1.0))


def test_no_two_points_are_closer():
    rng = np.random.default_rng(3)
    for _ in range(200):
        side, t, half = rng.standard_normal(3), 2.0 * rng.standard_normal(3), rng.uniform(0.1, 2.0)
        p, q = (np.array(point) for point in closest_segments(tuple(side), half, tuple(t)))
        s = (p - t) @ side / (side @ side)
        np.testing.assert_allclose(p, t + s * side, atol=1e-12)
        assert -1.0 - 1e-12 <= s <= 1.0 + 1e-12
        assert q[:2].tolist() == [0.0, 0.0]
        assert abs(q[2]) <= half
        assert np.linalg.norm(p - q) <= least_distance(side, half, t) + 1e-7


def test_points_and_parallels():
    assert closest_segments((0.0, 0.0, 0.0), 1.0, (2.0, 0.0, 3.0)) == ((2.0, 0.0, 3.0), (0.0, 0.0, 1.0))
    p, q = closest_segments((0.0, 0.0, 1.0), 1.0, (2.0, 0.0, 5.0))
    assert (p, q) == ((2.0, 0.0, 4.0), (0.0, 0.0, 1.0))
