"""First contacts of batches: shapes, statuses, pieces, closed forms, and motions in which nothing happens."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies.mesh_body import body_of
from firstcontact.rigid.first_times import first_times
from firstcontact.status import Status
from properties.rigid_claims import options
from properties.rigid_families import generate, pieces, rotation_by, row

FLOOR = fc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
TENT = fc.Mesh([[0, 0, 0], [1, 0, 1], [0, 1, 1]], [[0, 1, 2]])
EMPTY = fc.Mesh([], [])
ZERO = np.zeros(3)
AT_REST = pieces([row(np.eye(3), ZERO, ZERO)])
TOLERANCE = 1e-9


def ask(a, b, rows_a, rows_b=AT_REST, **asked):
    return first_times(body_of(a), body_of(b), (rows_a, rows_b), options(**{"tolerance": TOLERANCE} | asked))


def falling(height=1.0, speed=4.0, turn=ZERO):
    return row(np.eye(3), ZERO, [0.0, 0.0, height], [0.0, 0.0, -speed], turn)


def lifted(height, velocity, start, end):
    return row(np.eye(3), ZERO, [0.0, 0.0, height], [0.0, 0.0, velocity], span=(start, end))


def test_a_fall_ends_on_the_floor():
    found = ask(
        TENT, FLOOR, pieces([falling(), falling(speed=-4.0), falling(height=0.0), falling(speed=0.5)])
    )
    assert found.status.tolist() == [
        Status.CONTACT,
        Status.SEPARATED,
        Status.CONTACT_AT_START,
        Status.SEPARATED,
    ]
    assert found.time[0] == pytest.approx(0.25, abs=1e-9)
    assert found.time[0] < 0.25
    assert found.time[1:].tolist() == [np.inf, 0.0, np.inf]
    assert found.triangles.tolist() == [[0, 0], [-1, -1], [0, 0], [-1, -1]]
    assert np.all(found.counts[:, 0] > 0)


def test_a_separation_is_kept():
    for separation in (1e-6, 0.25, 0.5):
        found = ask(TENT, FLOOR, pieces([falling()]), min_separation=separation)
        assert found.time[0] == pytest.approx(0.25 * (1.0 - separation), abs=1e-9)
        assert found.time[0] < 0.25 * (1.0 - separation)
    assert ask(TENT, FLOOR, pieces([falling()]), min_separation=2.0).status[0] == Status.CONTACT_AT_START


def test_a_rod_turns_onto_the_floor():
    rod = fc.Mesh([[0, 0, 0], [1, 0, 0]], [[0, 1, 1]])
    for angle in (0.2, 1.0, 3.1, np.pi, 6.0, 700.0):
        turning = row(np.eye(3), ZERO, [0.0, 0.0, 0.5], turn=[0.0, angle, 0.0])
        found = ask(rod, FLOOR, pieces([turning]))
        expected = np.pi / 6.0 / angle
        if expected > 1.0:
            assert found.status[0] == Status.SEPARATED
        else:
            assert expected - 1e-8 / angle <= found.time[0] < expected


@pytest.mark.parametrize("n_points", [1, 2])  # the tree is a leaf, or not
@pytest.mark.parametrize("gap", [1e-6, 1e-3, 0.1, 1.0])
def test_points_swing_towards_each_other(n_points, gap):
    """At rest along the line between them, and as much accelerated along it as can be: the bound is exact."""
    dot = fc.Mesh(np.zeros((1, 3)), np.zeros((n_points, 3), int))
    for rate in (1.5, 3.0, 30.0):
        a = pieces([row(np.eye(3), [1.0, 0.0, 0.0], [1.0, 0.0, 0.0], turn=[0.0, 0.0, rate])])
        b = pieces([row(np.eye(3), [-1.0, 0.0, 0.0], [gap - 1.0, 0.0, 0.0], turn=[0.0, 0.0, -rate])])
        expected = np.arccos(1.0 - 0.5 * gap) / rate
        found = ask(dot, dot, a, b, tolerance=1e-9 * gap)
        assert expected * (1.0 - 1e-6) <= found.time[0] < expected


def test_boxes_meet_face_to_face():
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    box = fc.Mesh(corners, [[q[0], q[i], q[i + 1]] for q in quads for i in (1, 2)])
    for axis in np.eye(3):
        for sideways in (0.0, 0.3, 1.0):
            start = 3.0 * axis + sideways * np.roll(axis, 1)
            moving = pieces([row(np.eye(3), ZERO, start, -4.0 * axis)])
            found = ask(box, box, moving)
            assert 0.5 - 1e-9 <= found.time[0] < 0.5
            past = pieces([row(np.eye(3), ZERO, start + 1.1 * np.roll(axis, 1), -4.0 * axis)])
            assert ask(box, box, past).status[0] == Status.SEPARATED or sideways == 0.0


@pytest.mark.parametrize("t", [1.0, 1.0 - 1e-15, 1.0 + 1e-15, 1.0 + 1e-12, 1.0 + 1e-6])
def test_contact_at_the_very_end(t):
    found = ask(TENT, FLOOR, pieces([falling(speed=1.0 / t)]))
    if t <= 1.0:
        assert found.status[0] == Status.CONTACT
        assert found.time[0] < t
    elif t > 1.0 + 1e-7:
        assert found.status[0] == Status.SEPARATED


def test_nothing_has_no_contact():
    for a, b in ((EMPTY, FLOOR), (FLOOR, EMPTY), (EMPTY, EMPTY)):
        found = ask(a, b, pieces([falling()] * 3))
        assert found.status.tolist() == [Status.SEPARATED] * 3
        assert found.time.tolist() == [np.inf] * 3
        assert not found.counts.any()
    for rows in ((np.empty((0, 1, 26)), AT_REST), (AT_REST, np.empty((0, 1, 26)))):
        found = ask(TENT, FLOOR, *rows)
        assert {len(array) for array in found} == {0}


def test_one_motion_goes_with_each_of_a_batch():
    batch, resting = pieces([falling(speed=s) for s in (2.0, 4.0, 8.0)]), AT_REST
    for rows in ((batch, resting), (batch, np.repeat(resting, 3, axis=0))):
        assert ask(TENT, FLOOR, *rows).time == pytest.approx([0.5, 0.25, 0.125], abs=1e-9)
    assert ask(FLOOR, TENT, resting, batch).time == pytest.approx([0.5, 0.25, 0.125], abs=1e-9)


def test_pieces_with_breaks_of_their_own():
    down = [lifted(2.0, 0.0, 0.0, 0.4), lifted(2.0, -4.0, 0.4, 0.6), lifted(1.2, -1.0, 0.6, 1.0)]
    up = [lifted(0.0, 0.0, 0.0, 0.5), lifted(0.0, 2.0, 0.5, 1.0)]
    found = ask(TENT, FLOOR, np.array([down]), np.array([up]))
    assert found.time[0] == pytest.approx(0.6 + 1.0 / 3.0, abs=1e-9)  # 1 apart at 0.6, closing at 3
    assert found.time[0] < 0.6 + 1.0 / 3.0
    assert ask(TENT, FLOOR, np.array([down])).status[0] == Status.SEPARATED


def test_a_motion_cut_into_pieces_is_the_same_motion():
    for seed in range(6):
        case = generate("both moving", 100 + seed)
        cut = []
        for rows in (case.rows_a, case.rows_b):
            parts = np.repeat(rows, 3, axis=1)
            parts[:, 0, 23] = parts[:, 1, 19] = 0.25
            parts[:, 1, 23] = parts[:, 2, 19] = 0.7
            for k, passed in ((1, 0.25), (2, 0.7)):
                parts[:, k, 9:12] += passed * parts[:, k, 12:15]
                for piece in parts[:, k]:
                    turn = rotation_by(passed * piece[18] * piece[15:18])
                    piece[:9] = (turn @ piece[:9].reshape(3, 3)).ravel()
            cut.append(parts)
        whole = ask(case.mesh_a, case.mesh_b, case.rows_a, case.rows_b)
        parts = ask(case.mesh_a, case.mesh_b, *cut)
        assert np.array_equal(whole.status, parts.status)
        hit = whole.time < np.inf
        assert np.allclose(whole.time[hit], parts.time[hit], rtol=0.0, atol=1e-7)


@pytest.mark.parametrize("limit", [0, 1, 3, 10, 100])
def test_the_limit_of_steps_gives_a_safe_time(limit):
    for seed in range(6):
        case = generate("both moving", 100 + seed)
        whole = ask(case.mesh_a, case.mesh_b, case.rows_a, case.rows_b)
        found = ask(case.mesh_a, case.mesh_b, case.rows_a, case.rows_b, max_iterations=limit)
        stopped = found.status == Status.MAX_ITERATIONS
        assert np.all(found.time[stopped] <= np.minimum(whole.time[stopped], 1.0))
        assert np.array_equal(found.time[~stopped], whole.time[~stopped])
        assert np.array_equal(found.status[~stopped], whole.status[~stopped])
        assert np.all(found.triangles[stopped] == -1)
        assert limit > 0 or stopped.all()


def test_huge_coordinates_and_rates_give_an_answer():
    limit = 2.0**149
    big = fc.Mesh(limit * TENT.vertices, TENT.faces)
    moving = pieces(
        [
            row(np.eye(3), ZERO, [0.0, 0.0, 0.5 * limit], [0.0, 0.0, -limit], [0.0, 0.0, r])
            for r in (0.0, 1e30)
        ]
    )
    found = ask(big, fc.Mesh(limit * FLOOR.vertices / 9.0, FLOOR.faces), moving, tolerance=1e-6 * limit)
    assert found.time[0] == pytest.approx(0.5, abs=1e-5)
    assert found.status[1] in (Status.CONTACT, Status.CONTACT_AT_START)  # nothing is known of so fast a turn
