"""Queries that once went wrong."""

import numpy as np
import pytest

import firstcontact as fc

FACE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


def test_several_areas_that_vanish_at_one_irrational_root_are_decided_in_no_time():
    # Each zero sign used to multiply the bits of the root, and the third of them never ended.
    edges = fc.edge_edge_ccd(
        [[0, 0, 0], [9, -3, -6], [3, 3, 0], [3, 3, 0]],
        [[4, 6, 1], [13, 11, -1], [1, -1, -1], [1, -1, -1]],
        exact=True,
        time_tolerance=0,
    )
    assert (edges.time, edges.time_upper) == (0.3069995318353086, 0.30699953183530865)
    start = [[8, 6, 20], [4, 8, 20], [1, 4, 9], [4, 8, 20]]
    end = [[1, 8, 17], [4, 8, 20], [3, 0, 3], [4, 8, 20]]
    assert fc.vertex_face_ccd(start, end, exact=True).status in (fc.Status.SEPARATED, fc.Status.CONTACT)


@pytest.mark.parametrize("exact", [False, True])
def test_contact_at_the_only_instant_asked_for_is_not_missed(exact):
    face = [[0, 0, -1], [3, 0, 2], [0, 3, 2]]
    contact = fc.vertex_face_ccd([[0.5, 0.5, 0], *face], [[0.5, 0.5, 1], *face], max_time=0, exact=exact)
    assert contact.hit
    assert contact.time == 0.0
    assert not exact or contact.status == fc.Status.CONTACT_AT_START


def test_a_symmetric_crossing_is_decided_in_floating_point():
    # Its cubic is a line up to rounding, and used to be cut at its root.
    contact = fc.vertex_face_ccd([[0.25, 0.25, 1], *FACE], [[0.25, 0.25, -1], *FACE])
    assert contact.status == fc.Status.CONTACT
    assert contact.time <= 0.5 <= contact.time_upper <= contact.time + 1e-9


def test_a_distance_whose_square_underflows_is_not_a_contact():
    s = 1e-165
    points = [[s, s, s], [3 * s, 0, -3 * s], [-3 * s, 3 * s, 0], [0, -3 * s, 3 * s]]
    contact = fc.vertex_face_ccd(points, points, min_separation=1e-170)
    assert contact.status not in (fc.Status.CONTACT, fc.Status.CONTACT_AT_START)
    assert not fc.vertex_face_ccd(points, points, min_separation=1e-170, exact=True).hit


def test_small_separations_are_decided_in_floating_point():
    # A direction tilted by the rounding of the closest points proved nothing at 1e-8.
    start, end = np.random.default_rng(3).random((2, 2000, 4, 3))
    for query in (fc.vertex_face_ccd, fc.edge_edge_ccd):
        contacts = query(start, end, min_separation=1e-9)
        is_open = np.isin(contacts.status, (fc.Status.UNDECIDED, fc.Status.MAX_ITERATIONS))
        assert is_open.sum() <= 0.01 * contacts.hit.sum()
