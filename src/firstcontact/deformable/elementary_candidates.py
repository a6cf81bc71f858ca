"""Pairs of features through the elementary test, a block at a time.

Nothing is listed but what a block holds: pairs are dropped as early as they can be, and of the rest only
those leave that are in contact, or that take more than the roots of a cubic to decide.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array, Ids
from firstcontact.deformable.surface import Surface
from firstcontact.narrowphase.elementary.coplanarity_filter import BLOCK, END, block_points, gather_point
from firstcontact.narrowphase.elementary.elementary_query import (
    CONTACT,
    CONTACT_AT_START,
    MAX_ITERATIONS,
    SEPARATED,
    UNDECIDED,
    Options,
)
from firstcontact.narrowphase.elementary.elementary_stages import Answers, advance_points

Counts = NDArray[np.int64]
Corners = tuple[int, int, int, int]

# What a search counts; the first two are the traversal's own.
TRIANGLE_PAIRS = 2
FEATURE_PAIRS = 3
ELEMENTARY_TESTS = 4
FILTERED = 5
ADVANCED = 6
N_COUNTS = 7

# Pairs that touch within this of each other, relative to the time, are not told apart by the search: those
# that it keeps are compared again, at the finest resolution.
SIMULTANEOUS = 2.0**-40

# An open pair that is free up to nearly the first contact so far, to this part of it, can hardly be earlier.
NEARLY_FIRST = 1.0 - 2.0**-20

# What undoes the rounding of a sum of lengths, upwards.
ROUNDED_UP = 1.0 + 2.0**-50


class FeatureOptions(NamedTuple):
    """What is asked of every pair, and which stages cull before the elementary test.

    min_separation : beside the radii of both features
    is_touch : whether every pair has to touch, since there is no separation, and no radius
    seeks_features, seeks_pierced : whether contacts are asked for, and edges through faces at the start
    seeks_first : whether nothing counts that is later than a contact which was found
    leaves_ties : whether what can only be simultaneous with that is left open. A pair is asked about the
        whole step then: what is said of it depends on the pair alone, not on what was found before
    """

    max_time: float
    time_tolerance: float
    min_separation: float
    is_touch: bool
    has_feature_bounds: bool
    has_filter: bool
    seeks_features: bool = True
    seeks_pierced: bool = False
    seeks_first: bool = False
    leaves_ties: bool = False


class FeaturesFound(NamedTuple):
    """What a search hands on: features (vertex and face, or two edges), and what is known of them."""

    is_edge_edge: NDArray[np.bool_]
    ids: Ids
    status: NDArray[np.int8]
    time: Array
    time_upper: Array


NOTHING_FOUND = FeaturesFound(
    np.empty(0, np.bool_), np.empty((0, 2), np.int32), np.empty(0, np.int8), np.empty(0), np.empty(0)
)


@kernel
def options_of(request: FeatureOptions, is_edge_edge: bool, max_time: float) -> Options:
    """What is asked of pairs of one kind, up to a time."""
    return Options(is_edge_edge, max_time, request.time_tolerance, request.min_separation)


@kernel
def options_of_whole(request: FeatureOptions, is_edge_edge: bool, max_time: float) -> Options:
    """What roots and advancement ask of pairs of one kind: where ties are left, about the whole step."""
    if request.leaves_ties:
        return Options(is_edge_edge, 1.0, 0.0, request.min_separation)
    return options_of(request, is_edge_edge, max_time)


@kernel
def latest_to_advance(request: FeatureOptions, max_time: float) -> float:
    """Time up to which open pairs are advanced; those that are free up to there may wait."""
    return NEARLY_FIRST * max_time if request.leaves_ties else INFINITY


@kernel
def block_answers() -> Answers:
    """Room for the answers of a block."""
    return Answers(np.empty(BLOCK, np.int8), np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK, np.int8))


@kernel
def corners_of(surface: Surface, ids: Ids, row: int, is_edge_edge: bool) -> Corners:
    """The four vertices of a listed pair: vertex and corners of the face, or the ends of both edges."""
    first, second = ids[row, 0], ids[row, 1]
    if is_edge_edge:
        edges = surface.edges
        return edges[first, 0], edges[first, 1], edges[second, 0], edges[second, 1]
    faces = surface.faces
    return first, faces[second, 0], faces[second, 1], faces[second, 2]


@kernel
def gather_listed(surface: Surface, listed: Ids, count: int, is_edge_edge: bool, block: Array) -> None:
    """Bring the points of the listed pairs into a block."""
    t0, t1, faces, edges = surface.vertices_t0, surface.vertices_t1, surface.faces, surface.edges
    for q in range(count):
        first, second = listed[q, 0], listed[q, 1]
        for i in range(4):
            if is_edge_edge:
                row = edges[first if i < 2 else second, i % 2]
            else:
                row = first if i == 0 else faces[second, i - 1]
            gather_point(t0, t1, row, i, q, block)


@kernel
def separate_listed(
    surface: Surface, request: FeatureOptions, listed: Ids, count: int, is_edge_edge: bool, separations: Array
) -> None:
    """Write the distance at which each of the listed pairs touches."""
    one = surface.edge_radii if is_edge_edge else surface.vertex_radii
    other = surface.edge_radii if is_edge_edge else surface.face_radii
    for q in range(count):
        separations[q] = reach(one[listed[q, 0]] + other[listed[q, 1]], request.min_separation)


@kernel
def reach(radii: float, min_separation: float) -> float:
    """Distance at which two features touch that have these radii together; rounded up."""
    return max((radii + min_separation) * ROUNDED_UP, 0.0) if radii > 0.0 else max(min_separation, 0.0)


@kernel
def leave_open(count: int, max_time: float, is_free: NDArray[np.bool_], answers: Answers) -> None:
    """Leave all queries of a block undecided but those that are free."""
    for q in range(count):
        answers.status[q] = SEPARATED if is_free[q] else UNDECIDED
        answers.time[q] = 0.0
        answers.time_upper[q] = max_time


@kernel
def advance_listed(
    count: int,
    options: Options,
    latest: float,
    separations: Array,
    block: Array,
    answers: Answers,
    counts: Counts,
) -> None:
    """Decide what is open of a block by advancement, each pair at its own separation, or leave it open.

    Those that it separates are counted: nobody sees them any more. Where pairs that are free up to `latest`
    are left alone, others keep the time that roots have given them, if that is nearly as late: the same as if
    they had been left.
    """
    is_edge_edge, max_time, time_tolerance, _ = options
    for q in range(count):
        begin = answers.time[q]
        if answers.status[q] == UNDECIDED and (begin < latest or begin == 0.0):
            own = Options(is_edge_edge, max_time, time_tolerance, separations[q])
            advance_points(block_points(block, q), block_points(block, END + q), own, q, answers)
            counts[ADVANCED] += answers.status[q] == SEPARATED
            if latest < INFINITY and begin >= NEARLY_FIRST * answers.time[q]:
                answers.time[q] = begin


@kernel
def count_filtered(count: int, request: FeatureOptions, is_free: NDArray[np.bool_], counts: Counts) -> None:
    """Count the queries of a block and those that the filters removed, which are none without filters."""
    n_free = 0
    for q in range(count):
        is_free[q] &= request.has_filter
        n_free += is_free[q]
    counts[ELEMENTARY_TESTS] += count
    counts[FILTERED] += n_free


@kernel
def latest_of_first(count: int, answers: Answers, latest: float) -> float:
    """Time up to which pairs may be the first to touch, by the contacts of a block that are proven."""
    for q in range(count):
        if (answers.status[q] == CONTACT) | (answers.status[q] == CONTACT_AT_START):
            latest = min(latest, answers.time_upper[q] * (1.0 + SIMULTANEOUS))
    return latest


@kernel
def is_unsettled(status: int, time: float, time_upper: float, time_tolerance: float) -> bool:
    """Is a pair open, its bracket too wide, or is it not known whether it is in contact at the start?"""
    if status == CONTACT:
        return bool(time + time_tolerance < time_upper) or time == 0.0
    return (status == UNDECIDED) | (status == MAX_ITERATIONS)


@kernel
def hand_on(
    listed: Ids, count: int, options: Options, answers: Answers, found: FeaturesFound, n_found: int
) -> tuple[int, int]:
    """Add the pairs that may touch in time to what was found; return the new number, and of open ones."""
    n_unsettled = 0
    for q in range(count):
        if answers.status[q] != SEPARATED and answers.time[q] <= options.max_time:
            found.is_edge_edge[n_found] = options.is_edge_edge
            found.ids[n_found, 0] = listed[q, 0]
            found.ids[n_found, 1] = listed[q, 1]
            found.status[n_found] = answers.status[q]
            found.time[n_found] = answers.time[q]
            found.time_upper[n_found] = answers.time_upper[q]
            n_unsettled += is_unsettled(
                answers.status[q], answers.time[q], answers.time_upper[q], options.time_tolerance
            )
            n_found += 1
    return n_found, n_unsettled
