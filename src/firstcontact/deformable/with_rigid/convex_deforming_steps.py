"""Steps of advancement of a convex shape in rigid motion and a triangle whose corners go straight.

All is seen from a point that rests. Along a direction n the shadow of a triangle moves exactly as those of
its corners, each at a constant speed of its own; that of the shape by no more than its directed motion bound.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.advancement.proof_times import NEVER
from firstcontact.arrays import Array, Ids
from firstcontact.motions.motion_bound import (
    SHORTENED,
    Travel,
    lasting_time,
    straight_time,
)
from firstcontact.motions.relative_motion import Placement, RelativeMotion
from firstcontact.narrowphase.convex.gjk import ClosestCores, Precision, RelativePose, closest_convex_convex
from firstcontact.narrowphase.convex.shape_travel import limit_of_a, travel_of_a
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import Triangle, Vec3, add, dot, norm, scale, sub
from firstcontact.shapes.convex import HULL, Convex
from firstcontact.shapes.cores import support

# How well a gap is to be known for a step, as a part of what is beyond the margin.
PART = 0.1

# Rounding of the squares below, in units of the squared distance: some 12 operations.
SQUARED = 32.0 * UNIT_ROUNDOFF

N_CORNERS = 3


class Ball(NamedTuple):
    """A ball that holds a shape, and goes straight: its center at a time, velocity and radius."""

    center: Vec3
    velocity: Vec3
    radius: float


@kernel
def ball_around(shape: Convex, motion: RelativeMotion, t: float) -> Ball:
    """Ball around a shape; what turns, turns within one around the point that it turns about."""
    center, radius = add(motion.offset, scale(t - motion.base, motion.velocity)), shape.reach + shape.radius
    if motion.spin_a.rate > 0.0:
        center, radius = sub(center, motion.spin_a.arm), radius + norm(motion.spin_a.lever)
    return Ball(center, motion.velocity, radius)


@kernel
def entry_time(ball: Ball, t: float, triangle: Triangle, velocities: Triangle, margin: float) -> float:
    """Time from t on before which a triangle is not within the margin of a ball; NEVER where it never is."""
    third = 1.0 / N_CORNERS
    center = scale(third, add(add(triangle[0], triangle[1]), triangle[2]))
    velocity = scale(third, add(add(velocities[0], velocities[1]), velocities[2]))
    # Seen from its center, a corner is farthest away at one of the ends of its way, if ever: that is convex.
    radius = 0.0
    for i in range(N_CORNERS):
        r, v = sub(triangle[i], center), sub(velocities[i], velocity)
        start, end = sub(r, scale(t, v)), add(r, scale(1.0 - t, v))
        radius = max(radius, max(norm(start), norm(end)))
    w, v, reach = sub(center, ball.center), sub(velocity, ball.velocity), ball.radius + radius + margin
    a, b = dot(v, v), dot(w, v)
    c = (1.0 - SQUARED) * dot(w, w) - (1.0 + SQUARED) * reach * reach
    if not c > 0.0:
        return t
    discriminant = b * b - a * c
    if not (b < 0.0 and discriminant >= 0.0):
        return NEVER
    return t + SHORTENED * (c / (sqrt(discriminant) - b))


@kernel
def corners_at(points: Array, velocities: Array, face: Ids, t: float) -> tuple[Triangle, Triangle]:
    """Corners of a triangle at a time, and their velocities."""
    i, j, k = face[0], face[1], face[2]
    u = velocities[i, 0], velocities[i, 1], velocities[i, 2]
    v = velocities[j, 0], velocities[j, 1], velocities[j, 2]
    w = velocities[k, 0], velocities[k, 1], velocities[k, 2]
    p = points[i, 0] + t * u[0], points[i, 1] + t * u[1], points[i, 2] + t * u[2]
    q = points[j, 0] + t * v[0], points[j, 1] + t * v[1], points[j, 2] + t * v[2]
    r = points[k, 0] + t * w[0], points[k, 1] + t * w[1], points[k, 2] + t * w[2]
    return (p, q, r), (u, v, w)


@kernel
def closest_shape_triangle(
    shape: Convex, pool: Array, triangle: Triangle, place: Placement, precision: Precision, room: Array
) -> ClosestCores:
    """Closest points of a core and a triangle; the room, (9,), is for its corners."""
    reach = 0.0
    for i in range(N_CORNERS):
        for k in range(3):
            room[3 * i + k] = triangle[i][k]
        reach = max(reach, norm(triangle[i]))
    # Not plain numbers: functions are compiled for a constant argument apart.
    kind, zero, n_points = int(np.int64(HULL)), int(np.int64(0)), int(np.int64(N_CORNERS))
    other = Convex(kind, (0.0, 0.0, 0.0), 0.0, reach, zero, n_points, zero)
    frame, guess = RelativePose(place.rotation, place.offset), sub(triangle[0], place.offset)
    return closest_convex_convex(shape, other, pool, room, frame, guess, precision)


@kernel
def step_along(
    shape: Convex,
    pool: Array,
    n: Vec3,
    triangle: Triangle,
    velocities: Triangle,
    place: Placement,
    margin: float,
) -> float:
    """Time in which the shadows on n of a shape and a triangle do not come within the margin."""
    back = transposed(place.rotation)
    end = add(place.offset, mat_vec(place.rotation, support(shape, pool, mat_vec(back, n))))
    front, travel = dot(n, end) + shape.radius, travel_of_a(shape, pool, n, place)
    limit = limit_of_a(shape, pool, n, place)
    least = NEVER
    for i in range(N_CORNERS):
        gap, speed = dot(n, triangle[i]) - front - margin, dot(n, sub(place.velocity, velocities[i]))
        time = lasting_time(gap, Travel(speed + travel.now, speed + travel.most, travel.bend))
        least = min(least, max(time, straight_time(gap - limit, speed)))
    return least
