"""Turns by the sine and the cosine of half their angle: for who needs these more than once."""

from firstcontact._jit import kernel
from firstcontact.motions.rotation import ORTHOGONALITY
from firstcontact.scalar.mat3 import Mat3
from firstcontact.scalar.vec3 import Vec3, cross


@kernel
def turned_away_by(axis: Vec3, half_sine: float, half_cosine: float, arm: Vec3) -> Vec3:
    """How far a turn takes the end of an arm, as `turned_away` has it."""
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
    """Rotation about a unit axis, as `axis_rotation` has it but for rounding."""
    s, c = 2.0 * half_sine * half_cosine, 2.0 * half_sine * half_sine
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
