"""Turns whose rotation vectors, as seen from a pose of each piece, are cubics of time.

With a rotation vector v of length s, the angular velocity is v' + a v x v' + b v x (v x v'), where
a = (1 - cos s) / s^2 is the mean of (1 - y) cos(y s) over y in [0, 1], and b = (s - sin s) / s^3 half that
of (1 - y)^2 cos(y s). So a <= 1/2, b <= 1/6, |da/ds| <= s / 12 and |db/ds| <= s / 60. Its derivative is

    v'' + a' v x v' + a v x v'' + b' v x (v x v') + b (v' x (v x v') + v x (v x v''))

with |s'| <= |v'|: zero for a turn at a constant rate about one axis, and bounded term by term for others.
"""

from math import sin, sqrt

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array
from firstcontact.motions.rotation import axis_and_angle, rotation_vector
from firstcontact.motions.trajectories.polynomials import (
    BEND,
    JUMPS,
    KINKS,
    UP,
    derivative,
    length_around,
    length_of,
)
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import Mat3, axis_rotation, mat_mul, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, cross, norm, scale, sub

# Rounding of a rotation and of an angular velocity, for each radian and one more, besides that of the vector.
OF_A_TURN = 64.0 * UNIT_ROUNDOFF

# Angles below which b is read from its series.
SMALL = 0.5


@kernel
def vector_and_error(coefficients: Array, order: int, x: float) -> tuple[Vec3, float]:
    """A derivative of the rotation vector, and how far rounding may have put it off."""
    a, da = derivative(coefficients, order, 0, x)
    b, db = derivative(coefficients, order, 1, x)
    c, dc = derivative(coefficients, order, 2, x)
    return (a, b, c), sqrt(da * da + db * db + dc * dc)


@kernel
def turn_at(base: Array, coefficients: Array, x: float) -> tuple[Mat3, float, Vec3, float]:
    """Orientation and angular velocity at a time since a piece began, and the error of each."""
    v, v_error = vector_and_error(coefficients, 0, x)
    rate, rate_error = vector_and_error(coefficients, 1, x)
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
def turn_bend(coefficients: Array, x: float, away: float) -> float:
    """Bound the angular acceleration at all times that are not farther from x."""
    v, _ = vector_and_error(coefficients, 0, x)
    v1, _ = vector_and_error(coefficients, 1, x)
    v2, _ = vector_and_error(coefficients, 2, x)
    third = length_of(coefficients, 3, x)
    second = length_around(coefficients, 2, x, away)
    first = length_around(coefficients, 1, x, away)
    angle = length_around(coefficients, 0, x, away)
    slip = OF_A_TURN * angle
    across = norm(cross(v, v2)) + slip * second + away * (first * second + angle * third)
    turning = norm(cross(v, v1)) + slip * first + away * across
    total = second + 0.5 * across + turning * first * angle * (1.0 / 12.0 + angle / 60.0)
    return (total + (first * turning + angle * across) / 6.0) * UP


@driver
def write_turns_known(breaks: Array, coefficients: Array, bases: Array, known: Array) -> None:
    """Write what is known of pieces (n, k, 4, 3) between times (k + 1,) into (n, k, N_KNOWN)."""
    for i in range(len(coefficients)):
        jumps, kinks = 0.0, 0.0
        for k in range(coefficients.shape[1]):
            half = 0.5 * (breaks[k + 1] - breaks[k])
            known[i, k, BEND] = turn_bend(coefficients[i, k], half, half * UP)
            if k > 0:
                length = breaks[k] - breaks[k - 1]
                one, one_error, spin, spin_error = turn_at(bases[i, k - 1], coefficients[i, k - 1], length)
                two, two_error, other, other_error = turn_at(bases[i, k], coefficients[i, k], 0.0)
                jumps += norm(rotation_vector(mat_mul(two, transposed(one)))) + one_error + two_error
                kinks += norm(sub(other, spin)) + spin_error + other_error
            known[i, k, JUMPS], known[i, k, KINKS] = jumps * UP, kinks * UP
