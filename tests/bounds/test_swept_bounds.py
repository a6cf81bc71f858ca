"""Swept bounds against exact rational arithmetic, and what they promise about distances."""

import math
from fractions import Fraction

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcontact.bounds import swept_bounds as module
from firstcontact.bounds.directions import directions
from firstcontact.bounds.swept_bounds import swept_bounds, union_bounds, vertex_bounds

KS = (6, 14, 16, 18, 26)
LIMIT = 2.0**150

coordinates = st.one_of(
    st.floats(-LIMIT, LIMIT),
    st.floats(-2.0, 2.0),
    st.floats(-1e-300, 1e-300),
    st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 2.0**-1022, 1.0, 1.0 + 2.0**-52, -1.0, 0.1, LIMIT, -LIMIT]),
)
points = st.tuples(coordinates, coordinates, coordinates)
margins = st.one_of(st.just(0.0), st.floats(0.0, 10.0), st.sampled_from([5e-324, 1e-310, 1e-17, 1e40]))
ends = st.one_of(st.just(1.0), st.just(0.0), st.floats(0.0, 1.0))


def exact_projection(direction: np.ndarray, point: list[Fraction]) -> Fraction:
    return sum((int(d) * x for d, x in zip(direction, point, strict=True)), Fraction(0))


def exact_position(start: tuple, stop: tuple, time: float) -> list[Fraction]:
    t = Fraction(time)
    return [Fraction(a) + t * (Fraction(b) - Fraction(a)) for a, b in zip(start, stop, strict=True)]


def is_within(value: Fraction, wide: Fraction, square: int, low: float, high: float) -> bool:
    """Whether [low, high] holds value ± wide sqrt(square), without a root."""
    below, above = value - Fraction(low), Fraction(high) - value
    return min(below, above) >= 0 and min(below, above) ** 2 >= wide**2 * square


@given(st.sampled_from(KS), points, points, margins, ends)
def test_a_vertex_stays_within_its_bounds(k, start, stop, margin, end):
    bound = vertex_bounds(np.array([start]), np.array([stop]), k, margin, end)[0]
    for j, direction in enumerate(directions(k).vectors.T):
        for time in (0.0, end / 2, end):
            value = exact_projection(direction, exact_position(start, stop, time))
            square = int(direction @ direction)
            assert is_within(value, Fraction(margin), square, bound[j], bound[k // 2 + j])


@given(st.sampled_from(KS), points, points, margins, ends)
def test_bounds_are_not_wider_than_rounding_asks_for(k, start, stop, margin, end):
    bound = vertex_bounds(np.array([start]), np.array([stop]), k, margin, end)[0]
    for j, direction in enumerate(directions(k).vectors.T):
        values = [exact_projection(direction, exact_position(start, stop, time)) for time in (0.0, end)]
        length = Fraction(math.sqrt(direction @ direction))
        size = sum(abs(Fraction(x)) for x in start + stop) + length * Fraction(margin)
        slack = size / 2**48 + Fraction(1, 2**1000)
        assert Fraction(bound[j]) >= min(values) - length * Fraction(margin) - slack
        assert Fraction(bound[k // 2 + j]) <= max(values) + length * Fraction(margin) + slack


@given(points, points)
def test_boxes_are_exact_without_a_margin(start, stop):
    bound = vertex_bounds(np.array([start]), np.array([stop]))[0]
    assert np.array_equal(bound[:3], np.minimum(start, stop))
    assert np.array_equal(bound[3:], np.maximum(start, stop))


@given(points, points, ends)
def test_the_box_of_a_window_is_within_that_of_the_motion(start, stop, end):
    whole = vertex_bounds(np.array([start]), np.array([stop]))[0]
    window = vertex_bounds(np.array([start]), np.array([stop]), end=end)[0]
    assert np.all(window[:3] >= whole[:3])
    assert np.all(window[3:] <= whole[3:])


@pytest.mark.parametrize("k", KS)
def test_points_within_twice_the_margin_touch_along_every_direction(k):
    rng = np.random.default_rng(k)
    away = np.concatenate([directions(26).vectors.T, rng.standard_normal((100, 3))])
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    a = rng.uniform(-1.0, 1.0, away.shape)
    b = a + away * 0.2 * (1.0 - 1e-12)  # within, whatever these lines round
    bounds_a, bounds_b = vertex_bounds(a, a, k, 0.1), vertex_bounds(b, b, k, 0.1)
    assert np.all(bounds_a[:, : k // 2] <= bounds_b[:, k // 2 :])
    assert np.all(bounds_b[:, : k // 2] <= bounds_a[:, k // 2 :])


@pytest.mark.parametrize("k", KS)
@pytest.mark.parametrize("m", [1, 2, 3])
def test_bounds_of_primitives_are_the_unions_of_their_vertices(k, m):
    rng = np.random.default_rng(0)
    start, stop = rng.standard_normal((2, 50, 3))
    ids = rng.integers(0, 50, (80, m)).astype(np.int32)
    rows = vertex_bounds(start, stop, k, 0.01, 0.7)
    bounds = swept_bounds(start, stop, ids, k, 0.01, 0.7)
    assert np.array_equal(bounds[:, : k // 2], rows[ids, : k // 2].min(axis=1))
    assert np.array_equal(bounds[:, k // 2 :], rows[ids, k // 2 :].max(axis=1))


@pytest.mark.parametrize("k", KS)
def test_nothing_has_no_bounds(k):
    nothing = np.empty((0, 3))
    assert vertex_bounds(nothing, nothing, k).shape == (0, k)
    assert swept_bounds(np.zeros((1, 3)), np.ones((1, 3)), np.empty((0, 3), np.int32), k).shape == (0, k)


@pytest.mark.parametrize("k", [6, 18])
def test_the_number_of_threads_changes_nothing(k, monkeypatch):
    rng = np.random.default_rng(1)
    start, stop = rng.standard_normal((2, 30_000, 3))
    ids = rng.integers(0, len(start), (40_001, 3)).astype(np.int32)
    serial = swept_bounds(start, stop, ids, k, 0.1, 0.5)
    monkeypatch.setattr(module, "WORTH_A_THREAD", 1)
    n_threads = numba.get_num_threads()
    try:
        for n in range(1, n_threads + 1):
            numba.set_num_threads(n)
            assert swept_bounds(start, stop, ids, k, 0.1, 0.5).tobytes() == serial.tobytes()
    finally:
        numba.set_num_threads(n_threads)


def test_an_enormous_margin_holds_everything():
    bound = vertex_bounds(np.zeros((1, 3)), np.ones((1, 3)), 26, 1.7e308)[0]
    assert np.all(bound[:13] <= -1.7e308)
    assert np.all(bound[13:] >= 1.7e308)


def test_unions_of_given_rows():
    rows = np.array([[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [-1.0, 2.0, 2.0, 2.0, 9.0, 5.0]])
    assert union_bounds(rows, np.array([[0, 1]], np.int32)).tolist() == [[-1.0, 1.0, 2.0, 3.0, 9.0, 5.0]]
