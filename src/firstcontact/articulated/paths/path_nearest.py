"""The least distance of a robot along a path: subdivision, with what is left of the distance as the margin.

As in `path_subdivision`, a pair is settled for an interval where its gap in the middle, less what both can
travel, stays above a level: the least distance seen, less the tolerance. A pair that is nearer gives a new
least distance, and so a lower level; what was settled before stays so.
"""

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.goal import Options, nearness
from firstcontact.advancement.nearest import (
    DONE,
    GOING,
    PROGRESS,
    Nearest,
    Nearness,
    Walk,
    loosened,
    nothing_known,
    proven_to,
    tolerance_of,
    touched,
    walk_from,
    write_walk,
)
from firstcontact.arrays import Array
from firstcontact.articulated.paths.closest_links import padded_distance
from firstcontact.articulated.paths.frames import place_frames
from firstcontact.articulated.paths.path_contacts import deviation_of_rows
from firstcontact.articulated.paths.path_sifting import cut, n_starts, sift
from firstcontact.articulated.paths.path_types import (
    N_COUNTS,
    PathGoal,
    PathPiece,
    Work,
    WorldRows,
    make_work,
)
from firstcontact.articulated.paths.shape_states import STAMP, ball_gap, place_shape
from firstcontact.articulated.paths.world_motions import WorldMotions
from firstcontact.bodies.mesh_table import MeshTable

# Paths from which several threads are worth their start.
WORTH_A_THREAD = 8

# Looks for a smaller distance of a pair around the time at which it was seen.
N_LOOKS = 4


def nearest_paths(world: WorldMotions, asked: Nearness, upper: Array) -> Nearest:
    """Find the least distance of any pair along each path; those above an upper bound (n,) do not matter."""
    n = len(world.rows)
    found = nothing_known(n, N_COUNTS)
    found.upper[:] = upper
    if len(world.pairs) == 0:
        found.state[:] = DONE
        return found
    motion = (world.geometries, world.parents, world.pairs, world.rows, world.times, world.roundings)

    def task(first: int, last: int) -> None:
        work = make_work(world.sizes, world.meshes, 0)
        _search_range(world.meshes, motion, asked, work, found, (first, last))

    on_ranges(task, n, WORTH_A_THREAD)
    return found


@driver
def _search_range(
    meshes: MeshTable | None,
    motion: WorldRows,
    asked: Nearness,
    work: Work,
    found: Nearest,
    part: tuple[int, int],
) -> None:
    shapes, parents, pairs, rows, times, roundings = motion
    for i in range(part[0], part[1]):
        work.shape_states[:] = np.nan
        work.guides[:] = 0.0
        work.counts[:] = 0
        least = walk_from(found, i)
        for k in range(rows.shape[1]):
            piece = PathPiece(shapes, parents, pairs, rows[i, k], None)
            limits = roundings[i], deviation_of_rows(rows[i, k])
            least = _look(piece, meshes, work, limits, least, times[k])
            if k + 1 == rows.shape[1]:
                least = _look(piece, meshes, work, limits, least, times[k + 1])
        for k in range(rows.shape[1]):
            piece = PathPiece(shapes, parents, pairs, rows[i, k], None)
            limits = roundings[i], deviation_of_rows(rows[i, k])
            if least.state == GOING:
                least = _search_piece(piece, meshes, (times[k], times[k + 1]), limits, asked, work, least)
        write_walk(found, i, least)
        for k in range(N_COUNTS):
            found.counts[i, k] = work.counts[k]


@kernel
def _goal(
    span: tuple[float, float], limits: tuple[float, float], asked: Nearness, least: Walk
) -> tuple[PathGoal, float, float]:
    """What to prove between two times, the level of it, and the tolerance."""
    tolerance = tolerance_of(least, limits[0], asked)
    level = max(least.upper - tolerance, 0.0)
    margin, target, tolerance = nearness(Options(tolerance, level), limits[0], limits[1])
    return PathGoal(span[0], span[1], margin, target, 0.25 * tolerance, False), level, tolerance


@kernel
def _search_piece(
    piece: PathPiece,
    meshes: MeshTable | None,
    times: tuple[float, float],
    limits: tuple[float, float],
    asked: Nearness,
    work: Work,
    least: Walk,
) -> Walk:
    """Prove a level, or lower it, between two times."""
    n_pairs = len(piece.pairs)
    goal, _, _ = _goal(times, limits, asked, least)
    n = n_starts(piece, goal, work)
    for i in range(n):
        span = cut(goal, i, n)
        least = _subdivide(piece, meshes, (span[0], span[1], n_pairs), limits, asked, work, least)
        if least.state != GOING:
            return least
    return least


