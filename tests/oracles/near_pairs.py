"""All pairs of points within a radius, by whole numbers: a double is one, in units of a power of two."""

from fractions import Fraction

import numpy as np

# Doubles that are 0 or at least 2**-400 in magnitude are multiples of this.
UNIT_BITS = 460


def exact_pairs(points, others, radius):
    """Pairs (i, j) at most the radius apart; without `others` of a set with itself, both ways."""
    a = whole(points)
    b = a if others is None else whole(others)
    square = int(Fraction(radius) * 2**UNIT_BITS) ** 2
    if len(a) == 0 or len(b) == 0:
        return np.empty((0, 2), int)
    is_near = ((a[:, None] - b[None]) ** 2).sum(axis=2) <= square
    if others is None:
        np.fill_diagonal(is_near, False)
    return np.argwhere(is_near)


def whole(points):
    """Coordinates as Python's integers, which have no end."""
    rows = [[int(Fraction(float(x)) * 2**UNIT_BITS) for x in row] for row in points]
    return np.array(rows, dtype=object).reshape(-1, 3)
