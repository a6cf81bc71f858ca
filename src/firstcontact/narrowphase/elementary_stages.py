"""The stages over many queries: a scalar kernel a query, and drivers that run it on one or on all threads.

Each stage writes what it decided into the answers, and leaves the rest open for the next. Stages are compiled
when a query first needs them: most batches never reach the later ones. Rows are independent of each other, so
the bytes written do not depend on the number of threads.
"""

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel, parallel_kernel
from firstcontact.narrowphase.advancement import advance
from firstcontact.narrowphase.closest_points import contact_weights
from firstcontact.narrowphase.coplanarity_filter import (
    BLOCK,
    block_points,
    filter_block,
    gather_block,
    is_apart,
)
from firstcontact.narrowphase.coplanarity_roots import first_crossing
from firstcontact.narrowphase.elementary_query import (
    CONTACT,
    CONTACT_AT_START,
    INFINITY,
    SEPARATED,
    UNDECIDED,
    Finding,
    Options,
)
from firstcontact.narrowphase.moving_quad import MovingQuad, Quadruple, moving_quad, quad_at
from firstcontact.narrowphase.refinement import refined_contact

# Which stage decided a query, or was the last to leave it open.
BY_FILTER = 0
BY_ROOTS = 1
BY_ADVANCEMENT = 2
BY_REFINEMENT = 3
BY_EXACT = 4

Array = NDArray[np.float64]
Rows = NDArray[np.int64]


class Answers(NamedTuple):
    """One row a query. An open row is UNDECIDED: free before `time`, in contact by `time_upper` if finite."""

    status: NDArray[np.int8]
    time: Array
    time_upper: Array
    proven: Array  # lower end of the bracket of a proven contact that ends at `time_upper`; infinite if none
    stage: NDArray[np.int8]


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
def solve_roots(quad: MovingQuad, options: Options, row: int, answers: Answers) -> None:
    """Decide a row by the roots of its cubic, or leave it open from the first time they say nothing about."""
    answers.stage[row] = BY_ROOTS
    crossing = first_crossing(quad, options)
    answers.time_upper[row] = crossing.upper
    answers.proven[row] = crossing.lower
    answers.time[row] = min(crossing.lower, crossing.open_from)
    answers.status[row] = SEPARATED if crossing.lower == INFINITY else CONTACT
    if crossing.open_from < INFINITY:
        answers.status[row] = UNDECIDED


@kernel
def solve_block(start: Array, end: Array, first: int, options: Options, answers: Answers) -> None:
    """Filter a block of queries, and solve what is left of it by roots."""
    count = min(BLOCK, len(start) - first)
    block = np.empty(24 * BLOCK)
    is_free = np.empty(BLOCK, np.bool_)
    gather_block(start, end, first, count, block)
    filter_block(block, count, options, is_free)
    for q in range(count):
        row = first + q
        if is_free[q]:
            answers.status[row] = SEPARATED
            answers.time[row] = INFINITY
            answers.time_upper[row] = INFINITY
            answers.proven[row] = INFINITY
            answers.stage[row] = BY_FILTER
        else:
            quad = moving_quad(block_points(block, 0, q), block_points(block, 12, q))
            solve_roots(quad, options, row, answers)


@kernel
def solve_serial(start: Array, end: Array, options: Options, answers: Answers) -> None:
    """Filter and solve every query on this thread."""
    for first in range(0, len(start), BLOCK):
        solve_block(start, end, first, options, answers)


@parallel_kernel
def solve_parallel(start: Array, end: Array, options: Options, answers: Answers) -> None:
    """Filter and solve every query on all threads."""
    n_blocks = (len(start) + BLOCK - 1) // BLOCK
    for b in numba.prange(n_blocks):
        solve_block(start, end, b * BLOCK, options, answers)


@kernel
def settle(found: Finding, row: int, answers: Answers, stage: int) -> None:
    """Write what a later stage found in the open time of a row, which ends at its proven contact if any."""
    answers.stage[row] = stage
    answers.status[row] = found.status
    answers.time[row] = found.lower
    if found.status == SEPARATED:
        answers.time[row] = answers.proven[row]
        answers.status[row] = CONTACT if answers.proven[row] < INFINITY else SEPARATED
    elif found.status == CONTACT or found.status == CONTACT_AT_START:
        answers.time_upper[row] = found.upper


@kernel
def advance_row(start: Array, end: Array, options: Options, row: int, answers: Answers) -> None:
    """Decide an open row by conservative advancement, or leave it open from a later time."""
    t0, t1 = points_of(start, row), points_of(end, row)
    if is_apart(t0, t1, options.is_edge_edge, options.min_separation):
        settle(Finding(SEPARATED, INFINITY, INFINITY), row, answers, BY_FILTER)
        return
    last = min(answers.proven[row], options.max_time)
    found = advance(moving_quad(t0, t1), options, answers.time[row], last)
    settle(found, row, answers, BY_ADVANCEMENT)


@kernel
def advance_serial(start: Array, end: Array, options: Options, rows: Rows, answers: Answers) -> None:
    """Advance some rows on this thread."""
    for row in rows:
        advance_row(start, end, options, row, answers)


@parallel_kernel
def advance_parallel(start: Array, end: Array, options: Options, rows: Rows, answers: Answers) -> None:
    """Advance some rows on all threads."""
    for i in numba.prange(len(rows)):
        advance_row(start, end, options, rows[i], answers)


@kernel
def refine_row(start: Array, end: Array, options: Options, row: int, answers: Answers) -> None:
    """Narrow down the first contact of a row in double-double arithmetic, or leave it open from a time."""
    last = min(answers.time_upper[row], options.max_time)
    found = refined_contact(points_of(start, row), points_of(end, row), options, answers.time[row], last)
    settle(found, row, answers, BY_REFINEMENT)


@kernel
def refine_serial(start: Array, end: Array, options: Options, rows: Rows, answers: Answers) -> None:
    """Refine some rows on this thread."""
    for row in rows:
        refine_row(start, end, options, row, answers)


@parallel_kernel
def refine_parallel(start: Array, end: Array, options: Options, rows: Rows, answers: Answers) -> None:
    """Refine some rows on all threads."""
    for i in numba.prange(len(rows)):
        refine_row(start, end, options, rows[i], answers)


@kernel
def weigh_row(start: Array, end: Array, options: Options, t: float, row: int, weights: Array) -> None:
    """Write the weights of the closest points of a row at time t."""
    quad = moving_quad(points_of(start, row), points_of(end, row))
    w = contact_weights(quad_at(quad, t), options.is_edge_edge)
    for i in range(4):
        weights[row, i] = w[i]


@kernel
def weigh_serial(start: Array, end: Array, options: Options, times: Array, weights: Array) -> None:
    """Write the weights of every row with a finite time, on this thread."""
    for row in range(len(times)):
        if times[row] < INFINITY:
            weigh_row(start, end, options, times[row], row, weights)


@parallel_kernel
def weigh_parallel(start: Array, end: Array, options: Options, times: Array, weights: Array) -> None:
    """Write the weights of every row with a finite time, on all threads."""
    for row in numba.prange(len(times)):
        if times[row] < INFINITY:
            weigh_row(start, end, options, times[row], row, weights)
