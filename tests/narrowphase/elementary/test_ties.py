"""Do the points touch at a given time? Against exact integers, wherever that time is a double."""

from itertools import permutations

import numpy as np
import pytest

from firstcontact.narrowphase.elementary.elementary_exact import exact_contact
from firstcontact.narrowphase.elementary.elementary_query import CONTACT_AT_START, Options
from firstcontact.narrowphase.elementary.inclusion import INSIDE, OUTSIDE, UNSURE
from firstcontact.narrowphase.elementary.ties import ROOM_SIZE, load_query, touches_at
from properties.tie_families import FAMILIES, disguised
from tuples import as_tuples

KINDS = {"vf": False, "ee": True}
FACE = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
ROOM = np.empty(ROOM_SIZE)


def touch(start, end, is_edge_edge, t):
    if not load_query(as_tuples(start), as_tuples(end), is_edge_edge, ROOM):
        return UNSURE
    return touches_at(ROOM, is_edge_edge, t)


def truth(points, is_edge_edge):
    found = exact_contact(points, points, Options(is_edge_edge, 0.0, 0.0, 0.0))
    return INSIDE if found.status == CONTACT_AT_START else OUTSIDE


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_at_the_ends(family, kind):
    rng = np.random.default_rng([1, len(family)])
    start, end = disguised(rng, FAMILIES[family](rng, 100, KINDS[kind]))
    for a, b in zip(start, end, strict=True):
        for t, points in ((0.0, a), (1.0, b)):
            found = touch(a, b, KINDS[kind], t)
            smallest = min(abs(x) for x in (*a.ravel(), *b.ravel(), 1.0) if x)
            assert found == truth(points, KINDS[kind]) or (found == UNSURE and smallest < 2.0**-240)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "family", ["grid", "flat", "tilted", "turning", "on_a_line", "parallel", "degenerate"]
)
def test_at_times_in_between(family, kind):
    rng = np.random.default_rng([2, len(family)])
    start, end = FAMILIES[family](rng, 60, KINDS[kind])
    for a, b in zip(start, end, strict=True):
        for t in (0.25, 0.5, 0.75, 2.0**-30, 1.0 - 2.0**-30):
            # Small integers: the points at these times are doubles.
            assert touch(a, b, KINDS[kind], t) == truth((1.0 - t) * a + t * b, KINDS[kind])


@pytest.mark.parametrize("foot", [(0, 0), (1, 0), (0, 1), (0.5, 0.5), (0.5, 0), (0.25, 0.25)])
@pytest.mark.parametrize("axes", list(permutations(range(3))))
def test_vertex_on_a_face(foot, axes):
    for height, expected in ((0.0, INSIDE), (5e-300, UNSURE), (2.0**-200, OUTSIDE), (-1e-17, OUTSIDE)):
        points = np.array([[*foot, height], *FACE])[:, axes]
        assert touch(points, points, False, 0.0) == expected


@pytest.mark.parametrize("foot", [(-1e-17, 0.5), (0.5, -1e-17), (0.5, 0.5000000000000001), (2, 0), (-1, 0)])
def test_vertex_beside_a_face(foot):
    points = [[*foot, 0.0], *FACE]
    assert touch(points, points, False, 0.0) == OUTSIDE


def test_times_of_too_many_digits_are_left_open():
    points = [[0.25, 0.25, 0.0], *FACE]
    assert touch(points, points, False, 2.0**-53) == INSIDE
    assert touch(points, points, False, 2.0**-54) == UNSURE
