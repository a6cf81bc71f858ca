"""Intervals of floats, rounded outwards: of numbers in them, the true result is in the one computed.

An operation rounded to nearest is off by at most u of its result, and by 2**-1075 where it underflows. Each
end is moved outwards by 4 u of itself and 2**-1060: that covers its rounding, and that of being moved. What
overflows, or is no number, becomes the whole line. (The course's structures leave rounding out: its line
2818.) The machine's sines, exponentials and their like are taken to be right to 4 u, as elsewhere here.
"""

from math import asin, atan, ceil, cos, exp, floor, log, pi, sin, sqrt

import numpy as np

from firstcontact._jit import kernel
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF

Interval = tuple[float, float]

WIDER = 4.0 * UNIT_ROUNDOFF
TINY = 2.0**-1060

# The same for functions of the machine's library.
FUNCTION_WIDER = 8.0 * UNIT_ROUNDOFF

# Multiples of pi that a sine's argument is counted in are off by this part of themselves, and so much.
COUNTED = 2.0**-48

# Angles beyond this, a million turns, have lost the digits that tell their sine: it is anything.
LARGEST_ANGLE = 2.0**23

WHOLE_LINE = (-np.inf, np.inf)


@kernel
def outward(low: float, high: float) -> Interval:
    """Move both ends, each rounded to nearest, outwards."""
    lower, upper = low - (WIDER * abs(low) + TINY), high + (WIDER * abs(high) + TINY)
    if not (lower > -np.inf and upper < np.inf):
        return -np.inf if not lower > -np.inf else lower, np.inf if not upper < np.inf else upper
    return lower, upper


@kernel
def add_intervals(a: Interval, b: Interval) -> Interval:
    """Bound a + b."""
    return outward(a[0] + b[0], a[1] + b[1])


@kernel
def sub_intervals(a: Interval, b: Interval) -> Interval:
    """Bound a - b."""
    return outward(a[0] - b[1], a[1] - b[0])


@kernel
def mul_intervals(a: Interval, b: Interval) -> Interval:
    """Bound a b; nothing times anything is nothing."""
    if (a[0] == 0.0 and a[1] == 0.0) or (b[0] == 0.0 and b[1] == 0.0):
        return 0.0, 0.0
    p, q, r, s = a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]
    if p != p or q != q or r != r or s != s:
        return WHOLE_LINE
    return outward(min(min(p, q), min(r, s)), max(max(p, q), max(r, s)))


@kernel
def reciprocal_interval(a: Interval) -> Interval:
    """Bound 1 / a: the whole line where a may be 0."""
    if a[0] > 0.0 or a[1] < 0.0:
        return outward(1.0 / a[1], 1.0 / a[0])
    return WHOLE_LINE


@kernel
def square_interval(a: Interval) -> Interval:
    """Bound a a."""
    small, large = min(abs(a[0]), abs(a[1])), max(abs(a[0]), abs(a[1]))
    low = 0.0 if a[0] <= 0.0 <= a[1] else small * small
    lower, upper = outward(low, large * large)
    return max(lower, 0.0), upper


@kernel
def sqrt_interval(a: Interval) -> Interval:
    """Bound the square root of what of a is not negative."""
    lower, upper = outward(sqrt(max(a[0], 0.0)), sqrt(max(a[1], 0.0)))
    return max(lower, 0.0), upper


@kernel
def _function(low: float, high: float) -> Interval:
    """Move values of the library's functions outwards."""
    return outward(low - FUNCTION_WIDER * abs(low), high + FUNCTION_WIDER * abs(high))


@kernel
def exp_interval(a: Interval) -> Interval:
    """Bound the exponential."""
    lower, upper = _function(exp(a[0]), exp(a[1]))
    return max(lower, 0.0), upper


@kernel
def log_interval(a: Interval) -> Interval:
    """Bound the logarithm: the whole line where a may be 0 or less."""
    if not a[0] > 0.0:
        return WHOLE_LINE
    return _function(log(a[0]), log(a[1]))


@kernel
def arctan_interval(a: Interval) -> Interval:
    """Bound the arc tangent."""
    return _function(atan(a[0]), atan(a[1]))


@kernel
def arcsin_interval(a: Interval) -> Interval:
    """Bound the arc sine of what of a is in [-1, 1]."""
    return _function(asin(min(max(a[0], -1.0), 1.0)), asin(min(max(a[1], -1.0), 1.0)))


@kernel
def cos_interval(a: Interval) -> Interval:
    """Bound the cosine: between its values at both ends, and what it has at multiples of pi between."""
    if not (a[0] > -LARGEST_ANGLE and a[1] < LARGEST_ANGLE):
        return -1.0, 1.0
    return _cosine(a, 0.0)


@kernel
def sin_interval(a: Interval) -> Interval:
    """Bound the sine."""
    if not (a[0] > -LARGEST_ANGLE and a[1] < LARGEST_ANGLE):
        return -1.0, 1.0
    return _cosine(a, 0.5)


@kernel
def _cosine(a: Interval, shift: float) -> Interval:
    """Bound the cosine, or with a shift of half a turn's half the sine."""
    one, other = (cos(a[0]), cos(a[1])) if shift == 0.0 else (sin(a[0]), sin(a[1]))
    low, high = _function(min(one, other), max(one, other))
    # Multiples of pi, counted generously: one beside the interval has a value that differs by its square.
    first = ceil(a[0] / pi - shift - COUNTED * (1.0 + abs(a[0])))
    last = floor(a[1] / pi - shift + COUNTED * (1.0 + abs(a[1])))
    if first <= last:
        is_even = first % 2 == 0
        if is_even or first < last:
            high = 1.0
        if not is_even or first < last:
            low = -1.0
    return max(low, -1.0), min(high, 1.0)


@kernel
def magnitude(a: Interval) -> float:
    """Return the largest magnitude in an interval."""
    return max(abs(a[0]), abs(a[1]))


@kernel
def middle_and_radius(a: Interval) -> tuple[float, float]:
    """Return a float near the middle of an interval, and how far from it the numbers in it are, at most."""
    middle = 0.5 * a[0] + 0.5 * a[1]
    radius = max(a[1] - middle, middle - a[0])
    return middle, radius + (WIDER * radius + TINY)
