"""Trajectories by polynomials in pieces: of the place, and of the rotation vector."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array
from firstcontact.motions.trajectories.polynomials import (
    N_KNOWN,
    UP,
    derivative,
    length_around,
    over_pieces,
    piece_at,
    write_known,
)
from firstcontact.motions.trajectories.smooth_rows import Bends, State, write_smooth_row
from firstcontact.motions.trajectories.turn_polynomials import turn_at, turn_bend, write_turns_known
from firstcontact.plain import Sealed, once

# A jump of a place or a rotation beyond this part of the places, or of a turn, is no rounding.
LARGEST_JUMP = 1e-9


class Places(NamedTuple):
    """Polynomials (n, k, d + 1, 3) between times (k + 1,), and what is known of them, (n, k, N_KNOWN)."""

    breaks: Array
    coefficients: Array
    known: Array


class Turns(NamedTuple):
    """The same of rotation vectors, cubics (n, k, 4, 3), as seen from rotations (n, k, 9)."""

    breaks: Array
    coefficients: Array
    known: Array
    bases: Array


@dataclass(frozen=True, eq=False, repr=False)
class SplineTrajectory(Sealed):
    """Trajectories of n frames, by polynomials between times that all of them share.

    Attributes
    ----------
    place_breaks, place_coefficients : (k + 1,) from 0 to 1, and (n, k, d + 1, 3) from the lowest power on
    turn_breaks, turn_coefficients, turn_bases : the same of rotation vectors, as seen from rotations
        (n, j, 9) in which the pieces start
    is_batch : whether they were given as a batch
    """

    place_breaks: Array
    place_coefficients: Array
    turn_breaks: Array
    turn_coefficients: Array
    turn_bases: Array
    is_batch: bool

    def __len__(self) -> int:
        return len(self.place_coefficients)

    @once
    def places(self) -> Places:
        """Polynomials of the place, for compiled code."""
        known = np.empty((*self.place_coefficients.shape[:2], N_KNOWN))
        write_known(self.place_breaks, self.place_coefficients, known)
        return Places(self.place_breaks, self.place_coefficients, known)

    @once
    def turns(self) -> Turns:
        """Polynomials of the turn, for compiled code."""
        known = np.empty((*self.turn_coefficients.shape[:2], N_KNOWN))
        write_turns_known(self.turn_breaks, self.turn_coefficients, self.turn_bases, known)
        return Turns(self.turn_breaks, self.turn_coefficients, known, self.turn_bases)

    def write_rows(
        self, which: NDArray[np.intp], starts: Array, ends: Array, reaches: Array, rows: Array
    ) -> None:
        """Write m pieces (m, N_COLUMNS)."""
        _write_rows(self.places, self.turns, which, np.stack([starts, ends]), reaches, rows)

    def poses(self, t: float) -> Array:
        """Give the poses at t, (n, 4, 4), to rounding."""
        poses = np.zeros((len(self), 4, 4))
        _write_poses(self.places, self.turns, t, poses)
        return poses

    def __repr__(self) -> str:
        count = f"{len(self)} motions, " if self.is_batch else ""
        pieces = max(len(self.place_breaks), len(self.turn_breaks)) - 1
        return f"{type(self).__name__}({count}{pieces} piece{'s' if pieces > 1 else ''})"


@driver
def _write_rows(
    places: Places, turns: Turns, which: NDArray[np.intp], times: Array, reaches: Array, rows: Array
) -> None:
    for k in range(len(which)):
        i, start, end = which[k], times[0, k], times[1, k]
        middle = min(max(0.5 * start + 0.5 * end, start), end)
        away = max(middle - start, end - middle) * UP
        bend, jumps, kinks = _place_bend(places, i, (start, end), middle, away)
        twist, slips, twists = _turn_bend(turns, i, (start, end), middle, away)
        at = _state(places, turns, i, middle)
        state = State(
            at.rotation,
            at.place,
            at.velocity,
            at.spin,
            at.rotation_error + slips,
            at.place_error + jumps,
            at.velocity_error + kinks,
            at.spin_error + twists,
        )
        write_smooth_row(state, Bends(bend, twist), (start, end, middle), reaches[k], rows[k])


@kernel
def _state(places: Places, turns: Turns, i: int, t: float) -> State:
    """Where a frame is at a time, and how it moves."""
    p, q = piece_at(places.breaks, t), piece_at(turns.breaks, t)
    rotation, rotation_error, spin, spin_error = turn_at(
        turns.bases[i, q], turns.coefficients[i, q], t - turns.breaks[q]
    )
    own, x = places.coefficients[i, p], t - places.breaks[p]
    a, da = derivative(own, 0, 0, x)
    b, db = derivative(own, 0, 1, x)
    c, dc = derivative(own, 0, 2, x)
    u, du = derivative(own, 1, 0, x)
    v, dv = derivative(own, 1, 1, x)
    w, dw = derivative(own, 1, 2, x)
    place_error, velocity_error = da + db + dc, du + dv + dw
    return State(
        rotation, (a, b, c), (u, v, w), spin, rotation_error, place_error, velocity_error, spin_error
    )


@kernel
def _place_bend(
    places: Places, i: int, times: tuple[float, float], middle: float, away: float
) -> tuple[float, float, float]:
    """Bound the acceleration over a stretch, and what the place and the velocity jump by in it."""
    first, last = piece_at(places.breaks, times[0]), piece_at(places.breaks, times[1])
    if places.breaks[first] == times[0] and first > 0:  # where two pieces meet, it may be in either
        first -= 1
    bend, jumps, kinks = over_pieces(places.known[i], first, last)
    if first == last:
        x = middle - places.breaks[first]
        bend = min(bend, length_around(places.coefficients[i, first], 2, x, away))
    return bend, jumps, kinks


@kernel
def _turn_bend(
    turns: Turns, i: int, times: tuple[float, float], middle: float, away: float
) -> tuple[float, float, float]:
    """Bound the angular acceleration over a stretch, and what the turn and its rate jump by in it."""
    first, last = piece_at(turns.breaks, times[0]), piece_at(turns.breaks, times[1])
    if turns.breaks[first] == times[0] and first > 0:
        first -= 1
    bend, jumps, kinks = over_pieces(turns.known[i], first, last)
    if first == last:
        x = middle - turns.breaks[first]
        bend = min(bend, turn_bend(turns.coefficients[i, first], x, away))
    return bend, jumps, kinks


@driver
def _write_poses(places: Places, turns: Turns, t: float, poses: Array) -> None:
    for i in range(len(poses)):
        state = _state(places, turns, i, t)
        poses[i, 3, 3] = 1.0
        for j in range(3):
            poses[i, j, 3] = state.place[j]
            for k in range(3):
                poses[i, j, k] = state.rotation[3 * j + k]
