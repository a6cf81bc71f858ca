from fractions import Fraction
from functools import reduce

from firstcontact.scalar.integer_polynomial import (
    add,
    derivative,
    greatest_common_divisor,
    homogeneous_value,
    multiply,
    primitive,
    scale,
    scaled_integers,
    square_free_part,
    subtract,
    trimmed,
)


def from_roots(*roots):
    """Polynomial with the given rational roots."""
    factors = [(-root.numerator, root.denominator) for root in map(Fraction, roots)]
    return reduce(multiply, factors, (1,))


def test_scaled_integers_have_one_power_of_two_in_common():
    values = [0.1, -3.0, 2.0**-1074, 1e300, 0.0, -0.0]
    integers = scaled_integers(values)
    assert [Fraction(i, 2**1074) for i in integers] == [Fraction(v) for v in values]


def test_scaled_integers_are_small_where_they_can_be():
    assert scaled_integers([1.0, -2.0, 7.0]) == [1, -2, 7]
    assert scaled_integers([]) == []


def test_arithmetic_of_polynomials():
    p, q = (1, 2, 3), (-1, 0, -3)
    assert add(p, q) == (0, 2)
    assert add(q, p) == (0, 2)
    assert subtract(p, p) == ()
    assert multiply(p, q) == (-1, -2, -6, -6, -9)
    assert multiply(p, ()) == ()
    assert scale(p, 0) == ()
    assert trimmed((0, 1, 0, 0)) == (0, 1)
    assert derivative((5, 1, 4, 2)) == (1, 8, 6)
    assert derivative((5,)) == ()
    assert primitive((6, -9, 0)) == (2, -3, 0)


def test_homogeneous_value_is_the_value_times_a_power_of_the_denominator():
    p = (3, -2, 0, 5)
    t = Fraction(-7, 12)
    assert Fraction(homogeneous_value(p, -7, 12), 12**3) == 3 - 2 * t + 5 * t**3
    assert homogeneous_value((), 1, 2) == 0


def test_greatest_common_divisor():
    common = from_roots(Fraction(1, 3), Fraction(2, 7))
    p, q = multiply(common, (4, 1, 9)), multiply(common, (-5, 2))
    assert greatest_common_divisor(scale(p, -6), q) in (common, scale(common, -1))
    assert greatest_common_divisor((1, 0, 1), (1, 1)) == (1,)
    assert greatest_common_divisor((), (2, 4)) == (1, 2)


def test_square_free_part_keeps_each_root_once():
    p = from_roots(Fraction(1, 3), Fraction(1, 3), Fraction(1, 3), Fraction(3, 4), Fraction(3, 4), 2)
    part = square_free_part(scale(p, 10))
    assert len(part) == 4
    for root in (Fraction(1, 3), Fraction(3, 4), Fraction(2)):
        assert homogeneous_value(part, root.numerator, root.denominator) == 0
    assert square_free_part((1, 2, 2)) == (1, 2, 2)
