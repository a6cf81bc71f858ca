import numpy as np
import pytest

from firstcontact.narrowphase.triangles.triangle_separation import separation_triangle_triangle, shadow_gap
from oracles.triangle_distance import crossing_depth, triangle_distance_squared
from tuples import as_tuples

RNG = np.random.default_rng(41)


def separation(a, b):
    return separation_triangle_triangle(as_tuples(a), as_tuples(b))


def pairs(kind, n=60):
    """Pairs of triangles (n, 2, 3, 3)."""
    both = RNG.standard_normal((n, 2, 3, 3))
    both[:, 1] += RNG.choice([0.0, 1.0, 3.0], (n, 1, 1))
    if kind == "lattice":
        return np.round(both)
    if kind == "flat":
        both[..., 2] = 0.0
    if kind == "segments":
        both[:, 0, 2] = both[:, 0, 1]
    if kind == "points":
        both[:, 1] = both[:, 1, :1]
    return both


@pytest.mark.parametrize("kind", ["any", "lattice", "flat", "segments", "points"])
def test_a_gap_is_never_wider_than_the_distance(kind):
    for a, b in pairs(kind):
        exact = np.sqrt(float(triangle_distance_squared(a, b)))
        assert separation(a, b) <= exact + 1e-14
        assert shadow_gap(as_tuples(a), as_tuples(b), (0.3, -0.4, 0.5)) <= exact + 1e-14


@pytest.mark.parametrize("kind", ["any", "lattice", "flat"])
def test_every_gap_is_seen(kind):
    for a, b in pairs(kind):
        assert (separation(a, b) > 0.0) == (crossing_depth(a, b) < 0.0)
        # The oracle tries a few directions more.
        assert separation(a, b) <= -crossing_depth(a, b) + 1e-13


@pytest.mark.parametrize("gap", [1e-3, 1e-9, 1e-13])
def test_gaps_down_to_rounding(gap):
    floor = np.array([[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]])
    turn, _ = np.linalg.qr(RNG.standard_normal((3, 3)))
    for heights in ([0, 1, 1], [0, 0, 1], [0, 0, 0]):
        leaf = np.column_stack([[[0, 0], [1, 0], [0, 1]], np.add(heights, gap)])
        assert separation(leaf @ turn, floor @ turn) == pytest.approx(gap, abs=1e-14)
        assert separation(floor @ turn, leaf @ turn) == pytest.approx(gap, abs=1e-14)


def test_points_have_no_direction():
    point = np.ones((3, 3))
    assert separation(point, 2.0 * point) == -np.inf
    assert shadow_gap(as_tuples(point), as_tuples(point), (0.0, 0.0, 0.0)) == -np.inf


@pytest.mark.parametrize("scale", [1e-40, 2.0**149])
def test_any_size(scale):
    for a, b in pairs("any", 20):
        assert separation(scale * a, scale * b) == pytest.approx(scale * separation(a, b), rel=1e-10, abs=0.0)
