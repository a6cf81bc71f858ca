from fractions import Fraction
from math import comb, isnan

import numpy as np
import pytest

from firstcontact.scalar.bernstein import (
    cubic_hodograph,
    cubic_value,
    monotone_slack,
    quadratic_blossom,
    restrict_cubic,
    split_at_extrema,
)

RNG = np.random.default_rng(1)
CUBICS = [tuple(b) for b in RNG.normal(size=(60, 4)).tolist()]
TIMES = [0.0, 0.125, 1.0 / 3.0, 0.5, 0.9, 1.0]


def exact_value(b, t):
    """Value of a polynomial in Bernstein form, of any degree, at an exact time."""
    t, n = Fraction(t), len(b) - 1
    return sum(comb(n, i) * t**i * (1 - t) ** (n - i) * Fraction(c) for i, c in enumerate(b))


def test_compiled_and_python_functions_agree():
    for b in CUBICS:
        d = cubic_hodograph(b)
        assert d == cubic_hodograph.py_func(b)
        assert split_at_extrema(b, 0.75) == split_at_extrema.py_func(b, 0.75)
        for t in TIMES:
            assert cubic_value(b, t) == cubic_value.py_func(b, t)
            assert restrict_cubic(b, t) == restrict_cubic.py_func(b, t)
            assert quadratic_blossom(d, t, 1.0) == quadratic_blossom.py_func(d, t, 1.0)
            for is_rising in (False, True):
                args = (b, 0.5 * t, t, is_rising)
                assert monotone_slack(*args) == monotone_slack.py_func(*args)


def test_values_are_right():
    for b in CUBICS:
        for t in TIMES:
            bound = 12 * Fraction(2) ** -53 * Fraction(max(map(abs, b)))
            assert abs(Fraction(cubic_value(b, t)) - exact_value(b, t)) <= bound


def test_values_are_exact_at_both_ends():
    for b in CUBICS:
        assert cubic_value(b, 0.0) == b[0]
        assert cubic_value(b, 1.0) == b[3]


def test_the_hodograph_is_a_third_of_the_derivative():
    # t**3 has the coefficients 0, 0, 0, 1, and a third of its derivative is t**2.
    d = cubic_hodograph((0.0, 0.0, 0.0, 1.0))
    assert [quadratic_blossom(d, t, t) for t in (0.0, 0.25, 0.5, 1.0)] == [0.0, 0.0625, 0.25, 1.0]


def test_the_blossom_gives_the_coefficients_on_a_part():
    d = (3.0, -5.0, 7.0)
    s, e = 0.25, 0.75
    on_part = [quadratic_blossom(d, *ends) for ends in ((s, s), (s, e), (e, e))]
    for t in (0.0, 0.5, 1.0):
        assert exact_value(on_part, t) == exact_value(d, s + (e - s) * t)


def test_a_restricted_cubic_is_the_same_cubic():
    b = (3.0, -5.0, 7.0, 2.0)
    for end in (0.0, 0.25, 0.5, 1.0):
        restricted = restrict_cubic(b, end)
        for t in (0.0, 0.25, 0.5, 1.0):
            assert exact_value(restricted, t) == exact_value(b, end * t)


def coefficients(p0, p1, p2, p3):
    """Bernstein form of p0 + p1 t + p2 t**2 + p3 t**3."""
    return p0, p0 + p1 / 3.0, p0 + 2.0 * p1 / 3.0 + p2 / 3.0, p0 + p1 + p2 + p3


@pytest.mark.parametrize(
    ("polynomial", "cuts"),
    [
        ((0.0, 0.1875, -1.0, 4.0 / 3.0), (0.125, 0.375)),  # derivative 4 (t - 1/8) (t - 3/8)
        ((0.0, -0.5, 1.0, 0.0), (0.25,)),  # a parabola: the other cut is anywhere
        ((0.0, 1.0, -1.5, 1.0), (0.5,)),  # no extrema: cut at the inflection
        ((1.0, 2.0, 0.0, 0.0), ()),  # a line: anywhere
        ((5.0, 0.0, 0.0, 0.0), ()),  # a constant: anywhere
        ((0.0, 0.0, 0.0, 0.0), ()),
    ],
)
def test_cubics_are_cut_at_their_extrema(polynomial, cuts):
    start, first, second, end = split_at_extrema(coefficients(*polynomial), 1.0)
    assert 0.0 == start <= first <= second <= end == 1.0
    for cut in cuts:
        assert min(abs(first - cut), abs(second - cut)) <= 1e-9


def test_cuts_are_ascending_numbers_whatever_the_coefficients():
    values = (0.0, 1.0, -1.0, 1e-300, 1e130, -1e130, 5e-324)
    for b in RNG.choice(values, (500, 4)).tolist():
        for end in (1.0, 0.3, 5e-324):
            cuts = split_at_extrema(tuple(b), end)
            assert not any(isnan(cut) for cut in cuts)
            assert 0.0 == cuts[0] <= cuts[1] <= cuts[2] <= cuts[3] == end


def test_cubics_hardly_run_back_between_their_cuts():
    for b in CUBICS:
        cuts = split_at_extrema(b, 1.0)
        for s, e in ((cuts[i], cuts[i + 1]) for i in range(3) if cuts[i] < cuts[i + 1]):
            is_rising = cubic_value(b, e) > cubic_value(b, s)
            assert monotone_slack(b, s, e, is_rising) <= 1e-12


def test_slack_is_zero_for_monotone_cubics_and_counts_in_one_direction():
    rising = (0.0, 1.0, 2.0, 3.0)
    assert monotone_slack(rising, 0.0, 1.0, True) == 0.0
    assert monotone_slack(rising, 0.25, 0.5, False) == 3.0


def test_slack_bounds_how_far_a_cubic_runs_back():
    for b in CUBICS:
        for s, e in np.sort(RNG.random((5, 2))):
            values = [exact_value(b, s + (e - s) * i / 20.0) for i in range(21)]
            deepest_fall = max(values[i] - min(values[i:]) for i in range(21))
            deepest_rise = max(max(values[i:]) - values[i] for i in range(21))
            assert deepest_fall <= monotone_slack(b, s, e, True) + 1e-14
            assert deepest_rise <= monotone_slack(b, s, e, False) + 1e-14
