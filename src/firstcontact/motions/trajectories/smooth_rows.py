"""Pieces of constant velocities for motions with bounded second derivatives, and how far they are from these.

A piece has the place p, the velocity v and the angular velocity w that the motion has in the middle m of its
stretch. With |p''| <= P, a place is off by at most P (t - m)^2 / 2. As for the turn, let D be the rotation
that takes the piece to the body, by an angle d about an axis n. It has the angular velocity W(t) - D w, W
being that of the body, and n . D w = n . w since D keeps n; so d' = n . (W(t) - w), and with |W'| <= A the
angle is at most A (t - m)^2 / 2. No point at r from the origin is off by more than r times that, nor by more
than 2 r. Over a stretch of h this is (P + r A) h^2 / 8, as a chord's.
"""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.motions.rigid_motion import (
    AXIS,
    BASE_TIME,
    CENTER,
    DEVIATION,
    END_TIME,
    POSITION,
    RATE,
    ROTATION,
    START_TIME,
    VELOCITY,
)
from firstcontact.motions.rotation import axis_and_angle
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import Mat3, axis_rotation, mat_mul
from firstcontact.scalar.vec3 import Vec3

# Rounding of a place at the start of a piece, in units of the coordinates it is computed from; of its
# orientation, and of that by each radian that it turns until its middle.
PLACED = 16.0 * UNIT_ROUNDOFF
TURNED = 128.0 * UNIT_ROUNDOFF
A_RADIAN = 16.0 * UNIT_ROUNDOFF

# What undoes the rounding of a deviation.
UP = 1.0 + 2.0**-47

# No two places of a point that turns are farther apart, in units of its distance from what it turns about.
DIAMETER = 2.0


class State(NamedTuple):
    """Where a body is at a time, and how it moves: its frame's origin, and its turn about that.

    The errors bound how far each of them is from the truth, the rotation's in radians.
    """

    rotation: Mat3
    place: Vec3
    velocity: Vec3
    spin: Vec3
    rotation_error: float
    place_error: float
    velocity_error: float
    spin_error: float


class Bends(NamedTuple):
    """Bounds of the acceleration of a body's origin, and of its angular acceleration, over a stretch."""

    linear: float
    angular: float


@kernel
def write_smooth_row(
    state: State, bends: Bends, times: tuple[float, float, float], reach: float, row: Array
) -> None:
    """Write the piece from a start to an end that has a state at a time between them.

    times : start, end, and when the state holds
    reach : no point of the body is farther from its origin
    """
    start, end, middle = times
    before, away = middle - start, max(middle - start, end - middle) * UP
    axis, rate = axis_and_angle(state.spin)
    rotation = mat_mul(axis_rotation(axis, -rate * before), state.rotation)
    size = 0.0
    for k in range(9):
        row[ROTATION + k] = rotation[k]
    for k in range(3):
        row[POSITION + k] = state.place[k] - before * state.velocity[k]
        row[VELOCITY + k], row[AXIS + k], row[CENTER + k] = state.velocity[k], axis[k], 0.0
        size += abs(state.place[k]) + away * abs(state.velocity[k])
    row[RATE], row[BASE_TIME], row[START_TIME], row[END_TIME] = rate, start, start, end
    place = 0.5 * bends.linear * away * away + state.velocity_error * away + state.place_error
    angle = 0.5 * bends.angular * away * away + state.spin_error * away + state.rotation_error
    angle += TURNED + A_RADIAN * rate * away
    row[DEVIATION] = (place + PLACED * size + reach * min(angle, DIAMETER)) * UP + SHORTEST
