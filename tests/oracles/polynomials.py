"""Polynomials with integer coefficients, as tuples, lowest degree first; the zero polynomial is ``()``."""

from itertools import zip_longest
from math import comb, gcd, lcm


def trimmed(coefficients):
    """Drop the leading zeros."""
    end = len(coefficients)
    while end and coefficients[end - 1] == 0:
        end -= 1
    return tuple(coefficients[:end])


def add(p, q):
    return trimmed([a + b for a, b in zip_longest(p, q, fillvalue=0)])


def subtract(p, q):
    return trimmed([a - b for a, b in zip_longest(p, q, fillvalue=0)])


def multiply(p, q):
    if not p or not q:
        return ()
    product = [0] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            product[i + j] += a * b
    return tuple(product)


def scaled(p, factor):
    return trimmed([factor * a for a in p])


def derivative(p):
    return tuple(i * a for i, a in enumerate(p))[1:]


def primitive(p):
    """Divide by the greatest common divisor of the coefficients: same signs everywhere, smaller numbers."""
    content = gcd(*p)
    return tuple(a // content for a in p) if content > 1 else p


def sign_at(p, value):
    """Sign of p at a float or a Fraction.

    The denominator is positive, so p(num / den) * den**degree has the same sign and is an integer.
    """
    if not p:
        return 0
    total = _homogeneous(p, *value.as_integer_ratio())
    return (total > 0) - (total < 0)


def negated_remainder(p, q):
    """A positive multiple of -(p mod q): the step of a Sturm chain.

    Each round multiplies by the square of q's leading coefficient over the missing factor, which is
    positive, so that signs are kept.
    """
    remainder, lead, size = list(p), q[-1], len(q)
    factor, direction = abs(lead), 1 if lead > 0 else -1
    while len(remainder) >= size:
        top = remainder[-1] * direction
        shift = len(remainder) - size
        remainder = [factor * a for a in remainder]
        for i, b in enumerate(q):
            remainder[shift + i] -= top * b
        remainder = list(trimmed(remainder))
    return primitive(tuple(-a for a in remainder))


def greatest_common_divisor(p, q):
    while q:
        p, q = q, negated_remainder(p, q)
    return primitive(p)


def exact_quotient(p, q):
    """A positive or negative multiple of p / q, where q divides p over the rationals."""
    remainder, quotient = list(p), [0] * (len(p) - len(q) + 1)
    lead = q[-1]
    for shift in reversed(range(len(quotient))):
        remainder = [lead * a for a in remainder]
        quotient = [lead * a for a in quotient]
        quotient[shift] = remainder[shift + len(q) - 1] // lead
        for i, b in enumerate(q):
            remainder[shift + i] -= quotient[shift] * b
    return primitive(tuple(quotient))


def sturm_chain(p):
    """Sturm's chain of the square-free part of p: p has the same distinct real roots as the chain's head."""
    chain = _remainder_chain(primitive(p))
    if len(chain[-1]) > 1:
        chain = _remainder_chain(exact_quotient(chain[0], chain[-1]))
    return chain


def _remainder_chain(p):
    chain, following = [p], derivative(p)
    while following:
        chain.append(following)
        following = negated_remainder(chain[-2], chain[-1])
    return chain


def sign_changes(chain, value):
    """Sturm: changes at a minus changes at b is the number of distinct roots in (a, b]."""
    changes, previous = 0, 0
    for p in chain:
        sign = sign_at(p, value)
        if sign and sign == -previous:
            changes += 1
        previous = sign or previous
    return changes


def _bernstein_rows(degree):
    """Integer rows that turn coefficients into positive multiples of Bernstein coefficients on [0, 1]."""
    rows = []
    for j in range(degree + 1):
        scale = lcm(*(comb(degree, i) for i in range(j + 1)))
        rows.append([scale * comb(j, i) // comb(degree, i) for i in range(j + 1)])
    return rows


_BERNSTEIN = [_bernstein_rows(degree) for degree in range(13)]


def has_no_root_in_unit_interval(p):
    """True only if p has one strict sign on [0, 1]; p lies in the hull of its Bernstein coefficients."""
    first = p[0]
    if first == 0:
        return False
    for row in _BERNSTEIN[len(p) - 1]:
        value = sum([a * b for a, b in zip(row, p, strict=False)])
        if value == 0 or (value > 0) != (first > 0):
            return False
    return True


def enclosing_sign(p, low, high):
    """Sign of p on all of [low, high] with 0 <= low, or None where this simple enclosure cannot tell.

    The positive and the negative coefficients make two polynomials that grow with t.
    """
    positive = tuple(max(a, 0) for a in p)
    negative = tuple(max(-a, 0) for a in p)
    if _compare(positive, low, negative, high) > 0:
        return 1
    if _compare(negative, low, positive, high) > 0:
        return -1
    return None


def _compare(p, x, q, y):
    """Sign of p(x) - q(y)."""
    numerator_x, denominator_x = x.as_integer_ratio()
    numerator_y, denominator_y = y.as_integer_ratio()
    left = _homogeneous(p, numerator_x, denominator_x) * denominator_y ** (len(q) - 1)
    right = _homogeneous(q, numerator_y, denominator_y) * denominator_x ** (len(p) - 1)
    return (left > right) - (left < right)


def _homogeneous(p, numerator, denominator):
    total, power = p[-1], 1
    for coefficient in reversed(p[:-1]):
        power *= denominator
        total = total * numerator + coefficient * power
    return total
