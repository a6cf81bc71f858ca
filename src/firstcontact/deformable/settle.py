"""The later stages of the elementary test, for the few pairs that the search leaves open."""

from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Ids
from firstcontact.deformable.elementary_candidates import ROUNDED_UP, FeatureOptions, FeaturesFound
from firstcontact.deformable.left_out import LeftOut, are_left_out
from firstcontact.deformable.problem import Problem
from firstcontact.deformable.search import Crew
from firstcontact.deformable.strand_neighbors import are_along_a_strand, has_strand_neighbors
from firstcontact.deformable.surface import Surface
from firstcontact.narrowphase.elementary.elementary_ccd import decide_exactly, finish_queries
from firstcontact.narrowphase.elementary.elementary_query import (
    CONTACT,
    MAX_ITERATIONS,
    SEPARATED,
    UNDECIDED,
    Options,
)
from firstcontact.narrowphase.elementary.elementary_stages import (
    BY_ADVANCEMENT,
    BY_EXACT,
    BY_FILTER,
    BY_REFINEMENT,
    BY_ROOTS,
    Answers,
)
from firstcontact.narrowphase.elementary.tie_stage import BY_TIES

# In place of a separation, where each pair has its own.
OWN = np.inf

# Pairs whose points are gathered at a time: 50 MB of coordinates.
CHUNK = 1 << 18

STAGES = {
    BY_FILTER: "advanced",
    BY_ROOTS: "solved",
    BY_ADVANCEMENT: "advanced",
    BY_REFINEMENT: "refined",
    BY_EXACT: "exact",
    BY_TIES: "ties",
}


def corner_ids(surface: Surface, is_edge_edge: bool, ids: Ids) -> Ids:
    """The four vertices of each pair: vertex and corners of the face, or the ends of both edges; (n, 4)."""
    if is_edge_edge:
        return surface.edges.take(ids, axis=0).reshape(-1, 4)
    return np.concatenate([ids[:, :1], surface.faces.take(ids[:, 1], axis=0)], axis=1)


def pair_points(surface: Surface, corners: Ids) -> tuple[Array, Array]:
    """Positions of the four vertices of each pair at both ends; two of (n, 4, 3)."""
    return surface.vertices_t0.take(corners, axis=0), surface.vertices_t1.take(corners, axis=0)


def settle(
    problem: Problem,
    found: FeaturesFound,
    request: FeatureOptions,
    exact: bool,
    tally: Counter[str],
    is_advanced: bool = False,
) -> FeaturesFound:
    """Decide what is open, and give back the contacts.

    With `exact` every pair is decided and every bracket within the tolerance; else what floating point
    cannot decide stays in, as UNDECIDED.

    is_advanced : what is open is not to be advanced
    """
    return _contacts_among(problem, found, request, Later(exact, is_advanced, tally))


def settle_run(
    problem: Problem,
    found: FeaturesFound,
    request: FeatureOptions,
    exact: bool,
    tally: Counter[str],
    team: Crew,
) -> FeaturesFound:
    """Do the same for what threads have found in a run: most of it is decided already."""
    n_unsettled = int(team.n_unsettled.sum())
    # Without a separation, what is settled was so by roots, and else by advancement.
    tally["solved" if problem.is_touch else "advanced"] += len(found.time) - n_unsettled
    is_asked = are_asked_for(problem, found)
    found = found if is_asked is None else take(found, is_asked)
    if n_unsettled == 0 and problem.min_separation >= 0.0:
        return found
    return _contacts_among(problem, found, request, Later(exact, True, tally))


class Later(NamedTuple):
    """Which of the later stages are to come: exact arithmetic; all but advancement; and who counts them."""

    exact: bool
    is_advanced: bool
    tally: Counter[str]


def _settle_open(
    problem: Problem, found: FeaturesFound, separations: Array, request: FeatureOptions, later: Later
) -> None:
    """Decide what is open: pairs of one kind, with or without a separation, at a time."""
    rows = np.flatnonzero(are_unsettled(found, request.time_tolerance))
    if len(rows) == 0:
        return
    kinds = 2 * found.is_edge_edge[rows] + (separations[rows] == 0.0)
    for is_edge_edge, touch in ((False, False), (False, True), (True, False), (True, True)):
        of_kind = rows[kinds == 2 * is_edge_edge + touch]
        options = Options(is_edge_edge, request.max_time, request.time_tolerance, 0.0 if touch else OWN)
        for first in range(0, len(of_kind), CHUNK):
            part = of_kind[first : first + CHUNK]
            _settle_rows(problem.surface, found, part, options, separations[part], later)


