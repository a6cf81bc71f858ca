"""From the time within a step to that of the whole motion, rounded to the safe side."""

import numpy as np

from firstcontact.arrays import Array
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF

# Splits a double into halves whose products are exact.
SPLITTER = 2.0**27 + 1.0

# What is left of a sum of four small terms by rounding, in units of their magnitudes.
LEFT = 8.0 * UNIT_ROUNDOFF


def times_below(start: float, end: float, parts: Array) -> Array:
    """Times that are not later than the given parts, in [0, 1], of a step from start to end.

    They are exact where a double is, and else its neighbour before; infinite for parts that are.
    """
    times, is_over, _ = _rounded(start, end, parts)
    return _kept(start, end, parts, np.where(is_over, np.nextafter(times, -np.inf), times))


def times_above(start: float, end: float, parts: Array) -> Array:
    """Times that are not earlier than the given parts of a step."""
    times, _, is_under = _rounded(start, end, parts)
    return _kept(start, end, parts, np.where(is_under, np.nextafter(times, np.inf), times))


def _rounded(start: float, end: float, parts: Array) -> tuple[Array, Array, Array]:
    """Rounded times, and whether each may be later, or earlier, than the true one."""
    parts = np.where(np.isfinite(parts), parts, 0.0)
    span, lost_span = _two_sum(np.array(end), np.array(-start))
    way, lost_way = _two_product(parts, span)
    times, lost_time = _two_sum(np.array(start), way)
    terms = np.stack([lost_time, lost_way, parts * lost_span])
    left, unsure = terms.sum(axis=0), LEFT * np.abs(terms).sum(axis=0)
    return times, left < unsure, left > -unsure


def _kept(start: float, end: float, parts: Array, times: Array) -> Array:
    """Times within the step; its ends are exact."""
    inside = np.where(parts == 0.0, start, np.where(parts == 1.0, end, np.clip(times, start, end)))
    return np.where(np.isfinite(parts), inside, np.inf)


def _two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """Give a sum, and what it lost to rounding (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _two_product(a: Array, b: Array) -> tuple[Array, Array]:
    """Give a product, and what it lost to rounding (Dekker)."""
    product = a * b
    high_a, high_b = (SPLITTER * x - (SPLITTER * x - x) for x in (a, b))
    low_a, low_b = a - high_a, b - high_b
    lost: Array = low_a * low_b - (((product - high_a * high_b) - low_a * high_b) - high_a * low_b)
    return product, lost
