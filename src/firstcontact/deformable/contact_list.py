"""All contacts of a step, and the first ones."""

from collections import Counter
from time import perf_counter
from typing import NamedTuple

import numpy as np

from firstcontact.advancement.ask import MOST_LISTED
from firstcontact.advancement.progress import Report, silent
from firstcontact.arrays import Ids
from firstcontact.deformable.closing import closing_only
from firstcontact.deformable.elementary_candidates import (
    ADVANCED,
    ELEMENTARY_TESTS,
    FEATURE_PAIRS,
    FILTERED,
    TRIANGLE_PAIRS,
    FeaturesFound,
)
from firstcontact.deformable.first_so_far import MOST_FIRST, FirstSoFar, each_once
from firstcontact.deformable.narrowing import is_worth_narrowing
from firstcontact.deformable.problem import Problem, feature_options, narrowed
from firstcontact.deformable.search import Crew, crew, run
from firstcontact.deformable.settle import joined, settle_run, take
from firstcontact.deformable.touching.pierced import (
    NO_PAIRS,
    NOTHING_PIERCED,
    Pierced,
    in_order,
    once_each,
    pierced_in_run,
)
from firstcontact.hierarchy.traversal import NODE_TESTS, QUIET_NODES

# Loads of pairs between two looks at the progress, or at the first contact so far: few at first, then more.
LOADS = 1 << 12
FIRST_LOADS, MORE_LOADS = 16, 4


class Search(NamedTuple):
    """What was found, and what it took: counts, and the seconds spent on pairs that the roots left open.

    Where there was more than is listed, none of what was left out touches before `left_out`. With
    `leaves_ties`, the times found depend on nothing but the pairs.
    """

    found: FeaturesFound
    tally: Counter[str]
    seconds_settling: float
    left_out: float = np.inf
    pierced: Pierced = NOTHING_PIERCED
    leaves_ties: bool = False

    @property
    def is_truncated(self) -> bool:
        """Was anything left out?"""
        return self.left_out < np.inf


class Wanted(NamedTuple):
    """What is asked of a search, beside the problem.

    exact : decide all pairs, if need be in exact arithmetic
    pierced : list the edges that pass through faces at the start, too
    """

    time_tolerance: float
    exact: bool
    pierced: bool = False


def all_contacts(
    problem: Problem,
    wanted: Wanted,
    report: Report = silent,
    most: int = MOST_LISTED,
    part: Ids | None = None,
) -> Search:
    """Find every contact of the step; each pair of features once. Beyond `most` in all, some are left out.

    With a part of the front of the traversal, those that come from there.
    """
    tally: Counter[str] = Counter()
    request = feature_options(problem, 1.0, wanted.time_tolerance)._replace(seeks_pierced=wanted.pierced)
    team = crew(problem.pairing, problem.forest.depth, part)
    parts: list[FeaturesFound] = []
    pierced = NO_PAIRS
    settling = 0.0
    while True:
        found = run(problem.surface, problem.pairing, request, team, LOADS)
        began = perf_counter()
        hits = settle_run(problem, found, request, wanted.exact, tally, team)
        parts.append(closing(problem, hits, wanted.time_tolerance))
        settling += perf_counter() - began
        pierced = _more_pierced(pierced, problem, team)
        n_found = sum(len(part.time) for part in parts) + len(pierced)
        report(int(team.counts[:, TRIANGLE_PAIRS].sum()), n_found)
        if n_found > most:
            parts, pierced = [each_once(joined(parts), problem)], once_each(pierced, problem)
        if not team.tops.any() or len(parts[0].time) + len(pierced) > most:
            break
    found = each_once(joined(parts), problem)
    listed = in_order(once_each(pierced, problem))
    left = max(most - len(listed.edges), 0)
    left_out = 0.0 if len(found.time) + len(listed.edges) > most else np.inf
    found = take(found, np.s_[:left]) if len(found.time) > left else found
    return Search(found, _counted(tally, team), settling, left_out, listed)


def first_contacts(problem: Problem, wanted: Wanted, any_will_do: bool, report: Report = silent) -> Search:
    """Find the contacts that come first: all that may be simultaneous with the first, and perhaps more.

    With `any_will_do`, the time is all that is asked for: one of the first is enough. Where an edge passes
    through a face at the start, nothing later matters.
    """
    tally: Counter[str] = Counter()
    team = crew(problem.pairing, problem.forest.depth)
    n_items = int(team.tops.sum())
    first, window = FirstSoFar(problem, wanted.exact, wanted.time_tolerance, tally), 1.0
    loads, pierced, settling = FIRST_LOADS, NO_PAIRS, 0.0
    while True:
        request = first.request()._replace(
            seeks_pierced=wanted.pierced and len(pierced) <= MOST_FIRST, seeks_features=first.left_out > 0.0
        )
        found = run(problem.surface, problem.pairing, request, team, loads)
        began = perf_counter()
        if first.leaves_ties:
            first.wait(found)
        else:
            hits = settle_run(problem, found, request, wanted.exact, tally, team)
            first.keep(closing(problem, hits, wanted.time_tolerance))
        settling += perf_counter() - began
        pierced = _more_pierced(pierced, problem, team)
        if len(pierced):
            first.end_by(0.0)
        report(int(team.counts[:, TRIANGLE_PAIRS].sum()), len(first.kept.time))
        limit = first.limit
        is_full = first.left_out == 0.0 and (not wanted.pierced or len(pierced) > MOST_FIRST)
        if not team.tops.any() or (limit == 0.0 and (any_will_do or is_full)):
            break
        if limit < window and is_worth_narrowing(problem, window, limit, *_left(team, n_items)):
            problem, window = narrowed(problem, limit), limit
        loads = min(MORE_LOADS * loads, LOADS)
    began = perf_counter()
    first.finish(any_will_do)
    settling += perf_counter() - began
    return Search(
        each_once(first.kept, problem),
        _counted(tally, team),
        settling,
        first.left_out if first.left_out <= first.limit else np.inf,
        in_order(once_each(pierced, problem)),
        first.leaves_ties,
    )


def _more_pierced(known: Ids, problem: Problem, team: Crew) -> Ids:
    """Edges through faces of all runs."""
    more = pierced_in_run(problem, team)
    return np.concatenate([known, more]) if len(more) else known


def closing(problem: Problem, found: FeaturesFound, time_tolerance: float) -> FeaturesFound:
    """What is found, without pairs that part from the start on where only others are asked for."""
    return closing_only(problem, found, time_tolerance) if problem.only_closing else found


def _left(team: Crew, n_items: int) -> tuple[float, float]:
    """About how many pairs of triangles are to come, and which part of all, by the items left of so many."""
    n_left = min(int(team.tops.sum()), n_items)
    pairs = float(team.counts[:, TRIANGLE_PAIRS].sum()) * n_left / max(n_items - n_left, 1)
    return pairs, n_left / max(n_items, 1)


def _counted(tally: Counter[str], team: Crew) -> Counter[str]:
    """Add what the threads have counted."""
    counts = team.counts.sum(axis=0)
    tally.update(
        node_tests=int(counts[NODE_TESTS]),
        smooth_regions=int(counts[QUIET_NODES]),
        triangle_pairs=int(counts[TRIANGLE_PAIRS]),
        feature_pairs=int(counts[FEATURE_PAIRS]),
        elementary_tests=int(counts[ELEMENTARY_TESTS]),
        filtered=int(counts[FILTERED]),
        advanced=int(counts[ADVANCED]),
    )
    return tally
