"""Turns whose rotation vectors, as seen from a pose of each piece, are cubics of time.

With a rotation vector v of length s, the angular velocity is v' + a v x v' + b v x (v x v'), where
a = (1 - cos s) / s^2 is the mean of (1 - y) cos(y s) over y in [0, 1], and b = (s - sin s) / s^3 half that
of (1 - y)^2 cos(y s). So a <= 1/2, b <= 1/6, |da/ds| <= s / 12 and |db/ds| <= s / 60. Its derivative is

    v'' + a' v x v' + a v x v'' + b' v x (v x v') + b (v' x (v x v') + v x (v x v''))

with |s'| <= |v'|: zero for a turn at a constant rate about one axis, and bounded term by term for others.
"""

from math import sin
from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.motions.rotation import axis_and_angle, rotation_vector
from firstcontact.motions.trajectories.polynomials import OF_A_TERM, UP
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import Mat3, axis_rotation, mat_mul, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, cross, norm, scale, sub

# Rounding of a rotation and of an angular velocity, for each radian and one more, besides that of the vector.
OF_A_TURN = 64.0 * UNIT_ROUNDOFF

# Rounding of a derivative of a cubic, in units of the magnitudes of all terms.
OF_A_CUBIC = 4.0 * OF_A_TERM

# Angles below which b is read from its series.
SMALL = 0.5


class TurnJet(NamedTuple):
    """A rotation vector and its three derivatives at a time, and how far rounding may have put each off."""

    vector: Vec3
    first: Vec3
    second: Vec3
    third: Vec3
    errors: tuple[float, float, float, float]


@kernel
def turn_jet(coefficients: Array, x: float) -> TurnJet:
    """All derivatives of a cubic (4, 3) at a time since its piece began.

    As `derivative` has them, one by one: written out for a cubic it takes a fifth of the time.
    """
    a0, b0, c0 = coefficients[0, 0], coefficients[0, 1], coefficients[0, 2]
    a1, b1, c1 = coefficients[1, 0], coefficients[1, 1], coefficients[1, 2]
    a2, b2, c2 = 2.0 * coefficients[2, 0], 2.0 * coefficients[2, 1], 2.0 * coefficients[2, 2]
    a3, b3, c3 = 6.0 * coefficients[3, 0], 6.0 * coefficients[3, 1], 6.0 * coefficients[3, 2]
    half, third, y = 0.5 * x, x * (1.0 / 3.0), abs(x)
    vector = (
        a0 + x * (a1 + half * (a2 + third * a3)),
        b0 + x * (b1 + half * (b2 + third * b3)),
        c0 + x * (c1 + half * (c2 + third * c3)),
    )
    first = a1 + x * (a2 + half * a3), b1 + x * (b2 + half * b3), c1 + x * (c2 + half * c3)
    second = a2 + x * a3, b2 + x * b3, c2 + x * c3
    # The sum of the magnitudes of all terms is no less than that of any component, and of their length.
    s0, s1 = abs(a0) + abs(b0) + abs(c0), abs(a1) + abs(b1) + abs(c1)
    s2, s3 = abs(a2) + abs(b2) + abs(c2), abs(a3) + abs(b3) + abs(c3)
    size_1 = s1 + y * (s2 + y * s3)
    errors = (
        OF_A_CUBIC * (s0 + y * size_1),
        OF_A_CUBIC * size_1,
        OF_A_CUBIC * (s2 + y * s3),
        OF_A_CUBIC * s3,
    )
    return TurnJet(vector, first, second, (a3, b3, c3), errors)


@kernel
def turn_at(base: Array, jet: TurnJet) -> tuple[Mat3, float, Vec3, float]:
    """Orientation and angular velocity, and the error of each."""
    v, rate, (v_error, rate_error, _, _) = jet.vector, jet.first, jet.errors
    axis, angle = axis_and_angle(v)
    start = base[0], base[1], base[2], base[3], base[4], base[5], base[6], base[7], base[8]
    rotation = mat_mul(start, axis_rotation(axis, angle))
    half = sin(0.5 * angle)
    a = 2.0 * half * half / (angle * angle) if angle > 0.0 else 0.5
    across = cross(v, rate)
    spin = add(add(rate, scale(a, across)), scale(_third(angle), cross(v, across)))
    # A vector that is off changes the angular velocity by at most its own length times the rate.
    rounding = OF_A_TURN * (1.0 + angle) * (1.0 + angle)
    spin_error = rate_error + v_error * norm(rate) + rounding * norm(rate)
    return rotation, v_error + rounding, mat_vec(start, spin), spin_error


@kernel
def _third(angle: float) -> float:
    """(s - sin s) / s^3."""
    if angle >= SMALL:
        return (angle - sin(angle)) / (angle * angle * angle)
    x = angle * angle
    return (
        1.0 - x / 20.0 * (1.0 - x / 42.0 * (1.0 - x / 72.0 * (1.0 - x / 110.0 * (1.0 - x / 156.0))))
    ) / 6.0


@kernel
def turn_bend(jet: TurnJet, away: float) -> float:
    """Bound the angular acceleration at all times that are not farther away than that."""
    v, v1, v2, errors = jet.vector, jet.first, jet.second, jet.errors
    third = norm(jet.third) + errors[3]
    second = norm(v2) + errors[2] + away * third
    first = norm(v1) + errors[1] + away * second
    angle = norm(v) + errors[0] + away * first
    slip = OF_A_TURN * angle
    across = norm(cross(v, v2)) + slip * second + away * (first * second + angle * third)
    turning = norm(cross(v, v1)) + slip * first + away * across
    total = second + 0.5 * across + turning * first * angle * (1.0 / 12.0 + angle / 60.0)
    return (total + (first * turning + angle * across) / 6.0) * UP


@kernel
def turn_jumps(base: Array, before: TurnJet, next_base: Array, after: TurnJet) -> tuple[float, float]:
    """Bound how far a turn, and its angular velocity, jump where one piece ends and the next begins."""
    one, one_error, spin, spin_error = turn_at(base, before)
    two, two_error, other, other_error = turn_at(next_base, after)
    jump = norm(rotation_vector(mat_mul(two, transposed(one)))) + one_error + two_error
    return jump, norm(sub(other, spin)) + spin_error + other_error
