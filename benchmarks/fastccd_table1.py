"""Table 1 of fastCCD (2014): ten million random vertex-face pairs, time and collisions by error tolerance.

The points are uniform in the unit cube at t = 0 and at t = 1. The paper counts the collisions with an odd and
with an even number of contacts in [0, 1]. This library reports the first contact of each query, so the
contacts of the hits are counted afterwards, in numpy and outside of the timing (`contact_counts.py`); a hit
has one contact at least, whatever rounding made of it, so odd and even add up to the hits. Hits whose count
rounding may have changed are reported as ambiguous. The random numbers are others than the paper's: the
counts agree within their standard deviation, and z is the difference in standard deviations of a difference.
"""

from collections.abc import Iterator
from math import sqrt
from time import perf_counter
from typing import Any

import numba
import numpy as np

import firstcontact as fc
from elementary.contact_counts import Array, count_contacts
from report.canvas import INK, RUST, SKY, TEAL, canvas, logarithmic
from report.section import Headline, Lines, Part, Picture, Run, Table

TITLE = "Table 1 of fastCCD"

TOLERANCES = tuple(10.0**-digits for digits in range(6, 14))
PAPER_QUERIES = 10_000_000
PAPER_SECONDS = (7.85, 7.9, 8.396, 8.6, 9.0, 9.4, 9.8, 10.0)
PAPER_ODD = (750_127, 750_005, 749_987) + 5 * (749_985,)
PAPER_EVEN = (22_790,) + 7 * (22_779,)
_CHUNK = 500_000
_MODES = {"float": False, "exact": True}


class Tally:
    """Seconds and counts, one for each tolerance and mode, summed over the chunks."""

    def __init__(self) -> None:
        self.seconds = {mode: np.zeros(len(TOLERANCES)) for mode in _MODES}
        self.counts = {mode: np.zeros((len(TOLERANCES), 4), np.int64) for mode in _MODES}
        self.unexplained = 0

    def add(self, start: Array, end: Array) -> None:
        """Ask one chunk with every tolerance in both modes; odd, even, ambiguous, hits."""
        hits = {}
        for mode, exact in _MODES.items():
            for i, tolerance in enumerate(TOLERANCES):
                seconds, hits[mode, i] = _timed(start, end, tolerance, exact)
                self.seconds[mode][i] += seconds
        rows = np.flatnonzero(np.logical_or.reduce(list(hits.values())))
        found = count_contacts(start[rows], end[rows])
        is_odd = np.maximum(found.contacts, 1) % 2 == 1
        self.unexplained += int(np.count_nonzero((found.contacts == 0) & ~found.is_ambiguous))
        for (mode, i), hit in hits.items():
            mine = hit[rows]
            groups = (mine & is_odd, mine & ~is_odd, mine & found.is_ambiguous, hit)
            self.counts[mode][i] += [np.count_nonzero(group) for group in groups]


def _timed(start: Array, end: Array, tolerance: float, exact: bool) -> tuple[float, np.ndarray]:
    began = perf_counter()
    found = fc.vertex_face_ccd(start, end, time_tolerance=tolerance, exact=exact)
    return perf_counter() - began, found.hit


def table(run: Run) -> Part:
    """The table beside the paper's; seconds and counts of fewer queries are scaled to the paper's number."""
    n_queries = 1_000_000 if run.quick else PAPER_QUERIES
    numba.set_num_threads(1)
    tally = Tally()
    fc.vertex_face_ccd(*next(_chunks(20_000)), exact=True)  # compiles
    for start, end in _chunks(n_queries):
        tally.add(start, end)
    scale = PAPER_QUERIES / n_queries
    note = f"{n_queries:,} queries, one thread; the paper: one thread of a 3.2 GHz Intel Core i5"
    if run.quick:
        note += (
            f". Seconds and counts are shown {scale:.0f} times as large, for the paper's {PAPER_QUERIES:,}"
        )
    exact = scale * float(tally.seconds["exact"][-1])
    what = "ten million random vertex-face queries at 1e-13, exact, 1 thread"
    return Part(
        tables=(Table("Seconds and collisions by tolerance", _lines(tally, scale), 1, note),),
        pictures=(Picture("fastccd-table1", "Seconds by tolerance; one thread", _draw(tally, scale)),),
        headlines=(Headline(what, exact, "fastCCD (published, 2014)", PAPER_SECONDS[-1]),),
        notes=tuple(_notes(tally, n_queries)),
        figures={"seconds": tally.seconds, "counts": tally.counts, "n_queries": n_queries},
    )


def _draw(tally: Tally, scale: float) -> Any:
    figure, [[axes]] = canvas(9, 3.2)
    axes.plot(TOLERANCES, PAPER_SECONDS, "s--", color=RUST, markersize=4, label="the paper")
    for (mode, seconds), color in zip(tally.seconds.items(), (SKY, TEAL), strict=True):
        axes.plot(TOLERANCES, scale * seconds, "o-", color=color, markersize=4, label=f"firstcontact, {mode}")
    logarithmic(axes, y=False)
    axes.invert_xaxis()
    axes.set_ylim(bottom=0.0)
    axes.set_xlabel("tolerance of time", color=INK)
    axes.set_ylabel("seconds", color=INK)
    axes.legend(loc="center right", frameon=False, fontsize=9.5)
    return figure


def _chunks(n_queries: int) -> Iterator[Array]:
    """Random queries, as many at a time as fit into memory with ease."""
    rng = np.random.default_rng(0)
    for first in range(0, n_queries, _CHUNK):
        yield rng.random((2, min(_CHUNK, n_queries - first), 4, 3))


def _lines(tally: Tally, scale: float) -> Lines:
    lines: Lines = [("", *(f"{tolerance:.0e}" for tolerance in TOLERANCES))]
    lines.append(("the paper: seconds", *(f"{seconds:.2f}" for seconds in PAPER_SECONDS)))
    for mode, seconds in tally.seconds.items():
        lines.append((f"{mode}: seconds", *(f"{scale * value:.2f}" for value in seconds)))
    lines += [_counts("the paper: odd", PAPER_ODD), _counts("the paper: even", PAPER_EVEN)]
    for mode, counts in tally.counts.items():
        odd, even, ambiguous, hits = counts.T
        if not np.array_equal(odd + even, hits):
            raise AssertionError("odd and even collisions must add up to the hits")
        named = {"odd": odd, "even": even, "ambiguous": ambiguous, "hits": hits}
        lines += [_counts(f"{mode}: {name}", scale * values) for name, values in named.items()]
    return lines


def _counts(name: str, values: Any) -> tuple[str, ...]:
    return (name, *(f"{value:,.0f}" for value in values))


def _notes(tally: Tally, n_queries: int) -> Iterator[str]:
    for mode, counts in tally.counts.items():
        for name, values, paper in zip(("odd", "even"), counts.T, (PAPER_ODD, PAPER_EVEN), strict=False):
            z = _agreement(int(values[-1]), n_queries, paper[-1])
            yield f"{mode}, {name} at 1e-13: z = {z:+.2f}"
    yield f"Hits in which no contact was found and none is near: {tally.unexplained}."


def _agreement(count: int, n_queries: int, paper: int) -> float:
    """The z-score of two samples' frequencies."""
    p = paper / PAPER_QUERIES
    return (count / n_queries - p) / sqrt(p * (1 - p) * (1 / n_queries + 1 / PAPER_QUERIES))


PARTS = {"table": table}
