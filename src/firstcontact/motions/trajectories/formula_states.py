"""Where a formula has a body, and how it moves, in intervals: from jets of its place and its turn."""

from math import sqrt

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.motions.rotation import nearer_rotation
from firstcontact.motions.trajectories.smooth_rows import Bends, State
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.interval import (
    Interval,
    add_intervals,
    magnitude,
    middle_and_radius,
    mul_intervals,
    reciprocal_interval,
    square_interval,
    sub_intervals,
)
from firstcontact.scalar.jets import FIRST, SECOND, VALUE, interval_at
from firstcontact.scalar.mat3 import Mat3
from firstcontact.scalar.vec3 import Vec3

IVec3 = tuple[Interval, Interval, Interval]

# Outputs of a formula: three of a place, and four of a quaternion (x, y, z, w), of any length, or nine of a
# matrix, row by row; or none, where nothing turns.
N_PLACE, N_QUATERNION, N_MATRIX = 3, 4, 9

# Rounding of a rotation that is made of a quaternion, in radians; and of a matrix made a rotation.
OF_A_QUATERNION = 32.0 * UNIT_ROUNDOFF

UP = 1.0 + 2.0**-48


@kernel
def state_of(jets: Array, outputs: Ids) -> State:
    """Read the state at a time from jets there, (k, N_JET)."""
    x, y, z = outputs[0], outputs[1], outputs[2]
    place, place_error = _vector(
        (interval_at(jets, x, VALUE), interval_at(jets, y, VALUE), interval_at(jets, z, VALUE))
    )
    velocity, velocity_error = _vector(
        (interval_at(jets, x, FIRST), interval_at(jets, y, FIRST), interval_at(jets, z, FIRST))
    )
    rotation, rotation_error = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), 0.0
    spin, spin_error = (0.0, 0.0, 0.0), 0.0
    if len(outputs) == N_PLACE + N_QUATERNION:
        rotation, rotation_error = _rotation_of_quaternion(jets, outputs)
        spin, spin_error = _vector(_quaternion_spin(jets, outputs))
    elif len(outputs) == N_PLACE + N_MATRIX:
        rotation, rotation_error = _rotation_of_matrix(jets, outputs)
        spin, spin_error = _vector(_matrix_spin(jets, outputs, FIRST))
    return State(rotation, place, velocity, spin, rotation_error, place_error, velocity_error, spin_error)


@kernel
def bends_of(jets: Array, outputs: Ids) -> Bends:
    """Read bounds of both accelerations over a stretch from jets over it, (k, N_JET)."""
    x, y, z = outputs[0], outputs[1], outputs[2]
    linear = _length(
        (interval_at(jets, x, SECOND), interval_at(jets, y, SECOND), interval_at(jets, z, SECOND))
    )
    angular = 0.0
    if len(outputs) == N_PLACE + N_QUATERNION:
        angular = _length(_quaternion_bend(jets, outputs))
    elif len(outputs) == N_PLACE + N_MATRIX:
        # R'' R^T = [w'] + R' R'^T, which is symmetric.
        angular = _length(_matrix_spin(jets, outputs, SECOND))
    return Bends(linear, angular)


@kernel
def _vector(v: IVec3) -> tuple[Vec3, float]:
    """Middle of a box, and how far its corners are from it."""
    x, dx = middle_and_radius(v[0])
    y, dy = middle_and_radius(v[1])
    z, dz = middle_and_radius(v[2])
    return (x, y, z), sqrt(dx * dx + dy * dy + dz * dz) * UP


@kernel
def _length(v: IVec3) -> float:
    """Bound the length of a vector in a box."""
    x, y, z = magnitude(v[0]), magnitude(v[1]), magnitude(v[2])
    most = max(max(x, y), z)
    if not 0.0 < most < 2.0**500:
        return most
    x, y, z = x / most, y / most, z / most
    length: float = most * sqrt(x * x + y * y + z * z) * UP
    return length


@kernel
def _rotation_of_quaternion(jets: Array, outputs: Ids) -> tuple[Mat3, float]:
    x, dx = middle_and_radius(interval_at(jets, outputs[3], VALUE))
    y, dy = middle_and_radius(interval_at(jets, outputs[4], VALUE))
    z, dz = middle_and_radius(interval_at(jets, outputs[5], VALUE))
    w, dw = middle_and_radius(interval_at(jets, outputs[6], VALUE))
    most = max(max(abs(x), abs(y)), max(abs(z), abs(w)))
    if not most > 0.0:
        return (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), 4.0
    error = sqrt(dx * dx + dy * dy + dz * dz + dw * dw) / most
    x, y, z, w = x / most, y / most, z / most, w / most
    length = sqrt(x * x + y * y + z * z + w * w)
    x, y, z, w = x / length, y / length, z / length, w / length
    matrix = (
        *(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)),
        *(2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)),
        *(2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)),
    )
    # Turned by half the angle that the rotation is, of which the sine is at most the error over the length:
    # the arc is no more than pi / 2 times that.
    return matrix, 3.2 * (error / length) + OF_A_QUATERNION


