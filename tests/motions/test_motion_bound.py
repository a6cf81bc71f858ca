"""Bounds of travel hold for every point and at every time, and gaps last as long as they are said to."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcontact.motions.motion_bound import (
    FOREVER,
    Travel,
    distance_from_axis,
    farthest_shadow,
    lasting_time,
    straight_time,
    turning_travel,
)
from firstcontact.scalar.error_bounds import SHORTEST

small = st.floats(-3.0, 3.0)
vectors = st.tuples(small, small, small)
directions = vectors.filter(lambda v: math.hypot(*v) > 1e-2)
rates = st.one_of(st.floats(0.0, 10.0), st.floats(0.0, 1e-9), st.floats(10.0, 1e4))
speeds = st.one_of(
    st.floats(-1e3, 1e3), st.floats(-1e-9, 1e-9), st.sampled_from([0.0, 5e-324, -5e-324, 1e-160])
)
sizes = st.one_of(st.floats(0.0, 1e3), st.floats(0.0, 1e-9), st.sampled_from([0.0, 5e-324, 1e-160, 1e40]))


def as_unit(v):
    return np.array(v) / math.hypot(*v)


@given(st.lists(vectors, min_size=1, max_size=4), directions, directions, rates)
def test_no_point_of_a_set_travels_farther(points, normal, axis, rate):
    n, axis = as_unit(normal), as_unit(axis)
    points = np.array(points)
    c = np.cross(n, axis)
    farthest = max(distance_from_axis(tuple(p), tuple(axis)) for p in points.tolist())
    travel = turning_travel(float((points @ c).max()), float(np.linalg.norm(c)), rate, farthest)
    ever = max(farthest_shadow(tuple(p), tuple(n.tolist()), tuple(axis.tolist())) for p in points.tolist())
    across, inward = np.cross(axis, points), np.cross(axis, np.cross(axis, points))
    for s in (1e-9, 1e-3, 0.1, 0.5, 1.0):
        angle = rate * s
        gains = (math.sin(angle) * across + 2.0 * math.sin(0.5 * angle) ** 2 * inward) @ n
        gained = gains.max()
        assert gained <= min(s * travel.now + s * s * travel.bend, s * travel.most) + 1e-14 * (1.0 + rate)
        assert (points @ n + gains).max() <= ever + 1e-14


@pytest.mark.parametrize("angle", [1e-3, 0.1, 0.5])
def test_the_bounds_are_reached(angle):
    """By points of a turn about z, seen along x: no smaller bound would hold."""
    gained = 1.0 - math.cos(angle)  # from (-1, 0, 0), where the motion along x begins
    turned = turning_travel(0.0, 1.0, angle, 1.0)
    assert turned.now + turned.bend == pytest.approx(gained, rel=0.1 * angle**2)
    assert turned.now + turned.bend >= gained
    gained = math.sin(angle)  # from (0, -1, 0), which moves along x at once
    turned = turning_travel(1.0, 1.0, angle, 1.0)
    assert turned.now == turned.most == angle
    assert gained <= turned.now < gained + angle**3


@given(vectors, directions)
def test_the_distance_from_an_axis(point, axis):
    axis = as_unit(axis)
    rest = np.array(point) - (np.array(point) @ axis) * axis
    assert distance_from_axis(point, tuple(axis.tolist())) == pytest.approx(np.linalg.norm(rest), abs=1e-14)


def bound(travel, s):
    """The smaller of both bounds, exactly."""
    s = Fraction(s)
    return min(s * Fraction(travel.now) + s * s * Fraction(travel.bend), s * Fraction(travel.most))


# What is left of a distance when a margin is taken away is none, or as large as the margin's last digit.
gaps = sizes.map(lambda gap: gap if gap >= SHORTEST * 2.0**-53 else 0.0)


@given(gaps, speeds, sizes, sizes)
def test_a_gap_lasts(gap, now, more, bend):
    travel = Travel(now, now + more, bend)
    time = lasting_time(gap, travel)
    assert time >= 0.0
    # A motion is over at 1. Not only at the end: a bound that bends back has been larger before. Where
    # squares underflow, what is missing is far less than any margin.
    for part in (1.0, 0.75, 0.5, 0.1):
        allowed = Fraction(gap) * (1 + Fraction(2) ** -45) + Fraction(SHORTEST)
        assert gap == time == 0.0 or bound(travel, part * min(time, 1.0)) <= allowed


# Squares of these do not underflow.
ordinary = st.just(0.0) | st.floats(1e-99, 1e3)


@given(st.floats(1e-9, 1e3), ordinary | ordinary.map(lambda x: -x), st.floats(1e-6, 1e3), ordinary)
def test_it_is_not_given_up_early(gap, now, more, bend):
    travel = Travel(now, now + more, bend)
    time = lasting_time(gap, travel)
    assert time == FOREVER or bound(travel, time * (1.0 + 1e-9)) >= Fraction(gap) * (1 - Fraction(1, 10**6))


def test_what_does_not_come_nearer_never_arrives():
    assert lasting_time(1.0, Travel(-1.0, -0.5, 3.0)) == FOREVER
    assert lasting_time(1.0, Travel(-1.0, 0.0, 3.0)) == FOREVER
    assert lasting_time(1.0, Travel(0.0, 0.0, 0.0)) == FOREVER
    assert lasting_time(1.0, Travel(-1.0, 2.0, 0.0)) == FOREVER
    assert lasting_time(5e-324, Travel(0.0, 0.0, 0.0)) == FOREVER


def test_a_straight_way_takes_its_time():
    assert straight_time(1.0, 4.0) == pytest.approx(0.25, rel=1e-14)
    assert straight_time(1.0, 4.0) < 0.25
    assert straight_time(1.0, 0.0) == straight_time(1e-300, -1.0) == FOREVER


def test_the_farthest_shadow_is_reached():
    # A point at x = 2, z = 5 that turns about z.
    for n, farthest in (((1.0, 0.0, 0.0), 2.0), ((0.0, -1.0, 0.0), 2.0), ((0.0, 0.0, 1.0), 5.0)):
        assert farthest_shadow((2.0, 0.0, 5.0), n, (0.0, 0.0, 1.0)) == pytest.approx(farthest, rel=1e-13)


def test_no_gap_does_not_last():
    for gap in (0.0, -1.0, math.nan):
        assert straight_time(gap, 1.0) == straight_time(gap, -1.0) == 0.0
        assert lasting_time(gap, Travel(-1.0, -1.0, 0.0)) == 0.0


def test_steps_of_a_straight_approach_are_exact_but_for_rounding():
    assert lasting_time(1.0, Travel(4.0, 4.0, 0.0)) == pytest.approx(0.25, rel=1e-14)
    assert lasting_time(1.0, Travel(4.0, 4.0, 0.0)) < 0.25


def test_compiled_and_python_functions_agree():
    rng = np.random.default_rng(1)
    for gap, now, more, bend in rng.uniform(0.0, 2.0, (50, 4)).tolist():
        travel = Travel(now - 1.0, now - 1.0 + more, bend)
        assert lasting_time(gap, travel) == lasting_time.py_func(gap, travel)
        assert turning_travel(gap, now, more, bend) == turning_travel.py_func(gap, now, more, bend)
