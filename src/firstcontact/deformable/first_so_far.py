"""Pairs that may be the first to touch, as a search finds them.

Where thousands touch at once, to decide each of them would be most of the work. Once more are proven than are
ever bracketed exactly, the others wait: they cannot be earlier by more than rounding, and of the time alone
none but the earliest of them has to be decided. What is said of a pair does not depend on when it was found.
"""

from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from firstcontact.deformable.elementary_candidates import (
    NEARLY_FIRST,
    NOTHING_FOUND,
    SIMULTANEOUS,
    FeatureOptions,
    FeaturesFound,
)
from firstcontact.deformable.problem import Problem, feature_options
from firstcontact.deformable.settle import are_unsettled, is_every_pair_asked, joined, settle, take
from firstcontact.narrowphase.elementary.elementary_query import CONTACT, CONTACT_AT_START

# Width of the brackets that floating point gives to all of them: of a contact as late as 1, a few thousand
# units in the last place. In narrower ones nothing changes by more than its rounding error.
FINE = 2.0**-40

# Pairs at most that are bracketed by neighbouring doubles, in exact arithmetic, which takes some 50 us each.
# More that are not told apart keep the times up to which floating point proves them free.
MOST_EXACT = 1024

# Contacts listed at the time of the first, at most: coincident faces would have any number of them.
MOST_FIRST = 1 << 16

# Pairs that wait, at most.
MOST_WAITING = 1 << 20


class FirstSoFar:
    """The earliest contacts so far, and pairs that may be as early.

    kept : contacts that are proven, not later than `limit`
    limit : by then a contact is proven to be, and all that may be simultaneous with the first
    left_out : none of the contacts that are too many to be kept touches before
    leaves_ties : whether pairs that can only be simultaneous wait until the end
    """

    def __init__(
        self, problem: Problem, exact: bool, time_tolerance: float, tally: Counter[str], limit: float = 1.0
    ) -> None:
        counts_all = not problem.only_closing and is_every_pair_asked(problem)
        counts_once = counts_all and problem.culling.representatives  # each pair, however it is met
        self.leaves_ties = counts_once and exact and problem.is_touch
        self.kept, self.limit, self.left_out = NOTHING_FOUND, limit, np.inf
        self._problem, self._counts_all, self._tally = problem, counts_all, tally
        self._time_tolerance = FINE if self.leaves_ties else time_tolerance
        self._waiting: list[FeaturesFound] = []

    def request(self) -> FeatureOptions:
        """What is asked of pairs from now on."""
        asked = feature_options(self._problem, self.limit, self._time_tolerance)
        return asked._replace(seeks_first=self._counts_all, leaves_ties=self.leaves_ties)

    def end_by(self, time: float) -> None:
        """Nothing later counts any more."""
        self.limit = min(self.limit, time)
        self.kept = take(self.kept, self.kept.time <= self.limit)

    def keep(self, contacts: FeaturesFound) -> None:
        """Add contacts that are decided; whatever is later than the first of all is dropped."""
        if len(contacts.time) == 0:
            return
        kept = joined([self.kept, contacts])
        self.limit = min(self.limit, latest_first(kept))
        is_first = kept.time <= self.limit
        if self.limit == 0.0 and self.leaves_ties:  # decided: what touches later does not touch at the start
            is_first &= kept.status == CONTACT_AT_START
        self.kept, later = earliest_of(take(kept, is_first), self._problem)
        self.left_out = min(self.left_out, later)

    def wait(self, found: FeaturesFound) -> None:
        """Add pairs as a search hands them on that leaves ties open."""
        if len(found.time) == 0:
            return
        is_open = are_unsettled(found, FINE)
        self._tally["solved"] += len(is_open) - int(np.count_nonzero(is_open))
        self.keep(take(found, ~is_open))
        is_early = found.time < NEARLY_FIRST * self.limit
        self.keep(self._settled(take(found, is_open & is_early)))
        self._put_back(take(found, is_open & ~is_early))
        self._settle_while(self._is_worth_settling)

    def finish(self, any_will_do: bool) -> None:
        """Decide what waits: all of it, or, where the time alone is asked for, what may be the earliest."""
        if self.leaves_ties and not (any_will_do and self.limit == 0.0):
            self._settle_while(self._may_be_earlier if any_will_do else self._is_any_waiting)

    def _settle_while(self, is_wanted: Callable[[], bool]) -> None:
        """Decide the earliest pairs that wait, few at first, then more."""
        n = MOST_EXACT + 1
        while self._is_any_waiting() and is_wanted():
            waiting = joined(self._waiting)
            waiting = take(waiting, waiting.time <= self.limit)
            rows = _earliest_rows(waiting, n)
            self._waiting = []
            self._put_back(take(waiting, ~rows))
            self.keep(self._settled(take(waiting, rows)))
            n *= 2

    def _settled(self, pairs: FeaturesFound) -> FeaturesFound:
        """Decide pairs, over the whole step: what comes out depends on nothing else."""
        if len(pairs.time) == 0:
            return pairs
        whole = feature_options(self._problem, 1.0, FINE)
        return settle(self._problem, pairs, whole, True, self._tally, is_advanced=True)

    def _put_back(self, pairs: FeaturesFound) -> None:
        is_early = pairs.time <= self.limit
        if is_early.any():
            self._waiting.append(pairs if is_early.all() else take(pairs, is_early))

    def _is_any_waiting(self) -> bool:
        return len(self._waiting) > 0

    def _is_worth_settling(self) -> bool:
        """May all be so little that it is bracketed exactly, or is it too much?"""
        return self._are_few() or sum(len(part.time) for part in self._waiting) > MOST_WAITING

    def _may_be_earlier(self) -> bool:
        return self._are_few() or self._earliest_waiting() < float(self.kept.time.min())

    def _are_few(self) -> bool:
        """May all that is simultaneous with the first be so little that it is bracketed exactly?"""
        times = self.kept.time
        if len(times) <= MOST_EXACT:
            return True
        return int(np.count_nonzero(times <= times.min() * (1.0 + SIMULTANEOUS))) <= MOST_EXACT

    def _earliest_waiting(self) -> float:
        return min(float(part.time.min()) for part in self._waiting)


