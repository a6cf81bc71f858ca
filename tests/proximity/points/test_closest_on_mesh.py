"""Closest points of meshes: against all faces in extended precision."""

import numba
import numpy as np
import pytest

from firstcontact import Mesh, Sphere
from firstcontact.bodies.point_body import point_body_of
from firstcontact.proximity.points.closest_on_mesh import MOST_CANDIDATES, closest_on_mesh
from oracles.point_meshes import distances_to_faces, exact_distances
from properties.point_families import FAMILIES, placed, points_around, size_at, slivers
from samples import sample

# Of the sizes: what the distance may be off by, and what may be found though another is nearer.
ROUNDING = 2e-15


def check(mesh, points, measured=distances_to_faces):
    body = point_body_of(mesh)
    found = closest_on_mesh(body, points)
    truth = measured(points, mesh.vertices, mesh.faces)
    size = size_at(points, mesh)
    error = np.abs(np.asarray(found.distances - truth.min(axis=1), float))
    assert (error <= ROUNDING * size).all(), (error / size).max()
    faces = body.faces[found.places]
    assert (faces >= 0).all()
    own = np.asarray(truth[np.arange(len(points)), faces] - truth.min(axis=1), float)
    assert (own <= ROUNDING * size).all(), (own / size).max()
    assert (found.weights >= 0).all()
    assert (found.weights.sum(axis=1) <= 1 + 1e-15).all()
    return found


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_distances_are_those_to_the_nearest_of_all_faces(family):
    measured = exact_distances if family is slivers else distances_to_faces
    for seed in range(sample(20, of=200)):
        rng = np.random.default_rng(seed)
        mesh = placed(rng, family(rng))
        if mesh.n_faces:
            check(mesh, points_around(rng, mesh, 20 if family is slivers else 60), measured)


def test_as_many_faces_as_near_as_there_are():
    """From the middle of a ball, more are as near as there is room for candidates."""
    mesh = Sphere(1.0).mesh
    assert mesh.n_faces > 4 * MOST_CANDIDATES
    found = check(mesh, np.array([[0.0, 0.0, 0.0], [1e-9, 0.0, 0.0], [0.0, 0.0, 1e-5]]))
    assert found.distances[0] < 1.0


def test_of_faces_as_near_the_first_is_taken():
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    body = point_body_of(Mesh(corners, [[0, 1, 2]] * 20))
    found = closest_on_mesh(body, np.array([[0.2, 0.2, 1.0], [3.0, 0.0, 0.0], [1e9, 0.0, 0.0]]))
    assert body.faces[found.places].tolist() == [0, 0, 0]
    np.testing.assert_allclose(found.offsets, [[0, 0, 1], [2, 0, 0], [1e9 - 1, 0, 0]], atol=1e-15)


def test_threads_and_neighbours_change_nothing():
    rng = np.random.default_rng(7)
    n = 20_000
    mesh = Mesh(rng.normal(size=(900, 3)), rng.integers(0, 900, (3000, 3)))
    points = np.concatenate([rng.normal(size=(n, 3)), rng.integers(-1, 2, (500, 3)), mesh.vertices])
    body, threads = point_body_of(mesh), numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        alone = closest_on_mesh(body, points)
        numba.set_num_threads(min(2, threads))
        together = closest_on_mesh(body, points)
    finally:
        numba.set_num_threads(threads)
    one_by_one = [closest_on_mesh(body, points[i : i + 1]) for i in range(0, len(points), 100)]
    for k, array in enumerate(alone):
        np.testing.assert_array_equal(array, together[k])
        np.testing.assert_array_equal(array[::100], np.concatenate([found[k] for found in one_by_one]))


def test_nothing():
    body = point_body_of(Mesh([], []))
    found = closest_on_mesh(body, np.zeros((2, 3)))
    assert found.distances.tolist() == [np.inf, np.inf]
    assert found.places.tolist() == [-1, -1]
    assert len(closest_on_mesh(point_body_of(Sphere(1.0).mesh), np.empty((0, 3))).places) == 0
