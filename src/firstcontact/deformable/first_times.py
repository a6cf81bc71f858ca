"""The first contact at the finest resolution, and what is simultaneous with it."""

import numpy as np

from firstcontact.deformable.candidates import Found, Request
from firstcontact.deformable.contact_list import Search
from firstcontact.deformable.problem import Problem, request_of
from firstcontact.deformable.settle import joined, settle, take
from firstcontact.narrowphase.elementary_query import CONTACT, CONTACT_AT_START, UNDECIDED

# Width of a bracket that floating point can give a time near one.
FINE = 2.0**-50

# Pairs at most that are bracketed by neighbouring doubles, in exact arithmetic, which takes some 50 us each.
# Of more that are not told apart in floating point, those that are proven keep brackets of 1e-15.
MOST_EXACT = 1024


def simultaneous(problem: Problem, search: Search, exact: bool) -> Found:
    """Narrow down the times of the contacts found first, and keep those not told apart from the first.

    What comes out depends on the pairs alone, not on how the search went.
    """
    found = _earliest(_resolved(problem, search, search.found, FINE, False))
    if not exact:
        return found
    order = np.lexsort((found.ids[:, 1], found.ids[:, 0], found.is_edge_edge, found.time))
    found = take(found, order)
    is_exact = ~np.isin(found.status, (CONTACT, CONTACT_AT_START))
    is_exact[:MOST_EXACT] = True
    resolved = _resolved(problem, search, take(found, is_exact), 0.0, True)
    return _earliest(joined([resolved, take(found, ~is_exact)]))


def _resolved(problem: Problem, search: Search, found: Found, tolerance: float, exact: bool) -> Found:
    """Ask again for the contacts of some pairs, over the whole step and with this tolerance."""
    request: Request = request_of(problem, 1.0, tolerance)
    asked = found._replace(status=np.full_like(found.status, UNDECIDED), time=np.zeros_like(found.time))
    return settle(problem.surface, asked, request, exact, search.tally.copy())


def _earliest(found: Found) -> Found:
    """Keep what is not later than the first proven contact."""
    is_proven = (found.status == CONTACT) | (found.status == CONTACT_AT_START)
    return take(found, found.time <= np.min(found.time_upper[is_proven], initial=np.inf))
