"""A scene as it is at one moment, to be asked while others go on to change it."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.arrival import SEPARATED
from firstcontact.advancement.ask import Ask
from firstcontact.arrays import Array
from firstcontact.errors import too_many
from firstcontact.scene.bodies import Bodies, Reading
from firstcontact.scene.crowd import Crowd
from firstcontact.scene.entry_times import entry_times
from firstcontact.scene.results import SceneStats
from firstcontact.scene.solving import Solved, earliest, no_pairs_solved, solve, together

Pairs = NDArray[np.int32]

# Pairs that are solved together, at most, where all of them are asked for: 100 MB.
CHUNK = 1 << 18


class FirstPair(NamedTuple):
    """Two rows, -1 for none, the time of their contact, and how many pairs were searched."""

    i: int
    j: int
    time: float
    n_solved: int


class Touching(NamedTuple):
    """Pairs of rows (k, 2) that touch, sorted by time, and how."""

    pairs: Pairs
    solved: Solved


class SceneState:
    """Bodies that do not change, and their pairs that may touch: a list of them, or a crowd.

    No thread needs to wait for another: what is asked works on arrays that nobody changes.
    """

    def __init__(self, reading: Reading, ask: Ask, pairs: Pairs | Crowd, seconds: dict[str, float]) -> None:
        self._reading, self._ask, self._pairs = reading, ask, pairs
        self._seconds = seconds.copy()
        self._n_pairs = self._n_due = self._n_solved = 0

    @property
    def bodies(self) -> Bodies:
        """The bodies, as long as this lives."""
        return self._reading.bodies

    def pairs(self, most: int) -> Pairs:
        """List all pairs of rows (m, 2), i <= j, in order."""
        parts, n = [np.empty((0, 2), np.int32)], 0
        for part in self._parts():
            parts.append(part)
            n += len(part)
            if n > most:
                raise too_many("pairs of bodies overlap", "max_pairs", most)
        return np.concatenate(parts)

    def first(self) -> FirstPair:
        """Find the earliest contact; no more pairs are looked at once one touches at the start."""
        best = FirstPair(-1, -1, np.inf, 0)
        for pairs, bounds in self._due():
            with self._timed("search"):
                found = earliest(self.bodies, pairs, bounds, self._ask, best.time)
            self._n_solved += found.n_solved
            if found.number >= 0:
                i, j = pairs[found.number].tolist()
                best = FirstPair(i, j, found.time, 0)
            if best.time == 0.0:
                break
        return best

    def touching(self, most: int) -> Touching:
        """Find all pairs that touch in the step."""
        hits, found, n = [np.empty((0, 2), np.int32)], [no_pairs_solved(0)], 0
        for due, _ in self._due():
            for first in range(0, len(due), CHUNK):
                pairs = due[first : first + CHUNK]
                with self._timed("search"):
                    solved = solve(self.bodies, pairs, self._ask)
                self._n_solved += len(pairs)
                is_hit = solved.status != SEPARATED
                hits.append(pairs[is_hit])
                found.append(solved.taken(is_hit))
                n += len(hits[-1])
                if n > most:
                    raise too_many("pairs of bodies touch", "max_contacts", most)
        pairs, solved = np.concatenate(hits), together(found)
        order = np.argsort(solved.time, kind="stable")
        return Touching(pairs[order], solved.taken(order))

    def stats(self) -> SceneStats:
        """What was done so far."""
        return SceneStats(
            len(self.bodies.row_of), self._n_pairs, self._n_due, self._n_solved, self._seconds.copy()
        )

    def _parts(self) -> Iterator[Pairs]:
        """Give all pairs, in order; of a crowd, a part at a time."""
        parts = self._pairs.parts() if isinstance(self._pairs, Crowd) else iter([self._pairs])
        while True:
            with self._timed("broad phase"):
                part = next(parts, None)
            if part is None:
                return
            self._n_pairs += len(part)
            yield part

    def _due(self) -> Iterator[tuple[Pairs, Array]]:
        """Give the pairs that may touch, and a time before which each of them does not."""
        columns = self.bodies.columns
        margins = self._ask.margins(columns.sizes)
        for pairs in self._parts():
            with self._timed("bounds"):
                times = entry_times(columns.corridors, margins, pairs)
                is_due = times <= 1.0
                due = np.ascontiguousarray(pairs[is_due]), times[is_due]
            self._n_due += len(due[0])
            yield due

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        """Add the time that this takes to that of a stage."""
        began = perf_counter()
        try:
            yield
        finally:
            self._seconds[stage] = self._seconds.get(stage, 0.0) + perf_counter() - began
