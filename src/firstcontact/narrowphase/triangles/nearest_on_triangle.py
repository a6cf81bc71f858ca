"""The point of a triangle nearest to a point, to a few roundings of the sizes, however thin the triangle is.

The triangle is seen from its longest side: along it, and across it. How far across a foot lies is known to a
rounding of the sizes over the triangle's height; but it is no more than that height, so that the foot itself
is off by a rounding of the sizes, and the distance by no more (docs/points.md).
"""

from math import sqrt

from firstcontact._jit import kernel
from firstcontact.narrowphase.triangles.closest_points import closest_point_triangle_edges
from firstcontact.scalar.vec3 import Vec3, dot, scale, sub

ZERO = (0.0, 0.0, 0.0)


@kernel
def nearest_on_triangle(p: Vec3, b: Vec3, c: Vec3) -> tuple[float, float]:
    """Weights of b and c at the point nearest to p of the triangle 0 b c: nonnegative, of sum one at most."""
    bc = sub(c, b)
    l_b, l_c, l_bc = dot(b, b), dot(c, c), dot(bc, bc)
    if l_b >= l_c and l_b >= l_bc:
        wb, wc, is_inside = _seen_from_side(p, b, c)
    elif l_bc >= l_c:
        wc, wa, is_inside = _seen_from_side(sub(p, b), bc, scale(-1.0, b))
        wb = 1.0 - wc - wa
    else:
        wa, wb, is_inside = _seen_from_side(sub(p, c), scale(-1.0, c), scale(-1.0, bc))
        wc = 1.0 - wa - wb
    if is_inside:
        return wb, wc
    _, wb, wc = closest_point_triangle_edges(p, ZERO, b, c)
    return wb, wc


@kernel
def _seen_from_side(p: Vec3, b: Vec3, c: Vec3) -> tuple[float, float, bool]:
    """Weights of b and c at the foot of p, b being the longest side, and whether that is in the triangle."""
    length = sqrt(dot(b, b))
    if not length > 0.0:
        return 0.0, 0.0, False
    e = scale(1.0 / length, b)
    along_c = dot(c, e)
    up = _across(c, e, along_c)
    up = _across(up, e, dot(up, e))  # what rounding left along the side
    height_squared = dot(up, up)
    if not height_squared > 0.0:
        return 0.0, 0.0, False
    along = dot(p, e)
    wc = dot(_across(p, e, along), up) / height_squared
    wb = (along - wc * along_c) / length
    return wb, wc, wc >= 0.0 and wb >= 0.0 and 1.0 - wb - wc >= 0.0


@kernel
def _across(v: Vec3, e: Vec3, along: float) -> Vec3:
    """What is left of v without so much along e."""
    return v[0] - along * e[0], v[1] - along * e[1], v[2] - along * e[2]
