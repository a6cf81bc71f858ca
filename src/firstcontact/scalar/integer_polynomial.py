"""Polynomials with integer coefficients: exact, since Python's integers have no bounds.

A polynomial is a tuple of integers in ascending order, ``(c0, c1, ..., cn)``, with ``cn != 0``; the zero
polynomial is ``()``.
"""

import math
from collections.abc import Sequence

Polynomial = tuple[int, ...]


def scaled_integers(values: Sequence[float]) -> list[int]:
    """Multiply finite doubles by the least common power of two that makes them all integers; exact.

    Examples
    --------
    >>> scaled_integers([0.5, -0.75, 3.0])
    [2, -3, 12]
    >>> scaled_integers([0.0, 5e-324])
    [0, 1]
    """
    ratios = [value.as_integer_ratio() for value in values]
    scale = max([denominator for _, denominator in ratios], default=1)
    return [numerator * (scale // denominator) for numerator, denominator in ratios]


def trimmed(coefficients: Sequence[int]) -> Polynomial:
    """Make a polynomial of coefficients whose highest ones may be zero."""
    n = len(coefficients)
    while n and not coefficients[n - 1]:
        n -= 1
    return tuple(coefficients[:n])


def add(p: Polynomial, q: Polynomial) -> Polynomial:
    """Sum of two polynomials."""
    if len(p) < len(q):
        p, q = q, p
    return trimmed([a + b for a, b in zip(p, q, strict=False)] + list(p[len(q) :]))


def subtract(p: Polynomial, q: Polynomial) -> Polynomial:
    """Difference of two polynomials."""
    return add(p, scale(q, -1))


def scale(p: Polynomial, factor: int) -> Polynomial:
    """Polynomial times an integer."""
    return tuple([factor * c for c in p]) if factor else ()


def multiply(p: Polynomial, q: Polynomial) -> Polynomial:
    """Product of two polynomials."""
    if not p or not q:
        return ()
    product = [0] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q, i):
            product[j] += a * b
    return tuple(product)


def derivative(p: Polynomial) -> Polynomial:
    """Differentiate a polynomial."""
    return tuple([i * c for i, c in enumerate(p)][1:])


def homogeneous_value(p: Polynomial, numerator: int, denominator: int) -> int:
    """Value at numerator / denominator, times denominator ** degree; 0 for the zero polynomial."""
    value = 0
    power = 1
    for c in reversed(p):
        value = value * numerator + c * power
        power *= denominator
    return value


def primitive(p: Polynomial) -> Polynomial:
    """Divide a polynomial by the greatest common divisor of its coefficients."""
    content = math.gcd(*p)
    return tuple([c // content for c in p]) if content > 1 else p


def greatest_common_divisor(p: Polynomial, q: Polynomial) -> Polynomial:
    """Primitive greatest common divisor over the rationals, up to its sign.

    Examples
    --------
    >>> greatest_common_divisor((-2, 0, 2), (3, -6, 3))  # 2 (t - 1) (t + 1) and 3 (t - 1)^2
    (-1, 1)
    """
    p, q = primitive(p), primitive(q)
    while q:
        p, q = q, primitive(_pseudo_remainder(p, q))
    return p if not p or p[-1] > 0 else scale(p, -1)


def square_free_part(p: Polynomial) -> Polynomial:
    """Polynomial with the same roots, each of them simple."""
    common = greatest_common_divisor(p, derivative(p))
    return p if len(common) < 2 else quotient(primitive(p), common)


def _pseudo_remainder(p: Polynomial, q: Polynomial) -> Polynomial:
    """Remainder of p by q, times a power of the leading coefficient of q that keeps it an integer."""
    remainder = p
    while len(remainder) >= len(q):
        offset = len(remainder) - len(q)
        head, lead = remainder[-1], q[-1]
        scaled = [lead * c for c in remainder]
        for i, c in enumerate(q, offset):
            scaled[i] -= head * c
        remainder = trimmed(scaled)
    return remainder


def quotient(p: Polynomial, divisor: Polynomial) -> Polynomial:
    """Quotient by a primitive polynomial that divides p; an integer polynomial, by Gauss's lemma."""
    rest = list(p)
    n = len(divisor) - 1
    result = [0] * (len(p) - n)
    for k in reversed(range(len(result))):
        result[k] = rest[k + n] // divisor[-1]
        for i, c in enumerate(divisor, k):
            rest[i] -= result[k] * c
    return tuple(result)
