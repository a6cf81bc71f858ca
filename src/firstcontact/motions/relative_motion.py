"""Two rigid motions as one: where the first body is, and how it moves, as seen from the second."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import Mat3, axis_rotation, mat_mul, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, norm, scale, sub

Array = NDArray[np.float64]

# Rounding of a length measured between the two bodies, in units of their distance, speeds and sizes: some 100
# operations, the angles' own among them. And of the offset between them, in units of the coordinates.
MEASURED = 256.0 * UNIT_ROUNDOFF
OFFSET = 16.0 * UNIT_ROUNDOFF


class Spin(NamedTuple):
    """How a body turns.

    rotation : its orientation at the base time
    axis, rate : unit vector in the world, and angle per unit of time
    base : the base time
    lever : from the point it turns about to its origin, in the body's frame
    """

    rotation: Mat3
    axis: Vec3
    rate: float
    base: float
    lever: Vec3


class RelativeMotion(NamedTuple):
    """The motion of body a as seen from b, which turns too.

    offset : from the point that b turns about to that of a, at time 0, in the world
    velocity : of that offset
    spin_a, spin_b : how each body turns
    """

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
    """Join two segments of motion (rows of `RigidMotion.rows`), for bodies with these origins."""
    velocity_a, velocity_b = (row_a[12], row_a[13], row_a[14]), (row_b[12], row_b[13], row_b[14])
    apart = row_a[9] - row_b[9], row_a[10] - row_b[10], row_a[11] - row_b[11]
    back = sub(scale(row_a[19], velocity_a), scale(row_b[19], velocity_b))
    return RelativeMotion(
        sub(apart, back), sub(velocity_a, velocity_b), _spin(row_a, origin_a), _spin(row_b, origin_b)
    )


@kernel
def _spin(row: Array, origin: Vec3) -> Spin:
    rotation = row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8]
    lever = sub(origin, (row[20], row[21], row[22]))
    return Spin(rotation, (row[15], row[16], row[17]), row[18], row[19], lever)


@kernel
def orientation(spin: Spin, t: float) -> Mat3:
    """Orientation of a body at a time."""
    if spin.rate == 0.0:
        return spin.rotation
    return mat_mul(axis_rotation(spin.axis, spin.rate * (t - spin.base)), spin.rotation)


@kernel
def placement_at(motion: RelativeMotion, t: float) -> Placement:
    """Place body a in the frame of b at a time."""
    a, b = motion.spin_a, motion.spin_b
    to_b = transposed(orientation(b, t))
    rotation = mat_mul(to_b, orientation(a, t))
    pivot_a = sub(mat_vec(to_b, add(motion.offset, scale(t, motion.velocity))), b.lever)
    return Placement(
        rotation,
        add(pivot_a, mat_vec(rotation, a.lever)),
        mat_vec(to_b, motion.velocity),
        mat_vec(to_b, a.axis),
        a.rate,
        pivot_a,
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
    near = norm(motion.offset) + norm(motion.velocity)
    near += (1.0 + a.rate) * (reach_a + norm(a.lever)) + (1.0 + b.rate) * (reach_b + norm(b.lever))
    far = 0.0
    for i in range(3):
        far += abs(row_a[9 + i]) + abs(row_b[9 + i]) + abs(row_a[20 + i]) + abs(row_b[20 + i])
        far += abs(row_a[12 + i]) + abs(row_b[12 + i])
    return MEASURED * near + OFFSET * far + SHORTEST


@kernel
def fastest(motion: RelativeMotion, reach_a: float, reach_b: float) -> float:
    """Bound the speed at which any point of a and any of b approach each other."""
    a, b = motion.spin_a, motion.spin_b
    turning = a.rate * (reach_a + norm(a.lever)) + b.rate * (reach_b + norm(b.lever))
    return norm(motion.velocity) + turning
