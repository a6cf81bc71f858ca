"""Distances of points from clouds; all others are in properties/test_clouds.py."""

import numpy as np

import firstcontact as fc
from firstcontact.proximity.points.signed_on_cloud import signed_on_cloud


def test_points_on_elements_have_a_way_out():
    rope = fc.Strands([[0, 0, 0], [2, 0, 0], [5, 5, 5]], [2, 1], [0.5, 0.5, 0.25])
    points = np.array([[1.0, 0, 0], [5, 5, 5]])
    found = signed_on_cloud(rope, points)
    assert found.distances.tolist() == [-0.5, -0.25]
    assert found.faces.tolist() == [0, 1]
    assert np.linalg.norm(found.normals, axis=1).tolist() == [1.0, 1.0]
    assert found.normals[0, 0] == 0.0  # at right angles to the segment
    assert np.allclose(np.linalg.norm(found.points - points, axis=1), [0.5, 0.25])


def test_of_elements_as_near_the_first_is_told():
    cloud = fc.Points([[0, 0, 1], [0, 0, -1], [0, 0, 1]], 0.5)
    assert signed_on_cloud(cloud, np.zeros((1, 3))).faces.tolist() == [0]


def test_many_points_near_many():
    rng = np.random.default_rng(1)
    cloud, points = fc.Points(rng.random((3000, 3)), 0.01), rng.random((500, 3))
    true = [np.linalg.norm(cloud.positions - p, axis=1).min() - 0.01 for p in points]
    assert np.abs(signed_on_cloud(cloud, points).distances - true).max() < 1e-14
