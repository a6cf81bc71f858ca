from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from firstcontact.scalar.double_double import (
    dd_add,
    dd_det2,
    dd_mean,
    dd_mul,
    dd_neg,
    dd_sub,
    fast_two_sum,
    split,
    two_product,
    two_sum,
)

U = Fraction(2) ** -53
RNG = np.random.default_rng(1)


def doubles(n):
    """Doubles of very different size, some of few bits, some next to a power of two, of both signs."""
    values = RNG.uniform(-1.0, 1.0, n) * 2.0 ** RNG.integers(-60, 60, n)
    powers = 2.0 ** RNG.integers(-60, 60, n)
    few_bits = np.ldexp(RNG.integers(-8, 9, n), RNG.integers(-60, 60, n))
    beside = np.nextafter(powers, RNG.choice([0.0, np.inf], n))
    return np.choose(RNG.integers(0, 4, n), [values, powers, few_bits, beside]).tolist()


def double_doubles(n):
    """Pairs without overlap: the second part at most half a unit in the last place of the first."""
    highs = np.repeat(doubles(n), 2)
    highs[1::2] *= RNG.choice([-1.0, 1.0, 2.0], n)  # every other one nearly cancels the one before it
    lows = RNG.choice([0.5, 0.499, 0.25, 0.1, 1e-9, 0.0], 2 * n) * RNG.uniform(-1.0, 1.0, 2 * n)
    return [
        two_sum(high, low)
        for high, low in zip(highs.tolist(), (lows * np.spacing(highs)).tolist(), strict=True)
    ]


def exact(a):
    return Fraction(a[0]) + Fraction(a[1])


NUMBERS = doubles(400)
PAIRS = double_doubles(200)


@pytest.mark.parametrize("kernel", [two_sum, two_product])
def test_sums_and_products_of_doubles_are_exact(kernel):
    for a, b in pairwise(NUMBERS):
        result = kernel(a, b)
        assert result == kernel.py_func(a, b)
        value = Fraction(a) + Fraction(b) if kernel is two_sum else Fraction(a) * Fraction(b)
        assert exact(result) == value
        assert result[0] == float(value)


def test_the_fast_sum_is_exact_for_the_larger_number_first():
    for a, b in pairwise(NUMBERS):
        large, small = (a, b) if abs(a) >= abs(b) else (b, a)
        assert fast_two_sum(large, small) == fast_two_sum.py_func(large, small) == two_sum(large, small)


def test_halves_of_a_double_are_exact_and_short():
    for a in NUMBERS:
        high, low = split(a)
        assert (high, low) == split.py_func(a)
        assert Fraction(high) + Fraction(low) == Fraction(a)
        assert Fraction(high) * Fraction(high) == Fraction(high * high)
        assert Fraction(low) * Fraction(low) == Fraction(low * low)


def relative_errors(kernel, operation, bound):
    for a, b in pairwise(PAIRS):
        result = kernel(a, b)
        assert result == kernel.py_func(a, b)
        assert result[0] + result[1] == result[0]
        value = operation(exact(a), exact(b))
        assert abs(exact(result) - value) <= bound * abs(value), (a, b)


def test_sums_are_right_to_three_squared_roundings():
    # The proven bound is 3 u**2 + 13 u**3.
    relative_errors(dd_add, lambda a, b: a + b, 3 * U**2 + 13 * U**3)


def test_differences_are_right_to_three_squared_roundings():
    relative_errors(dd_sub, lambda a, b: a - b, 3 * U**2 + 13 * U**3)


def test_products_are_right_to_five_squared_roundings():
    relative_errors(dd_mul, lambda a, b: a * b, 5 * U**2)


def test_means_are_right_to_three_squared_roundings():
    relative_errors(dd_mean, lambda a, b: (a + b) / 2, 3 * U**2 + 13 * U**3)


def test_a_number_minus_itself_is_zero():
    for a in PAIRS:
        assert dd_add(a, dd_neg(a)) == dd_sub(a, a) == (0.0, 0.0)
        assert dd_neg(a) == dd_neg.py_func(a)


def test_determinants_are_right_to_fourteen_squared_roundings_of_their_terms():
    for a, b, c, d in zip(PAIRS[:-3], PAIRS[1:-2], PAIRS[2:-1], PAIRS[3:], strict=True):
        result = dd_det2(a, b, c, d)
        assert result == dd_det2.py_func(a, b, c, d)
        first, second = exact(a) * exact(b), exact(c) * exact(d)
        bound = 14 * U**2 * max(abs(first), abs(second)) + 3 * U**2 * abs(first - second)
        assert abs(exact(result) - (first - second)) <= bound


def test_sums_are_exact_where_numbers_underflow():
    tiny = 5e-324
    for a, b in ((tiny, -tiny), (3 * tiny, 2.0**-1000), (2.0**-1022, -tiny)):
        assert exact(two_sum(a, b)) == Fraction(a) + Fraction(b)
