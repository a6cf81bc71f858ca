"""Oriented boxes say of every pose what swept spheres say, of surfaces that just touch, too."""

import numpy as np
import pytest

import firstcontact as fc
from poses import pose

RNG = np.random.default_rng(14)
BALL, BOX = fc.Sphere(1.0).mesh, fc.Box([2, 2, 2]).mesh


def both(a, b, **options):
    usual = fc.intersects(a, b, **options)
    found = fc.intersects(a, b, method="obb", **options)
    assert np.array_equal(found, usual)
    return np.atleast_1d(found)


def poses(n, size):
    return np.stack([pose(RNG.uniform(-size, size, 3), RNG.normal(size=3)) for _ in range(n)])


@pytest.mark.parametrize("options", [{}, {"within": 0.2}, {"solid": True}, {"solid": True, "within": 0.1}])
@pytest.mark.parametrize(("a", "b"), [(BALL, BOX), (BOX, BOX), (BALL, BALL)])
def test_batches(a, b, options):
    found = both(a.at(poses(40, 2.5)), b.at(poses(40, 0.5)), **options)
    assert set(found.tolist()) == {True, False}
    assert both(a.at(poses(3, 0.1)), b).shape == (3,)


@pytest.mark.parametrize("size", [1e-100, 1.0, 1e30])
def test_touching_exactly_and_a_hair_beside(size):
    box = fc.Mesh(size * BOX.vertices, BOX.faces)
    for gap in (0.0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-9, -1e-12):
        turn = pose([0, 0, 0], RNG.normal(size=3))
        away = turn.copy()
        away[:3, 3] = size * (turn[:3, :3] @ [2.0 + gap, 0.5, 0.0])
        found = both(box.at(away), box.at(turn))
        assert found or gap > 0.0
    assert not both(box.at(pose(size * np.array([3.0, 0, 0]))), box)


def test_one_inside_the_other_as_solids():
    small = fc.Mesh(0.2 * BOX.vertices, BOX.faces)
    assert not both(small, BOX)
    assert both(small, BOX, solid=True)


def test_deformed_and_empty_meshes():
    bent = BOX.vertices * [1, 1, 1.5]
    assert both(BOX.deforming(bent, bent), BALL)
    assert not both(fc.Mesh([], []), BOX)
    assert not both(BOX, fc.Mesh([], []))
