"""Formulas over stretches of time: bounds of their values, and of their first and second derivatives.

A jet is six numbers: an interval for the value, one for the derivative and one for the second. Each operation
takes jets to a jet by the rules of calculus, in intervals rounded outwards; so what comes out holds at every
time of the stretch, and for a stretch of no length it is what the formula has there, to rounding.
"""

from math import cos, sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.formula_codes import Operation
from firstcontact.scalar.interval import (
    WHOLE_LINE,
    Interval,
    add_intervals,
    arcsin_interval,
    arctan_interval,
    cos_interval,
    exp_interval,
    log_interval,
    mul_intervals,
    outward,
    reciprocal_interval,
    sin_interval,
    sqrt_interval,
    square_interval,
    sub_intervals,
)

# Columns of a jet: lower and upper ends.
VALUE, FIRST, SECOND = 0, 2, 4
N_JET = 6

TIME, CONSTANT, ADD, SUBTRACT, MULTIPLY = (
    int(Operation.TIME),
    int(Operation.CONSTANT),
    int(Operation.ADD),
    int(Operation.SUBTRACT),
    int(Operation.MULTIPLY),
)
RECIPROCAL, SQUARE, SQRT, SIN, COS = (
    int(Operation.RECIPROCAL),
    int(Operation.SQUARE),
    int(Operation.SQRT),
    int(Operation.SIN),
    int(Operation.COS),
)
EXP, LOG, ARCTAN, ARCSIN, ABS = (
    int(Operation.EXP),
    int(Operation.LOG),
    int(Operation.ARCTAN),
    int(Operation.ARCSIN),
    int(Operation.ABS),
)
COS_ROOT, SINC_ROOT = int(Operation.COS_ROOT), int(Operation.SINC_ROOT)

# Terms of the series of sin(x) / x, in x^2 below 1, that leave less than a rounding, and the rounding of its
# value and its derivatives, however they are computed.
N_TERMS = 11
ROOT_ROUNDING = 32.0 * UNIT_ROUNDOFF

NOTHING = (0.0, 0.0)
ONE = (1.0, 1.0)


class Tape(NamedTuple):
    """A formula for compiled code: operations in the order in which they are carried out.

    codes, left, right : (k,) int32, an `Operation` and the places of what it is carried out on
    constants : (k,)
    """

    codes: NDArray[np.int32]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    constants: Array


@kernel
def interval_at(jets: Array, i: int, column: int) -> Interval:
    """One of the three intervals of a jet."""
    return jets[i, column], jets[i, column + 1]


@kernel
def write_jets(tape: Tape, start: float, end: float, jets: Array) -> None:
    """Carry out a formula over a stretch of time, into (k, N_JET)."""
    for i in range(len(tape.codes)):
        code = tape.codes[i]
        if code == TIME:
            _write(jets, i, (start, end), ONE, NOTHING)
        elif code == CONSTANT:
            _write(jets, i, (tape.constants[i], tape.constants[i]), NOTHING, NOTHING)
        elif code == ADD:
            _write_sum(jets, i, tape.left[i], tape.right[i])
        elif code == SUBTRACT:
            _write_difference(jets, i, tape.left[i], tape.right[i])
        elif code == MULTIPLY:
            _write_product(jets, i, tape.left[i], tape.right[i])
        else:
            _write_function(jets, i, code, tape.left[i])


@kernel
def _write(jets: Array, i: int, value: Interval, first: Interval, second: Interval) -> None:
    jets[i, VALUE], jets[i, VALUE + 1] = value
    jets[i, FIRST], jets[i, FIRST + 1] = first
    jets[i, SECOND], jets[i, SECOND + 1] = second


@kernel
def _write_sum(jets: Array, i: int, a: int, b: int) -> None:
    value = add_intervals(interval_at(jets, a, VALUE), interval_at(jets, b, VALUE))
    first = add_intervals(interval_at(jets, a, FIRST), interval_at(jets, b, FIRST))
    second = add_intervals(interval_at(jets, a, SECOND), interval_at(jets, b, SECOND))
    _write(jets, i, value, first, second)


