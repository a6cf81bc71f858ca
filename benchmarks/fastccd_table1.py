"""Table 1 of fastCCD (2014): ten million random vertex-face pairs, time and collisions by error tolerance.

The points are uniform in the unit cube at t = 0 and at t = 1. The paper counts the collisions with an odd and
with an even number of contacts in [0, 1]. This library reports the first contact of each query, so the
contacts of the hits are counted afterwards, in numpy and outside of the timing (`contact_counts.py`); a hit
has one contact at least, whatever rounding made of it, so odd and even add up to the hits. Hits whose count
rounding may have changed are reported as ambiguous. The random numbers are others than the paper's: the
counts agree within their standard deviation, and z is the difference in standard deviations of a difference.
"""

import argparse
from collections.abc import Iterator
from math import sqrt
from time import perf_counter

import numba
import numpy as np
from contact_counts import Array, count_contacts
from machine import described, machine
from tqdm import tqdm

import firstcontact as fc

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

    def add(self, start: Array, end: Array, repetitions: int) -> None:
        """Ask one chunk with every tolerance in both modes; odd, even, ambiguous, hits."""
        hits = {}
        for mode, exact in _MODES.items():
            for i, tolerance in enumerate(TOLERANCES):
                seconds, hits[mode, i] = _timed(start, end, tolerance, exact, repetitions)
                self.seconds[mode][i] += seconds
        rows = np.flatnonzero(np.logical_or.reduce(list(hits.values())))
        found = count_contacts(start[rows], end[rows])
        is_odd = np.maximum(found.contacts, 1) % 2 == 1
        self.unexplained += int(np.count_nonzero((found.contacts == 0) & ~found.is_ambiguous))
        for (mode, i), hit in hits.items():
            mine = hit[rows]
            groups = (mine & is_odd, mine & ~is_odd, mine & found.is_ambiguous, hit)
            self.counts[mode][i] += [np.count_nonzero(group) for group in groups]


def _timed(
    start: Array, end: Array, tolerance: float, exact: bool, repetitions: int
) -> tuple[float, np.ndarray]:
    best = np.inf
    for _ in range(repetitions):
        began = perf_counter()
        found = fc.vertex_face_ccd(start, end, time_tolerance=tolerance, exact=exact)
        best = min(best, perf_counter() - began)
    return best, found.hit


def main() -> None:
    """Measure and print the table beside the paper's."""
    options = _parser().parse_args()
    numba.set_num_threads(min(options.threads, numba.config.NUMBA_NUM_THREADS))
    before, tally = machine(), Tally()
    chunks = _chunks(options.queries, options.seed)
    fc.vertex_face_ccd(*next(_chunks(20_000, options.seed)), exact=True)  # compiles
    with tqdm(total=options.queries, disable=None, unit="query", unit_scale=True) as progress:
        for start, end in chunks:
            tally.add(start, end, options.repetitions)
            progress.update(len(start))
    print("\n".join(_report(tally, options.queries)))
    after = " ".join(f"{load:.2f}" for load in machine()["load"])
    threads = numba.get_num_threads()
    print(f"\n{options.queries:,} queries, {threads} thread(s); the paper: one of a 3.2 GHz Intel Core i5")
    print(f"{described(before)} before, {after} after")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--queries", type=int, default=PAPER_QUERIES, metavar="N", help="how many (the paper's ten million)")
    add("--threads", type=int, default=1, metavar="N", help="how many threads (the paper's one)")
    add(
        "--repetitions", type=int, default=1, metavar="N", help="of each timed call, of which the best counts"
    )
    add("--seed", type=int, default=0, metavar="S", help="of the random numbers")
    return parser


def _chunks(n_queries: int, seed: int) -> Iterator[Array]:
    """Random queries, as many at a time as fit into memory with ease."""
    rng = np.random.default_rng(seed)
    for first in range(0, n_queries, _CHUNK):
        yield rng.random((2, min(_CHUNK, n_queries - first), 4, 3))


def _report(tally: Tally, n_queries: int) -> Iterator[str]:
    yield _line("tolerance", [f"{tolerance:.0e}" for tolerance in TOLERANCES])
    yield _line("paper: seconds", [f"{seconds:.2f}" for seconds in PAPER_SECONDS])
    for mode in _MODES:
        yield _line(f"{mode}: seconds", [f"{seconds:.2f}" for seconds in tally.seconds[mode]])
    yield _line("paper: odd", [f"{count:,}" for count in PAPER_ODD])
    yield _line("paper: even", [f"{count:,}" for count in PAPER_EVEN])
    for mode in _MODES:
        yield from _count_lines(mode, tally.counts[mode], n_queries)
    yield f"hits in which no contact was found and none is near: {tally.unexplained}"


def _count_lines(mode: str, counts: np.ndarray, n_queries: int) -> Iterator[str]:
    odd, even, ambiguous, hits = counts.T
    if not np.array_equal(odd + even, hits):
        raise AssertionError("odd and even collisions must add up to the hits")
    for name, values in (("odd", odd), ("even", even), ("ambiguous", ambiguous), ("hits", hits)):
        yield _line(f"{mode}: {name}", [f"{value:,}" for value in values])
    for name, values, paper in (("odd", odd, PAPER_ODD), ("even", even, PAPER_EVEN)):
        deviation, z = _agreement(int(values[-1]), n_queries, paper[-1])
        yield f"{mode}: {name} at 1e-13: standard deviation {deviation:,.0f}, z = {z:+.2f}"


def _agreement(count: int, n_queries: int, paper: int) -> tuple[float, float]:
    """Expected standard deviation of our count, and the z-score of two samples' frequencies."""
    p = paper / PAPER_QUERIES
    deviation = sqrt(n_queries * p * (1 - p))
    of_difference = sqrt(p * (1 - p) * (1 / n_queries + 1 / PAPER_QUERIES))
    return deviation, (count / n_queries - p) / of_difference


def _line(name: str, cells: list[str]) -> str:
    return f"{name:<18}" + "".join(f"{cell:>10}" for cell in cells)


if __name__ == "__main__":
    main()
