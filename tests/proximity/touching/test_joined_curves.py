"""Segments joined to curves."""

import itertools

import numpy as np

from firstcontact.proximity.touching.joined_curves import joined_curves


def segments(*pairs):
    return np.array([[[i, 0.0, 0], [j, 0.0, 0]] for i, j in pairs], float).reshape(-1, 2, 3)


def ends(curves):
    return sorted((curve[0, 0], curve[-1, 0], len(curve)) for curve in curves)


def test_a_line_a_loop_and_nothing():
    assert ends(joined_curves(segments((1, 2), (3, 2), (3, 4)))) == [(1.0, 4.0, 4)]
    loop = joined_curves(segments((1, 2), (2, 3), (1, 3)))
    assert len(loop) == 1
    assert np.array_equal(loop[0][0], loop[0][-1])
    assert len(loop[0]) == 4
    assert joined_curves(segments()) == []
    assert joined_curves(segments((1, 1))) == []


def test_curves_end_at_forks():
    assert ends(joined_curves(segments((0, 1), (1, 2), (1, 3)))) == [
        (0.0, 1.0, 2),
        (1.0, 2.0, 2),
        (1.0, 3.0, 2),
    ]


def test_a_segment_twice_is_one():
    assert ends(joined_curves(segments((0, 1), (1, 0)))) == [(0.0, 1.0, 2)]


def test_every_segment_is_walked_once():
    rng = np.random.default_rng(5)
    pairs = {tuple(sorted(p)) for p in rng.integers(0, 12, (30, 2)).tolist() if p[0] != p[1]}
    walked = [
        tuple(sorted((int(p[0]), int(q[0]))))
        for curve in joined_curves(segments(*pairs))
        for p, q in itertools.pairwise(curve)
    ]
    assert sorted(walked) == sorted(pairs)
