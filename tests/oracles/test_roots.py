"""Root isolation and signs at roots, on polynomials with known roots."""

from fractions import Fraction

import pytest

from oracles.polynomials import add, multiply, sign_at, sturm_chain
from oracles.roots import Root, double_between, from_ordinal, ordinal, roots_in_unit_interval


def with_roots(*roots):
    product = (1,)
    for root in roots:
        ratio = Fraction(root)
        product = multiply(product, (-ratio.numerator, ratio.denominator))
    return product


@pytest.mark.parametrize(
    "roots",
    [
        [Fraction(1, 3)],
        [Fraction(1, 3), Fraction(2, 3), 1],
        [Fraction(1, 2), Fraction(1, 2), Fraction(3, 4)],
        [Fraction(1, 7), Fraction(1, 7), Fraction(1, 7), Fraction(1, 7)],
        [Fraction(1, 3), Fraction(1, 3) + Fraction(1, 2**80)],
        [Fraction(1, 2**1000), Fraction(1, 2**1001)],
        [Fraction(1, 2**1080), Fraction(1, 2**1090)],  # below the least double
        [Fraction(1, 2), Fraction(1, 2) + Fraction(1, 2**1070)],
        [Fraction(1, 3), Fraction(1, 3) - Fraction(1, 2**1500)],
    ],
)
def test_known_roots_are_enclosed(roots):
    found = [root.bracket() for root in roots_in_unit_interval(with_roots(*roots))]
    assert len(found) == len(set(roots))
    for (low, high), root in zip(found, sorted(set(roots)), strict=True):
        assert low <= root <= high
        assert ordinal(high) - ordinal(low) == (0 if root == float(root) else 1)


def test_roots_outside_the_unit_interval_are_left_out():
    assert roots_in_unit_interval(with_roots(0, -1, 2, Fraction(1001, 1000))) == []
    assert roots_in_unit_interval((1, 0, 1)) == []
    assert roots_in_unit_interval((5,)) == []


def test_sign_at_an_irrational_root():
    (root,) = roots_in_unit_interval((-1, 0, 2))  # t = sqrt(1/2)
    assert root.sign_of(multiply((-1, 0, 2), (1, 3))) == 0
    assert root.sign_of((-7, 10)) == 1
    assert root.sign_of((-71, 100)) == -1
    # Continued fractions of sqrt(1/2), too close for doubles: the signs alternate.
    numerator, denominator = 1, 1
    for step in range(80):
        assert root.sign_of((-numerator, denominator)) == (-1 if step % 2 == 0 else 1)
        numerator, denominator = numerator + denominator, 2 * numerator + denominator


def test_sign_at_a_known_root():
    root = Root.known(0.25)
    assert [root.sign_of(p) for p in ((-1, 4), (1, 4), (-2, 4), (), (-3,))] == [0, 1, -1, 0, -1]


def test_chain_starts_with_the_square_free_part():
    head = sturm_chain(with_roots(Fraction(1, 3), Fraction(1, 3), Fraction(1, 5)))[0]
    assert len(head) == 3
    assert sign_at(head, Fraction(1, 3)) == sign_at(head, Fraction(1, 5)) == 0


def test_polynomials_are_trimmed():
    assert add((1, 2), (-1, -2)) == ()
    assert add((1, 2, 3), (0, 0, -3)) == (1, 2)


def test_doubles_in_order():
    assert from_ordinal(ordinal(0.75)) == 0.75
    assert double_between(0.0, 5e-324) is None
    assert 0.0 < double_between(0.0, 1.0) < 1.0
    assert double_between(0.5, Fraction(1, 2) + Fraction(1, 2**60)) is None
