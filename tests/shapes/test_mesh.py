import copy
import dataclasses
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st

import firstcontact as fc
from firstcontact.shapes.mesh import as_mesh

TETRAHEDRON = fc.Mesh(
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
)

face_lists = st.lists(st.tuples(*[st.integers(0, 6)] * 3), max_size=20)


def test_a_mesh_owns_what_it_was_given():
    vertices, faces = np.zeros((3, 3)), np.array([[0, 1, 2]], dtype=np.int32)
    mesh = fc.Mesh(vertices, faces)
    vertices[0], faces[0] = 7.0, 0
    assert mesh.vertices.max() == 0.0
    assert mesh.faces.tolist() == [[0, 1, 2]]
    assert vertices.flags.writeable


def test_a_mesh_cannot_be_changed():
    arrays = (TETRAHEDRON.vertices, TETRAHEDRON.faces, TETRAHEDRON.edges, TETRAHEDRON.face_edges)
    for array in (*arrays, *TETRAHEDRON.edge_faces, TETRAHEDRON.bounds, TETRAHEDRON.centroid):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        TETRAHEDRON.vertices = np.zeros((4, 3))


def test_arrays_are_what_kernels_take():
    mesh = fc.Mesh(np.asfortranarray(TETRAHEDRON.vertices, dtype=">f4"), TETRAHEDRON.faces.astype(np.uint64))
    assert mesh.vertices.dtype == np.float64
    assert mesh.faces.dtype == np.int32
    assert mesh.vertices.flags.c_contiguous
    assert mesh.faces.flags.c_contiguous


def test_edges_of_a_tetrahedron():
    assert TETRAHEDRON.edges.tolist() == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    assert TETRAHEDRON.edges.dtype == np.int32
    offsets, face_ids = TETRAHEDRON.edge_faces
    assert offsets.tolist() == [0, 2, 4, 6, 8, 10, 12]
    assert face_ids[offsets[0] : offsets[1]].tolist() == [0, 1]


@given(face_lists)
def test_topology_of_any_faces_at_all(faces):
    mesh = fc.Mesh(np.zeros((7, 3)), np.array(faces, dtype=int).reshape(-1, 3))
    sides = [sorted((face[i], face[(i + 1) % 3])) for face in faces for i in range(3)]
    assert mesh.edges.tolist() == sorted([list(pair) for pair in {tuple(side) for side in sides}])
    assert mesh.edges[mesh.face_edges].reshape(-1, 2).tolist() == sides
    offsets, face_ids = mesh.edge_faces
    for edge, pair in enumerate(mesh.edges.tolist()):
        expected = [side // 3 for side, other in enumerate(sides) if other == pair]
        assert face_ids[offsets[edge] : offsets[edge + 1]].tolist() == expected


def test_a_degenerate_face_has_a_point_for_an_edge():
    mesh = fc.Mesh(np.eye(3), [[0, 0, 1]])
    assert mesh.edges.tolist() == [[0, 0], [0, 1]]
    assert mesh.face_edges.tolist() == [[0, 1, 1]]


def test_large_vertex_ids_keep_apart():
    n = 70_000
    mesh = fc.Mesh(np.zeros((n, 3)), [[0, 1, n - 1], [n - 1, n - 2, 0]])
    assert mesh.edges.tolist() == [[0, 1], [0, n - 2], [0, n - 1], [1, n - 1], [n - 2, n - 1]]


@pytest.mark.parametrize("vertices", [[], [[1.0, 2.0, 3.0]]])
def test_meshes_without_faces_are_legal(vertices):
    mesh = fc.Mesh(vertices, [])
    assert (mesh.n_vertices, mesh.n_faces) == (len(vertices), 0)
    assert mesh.edges.shape == (0, 2)
    assert mesh.face_edges.shape == (0, 3)
    assert mesh.edge_faces.offsets.tolist() == [0]
    assert mesh.edge_faces.face_ids.shape == (0,)
    assert mesh.centroid.tolist() == (vertices[0] if vertices else [0.0, 0.0, 0.0])


def test_bounds():
    assert TETRAHEDRON.bounds.tolist() == [[0, 0, 0], [1, 1, 1]]
    assert fc.Mesh([], []).bounds.tolist() == [[np.inf] * 3, [-np.inf] * 3]


@pytest.mark.parametrize("scale", [1e-200, 1e-6, 1.0, 1e6, 1e42])
@pytest.mark.parametrize("offset", [0.0, 100.0])
def test_centroid_is_weighted_by_area(scale, offset):
    # A unit square in two triangles and a square of twice the side beside it: areas 1 and 4.
    square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
    vertices = np.concatenate([square, 2.0 * square + [1, 0, 0]]) + offset
    mesh = fc.Mesh(scale * vertices, [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]])
    expected = scale * ((np.array([0.5, 0.5, 0]) + 4.0 * np.array([2.0, 1.0, 0])) / 5.0 + offset)
    np.testing.assert_allclose(mesh.centroid, expected, rtol=1e-13, atol=1e-15 * scale)