@kernel
def _subdivide(
    piece: PathPiece,
    meshes: MeshTable | None,
    whole: tuple[float, float, int],
    limits: tuple[float, float],
    asked: Nearness,
    work: Work,
    least: Walk,
) -> Walk:
    """Halve an interval until all pairs keep above the level, the earlier half first."""
    bounds, extents = work.bounds, work.extents
    bounds[0, 0], bounds[0, 1], extents[0, 0], extents[0, 1] = whole[0], whole[1], 0, whole[2]
    n = 1
    while n > 0:
        lo, hi, first, last = bounds[n - 1, 0], bounds[n - 1, 1], extents[n - 1, 0], extents[n - 1, 1]
        goal, level, tolerance = _goal((lo, hi), limits, asked, least)
        if level == 0.0:
            return touched(least)
        least = proven_to(least, level, lo)
        sifted = sift(piece, meshes, goal, work, (lo, hi), (first, last, last))
        if sifted.hit.pair >= 0:
            before = least.upper
            times = sifted.hit.time, lo, hi
            least = _descend(piece, meshes, work, limits, least, times, sifted.hit.pair)
            if least.upper > before - PROGRESS * tolerance:
                least = loosened(least, limits[1], tolerance)
                if least.state != GOING:
                    return least
            continue
        n -= 1
        if sifted.end > last:
            middle = 0.5 * (lo + hi)
            bounds[n, 0], bounds[n, 1], extents[n, 0], extents[n, 1] = middle, hi, last, sifted.end
            bounds[n + 1, 0], bounds[n + 1, 1] = lo, middle
            extents[n + 1, 0], extents[n + 1, 1] = last, sifted.end
            n += 2
    return least


@kernel
def _descend(
    piece: PathPiece,
    meshes: MeshTable | None,
    work: Work,
    limits: tuple[float, float],
    least: Walk,
    times: tuple[float, float, float],
    pair: int,
) -> Walk:
    """Look for a smaller distance of a pair around a time, between two others, ever closer."""
    t, lo, hi = times
    least = _look_at(piece, meshes, work, limits, least, t, pair)
    step = 0.25 * (hi - lo)
    for k in range(N_LOOKS):
        before = least.upper
        t = least.time + (step if k % 2 == 0 else -step)
        if lo <= t <= hi:
            least = _look_at(piece, meshes, work, limits, least, t, pair)
        if k % 2 == 1 or least.upper < before:
            step *= 0.5
    return least


@kernel
def _look_at(
    piece: PathPiece,
    meshes: MeshTable | None,
    work: Work,
    limits: tuple[float, float],
    least: Walk,
    t: float,
    p: int,
) -> Walk:
    """See whether a pair is nearer at a time than the least known."""
    place_frames(piece.rows, piece.parents, t, work.states)
    for i in (int(np.int64(piece.pairs[p, 0])), int(np.int64(piece.pairs[p, 1]))):
        place_shape(work.states, piece.parents, piece.shapes.attachments, i, 0.0, work.shape_states)
        work.shape_states[i, STAMP] = np.nan
    return _measured(piece, meshes, work, limits, least, t, p)


@kernel
def _look(
    piece: PathPiece,
    meshes: MeshTable | None,
    work: Work,
    limits: tuple[float, float],
    least: Walk,
    t: float,
) -> Walk:
    """See which pairs are nearer at a time than the least known, those first whose balls are nearest."""
    attachments, pairs, states = piece.shapes.attachments, piece.pairs, work.shape_states
    place_frames(piece.rows, piece.parents, t, work.states)
    for k in range(len(attachments)):
        place_shape(work.states, piece.parents, attachments, k, 0.0, states)
        states[k, STAMP] = np.nan
    (rounding, deviation), nearest, gap = limits, int(np.int64(0)), np.inf
    for p in range(len(pairs)):
        own = padded_gap(piece, states, p)
        nearest, gap = (p, own) if own < gap else (nearest, gap)
    if gap + deviation - rounding < least.upper:
        least = _measured(piece, meshes, work, limits, least, t, nearest)
    for p in range(len(pairs)):
        own = padded_gap(piece, states, p)
        if p != nearest and own + deviation - rounding < least.upper:
            least = _measured(piece, meshes, work, limits, least, t, p)
    return least


@kernel
def padded_gap(piece: PathPiece, states: Array, p: int) -> float:
    """How far apart the balls and boxes around a pair are, less its padding."""
    a, b = int(np.int64(piece.pairs[p, 0])), int(np.int64(piece.pairs[p, 1]))
    return ball_gap(states, piece.shapes.attachments, a, b) - float(piece.shapes.paddings[p])


@kernel
def _measured(
    piece: PathPiece,
    meshes: MeshTable | None,
    work: Work,
    limits: tuple[float, float],
    least: Walk,
    t: float,
    p: int,
) -> Walk:
    """Measure a pair that is placed; farther apart than the least known, it is not exactly measured."""
    rounding, deviation = limits
    best = least.upper - deviation
    found = padded_distance(piece.shapes, meshes, work, (piece.pairs, p), best, rounding)
    distance = max(found, 0.0) + deviation
    if not distance < least.upper:
        return least
    return Walk(distance, t, p, least.lower, least.at, least.looseness, least.state)
