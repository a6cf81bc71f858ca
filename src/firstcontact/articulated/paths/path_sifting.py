"""Which pairs of shapes are settled for an interval, as seen from its middle: both methods begin so."""

import numpy as np

from firstcontact._jit import kernel
from firstcontact.articulated.paths.frames import NOUGHT
from firstcontact.articulated.paths.mesh_clearance import Window, mesh_clearance
from firstcontact.articulated.paths.pair_gap import PART, convex_gap
from firstcontact.articulated.paths.path_types import (
    GAPS,
    LOOKED_AT,
    MAX_STARTS,
    MESH_GAPS,
    PLACED,
    Hit,
    Interval,
    PathGoal,
    PathPiece,
    Sifted,
    Work,
    goal_for,
    keep_record,
    place_piece,
)
from firstcontact.articulated.paths.shape_states import (
    BALL,
    HOLLOW,
    SPEED,
    STAMP,
    any_speed,
    approach_of,
    ball_gap,
    place_shape,
    speed_along,
)
from firstcontact.bodies.mesh_table import MeshTable
from firstcontact.narrowphase.convex.gjk import Precision

# Travel of an interval that a path is cut into before anything is known, in units of the size of a shape.
COARSE = 80.0


@kernel
def cut(goal: PathGoal, i: int, n: int) -> tuple[float, float]:
    """One of n intervals between two times, as wide as each other."""
    width = goal.end - goal.start
    end = goal.end if i == n - 1 else goal.start + width * (i + 1) / n
    return goal.start + width * i / n, end


@kernel
def sift_starts(
    piece: PathPiece, meshes: MeshTable | None, goal: PathGoal, work: Work, n: int
) -> tuple[int, Hit]:
    """Look at n intervals as wholes, where any contact will do: most are free, or have one in plain sight.

    Return where the last list ends, and a contact.
    """
    n_pairs, starts, end = len(piece.pairs), work.starts, len(piece.pairs)
    for i in range(n):
        span = cut(goal, i, n)
        sifted = sift(piece, meshes, goal, work, span, (0, n_pairs, end))
        if sifted.hit.pair >= 0:
            return end, sifted.hit
        starts.spans[i, 0], starts.spans[i, 1], starts.ratios[i] = span[0], span[1], sifted.ratio
        starts.extents[i, 0], starts.extents[i, 1] = end, sifted.end
        end = sifted.end
    return end, Hit(-1, np.inf, False)


@kernel
def tightest_start(work: Work, n: int, end: int) -> Interval:
    """Take the least settled of n intervals, which is it no more; its list goes to the end of all lists."""
    starts, least = work.starts, 0
    for i in range(n):  # there are too few to be worth sorting
        least = i if starts.ratios[i] < starts.ratios[least] else least
    starts.ratios[least] = np.inf
    first, last = starts.extents[least, 0], starts.extents[least, 1]
    for k in range(last - first):  # what others left stays where it is
        work.lists[end + k] = work.lists[first + k]
    return Interval(starts.spans[least, 0], starts.spans[least, 1], end, end + last - first)


@kernel
def n_starts(piece: PathPiece, goal: PathGoal, work: Work) -> int:
    """Into how many intervals to cut before anything is known; lists all pairs as what is left."""
    for p in range(len(piece.pairs)):
        work.lists[p] = p
    shapes, middle, half = piece.shapes, 0.5 * (goal.start + goal.end), 0.5 * (goal.end - goal.start)
    place_piece(piece, len(piece.parents), middle, half, work.states)
    most = 0.0
    for i in range(len(shapes.attachments)):
        place_shape(work.states, piece.parents, shapes.attachments, i, half, work.shape_states)
        work.shape_states[i, STAMP] = np.nan
        most = max(most, work.shape_states[i, SPEED] / shapes.attachments[i, BALL])
    n = 2.0 * half * most / COARSE
    return int(min(max(n, 1.0), MAX_STARTS))


