"""Times at which contacts are proven: they are contacts, and they are near the times found."""

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import firstcontact as fc
from firstcontact.advancement.arrival import Found
from firstcontact.bodies.mesh_body import body_of
from firstcontact.rigid import proof
from firstcontact.rigid.first_times import first_times
from firstcontact.rigid.proof import is_through, proven_times
from firstcontact.status import Status
from oracles.rigid_first_contact import distances_at, side_at
from oracles.triangle_distance import as_integers, is_pierced, triangle_distance_squared
from poses import pose
from properties.rigid_claims import ask, options, size_of
from properties.rigid_families import FAMILIES, generate, soups_of
from proximity.solids import box, corner_piece, hull, piece_at

RNG = np.random.default_rng(61)

# What the oracle, in extended precision, loses of a distance between healthy triangles, in their sizes.
LOST = 1e-17


def proven(case, found, asked):
    return proven_times(body_of(case.mesh_a), body_of(case.mesh_b), case.rows_a, case.rows_b, found, asked)


def is_crossed(case, k, t):
    """Do two faces cross, exactly, when all corners are where they are to the last digit of a double?"""
    triangles = []
    for mesh, rows in ((case.mesh_a, case.rows_a[k]), (case.mesh_b, case.rows_b[k])):
        corners = mesh.vertices[mesh.faces]
        row = np.broadcast_to(piece_at(rows, t), (len(corners), 26))
        triangles.append(side_at(row, corners, np.longdouble(t)).corners.transpose(2, 1, 0).astype(float))
    return any(triangle_distance_squared(a, b) == 0 for a in triangles[0] for b in triangles[1])


@pytest.mark.parametrize("part", [0.0, 1e-2])
@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_proven_is_so(family, part):
    n_proven = 0
    for seed in range(4):
        case = generate(family, seed)
        separation = part * size_of(case)
        asked = options(1e-6 * size_of(case), separation)
        found = ask(case, asked)
        upper = proven(case, found, asked)
        is_hit = np.isin(found.status, [Status.CONTACT, Status.CONTACT_AT_START])
        is_proven = np.isfinite(upper)
        n_proven += is_proven.sum()
        assert not is_proven[~is_hit].any()
        assert ((found.time <= upper) & (upper <= 1.0))[is_proven].all()
        distances = distances_at([soups_of(case)], np.where(is_proven, upper, 0.0))
        reach = max(np.abs(case.rows_a).max(), body_of(case.mesh_a).reach + body_of(case.mesh_b).reach)
        for k in np.flatnonzero(is_proven & ~(distances <= separation + LOST * reach)):
            assert separation == 0.0
            assert is_crossed(case, k, upper[k])  # among needles the oracle is not as exact
    # A point passes through no face, and what slides past at a gap touches with a separation only.
    assert (n_proven > 0) == (part > 0.0 or family not in ("point", "sliding"))


def thrown(n, a, b):
    """Motions of a into b, which rests."""
    places = RNG.standard_normal((2, n, 3)) * [[[3.0]], [[0.3]]] + [[[4.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]]]
    turns = RNG.standard_normal((2, n, 3))
    starts, ends = (
        np.array([pose(x, turn) for x, turn in zip(*side, strict=True)])
        for side in zip(places, turns, strict=True)
    )
    return a.moving(starts, ends).motion.rows(), b.at(pose()).motion.rows()


@pytest.mark.parametrize("separation", [0.0, 1e-2])
@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9])
def test_nearly_all_are_proven_and_close(tolerance, separation):
    a, b = hull(RNG, 20), corner_piece(1)
    rows_a, rows_b = thrown(100, a, b)
    asked = options(tolerance, separation)
    found = first_times(body_of(a), body_of(b), (rows_a, rows_b), asked)
    is_hit = found.status == Status.CONTACT
    upper = proven_times(body_of(a), body_of(b), rows_a, rows_b, found, asked)[is_hit]
    assert is_hit.sum() > 60
    assert np.isfinite(upper).all()
    # They go a length of about one in all of the time.
    assert np.median(upper - found.time[is_hit]) <= tolerance
    assert np.quantile(upper - found.time[is_hit], 0.9) <= 10.0 * tolerance


def one(a, b, start, end, separation=0.0):
    rows = a.moving(start, end).motion.rows(), b.at(pose()).motion.rows()
    asked = options(1e-6, separation)
    found = first_times(body_of(a), body_of(b), rows, asked)
    return found, float(proven_times(body_of(a), body_of(b), *rows, found, asked)[0])


