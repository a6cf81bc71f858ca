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
_MAX_PASSES = 20
_BATCH = 20_000  # queries a call on one thread: milliseconds, seldom interrupted where others use the machine


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
    overhead: float | None = None  # microseconds of a call, already taken off
    ratio: float = 1.0


def measure(queries: QuerySet, seconds: float, peer_scale: float, seed: int) -> list[Measurement]:
    """Run all methods on a set, each for about the given seconds; the reference method comes first."""
    truth, rows = queries.truth, []
    for threads in sorted({1, min(2, numba.config.NUMBA_NUM_THREADS)}):
        for exact in (True, False):
            row, hit = _library(queries, threads, exact, seconds, truth)
            truth = hit if truth is None else truth
            rows.append(row)
    rows += [_peer(queries, name, seconds, peer_scale, seed, truth) for name in PEERS]
    return [row._replace(ratio=row.microseconds / rows[0].microseconds) for row in rows]


def _library(
    queries: QuerySet, threads: int, exact: bool, seconds: float, truth: NDArray[np.bool_] | None
) -> tuple[Measurement, NDArray[np.bool_]]:
    """Ask in batches, as often as the time allows, at least three times; each batch counts with its best."""
    numba.set_num_threads(threads)
    size = _BATCH if threads == 1 else len(queries.start)
    firsts = range(0, len(queries.start), size)
    result = _ask(queries, exact)  # not measured: it may compile
    best, began, passes = np.full(len(firsts), np.inf), perf_counter(), 0
    while passes < 3 or perf_counter() - began < seconds:
        for i, first in enumerate(firsts):
            rows = slice(first, first + size)
            batch = queries._replace(start=queries.start[rows], end=queries.end[rows])
            call_began = perf_counter()
            _ask(batch, exact)
            best[i] = min(best[i], perf_counter() - call_began)
        passes += 1
    name = f"firstcontact, {'exact' if exact else 'float'}, {threads} thread{'s' * (threads > 1)}"
    row = _row(queries, name, result.hit, truth, result.stats.exact)
    return row._replace(microseconds=1e6 * float(best.sum()) / len(result.hit)), result.hit


def _ask(queries: QuerySet, exact: bool) -> fc.ElementaryContacts:
    query = QUERY[queries.kind]
    return query(queries.start, queries.end, exact=exact, min_separation=queries.min_separation)


def _peer(
    queries: QuerySet, name: str, seconds: float, scale: float, seed: int, truth: NDArray[np.bool_]
) -> Measurement:
    """Ask a sample, pair by pair, each as often as the time allows and counted with its best time."""
    solve = _peer_query(name, queries.kind)
    n_sample = max(1, int(scale * PEER_QUERIES[queries.name][PEERS.index(name)]))
    sample = np.random.default_rng(seed).permutation(len(queries.start))[:n_sample]
    start, end = queries.start[sample], queries.end[sample]
    pairs = [(*a, *b, queries.min_separation) for a, b in zip(start, end, strict=True)]
    trivial = _trivial_pairs(len(sample), queries.kind)
    label = f"{name}, {queries.name}, {queries.kind}"
    times, trivial_times, hit = _best_times(solve, pairs, trivial, seconds, label)
    overhead = float(np.median(trivial_times))
    is_sample = len(sample) < len(queries.start)
    return _row(queries, name, hit, truth[sample], 0)._replace(
        microseconds=1e6 * max(float(times.mean()) - overhead, 0.0),
        standard_error=1e6 * float(times.std()) / len(times) ** 0.5 if is_sample else None,
        overhead=1e6 * overhead,
    )


def _peer_query(name: str, kind: str) -> Callable[..., tuple[bool, float]]:
    """A function of the eight points, at t = 0 and then at t = 1, and of the separation."""
    import ipctk

    ipctk.set_logger_level(ipctk.LoggerLevel.error)
    solver: Any = ipctk.TightInclusionCCD(tolerance=1e-6) if name == PEERS[0] else ipctk.AdditiveCCD()
    return solver.point_triangle_ccd if kind == "vertex-face" else solver.edge_edge_ccd


def _best_times(
    solve: Callable[..., Any], pairs: list[Any], trivial: list[Any], seconds: float, label: str
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    """Best time of each pair, and of the trivial one asked right after it, on the same busy machine."""
    times, trivial_times = np.full((2, len(pairs)), np.inf)
    hit, began, passes = np.empty(len(pairs), bool), perf_counter(), 0
    while passes == 0 or (passes < _MAX_PASSES and perf_counter() - began < seconds):
        progress = tqdm(pairs, label, leave=False, disable=None, unit="query")
        for row, (pair, nothing) in enumerate(zip(progress, trivial, strict=True)):
            call_began = perf_counter()
            found = solve(*pair)
            call_ended = perf_counter()
            solve(*nothing)
            trivial_times[row] = min(trivial_times[row], perf_counter() - call_ended)
            times[row] = min(times[row], call_ended - call_began)
            hit[row] = found[0]
        passes += 1
    return times, trivial_times, hit


def _trivial_pairs(n_pairs: int, kind: str) -> list[Any]:
    """Pairs with nothing to compute, whose time is that of a call: far apart, and nothing moves."""
    points = np.random.default_rng(0).random((n_pairs, 4, 3))
    points[:, : 2 if kind == "edge-edge" else 1] += 1000.0
    return [(*still, *still, 0.0) for still in points]


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
