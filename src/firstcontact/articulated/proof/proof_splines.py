"""Joints that go along splines, for the check of a proof: in plain NumPy, by nothing that a search uses."""

from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF

# Rounding of a value and of its chord, in units of the magnitudes of all terms.
OF_A_VALUE = 64.0 * UNIT_ROUNDOFF

UP = 1.0 + 2.0**-40


class JointPath(NamedTuple):
    """Values of a joint: polynomials (k, d + 1), from the lowest power on, between times (k + 1,).

    lever : how far what the joint carries gets for each unit that it is off
    """

    breaks: Array
    coefficients: Array
    lever: float

    def values(self, t: Array) -> Array:
        """Values (n,) at times (n,)."""
        k = np.clip(np.searchsorted(self.breaks, t, side="right") - 1, 0, len(self.coefficients) - 1)
        x, found = t - self.breaks[k], np.zeros(len(t))
        for column in self.coefficients.T[::-1]:
            found = found * x + column[k]
        return found

    @property
    def size(self) -> float:
        """No value is larger."""
        lengths = np.diff(self.breaks)[:, np.newaxis] ** np.arange(self.coefficients.shape[1])
        return float((np.abs(self.coefficients) * lengths).sum(axis=1).max()) * UP

    def deviations(self, since: Array, until: Array) -> Array:
        """How far what is carried is from where chords between times (n,) and (n,) have it, at most."""
        bends, kinks, jumps, h = np.zeros((4, len(since)))
        h += until - since
        for k, own in enumerate(self.coefficients):
            low, high = np.maximum(since, self.breaks[k]), np.minimum(until, self.breaks[k + 1])
            x, away = 0.5 * (low + high) - self.breaks[k], 0.5 * (high - low)
            found = np.where(
                low <= high, _around(_derived(_derived(own)), x, np.maximum(away, 0.0) * UP), 0.0
            )
            bends = np.maximum(bends, found)
            if k > 0:
                is_in = (since <= self.breaks[k]) & (self.breaks[k] <= until)
                length = np.array([self.breaks[k] - self.breaks[k - 1]])
                before = self.coefficients[k - 1]
                jumps += is_in * abs(float(_at(before, length)[0] - own[0]))
                slope = own[1] if len(own) > 1 else 0.0
                kinks += is_in * abs(float(_at(_derived(before), length)[0] - slope)) * UP
        rounding = OF_A_VALUE * (self.size + len(self.coefficients) * self._slopes * h)
        off: Array = 0.125 * bends * h * h + 0.25 * kinks * h + jumps + rounding
        return self.lever * off * UP + SHORTEST

    @property
    def _slopes(self) -> float:
        lengths = np.diff(self.breaks)[:, np.newaxis] ** np.arange(self.coefficients.shape[1] - 1)
        factors = np.arange(1, self.coefficients.shape[1])
        return float((factors * np.abs(self.coefficients[:, 1:]) * lengths).sum(axis=1).max(initial=0.0))


def _derived(coefficients: Array) -> Array:
    """Coefficients of the derivative."""
    return np.arange(1, len(coefficients)) * coefficients[1:] if len(coefficients) > 1 else np.zeros(1)


def _at(coefficients: Array, x: Array) -> Array:
    found = np.zeros(len(x))
    for c in coefficients[::-1]:
        found = found * x + c
    return found


def _around(coefficients: Array, x: Array, away: Array) -> Array:
    """Bound a polynomial at all times within `away` of x, by its derivatives there."""
    total, power, own, order = np.zeros(len(x)), np.ones(len(x)), coefficients, 0
    while True:
        size = _at(np.abs(own), np.abs(x))
        total += (np.abs(_at(own, x)) + OF_A_VALUE * size) * power
        if len(own) == 1:
            return total * UP
        order += 1
        power, own = power * away / order, _derived(own)
