"""Where a ray meets triangles, without gaps between those that share an edge.

Woop, Benthin and Wald 2013: seen along the ray, a triangle is one in the plane, and the ray is the origin of
that plane. Each corner is projected by itself, so that neighbours agree on the corners of their common edge,
and the sign of the edge's area, seen from the origin, is exact for the corners as they are seen: what one
triangle just misses, its neighbour has. Products are rounded monotonically: the sign of a difference of two
is right unless they are equal after rounding, and then the parts that were lost tell.

Where a corner is seen is rounded: c from the ray's origin, it is c_x - slope c_z, with one rounding of c_x
and c_z each, one of the slope, one of the product, and one of the difference, together at most 6 u |c| along
each of the two axes, |c| the largest coordinate; that is 9 u |c| sideways. So a ray is decided as in
exact arithmetic where it passes the edges of a triangle at more than that; what grazes an edge closer may be
taken to pass it on either side, by all triangles that share it alike. At an outline, where no other triangle
is next to it, that is a hit or a miss.
"""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact._ray_lanes import cross_triangles
from firstcontact.arrays import INFINITY, Array
from firstcontact.scalar.double_double import two_product, two_sum
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Vec3, cross, dot, norm, scale, sub

# Depths from this on, in units of the triangle's, are at the start: three products and two sums round.
AT_START = -16.0 * UNIT_ROUNDOFF


class Sight(NamedTuple):
    """A ray as triangles see it: depth is what it goes along its longest axis.

    axes : the axes that become the first and the second of the plane, and the depth
    origin : along these axes
    slope : of the ray, along the first two, for each unit of depth; within [-1, 1]
    sign : of the direction along the third
    way : what the ray goes for each unit of depth, along the three axes of space
    speed : depth for each unit of time
    """

    axes: tuple[int, int, int]
    origin: Vec3
    slope: tuple[float, float]
    sign: float
    way: Vec3
    speed: float


@kernel
def sight_of(o: Vec3, d: Vec3) -> Sight:
    """Look along a direction that is not zero."""
    x, y, z = abs(d[0]), abs(d[1]), abs(d[2])
    if x >= y and x >= z:
        u, v, sign = d[1] / x, d[2] / x, 1.0 if d[0] > 0.0 else -1.0
        return Sight((1, 2, 0), (o[1], o[2], o[0]), (u, v), sign, (sign, u, v), x)
    if y >= z:
        u, v, sign = d[2] / y, d[0] / y, 1.0 if d[1] > 0.0 else -1.0
        return Sight((2, 0, 1), (o[2], o[0], o[1]), (u, v), sign, (v, sign, u), y)
    u, v, sign = d[0] / z, d[1] / z, 1.0 if d[2] > 0.0 else -1.0
    return Sight((0, 1, 2), o, (u, v), sign, (u, v, sign), z)


@kernel
def met_triangles(sight: Sight, triangles: Array, leaf: int) -> int:
    """Give, as bits, those triangles of a leaf (9, WIDTH) that the line of a ray may meet; no other does.

    A triangle that is not there is NaN. The corners are seen as in `depth_triangle`, to the last bit.
    """
    return cross_triangles(triangles, leaf, sight.axes, sight.origin, sight.slope, sight.sign)


@kernel
def depth_triangle(sight: Sight, triangles: Array, leaf: int, n: int, start: float) -> float:
    """Depth, from where a ray starts on, at which it meets a triangle of a leaf; inf where it does not.

    A ray does not meet a triangle that it runs in the plane of. The signs are exact for what is seen.
    """
    (i, j, k), (ox, oy, oz), (sx, sy), sign = sight.axes, sight.origin, sight.slope, sight.sign
    t = triangles
    z0, z1 = sign * (t[leaf, k, n] - oz), sign * (t[leaf, 3 + k, n] - oz)
    z2 = sign * (t[leaf, 6 + k, n] - oz)
    x0, y0 = (t[leaf, i, n] - ox) - sx * z0, (t[leaf, j, n] - oy) - sy * z0
    x1, y1 = (t[leaf, 3 + i, n] - ox) - sx * z1, (t[leaf, 3 + j, n] - oy) - sy * z1
    x2, y2 = (t[leaf, 6 + i, n] - ox) - sx * z2, (t[leaf, 6 + j, n] - oy) - sy * z2
    u, v, w = edge_area(x1, y1, x2, y2), edge_area(x2, y2, x0, y0), edge_area(x0, y0, x1, y1)
    area = u + v + w
    if not (min(min(u, v), w) >= 0.0 or max(max(u, v), w) <= 0.0) or area == 0.0:
        return INFINITY
    least, most = min(min(z0, z1), z2), max(max(z0, z1), z2)
    depth = min(max((u * z0 + v * z1 + w * z2) / area, least), most)
    return max(depth, start) if depth >= start + AT_START * max(-least, most) else INFINITY


@kernel
def edge_area(x0: float, y0: float, x1: float, y1: float) -> float:
    """Return x0 y1 - x1 y0 with its exact sign, exactly negated when the points change places.

    The lost parts are multiples of one unit, so is their difference, which fits into a double where the
    products nearly cancel: there only the last sum rounds.
    """
    (p, p_low), (q, q_low) = two_product(x0, y1), two_product(x1, y0)
    high, low = two_sum(p, -q)
    return high + (low + (p_low - q_low))


@kernel
def face_normal(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Vec3:
    """Unit normal by the winding of the corners; of a face without area, against the direction d."""
    n = cross(unit(sub(b, a)), unit(sub(c, a)))
    if dot(n, n) == 0.0:
        return unit(scale(-1.0, d))
    return unit(n)


@kernel
def unit(a: Vec3) -> Vec3:
    """Return a vector at length one; zero stays zero. Squares neither overflow nor underflow."""
    largest = max(max(abs(a[0]), abs(a[1])), abs(a[2]))
    if largest == 0.0:
        return a
    b = a[0] / largest, a[1] / largest, a[2] / largest
    return scale(1.0 / norm(b), b)
