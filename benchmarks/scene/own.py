"""The library in the scene benchmark: the broad phases alone, and whole frames of a scene.

Seconds are those of the processor, on one thread, for each frame after the first few; methods take turns,
frame by frame.
"""

from collections.abc import Callable
from time import process_time
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from firstcontact.broadphase.broad_phase import BroadPhase
from firstcontact.broadphase.chosen import Chosen
from firstcontact.broadphase.dynamic_tree import DynamicTree
from firstcontact.broadphase.sweep_and_prune import SweepAndPrune
from scene.cases import WARM_UP, Crowd, crowd, frames, swept_boxes

CHOSEN, SWEEP, ONE_CELL, TREE = "default", "sweep and prune", "sweep and prune, one cell", "tree"
_NO_LIMIT = 1 << 30
BROAD_PHASES: dict[str, Callable[[], BroadPhase]] = {
    CHOSEN: Chosen,
    SWEEP: SweepAndPrune,
    ONE_CELL: lambda: SweepAndPrune(cell_size=_NO_LIMIT),
    TREE: DynamicTree,
}
CONTACTS, FIRST_CONTACT, RESTING = "contacts", "first_contact", "contacts, 1 % moves"


class Broad(NamedTuple):
    """A broad phase on n bodies: seconds a frame, means of counters, and whether all give the same pairs."""

    method: str
    n_bodies: int
    first: float
    seconds: float
    pairs: float
    swaps: float
    box_tests: float
    is_same: bool


class Whole(NamedTuple):
    """Whole frames of a scene of n bodies: seconds to move them, and to ask, by stages."""

    query: str
    n_bodies: int
    move: float
    seconds: float
    stages: dict[str, float]
    pairs: float
    due: float
    contacts: float


def run_broad(n: int, n_frames: int) -> list[Broad]:
    """All broad phases, on the same boxes."""
    bodies, is_active = crowd(n), np.ones(n, np.bool_)
    methods = {name: make() for name, make in BROAD_PHASES.items()}
    seconds: dict[str, list[float]] = {name: [] for name in methods}
    counts: dict[str, list[tuple[int, int, int]]] = {name: [] for name in methods}
    differ: set[str] = set()
    names = list(methods)
    for k, frame in enumerate(frames(bodies, n_frames + WARM_UP)):
        boxes, expected = swept_boxes(bodies, frame), None
        for name in names[k % len(names) :] + names[: k % len(names)]:  # the first finds cold caches
            method = methods[name]
            began = process_time()
            method.update(boxes, is_active)
            pairs = method.pairs()
            seconds[name].append(process_time() - began)
            counts[name].append((len(pairs), method.changes.swaps, method.changes.box_tests))
            expected = pairs if expected is None else expected
            differ |= {name} if not np.array_equal(pairs, expected) else set()
    return [
        Broad(
            name,
            n,
            seconds[name][0],
            float(np.median(seconds[name][WARM_UP:])),
            *np.mean(counts[name][WARM_UP:], axis=0).tolist(),
            name not in differ,
        )
        for name in methods
    ]


def run_whole(n: int, n_frames: int) -> list[Whole]:
    """Move all bodies of a scene by a frame, or a hundredth, and ask for all contacts, and for the first."""
    bodies = crowd(n)
    return [_run_query(bodies, query, n_frames) for query in (CONTACTS, FIRST_CONTACT, RESTING)]


def _run_query(bodies: Crowd, query: str, n_frames: int) -> Whole:
    scene, n = scene_of(bodies), len(bodies.kinds)
    moving, asking, found = [], [], []
    some = slice(max(n // 100, 1) if query == RESTING else n)
    ids, ask = scene.ids[some], scene.first_contact if query == FIRST_CONTACT else scene.contacts
    for frame in frames(bodies, n_frames + WARM_UP):
        starts, ends = (frame.rotations_t0, frame.places_t0), (frame.rotations_t1, frame.places_t1)
        poses = [tuple(array[some] for array in pose) for pose in (starts, ends)]
        began = process_time()
        scene.move(ids, *poses)
        moved = process_time()
        answer = ask()
        asking.append(process_time() - moved)
        moving.append(moved - began)
        found.append((answer.stats, int(bool(answer)) if query == FIRST_CONTACT else len(answer)))
    found = found[WARM_UP:]
    stages = {stage: _median([stats.seconds[stage] for stats, _ in found]) for stage in found[0][0].seconds}
    counts = np.mean([(stats.pairs, stats.due, n_found) for stats, n_found in found], axis=0)
    return Whole(query, n, _median(moving[WARM_UP:]), _median(asking[WARM_UP:]), stages, *counts.tolist())


def scene_of(bodies: Crowd) -> Any:
    """The bodies as a scene, at rest at the start."""
    hulls = [fc.ConvexHull(points) for points in bodies.polytopes]
    starts = zip(bodies.kinds, bodies.rotations, bodies.places, strict=True)
    return fc.Scene({str(i): hulls[kind].at((turn, place)) for i, (kind, turn, place) in enumerate(starts)})


def _median(values: list[float]) -> float:
    return float(np.median(values))
