"""Contacts among pairs that are listed: those that a motion can bring together, by the elementary tests."""

from collections import Counter
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array, Ids
from firstcontact.deformable.contact_list import Search, Wanted, closing
from firstcontact.deformable.elementary_candidates import (
    N_COUNTS,
    ROUNDED_UP,
    Corners,
    FeatureOptions,
    FeaturesFound,
    advance_listed,
    block_answers,
    corners_of,
    gather_listed,
    hand_on,
    latest_to_advance,
    leave_open,
    options_of,
    options_of_whole,
    reach,
    separate_listed,
)
from firstcontact.deformable.first_so_far import FirstSoFar, latest_first
from firstcontact.deformable.problem import Problem, feature_options
from firstcontact.deformable.reuse.pair_lists import PairLists, n_within
from firstcontact.deformable.settle import joined, settle, take
from firstcontact.deformable.surface import Surface
from firstcontact.hierarchy.shares import NO_LIMIT
from firstcontact.narrowphase.elementary.coplanarity_filter import BLOCK, filter_block
from firstcontact.narrowphase.elementary.elementary_stages import solve_survivors, workspace
from firstcontact.narrowphase.elementary.separation_filter import filter_separated_block
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF

# Pairs from which a thread is worth its start.
WORTH_A_THREAD = 1 << 14

# Pairs that are settled before another look at the first contact so far: few at first, then more.
FIRST_PAIRS, MORE_PAIRS = 256, 4

# A distance of two points, rounded up.
DISTANCE_UP = 1.0 + 8.0 * UNIT_ROUNDOFF


class Travels(NamedTuple):
    """How far vertices get from where they were when the pairs were listed, and the most of all."""

    lengths: Array
    most: float


def travels_of(places: Array, *positions: Array) -> Travels:
    """How far vertices get from their places at several positions, and on straight ways between them."""
    lengths = np.zeros(len(places))
    most = max(measure_travels(places, each, lengths) for each in positions)
    return Travels(lengths, most)


@driver
def measure_travels(places: Array, positions: Array, lengths: Array) -> float:
    """Let lengths grow to how far positions are from places, rounded up; return the longest of all."""
    most = 0.0
    for i in range(len(places)):
        x = positions[i, 0] - places[i, 0]
        y = positions[i, 1] - places[i, 1]
        z = positions[i, 2] - places[i, 2]
        # By the largest, so that no square underflows or overflows.
        size = max(max(abs(x), abs(y)), abs(z))
        if size > 0.0:
            x, y, z = x / size, y / size, z / size
            size *= sqrt(x * x + y * y + z * z) * DISTANCE_UP
        lengths[i] = max(lengths[i], size)
        most = max(most, size)
    return most


class Trial(NamedTuple):
    """Pairs of one kind and their slacks, and how far each vertex goes."""

    ids: Ids
    slack: NDArray[np.float32]
    travels: Array
    is_edge_edge: bool


def contacts_among(
    problem: Problem, lists: PairLists, travels: Travels, time_tolerance: float, exact: bool, most: int
) -> Search:
    """Find every contact of a step among the pairs; beyond `most`, some are left out."""
    tally: Counter[str] = Counter()
    request = feature_options(problem, 1.0, time_tolerance)
    found = settle(problem, _tried(problem, lists, travels, request, tally), request, exact, tally)
    found = closing(problem, found, time_tolerance)
    left_out = 0.0 if len(found.time) > most else np.inf
    return Search(take(found, np.s_[:most]), tally, 0.0, left_out)


def first_among(
    problem: Problem,
    lists: PairLists,
    travels: Travels,
    wanted: Wanted,
    latest: float,
    any_will_do: bool,
) -> Search:
    """Find the contacts that come first: all that may be simultaneous with the first, and perhaps more."""
    exact, time_tolerance = wanted.exact, wanted.time_tolerance
    if problem.only_closing:  # none but a pair that is settled is known to count
        every = contacts_among(problem, lists, travels, time_tolerance, exact, NO_LIMIT)
        return every._replace(found=take(every.found, every.found.time <= latest))
    tally: Counter[str] = Counter()
    first = FirstSoFar(problem, exact, time_tolerance, tally, latest)
    left = _tried(problem, lists, travels, first.request(), tally)
    if first.leaves_ties:
        first.wait(left)
        first.finish(any_will_do)
    else:
        _settle_nearest(problem, left, first, wanted, tally)
    left_out = first.left_out if first.left_out <= first.limit else np.inf
    return Search(first.kept, tally, 0.0, left_out, leaves_ties=first.leaves_ties)


def _settle_nearest(
    problem: Problem, left: FeaturesFound, first: FirstSoFar, wanted: Wanted, tally: Counter[str]
) -> None:
    """Decide pairs, those that were nearest first, as long as they may be the first to touch."""
    chunk = FIRST_PAIRS
    while len(left.time):
        first.end_by(latest_first(left))
        left = take(left, left.time <= first.limit)
        some, left = take(left, np.s_[:chunk]), take(left, np.s_[chunk:])
        request = feature_options(problem, first.limit, wanted.time_tolerance)
        hits = settle(problem, some, request, wanted.exact, tally)
        first.keep(closing(problem, hits, wanted.time_tolerance))
        chunk *= MORE_PAIRS


def n_reached(lists: PairLists, travels: Travels) -> int:
    """How many pairs are looked at."""
    return sum(
        n_within(pairs, lists.reach, 2.0 * travels.most) for pairs in (lists.vertex_faces, lists.edge_edges)
    )


