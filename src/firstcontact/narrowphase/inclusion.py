"""Inclusion: do four coplanar points touch, as vertex and face or as edge and edge?

Four coplanar points satisfy sum(area_i x_i) = 0, sum(area_i) = 0, where area_i is the signed area, seen along
a coordinate axis, of the triangle that leaves out point i. The vertex is in the face when its own area has
the sign opposite to the three others; the edges cross when the areas of one edge have one sign and those of
the other the opposite one. This is the area condition of Huh et al. 2014 in signed form: the areas of the
parts add up to the whole exactly when no sign disagrees. Its tolerance is theirs as well: how far an area can
change within the bracket of the root, plus rounding.
"""

from firstcontact._jit import kernel
from firstcontact.narrowphase.moving_quad import MovingQuad, Triple, quad_at
from firstcontact.scalar.error_bounds import SIGNED_AREA, UNDERFLOW, UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import cross

OUTSIDE = 0
INSIDE = 1
UNSURE = 2


@kernel
def projection_axis(r: Triple) -> int:
    """Axis along which the triangles of four nearly coplanar points look largest."""
    n0, n1, n2 = cross(r[1], r[2]), cross(r[2], r[0]), cross(r[0], r[1])
    x = abs(n0[0]) + abs(n1[0]) + abs(n2[0])
    y = abs(n0[1]) + abs(n1[1]) + abs(n2[1])
    z = abs(n0[2]) + abs(n1[2]) + abs(n2[2])
    if x >= y and x >= z:
        return 0
    return 1 if y >= z else 2


@kernel
def signed_areas(r: Triple, k: int) -> tuple[float, float, float, float]:
    """Doubled signed areas, seen along axis k, of the four triangles of the points."""
    a0, a1, a2 = cross(r[1], r[2])[k], cross(r[2], r[0])[k], cross(r[0], r[1])[k]
    return a0, a1, a2, -(a0 + a1 + a2)


@kernel
def area_tolerance(quad: MovingQuad, half_width: float) -> float:
    """Bound the change of an area within `half_width` of a time, and its rounding error.

    An area is a sum of at most three cross products of two components each: with components up to `size` and
    speeds up to `speed`, its derivative is at most 3 * 4 * size * speed.
    """
    size = 0.0
    speed = 0.0
    for i in range(3):
        for k in range(3):
            size = max(size, quad.size[i][k])
            speed = max(speed, abs(quad.t1[i][k] - quad.t0[i][k]))
    return 13.0 * size * speed * (half_width + UNIT_ROUNDOFF) + SIGNED_AREA * size * size + UNDERFLOW


@kernel
def inclusion(quad: MovingQuad, is_edge_edge: bool, lower: float, upper: float) -> int:
    """Decide contact at every time in [lower, upper] at which the points are coplanar."""
    middle = 0.5 * (lower + upper)
    r = quad_at(quad, middle)
    a0, a1, a2, a3 = signed_areas(r, projection_axis(r))
    if is_edge_edge:
        a2, a3 = -a2, -a3
    else:
        a0 = -a0
    tolerance = area_tolerance(quad, 0.5 * (upper - lower))
    lowest = min(min(a0, a1), min(a2, a3))
    highest = max(max(a0, a1), max(a2, a3))
    if lowest < -tolerance and highest > tolerance:
        return OUTSIDE
    if lowest > tolerance or highest < -tolerance:
        return INSIDE
    return UNSURE
