"""Oriented boxes find the pairs of faces that boxes along the axes find, and so every pair that meets."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact import Mesh
from firstcontact.bodies.closed_faces import joined_faces
from firstcontact.proximity.touching import face_crossings
from firstcontact.proximity.touching.face_crossings import crossings_of_one, crossings_of_two
from firstcontact.proximity.touching.oriented_crossings import (
    oriented_crossings_of_one,
    oriented_crossings_of_two,
)
from poses import pose
from samples import sample

HERE = np.eye(4)


def soup(rng, n, family, size=1.0):
    corners = size * rng.integers(-3, 4, (3 * n, 3)).astype(float)
    if family == "anywhere":
        corners = size * rng.normal(size=(3 * n, 3))
    if family == "flat":
        corners[:, 2] = 0.0
    if family == "shared":
        return Mesh(corners[: n // 2 + 3], rng.integers(0, n // 2 + 3, (n, 3)))
    if family == "far":
        corners += 1e6 * size
    return Mesh(corners, np.arange(3 * n).reshape(n, 3))


@pytest.mark.parametrize("size", [1.0, 1e-80, 5e-324, 1e30])
@pytest.mark.parametrize("family", ["ties", "flat", "shared", "anywhere", "far"])
def test_the_same_pairs(family, size):
    rng, seen = np.random.default_rng(6), 0
    n = 40 if size >= 1.0 else sample(16, of=40)  # below, fractions decide
    for turn in (0.0, 0.7):
        a, b = soup(rng, n, family, size), soup(rng, n, family, size)
        place = pose(size * np.array([turn, 0, 0]), [0, turn, 0.1 * turn])
        if size < 1e-300:
            place[:3, 3] = 0.0
        usual, found = (
            crossings(a, b, (place, HERE)) for crossings in (crossings_of_two, oriented_crossings_of_two)
        )
        assert np.array_equal(found.rows, usual.rows)
        own, alone = (
            crossings(a, place, joined_faces(a))
            for crossings in (crossings_of_one, oriented_crossings_of_one)
        )
        assert np.array_equal(alone.rows, own.rows)
        seen += len(found.rows) * len(alone.rows)
    assert seen


def test_smooth_surfaces_take_fewer_tests():
    ball = fc.Sphere(1.0).mesh
    for gap in (0.3, 0.03):
        poses = pose([0, 0, 0], [0.3, 0.2, 0.1]), HERE
        outer = Mesh((1.0 + gap) * ball.vertices, ball.faces)
        usual, found = (
            crossings(ball, outer, poses) for crossings in (crossings_of_two, oriented_crossings_of_two)
        )
        assert np.array_equal(found.rows, usual.rows)
        assert found.volume_tests < 0.7 * usual.volume_tests
        assert found.triangle_tests < 0.3 * usual.triangle_tests or usual.triangle_tests == 0
        assert found.volume_updates < found.volume_tests


def test_threads_and_full_rooms_change_nothing(monkeypatch):
    rng = np.random.default_rng(8)
    a, b = soup(rng, 900, "anywhere"), soup(rng, 900, "anywhere")
    usual = oriented_crossings_of_two(a, b, (HERE, HERE))
    own = oriented_crossings_of_one(a, HERE, joined_faces(a))
    assert len(usual.rows) > 4096
    monkeypatch.setattr(face_crossings, "ROOM", 1 << 12)
    monkeypatch.setattr(face_crossings, "FIRST_LOADS", 1)
    monkeypatch.setattr(face_crossings, "LOADS", 2)
    again = oriented_crossings_of_two(a, b, (HERE, HERE))
    assert np.array_equal(again.rows, usual.rows)
    assert again[1:] == usual[1:]
    assert np.array_equal(oriented_crossings_of_one(a, HERE, joined_faces(a)).rows, own.rows)
    few = oriented_crossings_of_one(a, HERE, joined_faces(a), any_will_do=True)
    assert 0 < len(few.rows) < len(own.rows)


def test_nothing():
    nothing, leaf = Mesh([], []), Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    assert len(oriented_crossings_of_two(nothing, leaf, (HERE, HERE)).rows) == 0
    assert len(oriented_crossings_of_two(leaf, nothing, (HERE, HERE)).rows) == 0
    assert len(oriented_crossings_of_one(nothing, HERE, joined_faces(nothing)).rows) == 0
    assert len(oriented_crossings_of_one(leaf, HERE, joined_faces(leaf)).rows) == 0
