"""The methods of the elementary benchmark: this library, and ipctk called pair by pair."""

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray
from query_sets import PEER_QUERIES, QUERY, QuerySet
from tqdm import tqdm

import firstcontact as fc

REFERENCE = "firstcontact, exact, 1 thread"
PEERS = ("TightInclusion", "AdditiveCCD")
_MAX_PASSES = 5
_N_TRIVIAL = 2000


class Measurement(NamedTuple):
    """What one method did on one set."""

    method: str
    kind: str
    set_name: str
    queries: int
    set_size: int
    hits: int
    microseconds: float  # a query
    standard_error: float | None  # of the microseconds, from the choice of the sample
    misses: int
    false_positives: int
    exact: int  # queries decided in exact arithmetic
    is_reference: bool  # its hits are what misses and false positives are counted against
    ratio: float = 1.0


def measure(queries: QuerySet, seconds: float, peer_scale: float, seed: int) -> list[Measurement]:
    """Run all methods on a set, each for about the given seconds; the reference method comes first."""
    truth, rows = queries.truth, []
    for threads in sorted({1, min(2, numba.config.NUMBA_NUM_THREADS)}):
        for exact in (True, False):
            row, hit = _library(queries, threads, exact, seconds, truth)
            truth = hit if truth is None else truth
            rows.append(row)
    for name in PEERS:
        rows.append(_peer(queries, name, seconds, peer_scale, seed, truth))
    return [row._replace(ratio=row.microseconds / rows[0].microseconds) for row in rows]


def _library(
    queries: QuerySet, threads: int, exact: bool, seconds: float, truth: NDArray[np.bool_] | None
) -> tuple[Measurement, NDArray[np.bool_]]:
    """Best of the calls that fit into the time, at least three; whole calls, input checks included."""
    numba.set_num_threads(threads)
    best, began, calls = np.inf, perf_counter(), 0
    result = _ask(queries, exact)  # not measured: it may compile
    while calls < 3 or perf_counter() - began < seconds:
        call_began = perf_counter()
        result = _ask(queries, exact)
        best = min(best, perf_counter() - call_began)
        calls += 1
    name = f"firstcontact, {'exact' if exact else 'float'}, {threads} thread{'s' * (threads > 1)}"
    row = _row(queries, name, result.hit, truth, result.stats.exact)
    return row._replace(microseconds=1e6 * best / len(result.hit)), result.hit


def _ask(queries: QuerySet, exact: bool) -> fc.ElementaryContacts:
    query = QUERY[queries.kind]
    return query(queries.start, queries.end, exact=exact, min_separation=queries.min_separation)


def _peer(
    queries: QuerySet, name: str, seconds: float, scale: float, seed: int, truth: NDArray[np.bool_]
) -> Measurement:
    """Ask a sample, pair by pair, in up to five passes; each query counts with its best time."""
    solve = _peer_query(name, queries.kind)
    n_sample = int(scale * PEER_QUERIES[queries.name][PEERS.index(name)])
    sample = np.random.default_rng(seed).permutation(len(queries.start))[:n_sample]
    pairs = [(*queries.start[row], *queries.end[row], queries.min_separation) for row in sample]
    times, began = np.full(len(pairs), np.inf), perf_counter()
    for _ in range(_MAX_PASSES):
        pass_times, hit = _time_each(solve, pairs, f"{name}, {queries.name}, {queries.kind}")
        times = np.minimum(times, pass_times)
        if perf_counter() - began > seconds:
            break
    times -= _overhead(solve)
    asked = queries._replace(start=queries.start[sample])
    row = _row(queries, name, hit, truth[sample], 0)
    return row._replace(
        queries=len(asked.start),
        microseconds=1e6 * max(float(times.mean()), 0.0),
        standard_error=1e6 * float(times.std()) / len(times) ** 0.5 if len(times) < row.set_size else None,
    )


def _peer_query(name: str, kind: str) -> Callable[..., tuple[bool, float]]:
    """A function of the eight points, at t = 0 and then at t = 1, and of the separation."""
    import ipctk

    ipctk.set_logger_level(ipctk.LoggerLevel.error)
    solver: Any = ipctk.TightInclusionCCD(tolerance=1e-6) if name == PEERS[0] else ipctk.AdditiveCCD()
    return solver.point_triangle_ccd if kind == "vertex-face" else solver.edge_edge_ccd


def _time_each(solve: Callable[..., Any], pairs: list[Any], label: str) -> tuple[NDArray[np.float64], Any]:
    times, hit = np.empty(len(pairs)), np.empty(len(pairs), bool)
    for row, pair in enumerate(tqdm(pairs, label, leave=False, disable=None, unit="query")):
        began = perf_counter()
        hit[row] = solve(*pair)[0]
        times[row] = perf_counter() - began
    return times, hit


def _overhead(solve: Callable[..., Any]) -> float:
    """Time of a call that has nothing to compute: the pair is far apart and does not move."""
    points = np.random.default_rng(0).random((4, 3))
    points[:2, 0] += 1e3 * np.arange(2, 0, -1)  # the vertex, or the edge, far from the others
    points[1, 0] = points[0, 0] if "edge_edge" in solve.__name__ else points[1, 0] % 1
    times, _ = _time_each(solve, [(*points, *points, 0.0)] * _N_TRIVIAL, "call overhead")
    return float(np.median(times))


def _row(
    queries: QuerySet, method: str, hit: NDArray[np.bool_], truth: NDArray[np.bool_] | None, exact: int
) -> Measurement:
    """A measurement without its time."""
    expected = hit if truth is None else truth
    return Measurement(
        method=method,
        kind=queries.kind,
        set_name=queries.name,
        queries=len(hit),
        set_size=len(queries.start),
        hits=int(hit.sum()),
        microseconds=np.nan,
        standard_error=None,
        misses=int((expected & ~hit).sum()),
        false_positives=int((hit & ~expected).sum()),
        exact=exact,
        is_reference=truth is None,
    )
