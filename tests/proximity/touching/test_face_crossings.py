"""All pairs of faces that meet, against all pairs tried one by one in rational numbers."""

import numpy as np
import pytest

from firstcontact import Mesh
from firstcontact.bodies.closed_faces import joined_faces
from firstcontact.narrowphase.triangles.crossing_exact import common_points_exactly
from firstcontact.proximity.touching import face_crossings
from firstcontact.proximity.touching.face_crossings import crossings_of_one, crossings_of_two
from firstcontact.proximity.touching.face_pairs import FACE_B
from poses import at, pose

HERE = np.eye(4)


def soup(rng, n, family):
    corners = rng.integers(-3, 4, (3 * n, 3)).astype(float)
    if family == "anywhere":
        corners = rng.normal(size=(3 * n, 3))
    if family == "flat":
        corners[:, 2] = 0.0
    if family == "shared":
        return Mesh(corners[: n // 2 + 3], rng.integers(0, n // 2 + 3, (n, 3)))
    return Mesh(corners, np.arange(3 * n).reshape(n, 3))


def met(a, b):
    corners = np.stack([a, b])
    return len(common_points_exactly(corners))


@pytest.mark.parametrize("family", ["ties", "flat", "shared", "anywhere"])
@pytest.mark.parametrize("turn", [0.0, 0.7])
def test_two_meshes(family, turn):
    rng, place = np.random.default_rng(6), pose([turn, 0, 0], [0, turn, 0.1 * turn])
    for _ in range(4):
        a, b = soup(rng, 12, family), soup(rng, 12, family)
        vertices = a.at(place).vertices(0.0)
        found = crossings_of_two(a, b, (place, HERE)).rows
        pairs = [
            (f, g) for f in range(12) for g in range(12) if met(vertices[a.faces[f]], b.vertices[b.faces[g]])
        ]
        assert [tuple(row) for row in found[:, : FACE_B + 1].tolist()] == pairs
        assert pairs


@pytest.mark.parametrize("family", ["ties", "flat", "shared", "anywhere"])
def test_one_mesh(family):
    rng, seen = np.random.default_rng(7), 0
    for _ in range(6):
        mesh = soup(rng, 12, family)
        joined = joined_faces(mesh)
        found = crossings_of_one(mesh, HERE, joined).rows
        pairs = []
        for f in range(12):
            for g in range(f + 1, 12):
                points = common_points_exactly(mesh.vertices[mesh.faces[[f, g]]])
                shared = {7 * i + j for i in range(3) for j in range(3) if joined[f, i] == joined[g, j]}
                if len(points) > 2 or not set(points) <= shared:
                    pairs.append((f, g))
        assert [tuple(row) for row in found[:, : FACE_B + 1].tolist()] == pairs
        seen += len(pairs)
    assert seen


@pytest.mark.parametrize("around", [[0, 1, 2], [1, 0, 2], [2, 1, 0]])
def test_corners_that_are_rounded_to_one_place(around):
    # Far away these faces are a point, which they share as they share all corners, in whatever order.
    corners = np.array([[0.5, 0.25, 0.0], [0.5, 0.75, 0.25], [0.0, 0.25, 0.5]])
    mesh = Mesh(1e-6 * corners, [[0, 1, 2], around])
    assert len(crossings_of_one(mesh, at(1e12, -3e12, 2e12), joined_faces(mesh)).rows) == 0
    assert len(crossings_of_one(mesh, HERE, joined_faces(mesh)).rows) == 1


def test_threads_and_full_rooms_change_nothing(monkeypatch):
    rng = np.random.default_rng(8)
    a, b = soup(rng, 900, "anywhere"), soup(rng, 900, "anywhere")
    usual = crossings_of_two(a, b, (HERE, HERE)).rows
    own = crossings_of_one(a, HERE, joined_faces(a)).rows
    assert len(usual) > 4096
    assert len(own) > 4096
    monkeypatch.setattr(face_crossings, "ROOM", 1 << 12)
    monkeypatch.setattr(face_crossings, "FIRST_LOADS", 1)
    monkeypatch.setattr(face_crossings, "LOADS", 2)
    assert np.array_equal(crossings_of_two(a, b, (HERE, HERE)).rows, usual)
    assert np.array_equal(crossings_of_one(a, HERE, joined_faces(a)).rows, own)
    assert 0 < len(crossings_of_one(a, HERE, joined_faces(a), any_will_do=True).rows) < len(own)


def test_nothing():
    nothing, leaf = Mesh([], []), Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    assert len(crossings_of_two(nothing, leaf, (HERE, HERE)).rows) == 0
    assert len(crossings_of_two(leaf, nothing, (HERE, HERE)).rows) == 0
    assert len(crossings_of_one(nothing, HERE, joined_faces(nothing)).rows) == 0
