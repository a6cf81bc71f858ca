"""Joint values by polynomials in pieces, and how far they are from straight lines between times.

Over a stretch of length h, a value with |q''| <= B is within B h^2 / 8 of its chord. Where its velocity jumps
by K it is off by K h / 4 more, and where it jumps itself, which is rounding, by that.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array
from firstcontact.motions.law import Which
from firstcontact.motions.trajectories.polynomials import UP, component_around, derivative, piece_at
from firstcontact.motions.trajectories.spline import polynomials_of
from firstcontact.motions.trajectories.spline_trajectory import LARGEST_JUMP
from firstcontact.plain import Sealed
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF

# Rounding of a chord, in units of its ends.
OF_A_CHORD = 8.0 * UNIT_ROUNDOFF

# Pieces to begin with: as many for each path, whatever else is in its batch.
N_PIECES = 16


@dataclass(frozen=True, eq=False)
class JointSpline(Sealed):
    """Joint values along n paths: coefficients (n, k, d + 1, dof) between times (k + 1,) from 0 to 1."""

    breaks: Array
    coefficients: Array

    def values(self, times: Array) -> Array:
        """Configurations (n, m, dof) at times (m,), to rounding."""
        found = np.empty((len(self.coefficients), len(times), self.coefficients.shape[3]))
        _write_values(self.breaks, self.coefficients, times, found)
        return found

    def deviations(self, times: Array) -> Array:
        """How far each value is from its chords between times (m + 1,), at most: (n, m, dof)."""
        found = np.empty((len(self.coefficients), len(times) - 1, self.coefficients.shape[3]))
        _write_deviations(self.breaks, self.coefficients, times, found)
        return found

    def chosen(self, which: Which) -> "JointSpline":
        """Some of the paths."""
        return JointSpline(self.breaks, np.ascontiguousarray(self.coefficients[which]))

    def first_times(self) -> Array:
        """Times (m + 1,) between which chords are a good beginning."""
        return np.linspace(0.0, 1.0, N_PIECES + 1)


def joint_spline(spline: Any, dof: int) -> tuple[JointSpline, bool]:
    """Cast one of SciPy's splines of configurations, over any time; is it of a batch?"""
    breaks, coefficients = polynomials_of("the spline of the joints", spline)
    if coefficients.ndim not in (3, 4) or coefficients.shape[-1] != dof:
        rule = f"the spline of the joints must have values ({dof},) or (n, {dof})"
        raise ValueError(f"{rule}; it has {tuple(coefficients.shape[2:])}")
    is_batch = coefficients.ndim == 4
    many = coefficients if is_batch else coefficients[np.newaxis]
    lengths = np.diff(breaks)[np.newaxis, :-1, np.newaxis]
    ends = sum(many[:, :-1, k] * lengths**k for k in range(many.shape[2]))
    if np.abs(many[:, 1:, 0] - ends).max(initial=0.0) > LARGEST_JUMP * (1.0 + np.abs(many).max()):
        raise ValueError("the spline of the joints must be continuous; it jumps between two pieces")
    return JointSpline(breaks, np.ascontiguousarray(many)), is_batch


@driver
def _write_values(breaks: Array, coefficients: Array, times: Array, values: Array) -> None:
    for m in range(len(times)):
        k = piece_at(breaks, times[m])
        for i in range(len(coefficients)):
            for c in range(values.shape[2]):
                values[i, m, c], _ = derivative(coefficients[i, k], 0, c, times[m] - breaks[k])


@driver
def _write_deviations(breaks: Array, coefficients: Array, times: Array, found: Array) -> None:
    for m in range(len(times) - 1):
        start, end = times[m], times[m + 1]
        first, last = piece_at(breaks, start), piece_at(breaks, end)
        if breaks[first] == start and first > 0:
            first -= 1
        for i in range(len(coefficients)):
            for c in range(found.shape[2]):
                found[i, m, c] = chord_deviation(breaks, coefficients[i], (first, last), (start, end), c)


@kernel
def chord_deviation(
    breaks: Array, coefficients: Array, pieces: tuple[int, int], times: tuple[float, float], c: int
) -> float:
    """How far one value is from its chord."""
    bend, kinks, jumps, size, rounding = 0.0, 0.0, 0.0, 0.0, 0.0
    length = (times[1] - times[0]) * UP
    for k in range(pieces[0], pieces[1] + 1):
        low, high = max(breaks[k], times[0]), min(breaks[k + 1], times[1])
        x, away = 0.5 * (low + high) - breaks[k], 0.5 * abs(high - low) * UP + 2.0 * UNIT_ROUNDOFF
        bend = max(bend, component_around(coefficients[k], 2, c, x, away))
        value, error = derivative(coefficients[k], 0, c, max(high, low) - breaks[k])
        size, rounding = max(size, abs(value)), max(rounding, error)
        if k > pieces[0]:
            width = breaks[k] - breaks[k - 1]
            for order in range(2):
                before, error = derivative(coefficients[k - 1], order, c, width)
                after, more = derivative(coefficients[k], order, c, 0.0)
                jump = abs(after - before) + error + more
                kinks, jumps = (kinks + jump, jumps) if order == 1 else (kinks, jumps + jump)
    # The rounding of a value grows with the time since its piece began: both ends have no more than the last.
    bent = 0.125 * bend * length * length + 0.25 * kinks * length
    return (bent + jumps + 2.0 * rounding + OF_A_CHORD * size) * UP + SHORTEST
