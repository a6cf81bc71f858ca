"""The solid angle of a triangle, seen from a point: half of it is the angle of a complex number.

The number is made of lengths and products of the vectors to the corners (Van Oosterom and Strackee 1983). It
is small where the point is close to an edge, and its square where it is close to a sliver, and its sign is
that of a small volume where the point is close to the inside: twice the digits are used there.
"""

from math import sqrt

from firstcontact._jit import kernel
from firstcontact.scalar.double_double import DoubleDouble, dd_add, dd_det2, dd_mul, two_product, two_sum
from firstcontact.scalar.vec3 import Triangle, Vec3, cross, dot, norm, sub

# Numbers smaller than this part of their terms have lost digits: a million roundings are 1e-10.
SMALL = 2.0**-33

# A sine smaller than this part of its terms may have the wrong sign: where the cosine is negative, that is
# the side of the triangle, and all of a turn.
UNSIGNED = 2.0**-46

DD3 = tuple[DoubleDouble, DoubleDouble, DoubleDouble]


@kernel
def half_solid_angle(t: Triangle, p: Vec3) -> tuple[float, float]:
    """Cosine and sine, times a length, of half the solid angle of a triangle seen from p; both 0: of none."""
    a, b, c = sub(t[0], p), sub(t[1], p), sub(t[2], p)
    x, y, z = norm(a), norm(b), norm(c)
    sine = dot(a, cross(b, c))
    cosine = x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y
    size = x * y * z
    if abs(sine) + abs(cosine) > SMALL * size and (cosine > 0.0 or abs(sine) > UNSIGNED * size):
        return cosine, sine
    return _precisely(t, p)


@kernel
def _precisely(t: Triangle, p: Vec3) -> tuple[float, float]:
    """Do the same with twice the digits."""
    a, b, c = _seen(t[0], p), _seen(t[1], p), _seen(t[2], p)
    x, y, z = _length(a), _length(b), _length(c)
    sine = dd_mul(a[0], dd_det2(b[1], c[2], b[2], c[1]))
    sine = dd_add(sine, dd_mul(a[1], dd_det2(b[2], c[0], b[0], c[2])))
    sine = dd_add(sine, dd_mul(a[2], dd_det2(b[0], c[1], b[1], c[0])))
    cosine = dd_mul(dd_mul(x, y), z)
    cosine = dd_add(cosine, dd_mul(_product(a, b), z))
    cosine = dd_add(cosine, dd_mul(_product(b, c), x))
    cosine = dd_add(cosine, dd_mul(_product(c, a), y))
    noise = SMALL * SMALL * SMALL * (x[0] * y[0] * z[0])
    if abs(sine[0]) + abs(cosine[0]) > noise:
        return cosine[0], sine[0]
    return 0.0, 0.0


@kernel
def _seen(corner: Vec3, p: Vec3) -> DD3:
    return two_sum(corner[0], -p[0]), two_sum(corner[1], -p[1]), two_sum(corner[2], -p[2])


@kernel
def _product(a: DD3, b: DD3) -> DoubleDouble:
    return dd_add(dd_add(dd_mul(a[0], b[0]), dd_mul(a[1], b[1])), dd_mul(a[2], b[2]))


@kernel
def _length(a: DD3) -> DoubleDouble:
    """Length of a vector: a root, and a step of Newton's with twice the digits."""
    squared = _product(a, a)
    root = sqrt(squared[0])
    if not root > 0.0:
        return 0.0, 0.0
    high, low = two_product(root, root)
    rest = dd_add(squared, (-high, -low))
    return two_sum(root, 0.5 * rest[0] / root)
