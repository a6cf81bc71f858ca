"""Vertex-face and edge-edge queries: one stage after the other, each on what the one before left open."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import on_ranges
from firstcontact.arrays import INFINITY, Array
from firstcontact.narrowphase.elementary.coplanarity_filter import BLOCK
from firstcontact.narrowphase.elementary.elementary_exact import exact_contact
from firstcontact.narrowphase.elementary.elementary_query import (
    CONTACT,
    MAX_ITERATIONS,
    SEPARATED,
    UNDECIDED,
    Options,
)
from firstcontact.narrowphase.elementary.elementary_stages import (
    BY_EXACT,
    BY_FILTER,
    Answers,
    Rows,
    advance_rows,
    refine_rows,
    solve_all,
    weigh_rows,
)
from firstcontact.narrowphase.elementary.tie_stage import BY_TIES, cross_rows, touch_rows

# Queries, or rows, from which a thread is worth its start.
WORTH_A_THREAD = 4096


def solve_queries(start: Array, end: Array, options: Options) -> Answers:
    """Answer every query in floating point; what that cannot decide is UNDECIDED or MAX_ITERATIONS."""
    n = len(start)
    answers = _open_answers(n)

    def solve(first: int, last: int) -> None:
        rows = slice(first * BLOCK, min(last * BLOCK, n))
        solve_all(start[rows], end[rows], options, Answers._make(array[rows] for array in answers))

    if options.min_separation == 0.0:
        on_ranges(solve, -(-n // BLOCK), WORTH_A_THREAD // BLOCK)
    finish_queries(start, end, options, answers)
    return answers


def finish_queries(
    start: Array,
    end: Array,
    options: Options,
    answers: Answers,
    separations: Array | None = None,
    is_advanced: bool = False,
) -> None:
    """Take up what the roots left open, or too wide, by the later stages, from the times reached so far.

    separations : (n,), of each query its own in place of that of the options; either all are 0 or none is
    is_advanced : what is open was left so by advancement
    """
    rows = _open_rows(answers)
    if not is_advanced:
        own = np.full(len(start), options.min_separation) if separations is None else separations
        _on_rows(advance_rows, start, end, options, rows, answers, own)
    if options.min_separation == 0.0:
        _decide_ties(start, end, options, rows, answers)
        unfinished = np.flatnonzero(_is_unfinished(answers, options))
        _on_rows(refine_rows, start, end, options, unfinished, answers)
        _decide_ties(start, end, options, rows, answers)


def decide_exactly(
    start: Array, end: Array, options: Options, answers: Answers, separations: Array | None = None
) -> None:
    """Answer in exact arithmetic what is open, too wide, or may or may not be in contact at the start."""
    if options.min_separation == 0.0:
        _on_rows(touch_rows, start, end, options, _rows_maybe_at_start(answers), answers)
    is_open = _is_unfinished(answers, options)
    is_open[_rows_maybe_at_start(answers)] = True
    for row in np.flatnonzero(is_open).tolist():
        own = options if separations is None else options._replace(min_separation=float(separations[row]))
        found = exact_contact(start[row], end[row], own)
        answers.status[row], answers.time[row], answers.time_upper[row] = found
        answers.stage[row] = BY_EXACT


def weigh_contacts(start: Array, end: Array, options: Options, answers: Answers) -> Array:
    """Barycentric weights of the closest points at each contact's time; NaN where there is no contact."""
    weights = np.full((len(start), 4), np.nan)
    rows = np.flatnonzero(answers.status != SEPARATED)
    _on_rows(weigh_rows, start, end, options, rows, answers.time, weights)
    return weights


def _decide_ties(start: Array, end: Array, options: Options, rows: Rows, answers: Answers) -> None:
    """Look for exact ties among the rows that are still open."""
    for stage in (touch_rows, cross_rows):
        if len(rows) == 0:
            return
        rows = rows[_is_open(answers.status[rows])]
        _on_rows(stage, start, end, options, rows, answers)


def _on_rows(
    stage: Callable[..., None], start: Array, end: Array, options: Options, rows: Rows, *outputs: object
) -> None:
    """Run a stage on some rows, if there are any, on all threads where that is worth it."""
    if len(rows):
        on_ranges(
            lambda first, last: stage(start, end, options, rows[first:last], *outputs),
            len(rows),
            WORTH_A_THREAD,
        )


def _open_answers(n: int) -> Answers:
    """Answers of n queries about which nothing is known yet."""
    return Answers(
        status=np.full(n, UNDECIDED, np.int8),
        time=np.zeros(n),
        time_upper=np.full(n, INFINITY),
        stage=np.full(n, BY_FILTER, np.int8),
    )


def _is_open(status: NDArray[np.int8]) -> NDArray[np.bool_]:
    is_open: NDArray[np.bool_] = (status == UNDECIDED) | (status == MAX_ITERATIONS)
    return is_open


def _open_rows(answers: Answers) -> Rows:
    return np.flatnonzero(_is_open(answers.status))


def _rows_maybe_at_start(answers: Answers) -> Rows:
    """Rows whose contact may be at t = 0 or just after; the ties among them are known to be one or other."""
    return np.flatnonzero((answers.status == CONTACT) & (answers.time == 0.0) & (answers.stage != BY_TIES))


def _is_unfinished(answers: Answers, options: Options) -> NDArray[np.bool_]:
    """Which rows are open, or have a bracket that is wider than the tolerance and than one float?"""
    is_unfinished, rows = _is_open(answers.status), np.flatnonzero(answers.status == CONTACT)
    if len(rows):
        lower, upper = answers.time[rows], answers.time_upper[rows]
        is_wide = (upper - lower > options.time_tolerance) & (upper > np.nextafter(lower, INFINITY))
        is_unfinished[rows[is_wide]] = True
    return is_unfinished
