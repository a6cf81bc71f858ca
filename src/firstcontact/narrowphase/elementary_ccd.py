"""Vertex-face and edge-edge queries: one stage after the other, each on what the one before left open."""

from collections.abc import Callable

import numpy as np

from firstcontact._jit import parallel_region, thread_count
from firstcontact.narrowphase.elementary_exact import exact_contact
from firstcontact.narrowphase.elementary_query import (
    CONTACT,
    INFINITY,
    MAX_ITERATIONS,
    SEPARATED,
    UNDECIDED,
    Options,
)
from firstcontact.narrowphase.elementary_stages import (
    BY_EXACT,
    BY_FILTER,
    Answers,
    Array,
    Rows,
    advance_parallel,
    advance_serial,
    refine_parallel,
    refine_serial,
    solve_parallel,
    solve_serial,
    weigh_parallel,
    weigh_serial,
)

# Queries from which several threads are worth their start, which takes up to milliseconds.
PARALLEL_FROM = 8192


def solve_queries(start: Array, end: Array, options: Options) -> Answers:
    """Answer every query in floating point; what that cannot decide is UNDECIDED or MAX_ITERATIONS."""
    answers = _open_answers(len(start))
    if options.min_separation == 0.0:
        _run(len(start), solve_serial, solve_parallel, start, end, options, answers)
    rows = _open_rows(answers)
    _run(len(rows), advance_serial, advance_parallel, start, end, options, rows, answers)
    if options.min_separation == 0.0:
        rows = _unfinished_rows(answers, options)
        _run(len(rows), refine_serial, refine_parallel, start, end, options, rows, answers)
    return answers


def decide_exactly(start: Array, end: Array, options: Options, answers: Answers) -> None:
    """Answer in exact arithmetic what is open, too wide, or may or may not be in contact at the start."""
    at_start = np.flatnonzero((answers.status == CONTACT) & (answers.time == 0.0))
    for row in np.union1d(_unfinished_rows(answers, options), at_start):
        found = exact_contact(start[row], end[row], options)
        answers.status[row], answers.time[row], answers.time_upper[row] = found
        answers.stage[row] = BY_EXACT


def weigh_contacts(start: Array, end: Array, options: Options, answers: Answers) -> Array:
    """Barycentric weights of the closest points at each contact's time; NaN where there is no contact."""
    weights = np.full((len(start), 4), np.nan)
    rows = np.flatnonzero(answers.status != SEPARATED)
    _run(len(rows), weigh_serial, weigh_parallel, start, end, options, rows, answers.time, weights)
    return weights


def _run(size: int, serial: Callable[..., None], parallel: Callable[..., None], *arguments: object) -> None:
    """Run a stage on all threads where its size is worth it, and not at all where it is zero."""
    if size == 0:
        return
    if size < PARALLEL_FROM or thread_count() == 1:
        serial(*arguments)
        return
    with parallel_region():
        parallel(*arguments)


def _open_answers(n: int) -> Answers:
    """Answers of n queries about which nothing is known yet."""
    return Answers(
        status=np.full(n, UNDECIDED, np.int8),
        time=np.zeros(n),
        time_upper=np.full(n, INFINITY),
        stage=np.full(n, BY_FILTER, np.int8),
    )


def _open_rows(answers: Answers) -> Rows:
    return np.flatnonzero((answers.status == UNDECIDED) | (answers.status == MAX_ITERATIONS))


def _unfinished_rows(answers: Answers, options: Options) -> Rows:
    """Rows that are open, or whose bracket is wider than the tolerance and than one float."""
    rows = np.flatnonzero(answers.status == CONTACT)
    rows = rows[answers.time_upper[rows] - answers.time[rows] > options.time_tolerance]
    is_wide = answers.time_upper[rows] > np.nextafter(answers.time[rows], INFINITY)
    return np.union1d(_open_rows(answers), rows[is_wide])