@kernel
def _write_difference(jets: Array, i: int, a: int, b: int) -> None:
    value = sub_intervals(interval_at(jets, a, VALUE), interval_at(jets, b, VALUE))
    first = sub_intervals(interval_at(jets, a, FIRST), interval_at(jets, b, FIRST))
    second = sub_intervals(interval_at(jets, a, SECOND), interval_at(jets, b, SECOND))
    _write(jets, i, value, first, second)


@kernel
def _write_product(jets: Array, i: int, a: int, b: int) -> None:
    """(x y)' = x' y + x y', (x y)'' = x'' y + 2 x' y' + x y''."""
    x, x1, x2 = interval_at(jets, a, VALUE), interval_at(jets, a, FIRST), interval_at(jets, a, SECOND)
    y, y1, y2 = interval_at(jets, b, VALUE), interval_at(jets, b, FIRST), interval_at(jets, b, SECOND)
    cross = mul_intervals(x1, y1)
    second = add_intervals(mul_intervals(x2, y), mul_intervals(x, y2))
    second = add_intervals(second, (2.0 * cross[0], 2.0 * cross[1]))
    first = add_intervals(mul_intervals(x1, y), mul_intervals(x, y1))
    _write(jets, i, mul_intervals(x, y), first, second)


@kernel
def _write_function(jets: Array, i: int, code: int, a: int) -> None:
    """g(x)' = g'(x) x', g(x)'' = g''(x) x'^2 + g'(x) x''."""
    x, x1, x2 = interval_at(jets, a, VALUE), interval_at(jets, a, FIRST), interval_at(jets, a, SECOND)
    value, slope, bend = derivatives(code, x)
    first = mul_intervals(slope, x1)
    second = add_intervals(mul_intervals(bend, square_interval(x1)), mul_intervals(slope, x2))
    _write(jets, i, value, first, second)


@kernel
def derivatives(code: int, x: Interval) -> tuple[Interval, Interval, Interval]:
    """Bound a function of one number, its derivative and its second."""
    if code == SIN:
        value, slope = sin_interval(x), cos_interval(x)
        return value, slope, (-value[1], -value[0])
    if code == COS:
        value, slope = cos_interval(x), sin_interval(x)
        return value, (-slope[1], -slope[0]), (-value[1], -value[0])
    if code == SQUARE:
        return square_interval(x), (2.0 * x[0], 2.0 * x[1]), (2.0, 2.0)
    if code == EXP:
        value = exp_interval(x)
        return value, value, value
    if code in (COS_ROOT, SINC_ROOT):
        return _of_a_root(code, x)
    if code in (ARCTAN, ARCSIN):
        return _arc(code, x)
    if code == ABS:
        return _absolute(x)
    return _of_what_is_not_0(code, x)


@kernel
def _of_what_is_not_0(code: int, x: Interval) -> tuple[Interval, Interval, Interval]:
    """1 / x, its root and its logarithm."""
    part = reciprocal_interval(x)
    if code == RECIPROCAL:
        square = square_interval(part)
        cube = mul_intervals(part, square)
        return part, (-square[1], -square[0]), (2.0 * cube[0], 2.0 * cube[1])
    if code == LOG:
        square = square_interval(part)
        return log_interval(x), part if x[0] > 0.0 else WHOLE_LINE, (-square[1], -square[0])
    root = sqrt_interval(x)
    if not x[0] > 0.0:
        return root, WHOLE_LINE, WHOLE_LINE
    slope = reciprocal_interval(root)
    half = 0.5 * slope[0], 0.5 * slope[1]
    bend = mul_intervals(half, part)
    return root, half, (-0.5 * bend[1], -0.5 * bend[0])