def test_in_contact_from_the_start():
    cube = box(1, 1, 1)
    for separation, x in ((0.0, 0.5), (0.1, 1.05)):
        found, upper = one(cube, cube, pose((x, 0.3, 0.2)), pose((3, 0, 0)), separation)
        assert found.status[0] == Status.CONTACT_AT_START
        assert upper == 0.0
    # In touch, but never more: nothing is certain.
    found, upper = one(cube, cube, pose((1, 0.3, 0.2)), pose((3, 0, 0)))
    assert found.status[0] == Status.CONTACT_AT_START
    assert upper == np.inf


def test_face_on_face():
    cube = box(1, 1, 1, cuts=1)
    found, upper = one(cube, cube, pose((0.1, 0.2, 3)), pose((0.1, 0.2, 0)))
    assert found.time[0] <= 2 / 3 <= upper <= found.time[0] + 1e-5
    # Where all sides lie in each other's planes no edge passes through a face.
    found, upper = one(cube, cube, pose((0, 0, 3)), pose((0, 0, 0)))
    assert found.time[0] <= 2 / 3
    assert upper == np.inf


def test_what_comes_near_and_goes_away_is_not_proven():
    cube = box(1, 1, 1)
    found, upper = one(cube, cube, pose((-3, 0, 1 + 1e-7)), pose((3, 0, 1 + 1e-7)))
    assert found.status[0] == Status.CONTACT
    assert upper == np.inf
    found, upper = one(cube, cube, pose((-3, 0, 1.1 + 1e-7)), pose((3, 0, 1.1 + 1e-7)), 0.1)
    assert found.status[0] == Status.CONTACT
    assert upper == np.inf


def test_only_contacts_are_proven():
    cube = box(1, 1, 1)
    body, rows = body_of(cube), cube.at(pose()).motion.rows()
    for status in (Status.SEPARATED, Status.MAX_ITERATIONS):
        found = Found(
            np.array([status], np.int8),
            np.zeros(1),
            np.full((1, 2), -1, np.int32),
            np.zeros((1, 4), np.int64),
            np.full((1, 2, 3), np.nan),
            np.full((1, 3), np.nan),
        )
        assert proven_times(body, body, rows, rows, found, options(1e-6)).tolist() == [np.inf]
    nothing = fc.Mesh([], [])
    found, upper = one(nothing, cube, pose(), pose((1, 0, 0)))
    assert upper == np.inf
    none = cube.at(np.empty((0, 4, 4))).motion.rows()
    empty = first_times(body, body, (none, rows), options(1e-6))
    assert proven_times(body, body, none, rows, empty, options(1e-6)).shape == (0,)


def test_batches_are_like_singles_for_any_number_of_threads(monkeypatch):
    monkeypatch.setattr(proof, "WORTH_A_THREAD", 4)
    a, b = hull(RNG, 12), box(1, 2, 1)
    rows_a, rows_b = thrown(50, a, b)
    asked = options(1e-6)
    bodies = body_of(a), body_of(b)
    found = first_times(*bodies, (rows_a, rows_b), asked)
    upper = proven_times(*bodies, rows_a, rows_b, found, asked)
    numba.set_num_threads(1)
    try:
        np.testing.assert_array_equal(proven_times(*bodies, rows_a, rows_b, found, asked), upper)
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    for i in range(len(rows_a)):
        row = slice(i, i + 1)
        single = proven_times(*bodies, rows_a[row], rows_b, Found(*(x[row] for x in found)), asked)
        np.testing.assert_array_equal(single, upper[row])


COORDINATE = st.integers(-8, 8).map(float)
POINT = st.tuples(COORDINATE, COORDINATE, COORDINATE)


@given(
    st.tuples(POINT, POINT),
    st.tuples(POINT, POINT, POINT),
    st.sampled_from([0.0, 0.01, 0.3]),
    st.integers(0, 99),
)
def test_what_passes_through_does_so_wherever_it_is_pushed(edge, triangle, clearance, seed):
    # Touching is not passing through; and neither is what is flat.
    passes = is_through(*edge, triangle, max(clearance, 1e-12))
    if passes:
        rng = np.random.default_rng(seed)
        for _ in range(5):
            pushes = rng.standard_normal((5, 3))
            pushes *= 0.5 * clearance / np.linalg.norm(pushes, axis=1, keepdims=True)
            points = (np.array([*edge, *triangle]) + pushes).tolist()
            assert triangle_distance_squared([*points[:2], points[1]], points[2:]) == 0
    elif clearance == 0.0:
        before, after = (_side(p, triangle) for p in edge)
        strict = before * after < 0 and all(
            _side(edge[0], (edge[1], triangle[i], triangle[(i + 1) % 3])) != 0 for i in range(3)
        )
        assert not (strict and is_pierced(*as_integers(edge, triangle)[0]))


def _side(p, t):
    """Six times the volume of a tetrahedron, exact for whole numbers."""
    return round(np.linalg.det(np.array(t) - np.array(p)))