def test_centroid_without_area_is_the_mean_of_the_vertices():
    mesh = fc.Mesh([[0, 0, 0], [1, 0, 0], [5, 0, 0]], [[0, 1, 2], [1, 1, 1]])
    np.testing.assert_allclose(mesh.centroid, [2, 0, 0])
    assert fc.Mesh([[3, 4, 5]], [[0, 0, 0]]).centroid.tolist() == [3, 4, 5]


def test_bad_input_is_told():
    with pytest.raises(ValueError, match=r"faces must be integers in \[0, 2\); row 0 has 2"):
        fc.Mesh(np.zeros((2, 3)), [[0, 1, 2]])
    with pytest.raises(ValueError, match=r"faces must be integers in \[0, 0\)"):
        fc.Mesh([], [[0, 0, 0]])


def test_a_trimesh_is_accepted():
    box = trimesh.creation.box()
    for mesh in (fc.Mesh.from_trimesh(box), as_mesh(box)):
        np.testing.assert_array_equal(mesh.vertices, box.vertices)
        np.testing.assert_array_equal(mesh.faces, box.faces)
        assert type(mesh.vertices) is np.ndarray
    np.testing.assert_allclose(as_mesh(box).centroid, [0, 0, 0], atol=1e-15)


def test_as_mesh_gives_a_mesh_back_and_refuses_the_rest():
    assert as_mesh(TETRAHEDRON) is TETRAHEDRON
    for thing in ("bunny.obj", None, np.zeros((3, 3))):
        with pytest.raises(TypeError, match=r"must be a firstcontact\.Mesh or a trimesh\.Trimesh; received "):
            as_mesh(thing)


def test_meshes_are_themselves():
    twin = fc.Mesh(TETRAHEDRON.vertices, TETRAHEDRON.faces)
    assert twin != TETRAHEDRON
    assert len({twin, TETRAHEDRON, twin}) == 2


@pytest.mark.parametrize(
    "duplicate", [lambda mesh: pickle.loads(pickle.dumps(mesh)), copy.copy, copy.deepcopy]
)
def test_copies_are_equal_and_frozen(duplicate):
    twin = duplicate(TETRAHEDRON)
    np.testing.assert_array_equal(twin.vertices, TETRAHEDRON.vertices)
    np.testing.assert_array_equal(twin.faces, TETRAHEDRON.faces)
    assert not twin.vertices.flags.writeable


def test_threads_may_ask_at_once():
    mesh = fc.Mesh(np.zeros((1000, 3)), np.arange(999).reshape(-1, 3))
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: mesh.edges.tolist(), range(8)))
    assert all(answer == answers[0] for answer in answers)


def test_repr_tells_the_size():
    assert repr(TETRAHEDRON) == "Mesh(4 vertices, 4 faces, from [0, 0, 0] to [1, 1, 1])"
