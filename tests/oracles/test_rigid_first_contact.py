"""The oracle against closed forms, against a dumb one, and against the formula written once more."""

import numpy as np
import pytest

from oracles.rigid_first_contact import Real, Soups, distances_at, scan, side_at
from properties.rigid_families import generate, pieces, rotation_by, row, soups_of
from samples import sample

TRIANGLE = np.array([[[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]]])
ROD = np.array([[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, 0.0, 0.0]]])
POINT = np.zeros((1, 3, 3))
AT_REST = pieces([row(np.eye(3), np.zeros(3), np.zeros(3))])


def lone(triangle, piece, other=TRIANGLE):
    return [Soups(triangle, other, pieces([piece]), AT_REST)]


def test_a_point_falls_on_a_triangle():
    falling = lone(POINT, row(np.eye(3), np.zeros(3), [0.0, 0.0, 1.0], [0.0, 0.0, -4.0]))
    found = scan(falling, 0.0, 1e-12)
    assert found.free_until == found.witness
    assert abs(found.witness[0] - 0.25) < 1e-12
    assert abs(scan(falling, 0.5, 0.5 + 1e-12).witness[0] - 0.125) < 1e-12
    assert scan(falling, 0.0, 1e-12, until=0.2) == (np.inf, np.inf)


def test_a_rod_turns_onto_a_triangle():
    height = 0.5  # reached by the rod's end at 30 degrees
    for rate in (1.0, 6.0, 60.0):
        turning = lone(ROD, row(np.eye(3), np.zeros(3), [0.0, 0.0, height], turn=[0.0, rate, 0.0]))
        expected = np.pi / 6.0 / rate
        found = scan(turning, 0.0, 1e-12).witness[0]
        assert (abs(found - expected) < 1e-11) if expected <= 1.0 else found == np.inf


def test_a_rod_that_just_misses():
    for gap in (1e-2, 1e-4, 1e-6):
        turning = lone(ROD, row(np.eye(3), np.zeros(3), [0.0, 0.0, 1.0 + gap], turn=[0.0, 7.0, 0.0]))
        assert scan(turning, 0.0, 0.5 * gap) == (np.inf, np.inf)
        assert abs(scan(turning, 1.5 * gap, 2.0 * gap).witness[0] - np.pi / 14.0) < np.sqrt(gap)


@pytest.mark.parametrize("family", ["both moving", "spinning", "piecewise", "many turns", "degenerate"])
def test_the_scan_agrees_with_dense_samples(family):
    many = [soups_of(generate(family, 900 + seed)) for seed in range(2)]
    lower, upper = 1e-3, 1.1e-3
    found = scan(many, lower, upper)
    for t in np.linspace(0.0, 1.0, sample(17, of=41)):
        assert np.all((distances_at(many, t) > lower) | (t >= found.free_until))
    is_hit = found.witness < np.inf
    assert np.all(found.free_until[is_hit] == found.witness[is_hit])
    assert np.all(distances_at(many, np.where(is_hit, found.witness, 0.0))[is_hit] <= upper)


def test_places_are_those_of_the_formula():
    rng = np.random.default_rng(3)
    x = rng.standard_normal((1, 3, 3))
    rotation, axis = rotation_by(rng.standard_normal(3)), np.array([0.6, 0.0, 0.8])
    center, position, velocity = rng.standard_normal((3, 3))
    piece = row(rotation, center, position, velocity, 5.0 * axis, (0.25, 1.0))
    side = side_at(piece[np.newaxis], x, Real(0.75))
    expected = position + 0.5 * velocity + (x[0] - center) @ (rotation_by(2.5 * axis) @ rotation).T
    assert np.allclose(side.corners[..., 0].T.astype(float), expected, rtol=0.0, atol=1e-14)


def test_of_two_pieces_the_later_one_counts_where_they_meet():
    spans = (2.0, 2.0, (0.0, 0.5)), (3.0, -4.0, (0.5, 1.0))
    halves = [row(np.eye(3), np.zeros(3), [0.0, 0.0, z], [0.0, 0.0, v], span=s) for z, v, s in spans]
    falling = [Soups(POINT, TRIANGLE, np.array([halves]), AT_REST)]
    assert distances_at(falling, [0.5]) == [3.0]
    assert scan(falling, 0.0, 1e-9) == (np.inf, np.inf)
    assert abs(scan(falling, 2.0, 2.0 + 1e-9).witness[0]) == 0.0
    assert abs(scan(falling, 1.5, 1.5 + 1e-9).witness[0] - 0.875) < 1e-8
