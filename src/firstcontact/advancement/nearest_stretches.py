"""Shorter stretches of motions for their least distance, where what they deviate from their pieces decides.

As in `stretches`: pieces are made of laws in compiled code, from where a level is proven on, on a way through
time that may go backwards; behind a stretch that is gone through, the next one is longer.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.advancement.nearest import (
    GOING,
    LOOSER,
    OPEN,
    PROGRESS,
    STOPPED,
    Leg,
    Nearness,
    Stretch,
    Walk,
    exhausted,
    tolerance_of,
)
from firstcontact.advancement.refining import ROUNDED, SHORTER
from firstcontact.advancement.stretches import LONGER, MOST_CUTS, WHOLE, TwoMotions, length_of, rows_over
from firstcontact.arrays import Array
from firstcontact.motions.law_table import BothLaws
from firstcontact.motions.rigid_motion import END_TIME, START_TIME, deviation_of, number_at

__all__ = ["WHOLE", "Cut", "first_cut", "longer_cut", "reopened", "rows_around", "rows_from", "shorter_cut"]

# Pieces around a time are no shorter than this part of those that a motion has.
FINEST = 2.0**-10


class Cut(NamedTuple):
    """How long the next stretch is at the most, WHOLE for all of a piece; and cuts before a walk gives up."""

    length: float
    n_left: int


@kernel
def first_cut() -> Cut:
    """Begin with whole pieces."""
    return Cut(WHOLE, int(np.int64(MOST_CUTS)))


@kernel
def longer_cut(cut: Cut, row_a: Array, row_b: Array) -> Cut:
    """Go on behind a stretch of two pieces that is proven."""
    whole = min(row_a[END_TIME], row_b[END_TIME]) - max(row_a[START_TIME], row_b[START_TIME])
    return Cut(LONGER * cut.length if LONGER * cut.length < whole else WHOLE, cut.n_left)


@kernel
def rows_from(
    laws: BothLaws | None, at: float, cut: Cut, leg: Leg, rows: tuple[Array, Array]
) -> tuple[Array, Array]:
    """Pieces of both motions from a time of a way on, within those that they have."""
    first, last = max(rows[0][START_TIME], rows[1][START_TIME]), min(rows[0][END_TIME], rows[1][END_TIME])
    if leg.sign > 0.0:
        return rows_over(laws, (at, max(min(at + cut.length, last), at)), rows[0], rows[1])
    return rows_over(laws, (min(max(-at - cut.length, first), -at), -at), rows[0], rows[1])


@kernel
def reopened(laws: BothLaws | None, walk: Walk, stretch: Stretch, nearness: Nearness) -> Walk:
    """Where what holds the bodies came near by what pieces deviate alone, go on in finer ones."""
    if laws is None or walk.state != STOPPED:
        return walk
    if not stretch.deviation > PROGRESS * tolerance_of(walk, stretch.rounding, nearness):
        return walk
    return Walk(walk.upper, walk.time, walk.pair, walk.lower, walk.at, walk.looseness, int(np.int64(OPEN)))


@kernel
def shorter_cut(
    laws: BothLaws | None, walk: Walk, way: tuple[Leg, Cut], rows: tuple[Array, Array], nearness: Nearness
) -> tuple[Walk, Cut]:
    """Go on in a shorter stretch, where there are laws to make it of; by looser terms if rounding decides."""
    leg, cut = way
    if laws is None:
        return walk, cut
    if cut.n_left == 0:
        return exhausted(walk), cut
    t = leg.sign * walk.at
    deviation, length = deviation_of(rows[0], rows[1]), length_of(rows[0], rows[1])
    # What was made for the stretch is written over.
    one, other = rows_over(laws, (t, t), rows[0], rows[1])
    least = ROUNDED * deviation_of(one, other)
    looseness = walk.looseness if deviation > least else LOOSER * walk.looseness
    limit = max(PROGRESS * tolerance_of(walk, 0.0, nearness), least)
    shorter = min(max(sqrt(0.5 * limit / deviation), SHORTER), 1.0) * length
    walk = Walk(walk.upper, walk.time, walk.pair, walk.lower, walk.at, looseness, int(np.int64(GOING)))
    return walk, Cut(shorter, cut.n_left - 1)


@kernel
def rows_around(motions: TwoMotions, t: float, deviation: float) -> tuple[Array, Array]:
    """Pieces of both motions at a time: those they have, or of laws finer ones that deviate by some length.

    deviation : that length, 0 for the pieces as they are
    """
    row_a = motions.rows_a[number_at(motions.rows_a, t)]
    row_b = motions.rows_b[number_at(motions.rows_b, t)]
    most = deviation_of(row_a, row_b)
    if motions.laws is None or not 0.0 < deviation < most:
        return row_a, row_b
    half = 0.5 * length_of(row_a, row_b) * max(sqrt(0.5 * deviation / most), FINEST)
    first, last = max(row_a[START_TIME], row_b[START_TIME]), min(row_a[END_TIME], row_b[END_TIME])
    return rows_over(motions.laws, (min(max(t - half, first), t), max(min(t + half, last), t)), row_a, row_b)
