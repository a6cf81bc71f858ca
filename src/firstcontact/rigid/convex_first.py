"""First contacts of pairs of convex shapes, each with its own motions."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.motions.relative_motion import (
    RelativeMotion,
    fastest,
    placement_at,
    relative_motion,
    rounding_error,
)
from firstcontact.motions.rigid_motion import END_TIME, pose_at
from firstcontact.narrowphase.gjk import EXACT, Frame, closest_from, moved_simplex, no_simplex, surface_points
from firstcontact.narrowphase.meeting_spheres import meeting_sphere_sphere
from firstcontact.proximity.convex_side import Side
from firstcontact.proximity.near_pairs import FLOOR
from firstcontact.rigid.convex_steps import step_convexes
from firstcontact.rigid.first_times import Options
from firstcontact.rigid.request import (
    CONTACT,
    CONTACT_AT_START,
    MAX_ITERATIONS,
    SEPARATED,
    Goal,
)
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Vec3, add, norm, scale
from firstcontact.shapes.convex import POINT, Convex, convex_at, origin_at

Array = NDArray[np.float64]

# Pairs from which several threads are worth their start.
WORTH_A_THREAD = 512


class ConvexFound(NamedTuple):
    """First contacts of n pairs.

    status : (n,) int8
    time : (n,) float64, inf where there is none
    points, normals : (n, 2, 3) on a and on b, and (n, 3) from a to b, in the world; NaN where there is none
    iterations : (n,) int64
    """

    status: NDArray[np.int8]
    time: Array
    points: Array
    normals: Array
    iterations: NDArray[np.int64]


class ConvexArrival(NamedTuple):
    """What a search found, in the frame of b."""

    status: int
    time: float
    point_a: Vec3
    point_b: Vec3
    normal: Vec3
    iterations: int


def convex_first_times(a: Side, b: Side, options: Options) -> ConvexFound:
    """Find the first contact of each pair."""
    n = len(a.shape_ids)
    found = ConvexFound(
        np.full(n, SEPARATED, np.int8),
        np.full(n, np.inf),
        np.full((n, 2, 3), np.nan),
        np.full((n, 3), np.nan),
        np.zeros(n, np.int64),
    )

    def task(first: int, last: int) -> None:
        _advance_range(a, b, options, found, first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    return found


@driver
def _advance_range(a: Side, b: Side, options: Options, found: ConvexFound, first: int, last: int) -> None:
    records_a, pool_a, all_rows_a = a.table.records, a.table.pool, a.rows
    records_b, pool_b, all_rows_b = b.table.records, b.table.pool, b.rows
    for k in range(first, last):
        i, j = int(np.int64(a.shape_ids[k])), int(np.int64(b.shape_ids[k]))
        shape_a, shape_b = convex_at(records_a, i), convex_at(records_b, j)
        rows_a, rows_b = all_rows_a[a.row_ids[k]], all_rows_b[b.row_ids[k]]
        start, piece_a, piece_b = 0.0, 0, 0
        while piece_a < len(rows_a) and piece_b < len(rows_b):
            row_a, row_b = rows_a[piece_a], rows_b[piece_b]
            motion = relative_motion(row_a, row_b, origin_at(records_a, i), origin_at(records_b, j))
            goal = _goal(shape_a, shape_b, motion, row_a, row_b, options, start)
            arrival = advance_convexes(shape_a, shape_b, pool_a, pool_b, motion, goal)
            found.iterations[k] += arrival.iterations
            if arrival.status != SEPARATED:
                _write(found, k, arrival, motion, row_b)
                break
            piece_a += row_a[END_TIME] <= goal.end
            piece_b += row_b[END_TIME] <= goal.end
            start = goal.end


@kernel
def _goal(
    a: Convex, b: Convex, motion: RelativeMotion, row_a: Array, row_b: Array, options: Options, start: float
) -> Goal:
    """What is looked for in a piece of two motions; it ends where the first of the two does."""
    reach_a, reach_b = a.reach + a.radius, b.reach + b.radius
    rounding = rounding_error(motion, reach_a, reach_b, row_a, row_b)
    tolerance = max(options.tolerance, FLOOR * rounding)
    margin, speed = options.min_separation + rounding, fastest(motion, a.reach, b.reach)
    target, end = options.min_separation + 0.5 * tolerance, min(row_a[END_TIME], row_b[END_TIME])
    return Goal(start, end, margin, target, 0.0, options.max_iterations, speed)


@kernel
def advance_convexes(
    a: Convex, b: Convex, pool_a: Array, pool_b: Array, motion: RelativeMotion, goal: Goal
) -> ConvexArrival:
    """Advance two shapes between goal.start and goal.end, step by step."""
    t = goal.start
    if a.kind == POINT and b.kind == POINT:
        t = _straight_start(a, b, motion, goal)
        if t >= goal.end:
            return ConvexArrival(SEPARATED, goal.end, motion.offset, motion.offset, motion.velocity, 1)
    place = placement_at(motion, t)
    simplex = no_simplex(scale(-1.0, place.offset))
    for k in range(goal.max_iterations):
        step = step_convexes(a, b, pool_a, pool_b, place, goal, simplex)
        n, time = step.closest.direction, t + step.time
        # A step of no length: the direction was lost to rounding, at a distance of that size.
        if step.distance <= goal.target or time == t:
            # Once more, as well as can be: the search stopped where the distance was within the target.
            frame = Frame(place.rotation, place.offset)
            closest, _ = closest_from(a, b, pool_a, pool_b, frame, step.simplex, EXACT)
            n = closest.direction
            p, q = surface_points(closest, a.radius, b.radius)
            return ConvexArrival(CONTACT, t, p, q, n, k + 1)
        if time >= goal.end:
            return ConvexArrival(SEPARATED, goal.end, n, n, n, k + 1)
        t, before = time, Frame(place.rotation, place.offset)
        place = placement_at(motion, t)
        # Close to contact the closest corners stay the same: half of the steps towards them are saved.
        simplex = moved_simplex(step.simplex, before, Frame(place.rotation, place.offset))
    n = place.offset
    return ConvexArrival(MAX_ITERATIONS, t, n, n, n, goal.max_iterations)


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
def _write(found: ConvexFound, k: int, arrival: ConvexArrival, motion: RelativeMotion, row_b: Array) -> None:
    at_start = arrival.status == CONTACT and arrival.time == 0.0
    found.status[k] = CONTACT_AT_START if at_start else arrival.status
    found.time[k] = arrival.time
    if arrival.status == MAX_ITERATIONS:
        return
    turned, position = pose_at(row_b, arrival.time)
    lever = motion.spin_b.lever
    points = mat_vec(turned, add(lever, arrival.point_a)), mat_vec(turned, add(lever, arrival.point_b))
    normal = mat_vec(turned, arrival.normal)
    for i in range(3):
        found.points[k, 0, i], found.points[k, 1, i] = position[i] + points[0][i], position[i] + points[1][i]
        found.normals[k, i] = normal[i]
