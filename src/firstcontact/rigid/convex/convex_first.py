"""First contacts of pairs of convex shapes, each with its own motions."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.arrival import (
    CONTACT,
    ITERATIONS,
    MAX_ITERATIONS,
    SEPARATED,
    Arrival,
    Found,
    not_arrived,
    nothing_found,
    write_arrival,
)
from firstcontact.advancement.far_pieces import is_clearly_far, is_far
from firstcontact.advancement.goal import BodyExtent, Goal, Options, goal_of
from firstcontact.advancement.stretches import (
    WHOLE,
    TwoMotions,
    finer_rows,
    finer_stretch,
    first_stretch,
    is_left,
    next_stretch,
)
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import OneSide, Side
from firstcontact.motions.law_table import LawTables, laws_of, room_for
from firstcontact.motions.relative_motion import RelativeMotion, placement_at
from firstcontact.motions.rigid_motion import END_TIME, START_TIME, pose_at
from firstcontact.narrowphase.convex.gjk import (
    EXACT,
    RelativePose,
    closest_from,
    moved_simplex,
    no_simplex,
    surface_points,
)
from firstcontact.narrowphase.convex.lasting_direction import longer_time
from firstcontact.narrowphase.convex.meeting_spheres import meeting_sphere_sphere
from firstcontact.rigid.convex.convex_steps import step_convexes
from firstcontact.rigid.convex.same_direction import KeptApart, time_apart
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import add, norm, scale
from firstcontact.shapes.convex import POINT, Convex, convex_at, origin_at

# Pairs from which several threads are worth their start.
WORTH_A_THREAD = 512


def convex_first_times(a: Side, b: Side, options: Options, tables: LawTables | None = None) -> Found:
    """Find the first contact of each pair; by tables of their laws, in finer pieces where that decides."""
    n = len(a.shape_ids)
    found = nothing_found(n)

    def task(first: int, last: int) -> None:
        _advance_range(a, b, options, tables, found, first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    return found


@driver
def _advance_range(
    a: Side, b: Side, options: Options, tables: LawTables | None, found: Found, first: int, last: int
) -> None:
    records_a, pool_a, rows_a = a.table.records, a.table.pool, a.rows
    records_b, pool_b, rows_b = b.table.records, b.table.pool, b.rows
    room, jets = room_for(tables)
    is_exact = tables is None and rows_a.shape[1] == 1 and rows_b.shape[1] == 1
    for k in range(first, last):
        i, j = int(np.int64(a.shape_ids[k])), int(np.int64(b.shape_ids[k]))
        if is_exact:  # a piece each, and no finer ones: without their stretches 0.4 us less a pair
            shape_a, shape_b = convex_at(records_a, i), convex_at(records_b, j)
            row_a, row_b = rows_a[a.row_ids[k], 0], rows_b[b.row_ids[k], 0]
            extent_a = BodyExtent(origin_at(records_a, i), shape_a.reach, shape_a.radius)
            extent_b = BodyExtent(origin_at(records_b, j), shape_b.reach, shape_b.radius)
            start = max(row_a[START_TIME], row_b[START_TIME])
            motion, goal = goal_of(extent_a, extent_b, row_a, row_b, options, start)
            arrival = advance_convexes(shape_a, shape_b, pool_a, pool_b, motion, goal, found.counts[k])
            if arrival.status != SEPARATED:
                write_touch(found, k, arrival, motion, row_b)
            continue
        one = OneSide(convex_at(records_a, i), origin_at(records_a, i), pool_a, rows_a[a.row_ids[k]])
        other = OneSide(convex_at(records_b, j), origin_at(records_b, j), pool_b, rows_b[b.row_ids[k]])
        i, j = int(np.int64(a.row_ids[k])), int(np.int64(b.row_ids[k]))
        motions = TwoMotions(one.rows, other.rows, laws_of(tables, i, j, room, jets))
        advance_pieces(one, other, motions, options, found, k)


@kernel
def advance_pieces(
    a: OneSide, b: OneSide, motions: TwoMotions, options: Options, found: Found, k: int
) -> None:
    """Find the first contact of a pair, stretch by stretch of its motions, and write it into row k."""
    extent_a = BodyExtent(a.origin, a.shape.reach, a.shape.radius)
    extent_b = BodyExtent(b.origin, b.shape.reach, b.shape.radius)
    rows_a, rows_b, separation = motions.rows_a, motions.rows_b, options.min_separation
    is_long, stretch = len(rows_a) > 1 or len(rows_b) > 1, first_stretch(rows_a, rows_b)
    while is_left(rows_a, rows_b, stretch):
        row_a, row_b = rows_a[stretch.piece_a], rows_b[stretch.piece_b]
        if stretch.length < WHOLE:
            row_a, row_b = finer_rows(motions, stretch)
        elif is_long and is_clearly_far(row_a, row_b, stretch.start, separation, extent_a, extent_b):
            stretch = next_stretch(rows_a, rows_b, stretch, min(row_a[END_TIME], row_b[END_TIME]))
            continue
        motion, goal = goal_of(extent_a, extent_b, row_a, row_b, options, stretch.start)
        if is_long and is_far(motion, goal, extent_a, extent_b):
            stretch = next_stretch(rows_a, rows_b, stretch, goal.end)
            continue
        arrival = advance_convexes(a.shape, b.shape, a.pool, b.pool, motion, goal, found.counts[k])
        if arrival.status == SEPARATED:
            stretch = next_stretch(rows_a, rows_b, stretch, goal.end)
            continue
        rows = row_a, row_b
        stretch, arrival, is_open = finer_stretch(motions, stretch, rows, arrival, goal, options.tolerance)
        if not is_open:
            write_touch(found, k, arrival, motion, row_b)
            break


@kernel
def advance_convexes(
    a: Convex,
    b: Convex,
    pool_a: Array,
    pool_b: Array,
    motion: RelativeMotion,
    goal: Goal,
    counts: NDArray[np.int64],
) -> Arrival:
    """Advance two shapes between goal.start and goal.end, step by step; where they stay apart, along what."""
    t = goal.start
    if a.kind == POINT and b.kind == POINT:
        t = _straight_start(a, b, motion, goal)
        if t >= goal.end:
            counts[ITERATIONS] += 1
            return not_arrived(SEPARATED, goal.end)
    place = placement_at(motion, t)
    simplex = no_simplex(scale(-1.0, place.offset))
    for _ in range(goal.max_iterations):
        counts[ITERATIONS] += 1
        step = step_convexes(a, b, pool_a, pool_b, place, goal, simplex)
        time = t + step.time
        # A step of no length: the direction was lost to rounding, at a distance of that size.
        if step.distance <= goal.target or time == t:
            closest = step.closest
            if closest.distance >= 0.0:  # once more, as well as can be: it stopped within the target
                frame = RelativePose(place.rotation, place.offset)
                closest, _ = closest_from(a, b, pool_a, pool_b, frame, step.simplex, EXACT)
            p, q = surface_points(closest, a.radius, b.radius)
            return Arrival(CONTACT, t, -1, -1, p, q, closest.direction)
        # At first a look as far as the end, and most that stay apart are done; then along what is closest.
        if time < goal.end and t == goal.start:
            known = KeptApart(t, step.gap, step.closest.direction, step.bend)
            time = max(time, t + time_apart(a, b, pool_a, pool_b, motion, goal, known))
        elif time < goal.end and place.rate_a + place.rate_b > 0.0:
            bound = step.closest.direction, step.gap, step.bend, step.time, goal.end - t
            time = t + longer_time(a, b, pool_a, pool_b, place, step.simplex, bound)
        if time >= goal.end:
            nowhere = 0.0, 0.0, 0.0
            return Arrival(SEPARATED, goal.end, -1, -1, nowhere, nowhere, step.closest.direction)
        t, before = time, RelativePose(place.rotation, place.offset)
        place = placement_at(motion, t)
        # Close to contact the closest corners stay the same: half of the steps towards them are saved.
        simplex = moved_simplex(step.simplex, before, RelativePose(place.rotation, place.offset))
    return not_arrived(MAX_ITERATIONS, t)


@kernel
def _straight_start(a: Convex, b: Convex, motion: RelativeMotion, goal: Goal) -> float:
    """Time up to which two balls do not touch, in closed form if their centres move straight."""
    spin_a, spin_b = motion.spin_a, motion.spin_b
    if spin_a.rate * norm(spin_a.lever) + spin_b.rate * norm(spin_b.lever) > 0.0:
        return goal.start
    offset = add(motion.offset, scale(goal.start - motion.base, motion.velocity))
    touching = a.radius + b.radius + goal.margin
    near = touching + 0.5 * (goal.target - goal.margin)
    return goal.start + meeting_sphere_sphere(offset, motion.velocity, touching, near)


@kernel
def write_touch(found: Found, k: int, arrival: Arrival, motion: RelativeMotion, row_b: Array) -> None:
    """Write where the search of motion k arrived, points and normal as they are in the world."""
    write_arrival(found, k, arrival)
    if arrival.status == CONTACT:
        lever, points, normals = motion.spin_b.lever, found.points, found.normals
        turned, at = pose_at(row_b, arrival.time)
        p, q = mat_vec(turned, add(lever, arrival.point_a)), mat_vec(turned, add(lever, arrival.point_b))
        n = mat_vec(turned, arrival.normal)
        for i in range(3):
            points[k, 0, i], points[k, 1, i], normals[k, i] = at[i] + p[i], at[i] + q[i], n[i]
