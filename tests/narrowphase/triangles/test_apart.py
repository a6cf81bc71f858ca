"""Triangles that are said to be apart have no common point; most that have none are."""

import numpy as np

from firstcontact.narrowphase.triangles.apart import are_apart
from oracles.triangle_distance import triangle_distance_squared


def test_apart_is_never_said_of_triangles_that_meet():
    rng = np.random.default_rng(0)
    one, other = rng.normal(size=(2, 300, 3, 3))
    other[::7] = one[::7] + np.array([0, 0, 1e-3])
    other[1::7, 0] = one[1::7].mean(axis=1)  # a corner on the other
    other[2::7, :2] = one[2::7, 1:]  # a common side
    found = are_apart(one, other)
    truth = np.array([float(triangle_distance_squared(a, b)) ** 0.5 for a, b in zip(one, other, strict=True)])
    assert not found[truth < 1e-12].any()
    assert found[truth > 1e-9].all()
    assert 50 < np.count_nonzero(found) < 250


def test_points_segments_and_planes():
    flat = np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]])
    assert are_apart(flat, flat + np.array([2, 0, 0])).all()
    assert are_apart(flat, flat + np.array([0.9, 0.9, 0])).all()
    assert not are_apart(flat, flat + np.array([1, 0, 0])).any()
    point = np.full((1, 3, 3), 0.25)
    assert are_apart(flat, point).all()
    assert not are_apart(flat, point * [1, 1, 0]).any()
    assert are_apart(np.empty((0, 3, 3)), np.empty((0, 3, 3))).shape == (0,)