@kernel
def sift(
    piece: PathPiece,
    meshes: MeshTable | None,
    whole: PathGoal,
    work: Work,
    span: tuple[float, float],
    listed: tuple[int, int, int],
) -> Sifted:
    """Settle pairs for an interval where that can be done from its middle.

    whole : what is looked for, but for paddings
    listed : where their list begins and ends, and where that of the others is to begin
    """
    shapes, parents, pairs = piece.shapes, piece.parents, piece.pairs
    states, shape_states, lists, paddings = work.states, work.shape_states, work.lists, shapes.paddings
    attachments, records, is_kept = shapes.attachments, (work.records, work.n_records), len(work.records) > 0
    lo, hi, t, half = span[0], span[1], 0.5 * (span[0] + span[1]), 0.5 * (span[1] - span[0])
    place_piece(piece, len(parents), t, half, states)
    work.counts[PLACED] += 1
    work.counts[LOOKED_AT] += listed[1] - listed[0]
    end, hit, tightest = listed[2], Hit(-1, np.inf, False), np.inf
    for k in range(listed[0], listed[1]):
        p = int(np.int64(lists[k]))
        a, b, goal = int(np.int64(pairs[p, 0])), int(np.int64(pairs[p, 1])), goal_for(whole, paddings[p])
        for i in (a, b):
            if shape_states[i, STAMP] != t:  # not in a function, to which all arrays would be handed
                place_shape(states, parents, attachments, i, half, shape_states)
                shape_states[i, STAMP] = t
        gap = ball_gap(shape_states, attachments, a, b) - goal.margin
        most = half * (shape_states[a, SPEED] + shape_states[b, SPEED])
        if gap > most and pairs[p, 2] < 0 and not is_kept:  # as most do; a closer look takes far longer
            continue
        pair = pairs[p]
        approach = approach_of(states, parents, attachments, shape_states, pair, half)
        bent, most = 0.5 * half * half * approach.bend, half * approach.speed
        travel = min(half * any_speed(approach, attachments[a, BALL], attachments[b, BALL]) + bent, most)
        if gap > travel:
            keep_record(records, p, span, t, gap, travel, NOUGHT)
            continue
        work.counts[GAPS] += 1
        precision = Precision(PART, goal.margin, goal.target)
        found = convex_gap(shapes.records, shapes.pool, shape_states, pair, work.guides[p], precision)
        speed, more = speed_along(approach, shape_states, attachments, pair, found.direction)
        along, gap = min(half * (abs(speed) + more) + bent, travel), found.least - goal.margin
        distance = found.most
        if gap > along:
            keep_record(records, p, span, t, gap, along, found.direction)
            continue
        if meshes is not None and (shapes.meshes[a] >= 0 or shapes.meshes[b] >= 0):
            hollow, distance = attachments[a, HOLLOW] + attachments[b, HOLLOW], np.inf
            # If the outlines are clear, and the meshes would not be much more so: halve the interval.
            if found.most <= goal.target or found.most + hollow > along + goal.margin:
                work.counts[MESH_GAPS] += 1
                window = Window(half, goal.margin, goal.target, True)
                clearance = mesh_clearance(shapes, meshes, shape_states, pair, approach, window, work.stack)
                gap, distance = clearance.gap, clearance.distance
                if clearance.time >= half:
                    keep_record(records, p, span, t, np.inf, travel, NOUGHT)  # no single gap proves it
                    continue
            along = travel
        lists[end] = p
        end += 1
        tightest = min(tightest, gap / along if along > 0.0 else -np.inf)
        is_near = distance <= goal.target
        # What moves across the gap leaves it as it is, and yet goes away.
        is_short = travel <= goal.step and (is_near or along <= 0.25 * goal.step)
        if is_short or not lo < t < hi:
            return Sifted(end, Hit(p, lo, True), tightest)
        hit = Hit(p, t, False) if is_near else hit
        if is_near and not goal.is_first:
            return Sifted(end, hit, tightest)
    return Sifted(end, hit, tightest)
