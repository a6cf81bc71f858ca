"""Adaptive subdivision of a path (Schwarzer, Saha, Latombe, 2002), with directed bounds.

The path is halved, and halved again, until for each pair the gap in the middle of an interval is wider than
both can travel until its ends. A pair that is settled for an interval is not looked at in its parts.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.articulated.model.world_shapes import Geometries
from firstcontact.articulated.paths.frames import N_STATE, NOUGHT, place_frames
from firstcontact.articulated.paths.mesh_clearance import Window, mesh_clearance
from firstcontact.articulated.paths.pair_gap import PART, convex_gap
from firstcontact.articulated.paths.shape_states import (
    BALL,
    HOLLOW,
    N_SPOT,
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
from firstcontact.proximity.distance.closest_pair import N_COUNTS as N_MESH_COUNTS
from firstcontact.scalar.vec3 import Vec3

# Halvings of an interval, at the most: a double has no more digits.
MAX_DEPTH = 64

# What is counted: times at which the frames were placed, pairs looked at, gaps and mesh distances computed.
PLACED, LOOKED_AT, GAPS, MESH_GAPS = range(4)
N_COUNTS = 4

# Columns of a record of a proof: the pair, when the interval begins and ends, a time of it, the gap at that
# time less the margin, the travel that it covers, and the direction of both; zeros where they have none.
N_RECORD = 9


class Limits(NamedTuple):
    """What is asked of a path.

    margin : distance that counts as contact, and that rounding may hide
    target : distance at which a pair counts as in contact
    step : travel over which a contact is not placed more exactly
    is_first : whether the first contact is asked for; else any will do
    """

    margin: float
    target: float
    step: float
    is_first: bool


class Course(NamedTuple):
    """Shapes on a forest of frames, the pairs of them, and how the frames move between two times."""

    shapes: Geometries
    parents: Ids
    pairs: Ids
    rows: Array
    start: float
    end: float


class Work(NamedTuple):
    """Room to work in.

    states, shape_states, guides : of frames, shapes and pairs
    lists : pairs that are not settled, list after list
    bounds, extents : intervals that wait: from when to when, and where their lists begin and end
    counts, mesh_counts : (N_COUNTS,), and of the search through trees of meshes
    records : (k, N_RECORD), as many as there is room for
    n_records : (1,) how many there would be
    """

    states: Array
    shape_states: Array
    guides: Array
    lists: Ids
    bounds: Array
    extents: NDArray[np.int64]
    counts: NDArray[np.int64]
    mesh_counts: NDArray[np.int64]
    records: Array
    n_records: NDArray[np.int64]


class Hit(NamedTuple):
    """A pair in contact, -1 for none, and when; `is_placed`: there is none before, and it is that close."""

    pair: int
    time: float
    is_placed: bool


class Sifted(NamedTuple):
    """What an interval leaves: the end of the list of pairs, one in contact, how nearly all are settled."""

    end: int
    hit: Hit
    ratio: float


class Starts(NamedTuple):
    """Intervals that were looked at as wholes.

    spans : (n, 2) when they begin and end
    extents : (n, 2) int64, where the list of pairs that they left begins and ends
    ratios : (n,) how nearly all is settled
    """

    spans: Array
    extents: NDArray[np.int64]
    ratios: Array


def make_work(n_frames: int, n_shapes: int, n_pairs: int, n_records: int) -> Work:
    """Make room for a forest."""
    return Work(
        np.zeros((n_frames, N_STATE)),
        np.full((n_shapes, N_SPOT), np.nan),
        np.zeros((n_pairs, 3)),
        np.empty(n_pairs * (MAX_DEPTH + MAX_STARTS + 2), np.int32),
        np.empty((MAX_DEPTH + MAX_STARTS + 2, 2)),
        np.empty((MAX_DEPTH + MAX_STARTS + 2, 2), np.int64),
        np.zeros(N_COUNTS, np.int64),
        np.zeros(N_MESH_COUNTS, np.int64),
        np.empty((n_records, N_RECORD)),
        np.zeros(1, np.int64),
    )


# Intervals that a path is cut into before anything is known, at the most; and the travel of each, in units of
# the size of what travels.
MAX_STARTS = 128
COARSE = 80.0


@kernel
def subdivide(course: Course, meshes: MeshTable | None, limits: Limits, work: Work) -> Hit:
    """Look for contacts of all pairs between two times."""
    n_pairs, n = len(course.pairs), n_starts(course, work)
    for i in range(n if limits.is_first else 0):
        span = cut(course, i, n)
        sifted = sift(course, meshes, limits, work, span, (0, n_pairs, n_pairs))
        hit = _refine(course, meshes, limits, work, span, (n_pairs, sifted.end), sifted.hit)
        if hit.pair >= 0:
            return hit
    starts = Starts(np.empty((n, 2)), np.empty((n, 2), np.int64), np.empty(n))
    end, hit = sift_starts(course, meshes, limits, work, starts)
    for _ in range(n if hit.pair < 0 and not limits.is_first else 0):
        i = tightest_of(starts.ratios)
        first, last = starts.extents[i, 0], starts.extents[i, 1]
        for k in range(last - first):  # what others left stays where it is
            work.lists[end + k] = work.lists[first + k]
        span, own = (starts.spans[i, 0], starts.spans[i, 1]), (end, end + last - first)
        hit = _refine(course, meshes, limits, work, span, own, Hit(-1, np.inf, False))
        if hit.pair >= 0:
            return hit
    return hit


@kernel
def cut(course: Course, i: int, n: int) -> tuple[float, float]:
    """One of n intervals between two times, as wide as each other."""
    width = course.end - course.start
    end = course.end if i == n - 1 else course.start + width * (i + 1) / n
    return course.start + width * i / n, end


@kernel
def sift_starts(
    course: Course, meshes: MeshTable | None, limits: Limits, work: Work, starts: Starts
) -> tuple[int, Hit]:
    """Look at all intervals as wholes, where any contact will do: most are free, or have one in plain sight.

    Return where the last list ends, and a contact.
    """
    n_pairs, n, end = len(course.pairs), len(starts.ratios), len(course.pairs)
    for i in range(0 if limits.is_first else n):
        span = cut(course, i, n)
        sifted = sift(course, meshes, limits, work, span, (0, n_pairs, end))
        if sifted.hit.pair >= 0:
            return end, sifted.hit
        starts.spans[i, 0], starts.spans[i, 1], starts.ratios[i] = span[0], span[1], sifted.ratio
        starts.extents[i, 0], starts.extents[i, 1] = end, sifted.end
        end = sifted.end
    return end, Hit(-1, np.inf, False)


@kernel
def tightest_of(ratios: Array) -> int:
    """Number of the least, which is not the least any more: there are too few to be worth sorting."""
    least = 0
    for i in range(len(ratios)):
        least = i if ratios[i] < ratios[least] else least
    ratios[least] = np.inf
    return least


@kernel
def n_starts(course: Course, work: Work) -> int:
    """Into how many intervals to cut before anything is known; lists all pairs as what is left."""
    for p in range(len(course.pairs)):
        work.lists[p] = p
    shapes, middle, half = course.shapes, 0.5 * (course.start + course.end), 0.5 * (course.end - course.start)
    place_frames(course.rows, course.parents, middle, work.states)
    most = 0.0
    for i in range(len(shapes.attachments)):
        place_shape(work.states, course.parents, shapes.attachments, i, half, work.shape_states)
        work.shape_states[i, STAMP] = np.nan
        most = max(most, work.shape_states[i, SPEED] / shapes.attachments[i, BALL])
    n = 2.0 * half * most / COARSE
    return int(min(max(n, 1.0), MAX_STARTS))


@kernel
def _refine(
    course: Course,
    meshes: MeshTable | None,
    limits: Limits,
    work: Work,
    span: tuple[float, float],
    own: tuple[int, int],
    hit: Hit,
) -> Hit:
    """Halve an interval that was looked at as a whole until all is settled: the earlier half first.

    own : where the list of its pairs begins and ends
    hit : what was found of it
    """
    bounds, extents, n, best = work.bounds, work.extents, 0, hit
    (lo, hi), (first, last) = span, own
    while not (hit.is_placed or (hit.pair >= 0 and not limits.is_first)):
        if last > first:
            middle = 0.5 * (lo + hi)
            if hit.pair < 0:
                bounds[n, 0], bounds[n, 1], extents[n, 0], extents[n, 1] = middle, hi, first, last
                n += 1
            else:
                best = hit  # what is later does not matter any more
            bounds[n, 0], bounds[n, 1], extents[n, 0], extents[n, 1] = lo, middle, first, last
            n += 1
        if n == 0 or bounds[n - 1, 0] >= best.time:
            return best
        n -= 1
        lo, hi, first, last = bounds[n, 0], bounds[n, 1], extents[n, 0], extents[n, 1]
        sifted = sift(course, meshes, limits, work, (lo, hi), (first, last, last))
        first, last, hit = last, sifted.end, sifted.hit
    return hit


@kernel
def sift(
    course: Course,
    meshes: MeshTable | None,
    limits: Limits,
    work: Work,
    span: tuple[float, float],
    listed: tuple[int, int, int],
) -> Sifted:
    """Settle pairs for an interval where that can be done from its middle.

    listed : where their list begins and ends, and where that of the others is to begin
    """
    shapes, parents, states, shape_states, lists = (
        course.shapes,
        course.parents,
        work.states,
        work.shape_states,
        work.lists,
    )
    attachments, pairs = shapes.attachments, course.pairs
    lo, hi = span
    t, half = 0.5 * (lo + hi), 0.5 * (hi - lo)
    place_frames(course.rows, parents, t, states)
    work.counts[PLACED] += 1
    work.counts[LOOKED_AT] += listed[1] - listed[0]
    end, hit, tightest = listed[2], Hit(-1, np.inf, False), np.inf
    precision = Precision(PART, limits.margin, limits.target)
    for k in range(listed[0], listed[1]):
        p = int(np.int64(lists[k]))
        pair = pairs[p]
        a, b = int(np.int64(pair[0])), int(np.int64(pair[1]))
        for i in (a, b):
            if shape_states[i, STAMP] != t:
                place_shape(states, parents, attachments, i, half, shape_states)
                shape_states[i, STAMP] = t
        approach = approach_of(states, parents, attachments, shape_states, pair, half)
        bent, most = 0.5 * half * half * approach.bend, half * approach.speed
        travel = min(half * any_speed(approach, attachments[a, BALL], attachments[b, BALL]) + bent, most)
        gap = ball_gap(shape_states, attachments, a, b) - limits.margin
        if gap > travel:
            keep_record(work, p, span, t, gap, travel, NOUGHT)
            continue
        work.counts[GAPS] += 1
        found = convex_gap(shapes.records, shapes.pool, shape_states, pair, work.guides[p], precision)
        speed, more = speed_along(approach, shape_states, attachments, pair, found.direction)
        along, gap = min(half * (abs(speed) + more) + bent, travel), found.least - limits.margin
        distance = found.most
        if gap > along:
            keep_record(work, p, span, t, gap, along, found.direction)
            continue
        if meshes is not None and (shapes.meshes[a] >= 0 or shapes.meshes[b] >= 0):
            hollow, distance = attachments[a, HOLLOW] + attachments[b, HOLLOW], np.inf
            # If the outlines are clear, and the meshes would not be much more so: halve the interval.
            if found.most <= limits.target or found.most + hollow > along + limits.margin:
                work.counts[MESH_GAPS] += 1
                window = Window(half, limits.margin, limits.target, True)
                clearance = mesh_clearance(shapes, meshes, shape_states, pair, approach, window)
                gap, distance = clearance.gap, clearance.distance
                if clearance.time >= half:
                    keep_record(work, p, span, t, np.inf, travel, NOUGHT)  # no single gap proves it
                    continue
            along = travel
        lists[end] = p
        end += 1
        tightest = min(tightest, gap / along if along > 0.0 else -np.inf)
        is_near = distance <= limits.target
        # What moves across the gap leaves it as it is, and yet goes away.
        is_short = travel <= limits.step and (is_near or along <= 0.25 * limits.step)
        if is_short or not lo < t < hi:
            return Sifted(end, Hit(p, lo, True), tightest)
        if is_near:
            hit = Hit(p, t, False)
            if not limits.is_first:
                return Sifted(end, hit, tightest)
    return Sifted(end, hit, tightest)


@kernel
def keep_record(
    work: Work, p: int, span: tuple[float, float], t: float, gap: float, travel: float, n: Vec3
) -> None:
    """Keep the proof, by what was seen at t, that a pair is apart throughout an interval."""
    k = work.n_records[0]
    if k < len(work.records):
        record = work.records[k]
        record[0], record[1], record[2], record[3], record[4], record[5] = p, span[0], span[1], t, gap, travel
        record[6], record[7], record[8] = n
    work.n_records[0] = k + 1
