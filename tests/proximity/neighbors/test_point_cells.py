"""Cells: points within the radius are in cells beside each other, and no row runs into another."""

import numpy as np
import pytest

from firstcontact.proximity.neighbors.point_cells import KEY_BITS, cells_of

RNG = np.random.default_rng(2)
FOG = np.concatenate([RNG.random((200, 3)) * 1e12, 3e11 + RNG.random((200, 3)) * 10.0])


def places_of(cells, strides):
    """Where each point's cell is, (n, 3), in the order of the points."""
    keys = np.repeat(cells.keys, np.diff(cells.starts))
    rows = np.stack([keys % strides.y, keys % strides.z // strides.y, keys // strides.z], axis=1)
    found = np.empty_like(rows)
    found[cells.order] = rows
    return found


@pytest.mark.parametrize("radius", [1.0, 0.1, 7.0, 2.0**-150])
@pytest.mark.parametrize("points", [RNG.random((300, 3)) * 9.0, FOG, np.rint(RNG.random((300, 3)) * 5)])
def test_who_is_near_is_beside(points, radius):
    (cells,), strides = cells_of((points,), radius)
    assert np.array_equal(cells.places, points[cells.order].T)
    assert np.all(np.diff(cells.keys) > 0)
    assert cells.starts[-1] == len(points) == len(set(cells.order))
    assert cells.keys[-1] < 2**KEY_BITS
    places = places_of(cells, strides)
    apart = np.abs(points[:, None] - points[None]).max(axis=2)
    steps = np.abs(places[:, None] - places[None]).max(axis=2)
    assert np.all(steps[apart <= radius] <= 1)
    # The last place along x, and along y, stays empty.
    assert places[:, 0].max() <= strides.y - 2
    assert places[:, 1].max() <= strides.z // strides.y - 2


def test_far_points_take_no_room():
    points = np.array([[0, 0, 0], [1e40, 0, 0], [0, -1e44, 0], [0.5, 0, 0]])
    (cells,), strides = cells_of((points,), 1.0)
    assert places_of(cells, strides).tolist() == [[0, 1, 0], [1, 1, 0], [0, 0, 0], [0, 1, 0]]


def test_cells_are_of_one_space_for_two_sets():
    a, b = RNG.random((50, 3)), RNG.random((70, 3)) + 5.0
    (one, other), strides = cells_of((a, b), 0.5)
    (both,), alone = cells_of((np.concatenate([a, b]),), 0.5)
    assert strides == alone
    places = np.concatenate([places_of(one, strides), places_of(other, strides)])
    assert np.array_equal(places, places_of(both, strides))
