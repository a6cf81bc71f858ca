"""Rigid bodies in motion, whose curved paths are taken as straight ones, bit by bit, among deforming meshes.

Over a stretch of time all vertices go straight, from where they are when it begins to where they are when it
ends; those of the deforming mesh do so anyway. No corner of the body is farther from its place than the
deviation of `RigidSegment`, nor any point of a triangle. With that added to the separation, the search for
deforming meshes misses no contact and finds none too late. A stretch without one is free. Else all is free up
to the time that it finds, and the next stretch, a shorter one, begins there: half as long, it deviates by a
quarter. This ends when the deviation is a small part of the tolerance.
"""

from collections.abc import Sequence
from math import inf
from time import perf_counter
from typing import NamedTuple

import numpy as np

from firstcontact.advancement.goal import Options
from firstcontact.advancement.progress import Report, silent
from firstcontact.deformable.contact_list import Search
from firstcontact.deformable.culling import Culling
from firstcontact.deformable.elementary_candidates import FeaturesFound
from firstcontact.deformable.problem import Problem
from firstcontact.deformable.settle import take
from firstcontact.deformable.with_rigid.course import (
    COARSE,
    DOWN,
    STRETCH_FLOOR,
    UP,
    Course,
    nothing_found,
    straight_spans,
)
from firstcontact.deformable.with_rigid.rigid_segment import RigidSegments
from firstcontact.narrowphase.elementary.elementary_query import CONTACT, CONTACT_AT_START
from firstcontact.shapes.moving import Moving
from firstcontact.status import Status

# Stretches of time looked at, unless told otherwise. A half turn that stays just beyond the default tolerance
# of an obstacle takes 2,200 of them.
MAX_ITERATIONS = 1 << 14

# Deviation, in units of the tolerance, with which the search may end. It counts twice, for the straight paths
# and for the curved ones; the quarter that is left is for rounding.
FINE = 0.375

# Drift from a piece of motion, in units of the tolerance, with which it may end.
DRIFT = 0.4

# Factors from one stretch to the next, after contact and after none. A larger step down would reach a contact
# in fewer stretches; a smaller one, and a smaller one up, would waste fewer along an obstacle.
SHORTER = 0.25
LONGER = 1.5


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
    things: Sequence[Moving], options: Options, culling: Culling, report: Report = silent
) -> Encounter:
    """Find the first contact of rigid bodies in motion with each other, and with deforming meshes."""
    return first_on_course(Course(things, culling, report), options)


def first_on_course(course: Course, options: Options, until: float = inf) -> Encounter:
    """Find the first contact on a course.

    Never late. At the time found, features are within the separation and the tolerance of each other; a
    tolerance below what rounding may hide is raised. As with deforming meshes, contacts are those of vertices
    with faces and of edges with edges: surfaces that cross from the start have none until such features meet.
    What comes after `until` does not matter.
    """
    began = perf_counter() - course.problem.seconds
    status, time, upper, found = _followed(course, options, until)
    search = Search(found, course.tally, course.seconds_settling, course.left_out)
    seconds = perf_counter() - began - course.problem.seconds
    return Encounter(status, time, upper, course.problem, search, course.iterations, course.rounding, seconds)


def _followed(course: Course, options: Options, until: float) -> Outcome:
    """Follow things up to their first contact."""
    for segment in course.segments():
        for start, end in straight_spans(course, segment):
            if start > until:
                break
            outcome = _followed_span(course, options, segment, (start, end))
            if outcome.status != Status.SEPARATED:
                return outcome
    return Outcome(Status.SEPARATED, inf, inf, nothing_found())


def _followed_span(
    course: Course, options: Options, segment: RigidSegments, times: tuple[float, float]
) -> Outcome:
    """Follow things over a part of one segment, from a time to another."""
    tolerance = max(options.tolerance, STRETCH_FLOOR * segment.rounding)
    finest = segment.span(FINE * tolerance)
    coarsest = max(segment.span(COARSE * course.edge), finest)
    (time, last), span = times, inf
    while course.iterations < options.max_iterations:
        span, end = min(span, last - time), min(time + span, last)
        stretch = segment.over(time, end)
        is_near = course.pose_wide(stretch, time, end, options.min_separation)
        if is_near and span > coarsest:
            span = coarsest
            continue
        found = course.first() if is_near else nothing_found()
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
    return Outcome(Status.MAX_ITERATIONS, time, inf, nothing_found())


def _contact_at(
    course: Course, options: Options, segment: RigidSegments, times: tuple[float, float]
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
    course: Course, separation: float, segment: RigidSegments, start: float, end: float
) -> float:
    """Find a time by which the true paths are within the separation, too; infinite where none is proven."""
    stretch = segment.over(start, end)
    inner = separation - stretch.deviation(end - start)
    inner *= DOWN if inner > 0.0 else UP
    if not inner + course.thickness > 0.0 or not course.pose(stretch, start, end, inner):
        return inf
    found = course.first()
    is_proven = (found.status == CONTACT) | (found.status == CONTACT_AT_START)
    first = float(np.min(take(found, is_proven).time_upper, initial=inf))
    return min((start + first * (end - start)) * UP, end) if first < inf else inf
