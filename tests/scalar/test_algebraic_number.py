"""Real roots of integer polynomials, and signs at those roots."""

import math
import random
from fractions import Fraction
from functools import reduce
from itertools import pairwise

import pytest

from firstcontact.scalar.algebraic_number import (
    AlgebraicNumber,
    real_roots,
    roots_near,
    round_down,
    round_up,
)
from firstcontact.scalar.integer_polynomial import (
    add,
    derivative,
    homogeneous_value,
    multiply,
    scale,
    subtract,
)


def from_roots(*roots):
    """Polynomial with the given rational roots."""
    factors = [(-root.numerator, root.denominator) for root in map(Fraction, roots)]
    return reduce(multiply, factors, (1,))


def exact_brackets(polynomial, upper=1.0):
    return [root.bracket(0.0) for root in real_roots(polynomial, upper)]


def fractions_of(polynomial, upper=1.0):
    """Roots that are known as fractions after their brackets were taken."""
    roots = real_roots(polynomial, upper)
    for root in roots:
        root.bracket(0.0)
    return [Fraction(*root.fraction) if root.fraction else None for root in roots]


def assert_encloses(bracket, value):
    """Assert that neighbouring doubles, or one double twice, enclose a rational value."""
    lower, upper = bracket
    assert Fraction(lower) <= value <= Fraction(upper)
    assert upper in (lower, math.nextafter(lower, math.inf))
    if Fraction(float(value)) == value:
        assert lower == upper


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Fraction(1, 2), (0.5, 0.5)),
        (Fraction(0), (0.0, 0.0)),
        (Fraction(1, 3), (1 / 3, math.nextafter(1 / 3, 1.0))),
        (Fraction(1, 2**1080), (0.0, 5e-324)),
        (1 - Fraction(1, 2**90), (1 - 2.0**-53, 1.0)),
    ],
)
def test_rounding_is_outward(value, expected):
    down, up = (f(value.numerator, value.denominator) for f in (round_down, round_up))
    assert (down, up) == expected
    assert math.copysign(1.0, up) == 1.0


def test_no_roots():
    assert real_roots((1,)) == []
    assert real_roots((1, 0, 1)) == []
    assert real_roots((-3, 2)) == []
    assert real_roots((3, 2)) == []


@pytest.mark.parametrize("degree", range(1, 7))
def test_root_at_both_ends_of_the_interval(degree):
    p = from_roots(*[i % 2 for i in range(degree)])
    assert exact_brackets(p) == [(0.0, 0.0), (1.0, 1.0)][: min(degree, 2)]


def test_roots_at_the_upper_limit_are_inside_and_beyond_it_are_not():
    p = from_roots(0, Fraction(1, 4), Fraction(0.7))
    assert exact_brackets(p, 0.7) == [(0.0, 0.0), (0.25, 0.25), (0.7, 0.7)]
    assert exact_brackets(p, math.nextafter(0.7, 0.0)) == [(0.0, 0.0), (0.25, 0.25)]
    assert exact_brackets(p, 0.25) == [(0.0, 0.0), (0.25, 0.25)]
    assert exact_brackets(p, 0.0) == [(0.0, 0.0)]
    assert exact_brackets(from_roots(Fraction(1, 4)), 0.0) == []
    assert exact_brackets((-1, 0, 2), 0.7) == []  # 1 / sqrt(2) is 0.7071...


def test_irrational_root_has_neighbouring_doubles():
    ((lower, upper),) = exact_brackets((-1, 0, 2))
    assert Fraction(lower) ** 2 < Fraction(1, 2) < Fraction(upper) ** 2
    assert upper == math.nextafter(lower, 1.0)


def test_repeated_roots_are_reported_once():
    third, fifth = Fraction(1, 3), Fraction(1, 5)
    p = from_roots(third, third, fifth, fifth, fifth, 1)
    brackets = exact_brackets(p)
    assert len(brackets) == 3
    for bracket, value in zip(brackets, (fifth, third, Fraction(1)), strict=True):
        assert_encloses(bracket, value)


def test_repeated_irrational_roots_are_reported_once():
    square = multiply((-1, 0, 2), (-1, 0, 2))
    assert exact_brackets(multiply(square, (1, -2))) == [(0.5, 0.5), *exact_brackets((-1, 0, 2))]


def test_dyadic_roots_met_by_the_search_are_exact():
    roots = [Fraction(1, 4), Fraction(1, 2), Fraction(5, 8), Fraction(2, 3)]
    p = from_roots(*roots)
    for bracket, value in zip(exact_brackets(p), roots, strict=True):
        assert_encloses(bracket, value)


def test_close_roots_are_told_apart():
    first, second = Fraction(1, 3), Fraction(1, 3) + Fraction(1, 2**200)
    a, b = real_roots(from_roots(first, second, 3))
    assert (a.sign_of(from_roots(first)), b.sign_of(from_roots(first))) == (0, 1)
    assert (a.sign_of(from_roots(second)), b.sign_of(from_roots(second))) == (-1, 0)


def test_double_root_and_its_small_perturbations():
    square = multiply(from_roots(Fraction(1, 3)), from_roots(Fraction(1, 3)))
    tiny = 2**-300
    scaled = scale(square, int(1 / Fraction(tiny)))
    assert len(real_roots(scaled)) == 1
    assert len(real_roots(subtract(scaled, (1,)))) == 2
    assert real_roots(add(scaled, (1,))) == []


