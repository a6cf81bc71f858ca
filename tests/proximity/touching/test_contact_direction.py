"""Directions of contacts: unit vectors from a to b, whatever is known."""

import numpy as np

from firstcontact.motions.relative_motion import Placement
from firstcontact.proximity.touching.contact_direction import (
    NOWHERE,
    Fans,
    approach,
    farthest,
    gap_direction,
    misfit,
    normal_of,
    oriented,
    touching_direction,
)

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
ORIGIN = (0.0, 0.0, 0.0)
NEAR = 1e-12
RNG = np.random.default_rng(53)


def place(offset=(0.0, 0.0, 0.0), velocity=ORIGIN, axis=(0.0, 0.0, 1.0), rate=0.0, pivot=ORIGIN):
    return Placement(IDENTITY, offset, velocity, axis, rate, pivot, axis, 0.0, ORIGIN)


def fan(*corners):
    return np.array(corners, float).reshape(-1, 9)


def directed(a, b, normal=NOWHERE, where=None):
    fans = Fans(a, len(a), b, len(b))
    return touching_direction(fans, normal, place() if where is None else where, ORIGIN, NEAR, NEAR)


# A tip that points down, and a floor.
TIP = fan(
    [[0, 0, 0], [1, 0, 1], [0, 1, 1]],
    [[0, 0, 0], [0, 1, 1], [-1, -1, 1]],
    [[0, 0, 0], [-1, -1, 1], [1, 0, 1]],
)
FLOOR = fan([[-9, -9, 0], [9, -9, 0], [0, 9, 0]])
DOT = fan([[0, 0, 0]] * 3)


def test_a_tip_on_a_floor_points_into_the_floor():
    np.testing.assert_allclose(directed(TIP, FLOOR), [0, 0, -1])
    np.testing.assert_allclose(directed(FLOOR, TIP), [0, 0, 1])
    # Whatever the motion.
    for velocity in np.vstack([np.eye(3), -np.eye(3)]).tolist():
        np.testing.assert_allclose(directed(TIP, FLOOR, where=place(velocity=tuple(velocity))), [0, 0, -1])


def test_tip_on_tip():
    n = directed(TIP, -TIP)
    assert misfit(Fans(TIP, 3, -TIP, 3), n, 0.0) <= NEAR
    np.testing.assert_allclose(directed(-TIP, TIP), np.negative(n))


def test_faces_in_one_plane_go_by_the_motion_or_by_the_middles():
    np.testing.assert_allclose(directed(FLOOR, FLOOR, where=place(velocity=(3.0, 0.0, -0.1))), [0, 0, -1])
    np.testing.assert_allclose(directed(FLOOR, FLOOR, where=place(velocity=(3.0, 0.0, 0.1))), [0, 0, 1])
    np.testing.assert_allclose(directed(FLOOR, FLOOR, where=place(offset=(0.0, 0.0, -1.0))), [0, 0, 1])


def test_crossed_edges_go_by_their_normal():
    roof = fan([[-1, 0, 0], [1, 0, 0], [0, 1, -1]], [[-1, 0, 0], [1, 0, 0], [0, -1, -1]])
    blade = fan([[0, -1, 0], [0, 1, 0], [1, 0, 1]], [[0, -1, 0], [0, 1, 0], [-1, 0, 1]])
    np.testing.assert_allclose(directed(blade, roof, (0.0, 0.0, 1.0)), [0, 0, -1])
    np.testing.assert_allclose(directed(roof, blade, (0.0, 0.0, 1.0)), [0, 0, 1])


def test_points_go_by_the_motion_or_anywhere():
    np.testing.assert_allclose(directed(DOT, DOT, where=place(velocity=(0.0, 2.0, 0.0))), [0, 1, 0])
    assert np.isclose(np.linalg.norm(directed(DOT, DOT)), 1.0)


def test_always_a_unit_vector():
    for _ in range(200):
        a, b = (RNG.choice([0.0, 1e-200, 1e-9, 1.0, 1e9]) * RNG.integers(-1, 2, (2, 9)) for _ in range(2))
        where = place(tuple(RNG.standard_normal(3)), tuple(RNG.integers(-1, 2, 3).astype(float)))
        assert np.isclose(np.linalg.norm(directed(a, b, where=where)), 1.0)


def test_the_gap_tells_the_direction_and_the_normal_sharpens_it():
    np.testing.assert_allclose(gap_direction((0.0, 0.0, -2.0), NOWHERE), [0, 0, -1])
    assert gap_direction((0.0, 1e-3, -2.0), (0.0, 0.0, 1.0)) == (0.0, 0.0, -1.0)
    np.testing.assert_allclose(gap_direction((0.0, 3.0, -4.0), (0.0, 0.0, 1.0)), [0, 0.6, -0.8])


def test_normals():
    np.testing.assert_allclose(normal_of((2e150, 0.0, 0.0), (1e150, 3e150, 0.0)), [0, 0, 1])
    for e, f in (((1.0, 2.0, 3.0), (2.0, 4.0, 6.0)), ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))):
        assert normal_of(e, f) == NOWHERE


def test_orientation():
    up = (0.0, 0.0, 1.0)
    assert oriented(up, place(velocity=(0.0, 0.0, -1.0)), ORIGIN) == (0.0, 0.0, -1.0)
    turning = place(axis=(0.0, 1.0, 0.0), rate=2.0, pivot=(1.0, 0.0, 0.0))
    np.testing.assert_allclose(approach(turning, ORIGIN), [0, 0, 2])
    assert oriented((0.0, 0.0, -1.0), turning, ORIGIN) == up
    assert oriented(up, place(offset=(0.0, 0.0, 3.0)), ORIGIN) == (0.0, 0.0, -1.0)


def test_how_far_faces_reach():
    assert farthest(TIP, 3, (0.0, 0.0, -1.0), 0.0) == 0.0
    assert farthest(TIP, 3, (0.0, 0.0, 1.0), 0.0) == 1.0
    assert farthest(TIP, 1, (-1.0, 0.0, 0.0), 0.0) == 0.0
    assert farthest(TIP, 3, (-1.0, 0.0, 0.0), 0.0) == 1.0
    # A direction that may be off by a tenth: as far as is certain.
    assert np.isclose(farthest(TIP, 3, (0.0, 0.0, 1.0), 0.1), 1.0 - 0.1 * 2**0.5)
    assert misfit(Fans(TIP, 3, FLOOR, 1), (0.0, 0.0, -1.0), 0.0) == 0.0
    assert misfit(Fans(TIP, 3, FLOOR, 1), (0.0, 0.0, 1.0), 0.0) == 1.0
