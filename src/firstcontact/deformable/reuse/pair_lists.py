"""All pairs of features that can come within reach while no vertex leaves its start by more than a length.

With each pair comes its slack: how far its vertices have to go, those of both sides together, before it can
touch. The lists are in bins by that, those next to touching first, so that a small motion looks at few.
"""

from functools import partial
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_threads
from firstcontact.advancement.progress import Report
from firstcontact.arrays import INFINITY, Array, Ids
from firstcontact.bounds.directions import directions
from firstcontact.deformable.elementary_candidates import (
    N_COUNTS,
    NOTHING_FOUND,
    TRIANGLE_PAIRS,
    FeatureOptions,
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
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF

# Room for what a thread lists in one run; it stops while there is room for one more load of pairs.
ROOM = 1 << 17
LOAD = PAIRS * (MOST_VERTEX_FACES + MOST_EDGE_EDGES)

# Bins of a list: the k-th begins at the square of k / BINS of the whole reach.
BINS = 64

# Slacks are kept in single precision, rounded down: a rounding of that is 2**-24. Those below are none, and
# those above, which has no larger number, are told as that.
DOWN = 1.0 - 2.0**-22
NO_SLACK, MOST_SLACK = 2.0**-100, 2.0**126

# From that part of the whole way on, the distance of bounds will do for a slack: most pairs are farther.
FAR = 0.25

# Roundings of a gap of two bounds and of what both are widened by, of the latter.
GAP_ROUNDING = 32.0 * UNIT_ROUNDOFF

Slacks = NDArray[np.float32]
Bins = NDArray[np.uint8]


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
    """What is listed in one run: the bin of each pair, those of edges behind all others, and its slack."""

    bins: Bins
    ids: Ids
    slack: Slacks


class Reach(NamedTuple):
    """What pairs are listed for.

    whole : how far both sides of a pair go together
    separation : the distance that is contact, beside radii
    is_bare : whether there are no radii, and so all bounds are widened by the same
    inverse : of the lengths of the directions of the bounds, rounded up
    """

    whole: float
    separation: float
    is_bare: bool
    inverse: Array


def list_pairs(
    problem: Problem, request: FeatureOptions, whole: float, most: int, report: Report
) -> PairLists | None:
    """List all pairs, or give None where they are more than so many.

    problem : whose bounds hold all that can be reached, widened by that and the separation
    request : with the separation that counts as contact
    whole : how far both sides of a pair go together
    """
    surface = problem.surface
    work = shared(problem.pairing, problem.forest.depth, N_COUNTS)
    n, n_found = len(work.tops), np.zeros(len(work.tops), np.int64)
    inverse = np.nextafter(1.0 / directions(surface.vertex_bounds.shape[1]).lengths, np.inf)
    reach_of = Reach(whole, request.min_separation, not surface.vertex_radii.any(), inverse)
    parts: list[Room] = []
    while work.tops.any():
        rooms = [
            Room(np.empty(ROOM, np.uint8), np.empty((ROOM, 2), np.int32), np.empty(ROOM, np.float32))
            for _ in range(n)
        ]
        on_threads(
            partial(_list_into, surface, problem.pairing, request, reach_of, work, (rooms, n_found)), n
        )
        parts += [
            _asked(problem, Room._make(field[:count] for field in room))
            for room, count in zip(rooms, n_found.tolist(), strict=True)
        ]
        report(int(work.counts[:, TRIANGLE_PAIRS].sum()))
        if sum(len(part.slack) for part in parts) > most:
            return None
    return _binned(parts, whole)


def _list_into(
    surface: Surface,
    pairing: Pairing,
    request: FeatureOptions,
    reach_of: Reach,
    work: Shares,
    listed: tuple[list[Room], NDArray[np.int64]],
    thread: int,
) -> None:
    """Let a thread list pairs into its room, and note how many."""
    rooms, n_found = listed
    n_found[thread] = _list_thread(surface, pairing, request, reach_of, work, rooms[thread], thread)


def _asked(problem: Problem, room: Room) -> Room:
    """Those that are asked for."""
    found = NOTHING_FOUND._replace(is_edge_edge=room.bins >= BINS, ids=room.ids)
    is_asked = are_asked_for(problem, found)
    return room if is_asked is None else Room._make(field[is_asked] for field in room)


def _binned(parts: list[Room], whole: float) -> PairLists:
    """Sort pairs into bins, vertices and faces first; within one they keep their order, near what is near."""
    counts = np.zeros(2 * BINS, np.int64)
    for part in parts:
        _count_bins(part.bins, counts)
    ends = np.cumsum(counts)
    ids, slack, at = np.empty((ends[-1], 2), np.int32), np.empty(ends[-1], np.float32), ends - counts
    for part in parts:
        _fill_bins(part, ids, slack, at)
    n = int(ends[BINS - 1])
    return PairLists(
        PairList(ids[:n], slack[:n], ends[:BINS].copy()),
        PairList(ids[n:], slack[n:], ends[BINS:] - n),
        whole,
    )


@driver
def _count_bins(bins: Bins, counts: NDArray[np.int64]) -> None:
    """Count what goes into each bin."""
    for b in bins:
        counts[b] += 1


@driver
def _fill_bins(part: Room, ids: Ids, slack: Slacks, at: NDArray[np.int64]) -> None:
    """Put pairs into their bins, from where these are filled up to."""
    for k in range(len(part.bins)):
        i = at[part.bins[k]]
        ids[i, 0], ids[i, 1], slack[i] = part.ids[k, 0], part.ids[k, 1], part.slack[k]
        at[part.bins[k]] += 1


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
    reach_of: Reach,
    work: Shares,
    room: Room,
    thread: int,
) -> int:
    """Do a thread's share of the work until its room is used up; return how many pairs are listed."""
    counts, stack, top = work.counts[thread], work.stacks[thread], work.tops[thread]
    pairs, lists, has_bounds = (
        np.empty((PAIRS, 2), np.int32),
        feature_lists(PAIRS),
        request.has_feature_bounds,
    )
    separations, start, lost = np.empty(BLOCK), surface.vertices_t0, -INFINITY
    whole, separation, is_bare, inverse = reach_of
    far, known = FAR * whole, whole - GAP_ROUNDING * (whole + separation)
    of_faces = surface.vertex_bounds, surface.face_bounds
    of_edges = surface.edge_bounds, surface.edge_bounds
    bins, ids, slacks = room
    # Not plain numbers: functions are compiled for a constant argument apart.
    zero, no_limit = int(np.int64(0)), int(np.int64(NO_LIMIT))
    n = zero
    while top > 0 and n + LOAD <= len(bins):
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
                one, other = of_edges if is_edge_edge else of_faces
                separate_listed(surface, request, listed, count, is_edge_edge, separations)
                for q in range(count):
                    first, second = listed[q, 0], listed[q, 1]
                    # To look for closest points takes longer; where the gap of bounds is wide, it will do.
                    slack = lost
                    if is_bare:
                        slack = widest_gap(one, first, other, second, inverse) + known
                    if slack < far:
                        corners = corners_of(surface, listed, q, is_edge_edge)
                        gap = gap_of_pair(start, corners, is_edge_edge, far + separations[q])
                        slack = max(slack, gap - separations[q])
                    if slack <= whole:
                        slack = min(slack * DOWN, MOST_SLACK) if slack > NO_SLACK else 0.0
                        bins[n] = kind * BINS + _bin_of(slack, whole)
                        ids[n, 0], ids[n, 1], slacks[n] = first, second, slack
                        n += 1
    work.tops[thread] = top
    return n


@kernel
def widest_gap(p: Array, i: int, q: Array, j: int, inverse: Array) -> float:
    """By how much bounds i of p and j of q are apart along one of their directions; below 0 they overlap."""
    half, widest = p.shape[1] // 2, -INFINITY
    for k in range(half):
        widest = max(widest, max(p[i, k] - q[j, half + k], q[j, k] - p[i, half + k]) * inverse[k])
    return widest
