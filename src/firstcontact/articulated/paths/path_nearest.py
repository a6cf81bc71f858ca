"""The least distance of a robot along a path: subdivision, with what is left of the distance as the margin.

As in `path_subdivision`, a pair is settled for an interval where its gap in the middle, less what both can
travel, stays above a level: the least distance seen, less the tolerance. A pair that is nearer gives a new
least distance, and so a lower level; what was settled before stays so.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.goal import Options, nearness
from firstcontact.advancement.nearest import DONE, GOING, LOOSER, OPEN, PROGRESS, Nearness
from firstcontact.arrays import Array, Ids
from firstcontact.articulated.paths.closest_links import pair_distance
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
from firstcontact.proximity.touching.near_pairs import FLOOR

# Paths from which several threads are worth their start.
WORTH_A_THREAD = 8

# Times of each piece at which to look before anything is known.
LOOKS = 4

# Looks for a smaller distance of a pair around the time at which it was seen.
N_LOOKS = 8


class PathsNearest(NamedTuple):
    """Least distances along n paths.

    upper, times, pairs : (n,) a bound of the least distance, attained at a time by a pair; -1 for none
    lower : (n,) proven for all of the path
    state : (n,) int8, of `advancement.nearest`
    counts : (n, N_COUNTS)
    """

    upper: Array
    times: Array
    pairs: Ids
    lower: Array
    state: NDArray[np.int8]
    counts: NDArray[np.int64]


class Least(NamedTuple):
    """The same of one path, while it is searched; and how much looser the tolerance is."""

    upper: float
    time: float
    pair: int
    lower: float
    looseness: float
    state: int


def nearest_paths(world: WorldMotions, asked: Nearness, upper: Array) -> PathsNearest:
    """Find the least distance of any pair along each path; those above an upper bound (n,) do not matter."""
    n = len(world.rows)
    found = PathsNearest(
        upper.copy(),
        np.zeros(n),
        np.full(n, -1, np.int32),
        np.full(n, np.inf),
        np.full(n, DONE, np.int8),
        np.zeros((n, N_COUNTS), np.int64),
    )
    if len(world.pairs) == 0:
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
    found: PathsNearest,
    part: tuple[int, int],
) -> None:
    shapes, parents, pairs, rows, times, roundings = motion
    for i in range(part[0], part[1]):
        work.shape_states[:] = np.nan
        work.guides[:] = 0.0
        work.counts[:] = 0
        least = Least(found.upper[i], 0.0, -1, np.inf, 1.0, int(np.int64(GOING)))
        for k in range(rows.shape[1]):
            piece = PathPiece(shapes, parents, pairs, rows[i, k])
            limits = roundings[i], deviation_of_rows(rows[i, k])
            for m in range(LOOKS + 1):
                t = times[k] + (times[k + 1] - times[k]) * m / LOOKS
                least = _look(piece, meshes, work, limits, least, t)
        for k in range(rows.shape[1]):
            piece = PathPiece(shapes, parents, pairs, rows[i, k])
            limits = roundings[i], deviation_of_rows(rows[i, k])
            if least.state == GOING:
                least = _search_piece(piece, meshes, (times[k], times[k + 1]), limits, asked, work, least)
        found.upper[i], found.times[i], found.pairs[i] = least.upper, least.time, least.pair
        found.lower[i] = least.lower
        found.state[i] = DONE if least.state == GOING else least.state
        for k in range(N_COUNTS):
            found.counts[i, k] = work.counts[k]


@kernel
def _goal(
    span: tuple[float, float], limits: tuple[float, float], asked: Nearness, least: Least
) -> tuple[PathGoal, float, float]:
    """What to prove between two times, the level of it, and the tolerance."""
    tolerance = max(asked.length, asked.part * least.upper) if asked.part > 0.0 else asked.length
    tolerance = max(least.looseness * tolerance, FLOOR * limits[0])
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
    least: Least,
) -> Least:
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
    least: Least,
) -> Least:
    """Halve an interval until all pairs keep above the level, the earlier half first."""
    bounds, extents = work.bounds, work.extents
    bounds[0, 0], bounds[0, 1], extents[0, 0], extents[0, 1] = whole[0], whole[1], 0, whole[2]
    n = 1
    while n > 0:
        lo, hi, first, last = bounds[n - 1, 0], bounds[n - 1, 1], extents[n - 1, 0], extents[n - 1, 1]
        goal, level, tolerance = _goal((lo, hi), limits, asked, least)
        if level == 0.0:
            return Least(least.upper, least.time, least.pair, 0.0, least.looseness, int(np.int64(DONE)))
        least = Least(
            least.upper, least.time, least.pair, min(least.lower, level), least.looseness, least.state
        )
        sifted = sift(piece, meshes, goal, work, (lo, hi), (first, last, last))
        if sifted.hit.pair >= 0:
            before = least.upper
            least = _descend(piece, meshes, work, limits, least, (sifted.hit.time, lo, hi))
            if least.upper > before - PROGRESS * tolerance:
                least = _loosened(least, limits[1], tolerance)
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
def _loosened(least: Least, deviation: float, tolerance: float) -> Least:
    """Without progress, obstacles deviate too much from their pieces, or rounding is in the way."""
    state = int(np.int64(OPEN)) if deviation > PROGRESS * tolerance else least.state
    return Least(least.upper, least.time, least.pair, least.lower, LOOSER * least.looseness, state)


@kernel
def _descend(
    piece: PathPiece,
    meshes: MeshTable | None,
    work: Work,
    limits: tuple[float, float],
    least: Least,
    times: tuple[float, float, float],
) -> Least:
    """Look for a smaller distance around the first of the times, between the others, ever closer."""
    t, lo, hi = times
    least = _look(piece, meshes, work, limits, least, t)
    step = 0.25 * (hi - lo)
    for k in range(N_LOOKS):
        before = least.upper
        t = least.time + (step if k % 2 == 0 else -step)
        if lo <= t <= hi:
            least = _look(piece, meshes, work, limits, least, t)
        if k % 2 == 1 or least.upper < before:
            step *= 0.5
    return least


@kernel
def _look(
    piece: PathPiece,
    meshes: MeshTable | None,
    work: Work,
    limits: tuple[float, float],
    least: Least,
    t: float,
) -> Least:
    """See which pairs are nearer at a time than the least known."""
    shapes, attachments, pairs, states = (
        piece.shapes,
        piece.shapes.attachments,
        piece.pairs,
        work.shape_states,
    )
    rounding, deviation = limits
    place_frames(piece.rows, piece.parents, t, work.states)
    for k in range(len(attachments)):
        place_shape(work.states, piece.parents, attachments, k, 0.0, states)
    for p in range(len(pairs)):
        a, b = int(np.int64(pairs[p, 0])), int(np.int64(pairs[p, 1]))
        if ball_gap(states, attachments, a, b) + deviation - rounding < least.upper:
            best = least.upper - deviation
            distance = pair_distance(shapes, meshes, work, pairs[p], best, rounding) + deviation
            if distance < least.upper:
                least = Least(distance, t, p, least.lower, least.looseness, least.state)
    for k in range(len(attachments)):
        states[k, STAMP] = np.nan
    return least
