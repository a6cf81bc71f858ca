"""Conservative advancement along a path: each pair of shapes steps forward by a clock of its own.

Intervals are looked at as a whole first, as in subdivision, which settles most pairs. The others step through
what is left: as far as their gap lasts if it closes at the rate of now, and that rate changes as fast as it
can. Two that move apart take long steps; close to contact, steps are those of Newton's method.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Ids
from firstcontact.articulated.paths.frames import NOUGHT, place_frames
from firstcontact.articulated.paths.mesh_clearance import Window, mesh_clearance
from firstcontact.articulated.paths.pair_gap import PART, convex_gap
from firstcontact.articulated.paths.path_subdivision import (
    GAPS,
    LOOKED_AT,
    MESH_GAPS,
    PLACED,
    Course,
    Hit,
    Limits,
    Starts,
    Work,
    cut,
    keep_record,
    n_starts,
    sift,
    sift_starts,
    tightest_of,
)
from firstcontact.articulated.paths.shape_states import (
    BALL,
    FRAME,
    HOLLOW,
    STAMP,
    Approach,
    any_speed,
    approach_of,
    ball_gap,
    place_shape,
    speed_along,
)
from firstcontact.bodies.mesh_table import MeshTable
from firstcontact.motions.motion_bound import Travel, lasting_time
from firstcontact.narrowphase.convex.gjk import Precision
from firstcontact.scalar.vec3 import Vec3

# Bounds of how velocities change are for a time that is this many times the last step.
LOOK_AHEAD = 4.0

# Steps are shorter by this part than they could be: who checks them once more finds room for rounding.
SHORTER = 1.0 - 2.0**-10


class Step(NamedTuple):
    """For how long a pair stays apart, and why.

    distance : an upper bound of it now, inf where that is not known
    gap, direction : the gap that lasts, less the margin, and along which direction; zeros where along any
    travel : bounds of what it shrinks by
    """

    time: float
    distance: float
    gap: float
    direction: Vec3
    travel: Travel


@kernel
def advance(course: Course, meshes: MeshTable | None, limits: Limits, work: Work) -> Hit:
    """Look for contacts of all pairs between two times."""
    n_pairs, n = len(course.pairs), n_starts(course, work)
    for i in range(n if limits.is_first else 0):
        span = cut(course, i, n)
        sifted = sift(course, meshes, limits, work, span, (0, n_pairs, n_pairs))
        hit = _advance_all(course, meshes, limits, work, span, (n_pairs, sifted.end), sifted.hit)
        if hit.pair >= 0:
            return hit
    starts = Starts(np.empty((n, 2)), np.empty((n, 2), np.int64), np.empty(n))
    _, hit = sift_starts(course, meshes, limits, work, starts)
    for _ in range(n if hit.pair < 0 and not limits.is_first else 0):
        i = tightest_of(starts.ratios)
        span, own = (starts.spans[i, 0], starts.spans[i, 1]), (starts.extents[i, 0], starts.extents[i, 1])
        hit = _advance_all(course, meshes, limits, work, span, own, Hit(-1, np.inf, False))
        if hit.pair >= 0:
            return hit
    return hit


@kernel
def _advance_all(
    course: Course,
    meshes: MeshTable | None,
    limits: Limits,
    work: Work,
    span: tuple[float, float],
    own: tuple[int, int],
    hit: Hit,
) -> Hit:
    """Advance the pairs of a list through an interval, always the one that is behind all others.

    own : where the list begins and ends
    hit : one of them that is in contact, if known: none goes farther
    """
    if hit.is_placed:
        return hit
    pairs, end = work.lists[own[0] : own[1]], min(span[1], hit.time)
    clocks, aheads = np.full(len(pairs), span[0]), np.full(len(pairs), end - span[0])
    while len(pairs) > 0:
        k = np.argmin(clocks)
        t, p = clocks[k], int(np.int64(pairs[k]))
        if t >= end:
            return hit
        ahead = min(aheads[k], end - t)
        step = _step(course, meshes, limits, work, p, t, ahead)
        time = min(SHORTER * step.time, ahead)
        then = end if time >= end - t else t + time
        # A step of no length: the time has no more digits.
        if step.distance <= limits.target or then == t:
            return Hit(p, t, True)
        time, travel = then - t, step.travel
        shrunk = min(time * travel.now + time * time * travel.bend, time * travel.most)
        keep_record(work, p, (t, then), t, step.gap, shrunk, step.direction)
        clocks[k], aheads[k] = then, LOOK_AHEAD * time
    return hit


@kernel
def _place_pair(course: Course, work: Work, pair: Ids, t: float, ahead: float) -> None:
    """Write where the shapes of a pair are at a time; bounds hold over a time ahead."""
    attachments = course.shapes.attachments
    # Frames come after those that carry them.
    n = int(max(attachments[pair[0], FRAME], attachments[pair[1], FRAME])) + 1
    place_frames(course.rows[:n], course.parents[:n], t, work.states)
    work.counts[PLACED] += 1
    work.counts[LOOKED_AT] += 1
    for i in (int(np.int64(pair[0])), int(np.int64(pair[1]))):
        place_shape(work.states, course.parents, attachments, i, ahead, work.shape_states)
        work.shape_states[i, STAMP] = np.nan


@kernel
def _step(
    course: Course, meshes: MeshTable | None, limits: Limits, work: Work, p: int, t: float, ahead: float
) -> Step:
    """How far a pair can step at a time, but for a time ahead: by balls and boxes, outlines, triangles."""
    shapes, attachments, shape_states, pair = (
        course.shapes,
        course.shapes.attachments,
        work.shape_states,
        course.pairs[p],
    )
    a, b = int(np.int64(pair[0])), int(np.int64(pair[1]))
    _place_pair(course, work, pair, t, ahead)
    approach = approach_of(work.states, course.parents, attachments, shape_states, pair, ahead)
    gap = ball_gap(shape_states, attachments, a, b) - limits.margin
    speed = any_speed(approach, attachments[a, BALL], attachments[b, BALL])
    any_way = _travel(approach, speed)
    time = lasting_time(gap, any_way)
    if time >= ahead:
        return Step(time, np.inf, gap, NOUGHT, any_way)
    work.counts[GAPS] += 1
    precision = Precision(PART, limits.margin, limits.target)
    found = convex_gap(shapes.records, shapes.pool, shape_states, pair, work.guides[p], precision)
    speed, more = speed_along(approach, shape_states, attachments, pair, found.direction)
    gap, travel = found.least - limits.margin, _travel(approach, speed + more)
    time = lasting_time(gap, travel)
    if meshes is None or (shapes.meshes[a] < 0 and shapes.meshes[b] < 0):
        return Step(time, found.most, gap, found.direction, travel)
    # Meshes are farther apart than their outlines, by what these are hollow: is that worth a look?
    hollow = attachments[a, HOLLOW] + attachments[b, HOLLOW]
    if time >= ahead or (found.most > limits.target and gap > hollow):
        return Step(time, np.inf, gap, found.direction, travel)
    work.counts[MESH_GAPS] += 1
    window = Window(ahead, limits.margin, limits.target, False)
    clearance = mesh_clearance(shapes, meshes, shape_states, pair, approach, window)
    if time > clearance.time:
        return Step(time, clearance.distance, gap, found.direction, travel)
    return Step(clearance.time, clearance.distance, np.inf, NOUGHT, any_way)  # no single gap proves it


@kernel
def _travel(approach: Approach, now: float) -> Travel:
    return Travel(now, approach.speed, 0.5 * approach.bend)
