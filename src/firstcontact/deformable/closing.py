"""Contacts at the start that part: left out where it is proven that the two come no nearer.

Along a fixed direction n, the heights of all vertices of the one side over all of the other are linear in
time, and the distance of the two sides is never less than the least of them. At the start, with the direction
of the closest points, that is the distance itself. So where no height at the end is below the least at the
start, the sides are never nearer than they are at the start; and the same up to any time between. What is
proven up to such a time only is asked again from there on.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.deformable.elementary_candidates import FeaturesFound
from firstcontact.deformable.feature_names import FACE_VERTEX, names_of
from firstcontact.deformable.problem import Problem
from firstcontact.deformable.rows import described
from firstcontact.deformable.settle import OWN, pair_points, separations_of, take
from firstcontact.narrowphase.elementary.elementary_ccd import finish_queries
from firstcontact.narrowphase.elementary.elementary_query import (
    CONTACT,
    CONTACT_AT_START,
    MAX_ITERATIONS,
    SEPARATED,
    UNDECIDED,
    Options,
)
from firstcontact.narrowphase.elementary.elementary_stages import BY_ROOTS, Answers
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF

# Times up to which a proof is tried, the longest first.
UP_TO = (1.0, 0.5, 0.25, 0.125, 2.0**-4, 2.0**-5, 2.0**-6, 2.0**-8, 2.0**-10)

# Roundings, of the largest coordinate, that do not count where there is a separation: bodies that move on
# together have ends that are rounded. Without one, a rounding may be the one by which surfaces cross.
SLACK = 16.0 * UNIT_ROUNDOFF

# Both sides have one vertex and three, or two and two: pairs of rows of the four.
HEIGHTS_VF = ((0, 0, 0, 0), (1, 2, 3, 3))
HEIGHTS_EE = ((0, 0, 1, 1), (2, 3, 2, 3))

UP, DOWN = 1.0 + 8.0 * UNIT_ROUNDOFF, 1.0 - 8.0 * UNIT_ROUNDOFF


class AtStart(NamedTuple):
    """Pairs that touch at the start.

    start, end : (n, 4, 3) places of their vertices
    separations : (n,) the distance that is contact
    largest : (n,) the largest coordinate
    gaps : (n,) how far apart they are, less what rounding may hide of it
    """

    found: FeaturesFound
    start: Array
    end: Array
    separations: Array
    largest: Array
    gaps: Array


def closing_only(problem: Problem, found: FeaturesFound, time_tolerance: float) -> FeaturesFound:
    """Leave out pairs that touch at the start and part; those that come back touch when they do."""
    is_open = (found.status == UNDECIDED) | (found.status == MAX_ITERATIONS)
    rows = np.flatnonzero((found.time == 0.0) & (is_open | (found.status == CONTACT_AT_START)))
    if len(rows) == 0:
        return found
    pairs, normals = _posed(problem, take(found, rows))
    proven = _proven_up_to(pairs, normals)
    is_left_out = np.zeros(len(found.time), np.bool_)
    is_left_out[rows[proven == 1.0]] = True
    back = np.flatnonzero((proven > 0.0) & (proven < 1.0))
    if len(back) > 0:
        later = _touch_again(pairs, back, proven[back], time_tolerance)
        found.status[rows[back]], found.time[rows[back]], found.time_upper[rows[back]] = later
        is_left_out[rows[back]] = later[0] == SEPARATED
    return take(found, ~is_left_out)


def _posed(problem: Problem, found: FeaturesFound) -> tuple[AtStart, Array]:
    """Pairs at the start, and unit vectors from their first sides to their second."""
    names = names_of(problem, found)
    corners, geometry = described(problem, found._replace(time=np.zeros_like(found.time)), names)
    signs = np.where(names.kind == FACE_VERTEX, -1.0, 1.0)[:, np.newaxis]
    start, end = pair_points(problem.surface, corners)
    largest = np.maximum(np.abs(start).max(axis=(1, 2)), np.abs(end).max(axis=(1, 2)))
    gaps = geometry.gaps - geometry.rounding
    return AtStart(found, start, end, separations_of(problem, found), largest, gaps), signs * geometry.normals


def _proven_up_to(pairs: AtStart, normals: Array) -> Array:
    """Times, (n,), up to which pairs are proven to come no nearer than they are at the start; 0 for none."""
    at_start, at_end = (_heights(pairs.found.is_edge_edge, places, normals) for places in pairs[1:3])
    least = at_start.min(axis=1)
    slack = np.where(pairs.separations > 0.0, SLACK * pairs.largest, 0.0)
    # A direction in which the sides are nearer than they are shows nothing of how near they come.
    is_direction = least >= pairs.gaps - (SLACK * pairs.largest + SHORTEST)
    proven = np.zeros(len(least))
    for time in UP_TO:
        heights = at_end if time == 1.0 else (1.0 - time) * at_start + time * at_end
        holds = is_direction & (heights.min(axis=1) >= least - slack)
        proven[holds & (proven == 0.0)] = time
    return proven


def _heights(is_edge_edge: NDArray[np.bool_], places: Array, normals: Array) -> Array:
    """Heights, (n, 4), of the vertices of the second side over those of the first."""
    heights = np.empty((len(places), 4))
    for of_kind, (first, second) in ((~is_edge_edge, HEIGHTS_VF), (is_edge_edge, HEIGHTS_EE)):
        own = places[of_kind]
        ways = own[:, list(second)] - own[:, list(first)]
        heights[of_kind] = np.einsum("nij,nj->ni", ways, normals[of_kind])
    return heights


def _touch_again(
    pairs: AtStart, rows: NDArray[np.intp], since: Array, time_tolerance: float
) -> tuple[NDArray[np.int8], Array, Array]:
    """Status, times and latest times of contacts after a time of each pair's own.

    Places at that time are rounded: what comes as near as that counts as contact, and is no proof of one.
    """
    part = since[:, np.newaxis, np.newaxis]
    start = (1.0 - part) * pairs.start[rows] + part * pairs.end[rows]
    end, is_edge_edge = pairs.end[rows], pairs.found.is_edge_edge[rows]
    rounding = SLACK * pairs.largest[rows] + SHORTEST
    wide = (pairs.separations[rows] + rounding) * UP
    status, times, _ = _asked(start, end, is_edge_edge, wide, time_tolerance)
    narrow = (pairs.separations[rows] - rounding) * DOWN
    proven, uppers = np.full(len(rows), SEPARATED, np.int8), np.ones(len(rows))
    some = narrow > 0.0
    proven[some], _, uppers[some] = _asked(
        start[some], end[some], is_edge_edge[some], narrow[some], time_tolerance
    )
    is_proven = (proven == CONTACT) | (proven == CONTACT_AT_START)
    lower = np.maximum((since + times * (1.0 - since)) * DOWN, since)
    upper = np.minimum((since + uppers * (1.0 - since)) * UP, 1.0)
    told = np.where(is_proven, np.int8(CONTACT), np.int8(UNDECIDED))
    told = np.where(status == SEPARATED, np.int8(SEPARATED), told)
    return told, lower, np.where(is_proven, np.maximum(upper, lower), 1.0)


def _asked(
    start: Array, end: Array, is_edge_edge: NDArray[np.bool_], separations: Array, time_tolerance: float
) -> tuple[NDArray[np.int8], Array, Array]:
    """Status, times and latest times of the first contacts of pairs with separations above 0."""
    n = len(start)
    status, times, uppers = np.full(n, UNDECIDED, np.int8), np.zeros(n), np.ones(n)
    for own in (False, True):
        rows = np.flatnonzero(is_edge_edge == own)
        answers = Answers(status[rows], times[rows], uppers[rows], np.full(len(rows), BY_ROOTS, np.int8))
        options = Options(own, 1.0, time_tolerance, OWN)
        finish_queries(start[rows], end[rows], options, answers, separations[rows])
        status[rows], times[rows], uppers[rows] = answers.status, answers.time, answers.time_upper
    return status, times, uppers
