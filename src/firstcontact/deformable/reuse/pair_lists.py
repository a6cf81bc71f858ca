"""All pairs of features that can come within reach while no vertex leaves its start by more than a length.

With each pair comes its slack: how far its vertices have to go, those of both sides together, before it can
touch. The lists are in bins by that, those next to touching first, so that a small motion looks at few.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_threads
from firstcontact.advancement.progress import Report
from firstcontact.arrays import Flags, Ids
from firstcontact.deformable.elementary_candidates import (
    N_COUNTS,
    TRIANGLE_PAIRS,
    FeatureOptions,
    FeaturesFound,
    corners_of,
    separate_listed,
)
from firstcontact.deformable.feature_pairs import (
    MOST_EDGE_EDGES,
    MOST_VERTEX_FACES,
    feature_lists,
    list_features,
)
from firstcontact.deformable.problem import Problem
from firstcontact.deformable.reuse.pair_gap import gap_of_pair
from firstcontact.deformable.settle import are_asked_for
from firstcontact.deformable.surface import Surface
from firstcontact.hierarchy.shares import NO_LIMIT, PAIRS, Shares, shared
from firstcontact.hierarchy.traversal import Pairing, next_pairs
from firstcontact.narrowphase.elementary.coplanarity_filter import BLOCK

# Room for what a thread lists in one run; it stops while there is room for one more load of pairs.
ROOM = 1 << 17
LOAD = PAIRS * (MOST_VERTEX_FACES + MOST_EDGE_EDGES)

# Bins of a list: the k-th begins at the square of k / BINS of the whole reach.
BINS = 64

# Slacks are kept in single precision, rounded down: a rounding of that is 2**-24. Those below are none, and
# those above, which has no larger number, are told as that.
DOWN = 1.0 - 2.0**-22
NO_SLACK, MOST_SLACK = 2.0**-100, 2.0**126

# From that part of the whole way on, the distance of boxes will do for a slack: most pairs are farther.
FAR = 0.25

Slacks = NDArray[np.float32]


class PairList(NamedTuple):
    """Pairs of one kind.

    ids : (n, 2) vertices and faces, or edges and edges, of the joined surface
    slack : (n,) how far the vertices of both sides have to go together at the least before they touch
    ends : (BINS,) where each bin of slacks ends
    """

    ids: Ids
    slack: Slacks
    ends: NDArray[np.int64]


class PairLists(NamedTuple):
    """Pairs of both kinds, and what they were listed for: how far both sides go together."""

    vertex_faces: PairList
    edge_edges: PairList
    reach: float

    @property
    def n_pairs(self) -> int:
        """How many pairs of features can touch."""
        return len(self.vertex_faces.ids) + len(self.edge_edges.ids)


class Room(NamedTuple):
    """One row a thread: what the last run listed, field by field."""

    is_edge_edge: Flags
    ids: Ids
    slack: Slacks
    n_found: NDArray[np.int64]


def list_pairs(
    problem: Problem, request: FeatureOptions, whole: float, most: int, report: Report
) -> PairLists | None:
    """List all pairs, or give None where they are more than so many.

    problem : whose bounds hold all that can be reached
    request : with the separation that counts as contact
    whole : how far both sides of a pair go together
    """
    work = shared(problem.pairing, problem.forest.depth, N_COUNTS)
    n = len(work.tops)
    room = Room(
        np.empty((n, ROOM), np.bool_),
        np.empty((n, ROOM, 2), np.int32),
        np.empty((n, ROOM), np.float32),
        np.zeros(n, np.int64),
    )
    parts = [_nothing()]
    while work.tops.any():
        on_threads(
            lambda thread: _list_thread(problem.surface, problem.pairing, request, whole, work, room, thread),
            n,
        )
        parts += [
            (room.is_edge_edge[k, :count].copy(), room.ids[k, :count].copy(), room.slack[k, :count].copy())
            for k, count in enumerate(room.n_found.tolist())
        ]
        report(int(work.counts[:, TRIANGLE_PAIRS].sum()))
        if sum(len(part[2]) for part in parts) > most:
            return None
    is_edges, ids, slack = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    n = len(ids)
    as_found = FeaturesFound(is_edges, ids, np.zeros(n, np.int8), np.zeros(n), np.zeros(n))
    is_asked = are_asked_for(problem, as_found)
    if is_asked is not None:
        is_edges, ids, slack = is_edges[is_asked], ids[is_asked], slack[is_asked]
    vertex_faces, edge_edges = (_binned(is_edges == kind, ids, slack, whole) for kind in (False, True))
    return PairLists(vertex_faces, edge_edges, whole)


def _nothing() -> tuple[Flags, Ids, Slacks]:
    return np.empty(0, np.bool_), np.empty((0, 2), np.int32), np.empty(0, np.float32)


def _binned(is_meant: Flags, ids: Ids, slack: Slacks, whole: float) -> PairList:
    """Sort those that are meant into bins; within one they keep their order, near what is near them."""
    ends, n = np.zeros(BINS, np.int64), int(np.count_nonzero(is_meant))
    pairs = PairList(np.empty((n, 2), np.int32), np.empty(n, np.float32), ends)
    _fill_bins(is_meant, ids, slack, whole, pairs)
    return pairs


@driver
def _fill_bins(is_meant: Flags, ids: Ids, slack: Slacks, whole: float, pairs: PairList) -> None:
    """Count what goes into each bin, then put it there."""
    at = np.zeros(BINS + 1, np.int64)
    for k in range(len(ids)):
        if is_meant[k]:
            at[_bin_of(slack[k], whole) + 1] += 1
    for b in range(BINS):
        at[b + 1] += at[b]
        pairs.ends[b] = at[b + 1]
    for k in range(len(ids)):
        if is_meant[k]:
            b = _bin_of(slack[k], whole)
            pairs.ids[at[b], 0], pairs.ids[at[b], 1], pairs.slack[at[b]] = ids[k, 0], ids[k, 1], slack[k]
            at[b] += 1


@kernel
def _bin_of(slack: float, whole: float) -> int:
    """Number of the bin of a slack."""
    return min(int(BINS * sqrt(slack / whole)), BINS - 1) if whole > 0.0 else 0


def n_within(pairs: PairList, reach: float, way: float) -> int:
    """How many pairs, from the first on, hold all that can touch after so long a way of both sides."""
    if not way < reach:
        return len(pairs.ids)
    # One bin more than the way itself is in: no rounding takes a slack farther.
    last = min(int(BINS * sqrt(way / reach)) + 1, BINS - 1)
    return int(pairs.ends[last])


@driver
def _list_thread(
    surface: Surface,
    pairing: Pairing,
    request: FeatureOptions,
    whole: float,
    work: Shares,
    room: Room,
    thread: int,
) -> None:
    """Do a thread's share of the work until its room is used up."""
    is_edges, ids, slacks = room.is_edge_edge[thread], room.ids[thread], room.slack[thread]
    counts, stack, top = work.counts[thread], work.stacks[thread], work.tops[thread]
    pairs, lists, has_bounds = (
        np.empty((PAIRS, 2), np.int32),
        feature_lists(PAIRS),
        request.has_feature_bounds,
    )
    separations, start = np.empty(BLOCK), surface.vertices_t0
    # Not plain numbers: functions are compiled for a constant argument apart.
    zero, no_limit = int(np.int64(0)), int(np.int64(NO_LIMIT))
    n = zero
    while top > 0 and n + LOAD <= len(ids):
        n_pairs, top = next_pairs(pairing, stack, top, no_limit, pairs, counts)
        counts[TRIANGLE_PAIRS] += n_pairs
        n_vertex_faces, n_edge_edges, _ = list_features(surface, has_bounds, pairs, n_pairs, lists)
        for kind in range(2):
            is_edge_edge, at = kind == 1, zero
            of_kind = lists.edge_edges[:n_edge_edges] if is_edge_edge else lists.vertex_faces[:n_vertex_faces]
            while at < len(of_kind):
                listed = of_kind[at : at + BLOCK]
                count = len(listed)
                at += count
                separate_listed(surface, request, listed, count, is_edge_edge, separations)
                for q in range(count):
                    corners = corners_of(surface, listed, q, is_edge_edge)
                    enough = FAR * whole + separations[q]
                    slack = gap_of_pair(start, corners, is_edge_edge, enough) - separations[q]
                    if slack <= whole:
                        is_edges[n], ids[n, 0], ids[n, 1] = is_edge_edge, listed[q, 0], listed[q, 1]
                        slacks[n] = min(slack * DOWN, MOST_SLACK) if slack > NO_SLACK else 0.0
                        n += 1
    work.tops[thread], room.n_found[thread] = top, n
