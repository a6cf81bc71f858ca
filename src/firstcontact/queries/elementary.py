"""Vertex-face and edge-edge queries, batched."""

from concurrent.futures import Executor
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike

from firstcontact._validate import as_flag, as_length, as_queries, as_scalar
from firstcontact.advancement.ask import Ask
from firstcontact.answers.elementary_results import ElementaryContacts, ElementaryStats, ElementaryTimes
from firstcontact.arrays import Array
from firstcontact.narrowphase.elementary.contact_spans import contact_spans
from firstcontact.narrowphase.elementary.elementary_ccd import decide_exactly, solve_queries, weigh_contacts
from firstcontact.narrowphase.elementary.elementary_query import SEPARATED, Options
from firstcontact.narrowphase.elementary.elementary_stages import (
    BY_ADVANCEMENT,
    BY_EXACT,
    BY_FILTER,
    BY_REFINEMENT,
    BY_ROOTS,
    Answers,
)
from firstcontact.narrowphase.elementary.tie_stage import BY_TIES
from firstcontact.queries.spread.spread_batch import spread_answer
from firstcontact.spreading.batch import Batch, check_batch, is_read_in_parts


@overload
def vertex_face_ccd(
    start: ArrayLike,
    end: ArrayLike,
    *,
    all_times: Literal[False] = False,
    exact: bool = False,
    time_tolerance: float = 1e-9,
    min_separation: float = 0.0,
    max_time: float = 1.0,
    executor: Executor | None = None,
    out: str | Path | None = None,
) -> ElementaryContacts: ...


@overload
def vertex_face_ccd(
    start: ArrayLike,
    end: ArrayLike,
    *,
    all_times: Literal[True],
    exact: bool = False,
    time_tolerance: float = 1e-9,
    min_separation: float = 0.0,
    max_time: float = 1.0,
    executor: Executor | None = None,
    out: str | Path | None = None,
) -> ElementaryTimes: ...


def vertex_face_ccd(
    start: ArrayLike,
    end: ArrayLike,
    *,
    all_times: bool = False,
    exact: bool = False,
    time_tolerance: float = 1e-9,
    min_separation: float = 0.0,
    max_time: float = 1.0,
    executor: Executor | None = None,
    out: str | Path | None = None,
) -> ElementaryContacts | ElementaryTimes:
    """When does each vertex first touch its face, all points moving linearly from t = 0 to t = 1?

    Never late, never missed. With ``exact=True``, `hit` is the mathematical truth for the given doubles;
    otherwise what floating point cannot decide counts as a hit, `Status.UNDECIDED`.

    Parameters
    ----------
    start, end : (n, 4, 3) or (4, 3) array_like
        Vertex, then the corners a, b, c of the face. Degenerate faces are segments or points.
    all_times : whether to give every time of contact, not only the first, as `ElementaryTimes`; always exact
    exact, time_tolerance : decide (near) ties in exact arithmetic; width to narrow times of contact down to.
    min_separation, max_time : a distance up to this counts as contact; [0, max_time] is searched.
    executor, out : as for `first_contacts`; an `np.memmap` or a `dask.array` is then read in parts

    Examples
    --------
    >>> face = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> r = vertex_face_ccd([[0.25, 0.25, 1], *face], [[0.25, 0.25, -1], *face])
    >>> bool(r.hit), round(float(r.time), 6), r.weights.round(6).tolist()
    (True, 0.5, [1.0, 0.5, 0.25, 0.25])

    A vertex that slides into the face, in its plane, is in contact from then on:
    >>> vertex_face_ccd([[0.5, -1, 0], *face], [[0.5, 1, 0], *face], all_times=True).touch.tolist()
    [[0.5, 0.5]]
    """
    options = _options(False, max_time, time_tolerance, min_separation)
    asked = Elementary(options, as_flag("exact", exact), as_flag("all_times", all_times))
    return _asked(start, end, asked, executor, out)


@overload
def edge_edge_ccd(
    start: ArrayLike,
    end: ArrayLike,
    *,
    all_times: Literal[False] = False,
    exact: bool = False,
    time_tolerance: float = 1e-9,
    min_separation: float = 0.0,
    max_time: float = 1.0,
    executor: Executor | None = None,
    out: str | Path | None = None,
) -> ElementaryContacts: ...


@overload
def edge_edge_ccd(
    start: ArrayLike,
    end: ArrayLike,
    *,
    all_times: Literal[True],
    exact: bool = False,
    time_tolerance: float = 1e-9,
    min_separation: float = 0.0,
    max_time: float = 1.0,
    executor: Executor | None = None,
    out: str | Path | None = None,
) -> ElementaryTimes: ...


