"""Winding numbers by dipoles: as accurate as is said."""

import numpy as np
import pytest

from firstcontact import Mesh, Sphere
from firstcontact.proximity.points.winding import ACCURACY, NEAREST, winding_numbers, winds_around
from oracles.point_meshes import distances_to_faces, exact_distances
from oracles.point_meshes import winding_numbers as exact_windings
from properties.point_families import FAMILIES, placed, points_around, size_at, slivers
from samples import sample

# Closer to slivers, of the sizes, the referee has too few digits itself.
HIDDEN = 1e-8


def bumpy(rng):
    """A ball with bumps and holes: 1024 faces, as rough as they come."""
    ball = Sphere(1.0).mesh
    vertices = ball.vertices * rng.uniform(0.6, 1.4, (ball.n_vertices, 1))
    return Mesh(vertices, ball.faces[rng.random(ball.n_faces) < 0.8])


def soup(rng):
    n = 1000
    corners = rng.normal(size=(n, 1, 3)) + 0.1 * rng.normal(size=(n, 3, 3))
    return Mesh(corners.reshape(-1, 3), np.arange(3 * n).reshape(n, 3))


@pytest.mark.parametrize("make", [bumpy, soup, *FAMILIES], ids=lambda make: make.__name__)
def test_windings_are_as_accurate_as_is_said(make):
    for seed in range(sample(6, of=60)):
        rng = np.random.default_rng(seed)
        mesh = placed(rng, make(rng))
        if mesh.n_faces == 0:
            continue
        points = points_around(rng, mesh, 60)
        truth = exact_windings(points, mesh.vertices, mesh.faces)
        measured = exact_distances if make is slivers else distances_to_faces
        away = measured(points, mesh.vertices, mesh.faces).min(axis=1)
        is_clear = away > HIDDEN * size_at(points, mesh)
        for attempt in range(len(NEAREST)):
            error = np.abs(np.asarray(winding_numbers(mesh, points, attempt) - truth, float))[is_clear]
            assert error.max(initial=0.0) <= max(ACCURACY[attempt] / 2, 1e-6), attempt


def test_what_a_large_mesh_winds_around():
    mesh = bumpy(np.random.default_rng(3))
    points = np.random.default_rng(4).uniform(-1.5, 1.5, (2000, 3))
    truth = np.abs(exact_windings(points, mesh.vertices, mesh.faces))
    found = winds_around(mesh, points)
    is_clear = np.abs(truth - 0.5) > 1e-9
    np.testing.assert_array_equal(found[is_clear], (truth > 0.5)[is_clear])
    assert 100 < np.count_nonzero(found) < 1900


def test_in_the_middle_of_the_tree_and_far_away():
    mesh = Sphere(1.0).mesh
    points = np.array([[0.0, 0.0, 0.0], [1e40, 0.0, 0.0], [1e9, 1.0, 0.0], [2.0**21, 0.0, 0.0]])
    for attempt in range(len(NEAREST)):
        found = winding_numbers(mesh, points, attempt)
        np.testing.assert_allclose(found, [1, 0, 0, 0], atol=ACCURACY[attempt] + 1e-12)
    assert winds_around(Mesh([], []), points).tolist() == [False] * 4
