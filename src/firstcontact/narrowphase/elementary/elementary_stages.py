"""The stages over many queries: a kernel for a query or a block, and a driver over queries or chosen rows.

Each stage writes what it decided into the answers, and leaves the rest open for the next. Stages are compiled
when a query first needs them: most batches never reach the later ones. Rows are independent of each other, so
the bytes written do not depend on the number of threads.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.narrowphase.elementary.coplanarity_filter import BLOCK, filter_block, gather_block, is_apart
from firstcontact.narrowphase.elementary.coplanarity_roots import (
    CUBICS_SIZE,
    LOWER,
    ROOTS,
    ROOTS_SIZE,
    UPPER,
    bracket_roots,
    classify_parts,
    is_left_open,
    iterate_roots,
    keep_live,
    list_roots,
    load_roots,
)
from firstcontact.narrowphase.elementary.elementary_query import (
    CONTACT,
    SEPARATED,
    UNDECIDED,
    Finding,
    Options,
)
from firstcontact.narrowphase.elementary.inclusion import INSIDE, OUTSIDE
from firstcontact.narrowphase.elementary.moving_quad import Quadruple, moving_quad, quad_at
from firstcontact.narrowphase.elementary.refinement import refined_contact
from firstcontact.narrowphase.elementary.separation_advancement import advance
from firstcontact.narrowphase.triangles.closest_points import contact_weights

# Which stage decided a query, or was the last to leave it open.
BY_FILTER = 0
BY_ROOTS = 1
BY_ADVANCEMENT = 2
BY_REFINEMENT = 3
BY_EXACT = 4

NO_CONTACT = Finding(SEPARATED, INFINITY, INFINITY)

Rows = NDArray[np.int64]


class Answers(NamedTuple):
    """One row a query; an open row is UNDECIDED or MAX_ITERATIONS, and free before its `time`."""

    status: NDArray[np.int8]
    time: Array
    time_upper: Array
    stage: NDArray[np.int8]


class Workspace(NamedTuple):
    """Rows of numbers for one block: coordinates, cubics, roots; then what is known of queries and roots."""

    block: Array
    cubics: Array
    roots: Array
    is_free: NDArray[np.bool_]
    live: Rows
    owners: Rows
    where: NDArray[np.int8]


@kernel
def store(found: Finding, row: int, answers: Answers) -> None:
    """Write what a stage found."""
    answers.status[row] = found.status
    answers.time[row] = found.lower
    answers.time_upper[row] = found.upper


@kernel
def points_of(points: Array, row: int) -> Quadruple:
    """Return the four points of a row."""
    p = points[row]
    return (
        (p[0, 0], p[0, 1], p[0, 2]),
        (p[1, 0], p[1, 1], p[1, 2]),
        (p[2, 0], p[2, 1], p[2, 2]),
        (p[3, 0], p[3, 1], p[3, 2]),
    )


@kernel
def workspace() -> Workspace:
    """Allocate what solving a block needs; a thread uses it for one block after the other."""
    return Workspace(
        np.empty(24 * BLOCK),
        np.empty(CUBICS_SIZE),
        np.empty(ROOTS_SIZE),
        np.empty(BLOCK, np.bool_),
        np.empty(BLOCK, np.int64),
        np.empty(2 * ROOTS, np.int64),
        np.empty(ROOTS, np.int8),
    )


@kernel
def solve_survivors(count: int, options: Options, first: int, answers: Answers, work: Workspace) -> None:
    """Solve by roots the queries of a block that are not free; what that leaves undecided stays open.

    The answers of all queries of the block go to the rows from `first` on.
    """
    block, cubics, roots, is_free, live, owners, where = work
    for q in range(count):
        store(NO_CONTACT, first + q, answers)
        answers.stage[first + q] = BY_FILTER if is_free[q] else BY_ROOTS
    n_live = keep_live(is_free, count, cubics, live)
    classify_parts(cubics, n_live, options.max_time)
    n_roots = list_roots(live[:n_live], cubics, owners)
    load_roots(block, cubics, owners, n_roots, roots)
    iterate_roots(roots, n_roots)
    bracket_roots(roots, n_roots, options, where)
    for j in range(n_roots - 1, -1, -1):  # the first root of a query has the last word
        if where[j] != OUTSIDE:
            found = Finding(UNDECIDED, roots[LOWER + j], options.max_time)
            if where[j] == INSIDE:
                found = Finding(CONTACT, roots[LOWER + j], roots[UPPER + j])
            store(found, first + owners[j], answers)
    for i in range(n_live):
        if is_left_open(cubics, i):
            store(Finding(UNDECIDED, 0.0, options.max_time), first + live[i], answers)


@kernel
def solve_rows(
    start: Array, end: Array, first: int, options: Options, answers: Answers, work: Workspace
) -> None:
    """Filter and solve the block of rows that begins at `first`."""
    count = min(BLOCK, len(start) - first)
    gather_block(start, end, first, count, work.block)
    filter_block(work.block, count, options, work.is_free, work.cubics)
    solve_survivors(count, options, first, answers, work)


@driver
def solve_all(start: Array, end: Array, options: Options, answers: Answers) -> None:
    """Filter and solve every query."""
    work = workspace()
    for first in range(0, len(start), BLOCK):
        solve_rows(start, end, first, options, answers, work)


@kernel
def advance_points(t0: Quadruple, t1: Quadruple, options: Options, row: int, answers: Answers) -> None:
    """Decide an open row by conservative advancement, or leave it open from a later time."""
    if is_apart(t0, t1, options.is_edge_edge, options.min_separation):
        store(NO_CONTACT, row, answers)
        answers.stage[row] = BY_FILTER
        return
    store(advance(moving_quad(t0, t1), options, answers.time[row]), row, answers)
    answers.stage[row] = BY_ADVANCEMENT


@kernel
def advance_row(start: Array, end: Array, options: Options, row: int, answers: Answers) -> None:
    """Advance the points of a row."""
    advance_points(points_of(start, row), points_of(end, row), options, row, answers)


@driver
def advance_rows(
    start: Array, end: Array, options: Options, rows: Rows, answers: Answers, separations: Array
) -> None:
    """Advance some rows, each with a separation of its own."""
    is_edge_edge, max_time, time_tolerance, _ = options
    for row in rows:
        own = Options(is_edge_edge, max_time, time_tolerance, separations[row])
        advance_row(start, end, own, row, answers)


@kernel
def refine_row(start: Array, end: Array, options: Options, row: int, answers: Answers) -> None:
    """Narrow down the first contact of a row in double-double arithmetic, or leave it open from a time."""
    last = min(answers.time_upper[row], options.max_time)
    found = refined_contact(points_of(start, row), points_of(end, row), options, answers.time[row], last)
    if answers.status[row] == CONTACT and found.status != CONTACT:
        return  # the wide bracket stands: what is proven is not given up
    store(found, row, answers)
    answers.stage[row] = BY_REFINEMENT


@driver
def refine_rows(start: Array, end: Array, options: Options, rows: Rows, answers: Answers) -> None:
    """Refine some rows."""
    for row in rows:
        refine_row(start, end, options, row, answers)


@kernel
def weigh_row(start: Array, end: Array, options: Options, row: int, times: Array, weights: Array) -> None:
    """Write the weights of the closest points of a row at its time."""
    quad = moving_quad(points_of(start, row), points_of(end, row))
    w = contact_weights(quad_at(quad, times[row]), options.is_edge_edge)
    for i in range(4):
        weights[row, i] = w[i]


@driver
def weigh_rows(start: Array, end: Array, options: Options, rows: Rows, times: Array, weights: Array) -> None:
    """Weigh some rows."""
    for row in rows:
        weigh_row(start, end, options, row, times, weights)
