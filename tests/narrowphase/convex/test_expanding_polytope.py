import numpy as np
import pytest

import firstcontact as fc
from firstcontact.narrowphase.convex.expanding_polytope import escape_convex_convex
from firstcontact.narrowphase.convex.polytope import workspace
from narrowphase.convex.pairs import any_rotation, corners_of, least_overlap, pair_of

WORK = workspace(1024)


def escape(a, b, rotation=None, offset=(0.0, 0.0, 0.0)):
    return escape_convex_convex(*pair_of(a, b, rotation, offset), *WORK)


def hull(rng, n, stretch=1.0):
    return fc.ConvexHull(rng.normal(size=(n, 3)) * stretch)


@pytest.mark.parametrize("seed", range(40))
def test_hulls_are_as_deep_as_brute_force_says(seed):
    rng = np.random.default_rng(seed)
    stretch = 10.0 ** rng.uniform(-3, 3, 3) if seed % 2 else 1.0
    a, b = hull(rng, rng.integers(4, 30), stretch), hull(rng, rng.integers(4, 30))
    rotation, offset = any_rotation(rng), 0.3 * rng.normal(size=3)
    found = escape(a, b, rotation, offset)
    points_a, points_b = corners_of(a) @ rotation.T + offset, corners_of(b)
    expected = least_overlap(points_a, points_b)
    size = np.abs(points_a).max() + np.abs(points_b).max()
    if expected < 0:
        assert found.depth < 0
        return
    assert found.depth == pytest.approx(expected, rel=2e-12, abs=1e-14 * size)
    # The proven part: moved by as much along this direction, they are apart.
    n = np.array(found.direction)
    assert (points_a @ n).max() - (points_b @ n).min() <= found.depth + 1e-14 * size
    assert found.is_known
    for points, point in ((points_a, np.array(found.point)), (points_b, found.point - found.depth * n)):
        assert in_hull(points, point, 1e-12 * size)


def in_hull(points, point, slack):
    from scipy.spatial import ConvexHull

    equations = ConvexHull(points).equations
    return (equations[:, :3] @ point + equations[:, 3] <= slack).all()


def test_many_corners():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(400, 3))
    ball = fc.ConvexHull(points / np.linalg.norm(points, axis=1, keepdims=True))
    found = escape(ball, ball, any_rotation(rng), (0.5, 0.2, 0.1))
    assert 1.4 < found.depth < 2 - np.linalg.norm([0.5, 0.2, 0.1])
    assert found.is_known


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_what_is_flat_is_touched_at_once(scale):
    square = fc.ConvexHull(scale * np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]), flat=True)
    found = escape(square, square, None, (0.1 * scale, 0.2 * scale, 0.0))
    assert abs(found.depth) <= 1e-14 * scale
    assert np.allclose(np.abs(found.direction), (0, 0, 1))
    segment = fc.ConvexHull(scale * np.array([[-1, 0, 0], [1, 0, 0]]), flat=True)
    crossing = fc.ConvexHull(scale * np.array([[0, -1, 0], [0, 1, 0]]), flat=True)
    found = escape(segment, crossing)
    assert abs(found.depth) <= 1e-14 * scale
    assert np.allclose(np.abs(found.direction), (0, 0, 1))


def test_points_that_coincide():
    dot = fc.ConvexHull([[3.0, 2.0, 1.0]], flat=True)
    found = escape(dot, dot)
    assert found.depth == 0.0
    assert np.linalg.norm(found.direction) == 1.0


def test_what_is_apart_is_found_so():
    box = fc.Box([1, 1, 1])
    assert escape(box, box, None, (1.5, 0.2, 0.1)).depth < -0.3
    assert escape(box, box, None, (1.01, 0.99, 0.99)).depth < 0


def test_coincident_boxes():
    box = fc.Box([1, 2, 3])
    found = escape(box, box)
    assert found.depth == pytest.approx(1.0, rel=1e-15)
    assert np.abs(found.direction).tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("aspect", [1e-4, 1e-8, 1e-12, 1e-15])
def test_needles(aspect):
    rng = np.random.default_rng(1)
    needle = fc.ConvexHull(rng.normal(size=(12, 3)) * [1, aspect, aspect], flat=True)
    found = escape(needle, fc.Box([1, 1, 1]), any_rotation(rng), (0.4, 0.1, 0.2))
    assert 0.0 < found.depth < 1.0
    slab = fc.ConvexHull(rng.normal(size=(12, 3)) * [1, 1, aspect], flat=True)
    found = escape(slab, slab, None, (0.1, 0.0, 0.0))
    thickness = np.ptp(corners_of(slab)[:, 2]) if aspect > 1e-14 else 0.0
    assert found.depth <= thickness * (1 + 1e-9) + 1e-14
