"""First contacts of many motions of two bodies, by any of the methods."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.arrival import (
    SEPARATED,
    Arrival,
    Found,
    not_arrived,
    nothing_found,
    write_arrival,
)
from firstcontact.advancement.far_pieces import is_far
from firstcontact.advancement.goal import BodyExtent, Options, goal_of, motion_rows, pieces_after
from firstcontact.advancement.queue import Queue, new_queue
from firstcontact.arrays import Array
from firstcontact.bodies.mesh_body import Body
from firstcontact.motions.rigid_motion import number_at, start_of
from firstcontact.rigid.best_first import search
from firstcontact.rigid.controlled_advancement import CONTROL, NO_CONTROL, Stack, advance, stack_for

# How to search: earliest pairs first; all pairs together, as published in 2009; and that without control.
METHODS = {"c2a": 0, "c2a-2009": 1, "ca": 2}
BEST_FIRST, CONTROLLED, UNCONTROLLED = METHODS.values()

# Motions from which several threads are worth their start.
WORTH_A_THREAD = 8


class Batch(NamedTuple):
    """Two bodies, and motions of each: rows (n, k, 26), or (1, k, 26) for all."""

    a: Body
    b: Body
    rows_a: Array
    rows_b: Array


def first_times(a: Body, b: Body, rows_a: Array, rows_b: Array, options: Options) -> Found:
    """Find the first contact for each motion: rows (n, k, 26) of each body, or (1, k, 26) for all."""
    n = max(len(rows_a), len(rows_b)) if min(len(rows_a), len(rows_b)) > 0 else 0
    found, batch = nothing_found(n), Batch(a, b, rows_a, rows_b)

    def task(first: int, last: int) -> None:
        queue = new_queue() if options.method == BEST_FIRST else None
        stack = stack_for(a.depth, b.depth) if queue is None else None
        _search_range(batch, options, queue, stack, found, first, last)

    if len(a.children) > 0 and len(b.children) > 0:
        on_ranges(task, n, WORTH_A_THREAD)
    return found


@driver
def _search_range(
    batch: Batch,
    options: Options,
    queue: Queue | None,
    stack: Stack | None,
    found: Found,
    first: int,
    last: int,
) -> None:
    """Search in a queue, or advance with a stack: only what has room to work in is compiled."""
    for k in range(first, last):
        motions = motion_rows(batch.rows_a, batch.rows_b, k)
        arrival = search_pieces(batch.a, batch.b, motions, options, queue, stack, found.counts[k])
        if arrival.status != SEPARATED:
            write_arrival(found, k, arrival)


@kernel
def search_pieces(
    a: Body,
    b: Body,
    motions: tuple[Array, Array],
    options: Options,
    queue: Queue | None,
    stack: Stack | None,
    counts: NDArray[np.int64],
) -> Arrival:
    """Find the first contact of two bodies, piece by piece of their motions, (k, 26) each."""
    rows_a, rows_b = motions
    extent_a, extent_b = BodyExtent(a.origin, a.reach, 0.0), BodyExtent(b.origin, b.reach, 0.0)
    arrival, start = not_arrived(SEPARATED, 0.0), start_of(rows_a, rows_b)
    i, j = number_at(rows_a, start), number_at(rows_b, start)
    is_long = len(rows_a) > 1 or len(rows_b) > 1
    while i < len(rows_a) and j < len(rows_b) and arrival.status == SEPARATED:
        motion, goal = goal_of(extent_a, extent_b, rows_a[i], rows_b[j], options, start)
        is_passed = is_long and is_far(motion, goal, extent_a, extent_b)
        if queue is not None and not is_passed:
            arrival = search(a, b, motion, goal, queue, counts)
        if stack is not None and not is_passed:
            w = CONTROL if options.method == CONTROLLED else NO_CONTROL
            arrival = advance(a, b, motion, goal, stack, counts, w)
        (i, j), start = pieces_after(rows_a, rows_b, i, j, goal.end), goal.end
    return arrival
