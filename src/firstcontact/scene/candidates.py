"""Pairs of a scene's bodies that may touch, found once for each state of the scene."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from firstcontact.broadphase.broad_phase import BroadPhase
from firstcontact.broadphase.dynamic_tree import DynamicTree
from firstcontact.broadphase.sweep_and_prune import SweepAndPrune
from firstcontact.scene.bodies import DEFORMING, Bodies, is_empty
from firstcontact.scene.entry_times import entry_times
from firstcontact.scene.filters import Filters
from firstcontact.scene.results import SceneStats
from firstcontact.scene.solving import Ask

Array = NDArray[np.float64]
Pairs = NDArray[np.int32]

# The default is the faster one where all bodies move.
BROAD_PHASES: dict[str, type[BroadPhase]] = {
    "auto": SweepAndPrune,
    "sweep": SweepAndPrune,
    "tree": DynamicTree,
}


class Candidates:
    """The broad phase, which lasts from step to step, and its last answer."""

    def __init__(self, method: str) -> None:
        self.method = method
        self._pairs: Pairs | None = None
        self._ask = Ask(None, 0.0)
        self._n_due = 0
        self._seconds: dict[str, float] = {}
        self.start_anew()

    def start_anew(self) -> None:
        """Begin with an empty broad phase: rows have other numbers now."""
        self._broad_phase = BROAD_PHASES[self.method]()
        self.forget()

    def forget(self) -> None:
        """Drop the last answer: something has changed."""
        self._pairs = None

    def of(self, bodies: Bodies, filters: Filters, ask: Ask) -> Pairs:
        """Pairs of rows (m, 2), i <= j, in order: those whose swept boxes overlap, and selves that deform."""
        if self._pairs is None or self._ask != ask:
            self._seconds = {}
            self._ask, self._pairs = ask, self._found(bodies, filters, ask)
        return self._pairs

    def due(self, bodies: Bodies, filters: Filters, ask: Ask) -> tuple[Pairs, Array]:
        """Those of them that may touch, and a time before which each of them does not."""
        pairs = self.of(bodies, filters, ask)
        with self.timed("bounds"):
            columns = bodies.columns
            times = entry_times(columns.corridors, ask.margins(columns.sizes), pairs)
        is_due = times <= 1.0
        self._n_due = int(np.count_nonzero(is_due))
        return np.ascontiguousarray(pairs[is_due]), times[is_due]

    def stats(self, n_bodies: int, n_solved: int) -> SceneStats:
        """What was done for the last answer."""
        n_pairs = 0 if self._pairs is None else len(self._pairs)
        return SceneStats(n_bodies, n_pairs, self._n_due, n_solved, self._seconds.copy())

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the time that this takes to that of a stage."""
        began = perf_counter()
        try:
            yield
        finally:
            self._seconds[stage] = self._seconds.get(stage, 0.0) + perf_counter() - began

    def _found(self, bodies: Bodies, filters: Filters, ask: Ask) -> Pairs:
        columns, n = bodies.columns, bodies.n_rows
        with self.timed("bounds"):
            boxes = bodies.boxes(ask.margins(columns.sizes[:n]))
            is_active = columns.is_there[:n].copy()
            for row in np.flatnonzero(columns.sizes[:n] == 0.0).tolist():
                is_active[row] &= not is_empty(bodies.shapes[row])
        with self.timed("broad phase"):
            self._broad_phase.update(boxes, is_active)
            pairs = self._broad_phase.pairs()
            selves = np.flatnonzero(is_active & (columns.kinds[:n] == DEFORMING)).astype(np.int32)
            if len(selves) > 0:
                pairs = np.concatenate([pairs, np.stack([selves, selves], axis=1)])
                pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
            ids = columns.ids[pairs]
            return np.ascontiguousarray(pairs[filters.is_kept(ids[:, 0], ids[:, 1])])
