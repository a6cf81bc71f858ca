"""Matrices of three by three floats as tuples of nine, row by row."""

from math import sin

from firstcontact._jit import kernel
from firstcontact.scalar.vec3 import Vec3

Mat3 = tuple[float, float, float, float, float, float, float, float, float]


@kernel
def mat_vec(m: Mat3, v: Vec3) -> Vec3:
    """Return m v."""
    return (
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    )


@kernel
def mat_mul(m: Mat3, n: Mat3) -> Mat3:
    """Return m n."""
    return (
        m[0] * n[0] + m[1] * n[3] + m[2] * n[6],
        m[0] * n[1] + m[1] * n[4] + m[2] * n[7],
        m[0] * n[2] + m[1] * n[5] + m[2] * n[8],
        m[3] * n[0] + m[4] * n[3] + m[5] * n[6],
        m[3] * n[1] + m[4] * n[4] + m[5] * n[7],
        m[3] * n[2] + m[4] * n[5] + m[5] * n[8],
        m[6] * n[0] + m[7] * n[3] + m[8] * n[6],
        m[6] * n[1] + m[7] * n[4] + m[8] * n[7],
        m[6] * n[2] + m[7] * n[5] + m[8] * n[8],
    )


@kernel
def transposed(m: Mat3) -> Mat3:
    """Return m with rows and columns exchanged; the inverse of a rotation."""
    return m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]


@kernel
def axis_rotation(axis: Vec3, angle: float) -> Mat3:
    """Return the rotation by an angle about a unit axis (Rodrigues); the half angle saves small turns."""
    half = sin(0.5 * angle)
    return turn_matrix(axis, sin(angle), 2.0 * half * half)


@kernel
def turn_matrix(axis: Vec3, sine: float, versine: float) -> Mat3:
    """Return the rotation about a unit axis by the angle that has this sine, and one less its cosine."""
    s, c = sine, versine
    x, y, z = axis
    xy, xz, yz = c * x * y, c * x * z, c * y * z
    return (
        1.0 - c * (y * y + z * z),
        xy - s * z,
        xz + s * y,
        xy + s * z,
        1.0 - c * (x * x + z * z),
        yz - s * x,
        xz - s * y,
        yz + s * x,
        1.0 - c * (x * x + y * y),
    )
