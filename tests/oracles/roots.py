"""Real roots in [0, 1] of integer polynomials, and signs of other polynomials at them."""

import struct
from fractions import Fraction
from math import nextafter

from oracles.polynomials import (
    enclosing_sign,
    greatest_common_divisor,
    has_no_root_in_unit_interval,
    sign_at,
    sign_changes,
    sturm_chain,
)


class Root:
    """One real root: its value where that is known, else the only root of p in the open (low, high)."""

    def __init__(self, p, low, high):
        self.p = p
        self.low = low
        self.high = high
        self.sign_high = sign_at(p, high)
        self.value = high if self.sign_high == 0 else None

    @classmethod
    def known(cls, value):
        """The root of a linear polynomial at a given float or Fraction."""
        numerator, denominator = value.as_integer_ratio()
        return cls((-numerator, denominator), value, value)

    def split(self, value):
        """Halve the interval. Only the sign at `high` is used: p may vanish at `low`, never in between."""
        sign = sign_at(self.p, value)
        if sign == 0:
            self.value = value
        elif sign == self.sign_high:
            self.high = value
        else:
            self.low = value

    def bracket(self):
        """Consecutive doubles around the root; twice the same where the root is a double."""
        self._jump_to_estimate()
        while self.value is None:
            middle = double_between(self.low, self.high)
            if middle is None:
                return double_below(self.low), double_above(self.high)
            self.split(middle)
        return double_below(self.value), double_above(self.value)

    def sign_of(self, q):
        """Exact sign of q at the root."""
        if not q or len(q) == 1:
            return sign_at(q, 0)
        while self.value is None:
            sign = enclosing_sign(q, self.low, self.high)
            if sign is not None:
                return sign
            if self._is_root_of(q):
                return 0
            for _ in range(16):
                self._halve()
        return sign_at(q, self.value)

    def _is_root_of(self, q):
        """A common factor is square-free and has no root in [low, high] but this one: look for a change."""
        common = greatest_common_divisor(self.p, q)
        if len(common) < 2:
            return False
        while self.value is None and sign_at(self.p, self.low) == 0:
            self._halve()
        if self.value is not None:
            return sign_at(q, self.value) == 0
        return sign_at(common, self.low) != sign_at(common, self.high)

    def _halve(self):
        if self.value is None:
            self.split(midpoint(self.low, self.high))

    def _jump_to_estimate(self):
        """Save most of 60 bisections: split on both sides of a bisected float estimate. Never decides."""
        if self.value is not None or double_between(self.low, self.high) is None:
            return
        shift = max(0, max(abs(a) for a in self.p).bit_length() - 900)
        coefficients = [float(a >> shift) for a in reversed(self.p)]
        estimate = _float_bisection(coefficients, float(self.low), float(self.high), self.sign_high)
        for reach in (2, 64):
            for place in (ordinal(estimate) - reach, ordinal(estimate) + reach):
                if self.value is None and ordinal(self.low) < place < ordinal(self.high):
                    self.split(from_ordinal(place))


def roots_in_unit_interval(p):
    """All distinct roots of a non-zero p in (0, 1], ascending. A root at 0 is left to the caller."""
    if len(p) < 2 or has_no_root_in_unit_interval(p):
        return []
    if len(p) == 2:
        return _linear_root(p)
    chain = sturm_chain(p)
    return _isolate(chain, (0.0, sign_changes(chain, 0.0)), (1.0, sign_changes(chain, 1.0)))


def _linear_root(p):
    value = Fraction(-p[0], p[1])
    if not 0 < value <= 1:
        return []
    return [Root.known(value)]


def _isolate(chain, low, high):
    """Split until each interval (low, high] holds one root; both ends come with their sign changes."""
    found, waiting = [], [(low, high)]
    while waiting:
        low, high = waiting.pop()
        count = low[1] - high[1]
        if count == 1:
            found.append(Root(chain[0], low[0], high[0]))
        elif count > 1:
            middle = split_point(low[0], high[0])
            middle = (middle, sign_changes(chain, middle))
            waiting += [(middle, high), (low, middle)]
    return found


def _float_bisection(coefficients, low, high, sign_high):
    for _ in range(60):
        middle = 0.5 * (low + high)
        total = 0.0
        for coefficient in coefficients:
            total = total * middle + coefficient
        if (total > 0.0) == (sign_high > 0):
            high = middle
        else:
            low = middle
    return 0.5 * (low + high)


def split_point(low, high):
    """The midpoint, or, among small numbers of very different size, the halfway double, if there is one."""
    between = double_between(low, high) if 2**16 * low < high < 2.0**-16 else None
    return midpoint(low, high) if between is None else between


def midpoint(low, high):
    """A rational midpoint; a float where it is exact."""
    middle = (Fraction(low) + Fraction(high)) / 2
    nearest = float(middle)
    return nearest if middle == nearest else middle


def ordinal(value):
    """Position among the doubles >= 0 of the one at or below a value: neighbours differ by one."""
    return struct.unpack("<q", struct.pack("<d", double_below(value)))[0]


def from_ordinal(place):
    return struct.unpack("<d", struct.pack("<q", place))[0]


def double_below(value):
    nearest = float(value)
    return nearest if nearest <= value else nextafter(nearest, -1.0)


def double_above(value):
    nearest = float(value)
    return nearest if nearest >= value else nextafter(nearest, 2.0)


def double_between(low, high):
    """A double strictly between, halfway in the order of doubles, or None."""
    first = ordinal(low) + 1
    last = ordinal(high) if high != double_below(high) else ordinal(high) - 1
    return from_ordinal((first + last) // 2) if first <= last else None
