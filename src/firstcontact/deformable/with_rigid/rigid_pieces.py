"""A deforming mesh against a rigid body in motion, whose curved paths are taken as straight ones, bit by bit.

Over a stretch of time all vertices go straight, from where they are when it begins to where they are when it
ends; those of the deforming mesh do so anyway. No corner of the body is farther from its place than the
deviation of `RigidSegment`, nor any point of a triangle. With that added to the separation, the search for
deforming meshes misses no contact and finds none too late. A stretch without one is free. Else all is free up
to the time that it finds, and the next stretch, a shorter one, begins there: half as long, it deviates by a
quarter. This ends when the deviation is a small part of the tolerance.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from math import inf
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.goal import Options
from firstcontact.advancement.progress import Report, silent
from firstcontact.deformable.contact_list import (
    MOST_FIRST,
    Search,
    all_contacts,
    first_contacts,
)
from firstcontact.deformable.culling import Culling
from firstcontact.deformable.elementary_candidates import FeaturesFound
from firstcontact.deformable.problem import Problem, narrowed, pose_problem
from firstcontact.deformable.settle import take
from firstcontact.deformable.with_rigid.rigid_segment import RigidSegment, farthest, segment_of
from firstcontact.hierarchy.traversal import is_begun
from firstcontact.motions.deformation import Deformation
from firstcontact.motions.rigid_motion import RigidMotion
from firstcontact.narrowphase.elementary.elementary_query import CONTACT, CONTACT_AT_START
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.status import Status

# Stretches of time looked at, unless told otherwise. A half turn that stays just beyond the default tolerance
# of an obstacle takes 2,200 of them.
MAX_ITERATIONS = 1 << 14

# The tolerance is at least this many times what rounding may hide, which counts four times, in the quarter
# that `FINE` leaves to it. Other searches have a higher floor, for the sake of a direction between closest
# points; there is none here.
STRETCH_FLOOR = 16.0

# Deviation, in units of the tolerance, with which the search may end. It counts twice, for the straight paths
# and for the curved ones; the quarter that is left is for rounding.
FINE = 0.375

# Drift from a piece of motion, in units of the tolerance, with which it may end.
DRIFT = 0.4

# Deviation, in units of the mean edge, beyond which a search meets ever more pairs of features: then only
# bounds are compared. Half turns of balls over cloth take the least time with 0.25 to 1.
COARSE = 0.5

# Factors from one stretch to the next, after contact and after none. A larger step down would reach a contact
# in fewer stretches; a smaller one, and a smaller one up, would waste fewer along an obstacle.
SHORTER = 0.25
LONGER = 1.5

# What undoes a few roundings, upwards and downwards.
UP, DOWN = 1.0 + 8.0 * UNIT_ROUNDOFF, 1.0 - 8.0 * UNIT_ROUNDOFF

# Part of a stretch in which to look for a proof of contact, once contact is suspected.
TIME_TOLERANCE = 1e-9


class Encounter(NamedTuple):
    """What came of it.

    status, time : no contact comes before that time; infinite where there is none at all
    time_upper : contact is proven by then; infinite where it is not
    problem, search : both things at rest at that time, and the features within reach of each other
    iterations : stretches of time looked at
    rounding : a distance of theirs that rounding may hide
    seconds : of the whole search, but for those that the problem has, of bounds and trees
    """

    status: Status
    time: float
    time_upper: float
    problem: Problem
    search: Search
    iterations: int
    rounding: float
    seconds: float


class Outcome(NamedTuple):
    """Status, times and features in contact, so far."""

    status: Status
    time: float
    time_upper: float
    found: FeaturesFound


def first_contact_with_rigid(
    a: Moving, b: Moving, options: Options, culling: Culling, report: Report = silent
) -> Encounter:
    """Find the first contact of a deforming mesh and a rigid body in motion, given in any order.

    Never late. At the time found, features are within the separation and the tolerance of each other; a
    tolerance below what rounding may hide is raised. As with deforming meshes, contacts are those of vertices
    with faces and of edges with edges: surfaces that cross from the start have none until such features meet.
    """
    began = perf_counter()
    course = _Course(a, b, culling, report)
    status, time, upper, found = _followed(course, options)
    search = Search(found, course.tally, course.seconds_settling, course.left_out)
    seconds = perf_counter() - began - course.problem.seconds
    return Encounter(status, time, upper, course.problem, search, course.iterations, course.rounding, seconds)


class _Course:
    """Two things, looked at over one stretch of time after the other, and what that has taken so far."""

    def __init__(self, a: Moving, b: Moving, culling: Culling, report: Report) -> None:
        self._things = a, b
        self._report = report
        rigid, deforming = (b, a) if a.kind is Kind.DEFORMING else (a, b)
        self.motion = _single(rigid)
        self._vertices = np.where(_is_used(rigid), rigid.surface.vertices, rigid.surface.centroid)
        self.frame_times = deforming.deforms.times
        sizes = [farthest(frame * _is_used(deforming)) for frame in deforming.deforms.frames]
        self._surroundings = max(map(sum, pairwise(sizes)))
        self.tally: Counter[str] = Counter()
        self.seconds_settling, self.left_out = 0.0, inf
        self.iterations = 0
        self.rounding = 0.0
        # Trees are made for things as they are at the start: over a half turn, all paths cross in the middle.
        at_start = [Moving(x.shape, Deformation(x.vertices(0.0), x.vertices(0.0))) for x in (a, b)]
        self.problem = pose_problem(at_start, 0.0, culling)
        self.edge = _mean_edge(self.problem)

    def segment(self, k: int) -> RigidSegment:
        """Part k of the rigid motion."""
        return segment_of(self.motion, k, self._vertices, self._surroundings)

    def pose(self, segment: RigidSegment, start: float, end: float, separation: float) -> bool:
        """Take all paths from start to end as straight; may the two come that near, by their bounds?"""
        began = perf_counter()
        ends = [
            np.concatenate(
                [segment.at(t) if x.motion is self.motion else x.vertices(t) for x in self._things]
            )
            for t in (start, end)
        ]
        surface = self.problem.surface._replace(vertices_t0=ends[0], vertices_t1=ends[1])
        problem = narrowed(self.problem._replace(surface=surface, min_separation=separation), 1.0)
        self.problem = problem._replace(seconds=problem.seconds + perf_counter() - began)
        self.iterations += 1
        return is_begun(problem.pairing)

    def first(self) -> FeaturesFound:
        """Find what touches first on the paths posed last, and perhaps more, at parts of the stretch."""
        return self._counted(first_contacts(self.problem, TIME_TOLERANCE, exact=False, any_will_do=True))

    def all(self) -> FeaturesFound:
        """Find all that touches on the paths posed last."""
        return self._counted(all_contacts(self.problem, TIME_TOLERANCE, exact=False, most=MOST_FIRST))

    def _counted(self, search: Search) -> FeaturesFound:
        self.tally.update(search.tally)
        self.seconds_settling += search.seconds_settling
        self.left_out = search.left_out
        self._report(self.tally["triangle_pairs"], len(search.found.time))
        return search.found


def _followed(course: _Course, options: Options) -> Outcome:
    """Follow two things up to their first contact."""
    for k in range(len(course.motion.times) - 1):
        segment = course.segment(k)
        for start, end in _straight_spans(course, segment):
            outcome = _followed_span(course, options, segment, (start, end))
            if outcome.status != Status.SEPARATED:
                return outcome
    return Outcome(Status.SEPARATED, inf, inf, _nothing())


def _straight_spans(course: _Course, segment: RigidSegment) -> Iterator[tuple[float, float]]:
    """Give the parts of a segment in which the vertices of what deforms go straight."""
    bends = course.frame_times
    inside = bends[(bends > segment.start) & (bends < segment.end)].tolist()
    return pairwise([segment.start, *inside, segment.end])


def _followed_span(
    course: _Course, options: Options, segment: RigidSegment, times: tuple[float, float]
) -> Outcome:
    """Follow two things over a part of one segment, from a time to another."""
    tolerance = max(options.tolerance, STRETCH_FLOOR * segment.rounding)
    finest = segment.span(FINE * tolerance)
    coarsest = max(segment.span(COARSE * course.edge), finest)
    (time, last), span = times, inf
    while course.iterations < options.max_iterations:
        span, end = min(span, last - time), min(time + span, last)
        stretch = segment.over(time, end)
        separation = (options.min_separation + stretch.deviation(end - time)) * UP
        is_near = course.pose(stretch, time, end, separation)
        if is_near and span > coarsest:
            span = coarsest
            continue
        found = course.first() if is_near else _nothing()
        if len(found.time) == 0:
            if end == last:
                return Outcome(Status.SEPARATED, inf, inf, found)
            time, span = end, min(LONGER * span, coarsest if is_near else inf)
            continue
        time = max(time, (time + float(found.time.min()) * (end - time)) * DOWN)
        if span <= finest and stretch.drift > DRIFT * tolerance > STRETCH_FLOOR * segment.rounding:
            finest = SHORTER * span  # where its velocity jumps, a motion drifts more than by the square
        elif span <= finest:
            own = options._replace(tolerance=tolerance)
            outcome = _contact_at(course, own, segment, (time, min(time + span, last)))
            if len(outcome.found.time):
                return outcome
            finest = SHORTER * span
        span = max(SHORTER * span, finest)
    return Outcome(Status.MAX_ITERATIONS, time, inf, _nothing())


def _contact_at(
    course: _Course, options: Options, segment: RigidSegment, times: tuple[float, float]
) -> Outcome:
    """List all features within the tolerance at a time; look up to a later one for a proof of contact."""
    time, end = times
    upper = _proven_time(course, options.min_separation, segment, time, end)
    stretch, reach = segment.over(time, time), options.min_separation + options.tolerance - segment.rounding
    course.pose(stretch, time, time, reach)
    found = course.all()
    course.rounding = STRETCH_FLOOR * segment.rounding
    return Outcome(Status.CONTACT_AT_START if time == 0.0 else Status.CONTACT, time, upper, found)


def _proven_time(
    course: _Course, separation: float, segment: RigidSegment, start: float, end: float
) -> float:
    """Find a time by which the true paths are within the separation, too; infinite where none is proven."""
    stretch = segment.over(start, end)
    inner = (separation - stretch.deviation(end - start)) * DOWN
    if not inner > 0.0 or not course.pose(stretch, start, end, inner):
        return inf
    found = course.first()
    is_proven = (found.status == CONTACT) | (found.status == CONTACT_AT_START)
    first = float(np.min(take(found, is_proven).time_upper, initial=inf))
    return min((start + first * (end - start)) * UP, end) if first < inf else inf


def _nothing() -> FeaturesFound:
    none = np.empty(0)
    return FeaturesFound(
        none.astype(np.bool_), np.empty((0, 2), np.int32), none.astype(np.int8), none, none.copy()
    )


def _single(rigid: Moving) -> RigidMotion:
    if rigid.kind is Kind.DEFORMING or rigid.motion.is_batch:
        raise TypeError("a deforming mesh meets one rigid motion at a time; received a batch, or none")
    return rigid.rigid


def _is_used(thing: Moving) -> NDArray[np.bool_]:
    """Which vertices do faces use, (n, 1)? Others are in nobody's way, however far away they are."""
    is_used = np.zeros((thing.surface.n_vertices, 1), np.bool_)
    is_used[thing.surface.faces] = True
    return is_used


def _mean_edge(problem: Problem) -> float:
    vertices, edges = problem.surface.vertices_t0, problem.surface.edges
    lengths = np.linalg.norm(vertices[edges[:, 0]] - vertices[edges[:, 1]], axis=1)
    return float(lengths.sum() / max(len(lengths), 1))