def earliest_of(found: FeaturesFound, problem: Problem) -> tuple[FeaturesFound, float]:
    """Keep as many as are listed, the earliest; no other touches before the time returned."""
    if len(found.time) <= MOST_FIRST:
        return found, np.inf
    once = each_once(found, problem)
    order = np.lexsort((once.ids[:, 1], once.ids[:, 0], once.is_edge_edge, once.time))
    later = float(np.min(once.time[order[MOST_FIRST:]], initial=np.inf))
    return take(once, order[:MOST_FIRST]), later


def latest_first(found: FeaturesFound) -> float:
    """Time by which a first contact is proven, and all that may be simultaneous with it."""
    is_proven = (found.status == CONTACT) | (found.status == CONTACT_AT_START)
    first = float(np.min(found.time_upper[is_proven], initial=np.inf))
    return first * (1.0 + SIMULTANEOUS)


def each_once(found: FeaturesFound, problem: Problem) -> FeaturesFound:
    """Leave out what was met by several pairs of triangles."""
    if problem.culling.representatives:
        return found
    keys = np.stack([found.is_edge_edge, found.ids[:, 0], found.ids[:, 1]], axis=1)
    return take(found, np.unique(keys, axis=0, return_index=True)[1])


def _earliest_rows(found: FeaturesFound, n: int) -> NDArray[np.bool_]:
    """Which are the n earliest, and all that are as early?"""
    if len(found.time) <= n:
        return np.ones(len(found.time), np.bool_)
    is_early: NDArray[np.bool_] = found.time <= np.partition(found.time, n)[n]
    return is_early
