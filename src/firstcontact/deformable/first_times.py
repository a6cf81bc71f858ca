"""The first contact at the finest resolution, and what is simultaneous with it."""

import numpy as np

from firstcontact.deformable.candidates import Found, Request
from firstcontact.deformable.contact_list import Search
from firstcontact.deformable.problem import Problem, request_of
from firstcontact.deformable.settle import joined, settle, take
from firstcontact.narrowphase.elementary_query import CONTACT, CONTACT_AT_START, UNDECIDED

# Width of the brackets that floating point gives to all of them: of a contact as late as 1, a few thousand
# units in the last place. In narrower ones nothing changes by more than its rounding error.
FINE = 2.0**-40

# Pairs at most that are bracketed by neighbouring doubles, in exact arithmetic, which takes some 50 us each.
# More that are not told apart keep the times up to which floating point proves them free.
MOST_EXACT = 1024


def simultaneous(problem: Problem, search: Search, exact: bool) -> Found:
    """Narrow down the times of the contacts found first, and keep those not told apart from the first.

    What comes out depends on the pairs alone, not on how the search went.
    """
    found = _earliest(_resolved(problem, search, search.found, FINE, False))
    if not exact:
        return found
    found = take(found, np.lexsort((found.ids[:, 1], found.ids[:, 0], found.is_edge_edge, found.time)))
    few, rest = take(found, np.s_[:MOST_EXACT]), take(found, np.s_[MOST_EXACT:])
    rest.status[rest.status != CONTACT_AT_START] = CONTACT  # the search has proven it, by a later time
    return _earliest(joined([_resolved(problem, search, few, 0.0, True), rest]))


def _resolved(problem: Problem, search: Search, found: Found, tolerance: float, exact: bool) -> Found:
    """Ask again for the contacts of some pairs, over the whole step and with this tolerance."""
    request: Request = request_of(problem, 1.0, tolerance)
    asked = found._replace(status=np.full_like(found.status, UNDECIDED), time=np.zeros_like(found.time))
    return settle(problem.surface, asked, request, exact, search.tally.copy())


def _earliest(found: Found) -> Found:
    """Keep what is not later than the first proven contact."""
    is_proven = (found.status == CONTACT) | (found.status == CONTACT_AT_START)
    return take(found, found.time <= np.min(found.time_upper[is_proven], initial=np.inf))
