"""Four moving points as the elementary tests see them: three vectors from the last point, at both ends.

Vertex-face is (vertex, a, b, c), edge-edge is (a0, a1, b0, b1). Seen from the last point both have the same
coplanarity cubic and the same signed areas; they differ only in the signs that mean contact.
"""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.scalar.vec3 import Triangle, Vec3, add, cross, dot, largest_magnitudes, lerp, sub

Quadruple = tuple[Vec3, Vec3, Vec3, Vec3]


class MovingQuad(NamedTuple):
    """Vectors from the fourth point to the others at t = 0 and at t = 1, and bounds of their components."""

    t0: Triangle
    t1: Triangle
    size: Triangle  # largest magnitude of each component over the motion


@kernel
def quad_of_vectors(t0: Triangle, t1: Triangle) -> MovingQuad:
    """Build the quad from the three vectors at both ends."""
    size = (
        largest_magnitudes(t0[0], t1[0]),
        largest_magnitudes(t0[1], t1[1]),
        largest_magnitudes(t0[2], t1[2]),
    )
    return MovingQuad(t0, t1, size)


@kernel
def moving_quad(t0: Quadruple, t1: Quadruple) -> MovingQuad:
    """Build the quad from the four points at both ends; each component has one rounding."""
    r0 = (sub(t0[0], t0[3]), sub(t0[1], t0[3]), sub(t0[2], t0[3]))
    r1 = (sub(t1[0], t1[3]), sub(t1[1], t1[3]), sub(t1[2], t1[3]))
    return quad_of_vectors(r0, r1)


@kernel
def quad_at(quad: MovingQuad, t: float) -> Triangle:
    """Vectors at time t."""
    return (
        lerp(quad.t0[0], quad.t1[0], t),
        lerp(quad.t0[1], quad.t1[1], t),
        lerp(quad.t0[2], quad.t1[2], t),
    )


@kernel
def coplanarity_cubic(quad: MovingQuad) -> tuple[float, float, float, float]:
    """Bernstein coefficients on [0, 1] of det(r0, r1, r2), which is zero where the points are coplanar."""
    a, b = quad.t0, quad.t1
    n00 = cross(a[0], a[1])
    n11 = cross(b[0], b[1])
    n01 = add(cross(a[0], b[1]), cross(b[0], a[1]))
    return (
        dot(n00, a[2]),
        (dot(n01, a[2]) + dot(n00, b[2])) / 3.0,
        (dot(n01, b[2]) + dot(n11, a[2])) / 3.0,
        dot(n11, b[2]),
    )


@kernel
def magnitude_permanent(quad: MovingQuad) -> float:
    """Sum of the largest magnitudes of the determinant's six terms: the unit of its rounding errors."""
    x, y, z = quad.size
    return (
        x[0] * (y[1] * z[2] + y[2] * z[1])
        + x[1] * (y[0] * z[2] + y[2] * z[0])
        + x[2] * (y[0] * z[1] + y[1] * z[0])
    )
