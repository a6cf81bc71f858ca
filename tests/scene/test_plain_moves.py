"""Many bodies moved from plain arrays: the same rows and corridors as by the way with every check."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.bounds.body_bounds import corridors
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.many_motions import many_motions
from firstcontact.scene.plain_moves import plain_moves, write_plain_moves
from scene.scenes import CUBE, SHAPES

N = 24


def _poses(rng):
    return Rotation.random(N, rng=rng).as_matrix(), rng.normal(size=(N, 3))


def _bodies():
    bodies = Bodies()
    shapes = (*SHAPES, fc.Mesh(CUBE.vertices + 0.3, CUBE.faces))
    bodies.add({str(i): shapes[i % len(shapes)].at(np.eye(4)) for i in range(N)})
    return bodies


def _ways(rng):
    start, end = _poses(rng), _poses(rng)
    matrices = np.tile(np.eye(4), (N, 1, 1))
    matrices[:, :3, :3], matrices[:, :3, 3] = start
    velocity, spin = rng.normal(size=(N, 3)), 3.0 * rng.normal(size=(N, 3))
    off = start[0] + 1e-6 * rng.normal(size=(N, 3, 3))  # written with a few digits
    return (
        (start, end, None, None),
        (matrices, end, None, None),
        (matrices, None, velocity, spin),
        (start, None, velocity, None),
        (start, None, None, spin),
        (start, None, None, None),
        ((off, start[1]), start, None, None),
    )


@pytest.mark.parametrize("seed", range(4))
def test_rows_and_corridors_are_those_of_the_way_with_every_check(seed):
    for way in _ways(np.random.default_rng(seed)):
        bodies, rows = _bodies(), np.arange(N)[::-1].copy()
        columns = bodies.columns
        pieces, translations = many_motions(columns.centers[rows], *way)
        given = plain_moves(N, *way)
        assert given is not None
        assert write_plain_moves(rows, given, columns)
        np.testing.assert_array_equal(columns.rows[rows], pieces)
        np.testing.assert_array_equal(columns.translations[rows], translations)
        held = corridors(columns.records[:N], columns.rows[:N])
        np.testing.assert_array_equal(columns.corridors[:N], held)


@pytest.mark.parametrize("fault", [np.nan, np.inf, 1e60, 2.0])
@pytest.mark.parametrize("place", ["start", "end", "places"])
def test_what_is_wrong_changes_nothing_and_is_refused_in_a_sentence(fault, place):
    rng = np.random.default_rng(1)
    start, end = _poses(rng), _poses(rng)
    if place == "places":
        fault = fault if abs(fault) != 2.0 else -np.inf
        start[1][7, 1] = fault
    else:
        (start if place == "start" else end)[0][7, 1, 1] = fault
    scene = fc.Scene({str(i): fc.Sphere(1.0) for i in range(N)})
    before = scene["3"].pose(1.0)
    with pytest.raises(ValueError, match="7"):
        scene.move(scene.ids, start, end)
    np.testing.assert_array_equal(scene["3"].pose(1.0), before)


def test_what_is_not_plain_is_left_to_others():
    rng = np.random.default_rng(2)
    rotations, places = _poses(rng)
    for start in (np.eye(4), (np.eye(3), places), (rotations.tolist(), places), (rotations[::-1], places)):
        assert plain_moves(N, start, None, None, None) is None
    assert plain_moves(N, (rotations, places), None, [1.0, 0.0, 0.0], None) is None
    assert plain_moves(N, (rotations, places), (rotations, places), places, None) is None
    matrices = np.tile(np.eye(4), (N, 1, 1))
    matrices[3, 3, 0] = np.nan
    assert plain_moves(N, matrices, None, None, None) is None


def test_an_answer_keeps_the_bodies_as_they_were():
    scene = fc.Scene({str(i): fc.Sphere(1.0) for i in range(N)})
    rng = np.random.default_rng(3)
    first = _poses(rng)
    scene.move(scene.ids, first)
    answer = scene.contacts()
    scene.move(scene.ids, _poses(rng))
    scene.add("late", fc.Sphere(9.0))
    scene.remove("2")
    scene.update({"5": fc.Sphere(2.0).at(np.eye(4))})
    assert len(answer.things) == N
    for i, name in enumerate(answer.things):
        np.testing.assert_array_equal(answer.things[name].pose(0.0)[:3, 3], first[1][i])
    assert answer.things["5"].shape.radius == 1.0
    assert answer.names == [(str(i), str(j)) for i, j in answer.ids.tolist()]
    others = fc.Scene(answer.things).contacts()
    assert answer == others
