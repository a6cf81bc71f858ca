import numpy as np
import pytest
import trimesh

from firstcontact.viz.triangles import LONGEST, SHORTEST, PaintedSurface, coarser, painted, small

TOWARDS, UP = np.array([1.0, 0, 0]), np.array([0, 0, 1.0])
NOWHERE = np.empty((0, 3))


def areas(corners):
    return 0.5 * np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )


def longest(corners):
    return np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max()


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
@pytest.mark.parametrize("shift", [0.0, 1e3, 1e15])
def test_long_sides_are_cut_and_nothing_is_lost(scale, shift):
    corners = (
        np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 0], [1, 0, 0], [0.5, 0.001, 0]]]) + shift
    ) * scale
    pieces = small(corners, NOWHERE, 1.5 * scale)
    assert 100 < len(pieces) < 10_000
    if shift < 1e15:
        assert longest(pieces) <= (LONGEST * 1.5 + 1e-12 * shift) * scale
        assert areas(pieces).sum() == pytest.approx(areas(corners).sum(), rel=1e-9)


def test_they_are_smaller_where_things_touch():
    corners = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]]], float)
    pieces = small(corners, np.zeros((1, 3)), 1.0)
    gaps = np.linalg.norm(pieces.mean(axis=1), axis=1)
    assert longest(pieces[gaps < 0.02]) <= SHORTEST + 0.002
    assert longest(pieces[gaps > 0.5]) > 2 * SHORTEST


def test_nothing_to_cut():
    assert small(np.empty((0, 3, 3)), NOWHERE, 1.0).shape == (0, 3, 3)
    point = np.zeros((1, 3, 3))
    assert np.array_equal(small(point, NOWHERE, 1.0), point)


def test_large_surfaces_become_coarser_and_keep_their_shape():
    ball = trimesh.creation.icosphere(subdivisions=5)
    fine = PaintedSurface(np.asarray(ball.vertices), np.asarray(ball.faces), (1, 1, 1, 1))
    (coarse,) = coarser([fine], 2.0, limit=5000)
    assert 500 < len(coarse.faces) <= 5000
    used = coarse.vertices[np.unique(coarse.faces)]
    np.testing.assert_allclose(np.linalg.norm(used, axis=1), 1.0, atol=0.05)
    assert areas(coarse.vertices[coarse.faces]).sum() == pytest.approx(4 * np.pi, rel=0.1)
    assert coarser([fine], 2.0) == [fine]


def test_what_faces_the_light_is_brighter_whichever_way_it_is_wound():
    floor = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float)
    wall = np.array([[0, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    towards = np.array([0.8, 0, 0.6])

    def shade(vertices, face):
        surface = PaintedSurface(vertices, np.array([face]), (0.5, 0.5, 0.5, 1.0))
        return painted([surface], NOWHERE, 100.0, towards, UP).colors[0, 0]

    assert (
        shade(floor, [0, 1, 2]) == shade(floor, [0, 2, 1]) > shade(wall, [0, 1, 2]) == shade(wall, [0, 2, 1])
    )


def test_colours_stay_colours():
    surface = PaintedSurface(np.eye(3), np.array([[0, 1, 2], [0, 0, 1]]), (1.0, 0.9, 0.0, 0.2))
    found = painted([surface], NOWHERE, 100.0, TOWARDS, np.ones(3) / np.sqrt(3))
    assert found.corners.shape == (2, 3, 3)
    assert (found.colors[:, 3] == 0.2).all()
    assert ((found.colors >= 0.0) & (found.colors <= 1.0)).all()
    assert painted([], NOWHERE, 1.0, TOWARDS, UP).corners.shape == (0, 3, 3)


def test_what_is_to_stay_as_it_is_is_not_made_coarser():
    ball = trimesh.creation.icosphere(4)
    both = [PaintedSurface(ball.vertices, ball.faces, (1, 1, 1, 1), is_fixed) for is_fixed in (True, False)]
    kept, other = coarser(both, 2.0, 1000)
    assert kept is both[0]
    assert 0 < len(other.faces) <= 1000
