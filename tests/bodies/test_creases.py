"""Corners and creases of meshes, and what is around them."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies.creases import creases_of
from firstcontact.bodies.mesh_body import body_of
from oracles.touching import corners, creases
from poses import pose
from properties.rigid_families import FAMILIES, generate
from proximity.solids import box, corner_piece, hull, soup
from samples import sample

RNG = np.random.default_rng(51)


def that_count(mesh):
    """Vertices and edges that count, as sets."""
    creases = creases_of(mesh)
    vertices, edges, faces = np.split(creases.does_count, [creases.first_edge, creases.first_face])
    assert len(faces) == faces.sum() == mesh.n_faces
    return set(np.flatnonzero(vertices)), set(np.flatnonzero(edges))


@pytest.mark.parametrize("cuts", [0, 1, 2])
def test_flat_sides_do_not_count(cuts):
    found = that_count(box(1, 2, 3, cuts=cuts))
    assert len(found[0]) == 8
    assert len(found[1]) == 12 * 2**cuts
    found = that_count(corner_piece(cuts))
    assert len(found[0]) == 12
    assert len(found[1]) == 18 * 2**cuts


@pytest.mark.parametrize("scale", [1.0, 1e-150, 1e-6, 1e6, 2.0**140])
def test_of_any_size_in_any_pose(scale):
    turned = pose((0.3, 0.1, 9.0), (0.4, 0.5, 0.6))
    for mesh in (box(1, 2, 3, cuts=1), corner_piece(1), hull(RNG, 12), soup(RNG, 4)):
        other = fc.Mesh(scale * mesh.at(turned).vertices(0), mesh.faces)
        assert that_count(other) == (corners(mesh, mesh.vertices), creases(mesh, mesh.vertices))


@pytest.mark.parametrize("family", FAMILIES)
def test_of_soups(family):
    for seed in range(sample(1, of=3)):
        for mesh in generate(family, seed)[:2]:
            expected = corners(mesh, mesh.vertices), creases(mesh, mesh.vertices)
            assert that_count(mesh) == tuple(map(set, expected))


def test_a_fold_counts_and_so_do_three_faces_at_an_edge():
    points = [[0, 0, 0], [1, 0, 0], [0.5, 1, 0], [0.5, 0.8, 0], [0.5, -1, 0], [0.5, 0, 1]]
    folded, flat = fc.Mesh(points, [[0, 1, 2], [0, 1, 3]]), fc.Mesh(points, [[0, 1, 2], [0, 1, 4]])
    fin = fc.Mesh(points, [[0, 1, 2], [0, 1, 4], [0, 1, 5]])
    assert [len(that_count(mesh)[1]) for mesh in (folded, flat, fin)] == [5, 4, 7]


@pytest.mark.parametrize("mesh", [box(1, 1, 1, cuts=1), soup(RNG, 5), fc.Mesh([[0, 0, 0]], [[0, 0, 0]])])
def test_what_is_around(mesh):
    creases, order = creases_of(mesh), body_of(mesh).order
    np.testing.assert_array_equal(creases.features[:, :3], mesh.faces[order])
    np.testing.assert_array_equal(creases.features[:, 3:6], mesh.face_edges[order] + creases.first_edge)
    np.testing.assert_array_equal(creases.features[:, 6], order + creases.first_face)
    lists = np.split(creases.around, creases.offsets[1:-1])
    assert len(lists) == mesh.n_vertices + len(mesh.edges) + mesh.n_faces
    assert creases.largest == max(map(len, lists))
    for i, around in enumerate(lists):
        faces = order[around]
        assert (np.diff(faces) >= 0).all()
        if i < creases.first_edge:
            expected = np.flatnonzero((mesh.faces == i).any(axis=1))
        elif i < creases.first_face:
            expected = np.flatnonzero((mesh.face_edges == i - creases.first_edge).any(axis=1))
        else:
            expected = [i - creases.first_face]
        assert set(faces) == set(expected)


def test_without_faces_nothing_counts():
    for mesh in (fc.Mesh([], []), fc.Mesh([[1, 2, 3]], [])):
        assert that_count(mesh) == (set(), set())
        assert creases_of(mesh).largest == 1
