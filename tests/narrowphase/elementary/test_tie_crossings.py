"""Each certificate: where it holds, and what looks like it and is no contact."""

import numpy as np
import pytest

from firstcontact.narrowphase.elementary.tie_crossings import is_crossed, is_met, is_passed
from firstcontact.narrowphase.elementary.ties import ROOM_SIZE, load_query

FACE = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
CERTIFICATES = {"crossed": is_crossed, "passed": is_passed, "met": is_met}


def certified(start, end, is_edge_edge, time):
    """Names of the certificates that hold around a time."""
    start, end = (tuple(tuple(map(float, point)) for point in points) for points in (start, end))
    room = np.empty(ROOM_SIZE)
    assert load_query(start, end, is_edge_edge, room)
    s, e = (np.rint(2.0**30 * time) + np.array([-2.0, 2.0])) / 2.0**30
    return {name for name, holds in CERTIFICATES.items() if holds(room, is_edge_edge, s, e)}


def fall(edge_or_vertex, other, heights=(1.0, -2.0), shift=(0.0, 0.0)):
    """Queries in which one side falls onto the other, at a third of the way."""
    start = [[x, y, z + heights[0]] for x, y, z in edge_or_vertex]
    end = [[x + shift[0], y + shift[1], z + heights[1]] for x, y, z in edge_or_vertex]
    return [*start, *other], [*end, *other]


@pytest.mark.parametrize("foot", [(0, 0), (1, 0), (0, 1), (0.5, 0.5), (0.5, 0), (0, 0.125), (0.25, 0.25)])
def test_vertex_through_the_border_of_a_face(foot):
    assert "crossed" in certified(*fall([[*foot, 0]], FACE), False, 1 / 3)


@pytest.mark.parametrize("foot", [(-1e-17, 0.5), (0.5, -1e-17), (0.5, 0.5000000000000001), (-1, 0), (2, 2)])
def test_vertex_beside_the_border_of_a_face(foot):
    assert certified(*fall([[*foot, 0]], FACE), False, 1 / 3) == set()


def test_a_crossing_is_not_in_the_plane_before_or_after():
    start, end = fall([[0.5, 0.0, 0.0]], FACE)
    assert certified(start, end, False, 0.25) == certified(start, end, False, 0.5) == set()


@pytest.mark.parametrize("scale", [1.0, 0.1, 2.0**-100, 2.0**140])
def test_edge_on_the_end_of_another(scale):
    a, b = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    start, end = fall(a, b)
    assert certified(np.multiply(scale, start), np.multiply(scale, end), True, 1 / 3) == {"crossed"}
    a[1][0] = -1e-17
    assert certified(*fall(a, b), True, 1 / 3) == set()


def test_a_cubic_below_rounding_changes_sign():
    # Almost collinear edges that share an end as seen from above: the cubic is a rounding error of its terms.
    a = [[0.6000000000000001, 4.6000000000000005, 0.0], [0.7000000000000001, 4.7, 0.0]]
    b = [[0.7000000000000001, 4.7, 0.0], [0.8, 4.800000000000001, 0.0]]
    assert "crossed" in certified(*fall(a, b), True, 1 / 3)


@pytest.mark.parametrize("direction", [(1.0, 0.0, 0.0), (0.1, 0.1, 0.0), (3.0, -1.0, 0.0)])
@pytest.mark.parametrize(
    "ends", [(-1.0, 0.5), (0.5, -1.0), (0.25, 0.75), (-1.0, 3.0), (0.0, 1.0), (-1.0, 0.0)]
)
def test_parallel_edges_pass_each_other(direction, ends):
    a = [[x * end for x in direction] for end in ends]
    b = [[0.0, 0.0, 0.0], list(direction)]
    assert "passed" in certified(*fall(a, b), True, 1 / 3)
    assert "passed" in certified(*fall(a, b[::-1]), True, 1 / 3)


def test_parallel_edges_that_miss():
    b = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    beyond = [[-1.0, 0.0, 0.0], [-1e-17, 0.0, 0.0]]
    assert certified(*fall(beyond, b), True, 1 / 3) == set()
    # Above the other when they pass: all four are always in one plane, but the plane turns.
    start, end = [[-1.0, -1.0, 1.0], [1.0, -1.0, 1.0], *b], [[-1.0, 2.0, 1.0], [1.0, 2.0, 1.0], *b]
    assert certified(start, end, True, 1 / 3) == set()


def test_a_vertex_passes_a_face_that_is_a_segment():
    segment = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]
    assert "passed" in certified(*fall([[0.75, 0.0, 0.0]], segment), False, 1 / 3)
    assert certified(*fall([[2.125, 0.0, 0.0]], segment), False, 1 / 3) == set()


def test_points_that_meet():
    corner = [[1.0, 0.0, 0.0]]
    start, end = fall(corner, FACE, shift=(1.0, 1.0))
    start[0][:2] = 0.5, -0.5  # a third of the way from here to (2, 1) is (1, 0)
    assert "met" in certified(start, end, False, 1 / 3)
    start[0][0] = np.nextafter(0.5, 1.0)
    assert "met" not in certified(start, end, False, 1 / 3)
