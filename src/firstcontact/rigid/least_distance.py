"""Least distances of two rigid bodies of any kinds over their motions."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.arrival import ITERATIONS, SEPARATED
from firstcontact.advancement.descent import Valley
from firstcontact.advancement.nearest import (
    GOING,
    OPEN,
    STOPPED,
    Leg,
    Nearest,
    Nearness,
    Stretch,
    Walk,
    descended,
    exhausted,
    first_pieces,
    level_goal,
    next_pieces,
    proven_to,
    set_out,
    stopped,
    stretch_of,
    stretch_on,
    touched,
    walk_from,
    worth_a_look,
    write_walk,
)
from firstcontact.advancement.nearest_stretches import (
    WHOLE,
    first_cut,
    longer_cut,
    reopened,
    rows_around,
    rows_from,
    shorter_cut,
)
from firstcontact.advancement.stretches import TwoMotions, motions_of
from firstcontact.arrays import INFINITY, Array
from firstcontact.bodies.wide_body import NodeStack
from firstcontact.motions.law_table import LawTables, room_for
from firstcontact.motions.relative_motion import RelativeMotion, placement_at
from firstcontact.motions.rigid_motion import start_of
from firstcontact.proximity.distance.closest_pair import DistanceGoal
from firstcontact.rigid.closest_then import closest_then, stack_of
from firstcontact.rigid.descents import gone_down
from firstcontact.rigid.pair_kinds import (
    Bodies,
    Convexes,
    Meshes,
    Room,
    SolidMesh,
    extents_of,
    new_room,
    searched,
)

# Motions from which several threads are worth their start: of convex shapes, and of others.
WORTH_A_THREAD, WORTH_A_THREAD_OF_MESHES = 128, 16

# Times to look at at first, of motions that deviate from their pieces.
N_TIMES = 5

# Looks at all triangles, each at the time where those found before are nearest.
N_LOOKS = 4

# Times that it is the turn of what holds the bodies, on a way.
MOST_TURNS = 32

# How much farther apart than what holds them bodies may be, in units of what is worth a look: a quarter of
# the tolerance.
HARDLY = 2.0


class Asked(NamedTuple):
    """Motions of both, rows (n, k, 26), or (1, k, 26) for all; how well to know, and what is known.

    tables : laws of which finer pieces are made; None where all are exact, or made by somebody else
    """

    rows_a: Array
    rows_b: Array
    nearness: Nearness
    nearest: Nearest
    tables: LawTables | None


class Way(NamedTuple):
    """What is to be gone through: times, negative backwards; 1 forwards, or -1."""

    at: float
    end: float
    sign: float


# Room for searches, and for a traversal; what is counted.
Work = tuple[Room, NodeStack, NDArray[np.int64]]


def least_distances(bodies: Bodies, asked: Asked) -> None:
    """Find the least distance of two bodies, those of whose meshes have triangles."""

    def task(first: int, last: int) -> None:
        _walk_range(*bodies.kinds, bodies.holders, asked, new_room(), (first, last))

    worth = WORTH_A_THREAD if bodies.holders is None else WORTH_A_THREAD_OF_MESHES
    on_ranges(task, len(asked.nearest.time), worth)


@driver
def _walk_range(
    convexes: Convexes | None,
    solid: SolidMesh | None,
    meshes: Meshes | None,
    holders: Convexes | None,
    asked: Asked,
    room: Room,
    part: tuple[int, int],
) -> None:
    nearest, nearness, stack = asked.nearest, asked.nearness, stack_of(solid, meshes)
    at, back, head, tail = nearest.at, nearest.back, nearest.head, nearest.tail
    law_room = room_for(asked.tables)
    for k in range(part[0], part[1]):
        motions = motions_of(asked.rows_a, asked.rows_b, asked.tables, law_room, k)
        walk, work = walk_from(nearest, k), (room, stack, nearest.counts[k])
        if walk.upper == INFINITY:
            t = 0.5 * (start_of(motions.rows_a, motions.rows_b) + 1.0)
            if convexes is not None:
                walk = _begun(convexes, motions, (nearness, walk, t), work)
            if holders is not None:
                if motions.laws is not None:
                    t = _begun(holders, motions, (nearness, walk, t), work).time
                walk = _seen(solid, meshes, holders, motions, (nearness, walk, t), work)
            at[k] = back[k] = walk.time
        for leg in range(2):  # forwards, then backwards: one call, since two take twice as long to compile
            is_back = leg == 1
            if is_back and back[k] <= head[k]:
                continue
            way = Way(-back[k], -head[k], -1.0) if is_back else Way(at[k], tail[k], 1.0)
            walk, start, end = _gone(convexes, solid, meshes, holders, motions, (nearness, walk, way), work)
            if is_back:
                back[k], head[k] = -start, -end
            else:
                at[k], tail[k] = start, end
        write_walk(nearest, k, walk)


@kernel
def _begun(convexes: Convexes, motions: TwoMotions, what: tuple[Nearness, Walk, float], work: Work) -> Walk:
    """Begin with a small distance of convex shapes, from a time on; where pieces deviate, look around first.

    Down in the piece that comes nearest, and once more in a finer one.
    """
    nearness, walk, t = what
    if motions.laws is None:
        return _lowest(convexes, motions, (nearness, walk, t), 0.0, work)
    start, best = 2.0 * t - 1.0, walk
    for k in range(N_TIMES):
        x = start + (1.0 - start) * ((k + 0.5) / N_TIMES)
        seen = _lowest(convexes, motions, (nearness, walk, x), 0.0, work)
        best = seen if seen.upper < best.upper else best
    return _lowest(convexes, motions, (nearness, walk, best.time), worth_a_look(best.upper, nearness), work)


@kernel
def _lowest(
    convexes: Convexes,
    motions: TwoMotions,
    what: tuple[Nearness, Walk, float],
    deviation: float,
    work: Work,
) -> Walk:
    """Go down from a time in its piece of both motions, or in finer ones that deviate by less."""
    nearness, walk, t = what
    extent_a, extent_b = extents_of(convexes, None, None)
    row_a, row_b = rows_around(motions, t, deviation)
    motion, stretch = stretch_of(extent_a, extent_b, row_a, row_b)
    valley, none = Valley(motion, t, stretch.start, stretch.end), int(np.int64(-1))
    descent = gone_down(convexes, None, None, (none, none), valley, nearness, work[2])
    upper = descent.distance + stretch.deviation
    return Walk(upper, descent.time, walk.pair, walk.lower, walk.at, walk.looseness, walk.state)


@kernel
def _seen(
    solid: SolidMesh | None,
    meshes: Meshes | None,
    holders: Convexes,
    motions: TwoMotions,
    what: tuple[Nearness, Walk, float],
    work: Work,
) -> Walk:
    """Look for a smaller distance of meshes where what holds them is nearest, down from a time.

    A triangle that is hardly farther away than that will do; else the closest, as long as others are closer
    where these are closest.
    """
    (nearness, walk, t), (_, stack, counts) = what, work
    deviation = worth_a_look(walk.upper, nearness) if walk.upper < INFINITY else nearness.length
    held = _lowest(holders, motions, what, deviation, work)
    t, upper, time = held.time, walk.upper, walk.time
    extent_a, extent_b = extents_of(None, solid, meshes)
    row_a, row_b = rows_around(motions, t, worth_a_look(held.upper, nearness))
    motion, stretch = stretch_of(extent_a, extent_b, row_a, row_b)
    for _ in range(N_LOOKS):
        enough = held.upper + HARDLY * worth_a_look(held.upper, nearness) if held.upper > 0.0 else 0.0
        goal, place = DistanceGoal(upper, enough, stretch.rounding), placement_at(motion, t)
        distance, triangles = closest_then(solid, meshes, place, goal, stack, counts)
        if triangles[1] < 0:
            break
        valley = Valley(motion, t, stretch.start, stretch.end)
        descent = gone_down(None, solid, meshes, triangles, valley, nearness, counts)
        if not descent.distance + stretch.deviation < upper:
            break
        upper, t = descent.distance + stretch.deviation, descent.time
        time = t
        if upper <= enough or upper > distance - worth_a_look(distance, nearness):
            break
    return Walk(upper, time, walk.pair, walk.lower, walk.at, walk.looseness, walk.state)


@kernel
def _gone(
    convexes: Convexes | None,
    solid: SolidMesh | None,
    meshes: Meshes | None,
    holders: Convexes | None,
    motions: TwoMotions,
    what: tuple[Nearness, Walk, Way],
    work: Work,
) -> tuple[Walk, float, float]:
    """Go a way, at first by what holds the bodies, from both ends; tell where it has got to from both."""
    nearness, walk, (at, end, sign) = what
    if holders is not None:
        walk = _held(
            solid, meshes, holders, motions, (nearness, set_out(walk, at), Leg(end, sign, True)), work
        )
        at = walk.at
        if walk.state == STOPPED:
            back = nearness, set_out(walk, -end), Leg(-at, -sign, True)
            walk = _held(solid, meshes, holders, motions, back, work)
            end = -walk.at
        if walk.state == STOPPED:
            leg = Leg(end, sign, False)
            walk = _go(convexes, solid, meshes, motions, (nearness, set_out(walk, at), leg), work)
            at = walk.at
    else:
        leg = Leg(end, sign, False)
        walk = _go(convexes, solid, meshes, motions, (nearness, set_out(walk, at), leg), work)
        at = walk.at
    return walk, at, end


@kernel
def _held(
    solid: SolidMesh | None,
    meshes: Meshes | None,
    holders: Convexes,
    motions: TwoMotions,
    what: tuple[Nearness, Walk, Leg],
    work: Work,
) -> Walk:
    """Go a leg by what holds the bodies, as long as these are hardly farther apart where that comes near."""
    nearness, walk, leg = what
    for _ in range(MOST_TURNS):
        walk = _go(holders, None, None, motions, (nearness, set_out(walk, walk.at), leg), work)
        if walk.state != STOPPED:
            break
        before, t = walk.upper, leg.sign * walk.at
        walk = _seen(solid, meshes, holders, motions, (nearness, walk, t), work)
        if not walk.upper < before - worth_a_look(before, nearness):
            break
    return walk


@kernel
def _go(
    convexes: Convexes | None,
    solid: SolidMesh | None,
    meshes: Meshes | None,
    motions: TwoMotions,
    what: tuple[Nearness, Walk, Leg],
    work: Work,
) -> Walk:
    """Go through the pieces of two motions, from where a walk is to the end of a leg."""
    (nearness, walk, leg), rows_a, rows_b = what, motions.rows_a, motions.rows_b
    extent_a, extent_b = extents_of(convexes, solid, meshes)
    i, j = first_pieces(rows_a, rows_b, walk.at, leg)
    cut = first_cut()
    while walk.state == GOING and 0 <= i < len(rows_a) and 0 <= j < len(rows_b):
        row_a, row_b = rows_a[i], rows_b[j]
        if cut.length < WHOLE:
            row_a, row_b = rows_from(motions.laws, walk.at, cut, leg, (row_a, row_b))
        motion, stretch = stretch_of(extent_a, extent_b, row_a, row_b)
        motion, stretch = stretch_on(motion, stretch, leg)
        walk = _go_through(convexes, solid, meshes, (motion, stretch), nearness, (walk, leg.is_held), work)
        walk = reopened(motions.laws, walk, stretch, nearness)
        if walk.state == OPEN:
            walk, cut = shorter_cut(motions.laws, walk, (leg, cut), (row_a, row_b), nearness)
            continue
        cut = longer_cut(cut, rows_a[i], rows_b[j])
        i, j = next_pieces(rows_a, rows_b, i, j, stretch)
        if not stretch.end < leg.end:
            break
    return walk


@kernel
def _go_through(
    convexes: Convexes | None,
    solid: SolidMesh | None,
    meshes: Meshes | None,
    piece: tuple[RelativeMotion, Stretch],
    nearness: Nearness,
    what: tuple[Walk, bool],
    work: Work,
) -> Walk:
    """Go through a piece of two motions, down to the least distance where it is less than known."""
    (motion, stretch), (walk, is_held), (room, _, counts) = piece, what, work
    while walk.state == GOING:
        level, goal = level_goal(walk, stretch, nearness)
        if level == 0.0:
            return touched(walk)
        arrival = searched(convexes, solid, meshes, motion, goal, room, counts)
        if arrival.status == SEPARATED:
            return proven_to(walk, level, stretch.end)
        if counts[ITERATIONS] >= nearness.max_iterations:
            return exhausted(walk)
        if is_held:
            return stopped(walk, level, arrival.time)
        triangles = arrival.triangle_a, arrival.triangle_b
        valley = Valley(motion, arrival.time, stretch.start, stretch.end)
        descent = gone_down(convexes, solid, meshes, triangles, valley, nearness, counts)
        walk = descended(walk, level, arrival.time, descent, stretch, nearness)
    return walk
