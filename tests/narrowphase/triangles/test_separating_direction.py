"""Gaps along directions never exceed the distance, and those of features lose none of it."""

import numpy as np
import pytest

from firstcontact.narrowphase.triangles.separating_direction import gap_along, widest_gap
from firstcontact.narrowphase.triangles.triangle_distance import closest_triangle_triangle
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from oracles.closest_triangles import Real, closest_points, norm
from properties.rigid_families import orientation, unit
from samples import sample
from tuples import as_tuples

RNG = np.random.default_rng(21)


def distance(a, b):
    p, q = closest_points(*(np.array(t, Real).T[..., np.newaxis] for t in (a, b)))
    return float(norm(q - p)[0])


def facing(kind, height):
    """Two triangles whose closest features are of a kind and that far apart, anyhow turned."""
    low = RNG.uniform(0.2, 1.0, (3, 1)) * [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]]
    high = np.array([0.0, 0.0, height]) + RNG.uniform(-1.0, 1.0, (3, 3)) * [1.0, 1.0, 0.0]
    high[1:, 2] += RNG.uniform(0.3, 1.0, 2)
    if kind == "face":
        high[0, :2] = 0.0
    if kind == "edge":
        low[:, 2] = [0.0, 0.0, -1.0]
        low[:, 1] -= low[0, 1]
        high[:2] = [[0.0, -0.7, height], [0.1, 0.7, height]]
    if kind == "corner":
        low[:, 2] = [0.0, -1.0, -1.0]
        high[0, :2] = low[0, :2]
    turn, shift = orientation(RNG), RNG.choice([0.0, 3.0]) * unit(RNG)
    return as_tuples(low @ turn.T + shift), as_tuples(high @ turn.T + shift)


@pytest.mark.parametrize("kind", ["face", "edge", "corner"])
@pytest.mark.parametrize("height", [1e-2, 1e-6, 1e-9, 1e-12])
def test_features_prove_the_distance_however_near_they_are(kind, height):
    for _ in range(15):
        a, b = facing(kind, height)
        p, q = closest_triangle_triangle(a, b)
        e = np.subtract(q, p)
        if not e.any():  # nearer than points can tell
            continue
        gap, n = widest_gap(a, b, tuple((e / np.linalg.norm(e)).tolist()))
        true = distance(a, b)
        assert 0.99 * true - 1e-14 <= gap <= true + 64 * UNIT_ROUNDOFF
        assert np.linalg.norm(n) == pytest.approx(1.0, abs=8 * UNIT_ROUNDOFF)


@pytest.mark.parametrize("scale", [1e-160, 1e-30, 1.0, 1e40])
def test_no_gap_exceeds_the_distance(scale):
    for _ in range(sample(15, of=40)):
        a, b = (
            as_tuples(scale * t) for t in RNG.standard_normal((2, 3, 3)) * RNG.choice([0.0, 1e-9, 1.0], 3)
        )
        for n in (unit(RNG), *np.eye(3)):
            gap, _ = widest_gap(a, b, tuple(n.tolist()))
            assert gap <= distance(a, b) + 64 * UNIT_ROUNDOFF * scale
            assert gap >= gap_along(a, b, tuple(n.tolist()))


def test_the_gap_along_a_direction_has_a_sign():
    low, high = as_tuples(np.eye(3)), as_tuples(np.eye(3) + np.array([0.0, 0.0, 5.0]))
    assert gap_along(low, high, (0.0, 0.0, 1.0)) == 4.0
    assert gap_along(high, low, (0.0, 0.0, 1.0)) == -6.0
    assert gap_along(low, high, (1.0, 0.0, 0.0)) == -1.0


def test_points_have_no_other_direction():
    a, b = (((0.0, 0.0, 0.0),) * 3), (((3.0, 0.0, 4.0),) * 3)
    assert widest_gap(a, b, (0.6, 0.0, 0.8)) == (pytest.approx(5.0), (0.6, 0.0, 0.8))
