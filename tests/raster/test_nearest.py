"""The nearest element of each pixel against a look at all of them."""

import numpy as np
import pytest

import firstcontact as fc
from oracles.nearest_sites import assert_nearest, centers, to_segments, to_triangles

BOUNDS = [[-0.1, -0.2], [1.1, 0.9]]
CUBE = [[0, 0, 0], [1, 1, 1]]


def triangles(rng, n, steps):
    """Random ones; every fifth nearly straight, every seventh a segment."""
    corners = np.round(rng.random((n, 3, 3)) * steps) / steps
    corners[::5, 2] = corners[::5, 0] + (corners[::5, 1] - corners[::5, 0]) * rng.random(
        (len(corners[::5]), 1)
    )
    corners[::5, 2] += 1e-9 * rng.normal(size=corners[::5, 2].shape)
    corners[::7, 2] = corners[::7, 0]
    return corners


@pytest.mark.parametrize("n", [1, 9, 600])
@pytest.mark.parametrize("size", [1.0, 1e-6, 1e9])
def test_points_and_segments_in_the_plane(n, size):
    rng = np.random.default_rng(1)
    points = np.round(rng.random((n, 2)) * 64) / 64 * size
    found = fc.voronoi(points, np.multiply(BOUNDS, size), (40, 33))
    assert_nearest(found, to_segments(centers(found), points, points))
    segments = points[:, np.newaxis] + np.round(rng.normal(size=(n, 2, 2)) * 4) / 32 * size
    found = fc.voronoi(segments, np.multiply(BOUNDS, size), (40, 33))
    assert_nearest(found, to_segments(centers(found), segments[:, 0], segments[:, 1]))


@pytest.mark.parametrize("steps", [4, 64, 2**40])
def test_triangles_of_all_kinds_in_space(steps):
    rng = np.random.default_rng(1)
    corners = triangles(rng, 60, steps)
    sites = [fc.Mesh(own, [[0, 1, 2]]) for own in corners]
    weights, factors = 0.2 * rng.random(60), 1 + rng.random(60)
    found = fc.voronoi(sites, CUBE, (9, 11, 13))
    values = to_triangles(centers(found), corners)
    assert_nearest(found, values)
    found = fc.voronoi(sites, CUBE, (9, 11, 13), weights=weights, factors=factors)
    assert_nearest(found, values * factors - weights)


def test_where_too_many_are_near_each_pixel_is_searched():
    rng = np.random.default_rng(1)
    crowd = 0.5 + 1e-3 * rng.random((3000, 2))
    ring = 0.5 + 4.0 * np.stack([np.cos(np.arange(3000)), np.sin(np.arange(3000))], axis=1)
    for points in (crowd, ring, np.concatenate([crowd, ring])):
        found = fc.voronoi(points, BOUNDS, 24)
        assert_nearest(found, to_segments(centers(found), points, points))
        alone = fc.voronoi(points, BOUNDS, 24, weights=np.zeros(len(points)))
        assert np.array_equal(alone.ids, found.ids)


def test_of_equally_near_sites_the_first_is_told():
    rng = np.random.default_rng(1)
    points = np.repeat(rng.random((20, 2)), 40, axis=0)
    found = fc.voronoi(points, BOUNDS, 50)
    assert set(np.unique(found.ids) % 40) == {0}


def test_one_row_of_cells_and_one_cell():
    found = fc.voronoi([[0.0, 0.0], [9.0, 0.0]], [[0, 0], [10, 1]], (200, 1))
    assert found.ids[:, 0].tolist() == [0] * 90 + [1] * 110
    assert fc.voronoi([[0.0, 0.0, 3.0]], CUBE, 1).distance.tolist() == [[[np.linalg.norm([0.5, 0.5, 2.5])]]]
