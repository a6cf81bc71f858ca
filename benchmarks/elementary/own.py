"""The methods of the elementary benchmark: this library, and ipctk in another process."""

from importlib.util import find_spec
from time import perf_counter
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from elementary.cases import PEER_QUERIES, QUERY, QuerySet
from elementary.peers import PEERS, Ipctk
from report.remote import Remote, RemoteError

REFERENCE = "firstcontact, exact, 1 thread"
_PATIENCE = 300.0  # seconds for a peer's answers to a sample
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
    error: str = ""  # why there is no time


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
    n_sample = max(1, int(scale * PEER_QUERIES[queries.name][PEERS.index(name)]))
    sample = np.random.default_rng(seed).permutation(len(queries.start))[:n_sample]
    none = _row(queries, name, truth[sample], truth[sample], 0)._replace(hits=0)
    if find_spec("ipctk") is None:
        return none._replace(error="ipctk is missing")
    remote = Remote(_PATIENCE, Ipctk, name, queries.kind)
    try:
        given = queries.start[sample], queries.end[sample], queries.min_separation, seconds
        times, overhead, hit = remote.ask("best_times", *given)
    except RemoteError as fault:
        return none._replace(error=str(fault))
    finally:
        remote.close()
    is_sample = len(sample) < len(queries.start)
    return _row(queries, name, hit, truth[sample], 0)._replace(
        microseconds=1e6 * max(float(times.mean()) - overhead, 0.0),
        standard_error=1e6 * float(times.std()) / len(times) ** 0.5 if is_sample else None,
        overhead=1e6 * overhead,
    )


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
