"""Searches along motions that deviate from their pieces: finer pieces where that is what decides.

A search adds the deviation of both pieces to its margin. What it finds free is free, and where it
arrives all before is. If the deviation there is small beside the tolerance, the bodies truly are that near.
Else it goes on from there in pieces that are up to sixteen times as short, a few of them, and then ever
longer ones to the end: each deviates by the square of its length.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.motions.law import Which
from firstcontact.motions.rigid_motion import DEVIATION, END_TIME, START_TIME, RigidMotion
from firstcontact.status import Status

F = TypeVar("F", bound=Any)

# Deviation, in units of the tolerance, with which a search may end. It counts twice, since pieces are nearer
# than the margin by it, and bodies nearer than pieces; half of the tolerance is the search's own.
FINE = 0.25

# No piece is worth cutting whose deviation is mostly rounding: this many times that of a piece of no length.
ROUNDED = 2.0

# Length of the next pieces, in units of the one that a search arrived in, at the least.
SHORTER = 0.0625

# Pieces of that length before longer ones follow: in the first round, and at the most, one more each round.
EVEN_PIECES, MOST_EVEN_PIECES = 8, 256

# Rounds: a second of work. A throw that slides past an obstacle, just beyond the tolerance, takes a hundred.
MAX_ROUNDS = 1 << 12

# Lengths of the stretches in which a proof of contact is looked for, in units of one that deviates by as much
# as a search may end with. The first is an instant, but for what never deviates.
STRETCHES = (2.0**-60, 1.0, 4.0, 16.0, 64.0, 256.0, 1024.0, 4096.0)

# What a search made of rows of two motions (n, k, N_COLUMNS), or (1, k, N_COLUMNS) for all, those of these
# numbers: arrays with one item for each, a status and a time among them.
Search = Callable[[Array, Array, Which], F]
Prove = Callable[[Array, Array, Which], Array]

_COUNTS = ("counts", "iterations")


class Motions(NamedTuple):
    """Motions of two bodies; n of each, or one for all."""

    a: RigidMotion
    b: RigidMotion

    def __len__(self) -> int:
        n = min(len(self.a), len(self.b))
        return max(len(self.a), len(self.b)) if n > 0 else 0

    @property
    def rows(self) -> tuple[Array, Array]:
        """Pieces as they are."""
        return self.a.rows(), self.b.rows()

    @property
    def are_exact(self) -> bool:
        """Does neither deviate from its pieces?"""
        return self.a.law is None and self.b.law is None

    def chosen(self, which: Which) -> "Motions":
        """Some of a batch."""
        return Motions(self.a.chosen(which, True), self.b.chosen(which, True))

    def refined(self, which: NDArray[np.intp], breaks: Array) -> tuple[Array, Array]:
        """Pieces (m, k, N_COLUMNS) of m motions between times (m, k + 1)."""
        return self.a.refined(which, breaks), self.b.refined(which, breaks)

    def at(self, times: Array) -> tuple[Array, Array]:
        """Pieces that are at (n,) times where the motions truly are; any pieces where a time is infinite."""
        if self.are_exact:
            return self.rows
        hits = np.flatnonzero(times <= 1.0)
        made = self.refined(hits, np.repeat(times[hits][:, np.newaxis], 2, axis=1))
        return _at_hits(self.a, len(self), hits, made[0]), _at_hits(self.b, len(self), hits, made[1])


def _at_hits(motion: RigidMotion, n: int, hits: NDArray[np.intp], made: Array) -> Array:
    """Pieces of n motions, or of one that goes with all, those of some made anew."""
    if motion.law is None:
        return motion.rows()
    rows: Array = np.repeat(motion.pieces[:, :1], n if len(motion) == 1 else 1, axis=0)
    rows[hits] = made
    return rows


def first_refined(motions: Motions, tolerance: float, search: Search[F]) -> F:
    """Search for the first contacts of motions that may deviate from their pieces.

    No time is late, and "no contact" is proven. At the time of a contact, the bodies are within the
    tolerance, as if their pieces were exact; where the rounds run out, the status is MAX_ITERATIONS.
    """
    found = search(*motions.rows, slice(None))
    if motions.are_exact:
        return found
    which, rows = np.arange(len(motions)), motions.rows
    for n_rounds in range(MAX_ROUNDS):
        which, lengths = _open(motions, rows, which, found, tolerance)
        if len(which) == 0:
            return found
        n_even = min(EVEN_PIECES + n_rounds, MOST_EVEN_PIECES)
        rows = motions.refined(which, breaks_of(found.time[which], lengths, n_even))
        _put(found, which, search(*rows, which))
    _give_up(found, which)
    return found


def proven_refined(motions: Motions, found: Any, tolerance: float, prove: Prove) -> Array:
    """Find times at which contact is certain; infinite where none is proven.

    Proofs are found in stretches of time after the contact: short ones deviate little, in longer ones bodies
    get farther into each other.
    """
    if motions.are_exact:
        return prove(*motions.rows, slice(None))
    upper, is_hit = np.full(len(motions), np.inf), _is_hit(found)
    hits, starts = np.flatnonzero(is_hit), np.zeros(np.count_nonzero(is_hit))
    whole, least = (_deviations(motions, hits, starts, length) for length in (1.0, 0.0))
    limits, lengths = np.maximum(FINE * tolerance, ROUNDED * least), np.full(len(motions), np.inf)
    lengths[is_hit] = np.sqrt(np.divide(limits, whole, out=np.full(len(whole), np.inf), where=whole > 0.0))
    for longer in STRETCHES:
        which = np.flatnonzero(is_hit & (upper == np.inf))
        if longer < 1.0:  # what is found on its way is not in contact yet
            which = which[found.status[which] == Status.CONTACT_AT_START]
        if len(which) == 0:
            continue
        starts = found.time[which]
        ends = np.minimum(starts + longer * lengths[which], 1.0)
        upper[which] = prove(*motions.refined(which, np.stack([starts, ends], axis=1)), which)
    return upper


def _is_hit(found: Any) -> NDArray[np.bool_]:
    is_hit: NDArray[np.bool_] = (found.status == Status.CONTACT) | (found.status == Status.CONTACT_AT_START)
    return is_hit


def _open(
    motions: Motions, rows: tuple[Array, Array], which: NDArray[np.intp], found: Any, tolerance: float
) -> tuple[NDArray[np.intp], Array]:
    """Motions whose deviation where they arrived is what decides, and how long their pieces are to be."""
    is_hit = _is_hit(found)[which]
    if not is_hit.any():
        return which[:0], np.empty(0)
    which = which[is_hit]
    rows_a, rows_b = (pieces if len(pieces) == 1 else pieces[is_hit] for pieces in rows)
    times = found.time[which]
    deviations, lengths = deviations_at(motions, (rows_a, rows_b), times)
    least = least_deviations(motions, which, times)
    limits = np.maximum(FINE * tolerance, ROUNDED * least)
    is_open = deviations > limits
    shorter = np.sqrt(0.5 * limits[is_open] / deviations[is_open])
    return which[is_open], lengths[is_open] * np.maximum(shorter, SHORTER)


def deviations_at(motions: Motions, rows: tuple[Array, Array], times: Array) -> tuple[Array, Array]:
    """Deviations of the pieces, of rows (m, k, N_COLUMNS), at times (m,), and lengths of the shorter ones."""
    m = len(times)
    deviations, lengths = np.zeros(m), np.ones(m)
    for motion, pieces in zip(motions, rows, strict=True):
        if motion.law is not None:
            own = np.broadcast_to(pieces, (m, *pieces.shape[1:]))
            numbers = (own[:, :-1, END_TIME] <= times[:, np.newaxis]).sum(axis=1)
            there = own[np.arange(m), numbers]
            deviations += there[:, DEVIATION]
            lengths = np.minimum(lengths, there[:, END_TIME] - there[:, START_TIME])
    return deviations, lengths


def least_deviations(motions: Motions, which: NDArray[np.intp], times: Array) -> Array:
    """Deviations of pieces of no length: rounding."""
    return _deviations(motions, which, times, 0.0)


def _deviations(motions: Motions, which: NDArray[np.intp], starts: Array, length: float) -> Array:
    """Deviations of pieces of a length."""
    rows = motions.refined(which, np.stack([starts, np.minimum(starts + length, 1.0)], axis=1))
    return np.zeros(len(which)) + sum(pieces[:, 0, DEVIATION] for pieces in rows)


def breaks_of(starts: Array, lengths: Array, n_even: int) -> Array:
    """Times (m, k + 1) from starts to 1: pieces of the lengths at first, and then ever longer ones.

    Those of a row depend on no other row; where it has fewer, the last pieces have no length.
    """
    left = 1.0 - starts
    lengths = np.minimum(lengths, left / (n_even + 1))
    rest = left - n_even * lengths
    ratios = np.divide(rest, lengths, out=np.ones(len(starts)), where=lengths > 0.0)  # none is left at 1
    n_longer = np.ceil(np.log2(ratios + 1.0))[:, np.newaxis]
    even = starts[:, np.newaxis] + lengths[:, np.newaxis] * np.arange(n_even + 1)
    numbers = np.minimum(np.arange(1, int(n_longer.max()) + 1), n_longer)
    parts = (2.0**numbers - 1.0) / (2.0**n_longer - 1.0)
    breaks = np.concatenate([even, even[:, -1:] + rest[:, np.newaxis] * parts], axis=1)
    breaks[:, n_even + 1 :][numbers == n_longer] = 1.0
    return np.minimum(np.maximum.accumulate(breaks, axis=1), 1.0)


def _put(found: Any, which: NDArray[np.intp], part: Any) -> None:
    """Write what was found of some motions over what is known; counts add up."""
    for name, whole, new in zip(found._fields, found, part, strict=True):
        whole[which] = whole[which] + new if name in _COUNTS else new


def _give_up(found: Any, which: NDArray[np.intp]) -> None:
    """Say of some motions that the search has run out; nothing is known but that all before is free."""
    found.status[which] = Status.MAX_ITERATIONS
    for name, whole in zip(found._fields, found, strict=True):
        if name not in ("status", "time", *_COUNTS):
            whole[which] = np.nan if whole.dtype.kind == "f" else -1
