"""Trajectories by polynomials in pieces: of the place, and of the rotation vector."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array
from firstcontact.motions.trajectories.polynomials import (
    BEND,
    JUMPS,
    KINKS,
    N_KNOWN,
    UP,
    derivative,
    jump_between,
    length_around,
    over_pieces,
    piece_at,
)
from firstcontact.motions.trajectories.smooth_rows import Bends, State, write_smooth_row
from firstcontact.motions.trajectories.turn_polynomials import (
    TurnJet,
    turn_at,
    turn_bend,
    turn_jet,
    turn_jumps,
)
from firstcontact.plain import Sealed, once

# A jump of a place or a rotation beyond this part of the places, or of a turn, is no rounding.
LARGEST_JUMP = 1e-9


# All numbers of one trajectory, one after the other: how many polynomials there are of the place, how many
# coefficients each has, and how many there are of the turn. Then of the place and of the turn: breaks,
# coefficients, what is known; and the rotations from which turns are seen.
N_PLACES, N_POWERS, N_TURNS, N_HEADER = range(4)
CUBIC, N_BASE = 4, 9


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
    def numbers(self) -> Array:
        """All numbers of each trajectory in a row, (n, m), for compiled code."""
        n, k, powers = self.place_coefficients.shape[:3]
        turns = self.turn_coefficients.shape[1]
        header = np.array([k, powers, turns], np.float64)
        parts = (
            *(header, self.place_breaks, self.place_coefficients, np.zeros((n, k, N_KNOWN))),
            *(self.turn_breaks, self.turn_coefficients, np.zeros((n, turns, N_KNOWN)), self.turn_bases),
        )
        rows = [np.broadcast_to(x, (n, len(x))) if x.ndim == 1 else x.reshape(n, -1) for x in parts]
        numbers = np.concatenate(rows, axis=1)
        _write_known(numbers)
        return numbers

    @property
    def places_known(self) -> Array:
        """What is known of the polynomials of the place, (n, k, N_KNOWN)."""
        n, k, powers = self.place_coefficients.shape[:3]
        first = N_HEADER + k + 1 + 3 * k * powers
        return self.numbers[:, first : first + N_KNOWN * k].reshape(n, k, N_KNOWN)

    @property
    def turns_known(self) -> Array:
        """What is known of those of the turn, (n, k, N_KNOWN)."""
        n, k = self.turn_coefficients.shape[:2]
        last = self.numbers.shape[1] - N_BASE * k
        return self.numbers[:, last - N_KNOWN * k : last].reshape(n, k, N_KNOWN)

    def write_rows(
        self, which: NDArray[np.intp], starts: Array, ends: Array, reaches: Array, rows: Array
    ) -> None:
        """Write m pieces (m, N_COLUMNS)."""
        _write_rows(self.numbers, which, np.stack([starts, ends]), reaches, rows)

    def poses(self, t: float) -> Array:
        """Give the poses at t, (n, 4, 4), to rounding."""
        poses = np.zeros((len(self), 4, 4))
        _write_poses(self.numbers, t, poses)
        return poses

    def __repr__(self) -> str:
        count = f"{len(self)} motions, " if self.is_batch else ""
        pieces = max(len(self.place_breaks), len(self.turn_breaks)) - 1
        return f"{type(self).__name__}({count}{pieces} piece{'s' if pieces > 1 else ''})"


class Numbers(NamedTuple):
    """The parts of the numbers of one trajectory."""

    place_breaks: Array
    places: Array
    places_known: Array
    turn_breaks: Array
    turns: Array
    turns_known: Array
    bases: Array


@kernel
def _parts(numbers: Array) -> Numbers:
    k, powers, m = int(numbers[N_PLACES]), int(numbers[N_POWERS]), int(numbers[N_TURNS])
    coefficients = N_HEADER + k + 1
    known = coefficients + 3 * k * powers
    breaks = known + N_KNOWN * k
    turns = breaks + m + 1
    turns_known = turns + 3 * CUBIC * m
    bases = turns_known + N_KNOWN * m
    return Numbers(
        numbers[N_HEADER:coefficients],
        numbers[coefficients:known].reshape(k, powers, 3),
        numbers[known:breaks].reshape(k, N_KNOWN),
        numbers[breaks:turns],
        numbers[turns:turns_known].reshape(m, CUBIC, 3),
        numbers[turns_known:bases].reshape(m, N_KNOWN),
        numbers[bases : bases + N_BASE * m].reshape(m, N_BASE),
    )


@driver
def _write_known(numbers: Array) -> None:
    """Write what is known of all polynomials of trajectories (n, m)."""
    for i in range(len(numbers)):
        own, jumps, kinks = _parts(numbers[i]), 0.0, 0.0
        for k in range(len(own.places)):
            width = own.place_breaks[k + 1] - own.place_breaks[k]
            own.places_known[k, BEND] = length_around(own.places[k], 2, 0.5 * width, 0.5 * width * UP)
            if k > 0:
                before = own.place_breaks[k] - own.place_breaks[k - 1]
                jumps += jump_between(own.places[k - 1], own.places[k], 0, before)
                kinks += jump_between(own.places[k - 1], own.places[k], 1, before)
            own.places_known[k, JUMPS], own.places_known[k, KINKS] = jumps * UP, kinks * UP
        slips, twists = 0.0, 0.0
        for k in range(len(own.turns)):
            width = own.turn_breaks[k + 1] - own.turn_breaks[k]
            own.turns_known[k, BEND] = turn_bend(turn_jet(own.turns[k], 0.5 * width), 0.5 * width * UP)
            if k > 0:
                before = turn_jet(own.turns[k - 1], own.turn_breaks[k] - own.turn_breaks[k - 1])
                slip, twist = turn_jumps(own.bases[k - 1], before, own.bases[k], turn_jet(own.turns[k], 0.0))
                slips, twists = slips + slip, twists + twist
            own.turns_known[k, JUMPS], own.turns_known[k, KINKS] = slips * UP, twists * UP


@driver
def _write_rows(numbers: Array, which: NDArray[np.intp], times: Array, reaches: Array, rows: Array) -> None:
    for k in range(len(which)):
        write_spline_row(numbers[which[k]], (times[0, k], times[1, k]), reaches[k], rows[k])


@kernel
def write_spline_row(numbers: Array, times: tuple[float, float], reach: float, row: Array) -> None:
    """Write a piece of the motion of a frame, from a start to an end, by the numbers of its trajectory."""
    start, end = times
    own, middle = _parts(numbers), min(max(0.5 * start + 0.5 * end, start), end)
    away = max(middle - start, end - middle) * UP
    p, q = piece_at(own.place_breaks, middle), piece_at(own.turn_breaks, middle)
    x, jet = middle - own.place_breaks[p], turn_jet(own.turns[q], middle - own.turn_breaks[q])
    first, last = _pieces_of(own.place_breaks, p, times)
    bend, jumps, kinks = over_pieces(own.places_known, first, last)
    if first == last:
        bend = min(bend, length_around(own.places[p], 2, x, away))
    first, last = _pieces_of(own.turn_breaks, q, times)
    twist, slips, twists = over_pieces(own.turns_known, first, last)
    if first == last:
        twist = min(twist, turn_bend(jet, away))
    at = _state(own.places[p], x, own.bases[q], jet)
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
    write_smooth_row(state, Bends(bend, twist), (start, end, middle), reach, row)


@kernel
def _pieces_of(breaks: Array, k: int, times: tuple[float, float]) -> tuple[int, int]:
    """Numbers of the first and the last piece that a stretch is in, around one of them."""
    first, last = k, k
    # Where two pieces meet, it may be in either.
    while first > 0 and breaks[first] >= times[0]:
        first -= 1
    while last < len(breaks) - 2 and breaks[last + 1] <= times[1]:
        last += 1
    return first, last


@kernel
def _state(places: Array, x: float, base: Array, jet: TurnJet) -> State:
    """Where a frame is, and how it moves, at a time x since the polynomial of its place began."""
    rotation, rotation_error, spin, spin_error = turn_at(base, jet)
    a, da = derivative(places, 0, 0, x)
    b, db = derivative(places, 0, 1, x)
    c, dc = derivative(places, 0, 2, x)
    u, du = derivative(places, 1, 0, x)
    v, dv = derivative(places, 1, 1, x)
    w, dw = derivative(places, 1, 2, x)
    place_error, velocity_error = da + db + dc, du + dv + dw
    return State(
        rotation, (a, b, c), (u, v, w), spin, rotation_error, place_error, velocity_error, spin_error
    )


@driver
def _write_poses(numbers: Array, t: float, poses: Array) -> None:
    for i in range(len(poses)):
        own = _parts(numbers[i])
        p, q = piece_at(own.place_breaks, t), piece_at(own.turn_breaks, t)
        jet = turn_jet(own.turns[q], t - own.turn_breaks[q])
        state = _state(own.places[p], t - own.place_breaks[p], own.bases[q], jet)
        poses[i, 3, 3] = 1.0
        for j in range(3):
            poses[i, j, 3] = state.place[j]
            for k in range(3):
                poses[i, j, k] = state.rotation[3 * j + k]
