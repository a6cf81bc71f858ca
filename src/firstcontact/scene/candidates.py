"""Pairs of a scene's bodies that may touch, found once for each state of the scene."""

from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.broadphase.broad_phase import BroadPhase
from firstcontact.broadphase.chosen import Chosen
from firstcontact.broadphase.dynamic_tree import DynamicTree
from firstcontact.broadphase.overlaps import Overlaps
from firstcontact.broadphase.sweep_and_prune import SweepAndPrune
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.crowd import Crowd, kept_pairs, with_selves
from firstcontact.scene.filters import Filters
from firstcontact.scene.image_culling import seen_pairs
from firstcontact.scene.kept_directions import Guesses
from firstcontact.scene.resting import Kept, Resting
from firstcontact.scene.state import Memory, SceneState
from firstcontact.scene.touching import Touching

Pairs = NDArray[np.int32]

# The default is the fastest: every pair of few bodies, a grid of many of similar sizes, else lists.
BROAD_PHASES: dict[str, type[BroadPhase]] = {
    "auto": Chosen,
    "sweep": SweepAndPrune,
    "tree": DynamicTree,
    "image": Chosen,
}
# Pairs of boxes by this one go through images of depth, too.
IMAGE = "image"


# Pairs from which it is worth to keep their contacts for bodies that rest.
WORTH_KEEPING = 64


class PairsFound(NamedTuple):
    """Pairs, what was asked, and the seconds that it took by stage."""

    ask: Ask
    pairs: Pairs | Crowd
    seconds: dict[str, float]


class Candidates:
    """The broad phase, which lasts from step to step, and its last answer."""

    def __init__(self, method: str) -> None:
        self.method, self._resting, self._guesses = method, Resting(), Guesses()
        self.start_anew()

    def start_anew(self) -> None:
        """Begin with an empty broad phase: rows have other numbers now."""
        self._broad_phase = BROAD_PHASES[self.method]()
        self.forget()

    def forget(self) -> None:
        """Drop the last answer: something has changed, whatever it is."""
        self._last: PairsFound | None = None
        self._resting.begin_edit()

    def only(self, rows: NDArray[np.int64], n_rows: int) -> None:
        """Say that nothing but these bodies, of so many, has changed since it was dropped."""
        self._resting.only(rows, n_rows)

    def of(self, bodies: Bodies, filters: Filters, ask: Ask) -> SceneState:
        """Bodies as they are now, with the pairs whose swept boxes overlap, and selves that deform."""
        last = self._last
        if last is None or last.ask != ask:
            self._last = None
            try:
                last = self._found(bodies, filters, ask)
            except BaseException:
                self.start_anew()  # an interrupt may have left the broad phase between two steps
                raise
            self._last = last
        is_listed = not isinstance(last.pairs, Crowd) and len(last.pairs) >= WORTH_KEEPING
        if not (self._resting.is_of_use and is_listed) or _depend_on_others(bodies):
            return SceneState(bodies.reading(), ask, last.pairs, last.seconds, Memory(self._guesses))
        before, resting, edit = self._resting.before(ask, bodies.n_rows), self._resting, self._resting.edit

        def keep(touching: Touching) -> None:
            resting.keep(Kept(ask, edit, touching.copied()))

        memory = Memory(self._guesses, before, keep)
        return SceneState(bodies.reading(), ask, last.pairs, last.seconds, memory)

    def _found(self, bodies: Bodies, filters: Filters, ask: Ask) -> PairsFound:
        began = perf_counter()
        filters = filters.with_strangers(bodies.fitted_half_spaces())
        margins = bodies.margins(ask)
        boxes = bodies.boxes(margins)
        is_active, selves = bodies.present()
        bounded = perf_counter()
        pairs: Pairs | Crowd
        if self._broad_phase.update(boxes, is_active):
            pairs = kept_pairs(with_selves(self._broad_phase.pairs(), selves), bodies.columns.ids, filters)
            if self.method == IMAGE:
                pairs = seen_pairs(bodies, pairs, boxes, margins)
        else:
            ids = bodies.columns.ids[: bodies.n_rows].copy()
            pairs = Crowd(Overlaps(boxes, is_active), selves, ids, filters.snapshot())
        return PairsFound(ask, pairs, {"bounds": bounded - began, "broad phase": perf_counter() - bounded})


def _depend_on_others(bodies: Bodies) -> bool:
    """May a contact depend on other bodies? Half-spaces are fitted, what deforms goes together."""
    return bool(bodies.half_spaces) or len(bodies.present().selves) > 0
