"""The first contact at the finest resolution, and what is simultaneous with it."""

import numpy as np

from firstcontact.arrays import Array
from firstcontact.deformable.closing import closing_only
from firstcontact.deformable.contact_list import Search
from firstcontact.deformable.elementary_candidates import FeaturesFound
from firstcontact.deformable.first_so_far import FINE, MOST_EXACT
from firstcontact.deformable.problem import Problem, feature_options
from firstcontact.deformable.settle import corner_ids, joined, pair_points, separations_of, settle, take
from firstcontact.narrowphase.elementary.elementary_exact import exact_contact
from firstcontact.narrowphase.elementary.elementary_query import (
    CONTACT,
    CONTACT_AT_START,
    UNDECIDED,
    Options,
)
from firstcontact.narrowphase.elementary.neighboring_times import narrow_rows
from firstcontact.narrowphase.elementary.tie_times import narrow_tied_rows


def simultaneous(problem: Problem, search: Search, exact: bool) -> FeaturesFound:
    """Narrow down the times of the contacts found first, and keep those not told apart from the first.

    What comes out depends on the pairs alone, not on how the search went.
    """
    if len(search.found.time) == 0:
        return search.found
    if not exact:
        return _resolved(problem, search, search.found)
    if _are_too_many(search):
        return search.found
    narrow, few, rest = _by_what_is_known(problem, search)
    rest.status[rest.status != CONTACT_AT_START] = CONTACT  # the search has proven it, by a later time
    separations = separations_of(problem, few)
    for row in np.flatnonzero(few.time_upper > 0.0).tolist():
        few.status[row], few.time[row], few.time_upper[row] = _exactly(problem, few, row, separations)
    return _earliest(joined([narrow, few, rest]))


def first_of_simultaneous(problem: Problem, search: Search, exact: bool) -> float:
    """The earliest of their times alone; infinite where there is none.

    No bracket is narrowed down that begins later than the earliest so far: where thousands touch at once,
    this is most of the time.
    """
    if len(search.found.time) == 0:
        return np.inf
    if not exact:
        return float(np.min(_resolved(problem, search, search.found).time, initial=np.inf))
    if _are_too_many(search):
        return float(search.found.time.min())
    narrow, few, rest = _by_what_is_known(problem, search)
    first = float(np.min(np.concatenate([narrow.time, rest.time]), initial=np.inf))
    separations = separations_of(problem, few)
    for row, time in enumerate(few.time.tolist()):
        if time < first:
            exactly = _exactly(problem, few, row, separations)[1] if few.time_upper[row] > 0.0 else time
            first = min(first, exactly)
    return first


def _are_too_many(search: Search) -> bool:
    """Do more touch at once than are bracketed exactly, with times that depend on nothing but the pairs?"""
    return search.leaves_ties and len(search.found.time) > MOST_EXACT


def _by_what_is_known(problem: Problem, search: Search) -> tuple[FeaturesFound, FeaturesFound, FeaturesFound]:
    """Those between neighbouring doubles, those left to integers, and what is beyond `MOST_EXACT`."""
    found, rest = search.found, take(search.found, np.s_[:0])
    if len(found.time) > MOST_EXACT:
        found = _resolved(problem, search, found)
        found = take(found, np.lexsort((found.ids[:, 1], found.ids[:, 0], found.is_edge_edge, found.time)))
        found, rest = take(found, np.s_[:MOST_EXACT]), take(found, np.s_[MOST_EXACT:])
        return *_narrowed(problem, found), rest
    narrow, wide = _narrowed(problem, found)
    return narrow, _resolved(problem, search, wide) if len(wide.time) else wide, rest


def _narrowed(problem: Problem, found: FeaturesFound) -> tuple[FeaturesFound, FeaturesFound]:
    """Pairs whose first contact is between neighbouring doubles for certain, or at one; and the others.

    In double-double arithmetic, which takes a tenth of the time of integers, or less. The bracket is the
    same: strictly between two neighbours is no other double.
    """
    times, separations = (found.time.copy(), found.time_upper.copy()), separations_of(problem, found)
    is_narrow = np.zeros(len(found.time), np.bool_)
    is_known = (found.status == CONTACT) & (separations >= 0.0) & (not problem.only_closing)
    for is_edge_edge in (False, True):
        rows = np.flatnonzero(is_known & (found.is_edge_edge == is_edge_edge))
        if len(rows):
            corners = corner_ids(problem.surface, is_edge_edge, found.ids[rows])
            start, end = pair_points(problem.surface, corners)
            lower, upper, is_sure = times[0][rows], times[1][rows], is_narrow[rows]
            narrow_rows(start, end, is_edge_edge, separations[rows], lower, upper, is_sure)
            if problem.is_touch and not is_sure.all():
                narrow_tied_rows(start, end, is_edge_edge, lower, upper, is_sure)
            times[0][rows], times[1][rows], is_narrow[rows] = lower, upper, is_sure
    both = found._replace(time=times[0], time_upper=times[1])
    return take(both, is_narrow), take(found, ~is_narrow)


def _resolved(problem: Problem, search: Search, found: FeaturesFound) -> FeaturesFound:
    """Ask again for the contacts that were found, over the whole step and in finer brackets: the earliest."""
    asked = found._replace(status=np.full_like(found.status, UNDECIDED), time=np.zeros_like(found.time))
    found = settle(problem, asked, feature_options(problem, 1.0, FINE), False, search.tally.copy())
    return _earliest(closing_only(problem, found, FINE) if problem.only_closing else found)


def _exactly(
    problem: Problem, found: FeaturesFound, row: int, separations: Array
) -> tuple[int, float, float]:
    """Status and bracket of a contact by neighbouring doubles, or by one where the time is a double.

    What was left out at the start, and has come back, keeps the bracket that it has.
    """
    is_edge_edge = bool(found.is_edge_edge[row])
    corners = corner_ids(problem.surface, is_edge_edge, found.ids[row : row + 1])
    start, end = pair_points(problem.surface, corners)
    options = Options(is_edge_edge, 1.0, 0.0, float(separations[row]))
    lower, upper = float(found.time[row]), float(found.time_upper[row])
    is_known = found.status[row] == CONTACT and lower > 0.0 and not problem.only_closing
    status, time, upper = exact_contact(start[0], end[0], options, (lower, upper) if is_known else None)
    if status == CONTACT_AT_START and found.time[row] > 0.0:
        return int(found.status[row]), float(found.time[row]), float(found.time_upper[row])
    return status, time, upper


def _earliest(found: FeaturesFound) -> FeaturesFound:
    """Keep what is not later than the first proven contact."""
    is_proven = (found.status == CONTACT) | (found.status == CONTACT_AT_START)
    return take(found, found.time <= np.min(found.time_upper[is_proven], initial=np.inf))
