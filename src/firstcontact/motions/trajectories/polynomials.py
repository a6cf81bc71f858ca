"""Polynomials of a vector in pieces between times: values, derivatives, and bounds of the second one.

Coefficients (d + 1, c) are of powers of the time since the piece began, from the lowest on. Around a time m a
derivative is the sum of the higher ones there times powers of (t - m) over factorials; so is its bound.
"""

from math import sqrt

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF

UP, DOWN = 1.0 + 2.0**-46, 1.0 - 2.0**-45

# Rounding of a value by Horner's rule, in units of the degree and of the magnitudes of all terms.
OF_A_TERM = 4.0 * UNIT_ROUNDOFF

# Columns of what is known of a piece: bounds of |p''| over it; how far p, and p', jump where it begins, and
# these added up from the first piece on.
BEND, JUMPS, KINKS = 0, 1, 2
N_KNOWN = 3


@kernel
def piece_at(breaks: Array, t: float) -> int:
    """Number of the piece that a time is in; of two that meet, the later one."""
    low, high = 0, len(breaks) - 2
    while low < high:
        middle = (low + high + 1) // 2
        if breaks[middle] <= t:
            low = middle
        else:
            high = middle - 1
    return low


@kernel
def derivative(coefficients: Array, order: int, c: int, x: float) -> tuple[float, float]:
    """Give a derivative of one component at a time x since the piece began, and a bound of its rounding."""
    value, size = 0.0, 0.0
    for k in range(len(coefficients) - 1, order - 1, -1):
        factor = coefficients[k, c]
        for j in range(order):
            factor *= k - j
        value, size = value * x + factor, size * abs(x) + abs(factor)
    return value, OF_A_TERM * len(coefficients) * size


@kernel
def length_of(coefficients: Array, order: int, x: float) -> float:
    """Bound the length of a derivative at a time."""
    most = 0.0
    for c in range(coefficients.shape[1]):
        value, error = derivative(coefficients, order, c, x)
        most = most + (abs(value) + error) * (abs(value) + error)
    length: float = sqrt(most) * UP
    return length


@kernel
def length_around(coefficients: Array, order: int, x: float, away: float) -> float:
    """Bound the length of a derivative at all times that are not farther from x."""
    total, power = 0.0, 1.0
    for k in range(order, len(coefficients)):
        if k > order:
            power *= away / (k - order)
        total += length_of(coefficients, k, x) * power
    return total * UP


@kernel
def component_around(coefficients: Array, order: int, c: int, x: float, away: float) -> float:
    """Bound the magnitude of one component of a derivative at all times that are not farther from x."""
    total, power = 0.0, 1.0
    for k in range(order, len(coefficients)):
        if k > order:
            power *= away / (k - order)
        value, error = derivative(coefficients, k, c, x)
        total += (abs(value) + error) * power
    return total * UP


@kernel
def jump_between(before: Array, here: Array, order: int, length: float) -> float:
    """Bound how far a derivative jumps from the end of one piece to the start of the next."""
    total = 0.0
    for c in range(before.shape[1]):
        one, error = derivative(before, order, c, length)
        other, more = derivative(here, order, c, 0.0)
        apart = abs(one - other) + error + more
        total += apart * apart
    jump: float = sqrt(total) * UP
    return jump


@kernel
def over_pieces(known: Array, first: int, last: int) -> tuple[float, float, float]:
    """Bound |p''| in pieces, and the jumps of p and p' between them."""
    bend = 0.0
    for k in range(first, last + 1):
        bend = max(bend, known[k, BEND])
    jumps = known[last, JUMPS] - known[first, JUMPS] * DOWN
    kinks = known[last, KINKS] - known[first, KINKS] * DOWN
    return bend, jumps, kinks
