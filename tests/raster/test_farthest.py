"""The farthest site of each pixel against a look at all of them."""

import numpy as np
import pytest

import firstcontact as fc
from oracles.nearest_sites import assert_nearest, centers, to_segments, to_triangles


@pytest.mark.parametrize("n", [1, 2, 300])
def test_points_in_the_plane(n):
    rng = np.random.default_rng(1)
    points = np.round(rng.random((n, 2)) * 16) / 16
    found = fc.voronoi(points, [[0, 0], [1, 1]], 40, farthest=True)
    assert_nearest(found, to_segments(centers(found), points, points), farthest=True)


def test_a_site_of_many_parts_is_as_far_as_its_nearest():
    rng = np.random.default_rng(1)
    corners = rng.random((40, 3, 3))
    sites = [fc.Mesh(own.reshape(-1, 3), [[0, 1, 2], [3, 4, 5]]) for own in corners.reshape(20, 2, 3, 3)]
    weights, factors = rng.random(20), 1 + rng.random(20)
    found = fc.voronoi(sites, [[0, 0, 0], [2, 1, 1]], 12, farthest=True, weights=weights, factors=factors)
    values = to_triangles(centers(found), corners).reshape(-1, 20, 2).min(axis=2)
    assert_nearest(found, values * factors - weights, farthest=True)


def test_sites_without_parts_are_nowhere():
    found = fc.voronoi(
        [fc.Mesh([], []), [0.0, 0, 0], fc.Points([])], [[0, 0, 0], [1, 1, 1]], 2, farthest=True
    )
    assert set(found.ids.reshape(-1)) == {1}
    none = fc.voronoi([fc.Mesh([], [])], [[0, 0, 0], [1, 1, 1]], 2, farthest=True)
    assert set(none.ids.reshape(-1)) == {-1}
    assert set(none.distance.reshape(-1)) == {-np.inf}