@kernel
def _rotation_of_matrix(jets: Array, outputs: Ids) -> tuple[Mat3, float]:
    error = 0.0
    a, da = middle_and_radius(interval_at(jets, outputs[3], VALUE))
    b, db = middle_and_radius(interval_at(jets, outputs[4], VALUE))
    c, dc = middle_and_radius(interval_at(jets, outputs[5], VALUE))
    d, dd = middle_and_radius(interval_at(jets, outputs[6], VALUE))
    e, de = middle_and_radius(interval_at(jets, outputs[7], VALUE))
    f, df = middle_and_radius(interval_at(jets, outputs[8], VALUE))
    g, dg = middle_and_radius(interval_at(jets, outputs[9], VALUE))
    h, dh = middle_and_radius(interval_at(jets, outputs[10], VALUE))
    i, di = middle_and_radius(interval_at(jets, outputs[11], VALUE))
    error = da * da + db * db + dc * dc + dd * dd + de * de + df * df + dg * dg + dh * dh + di * di
    given = (a, b, c, d, e, f, g, h, i)
    near = nearer_rotation(nearer_rotation(given))
    off = 0.0
    for k in range(9):
        off += (near[k] - given[k]) * (near[k] - given[k])
    # Two rotations by an angle apart differ, entry by entry, by sqrt(8) sin(angle / 2) in all.
    return near, 1.2 * (sqrt(error) + sqrt(off)) + OF_A_QUATERNION


@kernel
def _matrix_spin(jets: Array, outputs: Ids, column: int) -> IVec3:
    """Skew part of R' R^T, or of R'' R^T: the angular velocity, or the angular acceleration."""
    x = sub_intervals(_of_rows(jets, outputs, column, 2, 1), _of_rows(jets, outputs, column, 1, 2))
    y = sub_intervals(_of_rows(jets, outputs, column, 0, 2), _of_rows(jets, outputs, column, 2, 0))
    z = sub_intervals(_of_rows(jets, outputs, column, 1, 0), _of_rows(jets, outputs, column, 0, 1))
    return (0.5 * x[0], 0.5 * x[1]), (0.5 * y[0], 0.5 * y[1]), (0.5 * z[0], 0.5 * z[1])


@kernel
def _of_rows(jets: Array, outputs: Ids, column: int, row: int, other: int) -> Interval:
    """Product of a row of the derivative and another of the matrix."""
    total = (0.0, 0.0)
    for k in range(3):
        one = interval_at(jets, outputs[N_PLACE + 3 * row + k], column)
        two = interval_at(jets, outputs[N_PLACE + 3 * other + k], VALUE)
        total = add_intervals(total, mul_intervals(one, two))
    return total


@kernel
def _quaternion_spin(jets: Array, outputs: Ids) -> IVec3:
    """W = 2 vec(q' q*) / |q|^2."""
    part = reciprocal_interval(_product(jets, outputs, VALUE))
    return _scaled(_turned(jets, outputs, FIRST), (2.0 * part[0], 2.0 * part[1]))


@kernel
def _quaternion_bend(jets: Array, outputs: Ids) -> IVec3:
    """W' = 2 (vec(q'' q*) - vec(q' q*) (|q|^2)' / |q|^2) / |q|^2."""
    part = reciprocal_interval(_product(jets, outputs, VALUE))
    growth = _product(jets, outputs, FIRST)
    growth = mul_intervals((2.0 * growth[0], 2.0 * growth[1]), part)
    bend, spin = _turned(jets, outputs, SECOND), _scaled(_turned(jets, outputs, FIRST), growth)
    apart = (
        sub_intervals(bend[0], spin[0]),
        sub_intervals(bend[1], spin[1]),
        sub_intervals(bend[2], spin[2]),
    )
    return _scaled(apart, (2.0 * part[0], 2.0 * part[1]))


@kernel
def _scaled(v: IVec3, s: Interval) -> IVec3:
    return mul_intervals(v[0], s), mul_intervals(v[1], s), mul_intervals(v[2], s)


@kernel
def _product(jets: Array, outputs: Ids, column: int) -> Interval:
    """Inner product of a quaternion with itself, or with its derivative."""
    total = (0.0, 0.0)
    for k in range(N_PLACE, N_PLACE + N_QUATERNION):
        one = interval_at(jets, outputs[k], VALUE)
        if column == VALUE:
            total = add_intervals(total, square_interval(one))
        else:
            total = add_intervals(total, mul_intervals(one, interval_at(jets, outputs[k], column)))
    return total


@kernel
def _turned(jets: Array, outputs: Ids, column: int) -> IVec3:
    """Vector part of a derivative of q, p, times the conjugate of q: p_v q_w - p_w q_v - p_v x q_v."""
    return _part(jets, outputs, column, 0), _part(jets, outputs, column, 1), _part(jets, outputs, column, 2)


@kernel
def _part(jets: Array, outputs: Ids, column: int, i: int) -> Interval:
    """One component."""
    j, k, w = outputs[3 + (i + 1) % 3], outputs[3 + (i + 2) % 3], outputs[6]
    own = outputs[3 + i]
    total = mul_intervals(interval_at(jets, own, column), interval_at(jets, w, VALUE))
    total = sub_intervals(total, mul_intervals(interval_at(jets, w, column), interval_at(jets, own, VALUE)))
    total = sub_intervals(total, mul_intervals(interval_at(jets, j, column), interval_at(jets, k, VALUE)))
    return add_intervals(total, mul_intervals(interval_at(jets, k, column), interval_at(jets, j, VALUE)))
