"""Triangles without an area, in rational numbers; all others are compared with it in test_crossing.py."""

import numpy as np

from firstcontact.narrowphase.triangles.crossing import EDGE, FACE, N_FEATURES
from firstcontact.narrowphase.triangles.crossing_exact import common_points_exactly

FLAT = [[0.0, 0, 0], [4, 0, 0], [0, 4, 0]]


def named(a, b):
    return sorted(common_points_exactly(np.array([a, b], float)))


def test_a_needle_through_a_face():
    needle = [[1, 1, -1], [1, 1, 1], [1, 1, 0.5]]
    assert named(FLAT, needle) == [N_FEATURES * FACE + EDGE]


def test_a_point():
    assert named(FLAT, [[1, 1, 0]] * 3) == [N_FEATURES * FACE]
    assert named(FLAT, [[4, 0, 0]] * 3) == [N_FEATURES]
    assert named(FLAT, [[1, 1, 1]] * 3) == []
    assert len(named([[1, 1, 0]] * 3, [[1, 1, 0]] * 3)) == 1


def test_of_points_on_a_line_the_outermost_are_told():
    along = [[-1, 0, 0], [9, 0, 0], [2, 0, 0]]
    assert named(FLAT, along) == [EDGE, N_FEATURES + EDGE]


def test_denormals():
    tiny = 5e-324
    up = np.array([[1, 1, 0], [1, 2, 3], [2, 1, 3]]) * tiny
    assert named(np.array(FLAT) * tiny, up) == [N_FEATURES * FACE]
    assert named(np.array(FLAT) * tiny, np.add(up, [0, 0, tiny])) == []