def test_tiny_roots_are_bracketed_to_neighbouring_doubles():
    value = Fraction(1, 3 * 2**1000)
    p = multiply(from_roots(value), (-2, 1, 3))
    assert_encloses(exact_brackets(p)[0], value)
    ((lower, upper),) = exact_brackets((-1, 0, 1 << 1001))  # 2^-500.5
    assert Fraction(lower) ** 2 < Fraction(1, 2**1001) < Fraction(upper) ** 2
    assert upper == math.nextafter(lower, 1.0)


def test_root_that_is_a_full_double_collapses_to_it():
    value = Fraction(0.1)
    p = multiply(from_roots(value), (7, 1, 3))
    assert fractions_of(p) == [value]
    assert exact_brackets(p) == [(0.1, 0.1)]


@pytest.mark.parametrize("tolerance", [1.0, 1e-3, 1e-9, 1e-15])
def test_bracket_is_within_the_tolerance(tolerance):
    (root,) = real_roots((-1, 1, 0, 5))
    lower, upper = root.bracket(tolerance)
    assert upper - lower <= tolerance
    exact_lower, exact_upper = root.bracket(0.0)
    assert lower <= exact_lower <= exact_upper <= upper


def test_sign_at_an_irrational_root():
    (root,) = real_roots((-1, 0, 2))
    assert root.sign_of(()) == 0
    assert root.sign_of((-3,)) == -1
    assert root.sign_of(multiply((-1, 0, 2), (5, 1))) == 0
    assert root.sign_of((-7, 10)) == 1
    assert root.sign_of((-8, 10)) == -1
    assert root.sign_of((-1, 3, 1, -4)) == 1  # t - 1/2, as t^2 = 1/2


def test_sign_needs_no_luck_when_it_is_very_small():
    (root,) = real_roots((-1, 0, 2))
    digits = math.isqrt(10**400 // 2)  # floor of 10^200 / sqrt(2)
    assert root.sign_of((-digits, 10**200)) == 1
    assert root.sign_of((-digits - 1, 10**200)) == -1


def test_sign_at_a_root_of_a_common_factor_of_higher_degree():
    shared = (-1, 1, 1, 1)
    (root,) = real_roots(multiply(shared, (-9, 1, 2)))
    assert root.sign_of(multiply(shared, (1, 1))) == 0
    assert root.sign_of(shared) == 0
    assert root.sign_of(derivative(shared)) == 1


def test_common_factor_with_another_root_is_not_a_zero():
    p = multiply((-1, 0, 2), (-1, 0, 3))  # 1 / sqrt(3), 1 / sqrt(2)
    a, b = real_roots(p)
    assert (a.sign_of((-1, 0, 2)), b.sign_of((-1, 0, 2))) == (-1, 0)
    assert (a.sign_of((-1, 0, 3)), b.sign_of((-1, 0, 3))) == (0, 1)


def test_fraction_gives_signs_without_refinement():
    third = AlgebraicNumber((-1, 3))
    third.refine()
    assert third.fraction == (1, 3)
    assert third.sign_of((-1, 0, 9)) == 0
    assert AlgebraicNumber((1, -3)).fraction == (1, 3)


@pytest.mark.parametrize("seed", range(40))
def test_random_products_of_rational_roots(seed):
    random_source = random.Random(seed)
    denominators = (1, 2, 3, 8, 10, 1 << 20, 997)
    roots = [
        Fraction(random_source.randint(-d, 2 * d), d)
        for d in random_source.choices(denominators, k=random_source.randint(1, 6))
    ]
    p = scale(from_roots(*roots), random_source.choice((-4, 1, 15)))
    expected = sorted({root for root in roots if 0 <= root <= 1})
    brackets = exact_brackets(p)
    assert len(brackets) == len(expected)
    for bracket, value in zip(brackets, expected, strict=True):
        assert_encloses(bracket, value)


@pytest.mark.parametrize("seed", range(40))
def test_random_polynomials_change_sign_at_their_roots_only(seed):
    random_source = random.Random(seed)
    p = (*[random_source.randint(-50, 50) for _ in range(random_source.randint(2, 6))], 7)
    brackets = exact_brackets(p)
    assert brackets == sorted(brackets)
    samples = [Fraction(i, 1024) for i in range(1025)]
    values = [homogeneous_value(p, t.numerator, t.denominator) for t in samples]
    for (t0, v0), (t1, v1) in pairwise(zip(samples, values, strict=True)):
        inside = [b for b in brackets if t0 <= Fraction(b[1]) and Fraction(b[0]) <= t1]
        assert inside or v0 * v1 > 0


@pytest.mark.parametrize("seed", range(60))
def test_roots_near_a_time_are_all_that_are_there(seed):
    rng = random.Random(seed)
    roots = [Fraction(rng.randint(0, 64), rng.choice([64, 61, 3])) for _ in range(rng.randint(1, 5))]
    polynomial = multiply(from_roots(*roots), (rng.randint(1, 9), 0, 1) if seed % 2 else (1,))
    if seed % 3 == 0:  # none of them a fraction
        polynomial = add(polynomial, (1,))
    wanted = exact_brackets(polynomial)
    middles = [low for low, _ in wanted] + [rng.random(), 0.0, 1.0]
    for middle in middles:
        width = 2.0 ** -rng.randint(0, 52)
        lower, upper = max(middle - width, 0.0), min(middle + width, 1.0)
        found = [root.bracket(0.0) for root in roots_near(polynomial, lower, upper)]
        assert found == sorted(found)
        assert set(found) <= set(wanted)
        assert {(low, high) for low, high in wanted if lower <= low and high <= upper} <= set(found)
