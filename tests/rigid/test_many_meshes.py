"""Pairs of many meshes in one batch: the same bits as each pair asked by itself."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact._jit import threads_limited
from firstcontact.advancement.ask import Ask
from firstcontact.bodies.body_table import body_at, body_table
from firstcontact.bodies.mesh_body import body_of
from firstcontact.scene import shape_numbers
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.solving import solve

N = 30


def _mesh(rng):
    corners = rng.normal(size=(int(rng.integers(4, 30)), 3))
    hull = fc.ConvexHull(corners).mesh
    return fc.Mesh(hull.vertices, hull.faces[: max(len(hull.faces) - int(rng.integers(0, 3)), 1)])


def _bodies(seed):
    rng, bodies = np.random.default_rng(seed), Bodies()
    meshes = [_mesh(rng) for _ in range(8)]
    things = {}
    for i in range(N):
        shape = meshes[i % 8] if i % 7 else fc.Sphere(0.5)
        pose = Rotation.random(rng=rng).as_matrix(), 2.5 * rng.normal(size=3)
        motion = {"velocity": rng.normal(size=3), "angular_velocity": rng.normal(size=3)}
        if i % 5 == 0:
            motion["acceleration"] = rng.normal(size=3)
        things[str(i)] = shape.moving(pose, **motion)
    things["strands"] = fc.Points(rng.normal(size=(5, 3)), 0.1).at(np.eye(4))
    bodies.add(things)
    return bodies


@pytest.mark.parametrize("seed", range(3))
def test_answers_are_those_of_the_same_pairs_by_themselves(seed, monkeypatch):
    pairs = np.array([(i, j) for i in range(N + 1) for j in range(i + 1, N + 1)], np.int32)
    told = []
    for n_threads, few_faces in ((1, 4096), (2, 4096), (1, 0), (1, 20)):
        monkeypatch.setattr(shape_numbers, "FEW_FACES", few_faces)
        bodies = _bodies(seed)
        assert (bodies.meshes().table is None) == (few_faces == 0)
        with threads_limited(n_threads):
            found = solve(bodies, pairs, Ask(min_separation=0.01 * seed))
        told.append([array.tobytes() for array in found])
        assert 0 < np.count_nonzero(found.status) < len(pairs)
    assert told[0] == told[1] == told[2] == told[3]


def test_a_table_has_the_bodies_of_its_meshes():
    rng = np.random.default_rng(9)
    meshes = [_mesh(rng) for _ in range(3)]
    table = body_table(meshes)
    for i, mesh in enumerate(meshes):
        for own, known in zip(body_at.py_func(table, i), body_of(mesh), strict=True):
            np.testing.assert_array_equal(own, known)
