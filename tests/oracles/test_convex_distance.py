"""The oracle of distances against closed forms, all pairs of features, and its own two bounds."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from oracles.closest_triangles import Real, closest_points, norm
from oracles.convex_cores import Core, size_of
from oracles.convex_distance import distances
from oracles.convex_exact import exact_hull_distance_squared, placed_exactly, root
from oracles.exact_distance import segment_segment_squared
from properties.convex_families import FAMILIES, cores_of, generate
from properties.rigid_families import orientation
from samples import sample

N = 40
POINT, NONE = np.zeros((1, 3)), np.zeros(3)


def ball(radius):
    return Core(POINT, NONE, radius)


def poses(rng, spread):
    return [(orientation(rng), spread * rng.standard_normal(3)) for _ in range(N)]


def bracket_of(cores_a, cores_b, rng, spread=3.0):
    poses_a, poses_b = poses(rng, spread), poses(rng, spread)
    return distances(cores_a, poses_a, cores_b, poses_b), poses_a, poses_b


def assert_within(found, expected, error=1e-14):
    assert np.all(found.lower - error <= expected)
    assert np.all(expected <= found.upper + error)
    assert np.all(found.upper - found.lower <= error)


def test_balls():
    rng = np.random.default_rng(0)
    radii = rng.uniform(0.1, 2.0, (2, N))
    found, a, b = bracket_of([ball(r) for r in radii[0]], [ball(r) for r in radii[1]], rng)
    apart = np.array([np.linalg.norm(p[1] - q[1]) for p, q in zip(a, b, strict=True)])
    assert_within(found, np.maximum(apart - radii.sum(axis=0), 0.0))


def test_a_point_and_an_ellipsoid_that_is_a_ball_or_a_disc():
    rng = np.random.default_rng(1)
    found, a, b = bracket_of([Core(POINT, np.full(3, 2.0), 0.0)] * N, [ball(0.5)] * N, rng)
    apart = np.array([np.linalg.norm(p[1] - q[1]) for p, q in zip(a, b, strict=True)])
    assert_within(found, np.maximum(apart - 2.5, 0.0))
    found, a, b = bracket_of([Core(POINT, np.array([2.0, 2.0, 0.0]), 0.0)] * N, [ball(0.0)] * N, rng)
    local = np.array([p[0].T @ (q[1] - p[1]) for p, q in zip(a, b, strict=True)])
    outside = np.maximum(np.hypot(local[:, 0], local[:, 1]) - 2.0, 0.0)
    assert_within(found, np.hypot(outside, local[:, 2]))


def test_a_point_and_a_cylinder():
    rng = np.random.default_rng(2)
    cylinder = Core(np.array([[0, 0, -1.5], [0, 0, 1.5]]), np.array([0.7, 0.7, 0.0]), 0.0)
    found, a, b = bracket_of([cylinder] * N, [ball(0.0)] * N, rng, 2.0)
    local = np.array([p[0].T @ (q[1] - p[1]) for p, q in zip(a, b, strict=True)])
    around = np.maximum(np.hypot(local[:, 0], local[:, 1]) - 0.7, 0.0)
    assert_within(found, np.hypot(around, np.maximum(np.abs(local[:, 2]) - 1.5, 0.0)))


def test_a_point_and_an_ellipsoid_in_its_own_frame():
    """The foot x of y solves x_i = r_i^2 y_i / (r_i^2 + s): one root s, by bisection."""
    rng = np.random.default_rng(3)
    radii = np.array([0.3, 1.0, 2.5])
    places = 4.0 * rng.standard_normal((N, 3))
    at_origin, away = [(np.eye(3), NONE)] * N, [(np.eye(3), place) for place in places]
    found = distances([Core(POINT, radii, 0.0)] * N, at_origin, [ball(0.0)] * N, away)
    for i, y in enumerate(places.astype(Real)):
        low, high = Real(0), Real(1e4)
        for _ in range(120):
            s = (low + high) / 2
            is_low = ((radii * y / (radii**2 + s)) ** 2).sum() > 1
            low, high = (s, high) if is_low else (low, s)
        expected = np.sqrt(((y - radii**2 * y / (radii**2 + low)) ** 2).sum())
        if ((y / radii) ** 2).sum() > 1:
            assert abs(found.lower[i] - expected) < 1e-14
            assert abs(found.upper[i] - expected) < 1e-14


def test_segments():
    rng = np.random.default_rng(4)
    ends = rng.standard_normal((2, N, 2, 3))
    cores = [[Core(x, NONE, 0.0) for x in side] for side in ends]
    found, a, b = bracket_of(*cores, rng, 1.0)
    for i in range(N):
        corners = placed_exactly(ends[0, i], *a[i]) + placed_exactly(ends[1, i], *b[i])
        expected = float(root(segment_segment_squared(*corners)))
        assert abs(found.lower[i] - expected) < 1e-15
        assert abs(found.upper[i] - expected) < 1e-15


def all_triangles_distance(a, b):
    """The least distance of all triangles with corners among two sets of points, (k, 3) each."""
    triples = [points[list(combinations(range(len(points)), 3))] for points in (a, b)]
    i, j = (x.reshape(-1) for x in np.indices([len(x) for x in triples]))
    p, q = closest_points(*(x.transpose(2, 1, 0).astype(Real) for x in (triples[0][i], triples[1][j])))
    return norm(q - p).min()


@pytest.mark.parametrize("spread", [0.0, 0.3, 2.0])
def test_hulls_against_all_of_their_triangles(spread):
    rng = np.random.default_rng(5)
    for _ in range(3):
        a, b = rng.standard_normal((2, 6, 3)) + spread * rng.standard_normal((2, 1, 3))
        squared = exact_hull_distance_squared(*(placed_exactly(x, np.eye(3), NONE) for x in (a, b)))
        found = distances(
            [Core(a, NONE, 0.0)], [(np.eye(3), NONE)], [Core(b, NONE, 0.0)], [(np.eye(3), NONE)]
        )
        assert abs(found.lower[0] - float(root(squared))) < 1e-15
        assert abs(found.upper[0] - float(root(squared))) < 1e-15
        if squared > 0:  # one inside the other has no triangles that meet
            assert abs(all_triangles_distance(a, b) - float(root(squared))) < 1e-14


def test_exact_distances():
    square = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]
    for way, expected in (
        ([0, 0, 2], 4),
        ([1, 1, 0], 0),
        ([2, 2, 0], 2),
        ([0.5, 0.5, 0], 0),
        ([4, 0, 4], 25),
    ):
        a, b = placed_exactly(square, np.eye(3), NONE), placed_exactly(square, np.eye(3), way)
        assert exact_hull_distance_squared(a, b) == expected
    assert abs(root(Fraction(2)) ** 2 - 2) < Fraction(1, 10**35)
    assert root(Fraction(0)) == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_the_bounds_meet(family):
    """But for a few round shapes that almost touch, to 1e-13 of the distance and 1e-16 of the size."""
    for case in [generate(family, seed) for seed in range(sample(1, of=2))]:
        a, b = cores_of(case)
        n = len(case.places_a)
        cores = [Core(x.points[..., 0].T, x.semiaxes[:, 0], x.radius[0], x.apex[0]) for x in (a, b)]
        poses_a, poses_b = (list(zip(*poses, strict=True)) for poses in (case.poses_a, case.poses_b))
        found = distances([cores[0]] * n, poses_a, [cores[1]] * n, poses_b)
        size = sum(size_of(core) for core in cores)
        assert np.all(found.lower <= found.upper)
        width = found.upper - found.lower
        assert np.all(width <= 1e-13 * (found.upper + size))
        if not (np.any(cores[0].semiaxes) or np.any(cores[1].semiaxes)):
            assert np.all(width <= 1e-13 * found.upper + 1e-15 * size)
