"""Conservative advancement along a path: each pair of shapes steps forward by a clock of its own.

Intervals are looked at as a whole first, as in subdivision, which settles most pairs. The others step through
what is left: as far as their gap lasts if it closes at the rate of now, and that rate changes as fast as it
can. Two that move apart take long steps; close to contact, steps are those of Newton's method.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.articulated.paths.frames import NOUGHT
from firstcontact.articulated.paths.mesh_clearance import Window, mesh_clearance
from firstcontact.articulated.paths.pair_gap import PART, convex_gap
from firstcontact.articulated.paths.path_types import (
    GAPS,
    LOOKED_AT,
    MESH_GAPS,
    PLACED,
    Hit,
    Interval,
    PathGoal,
    PathPiece,
    Work,
    goal_for,
    keep_record,
    place_piece,
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


class PairStep(NamedTuple):
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
def advance(
    piece: PathPiece,
    meshes: MeshTable | None,
    goal: PathGoal,
    work: Work,
    clocks: Array,
    interval: Interval,
    hit: Hit,
) -> Hit:
    """Advance the pairs of a list through an interval, always the one that is behind all others.

    clocks : (2, n), room for the time of each pair, and for how far it looks ahead
    hit : one of them that is in contact, if known: none goes farther
    """
    if hit.is_placed:
        return hit
    pairs, end = work.lists[interval.first : interval.last], min(interval.end, hit.time)
    times, aheads = clocks[0, : len(pairs)], clocks[1, : len(pairs)]
    times[:], aheads[:] = interval.start, end - interval.start
    while len(pairs) > 0:
        k = np.argmin(times)
        t, p = times[k], int(np.int64(pairs[k]))
        if t >= end:
            return hit
        ahead = min(aheads[k], end - t)
        own = goal_for(goal, piece.shapes.paddings[p])
        step = _step(piece, meshes, own, work, p, t, ahead)
        time = min(SHORTER * step.time, ahead)
        then = end if time >= end - t else t + time
        # A step of no length: the time has no more digits.
        if step.distance <= own.target or then == t:
            return Hit(p, t, True)
        time, travel = then - t, step.travel
        shrunk = min(time * travel.now + time * time * travel.bend, time * travel.most)
        keep_record((work.records, work.n_records), p, (t, then), t, step.gap, shrunk, step.direction)
        times[k], aheads[k] = then, LOOK_AHEAD * time
    return hit


@kernel
def _place_pair(piece: PathPiece, work: Work, pair: Ids, t: float, ahead: float) -> None:
    """Write where the shapes of a pair are at a time; bounds hold over a time ahead."""
    attachments = piece.shapes.attachments
    # Frames come after those that carry them.
    n = int(max(attachments[pair[0], FRAME], attachments[pair[1], FRAME])) + 1
    place_piece(piece, n, t, ahead, work.states)
    work.counts[PLACED] += 1
    work.counts[LOOKED_AT] += 1
    for i in (int(np.int64(pair[0])), int(np.int64(pair[1]))):
        place_shape(work.states, piece.parents, attachments, i, ahead, work.shape_states)
        work.shape_states[i, STAMP] = np.nan


@kernel
def _step(
    piece: PathPiece, meshes: MeshTable | None, goal: PathGoal, work: Work, p: int, t: float, ahead: float
) -> PairStep:
    """How far a pair can step at a time, but for a time ahead: by balls and boxes, outlines, triangles."""
    shapes, attachments, shape_states, pair = (
        piece.shapes,
        piece.shapes.attachments,
        work.shape_states,
        piece.pairs[p],
    )
    a, b = int(np.int64(pair[0])), int(np.int64(pair[1]))
    _place_pair(piece, work, pair, t, ahead)
    approach = approach_of(work.states, piece.parents, attachments, shape_states, pair, ahead)
    gap = ball_gap(shape_states, attachments, a, b) - goal.margin
    speed = any_speed(approach, attachments[a, BALL], attachments[b, BALL])
    any_way = _travel(approach, speed)
    time = lasting_time(gap, any_way)
    if time >= ahead:
        return PairStep(time, np.inf, gap, NOUGHT, any_way)
    work.counts[GAPS] += 1
    precision = Precision(PART, goal.margin, goal.target)
    found = convex_gap(shapes.records, shapes.pool, shape_states, pair, work.guides[p], precision)
    speed, more = speed_along(approach, shape_states, attachments, pair, found.direction)
    gap, travel = found.least - goal.margin, _travel(approach, speed + more)
    time = lasting_time(gap, travel)
    if meshes is None or (shapes.meshes[a] < 0 and shapes.meshes[b] < 0):
        return PairStep(time, found.most, gap, found.direction, travel)
    # Meshes are farther apart than their outlines, by what these are hollow: is that worth a look?
    hollow = attachments[a, HOLLOW] + attachments[b, HOLLOW]
    if time >= ahead or (found.most > goal.target and gap > hollow):
        return PairStep(time, np.inf, gap, found.direction, travel)
    work.counts[MESH_GAPS] += 1
    window = Window(ahead, goal.margin, goal.target, False)
    clearance = mesh_clearance(shapes, meshes, shape_states, pair, approach, window, work.stack)
    if time > clearance.time:
        return PairStep(time, clearance.distance, gap, found.direction, travel)
    return PairStep(clearance.time, clearance.distance, np.inf, NOUGHT, any_way)  # no single gap proves it


@kernel
def _travel(approach: Approach, now: float) -> Travel:
    return Travel(now, approach.speed, 0.5 * approach.bend)