def _tried(
    problem: Problem, lists: PairLists, travels: Travels, request: FeatureOptions, tally: Counter[str]
) -> FeaturesFound:
    """Pairs that touch in a step, or that take more than the roots of a cubic to decide; nearest first."""
    parts = []
    for is_edge_edge, pairs in ((False, lists.vertex_faces), (True, lists.edge_edges)):
        n = n_within(pairs, lists.reach, 2.0 * travels.most)
        trial = Trial(pairs.ids, pairs.slack, travels.lengths, is_edge_edge)
        found, n_tried = _tried_of(problem.surface, request, trial, n)
        tally.update(feature_pairs=n, elementary_tests=n_tried)
        parts.append(found)
    return joined(parts)


def _tried_of(surface: Surface, request: FeatureOptions, trial: Trial, n: int) -> tuple[FeaturesFound, int]:
    """Try the first n pairs of a list; give those that are not separated, and how many were tried."""
    room, counts = _room(n), {}

    def run(first: int, last: int) -> None:
        own = FeaturesFound._make(field[first:last] for field in room)
        counts[first] = _try_range(surface, request, trial, own, first)

    on_ranges(run, n, WORTH_A_THREAD)
    found = joined([take(room, np.s_[first : first + counts[first][0]]) for first in sorted(counts)])
    return found, sum(n_tried for _, n_tried in counts.values())


def _room(n: int) -> FeaturesFound:
    """Room for n pairs; what is not written to takes no memory."""
    return FeaturesFound(
        np.empty(n, np.bool_), np.empty((n, 2), np.int32), np.empty(n, np.int8), np.empty(n), np.empty(n)
    )


@driver
def _try_range(
    surface: Surface, request: FeatureOptions, trial: Trial, found: FeaturesFound, at: int
) -> tuple[int, int]:
    """Try as many pairs as there is room for, from pair `at` on; return how many are found, and were tried.

    One long function: the compiler works through all that is below each level of calls once more.
    """
    is_edge_edge = trial.is_edge_edge
    listed, separations, counts = (
        np.empty((BLOCK, 2), np.int32),
        np.zeros(BLOCK),
        np.zeros(N_COUNTS, np.int64),
    )
    answers, work, options = block_answers(), workspace(), options_of(request, is_edge_edge, request.max_time)
    whole = options_of_whole(request, is_edge_edge, request.max_time)
    latest = latest_to_advance(request, request.max_time)
    zero, last = int(np.int64(0)), at + len(found.time)
    n_found, n_tried = zero, zero
    while at < last:
        count, at = _list_near(surface, request, trial, at, last, listed)
        n_tried += count
        gather_listed(surface, listed, count, is_edge_edge, work.block)
        if request.is_touch:
            filter_block(work.block, count, options, work.is_free, work.cubics)
            solve_survivors(count, whole, zero, answers, work)
            if request.leaves_ties:
                advance_listed(count, whole, latest, separations, work.block, answers, counts)
        else:
            separate_listed(surface, request, listed, count, is_edge_edge, separations)
            filter_separated_block(work.block, count, options, separations, work.is_free)
            leave_open(count, request.max_time, work.is_free, answers)
        n_found = hand_on(listed, count, options, answers, found, n_found)[0]
    return n_found, n_tried


@kernel
def _list_near(
    surface: Surface, request: FeatureOptions, trial: Trial, at: int, last: int, listed: Ids
) -> tuple[int, int]:
    """List pairs that can meet from pair `at` on; return how many, and the pair to go on at.

    By how far their vertices go, and by the boxes that they sweep.
    """
    ids, slack, travels, is_edge_edge = trial
    t0, t1 = surface.vertices_t0, surface.vertices_t1
    one = surface.edge_radii if is_edge_edge else surface.vertex_radii
    other = surface.edge_radii if is_edge_edge else surface.face_radii
    count = 0
    while at < last and count < len(listed):
        first, second = ids[at, 0], ids[at, 1]
        corners = corners_of(surface, ids, at, is_edge_edge)
        a, b, c, d = corners
        way = way_of(travels, corners, is_edge_edge)
        if slack[at] <= way * ROUNDED_UP:
            separation = reach(one[first] + other[second], request.min_separation) * ROUNDED_UP
            # Of a vertex both ends are the same, and of two edges the second corner of the second is.
            e, f = (b, d) if is_edge_edge else (a, b)
            if _are_beside(t0, t1, (a, e), (c, d, f), separation):
                listed[count, 0], listed[count, 1] = first, second
                count += 1
        at += 1
    return count, at


@kernel
def way_of(travels: Array, corners: Corners, is_edge_edge: bool) -> float:
    """How far the vertices of both sides of a pair go together, at the most."""
    a, b, c, d = corners
    on_edges = max(travels[a], travels[b]) + max(travels[c], travels[d])
    way: float = on_edges if is_edge_edge else travels[a] + max(max(travels[b], travels[c]), travels[d])
    return way


@kernel
def _are_beside(t0: Array, t1: Array, p: tuple[int, int], q: tuple[int, int, int], separation: float) -> bool:
    """Do the boxes that two and three vertices sweep come within a distance of each other?"""
    is_apart = False
    for k in range(3):
        low_p = min(min(t0[p[0], k], t1[p[0], k]), min(t0[p[1], k], t1[p[1], k]))
        high_p = max(max(t0[p[0], k], t1[p[0], k]), max(t0[p[1], k], t1[p[1], k]))
        low_q = min(min(t0[q[0], k], t1[q[0], k]), min(t0[q[1], k], t1[q[1], k]))
        high_q = max(max(t0[q[0], k], t1[q[0], k]), max(t0[q[1], k], t1[q[1], k]))
        low_q = min(low_q, min(t0[q[2], k], t1[q[2], k]))
        high_q = max(high_q, max(t0[q[2], k], t1[q[2], k]))
        is_apart |= (low_p - high_q > separation) | (low_q - high_p > separation)
    return not is_apart
