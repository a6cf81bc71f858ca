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
from firstcontact.advancement.far_pieces import is_clearly_far, is_far
from firstcontact.advancement.goal import BodyExtent, Options, goal_of
from firstcontact.advancement.queue import Queue, new_queue
from firstcontact.advancement.stretches import (
    WHOLE,
    TwoMotions,
    finer_rows,
    finer_stretch,
    first_stretch,
    is_left,
    motions_of,
    next_stretch,
)
from firstcontact.arrays import Array
from firstcontact.bodies.mesh_body import Body
from firstcontact.motions.law_table import LawTables, room_for
from firstcontact.motions.rigid_motion import END_TIME
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


def first_times(
    a: Body, b: Body, rows: tuple[Array, Array], options: Options, tables: LawTables | None = None
) -> Found:
    """Find the first contact for each motion: rows (n, k, 26) of each body, or (1, k, 26) for all.

    By the tables of their laws, in finer pieces where that decides.
    """
    rows_a, rows_b = rows
    n = max(len(rows_a), len(rows_b)) if min(len(rows_a), len(rows_b)) > 0 else 0
    found, batch = nothing_found(n), Batch(a, b, rows_a, rows_b)

    def task(first: int, last: int) -> None:
        queue = new_queue() if options.method == BEST_FIRST else None
        stack = stack_for(a.depth, b.depth) if queue is None else None
        _search_range(batch, options, queue, stack, tables, found, (first, last))

    if len(a.children) > 0 and len(b.children) > 0:
        on_ranges(task, n, WORTH_A_THREAD)
    return found


@driver
def _search_range(
    batch: Batch,
    options: Options,
    queue: Queue | None,
    stack: Stack | None,
    tables: LawTables | None,
    found: Found,
    part: tuple[int, int],
) -> None:
    """Search in a queue, or advance with a stack: only what has room to work in is compiled."""
    room = room_for(tables)
    for k in range(part[0], part[1]):
        motions = motions_of(batch.rows_a, batch.rows_b, tables, room, k)
        arrival = search_pieces(batch.a, batch.b, motions, options, queue, stack, found.counts[k])
        if arrival.status != SEPARATED:
            write_arrival(found, k, arrival)


@kernel
def search_pieces(
    a: Body,
    b: Body,
    motions: TwoMotions,
    options: Options,
    queue: Queue | None,
    stack: Stack | None,
    counts: NDArray[np.int64],
) -> Arrival:
    """Find the first contact of two bodies, stretch by stretch of their motions."""
    extent_a, extent_b = BodyExtent(a.origin, a.reach, 0.0), BodyExtent(b.origin, b.reach, 0.0)
    rows_a, rows_b, separation = motions.rows_a, motions.rows_b, options.min_separation
    is_long, stretch = len(rows_a) > 1 or len(rows_b) > 1, first_stretch(rows_a, rows_b)
    while is_left(rows_a, rows_b, stretch):
        row_a, row_b = rows_a[stretch.piece_a], rows_b[stretch.piece_b]
        if stretch.length < WHOLE:
            row_a, row_b = finer_rows(motions, stretch)
        elif is_long and is_clearly_far(row_a, row_b, stretch.start, separation, extent_a, extent_b):
            stretch = next_stretch(rows_a, rows_b, stretch, min(row_a[END_TIME], row_b[END_TIME]))
            continue
        motion, goal = goal_of(extent_a, extent_b, row_a, row_b, options, stretch.start)
        arrival = not_arrived(SEPARATED, goal.end)
        is_passed = is_long and is_far(motion, goal, extent_a, extent_b)
        if queue is not None and not is_passed:
            arrival = search(a, b, motion, goal, queue, counts)
        if stack is not None and not is_passed:
            w = CONTROL if options.method == CONTROLLED else NO_CONTROL
            arrival = advance(a, b, motion, goal, stack, counts, w)
        if arrival.status == SEPARATED:
            stretch = next_stretch(rows_a, rows_b, stretch, goal.end)
            continue
        rows = row_a, row_b
        stretch, arrival, is_open = finer_stretch(motions, stretch, rows, arrival, goal, options.tolerance)
        if not is_open:
            return arrival
    return not_arrived(SEPARATED, 0.0)
