"""Owners of features, and two meshes put one behind the other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import firstcontact as fc
from firstcontact.deformable.surface import ends, joined_positions, joined_topology, place_of, topology_of
from firstcontact.shapes.mesh import as_moving


def random_mesh(seed, n_vertices=12, n_faces=15):
    rng = np.random.default_rng(seed)
    return fc.Mesh(rng.random((n_vertices, 3)), rng.integers(0, n_vertices, (n_faces, 3)))


@given(st.integers(0, 1000))
def test_every_feature_has_one_owner(seed):
    mesh = random_mesh(seed)
    topology = topology_of(mesh)
    vertices, edges = [], []
    for face, owned in enumerate(topology.owned):
        vertices += [int(mesh.faces[face, i]) for i in range(3) if owned >> i & 1]
        edges += [int(mesh.face_edges[face, i]) for i in range(3) if owned >> (3 + i) & 1]
    assert sorted(vertices) == sorted(set(mesh.faces.ravel().tolist()))
    assert sorted(edges) == list(range(len(mesh.edges)))


def test_the_topology_is_worked_out_once_and_is_not_the_mesh_s_own():
    mesh = random_mesh(0)
    topology = topology_of(mesh)
    assert topology_of(mesh) is topology
    assert not np.shares_memory(topology.faces, mesh.faces)
    assert topology.faces.flags.writeable


def test_a_mesh_alone_is_what_it_was():
    topology = topology_of(random_mesh(1))
    joined, starts = joined_topology([topology])
    assert joined is topology
    assert [column.tolist() for column in starts] == [[0, 12], [0, len(topology.edges)], [0, 15]]


def test_the_second_mesh_follows_the_first():
    a, b = random_mesh(2), random_mesh(3, 7, 5)
    joined, starts = joined_topology([topology_of(a), topology_of(b)])
    assert [column[1] for column in starts] == [12, len(a.edges), 15]
    assert place_of(np.array([0, 11, 12, 18]), starts.vertex).tolist() == [0, 0, 1, 1]
    assert np.array_equal(joined.faces[15:] - 12, b.faces)
    assert np.array_equal(joined.edges[len(a.edges) :] - 12, b.edges)
    corners = joined.edges[joined.face_edges].reshape(-1, 6)
    assert np.array_equal(np.sort(corners)[:, ::2], np.sort(joined.faces))
    start, end = joined_positions(
        [a.deforming(a.vertices, a.vertices + 1), b.deforming(b.vertices, b.vertices)]
    )
    assert np.array_equal(start, np.concatenate([a.vertices, b.vertices]))
    assert np.array_equal(end, np.concatenate([a.vertices + 1, b.vertices]))


def test_a_mesh_at_rest_goes_nowhere():
    mesh = random_mesh(4)
    for start, end in (ends(as_moving(mesh)), ends(mesh.deforming(mesh.vertices, mesh.vertices))):
        assert start.tobytes() == end.tobytes() == mesh.vertices.tobytes()
    shift = np.array([0.0, 0.0, 7.0])
    start, end = ends(mesh.at((np.eye(3), shift)))
    assert np.array_equal(start, mesh.vertices + shift)
    assert np.array_equal(start, end)


def test_what_moves_rigidly_does_not_deform():
    mesh = random_mesh(5)
    for thing in (mesh.moving(np.eye(4), velocity=[1, 0, 0]), mesh.at([np.eye(4)])):
        with pytest.raises(TypeError, match=r"^vertices must move on straight lines here: what Mesh.deform"):
            ends(thing)


@pytest.mark.parametrize("faces", [np.empty((0, 3), int), [[0, 0, 0]], [[0, 1, 2], [0, 1, 2], [2, 1, 0]]])
def test_degenerate_faces_own_each_feature_once(faces):
    mesh = fc.Mesh(np.eye(3), faces)
    owned = topology_of(mesh).owned
    bits = sum(int(mask).bit_count() for mask in owned)
    assert bits == len(set(mesh.faces.ravel().tolist())) + len(mesh.edges)


def test_an_element_of_a_cloud_is_one_edge_with_its_number():
    strands = fc.Strands(np.arange(18.0).reshape(-1, 3), [3, 1, 2], radius=[1, 2, 3, 4, 5, 6])
    topology = topology_of(strands)
    assert topology.edges.tolist() == [[0, 1], [1, 2], [3, 3], [4, 5]]
    assert topology.face_edges.tolist() == [[k] * 3 for k in range(4)]
    assert (topology.owned >> 3).tolist() == [1] * 4  # the first edge of each face, and no other
    assert topology.edge_radii.tolist() == [2, 3, 4, 6]
    assert topology.vertex_radii.tolist() == [2, 3, 3, 4, 6, 6]
