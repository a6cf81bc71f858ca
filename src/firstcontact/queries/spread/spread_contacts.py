"""One step of deforming meshes, spread over workers: each searches below some pairs of nodes of the trees.

The trees go out with the meshes, once to each worker, so that pairs of nodes mean the same everywhere. What
is found below them, in any order and wherever, is put into the one order that all answers have.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.arrays import Array, Ids
from firstcontact.deformable.contact_list import Search, Wanted, all_contacts
from firstcontact.deformable.culling import Culling
from firstcontact.deformable.elementary_candidates import N_COUNTS, FeaturesFound
from firstcontact.deformable.first_so_far import each_once
from firstcontact.deformable.problem import Problem, pose_problem
from firstcontact.deformable.settle import take
from firstcontact.deformable.touching.pierced import (
    NOTHING_PIERCED,
    joined_pierced,
    pairing_at_start,
    pierced_at_start,
)
from firstcontact.errors import too_many
from firstcontact.hierarchy.shares import front
from firstcontact.hierarchy.traversal import NODE_TESTS, QUIET_NODES, Pairing
from firstcontact.shapes.moving import Moving
from firstcontact.spreading.batch import Batch
from firstcontact.spreading.chunks import Span
from firstcontact.spreading.joining import Stripped, joined, restored, stripped
from firstcontact.spreading.keeping import InMemory
from firstcontact.spreading.spread import spread

# Pairs of nodes that a step is split into, at most, and nodes for each: so that each is a small part of the
# work, also where most of it is in one place, since what does not overlap is not split further.
MOST_ITEMS, NODES_AN_ITEM = 1 << 16, 4

# In this order neighbours come from far apart, and any so many of them are like all of them: rows take about
# the same time each, and chunks of as many rows about the same work.
SPREAD = (5.0**0.5 - 1.0) / 2.0

# What is looked for below a pair of nodes.
AT_START, CONTACTS = 0, 1


@dataclass(frozen=True)
class Counts:
    """What was counted below some pairs of nodes, by the names of `ContactStats`."""

    node_tests: int = 0
    smooth_regions: int = 0
    triangle_pairs: int = 0
    feature_pairs: int = 0
    elementary_tests: int = 0
    filtered: int = 0
    solved: int = 0
    advanced: int = 0
    refined: int = 0
    ties: int = 0
    exact: int = 0
    seconds_settling: float = 0.0


@dataclass(frozen=True)
class BelowNodes:
    """What was found below some pairs of nodes: pairs of features, and edges through faces at the start."""

    is_edge_edge: NDArray[np.bool_]
    ids: Ids
    status: NDArray[np.int8]
    time: Array
    time_upper: Array
    edges: Ids
    faces: Ids
    stats: Counts


class OneStep:
    """A step, as each worker has it; the rows are pairs of nodes, and what is looked for below them."""

    is_passing = True

    def __init__(self, things: Sequence[Moving], problem: Problem, ask: Ask) -> None:
        self._things, self._culling = tuple(things), problem.culling
        self._trees = problem.trees
        self._options = ask.min_separation, ask.time_tolerance, ask.exact, ask.max_contacts
        self._only_closing, self._left_out = problem.only_closing, problem.left_out
        self._problem: Problem | None = problem
        self._at_start: Pairing | None = None
        self._lock = Lock()

    def __getstate__(self) -> dict[str, Any]:
        left_behind = {"_problem": None, "_at_start": None, "_lock": None}
        return self.__dict__ | left_behind

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state | {"_lock": Lock()})

    @property
    def problem(self) -> Problem:
        """The step made ready, once in each process."""
        with self._lock:
            if self._problem is None:
                things, separation, culling = self._things, self._options[0], self._culling
                problem = pose_problem(things, separation, culling, self._trees)
                self._problem = problem._replace(only_closing=self._only_closing, left_out=self._left_out)
            return self._problem

    @property
    def at_start(self) -> Pairing:
        """The trees with boxes around everything at the start, once in each process."""
        problem = self.problem
        with self._lock:
            if self._at_start is None:
                self._at_start = pairing_at_start(problem)
            return self._at_start

    def answer(self, rows: tuple[Any, ...]) -> BelowNodes:
        """Search below some pairs of nodes."""
        sought, items = rows
        _, time_tolerance, exact, most = self._options
        pierced, early = NOTHING_PIERCED, items[sought == AT_START]
        if len(early):
            pierced = pierced_at_start(self.problem, most=most, pairing=self.at_start, part=early)
        part = np.ascontiguousarray(items[sought == CONTACTS])
        # One more than allowed is enough to tell that there are too many.
        search = all_contacts(self.problem, Wanted(time_tolerance, exact), most=most + 1, part=part)
        counts = Counts(**search.tally, seconds_settling=search.seconds_settling)
        return BelowNodes(*search.found, *pierced, stats=counts)


class _Listing(InMemory):
    """Keeps what was found, and stops as soon as that is more than is allowed."""

    def __init__(self, n: int, nothing: Stripped, most: int, culling: Culling) -> None:
        super().__init__(n, nothing, 0)
        self._left = most if culling.representatives else np.inf  # else some is there several times

    def put(self, span: Span, answer: Stripped) -> None:
        """Keep a part."""
        super().put(span, answer)
        self._left -= len(answer.known["time"]) + len(answer.known["edges"])
        if self._left < 0:
            raise TooManyError


class TooManyError(Exception):
    """There is more than is allowed."""


def far_contacts(things: Sequence[Moving], problem: Problem, ask: Ask) -> Search:
    """Let workers find all contacts of a step, and what passes through at its start."""
    whole = OneStep(things, problem, ask)
    counts = np.zeros(N_COUNTS, np.int64)
    items = [_front(problem.pairing, counts)]
    sought = [np.full(len(items[0]), CONTACTS, np.int8)]
    if not ask.assume_free_start:
        items.append(_front(whole.at_start, np.zeros(N_COUNTS, np.int64)))
        sought.append(np.full(len(items[1]), AT_START, np.int8))
    rows = np.concatenate(sought), np.concatenate(items)
    order = np.argsort((np.arange(len(rows[0])) * SPREAD) % 1.0, kind="stable")
    nothing = stripped(whole.answer((rows[0][:0], rows[1][:0])))
    batch = Batch(whole, tuple(column[order] for column in rows), len(order), "pairs of nodes")
    keeper = _Listing(batch.n, nothing, ask.max_contacts, problem.culling)
    try:
        found = spread(batch, ask.executor, keeper, ask.progress) if batch.n else joined([nothing])
    except TooManyError:
        raise too_many("contacts", "max_contacts", ask.max_contacts) from None
    return _put_together(restored(found), problem, ask, counts)


def _front(pairing: Pairing, counts: NDArray[np.int64]) -> Ids:
    return front(pairing, min(max(len(pairing.children) // NODES_AN_ITEM, 1), MOST_ITEMS), counts)


def _put_together(found: BelowNodes, problem: Problem, ask: Ask, counts: NDArray[np.int64]) -> Search:
    """Make one search of all parts; what was counted when the trees were split is a part of it."""
    pierced = joined_pierced(found.edges, found.faces, problem)
    features = FeaturesFound(found.is_edge_edge, found.ids, found.status, found.time, found.time_upper)
    once = each_once(features, problem)
    tally = Counter(asdict(found.stats))
    tally["node_tests"] += int(counts[NODE_TESTS])
    tally["smooth_regions"] += int(counts[QUIET_NODES])
    settling = float(tally.pop("seconds_settling"))
    most = max(ask.max_contacts - len(pierced.edges), 0)
    left_out = 0.0 if len(once.time) > most else np.inf
    return Search(take(once, np.s_[:most]), tally, settling, left_out, pierced)
