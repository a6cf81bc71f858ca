"""Rotations as matrices, and as vectors along their axes, as long as their angles in radians."""

from math import atan2, cos, sin, sqrt

from firstcontact._jit import kernel
from firstcontact.scalar.mat3 import Mat3, axis_rotation, mat_mul, transposed, turn_matrix
from firstcontact.scalar.vec3 import Vec3, cross, dot, scale

# Rotations are orthogonal to within this: the largest entry of R^T R - I, as computed. It is 12 u in what
# quaternions become at the most, and 26 u in products of four such matrices.
ORTHOGONALITY = 2.0**-48

# Components of quaternions of length 2 to 4 that may be zero but for the rounding of products of rotations.
HALF_TURN = 2.0**-48


@kernel
def axis_and_angle(vector: Vec3) -> tuple[Vec3, float]:
    """Unit axis and length of a vector, however small; the axis of a zero vector is zero."""
    size = max(max(abs(vector[0]), abs(vector[1])), abs(vector[2]))
    if size == 0.0:
        return (0.0, 0.0, 0.0), 0.0
    scaled = vector[0] / size, vector[1] / size, vector[2] / size
    length = sqrt(dot(scaled, scaled))
    return (scaled[0] / length, scaled[1] / length, scaled[2] / length), size * length


@kernel
def rotation_matrix(vector: Vec3) -> Mat3:
    """Rotation matrix of a rotation vector."""
    axis, angle = axis_and_angle(vector)
    return axis_rotation(axis, angle)


@kernel
def rotation_vector(rotation: Mat3) -> Vec3:
    """Rotation vector of the shortest turn that a matrix describes, to within rounding for every angle.

    Of the two axes of a half turn it is the one whose first component that is not zero is positive.
    """
    real, vector = _quaternion(rotation)
    leading = real
    if abs(real) <= HALF_TURN:
        leading = _first_component(vector)
    if leading < 0.0:
        real, vector = -real, scale(-1.0, vector)
    axis, length = axis_and_angle(vector)
    return scale(2.0 * atan2(length, real), axis)


@kernel
def turned_away(axis: Vec3, angle: float, arm: Vec3) -> Vec3:
    """How far a turn takes the end of an arm: to rounding of that way, even if the arm is far longer."""
    return turned_away_by(axis, sin(0.5 * angle), cos(0.5 * angle), arm)


@kernel
def turned_away_by(axis: Vec3, half_sine: float, half_cosine: float, arm: Vec3) -> Vec3:
    """The same by the sine and the cosine of half the angle: for who needs these more than once."""
    sine, versine = 2.0 * half_sine * half_cosine, 2.0 * half_sine * half_sine
    across = cross(axis, arm)
    inward = cross(axis, across)
    return (
        sine * across[0] + versine * inward[0],
        sine * across[1] + versine * inward[1],
        sine * across[2] + versine * inward[2],
    )


@kernel
def axis_rotation_by(axis: Vec3, half_sine: float, half_cosine: float) -> Mat3:
    """Rotation about a unit axis by half its angle, as `axis_rotation` has it but for rounding."""
    return turn_matrix(axis, 2.0 * half_sine * half_cosine, 2.0 * half_sine * half_sine)


@kernel
def excess(matrix: Mat3) -> tuple[Mat3, float]:
    """R^T R - I, and its largest magnitude: zero but for rounding where R is a rotation or a mirror image."""
    g = mat_mul(transposed(matrix), matrix)
    e = g[0] - 1.0, g[1], g[2], g[3], g[4] - 1.0, g[5], g[6], g[7], g[8] - 1.0
    largest = 0.0
    for value in e:
        largest = max(largest, abs(value))
    return e, largest


@kernel
def is_orthogonal(m: Mat3) -> bool:
    """Is the `excess` of a matrix within `ORTHOGONALITY`? Without looking twice at what is the same."""
    xx = m[0] * m[0] + m[3] * m[3] + m[6] * m[6] - 1.0
    yy = m[1] * m[1] + m[4] * m[4] + m[7] * m[7] - 1.0
    zz = m[2] * m[2] + m[5] * m[5] + m[8] * m[8] - 1.0
    xy = m[0] * m[1] + m[3] * m[4] + m[6] * m[7]
    yz = m[1] * m[2] + m[4] * m[5] + m[7] * m[8]
    zx = m[2] * m[0] + m[5] * m[3] + m[8] * m[6]
    most = ORTHOGONALITY
    is_straight = (abs(xy) <= most) & (abs(yz) <= most) & (abs(zx) <= most)
    return is_straight & (abs(xx) <= most) & (abs(yy) <= most) & (abs(zz) <= most)


@kernel
def nearer_rotation(matrix: Mat3) -> Mat3:
    """One step of Newton's method to the nearest rotation (polar decomposition): it squares the error."""
    e, _ = excess(matrix)
    back = mat_mul(matrix, e)
    return (
        *(matrix[0] - 0.5 * back[0], matrix[1] - 0.5 * back[1], matrix[2] - 0.5 * back[2]),
        *(matrix[3] - 0.5 * back[3], matrix[4] - 0.5 * back[4], matrix[5] - 0.5 * back[5]),
        *(matrix[6] - 0.5 * back[6], matrix[7] - 0.5 * back[7], matrix[8] - 0.5 * back[8]),
    )


@kernel
def _quaternion(m: Mat3) -> tuple[float, Vec3]:
    """Quaternion of length 2 to 4: the unit one times four times its largest component (Shepperd)."""
    x, y, z = m[7] - m[5], m[2] - m[6], m[3] - m[1]
    xy, yz, zx = m[1] + m[3], m[5] + m[7], m[6] + m[2]
    trace = m[0] + m[4] + m[8]
    if trace >= m[0] and trace >= m[4] and trace >= m[8]:
        return 1.0 + trace, (x, y, z)
    if m[0] >= m[4] and m[0] >= m[8]:
        return x, (1.0 + (m[0] - m[4] - m[8]), xy, zx)
    if m[4] >= m[8]:
        return y, (xy, 1.0 + (m[4] - m[8] - m[0]), yz)
    return z, (zx, yz, 1.0 + (m[8] - m[0] - m[4]))


@kernel
def _first_component(vector: Vec3) -> float:
    """First component of the vector part of a half turn that is not zero but for rounding."""
    if abs(vector[0]) > HALF_TURN:
        return vector[0]
    return vector[1] if abs(vector[1]) > HALF_TURN else vector[2]
