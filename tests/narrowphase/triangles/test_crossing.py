"""What two triangles share, against rational numbers, and against planes that part them."""

import numpy as np
import pytest

from firstcontact.narrowphase.triangles.crossing import (
    EDGE,
    FACE,
    MOST_POINTS,
    N_FEATURES,
    OPEN,
    common_points,
)
from firstcontact.narrowphase.triangles.crossing_exact import common_points_exactly
from firstcontact.narrowphase.triangles.piercing import ROOM_SIZE
from oracles.triangles_apart import are_apart
from tuples import as_tuples

FLAT = np.array([[0.0, 0, 0], [4, 0, 0], [0, 4, 0]])


def named(a, b):
    points = np.empty(MOST_POINTS, np.int32)
    a, b = (tuple(as_tuples(np.asarray(t, float))) for t in (a, b))
    n = common_points(a, b, np.empty(ROOM_SIZE), points)
    return n if n == OPEN else sorted(points[:n].tolist())


def pair(family, rng):
    """Two triangles, (2, 3, 3): full of ties, in one plane, a hair apart, or anywhere."""
    corners = rng.integers(-2, 3, (2, 3, 3)).astype(float)
    if family == "plane":
        corners[:, :, 2] = 0.0
        corners = corners @ np.array([[1, 0, 1], [0, 1, 1], [0, 0, 1.0]])
    if family == "hair":
        corners *= rng.choice([1.0, 1.0 + 2.0**-52], corners.shape)
    if family == "tiny":
        corners *= 1e-60
    return rng.normal(size=(2, 3, 3)) if family == "anywhere" else corners


@pytest.mark.parametrize("family", ["ties", "plane", "hair", "anywhere", "tiny"])
def test_points_are_those_of_rational_numbers(family):
    rng, sizes = np.random.default_rng(1), set()
    for _ in range(600):
        corners = pair(family, rng)
        found, exact = named(*corners), common_points_exactly(corners)
        if found == OPEN:
            continue
        sizes.add(min(len(found), 3))
        if len(found) > 2:  # corners of an area: those on its sides may be told, too
            assert len(exact) > 2
            assert set(found) >= set(exact)
        else:
            assert found == sorted(exact)
    assert sizes >= ({0, 2} if family == "anywhere" else {0, 1, 2})


@pytest.mark.parametrize("family", ["ties", "plane", "hair", "tiny"])
def test_they_meet_where_no_plane_parts_them(family):
    rng, seen = np.random.default_rng(2), set()
    for _ in range(300):
        corners = pair(family, rng)
        is_met = not are_apart(*corners.tolist())
        assert (len(common_points_exactly(corners)) > 0) == is_met
        seen.add(is_met)
    assert seen == {False, True}


def test_an_edge_through_the_inside():
    spear = [[1, 1, -1], [1, 1, 1], [5, 5, 9]]
    assert N_FEATURES * FACE + EDGE in named(FLAT, spear)


def test_a_corner_on_a_corner_on_an_edge_and_inside():
    up = np.array([[0.0, 0, 0], [1, 0, 5], [0, 1, 5]])
    assert named(up, FLAT) == [0]
    assert named(np.add(up, [2, 0, 0]), FLAT) == [EDGE]
    assert named(np.add(up, [1, 1, 0]), FLAT) == [FACE]
    assert named(np.add(up, [9, 9, 0]), FLAT) == []


def test_one_plane():
    assert len(named(FLAT, np.add(FLAT, [1, 1, 0]))) >= 3
    assert len(named(FLAT, [[0, 0, 0], [0, 4, 0], [-4, 0, 0]])) == 2  # along an edge
    assert named(FLAT, -FLAT) == [0]
    assert named(FLAT, np.add(FLAT, [9, 0, 0])) == []


def test_what_has_no_area_is_left_open():
    assert named(FLAT, [[1, 1, -1], [1, 1, 1], [1, 1, 0]]) == OPEN
    assert named(FLAT, [[1, 1, 1], [1, 1, 1], [1, 1, 1]]) == []
    assert named(FLAT, [[1, 1, 0], [1, 1, 0], [1, 1, 0]]) == OPEN
