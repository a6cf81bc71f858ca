"""What is worked out once for all meshes of one content."""

import gc
import multiprocessing
import os
import pickle
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from weakref import ref

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from firstcontact.bodies import mesh_body as body
from firstcontact.shapes.kept import Content, OnceForEachMesh, contents


def blob(seed=0):
    """A ball of 320 faces that no other test has."""
    ball = trimesh.creation.icosphere(subdivisions=2)
    return fc.Mesh(ball.vertices * np.random.default_rng([7, seed]).uniform(1, 2, 3), ball.faces)


@pytest.fixture
def asked():
    return []


@pytest.fixture
def n_faces_of(asked):
    @OnceForEachMesh
    def n_faces_of(mesh):
        """Count."""
        asked.append(mesh.n_faces)
        return (mesh.n_faces,)

    return n_faces_of


def test_each_content_is_asked_about_once_and_forgotten_with_its_meshes(asked, n_faces_of):
    meshes = [fc.Mesh([[0, 0, 0.125]], [[0, 0, 0]] * n) for n in (1, 2)]
    for _ in range(3):
        assert [n_faces_of(mesh) for mesh in meshes] == [(1,), (2,)]
    assert asked == [1, 2]
    assert n_faces_of.__name__ == "n_faces_of"
    gc.collect()  # what other tests have left
    content, n_contents = ref(meshes[1].content), len(contents)
    meshes.pop()
    gc.collect()
    assert content() is None
    assert len(contents) == n_contents - 1


def test_it_lives_as_long_as_one_of_them(asked, n_faces_of):
    mesh = blob()
    n_faces_of(mesh)
    twin = pickle.loads(pickle.dumps(mesh))
    assert n_faces_of(twin) is n_faces_of(mesh)
    content = ref(mesh.content)
    del mesh
    gc.collect()
    assert n_faces_of(twin) == (320,)
    assert asked == [320]
    del twin
    gc.collect()
    assert content() is None


def test_other_contents_are_told_apart():
    vertices, faces = np.arange(12.0).reshape(4, 3), [[0, 1, 2], [1, 2, 3]]
    changed = vertices.copy()
    changed[3, 2] = np.nextafter(changed[3, 2], 0)
    negative = vertices.copy()
    negative[0, 0] = -0.0
    meshes = [
        fc.Mesh(vertices, faces),
        fc.Mesh(changed, faces),
        fc.Mesh(negative, faces),
        fc.Mesh(vertices, faces[:1]),
        fc.Mesh(vertices, [faces[0], [1, 3, 2]]),
        fc.Mesh(vertices, [faces[0], faces[0]]),
        fc.Mesh(vertices, []),
        fc.Mesh(np.zeros((0, 3)), []),
        fc.Mesh(np.zeros((1, 3)), []),
        fc.Mesh(np.zeros((2, 3)), []),
        # The bytes of six vertices of zeros are those of four and of four faces.
        fc.Mesh(np.zeros((6, 3)), []),
        fc.Mesh(np.zeros((4, 3)), np.zeros((4, 3), int)),
    ]
    assert len({id(mesh.content) for mesh in meshes}) == len(meshes)
    for mesh in meshes:
        assert fc.Mesh(mesh.vertices, mesh.faces).content is mesh.content


def test_the_kind_of_mesh_does_not_matter():
    field = fc.HeightField([[0, 0, 0.25], [0, 1, 0], [0.5, 0, 0]])
    assert fc.Mesh(field.vertices, field.faces).content is field.content
    assert pickle.loads(pickle.dumps(field)).content is field.content


def test_a_copy_builds_no_tree(monkeypatch):
    built = []
    build = body.volume_tree
    monkeypatch.setattr(body, "volume_tree", lambda corners: built.append(len(corners)) or build(corners))
    mesh, ball = blob(1), fc.Sphere(0.5)
    here, there = np.eye(4), np.eye(4)
    there[0, 3] = 9.0
    first = fc.first_contact(mesh.moving(there, here), blob(2))
    assert built == [320, 320]
    kept = [mesh, blob(2)]
    for twin in (pickle.loads(pickle.dumps(mesh)), fc.Mesh(mesh.vertices, mesh.faces)):
        assert fc.first_contact(twin.moving(there, here), first.things["b"]) == first
        assert fc.distance(twin, ball.at(there)).distance > 5
    assert built == [320, 320]
    assert len(kept) == 2


def test_edges_are_worked_out_once_too():
    mesh = blob(3)
    twin = pickle.loads(pickle.dumps(mesh))
    assert twin.edges is mesh.edges
    assert twin.face_edges is mesh.face_edges
    assert twin.edge_faces is mesh.edge_faces
    assert not mesh.edges.flags.writeable


def test_threads_get_one_content_and_one_answer(n_faces_of):
    data = pickle.dumps(blob(4))
    for _ in range(50):
        barrier = Barrier(4)

        def ask(_, barrier=barrier):
            mesh = pickle.loads(data)
            barrier.wait()
            return mesh, mesh.content, n_faces_of(mesh)

        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(ask, range(4)))
        assert len({id(content) for _, content, _ in answers}) == 1
        assert len({id(answer) for _, _, answer in answers}) == 1


def test_contents_come_and_go_while_threads_ask():
    data = [pickle.dumps(fc.Mesh([[i, 0, 0]], [[0, 0, 0]])) for i in range(3)]

    def ask(k):
        found = set()
        for i in range(300):
            mesh = pickle.loads(data[(i + k) % 3])
            found.add(len(mesh.edges))
        return found

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(4))) == [{1}] * 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_does_not_wait_for_threads_that_it_does_not_have():
    with contents._lock:
        child = multiprocessing.get_context("fork").Process(target=_asks)
        child.start()
        child.join(30)
        is_stuck = child.is_alive()
        if is_stuck:
            child.kill()
    assert not is_stuck
    assert child.exitcode == 0


def _asks():
    # A lock that another thread holds cannot be taken; the one that forks could take its own.
    with ThreadPoolExecutor(1) as pool:
        assert isinstance(pool.submit(lambda: blob(5).content).result(20), Content)
