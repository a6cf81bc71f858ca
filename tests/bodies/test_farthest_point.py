"""The farthest of many points, against measuring all of them."""

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from firstcontact.bodies.farthest_point import farthest_from_triangles, highest_above_planes


def scattered(seed, n):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 3)), rng.normal(size=(4 * n, 9))


@pytest.mark.parametrize("seed", range(6))
def test_the_farthest_point_is_that_of_all_distances(seed):
    points, triangles = scattered(seed, 1 + 13 * seed)
    triangles[0, 3:6] = triangles[0, :3]  # without an area
    triangles[1] = np.tile(triangles[1, :3], 3)
    mesh = fc.Mesh(triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3))
    dot = fc.Mesh([[0, 0, 0]], [[0, 0, 0]])
    far = [fc.distance(dot.at((np.eye(3), p)), mesh).distance for p in points]
    assert farthest_from_triangles(points, triangles) == pytest.approx(max(far), rel=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_the_highest_point_is_that_of_all_heights(seed):
    rng = np.random.default_rng(seed)
    points, normals, levels = rng.normal(size=(50, 3)), rng.normal(size=(40, 3)), rng.normal(size=40)
    heights = points @ normals.T - levels
    assert highest_above_planes(points, normals, levels) == pytest.approx(heights.max(), rel=1e-12)
    assert highest_above_planes(points, normals, levels + 100.0) == 0.0


def test_nothing_is_far_from_nothing():
    assert farthest_from_triangles(np.empty((0, 3)), np.ones((1, 9))) == 0.0
    assert highest_above_planes(np.empty((0, 3)), np.ones((1, 3)), np.zeros(1)) == 0.0


def test_points_on_a_surface_are_not_far_from_it():
    ball = trimesh.creation.icosphere(subdivisions=3)
    corners = ball.vertices[ball.faces]
    assert farthest_from_triangles(corners.mean(axis=1), corners.reshape(-1, 9)) < 1e-15
