"""Deforming meshes and rigid bodies, looked at over one stretch of time after the other.

Over a stretch all vertices go straight, from where they are when it begins to where they are when it ends;
those of a deforming mesh do so anyway. How far a body may be from that is the deviation of its segment.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.progress import Report
from firstcontact.arrays import Array
from firstcontact.deformable.contact_list import Search, Wanted, all_contacts, first_contacts
from firstcontact.deformable.culling import Culling
from firstcontact.deformable.elementary_candidates import FeaturesFound
from firstcontact.deformable.first_so_far import MOST_FIRST
from firstcontact.deformable.problem import Problem, feature_options, may_touch, narrowed, pose_problem
from firstcontact.deformable.settle import settle
from firstcontact.deformable.with_rigid.rigid_segment import (
    RigidSegment,
    RigidSegments,
    farthest,
    segment_of,
    two_largest,
)
from firstcontact.motions.deformation import Deformation
from firstcontact.motions.rigid_motion import RigidMotion
from firstcontact.narrowphase.elementary.elementary_query import UNDECIDED
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF
from firstcontact.shapes.cloud import Points
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving

# The tolerance is at least this many times what rounding may hide, which counts four times, in the quarter
# that a search leaves to it. Other searches have a higher floor, for the sake of a direction between closest
# points; there is none here.
STRETCH_FLOOR = 16.0

# Deviation, in units of the mean edge, beyond which a search meets ever more pairs of features: then only
# bounds are compared. Half turns of balls over cloth take the least time with 0.25 to 1.
COARSE = 0.5

# Faces of a box, as a bound.
BOX = 6

# What a surface calls its radii.
RADII = "vertex_radii", "edge_radii", "face_radii"

# What undoes a few roundings, upwards and downwards.
UP, DOWN = 1.0 + 8.0 * UNIT_ROUNDOFF, 1.0 - 8.0 * UNIT_ROUNDOFF

# Part of a stretch in which to look for a proof of contact, once contact is suspected.
TIME_TOLERANCE = 1e-9
WANTED = Wanted(TIME_TOLERANCE, exact=False)


ONE_MOTION = "a deforming mesh meets one rigid motion at a time; received a batch, or none"


class Course:
    """Things, looked at over one stretch of time after the other, and what that has taken so far.

    Those that move rigidly are sought for contacts with each other and with all others, which go straight
    from frame to frame. These are not sought for contacts among themselves.
    """

    def __init__(self, things: Sequence[Moving], culling: Culling, report: Report) -> None:
        self._things = tuple(things)
        self._report = report
        self._bodies = [_Body.of(thing) for thing in things if thing.kind is not Kind.DEFORMING]
        if not self._bodies:
            raise TypeError(ONE_MOTION)
        self._times = np.unique(np.concatenate([body.motion.times for body in self._bodies])).tolist()
        others = [thing for thing in things if thing.kind is Kind.DEFORMING]
        self.frame_times = np.unique(np.concatenate([[], *(thing.deforms.times for thing in others)]))
        self._surroundings = max(map(_extent, others), default=0.0)
        self.tally: Counter[str] = Counter()
        self.seconds_settling, self.left_out = 0.0, inf
        self.iterations = 0
        self.rounding = 0.0
        # Trees are made for things as they are at the start: over a half turn, all paths cross in the middle.
        at_start = [Moving(x.shape, Deformation(x.vertices(0.0), x.vertices(0.0))) for x in things]
        # Boxes tell how fit a tree is. What is bounded otherwise comes with a stretch.
        boxes = pose_problem(
            at_start,
            0.0,
            replace(culling, dop=BOX),
            is_asked=[False] * len(self._things),
            are_settled=[thing.kind is Kind.DEFORMING for thing in things],
        )
        self.problem = boxes._replace(culling=culling)
        surface = boxes.surface
        self._radii = surface.vertex_radii, surface.edge_radii, surface.face_radii
        self.edge = _mean_edge(self.problem)
        self.thickness = two_largest([thing.surface.thickness for thing in things])

    def segments(self) -> Iterator[RigidSegments]:
        """Give one part of the time after the other in which each body goes by one segment."""
        for start, end in pairwise(self._times):
            own = (body.segment(start, self._surroundings) for body in self._bodies)
            yield RigidSegments(start, end, tuple(own))

    @property
    def bare(self) -> Problem:
        """The problem as it was posed last, with nothing around things but what they are thick."""
        vertex, edge, face = self._radii
        surface = self.problem.surface._replace(vertex_radii=vertex, edge_radii=edge, face_radii=face)
        return self.problem._replace(surface=surface)

    def pose(self, segment: RigidSegments, start: float, end: float, separation: float) -> bool:
        """Take all paths from start to end as straight; may the two come that near, by their bounds?"""
        began = perf_counter()
        self.place(segment, start, end, separation)
        return self._may_touch(began)

    def pose_wide(self, segment: RigidSegments, start: float, end: float, separation: float) -> bool:
        """Do the same; a pair is farther apart than that where its straight paths are told to be apart."""
        began = perf_counter()
        self.place_wide(segment, start, end, separation)
        return self._may_touch(began)

    def _may_touch(self, began: float) -> bool:
        problem = narrowed(self.problem, 1.0)
        self.problem = problem._replace(seconds=problem.seconds + perf_counter() - began)
        self.iterations += 1
        return may_touch(problem)

    def place(self, segment: RigidSegments, start: float, end: float, separation: float) -> None:
        """Take all paths from start to end as straight, with bounds that are those of another stretch."""
        ends = [np.concatenate(list(self._places(segment, t))) for t in (start, end)]
        problem = self.bare
        surface = problem.surface._replace(vertices_t0=ends[0], vertices_t1=ends[1])
        self.problem = problem._replace(surface=surface, min_separation=separation)

    def place_wide(self, segment: RigidSegments, start: float, end: float, separation: float) -> None:
        """Place them with a separation to which is added what the paths of a pair deviate from straight ones.

        Of many bodies each has around it what it deviates itself: one that turns fast makes no other wide.
        """
        span, bodies = end - start, segment.bodies
        if len(bodies) <= 2:
            self.place(segment, start, end, (separation + segment.deviation(span)) * UP)
            return
        self.place(segment, start, end, max(separation * UP, SHORTEST))
        own = iter([body.deviation(span) * UP for body in bodies])
        around = [0.0 if thing.kind is Kind.DEFORMING else next(own) for thing in self._things]
        surface, starts = self.problem.surface, self.problem.starts
        firsts = starts.vertex, starts.edge, starts.face
        wide = {
            name: (radii + np.repeat(around, np.diff(first))) * UP
            for name, radii, first in zip(RADII, self._radii, firsts, strict=True)
        }
        self.problem = self.problem._replace(surface=surface._replace(**wide))

    def _places(self, segment: RigidSegments, t: float) -> Iterator[Array]:
        bodies = iter(segment.bodies)
        for thing in self._things:
            yield thing.vertices(t) if thing.kind is Kind.DEFORMING else next(bodies).at(t)

    def first(self) -> FeaturesFound:
        """Find what touches first on the paths posed last, and perhaps more, at parts of the stretch."""
        return self._counted(first_contacts(self.problem, WANTED, any_will_do=True))

    def all(self, most: int | None = None) -> FeaturesFound:
        """Find all that touches on the paths posed last, or `most` of it: as many as first contacts list."""
        most = MOST_FIRST if most is None else most
        return self._counted(all_contacts(self.problem, WANTED, most=most))

    def of_these(self, found: FeaturesFound) -> FeaturesFound:
        """Find which of some pairs touch on the paths that were placed last."""
        began = perf_counter()
        asked = found._replace(status=np.full_like(found.status, UNDECIDED), time=np.zeros_like(found.time))
        request = feature_options(self.problem, 1.0, TIME_TOLERANCE)
        touching = settle(self.problem, asked, request, False, self.tally)
        self.seconds_settling += perf_counter() - began
        return touching

    def _counted(self, search: Search) -> FeaturesFound:
        self.tally.update(search.tally)
        self.seconds_settling += search.seconds_settling
        self.left_out = search.left_out
        self._report(self.tally["triangle_pairs"], len(search.found.time))
        return search.found


def straight_spans(course: Course, segment: RigidSegments) -> Iterator[tuple[float, float]]:
    """Give the parts of a segment in which the vertices of what deforms go straight."""
    bends = course.frame_times
    inside = bends[(bends > segment.start) & (bends < segment.end)].tolist()
    return pairwise([segment.start, *inside, segment.end])


def nothing_found() -> FeaturesFound:
    """No pairs of features."""
    none = np.empty(0)
    return FeaturesFound(
        none.astype(np.bool_), np.empty((0, 2), np.int32), none.astype(np.int8), none, none.copy()
    )


class _Body(NamedTuple):
    """A rigid body in motion: its vertices, those that no face uses put where they are in nobody's way."""

    motion: RigidMotion
    vertices: Array

    @classmethod
    def of(cls, thing: Moving) -> "_Body":
        surface = thing.surface
        return cls(_single(thing), np.where(_is_used(thing), surface.vertices, surface.centroid))

    def segment(self, start: float, surroundings: float) -> RigidSegment:
        """The part of the motion that holds from a time on."""
        k = int(np.searchsorted(self.motion.times, start, side="right")) - 1
        return segment_of(self.motion, k, self.vertices, surroundings)


