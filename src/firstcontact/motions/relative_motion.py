"""Two rigid motions as one: where the first body is, and how it moves, as seen from the second."""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.motions.rigid_motion import (
    BASE_TIME,
    CENTER,
    END_TIME,
    POSITION,
    RATE,
    VELOCITY,
    axis_of,
    center_of,
    position_of,
    rotation_of,
    velocity_of,
)
from firstcontact.motions.rotation import turned_away
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import Mat3, axis_rotation, mat_mul, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, norm, scale, sub

# Rounding of a length measured between the two bodies, in units of their distance, ways and sizes: some 100
# operations, the angles' own among them. Of the offset between them, in units of the coordinates. And of the
# time, in units of the speeds.
MEASURED = 256.0 * UNIT_ROUNDOFF
OFFSET = 16.0 * UNIT_ROUNDOFF
TIMED = 4.0 * UNIT_ROUNDOFF


class Spin(NamedTuple):
    """How a body turns.

    rotation : its orientation at the base time
    axis, rate : unit vector in the world, and angle per unit of time
    base : the base time
    lever : from the point it turns about to its origin, in the body's frame
    arm : the same in the world, at the base time
    """

    rotation: Mat3
    axis: Vec3
    rate: float
    base: float
    lever: Vec3
    arm: Vec3


class RelativeMotion(NamedTuple):
    """The motion of body a as seen from b, which turns too.

    base : the later one of the times that the two pieces of motion are counted from
    offset : from the origin of b to that of a, in the world, at that time but for what turns have added
    velocity : of the point that a turns about, less that of b's
    spin_a, spin_b : how each body turns
    """

    base: float
    offset: Vec3
    velocity: Vec3
    spin_a: Spin
    spin_b: Spin


class Placement(NamedTuple):
    """Where body a is at an instant, and how the two move, in the frame of b at that instant.

    rotation, offset : a point x of a is at ``rotation x + offset``
    velocity : of the point that a turns about, less that of b's
    axis_a, rate_a, pivot_a : axis, rate of turn, and the point turned about, of a
    axis_b, rate_b, pivot_b : of b
    """

    rotation: Mat3
    offset: Vec3
    velocity: Vec3
    axis_a: Vec3
    rate_a: float
    pivot_a: Vec3
    axis_b: Vec3
    rate_b: float
    pivot_b: Vec3


@kernel
def relative_motion(row_a: Array, row_b: Array, origin_a: Vec3, origin_b: Vec3) -> RelativeMotion:
    """Join two segments of motion (rows of `RigidMotion.rows`), for bodies with these origins.

    All is counted from the bodies' origins, and from the time at which both are under way: so neither the
    place in the world, nor an axis far away, nor a time long past costs digits.
    """
    spin_a, spin_b = _spin(row_a, origin_a), _spin(row_b, origin_b)
    base, velocity_a, velocity_b = max(spin_a.base, spin_b.base), velocity_of(row_a), velocity_of(row_b)
    apart = add(sub(position_of(row_a), position_of(row_b)), sub(spin_a.arm, spin_b.arm))
    passed = sub(scale(base - spin_a.base, velocity_a), scale(base - spin_b.base, velocity_b))
    return RelativeMotion(base, add(apart, passed), sub(velocity_a, velocity_b), spin_a, spin_b)


@kernel
def _spin(row: Array, origin: Vec3) -> Spin:
    rotation, lever = rotation_of(row), sub(origin, center_of(row))
    return Spin(rotation, axis_of(row), row[RATE], row[BASE_TIME], lever, mat_vec(rotation, lever))


@kernel
def backwards(motion: RelativeMotion) -> RelativeMotion:
    """The same as if time ran backwards: at -t all is where it is at t."""
    base, velocity = -motion.base, scale(-1.0, motion.velocity)
    spin_a, spin_b = _backwards(motion.spin_a), _backwards(motion.spin_b)
    return RelativeMotion(base, motion.offset, velocity, spin_a, spin_b)


@kernel
def _backwards(spin: Spin) -> Spin:
    return Spin(spin.rotation, scale(-1.0, spin.axis), spin.rate, -spin.base, spin.lever, spin.arm)


@kernel
def orientation(spin: Spin, t: float) -> Mat3:
    """Orientation of a body at a time."""
    if spin.rate == 0.0:
        return spin.rotation
    return mat_mul(axis_rotation(spin.axis, spin.rate * (t - spin.base)), spin.rotation)


@kernel
def _swing(spin: Spin, t: float) -> Vec3:
    """How far its turn has taken the origin of a body."""
    if spin.rate == 0.0:
        return 0.0, 0.0, 0.0
    return turned_away(spin.axis, spin.rate * (t - spin.base), spin.arm)


@kernel
def placement_at(motion: RelativeMotion, t: float) -> Placement:
    """Place body a in the frame of b at a time."""
    a, b = motion.spin_a, motion.spin_b
    to_b = transposed(orientation(b, t))
    rotation = mat_mul(to_b, orientation(a, t))
    way = add(scale(t - motion.base, motion.velocity), sub(_swing(a, t), _swing(b, t)))
    offset = mat_vec(to_b, add(motion.offset, way))
    return Placement(
        rotation,
        offset,
        mat_vec(to_b, motion.velocity),
        mat_vec(to_b, a.axis),
        a.rate,
        sub(offset, mat_vec(rotation, a.lever)),
        mat_vec(to_b, b.axis),
        b.rate,
        scale(-1.0, b.lever),
    )


@kernel
def rounding_error(
    motion: RelativeMotion, reach_a: float, reach_b: float, row_a: Array, row_b: Array
) -> float:
    """Bound the error of any distance measured at any time, and of any travel in it.

    For bodies whose points are within `reach` of their origins. See docs/rigid.md.
    """
    a, b = motion.spin_a, motion.spin_b
    angle_a, angle_b = a.rate * (row_a[END_TIME] - a.base), b.rate * (row_b[END_TIME] - b.base)
    lever_a, lever_b = norm(a.lever), norm(b.lever)
    way = (min(row_a[END_TIME], row_b[END_TIME]) - motion.base) * norm(motion.velocity)
    near = norm(motion.offset) + way + (1.0 + angle_a) * reach_a + angle_a * lever_a
    near += (1.0 + angle_b) * reach_b + angle_b * lever_b
    far = lever_a + lever_b
    for i in range(3):
        places = abs(row_a[POSITION + i]) + abs(row_b[POSITION + i])
        far += places + abs(row_a[CENTER + i]) + abs(row_b[CENTER + i])
        ways = (motion.base - a.base) * abs(row_a[VELOCITY + i])
        far += ways + (motion.base - b.base) * abs(row_b[VELOCITY + i])
    error: float = MEASURED * near + OFFSET * far + TIMED * fastest(motion, reach_a, reach_b) + SHORTEST
    return error


@kernel
def fastest(motion: RelativeMotion, reach_a: float, reach_b: float) -> float:
    """Bound the speed at which any point of a and any of b approach each other."""
    a, b = motion.spin_a, motion.spin_b
    turning = a.rate * (reach_a + norm(a.lever)) + b.rate * (reach_b + norm(b.lever))
    return norm(motion.velocity) + turning
