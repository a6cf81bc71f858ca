"""When two corridors first meet: a proven lower bound of the time at which what they hold can touch.

Both boxes go straight, so along each axis their gap changes linearly, and so do their middles: all six gaps,
and that of the balls around the middles, are closed only from one time on, and until another. Where these
times have none in common the pair is free. Corridors hold a body however it turns.

The time-to-collision of the course (Lin's slides) takes the separation and the speeds of the centres of mass
for those of the bodies, and is not a bound: a long rod that spins sweeps far past its centre.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array
from firstcontact.bounds.body_bounds import BALL, LOWER, START, UPPER, WAY
from firstcontact.motions.motion_bound import SHORTENED
from firstcontact.scalar.error_bounds import UNDERFLOW, UNIT_ROUNDOFF

NEVER = np.inf

# Rounding of a gap along an axis at any time of the step, in units of all lengths it is computed from; the
# same for the gap of two balls.
GAP = 16.0 * UNIT_ROUNDOFF

# Rounding of the terms of the quadratic of two balls, in units of their magnitudes.
QUADRATIC = 32.0 * UNIT_ROUNDOFF

LENGTHENED = 1.0 + 2.0**-48

# Points that go by less than this part of their distance hardly change it.
SLOW = 2.0**-40

# Pairs from which a thread is worth its start.
WORTH_A_THREAD = 8192


def entry_times(corridors: Array, margins: Array, pairs: NDArray[np.int32]) -> Array:
    """Times (m,) before which pairs (m, 2) are farther apart than the sum of their margins; inf: always."""
    times = np.empty(len(pairs))

    def task(first: int, last: int) -> None:
        _write_times(corridors, margins, pairs, times, first, last)

    on_ranges(task, len(pairs), WORTH_A_THREAD)
    return times


@driver
def _write_times(
    corridors: Array, margins: Array, pairs: NDArray[np.int32], times: Array, first: int, last: int
) -> None:
    for k in range(first, last):
        i, j = pairs[k, 0], pairs[k, 1]
        times[k] = entry_time(corridors[i], corridors[j], margins[i] + margins[j])


@kernel
def entry_time(a: Array, b: Array, margin: float) -> float:
    """Time before which two corridors are farther apart than the margin; NEVER where they always are."""
    entry, leave = 0.0, 1.0
    size, distance, speed, closing = 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        apart, way = b[START + k] - a[START + k], b[WAY + k] - a[WAY + k]
        lengths = abs(a[START + k]) + abs(b[START + k]) + abs(a[WAY + k]) + abs(b[WAY + k])
        error = lengths + abs(a[LOWER + k]) + abs(a[UPPER + k]) + abs(b[LOWER + k]) + abs(b[UPPER + k])
        wide = margin + GAP * (error + margin) + UNDERFLOW
        above, below = b[LOWER + k] - a[UPPER + k] + apart, a[LOWER + k] - b[UPPER + k] - apart
        entry, leave = _closed(above - wide, way, entry, leave)
        entry, leave = _closed(below - wide, -way, entry, leave)
        size += lengths
        distance, speed, closing = distance + apart * apart, speed + way * way, closing - apart * way
    reach = a[BALL] + b[BALL] + margin
    reach += GAP * (size + reach) + UNDERFLOW
    entry = max(entry, _balls_meet(distance, speed, closing, reach))
    return entry if entry <= leave else NEVER


@kernel
def _closed(gap: float, way: float, entry: float, leave: float) -> tuple[float, float]:
    """Narrow down the times at which a gap that changes linearly, by `way` over the step, is closed."""
    if way < 0.0:
        return max(entry, SHORTENED * (gap / -way)), leave
    if gap > 0.0:
        return NEVER, leave
    if way > 0.0:
        return entry, min(leave, LENGTHENED * (-gap / way))
    return entry, leave


@kernel
def _balls_meet(distance: float, speed: float, closing: float, reach: float) -> float:
    """First time at which points at a squared distance come within reach; 0 where they are, or may be."""
    outside = distance - reach * reach - QUADRATIC * (distance + reach * reach)
    if not outside > 0.0:
        return 0.0
    apart, way = sqrt(distance), sqrt(speed)
    if apart - way > reach + QUADRATIC * apart:
        return NEVER
    if way < SLOW * apart:  # the quadratic would overflow
        return 0.0
    # The sum behind `closing` may have cancelled: its error is that of the product of the lengths.
    nearest, wait = (closing + QUADRATIC * apart * way) / speed, (1.0 - QUADRATIC) * (outside / speed)
    root = (1.0 + QUADRATIC) * nearest * nearest - wait
    if not (nearest > 0.0 and root >= 0.0):
        return NEVER
    return SHORTENED * (wait / (nearest + sqrt(root)))
