"""The oracle of first contacts against closed forms, and against many instants."""

import numpy as np
import pytest

from oracles.convex_cores import Core, moved_to, placed
from oracles.convex_first_contact import distances_at, scan
from oracles.rigid_first_contact import Real, side_at
from properties.rigid_families import orientation, pieces, rotation_by, row, unit
from samples import sample

POINT, NONE = np.zeros((1, 3)), np.zeros(3)
BALL = Core(POINT, NONE, 0.5)
ROD = Core(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]), NONE, 0.0)
PLATE = Core(np.array([[x, y, 0.0] for x in (-9, 9) for y in (-9, 9)]), NONE, 0.0)
CYLINDER = Core(np.array([[0, 0, -1.0], [0, 0, 1.0]]), np.array([0.5, 0.5, 0.0]), 0.0)
ELLIPSOID = Core(POINT, np.array([0.3, 0.6, 1.0]), 0.0)
AT_REST = row(np.eye(3), NONE, NONE)


def pair(core_a, core_b, *rows):
    """Two shapes and n motions of a, while b rests."""
    n = len(rows)
    a, b = (placed([core] * n, [np.eye(3)] * n, np.zeros((n, 3))) for core in (core_a, core_b))
    return a, b, (pieces(rows), pieces([AT_REST] * n))


def test_balls_that_meet():
    toward = row(np.eye(3), NONE, [3.0, 0.0, 0.0], [-4.0, 0.0, 0.0], [0.0, 50.0, 0.0])
    past = row(np.eye(3), NONE, [3.0, 1.0 + 1e-6, 0.0], [-6.0, 0.0, 0.0])
    found = scan(*pair(BALL, BALL, toward, past), 0.0, 1e-9)
    assert abs(found.witness[0] - 0.5) < 1e-9
    assert found.free_until[0] == found.witness[0]
    assert found.free_until[1] == found.witness[1] == np.inf


def test_a_rod_turns_onto_a_plate():
    for rate in (1.0, 6.0, 60.0):
        turning = row(np.eye(3), NONE, [0.0, 0.0, 0.5], turn=[0.0, rate, 0.0])
        found = scan(*pair(ROD, PLATE, turning), 0.0, 1e-12).witness[0]
        expected = np.pi / 6.0 / rate
        assert (abs(found - expected) < 1e-11) if expected <= 1.0 else found == np.inf


def test_a_separation():
    falling = row(np.eye(3), NONE, [0.0, 0.0, 2.5], [0.0, 0.0, -2.0])
    found = scan(*pair(BALL, PLATE, falling), 0.5, 0.5 + 1e-12)
    assert abs(found.witness[0] - 0.75) < 1e-11
    assert scan(*pair(BALL, PLATE, falling), 0.5, 0.6, until=0.5).witness[0] == np.inf


def test_an_ellipsoid_that_turns_in_place_reaches_its_longest():
    """Its reach along z after a turn by phi about x is sqrt((0.6 sin)^2 + (1.0 cos)^2)."""
    height = 0.8
    turning = row(rotation_by([0.5 * np.pi, 0.0, 0.0]), NONE, [0.0, 0.0, height], turn=[2.0, 0.0, 0.0])
    found = scan(*pair(ELLIPSOID, PLATE, turning), 0.0, 1e-10)
    phi = np.arcsin(np.sqrt((height**2 - 0.36) / 0.64))
    assert abs(found.witness[0] - phi / 2.0) < 1e-9


def test_a_cylinder_that_spins_about_its_axis_stays_where_it_is():
    spinning = row(np.eye(3), NONE, [0.5 + 0.5 + 1e-9, 0.0, 0.0], turn=[0.0, 0.0, 2000.0])
    found = scan(*pair(CYLINDER, CYLINDER, spinning), 0.0, 5e-10)
    assert found.free_until[0] == np.inf


def test_places_are_those_of_the_other_oracle():
    rng = np.random.default_rng(3)
    x = rng.standard_normal((1, 3, 3))
    piece = row(orientation(rng), *rng.standard_normal((3, 3)), 5.0 * unit(rng), (0.25, 1.0))
    moved = moved_to(
        placed([Core(x[0], NONE, 0.0)], [np.eye(3)], [NONE]), pieces([piece]), np.array([Real(0.75)])
    )
    places = moved.cores.origin[:, None] + (
        moved.cores.rotation[..., None, :] * moved.cores.points[None]
    ).sum(axis=1)
    assert np.abs(places - side_at(piece[None], x, Real(0.75)).corners).max() < 1e-18


@pytest.mark.parametrize("seed", range(sample(1, of=2)))
def test_the_scan_agrees_with_many_instants(seed):
    rng = np.random.default_rng(seed)
    hull = Core(rng.standard_normal((8, 3)), NONE, 0.0)
    cores = [BALL, ROD, CYLINDER, ELLIPSOID, hull]
    chosen = rng.integers(0, 5, (2, 24))
    a, b = (placed([cores[i] for i in side], [np.eye(3)] * 24, np.zeros((24, 3))) for side in chosen)
    rows = [
        pieces(
            [row(orientation(rng), *(1.5 * rng.standard_normal((3, 3))), 6.0 * unit(rng)) for _ in range(24)]
        )
        for _ in range(2)
    ]
    lower, upper = 1e-3, 1.1e-3
    found = scan(a, b, rows, lower, upper)
    assert np.all((found.free_until == np.inf) | (found.witness < np.inf))
    for t in np.linspace(0.0, 1.0, 16):
        assert np.all((distances_at(a, b, rows, t).upper > lower) | (t >= found.free_until))
    is_hit = found.witness < np.inf
    assert 4 <= is_hit.sum() <= 20
    assert np.all(distances_at(a, b, rows, np.where(is_hit, found.witness, 0.0)).lower[is_hit] <= upper)
