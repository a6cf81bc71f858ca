"""The search for contacts: traversal and elementary tests, on one thread or on all.

Each thread has its share of the work on a stack of its own, and stops when its room for results is used up or
its budget spent; it is called again until nothing is left. What is found does not depend on the threads.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, on_threads
from firstcontact.arrays import Array, Flags, Ids
from firstcontact.deformable.elementary_candidates import (
    FEATURE_PAIRS,
    N_COUNTS,
    TRIANGLE_PAIRS,
    FeatureOptions,
    FeaturesFound,
    advance_listed,
    block_answers,
    count_filtered,
    gather_listed,
    hand_on,
    latest_of_first,
    latest_to_advance,
    leave_open,
    options_of,
    options_of_whole,
    separate_listed,
)
from firstcontact.deformable.feature_pairs import (
    MOST_EDGE_EDGES,
    MOST_EDGE_FACES,
    MOST_VERTEX_FACES,
    feature_lists,
    list_edge_faces,
    list_features,
)
from firstcontact.deformable.surface import Surface
from firstcontact.deformable.touching.pierced_candidates import list_pierced
from firstcontact.hierarchy.shares import NO_LIMIT, PAIRS, shared
from firstcontact.hierarchy.traversal import Pairing, next_pairs
from firstcontact.narrowphase.elementary.coplanarity_filter import BLOCK, filter_block
from firstcontact.narrowphase.elementary.elementary_stages import solve_survivors, workspace
from firstcontact.narrowphase.elementary.separation_filter import filter_separated_block
from firstcontact.narrowphase.triangles.piercing import ROOM_SIZE

# Room for what a thread finds in one run, of features and of edges through faces; it stops while there is
# room for one more load of pairs. Small meshes have little: to take up memory anew for each query shows.
ROOM, PIERCED_ROOM = 1 << 16, 1 << 14
LOAD, PIERCED_LOAD = PAIRS * (MOST_VERTEX_FACES + MOST_EDGE_EDGES), PAIRS * MOST_EDGE_FACES
SMALL, SMALL_TO = 2, 1 << 14


class Crew(NamedTuple):
    """One row a thread: items still to do, what is counted, and what the last run found, field by field.

    n_found, n_unsettled, n_pierced : features, those of them that are open or too wide, edges through faces
    """

    stacks: Ids
    tops: NDArray[np.int64]
    counts: NDArray[np.int64]
    n_found: NDArray[np.int64]
    n_unsettled: NDArray[np.int64]
    n_pierced: NDArray[np.int64]
    is_edge_edge: NDArray[np.bool_]
    ids: Ids
    status: NDArray[np.int8]
    time: Array
    time_upper: Array
    pierced_ids: Ids
    is_sure: Flags


def crew(pairing: Pairing, depth: int, part: Ids | None = None) -> Crew:
    """Make room for what each thread finds in its share of the work."""
    shares = shared(pairing, depth, N_COUNTS, part)
    n = len(shares.tops)
    is_small = len(pairing.children) < SMALL_TO
    room, pierced_room = (SMALL * LOAD, SMALL * PIERCED_LOAD) if is_small else (ROOM, PIERCED_ROOM)
    return Crew(
        *shares,
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.empty((n, room), np.bool_),
        np.empty((n, room, 2), np.int32),
        np.empty((n, room), np.int8),
        np.empty((n, room)),
        np.empty((n, room)),
        np.empty((n, pierced_room, 2), np.int32),
        np.empty((n, pierced_room), np.bool_),
    )


def run(
    surface: Surface, pairing: Pairing, request: FeatureOptions, team: Crew, budget: int
) -> FeaturesFound:
    """Let every thread work on at most `budget` loads of pairs; return the features that they found."""

    def task(thread: int) -> None:
        run_thread(surface, pairing, request, team, budget, thread)

    n_threads = len(team.tops)
    on_threads(task, n_threads)
    columns = team.is_edge_edge, team.ids, team.status, team.time, team.time_upper
    if n_threads == 1:
        n = int(team.n_found[0])
        return FeaturesFound._make([column[0, :n].copy() for column in columns])
    return FeaturesFound._make(
        np.concatenate([room[:n] for room, n in zip(column, team.n_found, strict=True)]) for column in columns
    )


@driver
def run_thread(
    surface: Surface, pairing: Pairing, request: FeatureOptions, team: Crew, budget: int, thread: int
) -> None:
    """Do a thread's share of the work.

    One long function: the compiler works through all that is below each level of calls once more.
    """
    found = FeaturesFound(
        team.is_edge_edge[thread],
        team.ids[thread],
        team.status[thread],
        team.time[thread],
        team.time_upper[thread],
    )
    counts, stack, top = team.counts[thread], team.stacks[thread], team.tops[thread]
    pierced_ids, is_sure, exact_room = team.pierced_ids[thread], team.is_sure[thread], np.empty(ROOM_SIZE)
    pairs, lists, has_bounds = (
        np.empty((PAIRS, 2), np.int32),
        feature_lists(PAIRS),
        request.has_feature_bounds,
    )
    answers, work, separations = block_answers(), workspace(), np.zeros(BLOCK)
    # Not plain numbers: functions are compiled for a constant argument apart.
    zero, no_limit = int(np.int64(0)), int(np.int64(NO_LIMIT))
    n_found = n_unsettled = n_pierced = zero
    max_time = request.max_time
    last, last_pierced = len(found.time) - LOAD, len(is_sure) - PIERCED_LOAD
    while budget > 0 and top > 0 and n_found <= last and n_pierced <= last_pierced:
        budget -= 1
        n_pairs, top = next_pairs(pairing, stack, top, no_limit, pairs, counts)
        counts[TRIANGLE_PAIRS] += n_pairs
        if request.seeks_pierced:
            count = list_edge_faces(surface, has_bounds, pairs, n_pairs, lists)
            n_pierced = list_pierced(
                surface, lists.edge_faces, count, exact_room, pierced_ids, is_sure, n_pierced
            )
        if not request.seeks_features:
            continue
        n_vertex_faces, n_edge_edges, n_seen = list_features(surface, has_bounds, pairs, n_pairs, lists)
        counts[FEATURE_PAIRS] += n_seen
        for kind in range(2):
            is_edge_edge, at = kind == 1, zero
            of_kind = lists.edge_edges[:n_edge_edges] if is_edge_edge else lists.vertex_faces[:n_vertex_faces]
            while at < len(of_kind):
                listed = of_kind[at : at + BLOCK]
                count = len(listed)
                at += count
                options = options_of(request, is_edge_edge, max_time)
                whole = options_of_whole(request, is_edge_edge, max_time)
                latest = latest_to_advance(request, max_time)
                gather_listed(surface, listed, count, is_edge_edge, work.block)
                if request.is_touch:
                    filter_block(work.block, count, options, work.is_free, work.cubics)
                    count_filtered(count, request, work.is_free, counts)
                    solve_survivors(count, whole, zero, answers, work)
                else:
                    separate_listed(surface, request, listed, count, is_edge_edge, separations)
                    filter_separated_block(work.block, count, options, separations, work.is_free)
                    count_filtered(count, request, work.is_free, counts)
                    leave_open(count, max_time, work.is_free, answers)
                advance_listed(count, whole, latest, separations, work.block, answers, counts)
                n_found, n_more = hand_on(listed, count, options, answers, found, n_found)
                n_unsettled += n_more
                if request.seeks_first:
                    max_time = latest_of_first(count, answers, max_time)
    team.tops[thread], team.n_found[thread] = top, n_found
    team.n_unsettled[thread], team.n_pierced[thread] = n_unsettled, n_pierced
