"""Many bodies moved from plain arrays: the same rows and corridors as by the way with every check."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.bounds.body_bounds import BALL, LOWER, UPPER, corridors
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.many_motions import many_motions, move_rows
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


@pytest.mark.parametrize("turn", [0.0, 1e-9, 0.1, 0.2473, 0.26, 3.0])
@pytest.mark.parametrize("is_read", [False, True])
def test_what_goes_from_pose_to_pose_has_rows_when_they_are_read(turn, is_read):
    """All bodies: corridors come of the poses alone, and are those of the rows but for little rounding."""
    rng = np.random.default_rng(int(1e9 * turn))
    start, axes = _poses(rng), rng.normal(size=(N, 3))
    axes *= turn / np.linalg.norm(axes, axis=1, keepdims=True)
    end = Rotation.from_rotvec(axes).as_matrix() @ start[0], start[1] + rng.normal(size=(N, 3))
    if turn == 0.1:  # written with a few digits
        end = end[0] + 1e-6 * rng.normal(size=(N, 3, 3)), end[1]
    before, bodies = _bodies(), _bodies()
    reading = bodies.reading() if is_read else None
    bodies = bodies.to_move()
    kept = [array.copy() for array in (*start, *end)]
    move_rows(bodies, bodies.every_row(), start, end, None, None)
    for array in (*start, *end):  # what was given is the caller's
        array[:] = np.nan
    columns = bodies.columns
    assert not columns.is_written[:N].any()
    pieces, translations = many_motions(columns.centers[:N], tuple(kept[:2]), tuple(kept[2:]), None, None)
    some = np.array([3, 7])
    np.testing.assert_array_equal(bodies.motions(some).pieces[:, 0], pieces[some])
    assert np.count_nonzero(columns.is_written) == 2
    np.testing.assert_array_equal(columns.rows[:N], pieces)
    np.testing.assert_array_equal(columns.translations[:N], translations)
    held = corridors(columns.records[:N], pieces)
    np.testing.assert_allclose(columns.corridors[:N], held, rtol=2e-5, atol=1e-9)
    assert (columns.corridors[:N, LOWER:UPPER] <= held[:, LOWER:UPPER] + 1e-15).all()
    assert (columns.corridors[:N, UPPER:BALL] >= held[:, UPPER:BALL] - 1e-15).all()
    if reading is not None:
        np.testing.assert_array_equal(reading.bodies.columns.rows[:N], before.columns.rows[:N])


def test_a_wrong_pose_leaves_all_bodies_as_they_were():
    rng = np.random.default_rng(5)
    start, end = _poses(rng), _poses(rng)
    for is_read in (False, True):
        scene = fc.Scene({str(i): fc.Sphere(0.4) for i in range(N)})
        scene.move(scene.ids, start, end)
        answer = scene.contacts() if is_read else None
        wrong = end[0].copy(), end[1] + 1.0
        wrong[0][N - 1, 0, 0] = 9.0
        with pytest.raises(ValueError, match="rigid"):
            scene.move(scene.ids, end, wrong)
        anew = fc.Scene(scene.things)
        np.testing.assert_array_equal(scene["0"].pose(1.0)[:3, 3], end[1][0])
        assert scene.contacts() == anew.contacts()
        assert scene.pairs() == anew.pairs()
        assert answer is None or answer == anew.contacts()


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
