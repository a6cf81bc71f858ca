"""Inclusion: do four coplanar points touch, as vertex and face or as edge and edge?

Four coplanar points satisfy sum(area_i x_i) = 0, sum(area_i) = 0, where area_i is the signed area, seen along
a coordinate axis, of the triangle that leaves out point i. The vertex is in the face when its own area has
the sign opposite to the three others; the edges cross when the areas of one edge have one sign and those of
the other the opposite one. This is the area condition of Huh et al. 2014 in signed form: the areas of the
parts add up to the whole exactly when no sign disagrees. Its tolerance is theirs as well: how far an area can
change within the bracket of the root, plus rounding.
"""

from firstcontact._jit import kernel
from firstcontact.narrowphase.elementary.moving_quad import MovingQuad
from firstcontact.scalar.error_bounds import SIGNED_AREA, UNDERFLOW, UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Triangle, Vec3, cross, largest_component, sub

OUTSIDE = 0
INSIDE = 1
UNSURE = 2


@kernel
def visible_sizes(n0: Vec3, n1: Vec3, n2: Vec3) -> Vec3:
    """How large three triangles with these normals look together along each axis."""
    return (
        abs(n0[0]) + abs(n1[0]) + abs(n2[0]),
        abs(n0[1]) + abs(n1[1]) + abs(n2[1]),
        abs(n0[2]) + abs(n1[2]) + abs(n2[2]),
    )


@kernel
def signed_areas(r: Triangle) -> tuple[float, float, float, float]:
    """Doubled signed areas of the four triangles, seen along the axis where they look largest."""
    n0, n1, n2 = cross(r[1], r[2]), cross(r[2], r[0]), cross(r[0], r[1])
    x, y, z = visible_sizes(n0, n1, n2)
    is_x, is_y = (x >= y) & (x >= z), y >= z
    a0 = n0[0] if is_x else (n0[1] if is_y else n0[2])
    a1 = n1[0] if is_x else (n1[1] if is_y else n1[2])
    a2 = n2[0] if is_x else (n2[1] if is_y else n2[2])
    return a0, a1, a2, -(a0 + a1 + a2)


@kernel
def area_tolerance(quad: MovingQuad, half_width: float) -> float:
    """Bound the change of an area within `half_width` of a time, and its rounding error.

    An area is a sum of at most three cross products of two components each: with components up to `size` and
    speeds up to `speed`, its derivative is at most 3 * 4 * size * speed.
    """
    size = largest_component(quad.size[0], quad.size[1], quad.size[2])
    a, b = quad.t0, quad.t1
    speed = largest_component(sub(b[0], a[0]), sub(b[1], a[1]), sub(b[2], a[2]))
    return 13.0 * size * speed * (half_width + UNIT_ROUNDOFF) + SIGNED_AREA * size * size + UNDERFLOW


@kernel
def agreement(areas: tuple[float, float, float, float], is_edge_edge: bool, tolerance: float) -> int:
    """Decide contact from the signs of the areas, each known up to a tolerance."""
    a0 = areas[0] if is_edge_edge else -areas[0]
    a2 = -areas[2] if is_edge_edge else areas[2]
    a3 = -areas[3] if is_edge_edge else areas[3]
    lowest = min(min(a0, areas[1]), min(a2, a3))
    highest = max(max(a0, areas[1]), max(a2, a3))
    is_outside = (lowest < -tolerance) & (highest > tolerance)
    is_inside = (lowest > tolerance) | (highest < -tolerance)
    return OUTSIDE if is_outside else (INSIDE if is_inside else UNSURE)
