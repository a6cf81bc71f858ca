"""Surfaces at a level are closed, look outwards, and are where the level is."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies.mesh_parts import is_closed


def volume(mesh):
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6


@pytest.mark.parametrize("level", [-0.1, 0.0, 0.03, 0.2])
def test_offsets_of_a_ball_are_balls(level):
    field = fc.DistanceField.of(fc.Sphere(1.0), 0.004)
    mesh = field.mesh(level)
    assert is_closed(mesh)
    assert np.abs(np.linalg.norm(mesh.vertices, axis=1) - 1 - level).max() < 0.02
    assert volume(mesh) == pytest.approx(4 / 3 * np.pi * (1 + level) ** 3, rel=0.03)


@pytest.mark.parametrize("tolerance", [0.02, 0.06])
def test_cells_of_all_sizes_leave_no_gap(tolerance):
    vertices = fc.Sphere(1.0).mesh.vertices * np.random.default_rng(2).uniform(0.5, 1.0, (482, 1))
    field = fc.DistanceField.of(fc.Mesh(vertices, fc.Sphere(1.0).mesh.faces), max(tolerance, 0.04))
    for level in np.linspace(-0.2, 0.2, 7):
        mesh = field.mesh(level)
        assert is_closed(mesh)
        assert volume(mesh) > 0
    cube = fc.DistanceField.of(fc.Box([1, 1, 1]), tolerance).mesh(0.1)
    assert is_closed(cube)


def test_a_surface_that_leaves_the_box_is_refused():
    field = fc.DistanceField.of(fc.Sphere(1.0), 0.05, margin=0.2)
    with pytest.raises(ValueError, match="leaves the box: make the field with more margin"):
        field.mesh(0.8)
    assert field.mesh(-5.0).n_faces == 0