def _contacts_among(
    problem: Problem, found: FeaturesFound, request: FeatureOptions, later: Later
) -> FeaturesFound:
    """Decide what is open, and give back what is not separated."""
    separations = separations_of(problem, found)
    found.status[separations < 0.0] = SEPARATED
    _settle_open(problem, found, separations, request, later)
    is_contact = found.status != SEPARATED
    return found if is_contact.all() else take(found, is_contact)


def is_every_pair_asked(problem: Problem) -> bool:
    """Does every contact that a search finds count, whichever features it is of?"""
    return problem.left_out is None and problem.min_separation >= 0.0 and not has_strand_neighbors(problem)


def are_asked_for(problem: Problem, found: FeaturesFound) -> NDArray[np.bool_] | None:
    """Which pairs are asked for, (n,)? None for all of them."""
    has_neighbors, left_out = has_strand_neighbors(problem), problem.left_out
    if not has_neighbors and left_out is None:
        return None
    is_asked = ~are_along_a_strand(problem, found.ids) if has_neighbors else np.ones(len(found.ids), np.bool_)
    if left_out is not None:
        is_asked &= ~_are_left_out(problem.surface, left_out, found)
    return is_asked


def _are_left_out(surface: Surface, left_out: LeftOut, found: FeaturesFound) -> NDArray[np.bool_]:
    """Which pairs are not asked for?"""
    corners = np.empty((len(found.ids), 4), np.int32)
    for is_edge_edge in (False, True):
        rows = found.is_edge_edge == is_edge_edge
        corners[rows] = corner_ids(surface, is_edge_edge, found.ids[rows])
    return are_left_out(left_out, corners, found.is_edge_edge)


def separations_of(problem: Problem, found: FeaturesFound) -> Array:
    """The distance at which each pair touches, (n,): as `reach` has it, but below 0 where none would do."""
    surface, is_edges = problem.surface, found.is_edge_edge
    if problem.is_touch:
        return np.zeros(len(is_edges))
    first, second = found.ids[:, 0], found.ids[:, 1]
    radii = np.empty(len(first))
    radii[is_edges] = surface.edge_radii[first[is_edges]] + surface.edge_radii[second[is_edges]]
    radii[~is_edges] = surface.vertex_radii[first[~is_edges]] + surface.face_radii[second[~is_edges]]
    separations: Array = radii + problem.min_separation
    separations[radii > 0.0] *= ROUNDED_UP
    return separations


def take(found: FeaturesFound, rows: NDArray[np.bool_] | NDArray[np.intp] | slice) -> FeaturesFound:
    """Choose some rows, by a mask, by their numbers, or from one to another."""
    return FeaturesFound._make(array[rows] for array in found)


def joined(parts: list[FeaturesFound]) -> FeaturesFound:
    """Put lists of pairs together."""
    return FeaturesFound._make(np.concatenate(arrays) for arrays in zip(*parts, strict=True))


def are_unsettled(found: FeaturesFound, time_tolerance: float) -> NDArray[np.bool_]:
    """Which are open, too wide, or may or may not be in contact at the start."""
    status = found.status
    is_open = (status == UNDECIDED) | (status == MAX_ITERATIONS)
    is_wide = found.time + time_tolerance < found.time_upper
    is_unsettled: NDArray[np.bool_] = is_open | ((status == CONTACT) & (is_wide | (found.time == 0.0)))
    return is_unsettled


def _settle_rows(
    surface: Surface,
    found: FeaturesFound,
    rows: NDArray[np.intp],
    options: Options,
    separations: Array,
    later: Later,
) -> None:
    """Decide rows that have separations of their own: none, or all of them."""
    start, end = pair_points(surface, corner_ids(surface, options.is_edge_edge, found.ids[rows]))
    stages = np.full(len(rows), BY_ROOTS, np.int8)
    answers = Answers(found.status[rows], found.time[rows], found.time_upper[rows], stages)
    if later.is_advanced:
        # Contacts at a separation come from nowhere else.
        stages[(answers.status != CONTACT) | (options.min_separation != 0.0)] = BY_ADVANCEMENT
    finish_queries(start, end, options, answers, separations, later.is_advanced)
    if later.exact:
        decide_exactly(start, end, options, answers, separations)
    found.status[rows] = answers.status
    found.time[rows] = answers.time
    found.time_upper[rows] = answers.time_upper
    for stage, count in enumerate(np.bincount(answers.stage).tolist()):
        if count:
            later.tally[STAGES[stage]] += count
