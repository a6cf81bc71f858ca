import numpy as np
import pytest

import firstcontact as fc
from firstcontact.narrowphase.convex.gjk import EXACT, closest_convex_convex
from firstcontact.narrowphase.convex.separating_axis_convex import gap_convex_convex
from firstcontact.narrowphase.triangles.closest_segments import closest_segments
from narrowphase.convex.pairs import any_rotation, pair_of

SHAPES = (
    fc.Sphere(0.5),
    fc.Capsule(0.2, 0.8),
    fc.Box([1, 0.7, 0.5]),
    fc.Cylinder(0.5, 0.8),
    fc.Ellipsoid([0.6, 0.4, 0.3]),
    fc.ConvexHull(0.4 * np.random.default_rng(0).normal(size=(20, 3))),
    fc.ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0]], flat=True),
)


@pytest.mark.parametrize("a", SHAPES, ids=repr)
def test_a_gap_is_found_where_there_is_a_distance(a):
    rng = np.random.default_rng(0)
    for b in SHAPES:
        for _ in range(20):
            pair, pool_a, pool_b = pair_of(a, b, any_rotation(rng), 0.6 * rng.normal(size=3))
            guess = tuple(rng.normal(size=3))
            gap = gap_convex_convex(pair.a, pair.b, pool_a, pool_b, pair.frame, guess, 1e-13)
            closest = closest_convex_convex(pair.a, pair.b, pool_a, pool_b, pair.frame, guess, EXACT)
            distance = closest.distance - pair.a.radius - pair.b.radius
            assert (gap.width > 0) == (distance > 1e-13)
            assert gap.width <= max(distance, 0.0)


def test_a_gap_of_less_than_rounding_is_none():
    for a in (SHAPES[0], SHAPES[1], SHAPES[2], SHAPES[5]):
        lowest = a.bounds[0, 2] - a.table.records[0, 11]
        for gap, is_apart in ((1e-9, True), (1e-11, False), (-1e-9, False)):
            pair, pool_a, pool_b = pair_of(a, fc.Box([4, 4, 1]), None, (0.0, 0.0, 0.5 - lowest + gap))
            found = gap_convex_convex(pair.a, pair.b, pool_a, pool_b, pair.frame, (0.0, 0.0, -1.0), 1e-10)
            assert (found.width > 0) == is_apart


@pytest.mark.parametrize("seed", range(20))
def test_segments_are_closest_where_sampling_says(seed):
    rng = np.random.default_rng(seed)
    side, t, half = rng.normal(size=3), rng.normal(size=3), abs(rng.normal())
    if seed % 4 == 0:
        side[:2] = 0.0
    if seed % 5 == 0:
        side[:] = 0.0
    if seed % 7 == 0:
        half = 0.0
    p, q = closest_segments(tuple(side), half, tuple(t))
    found = np.linalg.norm(np.subtract(p, q))
    s = np.linspace(-1.0, 1.0, 2001)
    points = t + s[:, None] * side
    points[:, 2] -= np.clip(points[:, 2], -half, half)
    least = np.linalg.norm(points, axis=1).min()
    assert least - 1e-3 <= found <= least + 1e-12


def test_parallel_capsules_that_only_just_touch():
    capsule = fc.Capsule(0.5, 2)
    for tilt in (0.0, 1e-16, 1e-9):
        rotation = np.array([[1.0, 0, tilt], [0, 1, 0], [-tilt, 0, 1]])
        for x, is_apart in ((1.0, False), (1.0 + 1e-7, True), (1.0 - 1e-7, False)):
            pair, pool_a, pool_b = pair_of(capsule, capsule, rotation, (x, 0.0, 0.5))
            gap = gap_convex_convex(pair.a, pair.b, pool_a, pool_b, pair.frame, (1.0, 0.0, 0.0), 1e-8)
            assert (gap.width > 0) == is_apart
