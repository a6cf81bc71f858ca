"""Stretches of two motions, one after the other, that a search looks at: shorter ones where they deviate.

A search adds the deviation D of both pieces to its margin. What it finds free is free, and where it arrives
all before is. If D is small beside the tolerance there, the bodies truly are that near. Else it goes on from
there in a shorter stretch, of which a piece is made in compiled code. Bodies that come nearer at a speed v
meet within some 4 D / v, if at all; a stretch of that length h deviates by D (h / H)^2 where that before had
a length of H: so D is squared from stretch to stretch, as the error in Newton's method. Where a stretch is
free the next one is twice as long, up to the pieces that motions have from the beginning.

`refining` does the same with laws whose pieces come from Python.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.advancement.arrival import CONTACT, MAX_ITERATIONS, Arrival, not_arrived
from firstcontact.advancement.goal import Goal
from firstcontact.advancement.refining import FINE, ROUNDED
from firstcontact.arrays import Array
from firstcontact.motions.law_table import BothLaws, LawTables, laws_of, room_for, write_law_row
from firstcontact.motions.rigid_motion import (
    DEVIATION,
    END_TIME,
    START_TIME,
    deviation_of,
    number_at,
    start_of,
)

# Length of the next stretch, in units of the one that a search arrived in, at the least and at the most; and
# in units of the time in which the deviation is gone through.
SHORTEST, LONGEST, CLOSING = 0.0625, 0.5, 4.0

# A free stretch is followed by one that is longer by this factor.
LONGER = 2.0

# Rounding is looked at anew where the deviation is below so many times what it was.
NEAR_ROUNDING = 16.0

# Stretches that are cut, each into some, before a search gives up: a second of work.
MOST_CUTS = 1 << 18

WHOLE = np.inf


class TwoMotions(NamedTuple):
    """Two motions in pieces, (k, N_COLUMNS) each, and the laws of which finer ones are made.

    laws : None where all pieces are exact, or finer ones are somebody else's business
    """

    rows_a: Array
    rows_b: Array
    laws: BothLaws | None


class Stretch(NamedTuple):
    """What a search looks at next.

    start : all before is free
    length : how long it is at the most; WHOLE for all that is left of the pieces that motions have
    piece_a, piece_b : numbers of these
    least : deviation of a piece of no length, where that was looked at last; negative where it was not
    before : deviation of the stretch that was cut last
    n_left : stretches that may be cut before the search gives up
    """

    start: float
    length: float
    piece_a: int
    piece_b: int
    least: float
    before: float
    n_left: int


@kernel
def motions_of(
    rows_a: Array, rows_b: Array, tables: LawTables | None, room: tuple[Array, Array], k: int
) -> TwoMotions:
    """Motion k of each body, of rows (n, m, N_COLUMNS), or (1, m, N_COLUMNS)."""
    i, j = min(k, len(rows_a) - 1), min(k, len(rows_b) - 1)
    return TwoMotions(rows_a[i], rows_b[j], laws_of(tables, i, j, room[0], room[1]))


@kernel
def single_laws(tables: LawTables) -> BothLaws | None:
    """Laws of two single motions."""
    room = room_for(tables)
    return laws_of(tables, nought(), nought(), room[0], room[1])


@kernel
def nought() -> int:
    """Number of a motion that is the only one: no plain zero, for which functions are compiled apart."""
    return int(np.int64(0))


@kernel
def first_stretch(rows_a: Array, rows_b: Array) -> Stretch:
    """Begin where both motions are under way."""
    # Laws are handed over where they are needed alone: a tuple of arrays takes its time.
    start = start_of(rows_a, rows_b)
    i, j = number_at(rows_a, start), number_at(rows_b, start)
    return Stretch(start, WHOLE, i, j, -1.0, np.inf, MOST_CUTS)


@kernel
def is_left(rows_a: Array, rows_b: Array, stretch: Stretch) -> bool:
    """Is there anything to look at?"""
    return stretch.piece_a < len(rows_a) and stretch.piece_b < len(rows_b)


@kernel
def next_stretch(rows_a: Array, rows_b: Array, stretch: Stretch, end: float) -> Stretch:
    """Go on from the end of a stretch that is free."""
    i, j, length = stretch.piece_a, stretch.piece_b, stretch.length
    end_a, end_b = rows_a[i, END_TIME], rows_b[j, END_TIME]
    if length < WHOLE:
        whole = min(end_a, end_b) - max(rows_a[i, START_TIME], rows_b[j, START_TIME])
        length = LONGER * length if LONGER * length < whole else WHOLE
    i, j = i + (end_a <= end), j + (end_b <= end)
    return Stretch(end, length, i, j, stretch.least, stretch.before, stretch.n_left)


@kernel
def finer_rows(motions: TwoMotions, stretch: Stretch) -> tuple[Array, Array]:
    """Pieces of both motions for a stretch that is shorter than those they have."""
    row_a, row_b = motions.rows_a[stretch.piece_a], motions.rows_b[stretch.piece_b]
    start, end = stretch.start, min(row_a[END_TIME], row_b[END_TIME])
    return rows_over(motions.laws, (start, min(start + stretch.length, end)), row_a, row_b)


@kernel
def rows_over(
    laws: BothLaws | None, times: tuple[float, float], row_a: Array, row_b: Array
) -> tuple[Array, Array]:
    """Pieces of both motions from a start to an end; those given of what is exact."""
    if laws is None:
        return row_a, row_b
    one, other = laws.room[0], laws.room[1]
    if write_law_row(laws.a, times, row_a, one, laws.jets):
        row_a = one
    if write_law_row(laws.b, times, row_b, other, laws.jets):
        row_b = other
    return row_a, row_b


@kernel
def finer_stretch(
    motions: TwoMotions,
    stretch: Stretch,
    rows: tuple[Array, Array],
    arrival: Arrival,
    goal: Goal,
    tolerance: float,
) -> tuple[Stretch, Arrival, bool]:
    """Go on from where a search arrived, if a deviation is what decides there: True. Else, that is all.

    rows : those of the stretch
    """
    if arrival.status != CONTACT or deviation_of(rows[0], rows[1]) <= FINE * tolerance:
        return stretch, arrival, False
    return _cut(motions.laws, motions, stretch, rows, arrival, (goal.speed, tolerance))


@kernel
def _cut(
    laws: BothLaws | None,
    motions: TwoMotions,
    stretch: Stretch,
    rows: tuple[Array, Array],
    arrival: Arrival,
    asked: tuple[float, float],
) -> tuple[Stretch, Arrival, bool]:
    """Cut a stretch; asked : the speed at which bodies may come nearer, and the tolerance."""
    if laws is None:
        return stretch, arrival, False
    speed, tolerance = asked
    time, i, j, least = arrival.time, stretch.piece_a, stretch.piece_b, stretch.least
    deviation, length = deviation_of(rows[0], rows[1]), length_of(rows[0], rows[1])
    if least < 0.0 or deviation < NEAR_ROUNDING * least or deviation > LONGEST * stretch.before:
        # What was made for the stretch is written over by what is as good at this time.
        one, other = rows_over(laws, (time, time), motions.rows_a[i], motions.rows_b[j])
        least = deviation_of(one, other)
    limit = max(FINE * tolerance, ROUNDED * least)
    if deviation <= limit:
        return stretch, arrival, False
    if stretch.n_left == 0:
        return stretch, not_arrived(MAX_ITERATIONS, time), False
    closing = CLOSING * deviation / speed if speed > 0.0 else np.inf
    shorter = max(
        min(max(closing, SHORTEST * length), LONGEST * length), sqrt(0.5 * limit / deviation) * length
    )
    return Stretch(time, shorter, i, j, least, deviation, stretch.n_left - 1), arrival, True


@kernel
def length_of(row_a: Array, row_b: Array) -> float:
    """Length of the shorter of two pieces, of those that deviate."""
    length: float = np.inf
    if row_a[DEVIATION] > 0.0:
        length = row_a[END_TIME] - row_a[START_TIME]
    if row_b[DEVIATION] > 0.0:
        length = min(length, row_b[END_TIME] - row_b[START_TIME])
    return length
