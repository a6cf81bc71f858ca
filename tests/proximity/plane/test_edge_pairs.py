from itertools import combinations, product

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies.plane_body import plane_body_of
from firstcontact.narrowphase.plane.meeting_edges import ALONG
from firstcontact.proximity.plane.edge_pairs import meeting_edges
from oracles.plane import exactly, meet


def lines(rng, n, kind):
    points = rng.uniform(-1, 1, (n, 2)) if kind == "random" else rng.integers(-2, 3, (n, 2)) / 2.0
    return fc.Polyline(points * (1e-30 if kind == "tiny" else 1.0), [n - n // 3, n // 3])


@pytest.mark.parametrize("kind", ["random", "grid", "tiny"])
def test_all_pairs_of_edges_that_meet_are_listed_once(kind):
    rng = np.random.default_rng(3)
    for _ in range(6):
        a, b = lines(rng, 21, kind), lines(rng, 15, kind)
        ends = [[exactly(shape.vertices[edge]) for edge in shape.edges] for shape in (a, b)]
        found = meeting_edges(plane_body_of(a), plane_body_of(b))
        truth = [
            (i, j) for i, j in product(range(a.n_edges), range(b.n_edges)) if meet(*ends[0][i], *ends[1][j])
        ]
        assert list(map(tuple, found.ids.tolist())) == truth
        own = meeting_edges(plane_body_of(a), plane_body_of(a))
        pairs = combinations(range(a.n_edges), 2)
        assert list(map(tuple, own.ids.tolist())) == [
            (i, j) for i, j in pairs if meet(*ends[0][i], *ends[0][j])
        ]


def test_ends_of_what_is_shared():
    a = fc.Polyline([[0, 0], [4, 0]])
    b = fc.Polyline([[1, 0], [9, 0], [2, -1], [2, 1], [4, 0], [5, 5], [3, 0], [3, 0]], [2, 2, 2, 2])
    found = meeting_edges(plane_body_of(a), plane_body_of(b))
    assert found.ids[:, 1].tolist() == [0, 1, 2, 3]
    assert (found.how == ALONG).tolist() == [True, False, False, False]
    ends = [sorted(map(tuple, pair)) for pair in found.ends.tolist()]
    assert ends == [[(1, 0), (4, 0)], [(2, 0), (2, 0)], [(4, 0), (4, 0)], [(3, 0), (3, 0)]]


def test_nothing_meets_nothing():
    assert len(meeting_edges(plane_body_of(fc.Polyline([])), plane_body_of(fc.Polyline([[0, 0]]))).how) == 0
