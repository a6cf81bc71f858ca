"""Vectors of three floats as tuples: the form that the compiler keeps in registers."""

from math import sqrt

from firstcontact._jit import kernel

Vec3 = tuple[float, float, float]
Triangle = tuple[Vec3, Vec3, Vec3]


@kernel
def add(a: Vec3, b: Vec3) -> Vec3:
    """Return a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def sub(a: Vec3, b: Vec3) -> Vec3:
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def scale(s: float, a: Vec3) -> Vec3:
    """Return s a."""
    return s * a[0], s * a[1], s * a[2]


@kernel
def dot(a: Vec3, b: Vec3) -> float:
    """Return the inner product of a and b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Vec3, b: Vec3) -> Vec3:
    """Return the cross product of a and b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def lerp(a: Vec3, b: Vec3, t: float) -> Vec3:
    """Return the point at t on the way from a (t = 0) to b (t = 1); exact at both ends."""
    s = 1.0 - t
    return s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2]


@kernel
def largest_component(a: Vec3, b: Vec3, c: Vec3) -> float:
    """Return the largest magnitude among the components of three vectors."""
    x = max(max(abs(a[0]), abs(b[0])), abs(c[0]))
    y = max(max(abs(a[1]), abs(b[1])), abs(c[1]))
    z = max(max(abs(a[2]), abs(b[2])), abs(c[2]))
    return max(max(x, y), z)


@kernel
def largest_magnitudes(a: Vec3, b: Vec3) -> Vec3:
    """Return, for each component, the larger of the two magnitudes."""
    return max(abs(a[0]), abs(b[0])), max(abs(a[1]), abs(b[1])), max(abs(a[2]), abs(b[2]))


@kernel
def norm(a: Vec3) -> float:
    """Return the length of a."""
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
