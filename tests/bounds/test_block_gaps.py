"""Four volumes measured at once are measured like each of them alone."""

import platform

import numpy as np
import pytest

from firstcontact.bounds.block_gaps import RADIUS, measure_block
from firstcontact.bounds.swept_sphere import N_COLUMNS, fit_volumes, volume_of
from firstcontact.bounds.swept_sphere_gap import gap_volume_volume
from firstcontact.scalar.error_bounds import SHORTEST
from open_kernels import assembly_of

RNG = np.random.default_rng(31)
POINTS_EACH = 6


def volumes_of(points):
    """Volumes of clouds of points (n, POINTS_EACH, 3)."""
    n = len(points)
    ranges = POINTS_EACH * np.stack([np.arange(n), np.arange(1, n + 1)], axis=1)
    rows = np.empty((n, N_COLUMNS))
    fit_volumes(np.ascontiguousarray(points.reshape(-1, 3)), ranges, rows, 0, n)
    return rows


def clouds(kind, n):
    """Clouds of all shapes, at all distances from the origin."""
    shape = {"round": (1, 1, 1), "flat": (1, 1, 1e-6), "thin": (1, 1e-3, 1e-6), "dot": (0, 0, 0)}[kind]
    turns = np.linalg.qr(RNG.standard_normal((n, 3, 3)))[0]
    points = RNG.standard_normal((n, POINTS_EACH, 3)) * shape @ turns
    return points + RNG.choice([0.1, 1.0, 3.0, 30.0], (n, 1, 1)) * RNG.standard_normal((n, 1, 3))


def block_of(rows):
    return np.ascontiguousarray(rows[:, : RADIUS + 1].T)


def measured(one, rows):
    gaps = np.empty(len(rows))
    measure_block(volume_of(one, 0), block_of(rows), gaps)
    return gaps


@pytest.mark.parametrize("first", ["round", "flat", "thin", "dot"])
@pytest.mark.parametrize("second", ["round", "flat", "thin", "dot"])
def test_gaps_are_lower_bounds_and_nearly_those_of_pairs(first, second):
    total, total_alone = 0.0, 0.0
    for _ in range(40):
        points, others = clouds(first, 1), clouds(second, 4)
        one, rows = volumes_of(points), volumes_of(others)
        gaps = measured(one, rows)
        alone = np.array([gap_volume_volume(volume_of(one, 0), volume_of(rows, k))[0] for k in range(4)])
        distances = np.linalg.norm(points[0][:, None, None] - others, axis=-1).min(axis=(0, 2))
        size = np.abs(points).max() + np.abs(others).max()
        assert np.all(gaps <= distances + 1e-14 * size)
        total, total_alone = total + np.maximum(gaps, 0.0).sum(), total_alone + np.maximum(alone, 0.0).sum()
    assert total >= 0.98 * total_alone


def test_volumes_that_are_left_over_are_infinitely_far_away():
    rows = volumes_of(clouds("round", 4))
    rows[2], rows[2, RADIUS] = 0.0, -np.inf
    gaps = measured(volumes_of(clouds("flat", 1)), rows)
    assert np.isinf(gaps).tolist() == [False, False, True, False]


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e-100, 2.0**149])
def test_any_size(scale):
    points, others = clouds("round", 1), clouds("flat", 4)
    gaps = measured(volumes_of(scale * points), volumes_of(scale * others))
    distances = np.linalg.norm(points[0][:, None, None] - others, axis=-1).min(axis=(0, 2))
    assert np.all(np.isfinite(gaps))
    assert np.all(gaps <= (distances + 1e-13 * np.abs(others).max()) * scale + SHORTEST)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="reads x86 assembly")
def test_the_loop_is_vectorised():
    first = volume_of(np.ones((1, N_COLUMNS)), 0)
    assert assembly_of(measure_block, first, np.ones((15, 4)), np.ones(4)).count("mulpd") > 10
