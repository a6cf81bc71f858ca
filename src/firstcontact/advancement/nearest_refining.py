"""Least distances over motions that deviate from their pieces: finer pieces where that is what decides.

As in `refining`: what is proven up to a time stays proven, and from there on pieces are shorter, and then
ever longer ones to the end.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.nearest import EXHAUSTED, GOING, LOOSER, OPEN, PROGRESS, Nearest, Nearness
from firstcontact.advancement.refining import (
    EVEN_PIECES,
    MAX_ROUNDS,
    MOST_EVEN_PIECES,
    ROUNDED,
    SHORTER,
    Motions,
    breaks_of,
    deviations_at,
    least_deviations,
)
from firstcontact.arrays import Array

# Goes through rows of two motions (m, k, N_COLUMNS), or (1, k, N_COLUMNS) for all, and writes what it finds.
Walker = Callable[[Array, Array, Nearest], None]


def nearest_refined(motions: Motions, nearness: Nearness, nearest: Nearest, walk: Walker) -> None:
    """Find the least distances; where the rounds run out, nothing is proven."""
    walk(*motions.rows, nearest)
    rows, which = motions.rows, np.arange(len(motions))
    for n_rounds in range(MAX_ROUNDS):
        which, rows = _next_pieces(motions, nearness, nearest, rows, which, n_rounds)
        if len(which) == 0:
            return
        part = Nearest._make(column[which] for column in nearest)
        part.state[:] = GOING
        walk(*rows, part)
        for name in Nearest._fields:
            getattr(nearest, name)[which] = getattr(part, name)
    nearest.state[which], nearest.lower[which] = EXHAUSTED, 0.0


def _next_pieces(
    motions: Motions,
    nearness: Nearness,
    nearest: Nearest,
    rows: tuple[Array, Array],
    which: NDArray[np.intp],
    n_rounds: int,
) -> tuple[NDArray[np.intp], tuple[Array, Array]]:
    """Motions, of those with these rows, that need finer pieces, and those."""
    is_open = nearest.state[which] == OPEN
    deviations, lengths = deviations_at(motions, rows, nearest.at[which])
    which, deviations, lengths = which[is_open], deviations[is_open], lengths[is_open]
    if len(which) == 0:
        return which, rows
    tolerances = np.maximum(nearness.length, nearness.part * nearest.upper[which])
    limits = PROGRESS * nearest.looseness[which] * tolerances
    least = ROUNDED * least_deviations(motions, which, nearest.at[which])
    is_rounding = deviations <= least  # shorter pieces would deviate by as much
    nearest.looseness[which[is_rounding]] *= LOOSER
    shorter = np.maximum(np.sqrt(0.5 * np.maximum(limits, least) / deviations), SHORTER)
    n_even = min(EVEN_PIECES + n_rounds, MOST_EVEN_PIECES)
    starts = nearest.at[which]
    return which, motions.refined(which, breaks_of(starts, lengths * np.minimum(shorter, 1.0), n_even))
