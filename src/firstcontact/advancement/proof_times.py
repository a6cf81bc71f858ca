"""Times at which to look for a proof of contact: each twice as far from the start, then halfway back."""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY

# Clearance in units of what rounding may hide: one for the positions, the rest for the roundings of the test.
CLEARANCE = 4.0

# Halvings of the time from where there is no proof to where there is one.
N_HALVINGS = 8

NEVER = INFINITY


class Tries(NamedTuple):
    """Where the search for a proof is.

    now : the time to try
    before, after : the last time without a proof, and the first with one; NEVER for none
    step : from the start to the time to try next, as long as there is no proof
    n_left : times that are left to try
    """

    now: float
    before: float
    after: float
    step: float
    n_left: int


@kernel
def first_try(start: float, step: float, n_times: int) -> Tries:
    """Begin at the start; the next time is a step later."""
    return Tries(start, start, NEVER, step, n_times)


@kernel
def next_try(tries: Tries, is_proven: bool, start: float, end: float) -> Tries:
    """Where to look after it was seen whether contact is proven now; nothing is left where that is all."""
    now, before, after, step, n_left = tries
    n_left -= 1
    if is_proven:
        n_left = N_HALVINGS if after == NEVER else n_left
        after = now
    else:
        before = now
    if after == start or (after == NEVER and (before >= end or step == NEVER)):
        return Tries(now, before, after, step, 0)
    if after < NEVER:
        return Tries(0.5 * (before + after), before, after, step, n_left)
    return Tries(min(start + step, end), before, after, 2.0 * step, n_left)
