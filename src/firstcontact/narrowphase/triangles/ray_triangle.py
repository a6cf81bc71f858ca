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
from firstcontact._lanes import WIDTH
from firstcontact._ray_lanes import CORNER_ROWS, cross_triangles, seen_corners
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
    is_x = (x >= y) & (x >= z)
    is_y = (y >= z) & (not is_x)
    # The three axes in turn, from the one behind that of depth on: chosen, not branched, for many at once.
    a, b, c = _turned(d, is_x, is_y)
    speed = x if is_x else (y if is_y else z)
    u, v, sign = a / speed, b / speed, 1.0 if c > 0.0 else -1.0
    axes = (
        1 if is_x else (2 if is_y else 0),
        2 if is_x else (0 if is_y else 1),
        0 if is_x else (1 if is_y else 2),
    )
    way = (
        sign if is_x else (v if is_y else u),
        u if is_x else (sign if is_y else v),
        v if is_x else (u if is_y else sign),
    )
    return Sight(axes, _turned(o, is_x, is_y), (u, v), sign, way, speed)


@kernel
def _turned(a: Vec3, is_x: bool, is_y: bool) -> Vec3:
    """Components from that behind the axis of depth on, which comes last."""
    return (
        a[1] if is_x else (a[2] if is_y else a[0]),
        a[2] if is_x else (a[0] if is_y else a[1]),
        a[0] if is_x else (a[1] if is_y else a[2]),
    )


@kernel
def met_triangles(sight: Sight, triangles: Array, leaf: int) -> int:
    """Give, as bits, those triangles of a leaf (9, WIDTH) that the line of a ray may meet; no other does.

    A triangle that is not there is NaN. The corners are seen as in `depth_triangle`, to the last bit.
    """
    return cross_triangles(triangles, leaf, sight.axes, sight.origin, sight.slope, sight.sign)


@kernel
def depth_triangle(sight: Sight, triangles: Array, at: int, start: float) -> float:
    """Depth, from where a ray starts on, at which it meets the triangle at a place; inf where it does not."""
    xs, ys, zs = seen_triangle(sight, triangles, at)
    return depth_seen(xs, ys, zs, start)


@kernel
def seen_triangle(sight: Sight, triangles: Array, place: int) -> tuple[Vec3, Vec3, Vec3]:
    """See the corners of the triangle at a place in leaves: along the axes of the plane, and depths."""
    at = place // WIDTH * CORNER_ROWS * WIDTH + place % WIDTH
    return seen_corners(triangles, at, sight.axes, sight.origin, sight.slope, sight.sign)


@kernel
def depth_seen(xs: Vec3, ys: Vec3, zs: Vec3, start: float) -> float:
    """Depth, from where a ray starts on, at which it meets a triangle; inf where it does not.

    A ray does not meet a triangle that it runs in the plane of. The signs are exact for what is seen.
    """
    (x0, x1, x2), (y0, y1, y2), (z0, z1, z2) = xs, ys, zs
    u, v, w = edge_area(x1, y1, x2, y2), edge_area(x2, y2, x0, y0), edge_area(x0, y0, x1, y1)
    area = u + v + w
    is_met = ((min(min(u, v), w) >= 0.0) | (max(max(u, v), w) <= 0.0)) & (area != 0.0)
    least, most = min(min(z0, z1), z2), max(max(z0, z1), z2)
    depth = min(max((u * z0 + v * z1 + w * z2) / area, least), most)
    is_ahead = depth >= start + AT_START * max(-least, most)
    return max(depth, start) if is_met & is_ahead else INFINITY


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
