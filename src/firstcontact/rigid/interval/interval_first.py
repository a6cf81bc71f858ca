"""First contacts of many motions of two bodies, by intervals of time."""

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
from firstcontact.advancement.goal import BodyExtent, Options, goal_of, motion_rows
from firstcontact.advancement.stretches import first_stretch, is_left, next_stretch
from firstcontact.arrays import Array
from firstcontact.bodies.mesh_body import Body
from firstcontact.rigid.interval.interval_search import Fronts, fronts_for, search_intervals

# Motions from which several threads are worth their start.
WORTH_A_THREAD = 8


def interval_first_times(a: Body, b: Body, rows: tuple[Array, Array], options: Options) -> Found:
    """Find the first contact for each motion: rows (n, k, 26) of each body, or (1, k, 26) for all."""
    n = max(map(len, rows)) if min(map(len, rows)) > 0 else 0
    found = nothing_found(n)

    def task(first: int, last: int) -> None:
        _search_range((a, b), rows, options, fronts_for(a.depth, b.depth), found, (first, last))

    if len(a.children) > 0 and len(b.children) > 0:
        on_ranges(task, n, WORTH_A_THREAD)
    return found


# A driver of its own, beside that of the other methods: who does not ask for intervals compiles none of it.
@driver
def _search_range(
    bodies: tuple[Body, Body],
    rows: tuple[Array, Array],
    options: Options,
    fronts: Fronts,
    found: Found,
    part: tuple[int, int],
) -> None:
    for k in range(part[0], part[1]):
        motions = motion_rows(rows[0], rows[1], k)
        arrival = search_pieces(bodies[0], bodies[1], motions, options, fronts, found.counts[k])
        if arrival.status != SEPARATED:
            write_arrival(found, k, arrival)


@kernel
def search_pieces(
    a: Body,
    b: Body,
    motions: tuple[Array, Array],
    options: Options,
    fronts: Fronts,
    counts: NDArray[np.int64],
) -> Arrival:
    """Find the first contact of two bodies, piece by piece of their motions."""
    extent_a, extent_b = BodyExtent(a.origin, a.reach, 0.0), BodyExtent(b.origin, b.reach, 0.0)
    rows_a, rows_b = motions
    stretch = first_stretch(rows_a, rows_b)
    while is_left(rows_a, rows_b, stretch):
        row_a, row_b = rows_a[stretch.piece_a], rows_b[stretch.piece_b]
        motion, goal = goal_of(extent_a, extent_b, row_a, row_b, options, stretch.start)
        arrival = search_intervals(a, b, motion, goal, fronts, counts)
        if arrival.status != SEPARATED:
            return arrival
        stretch = next_stretch(rows_a, rows_b, stretch, goal.end)
    return not_arrived(SEPARATED, 0.0)
