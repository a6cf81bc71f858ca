"""Spans of time in which anything of a robot touches what it may touch, along paths.

As of two rigid bodies, but for all pairs at once: a stretch is free where all pairs are, and in contact where
any of them is.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.advancement.contact_watch import (
    BACK,
    CHECK,
    DEPTH,
    FREE,
    N_COLUMNS,
    NARROW,
    Pace,
    Watch,
    entered,
    first_watch,
    next_watch,
    write_span,
)
from firstcontact.advancement.goal import Options, nearness
from firstcontact.advancement.proof_times import CLEARANCE
from firstcontact.arrays import INFINITY, Array, Ids
from firstcontact.articulated.paths.path_contacts import deviation_of_rows, search_piece
from firstcontact.articulated.paths.path_depths import (
    Hidden,
    enclosed_pair,
    fastest_of,
    longest_contact,
    place_all,
)
from firstcontact.articulated.paths.path_types import Hit, PathGoal, PathPiece, Work, WorldRows, make_work
from firstcontact.articulated.paths.world_motions import WorldMotions
from firstcontact.bodies.mesh_table import MeshTable
from firstcontact.proximity.touching.firm_depths import depth_room

# Room for the spans of a path at first.
ROOM = 16


class Spans(NamedTuple):
    """Spans (k, N_COLUMNS) of a path, as in `contact_watch`, and the pair that is near first in each."""

    spans: Array
    pairs: Ids


class Stage(NamedTuple):
    """What is asked of a piece: goal, how long nothing moves by the tolerance, and what may be hidden."""

    goal: PathGoal
    pace: Pace
    hidden: Hidden


def path_spans(world: WorldMotions, options: Options, hulls: float) -> Spans:
    """Find all contacts along one path; hulls may hold so much more than the meshes that they stand for."""
    motion = (world.geometries, world.parents, world.pairs, world.rows, world.times, world.roundings)
    n = ROOM if len(world.pairs) > 0 else 0
    while True:
        found = Spans(np.empty((n, N_COLUMNS)), np.empty(n, np.int32))
        if n > 0:
            work = make_work(world.sizes, world.meshes, 0)
            n = int(_watch_path(world.meshes, motion, options, hulls, work, found))
        if n <= len(found.spans):
            return Spans(found.spans[:n], found.pairs[:n])


@driver
def _watch_path(
    meshes: MeshTable | None, motion: WorldRows, options: Options, hulls: float, work: Work, found: Spans
) -> int:
    """Watch the first path; return how many spans there are, more than have room too."""
    shapes, parents, pairs, rows, times, roundings = motion
    room, n, watch = depth_room(), int(np.int64(0)), first_watch(times[0])
    work.guides[:] = 0.0
    now, after = int(np.int64(-1)), int(np.int64(-1))  # pairs of this contact, and of the one that follows
    for k in range(rows.shape[1]):
        piece = PathPiece(shapes, parents, pairs, rows[0, k], None)
        stage = _stage(piece, (times[k], times[k + 1]), options, roundings[0], hulls, work)
        pace = stage.pace
        watch = entered(watch, pace)
        while watch.now < pace.end:
            phase, before = watch.phase, n
            if phase in (DEPTH, BACK):
                longest = max(pace.end - watch.now, watch.now - pace.start)
                answer = longest_contact(piece, meshes, work, room, watch.now, longest, stage.hidden)
            else:
                hit = _searched(piece, meshes, work, stage, watch)
                answer = INFINITY if hit.pair < 0 else hit.time
                if phase != NARROW:
                    now, after = (hit.pair, after) if phase == FREE else (now, hit.pair)
            watch, n = next_watch(watch, answer, pace, found.spans, n)
            if n > before and n <= len(found.pairs):
                found.pairs[before] = now
            if phase == NARROW and watch.phase != NARROW:
                now = after
    if watch.phase == FREE:
        return n
    if n < len(found.pairs):
        found.pairs[n] = now
    return write_span(watch, watch.now, found.spans, n)


@kernel
def _stage(
    piece: PathPiece,
    span: tuple[float, float],
    options: Options,
    rounding: float,
    hulls: float,
    work: Work,
) -> Stage:
    """What is asked between two times. Depths are handed in as times that they last: a speed of 1."""
    deviation = deviation_of_rows(piece.rows)
    margin, target, tolerance = nearness(options, rounding, deviation)
    place_all(piece, work, 0.5 * (span[0] + span[1]))
    half, most, second = 0.5 * (span[1] - span[0]), 0.0, 0.0
    for k in range(len(piece.shapes.attachments)):
        speed = fastest_of(piece, work, k, int(np.int64(-1)), half)
        most, second = (speed, most) if speed > most else (most, max(second, speed))
    least = (tolerance + deviation) / (most + second) if most > 0.0 else INFINITY
    goal = PathGoal(span[0], span[1], margin, target, 0.25 * tolerance, True)
    hidden = Hidden(rounding, CLEARANCE * rounding + deviation, hulls)
    return Stage(goal, Pace(span[0], span[1], least, 1.0), hidden)


@kernel
def _searched(piece: PathPiece, meshes: MeshTable | None, work: Work, stage: Stage, watch: Watch) -> Hit:
    """The first contact from a time on, whether of surfaces, or of what is inside a closed mesh by then.

    Whether a contact is over is seen from a short time, most often: others need not be searched then.
    """
    now, until = watch.now, watch.until
    p = enclosed_pair(piece, meshes, work, now)
    if p >= 0:
        return Hit(p, now, True)
    if watch.phase == CHECK and now + stage.pace.least < until:
        soon = now + stage.pace.least
        hit = _search(piece, meshes, work, stage.goal, now, soon)
        if hit.pair >= 0:
            return hit
        now = soon
    return _search(piece, meshes, work, stage.goal, now, until)


@kernel
def _search(
    piece: PathPiece, meshes: MeshTable | None, work: Work, goal: PathGoal, start: float, end: float
) -> Hit:
    part = PathGoal(start, end, goal.margin, goal.target, goal.step, True)
    return search_piece(piece, meshes, part, work, None)
