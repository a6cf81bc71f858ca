"""A scene as it is at one moment, to be asked while others go on to change it."""

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.arrival import SEPARATED
from firstcontact.advancement.ask import Ask
from firstcontact.arrays import Array
from firstcontact.errors import too_many
from firstcontact.scene.bodies import Bodies, Reading
from firstcontact.scene.convex_frame import convex_frame
from firstcontact.scene.crowd import Crowd
from firstcontact.scene.entry_times import entry_times
from firstcontact.scene.kept_directions import Guesses
from firstcontact.scene.resting import Before
from firstcontact.scene.results import SceneStats
from firstcontact.scene.solving import earliest, solve
from firstcontact.scene.touching import Touching, by_time, in_order, together

Pairs = NDArray[np.int32]

# Pairs that are solved together, at most, where all of them are asked for: 100 MB.
CHUNK = 1 << 18


class FirstPair(NamedTuple):
    """Two rows, -1 for none, the time of their contact, and how many pairs were searched."""

    i: int
    j: int
    time: float
    n_solved: int


class Memory(NamedTuple):
    """What is known of the steps before: directions, contacts of what rests, and who keeps these."""

    guesses: Guesses
    before: Before | None = None
    keep: Callable[[Touching], None] | None = None


class SceneState:
    """Bodies that do not change, and their pairs that may touch: a list of them, or a crowd.

    No thread needs to wait for another: what is asked works on arrays that nobody changes.
    """

    def __init__(
        self,
        reading: Reading,
        ask: Ask,
        pairs: Pairs | Crowd,
        seconds: dict[str, float],
        memory: Memory,
    ) -> None:
        self._reading, self._ask, self._pairs = reading, ask, pairs
        self._seconds = seconds | {"search": 0.0}
        self._guesses, self._before, self._keep = memory
        self._is_meant: NDArray[np.bool_] | None = None
        self._n_pairs = self._n_due = self._n_solved = 0

    def only_of(self, rows: NDArray[np.int64]) -> "SceneState":
        """The same, which looks at no pair but those that one of these rows is in."""
        self._is_meant = np.zeros(self.bodies.n_rows, np.bool_)
        self._is_meant[rows] = True
        return self

    @property
    def reading(self) -> Reading:
        """What keeps the bodies as they are."""
        return self._reading

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
        """Find all pairs that touch in the step; what rests touches as it did before."""
        margins = self.bodies.margins(self._ask)
        before = None if self._is_meant is not None else self._before
        found = [] if before is None else [before.resting()]
        n = sum(len(one.pairs) for one in found)
        for pairs in self._parts():
            due = pairs if before is None else np.ascontiguousarray(pairs[before.are_new(pairs)])
            for first in range(0, len(due), CHUNK):
                found.append(self._met(due[first : first + CHUNK], margins))
                n += len(found[-1].pairs)
                if n > most:
                    raise too_many("pairs of bodies touch", "max_contacts", most)
        touching = found[0] if len(found) == 1 else in_order(together(found))
        if self._keep is not None and self._is_meant is None:
            self._keep(touching)
        return touching

    def _met(self, pairs: Pairs, margins: Array) -> Touching:
        """Find those of some pairs that touch, by time."""
        with self._timed("search"):
            met = convex_frame(self.bodies, margins, pairs, self._ask, self._guesses.directions)
            self._guesses.directions = met.apart
            found = by_time(met)
            if len(met.others) > 0:
                solved = solve(self.bodies, met.others, self._ask)
                is_hit = solved.status != SEPARATED
                hits = met.others[is_hit]
                found = together([found, Touching(hits, solved.taken(is_hit), np.zeros(len(hits), np.bool_))])
                found = in_order(found)
        self._n_due += met.n_due
        self._n_solved += met.n_due
        return found

    def stats(self) -> SceneStats:
        """What was done so far."""
        return SceneStats(
            len(self.bodies.row_of), self._n_pairs, self._n_due, self._n_solved, self._seconds.copy()
        )

    def _parts(self) -> Iterator[Pairs]:
        """Give all pairs, in order; of a crowd, a part at a time."""
        if not isinstance(self._pairs, Crowd):
            yield self._meant(self._pairs)
            return
        parts = self._pairs.parts()
        while True:
            with self._timed("broad phase"):
                part = next(parts, None)
            if part is None:
                return
            yield self._meant(part)

    def _meant(self, pairs: Pairs) -> Pairs:
        """Those of some pairs that are asked about."""
        if self._is_meant is not None:
            pairs = np.ascontiguousarray(pairs[self._is_meant[pairs].any(axis=1)])
        self._n_pairs += len(pairs)
        return pairs

    def _due(self) -> Iterator[tuple[Pairs, Array]]:
        """Give the pairs that may touch, and a time before which each of them does not."""
        columns = self.bodies.columns
        margins = self.bodies.margins(self._ask)
        for pairs in self._parts():
            with self._timed("bounds"):
                times = entry_times(columns.corridors, margins, pairs)
                is_due = times <= 1.0
                due = np.ascontiguousarray(pairs[is_due]), times[is_due]
            self._n_due += len(due[0])
            yield due

    def _timed(self, stage: str) -> "_Timed":
        """Add the time that this takes to that of a stage."""
        return _Timed(self._seconds, stage)


class _Timed:
    """Adds to the seconds of a stage: at half of what contextlib takes for it."""

    __slots__ = ("_began", "_seconds", "_stage")

    def __init__(self, seconds: dict[str, float], stage: str) -> None:
        self._seconds, self._stage = seconds, stage

    def __enter__(self) -> None:
        self._began = perf_counter()

    def __exit__(self, *_: object) -> None:
        spent = self._seconds.get(self._stage, 0.0)
        self._seconds[self._stage] = spent + perf_counter() - self._began