def edge_edge_ccd(
    start: ArrayLike,
    end: ArrayLike,
    *,
    all_times: bool = False,
    exact: bool = False,
    time_tolerance: float = 1e-9,
    min_separation: float = 0.0,
    max_time: float = 1.0,
    executor: Executor | None = None,
    out: str | Path | None = None,
) -> ElementaryContacts | ElementaryTimes:
    """When do the two edges of each pair first touch, all points moving linearly from t = 0 to t = 1?

    The guarantee and the options are those of `vertex_face_ccd`.

    Parameters
    ----------
    start, end : (n, 4, 3) or (4, 3) array_like
        Ends a0, a1 of the first edge, then b0, b1 of the second. Edges of no length are points.
    all_times, exact, time_tolerance, min_separation, max_time, executor, out : as for `vertex_face_ccd`.

    Examples
    --------
    >>> a, b = [[-1, 0, 1], [1, 0, 1]], [[0, -1, 0], [0, 1, 0]]
    >>> a_end = [[-1, 0, -1], [1, 0, -1]]
    >>> r = edge_edge_ccd([*a, *b], [*a_end, *b])
    >>> bool(r.hit), round(float(r.time), 6), r.weights.round(6).tolist()
    (True, 0.5, [0.5, 0.5, 0.5, 0.5])

    Parallel edges that slide along one line and meet end to end, at exactly a third of the way:

    >>> a, b = [[0, 0, 0], [1, 0, 0]], [[2, 0, 0], [4, 0, 0]]
    >>> r = edge_edge_ccd([*a, *b], [[3, 0, 0], [4, 0, 0], *b], exact=True, time_tolerance=0)
    >>> bool(r.time <= 1 / 3 <= r.time_upper), float(r.time_upper - r.time) < 1e-15
    (True, True)
    """
    options = _options(True, max_time, time_tolerance, min_separation)
    asked = Elementary(options, as_flag("exact", exact), as_flag("all_times", all_times))
    return _asked(start, end, asked, executor, out)


def _options(is_edge_edge: bool, max_time: float, time_tolerance: float, min_separation: float) -> Options:
    return Options(
        is_edge_edge,
        as_scalar("max_time", max_time, 0.0, 1.0),
        as_scalar("time_tolerance", time_tolerance, 0.0),
        as_length("min_separation", min_separation),
    )


class Elementary(NamedTuple):
    """What is asked about each query; the rows are where they start and end."""

    options: Options
    exact: bool
    all_times: bool

    def answer(self, rows: tuple[Any, ...]) -> ElementaryContacts | ElementaryTimes:
        """Answer some queries."""
        start_t0, end_t1, is_single = as_queries(*rows)
        if self.all_times:
            return _all_times(start_t0, end_t1, self.options)
        return _elementary_ccd(start_t0, end_t1, is_single, self.options, self.exact)


def _asked(
    start: Any, end: Any, asked: Elementary, executor: Any, out: Any
) -> ElementaryContacts | ElementaryTimes:
    if executor is None and out is None:
        return asked.answer((start, end))
    ask, unit = Ask.checked(executor=executor, out=out), "queries"
    if is_read_in_parts(start) or is_read_in_parts(end):
        shapes = {np.shape(one) for one in (start, end)}
        if len(shapes) > 1 or np.ndim(start) != 3:
            both = " and ".join(map(str, sorted(shapes)))
            raise ValueError(f"start and end must have one shape (n, 4, 3); received {both}")
        found = spread_answer(Batch(asked, (start, end), len(start), unit), ask)
    else:
        *rows, is_single = as_queries(start, end)
        n = check_batch(set() if is_single else {len(rows[0])}, "an elementary query")
        found = spread_answer(Batch(asked, tuple(rows), n, unit), ask)
    contacts: ElementaryContacts | ElementaryTimes = found
    return contacts


def _elementary_ccd(
    start_t0: Array, end_t1: Array, is_single: bool, options: Options, exact: bool
) -> ElementaryContacts:
    began = perf_counter()
    answers = solve_queries(start_t0, end_t1, options)
    solved = perf_counter()
    if exact:
        decide_exactly(start_t0, end_t1, options, answers)
    stats = _stats(answers, solved - began, perf_counter() - solved)
    weights = weigh_contacts(start_t0, end_t1, options, answers)
    row = 0 if is_single else slice(None)
    return ElementaryContacts(
        hit=(answers.status != SEPARATED)[row],
        time=answers.time[row],
        time_upper=answers.time_upper[row],
        weights=weights[row],
        status=answers.status[row],
        stats=stats,
    )


def _all_times(start_t0: Array, end_t1: Array, options: Options) -> ElementaryTimes:
    """Every time of contact: of what floating point does not prove free, in exact arithmetic."""
    status = solve_queries(start_t0, end_t1, options).status
    counts, spans = np.zeros(len(status) + 1, np.int64), []
    for row in np.flatnonzero(status != SEPARATED).tolist():
        found = contact_spans(start_t0[row], end_t1[row], options)
        counts[row + 1] = len(found)
        spans += found
    return ElementaryTimes(
        offsets=np.cumsum(counts),
        touch=np.array([span.touch for span in spans], np.float64).reshape(-1, 2),
        part=np.array([span.part for span in spans], np.float64).reshape(-1, 2),
        is_instant=np.array([span.is_instant for span in spans], np.bool_),
        is_crossing=np.array([span.is_crossing for span in spans], np.bool_),
    )


def _stats(answers: Answers, seconds: float, seconds_exact: float) -> ElementaryStats:
    counts = np.bincount(answers.stage, minlength=BY_TIES + 1)
    return ElementaryStats(
        queries=len(answers.stage),
        culled=int(counts[BY_FILTER]),
        solved=int(counts[BY_ROOTS]),
        advanced=int(counts[BY_ADVANCEMENT]),
        ties=int(counts[BY_TIES]),
        refined=int(counts[BY_REFINEMENT]),
        exact=int(counts[BY_EXACT]),
        seconds=seconds,
        seconds_exact=seconds_exact,
    )
