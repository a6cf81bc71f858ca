"""Vectors of integers or fractions: exact, since neither have bounds."""

from fractions import Fraction

Rational = int | Fraction
ExactVector = tuple[Rational, ...]


def exact_sub(p: ExactVector, q: ExactVector) -> ExactVector:
    """Return p - q."""
    return tuple(x - y for x, y in zip(p, q, strict=True))


def exact_cross(p: ExactVector, q: ExactVector) -> ExactVector:
    """Return the cross product of two vectors of three."""
    return p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]


def exact_dot(p: ExactVector, q: ExactVector) -> Rational:
    """Return the inner product of two vectors of three."""
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
