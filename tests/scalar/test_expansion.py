from fractions import Fraction
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from firstcontact.scalar.double_double import two_sum
from firstcontact.scalar.expansion import (
    CAPACITY,
    COUNT,
    FACTORS,
    TOTAL,
    add_determinant,
    add_product,
    add_triple_product,
    determinant_sign,
    exact_blend,
    factor,
    grow,
    set_factor,
    total_sign,
)

RNG = np.random.default_rng(3)

# Small integers, and doubles of very different size: sums of them cancel, or have many terms, or both.
DOUBLES = st.one_of(
    st.integers(-4, 4).map(float),
    st.builds(lambda m, e: m * 2.0**e, st.integers(-(2**53), 2**53), st.integers(-200, 90)),
)
PAIRS = st.builds(two_sum, DOUBLES, DOUBLES)


def exact(x):
    """Value of a double, or of a sum of doubles."""
    return Fraction(x) if isinstance(x, float) else sum(map(Fraction, x))


def sign(value):
    return (value > 0) - (value < 0)


def lowest_bit(x):
    numerator, denominator = x.as_integer_ratio()
    return Fraction(numerator & -numerator, denominator)


def empty_room(n_factors=0):
    room = np.full(FACTORS + 2 * n_factors, np.nan)
    room[COUNT] = 0.0
    return room


def check_total(room, value):
    """The terms add up to the value, in order of magnitude, none zero, none overlapping."""
    terms = room[TOTAL : TOTAL + int(room[COUNT])].tolist()
    assert exact(terms) == value
    assert all(terms)
    assert all(abs(a) < lowest_bit(b) for a, b in pairwise(terms))
    assert total_sign(room) == sign(value)


@given(st.lists(DOUBLES, max_size=20))
def test_a_total_is_exact(values):
    room = empty_room()
    for i, value in enumerate(values):
        grow(room, value)
        check_total(room, exact(values[: i + 1]))
    for value in values:
        grow(room, -value)
    assert room[COUNT] == 0.0


@given(PAIRS, PAIRS, PAIRS, PAIRS)
def test_products_of_factors_are_exact(x, y, z, w):
    room = empty_room()
    add_product(room, x, y)
    check_total(room, exact(x) * exact(y))
    add_triple_product(room, x, y, z)
    check_total(room, exact(x) * exact(y) * (1 + exact(z)))
    add_determinant(room, x, y, z, w)
    check_total(room, exact(x) * exact(y) * (2 + exact(z)) - exact(z) * exact(w))


@given(PAIRS, PAIRS, PAIRS, PAIRS)
def test_sign_of_a_determinant(a, b, c, d):
    room = empty_room()
    assert determinant_sign(room, a, b, c, d) == sign(exact(a) * exact(b) - exact(c) * exact(d))
    assert determinant_sign(room, a, b, b, a) == 0
    assert determinant_sign(room, a, b, (-a[0], -a[1]), b) == sign(exact(a)) * sign(exact(b))


def test_sign_of_a_determinant_one_bit_from_zero():
    room = empty_room()
    for a, b in RNG.uniform(1.0, 2.0, (200, 2)).tolist():
        beside = np.nextafter(b, 3.0).item()
        args = (a, 0.0), (b, 0.0), (2.0 * a, 0.0)
        assert determinant_sign(room, *args, (0.5 * b, 0.0)) == 0
        assert determinant_sign(room, *args, (0.5 * beside, 0.0)) == -1
        assert determinant_sign(room, (a, 0.0), (beside, 0.0), args[2], (0.5 * b, 0.0)) == 1


def test_a_determinant_of_full_factors_fits():
    room = empty_room(1)
    set_factor(room, 0, (3.0, 2.0**-60))
    for exponents in RNG.integers(-100, 100, (50, 18)):
        factors = [two_sum(2.0**k * (1.0 + 2.0**-52), 2.0 ** (k - 60) * 1.75) for k in exponents.tolist()]
        room[COUNT] = 0.0
        products = [factors[i : i + 3] for i in range(0, 18, 3)]
        for x, y, z in products:
            add_triple_product(room, x, y, z)
        assert room[COUNT] <= CAPACITY
        check_total(room, sum(exact(x) * exact(y) * exact(z) for x, y, z in products))
    assert factor(room, 0) == (3.0, 2.0**-60)


@given(PAIRS, PAIRS, st.integers(0, 2**53).map(lambda m: m * 2.0**-53))
def test_a_blend_is_exact_or_says_that_it_is_not(a, b, t):
    blend, is_exact = exact_blend(a, b, t)
    if is_exact:
        assert exact(blend) == (1 - exact(t)) * exact(a) + exact(t) * exact(b)
        assert blend == two_sum(*blend)


def test_blends_of_few_digits_are_exact():
    for a, b in RNG.uniform(-1000.0, 1000.0, (200, 2)).tolist():
        for t in (0.0, 1.0, 0.5, 1234567 / 2**32, 1.0 - 2.0**-33):
            blend, is_exact = exact_blend((a, 0.0), (b, 0.0), t)
            assert is_exact
            assert exact(blend) == (1 - exact(t)) * exact(a) + exact(t) * exact(b)


@given(PAIRS, PAIRS, PAIRS)
def test_python_and_machine_code_agree(x, y, z):
    room, other = empty_room(), empty_room()
    add_triple_product(room, x, y, z)
    add_triple_product.py_func(other, x, y, z)
    n = TOTAL + int(room[COUNT])
    assert room[:n].tolist() == other[:n].tolist()
    assert exact_blend(x, y, 0.75) == exact_blend.py_func(x, y, 0.75)
