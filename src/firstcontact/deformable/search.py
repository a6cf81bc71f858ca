"""The search for contacts: traversal and elementary tests, on one thread or on all.

Each thread has its share of the work on a stack of its own, and stops when its room for results is used up or
its budget spent; it is called again until nothing is left. What is found does not depend on the threads.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, on_threads
from firstcontact.arrays import Array, Ids
from firstcontact.deformable.elementary_candidates import (
    MOST_EDGE_EDGES,
    MOST_VERTEX_FACES,
    N_COUNTS,
    TRIANGLE_PAIRS,
    FeatureOptions,
    FeaturesFound,
    block_answers,
    count_filtered,
    gather_listed,
    hand_on,
    leave_open,
    list_edge_edges,
    list_vertex_faces,
    options_of,
    separate_listed,
)
from firstcontact.deformable.surface import Surface
from firstcontact.hierarchy.shares import NO_LIMIT, PAIRS, shared
from firstcontact.hierarchy.traversal import Pairing, next_pairs
from firstcontact.narrowphase.elementary.coplanarity_filter import BLOCK, filter_block
from firstcontact.narrowphase.elementary.elementary_stages import solve_survivors, workspace
from firstcontact.narrowphase.elementary.separation_filter import filter_separated_block

# Room for what a thread finds in one run; it stops while there is room for one more load of pairs.
ROOM = 1 << 16
LOAD = PAIRS * (MOST_VERTEX_FACES + MOST_EDGE_EDGES)


class Crew(NamedTuple):
    """One row a thread: items still to do, what is counted, and what the last run found, field by field."""

    stacks: Ids
    tops: NDArray[np.int64]
    counts: NDArray[np.int64]
    n_found: NDArray[np.int64]
    is_edge_edge: NDArray[np.bool_]
    ids: Ids
    status: NDArray[np.int8]
    time: Array
    time_upper: Array


def crew(pairing: Pairing, depths: tuple[int, int], part: Ids | None = None) -> Crew:
    """Make room for what each thread finds in its share of the work."""
    shares = shared(pairing, depths, N_COUNTS, part)
    n = len(shares.tops)
    return Crew(
        *shares,
        np.zeros(n, np.int64),
        np.empty((n, ROOM), np.bool_),
        np.empty((n, ROOM, 2), np.int32),
        np.empty((n, ROOM), np.int8),
        np.empty((n, ROOM)),
        np.empty((n, ROOM)),
    )


def run(
    surface: Surface, pairing: Pairing, request: FeatureOptions, team: Crew, budget: int
) -> FeaturesFound:
    """Let every thread work on at most `budget` loads of pairs; return what they found."""

    def task(thread: int) -> None:
        run_thread(surface, pairing, request, team, budget, thread)

    on_threads(task, len(team.tops))
    return FeaturesFound._make(
        np.concatenate([room[:n] for room, n in zip(array, team.n_found, strict=True)]) for array in team[4:]
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
    pairs, listed = np.empty((PAIRS, 2), np.int32), np.empty((BLOCK, 2), np.int32)
    answers, work, separations = block_answers(), workspace(), np.empty(BLOCK)
    # Not plain numbers: functions are compiled for a constant argument apart.
    zero, no_limit = int(np.int64(0)), int(np.int64(NO_LIMIT))
    n_found = zero
    while budget > 0 and top > 0 and n_found + LOAD <= ROOM:
        budget -= 1
        n_pairs, top = next_pairs(pairing, stack, top, no_limit, pairs, counts)
        counts[TRIANGLE_PAIRS] += n_pairs
        for kind in range(2):
            is_edge_edge, at = kind == 1, zero
            options = options_of(request, is_edge_edge)
            while at < n_pairs:
                if is_edge_edge:
                    count, at = list_edge_edges(surface, request, pairs[:n_pairs], at, listed, counts)
                else:
                    count, at = list_vertex_faces(surface, request, pairs[:n_pairs], at, listed, counts)
                gather_listed(surface, listed, count, is_edge_edge, work.block)
                if request.is_touch:
                    filter_block(work.block, count, options, work.is_free, work.cubics)
                    count_filtered(count, request, work.is_free, counts)
                    solve_survivors(count, options, zero, answers, work)
                else:
                    separate_listed(surface, request, listed, count, is_edge_edge, separations)
                    filter_separated_block(work.block, count, options, separations, work.is_free)
                    count_filtered(count, request, work.is_free, counts)
                    leave_open(count, request.max_time, work.is_free, answers)
                n_found = hand_on(listed, count, is_edge_edge, answers, found, n_found)
    team.tops[thread], team.n_found[thread] = top, n_found
