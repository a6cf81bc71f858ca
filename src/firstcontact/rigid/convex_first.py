"""First contacts of pairs of convex shapes, each with its own motions."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import Side
from firstcontact.motions.relative_motion import RelativeMotion, placement_at, relative_motion
from firstcontact.motions.rigid_motion import END_TIME, number_at, pose_at, start_of
from firstcontact.narrowphase.convex.gjk import (
    EXACT,
    Frame,
    closest_from,
    moved_simplex,
    no_simplex,
    surface_points,
)
from firstcontact.narrowphase.convex.meeting_spheres import meeting_sphere_sphere
from firstcontact.rigid.convex_steps import step_convexes
from firstcontact.rigid.goal import Extent, goal_of
from firstcontact.rigid.request import CONTACT, MAX_ITERATIONS, SEPARATED, Goal, Options, told_status
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Vec3, add, norm, scale
from firstcontact.shapes.convex import POINT, Convex, convex_at, origin_at

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
        extent_a, extent_b = Extent(shape_a.reach, shape_a.radius), Extent(shape_b.reach, shape_b.radius)
        rows_a, rows_b = all_rows_a[a.row_ids[k]], all_rows_b[b.row_ids[k]]
        start = start_of(rows_a, rows_b)
        piece_a, piece_b = number_at(rows_a, start), number_at(rows_b, start)
        while piece_a < len(rows_a) and piece_b < len(rows_b):
            row_a, row_b = rows_a[piece_a], rows_b[piece_b]
            motion = relative_motion(row_a, row_b, origin_at(records_a, i), origin_at(records_b, j))
            goal = goal_of(motion, extent_a, extent_b, row_a, row_b, options, start)
            arrival = advance_convexes(shape_a, shape_b, pool_a, pool_b, motion, goal)
            found.iterations[k] += arrival.iterations
            if arrival.status != SEPARATED:
                _write(found, k, arrival, motion, row_b)
                break
            piece_a += row_a[END_TIME] <= goal.end
            piece_b += row_b[END_TIME] <= goal.end
            start = goal.end


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


class Touch(NamedTuple):
    """Where two bodies touch at a time, in the frame of b."""

    time: float
    point_a: Vec3
    point_b: Vec3
    normal: Vec3


@kernel
def write_touch(touch: Touch, lever: Vec3, row_b: Array, points: Array, normal: Array) -> None:
    """Write points (2, 3) and normal (3,) as they are in the world; the lever is to the origin of b."""
    turned, position = pose_at(row_b, touch.time)
    point_a, point_b = mat_vec(turned, add(lever, touch.point_a)), mat_vec(turned, add(lever, touch.point_b))
    n = mat_vec(turned, touch.normal)
    for i in range(3):
        points[0, i], points[1, i], normal[i] = position[i] + point_a[i], position[i] + point_b[i], n[i]


@kernel
def _write(found: ConvexFound, k: int, arrival: ConvexArrival, motion: RelativeMotion, row_b: Array) -> None:
    found.status[k] = told_status(arrival.status, arrival.time)
    found.time[k] = arrival.time
    if arrival.status != MAX_ITERATIONS:
        touch = Touch(arrival.time, arrival.point_a, arrival.point_b, arrival.normal)
        write_touch(touch, motion.spin_b.lever, row_b, found.points[k], found.normals[k])