def _extent(thing: Moving) -> float:
    """How large coordinates of what deforms are from frame to frame, in sum of both."""
    sizes = [farthest(frame * _is_used(thing)) for frame in thing.deforms.frames]
    return max(map(sum, pairwise(sizes)))


def _single(rigid: Moving) -> RigidMotion:
    if rigid.motion.is_batch:
        raise TypeError(ONE_MOTION)
    return rigid.rigid


def _is_used(thing: Moving) -> NDArray[np.bool_]:
    """Which vertices do faces use, (n, 1)? Others are in nobody's way, however far away they are."""
    is_used = np.zeros((thing.surface.n_vertices, 1), np.bool_)
    is_used[thing.surface.faces] = True
    return is_used


def _mean_edge(problem: Problem) -> float:
    """Mean length of edges, with what is around them; points count as if all were in a row."""
    vertices, edges = problem.surface.vertices_t0, problem.surface.edges
    along = vertices.take(edges[:, 0], axis=0) - vertices.take(edges[:, 1], axis=0)
    lengths = np.sqrt(np.einsum("ij,ij->i", along, along))
    lengths += 2.0 * problem.surface.edge_radii
    if any(isinstance(mesh, Points) for mesh in problem.meshes):
        places = vertices[edges[:, 0]]
        lengths += np.linalg.norm(np.ptp(places, axis=0)) / max(len(edges), 1) if len(places) else 0.0
    return float(lengths.sum() / max(len(lengths), 1))
