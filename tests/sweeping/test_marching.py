"""Marching tetrahedra: closed and oriented whatever the values are."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.sweeping.lattice import CORNERS
from firstcontact.sweeping.marching import OFF_LEVEL, corners_of_cells, march
from oracles.swept_points import is_closed_manifold


def marched(function, n):
    """The surface at zero of a function, in a lattice of n cells a side."""
    cells = np.stack(np.unravel_index(np.arange(n**3), (n, n, n)), axis=1).astype(np.int32)
    corners, ids = corners_of_cells(cells)
    return march(corners, ids, function(corners.astype(float)))


def test_corners_are_listed_once():
    corners, ids = corners_of_cells(np.array([[0, 0, 0], [1, 0, 0]], np.int32))
    assert len(corners) == 12
    for cell, own in zip(([0, 0, 0], [1, 0, 0]), ids, strict=True):
        assert (corners[own] == np.array(cell) + CORNERS).all()
    assert corners_of_cells(np.empty((0, 3), np.int32))[1].shape == (0, 8)


@pytest.mark.parametrize("seed", range(4))
def test_any_values_give_a_closed_surface_that_nowhere_meets_itself(seed):
    rng, n = np.random.default_rng(seed), 5

    def values(corners):
        found = rng.choice([-1.0, -1e-9, 0.0, 1e-9, 1.0], size=len(corners))
        is_border = ((corners == 0) | (corners == n)).any(axis=1)
        return np.where(is_border, 1.0, found)

    vertices, faces = marched(values, n)
    assert is_closed_manifold(faces)
    assert len(np.unique(vertices, axis=0)) == len(vertices)
    sides = vertices[faces] - np.roll(vertices[faces], -1, axis=1)
    assert np.linalg.norm(sides, axis=2).min() > OFF_LEVEL / 4
    assert not fc.intersects(fc.Mesh(vertices, faces))


def test_a_plane_is_where_it_is_and_looks_out():
    vertices, faces = marched(lambda p: p @ np.array([0.6, 0.0, 0.8]) - 2.03, 4)
    assert np.abs(vertices @ np.array([0.6, 0.0, 0.8]) - 2.03).max() < 1e-12
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    assert (normals @ np.array([0.6, 0.0, 0.8]) > 0.0).all()


def test_no_surface_where_no_value_passes():
    vertices, faces = marched(lambda p: np.ones(len(p)), 2)
    assert len(vertices) == len(faces) == 0
