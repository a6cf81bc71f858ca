"""First contacts of many motions of two bodies, by any of the methods."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array
from firstcontact.bodies.mesh_body import Body
from firstcontact.motions.relative_motion import RelativeMotion, relative_motion
from firstcontact.motions.rigid_motion import END_TIME, number_at, start_of
from firstcontact.rigid.best_first import search
from firstcontact.rigid.controlled_advancement import CONTROL, NO_CONTROL, advance
from firstcontact.rigid.goal import Extent, goal_of
from firstcontact.rigid.request import (
    BEST_FIRST,
    CONTROLLED,
    N_COUNTS,
    SEPARATED,
    Arrival,
    Found,
    Goal,
    Options,
    told_status,
)

# Motions from which several threads are worth their start.
WORTH_A_THREAD = 8


class Batch(NamedTuple):
    """Two bodies, and motions of each: rows (n, k, 24), or (1, k, 24) for all."""

    a: Body
    b: Body
    rows_a: Array
    rows_b: Array


def first_times(a: Body, b: Body, rows_a: Array, rows_b: Array, options: Options) -> Found:
    """Find the first contact for each motion: rows (n, k, 24) of each body, or (1, k, 24) for all."""
    n = max(len(rows_a), len(rows_b)) if min(len(rows_a), len(rows_b)) > 0 else 0
    found = Found(
        np.full(n, SEPARATED, np.int8),
        np.full(n, np.inf),
        np.full((n, 2), -1, np.int32),
        np.zeros((n, N_COUNTS), np.int64),
    )
    if len(a.children) > 0 and len(b.children) > 0:
        # A driver each, so that only the method asked for is compiled.
        run = _search_range if options.method == BEST_FIRST else _advance_range
        batch = Batch(a, b, rows_a, rows_b)

        def task(first: int, last: int) -> None:
            run(batch, options, found, first, last)

        on_ranges(task, n, WORTH_A_THREAD)
    return found


@driver
def _search_range(batch: Batch, options: Options, found: Found, first: int, last: int) -> None:
    for i in range(first, last):
        rows_a, rows_b = _motions(batch, i)
        _write(found, i, _search_pieces(batch.a, batch.b, rows_a, rows_b, options, found.counts[i]))


@driver
def _advance_range(batch: Batch, options: Options, found: Found, first: int, last: int) -> None:
    for i in range(first, last):
        rows_a, rows_b = _motions(batch, i)
        _write(found, i, _advance_pieces(batch.a, batch.b, rows_a, rows_b, options, found.counts[i]))


@kernel
def _search_pieces(
    a: Body, b: Body, rows_a: Array, rows_b: Array, options: Options, counts: NDArray[np.int64]
) -> Arrival:
    """Search the pieces of two motions (k, 24), one after the other."""
    arrival, start = Arrival(SEPARATED, 0.0, -1, -1), start_of(rows_a, rows_b)
    i, j = number_at(rows_a, start), number_at(rows_b, start)
    while i < len(rows_a) and j < len(rows_b) and arrival.status == SEPARATED:
        motion, goal = _piece(a, b, rows_a[i], rows_b[j], start, options)
        arrival = search(a, b, motion, goal, counts)
        i, j = i + (rows_a[i, END_TIME] <= goal.end), j + (rows_b[j, END_TIME] <= goal.end)
        start = goal.end
    return arrival


@kernel
def _advance_pieces(
    a: Body, b: Body, rows_a: Array, rows_b: Array, options: Options, counts: NDArray[np.int64]
) -> Arrival:
    """Advance through the pieces of two motions (k, 24), one after the other."""
    arrival, start = Arrival(SEPARATED, 0.0, -1, -1), start_of(rows_a, rows_b)
    i, j = number_at(rows_a, start), number_at(rows_b, start)
    w = CONTROL if options.method == CONTROLLED else NO_CONTROL
    while i < len(rows_a) and j < len(rows_b) and arrival.status == SEPARATED:
        motion, goal = _piece(a, b, rows_a[i], rows_b[j], start, options)
        arrival = advance(a, b, motion, goal, counts, w)
        i, j = i + (rows_a[i, END_TIME] <= goal.end), j + (rows_b[j, END_TIME] <= goal.end)
        start = goal.end
    return arrival


@kernel
def _piece(
    a: Body, b: Body, row_a: Array, row_b: Array, start: float, options: Options
) -> tuple[RelativeMotion, Goal]:
    """Join a piece of each motion; what is looked for in it ends where the first of the two does."""
    motion = relative_motion(row_a, row_b, a.origin, b.origin)
    return motion, goal_of(motion, Extent(a.reach, 0.0), Extent(b.reach, 0.0), row_a, row_b, options, start)


@kernel
def _motions(batch: Batch, i: int) -> tuple[Array, Array]:
    rows_a, rows_b = batch.rows_a, batch.rows_b
    return rows_a[min(i, len(rows_a) - 1)], rows_b[min(i, len(rows_b) - 1)]


@kernel
def _write(found: Found, i: int, arrival: Arrival) -> None:
    if arrival.status != SEPARATED:
        found.status[i] = told_status(arrival.status, arrival.time)
        found.time[i] = arrival.time
        found.triangles[i, 0], found.triangles[i, 1] = arrival.triangle_a, arrival.triangle_b