@kernel
def _arc(code: int, x: Interval) -> tuple[Interval, Interval, Interval]:
    """The arc tangent, with 1 / (1 + x^2); the arc sine, with (1 - x^2)^(-1/2)."""
    square = square_interval(x)
    if code == ARCTAN:
        slope = reciprocal_interval(add_intervals(ONE, square))
        bend = mul_intervals(mul_intervals(x, slope), slope)
        return arctan_interval(x), slope, (-2.0 * bend[1], -2.0 * bend[0])
    left = sub_intervals(ONE, square)
    if not left[0] > 0.0:
        return arcsin_interval(x), WHOLE_LINE, WHOLE_LINE
    slope = reciprocal_interval(sqrt_interval(left))
    bend = mul_intervals(mul_intervals(x, slope), reciprocal_interval(left))
    return arcsin_interval(x), slope, bend


@kernel
def _absolute(x: Interval) -> tuple[Interval, Interval, Interval]:
    if x[0] > 0.0:
        return x, ONE, NOTHING
    if x[1] < 0.0:
        return (-x[1], -x[0]), (-1.0, -1.0), NOTHING
    return (0.0, max(-x[0], x[1])), (-1.0, 1.0), WHOLE_LINE


@kernel
def _of_a_root(code: int, x: Interval) -> tuple[Interval, Interval, Interval]:
    """cos(r) and sin(r) / r of a root r of x, which is not negative.

    S(x) = sin(r) / r is the mean of cos(v r) over v in [0, 1]. So |S| <= 1, |S'| <= 1 / 6, |S''| <= 1 / 60
    and |S'''| <= 1 / 840: each is at most its value in the middle, and half the width times the next.
    The cosine has the derivatives -S / 2 and -S' / 2.
    """
    low, high = max(x[0], 0.0), max(x[1], 0.0)
    middle, width = 0.5 * low + 0.5 * high, high - low
    half = 0.5 * width * (1.0 + ROOT_ROUNDING)
    if not width < np.inf:
        middle, half = 1.0, np.inf
    value, slope, bend = _sinc(middle)
    error = ROOT_ROUNDING * (1.0 + sqrt(middle))
    by_value, by_slope, by_bend = error + half / 6.0, error + half / 60.0, error + half / 840.0
    sinc = _within(value, by_value, 1.0)
    first, second = _within(slope, by_slope, 1.0 / 6.0), _within(bend, by_bend, 1.0 / 60.0)
    if code == SINC_ROOT:
        return sinc, first, second
    cosine = cos_interval(sqrt_interval((low, high)))
    return cosine, (-0.5 * sinc[1], -0.5 * sinc[0]), (-0.5 * first[1], -0.5 * first[0])


@kernel
def _within(middle: float, radius: float, most: float) -> Interval:
    low, high = outward(middle - radius, middle + radius)
    limit = most * (1.0 + ROOT_ROUNDING)
    return max(low, -limit), min(high, limit)


@kernel
def _sinc(x: float) -> tuple[float, float, float]:
    """S(x) = sin(r) / r of the root r of x, and its first two derivatives, each to `ROOT_ROUNDING`."""
    if x >= 1.0:
        r = sqrt(x)
        value = sin(r) / r
        slope = (cos(r) - value) / (2.0 * x)
        return value, slope, (-0.5 * value - 3.0 * slope) / (2.0 * x)
    # The series: S = sum of (-x)^k / (2 k + 1)!, from its last term on.
    value, slope, bend, factor = 0.0, 0.0, 0.0, 1.0
    for k in range(1, N_TERMS + 1):
        factor /= -(2.0 * k) * (2.0 * k + 1.0)
    for k in range(N_TERMS, -1, -1):
        if k >= 2:
            bend = bend * x + k * (k - 1.0) * factor
        if k >= 1:
            slope = slope * x + k * factor
        value = value * x + factor
        factor *= -(2.0 * k) * (2.0 * k + 1.0)
    return value, slope, bend
