"""How far apart the features of a pair are at an instant, at the least and by their closest points.

Of closest points, as floating point finds them, the distance is never below the true one but for rounding; it
may be above. At the least it is the gap along their direction, between all points of the one feature and all
of the other: whatever the direction, that is proven.
"""

from math import sqrt

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.deformable.elementary_candidates import Corners
from firstcontact.narrowphase.elementary.moving_quad import Quadruple
from firstcontact.narrowphase.triangles.closest_points import contact_weights, weighted_offset
from firstcontact.scalar.error_bounds import DIRECTED_GAP, SHORTEST, UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Triangle, Vec3, dot, sub

# A quotient and a root, or a sum of squares and its root, and room to spare.
ROUNDED_DOWN = 1.0 - 8.0 * UNIT_ROUNDOFF


@kernel
def place(vertices: Array, i: int) -> Vec3:
    """Where a vertex is."""
    return vertices[i, 0], vertices[i, 1], vertices[i, 2]


@kernel
def places_of(vertices: Array, corners: Corners) -> Quadruple:
    """Where four vertices are."""
    return (
        place(vertices, corners[0]),
        place(vertices, corners[1]),
        place(vertices, corners[2]),
        place(vertices, corners[3]),
    )


@kernel
def closest(p: Quadruple, is_edge_edge: bool) -> tuple[tuple[float, float, float, float], Vec3]:
    """Weights of the closest points of a pair, and the vector from the second side to the first."""
    r = seen_from_last(p)
    w = contact_weights(r, is_edge_edge)
    return w, weighted_offset(r, w, is_edge_edge)


@kernel
def seen_from_last(p: Quadruple) -> Triangle:
    """Three of four points, as seen from the fourth."""
    return sub(p[0], p[3]), sub(p[1], p[3]), sub(p[2], p[3])


@kernel
def least_gap(p: Quadruple, n: Vec3, is_edge_edge: bool) -> float:
    """Distance that the two sides of a pair keep at the least, by their gap along a direction; at least 0."""
    r = seen_from_last(p)
    x, y, z = dot(n, r[0]), dot(n, r[1]), dot(n, r[2])
    gap = min(x, y) - max(z, 0.0) if is_edge_edge else x - max(max(y, z), 0.0)
    spread = max(max(magnitude(r[0]), magnitude(r[1])), magnitude(r[2]))
    length = sqrt(dot(n, n))
    if not length > SHORTEST:
        return 0.0
    return max((gap - DIRECTED_GAP * magnitude(n) * spread) / length * ROUNDED_DOWN, 0.0)


@kernel
def magnitude(v: Vec3) -> float:
    """Sum of the magnitudes of a vector's coordinates."""
    return abs(v[0]) + abs(v[1]) + abs(v[2])


@kernel
def box_gap(p: Quadruple, is_edge_edge: bool) -> float:
    """Distance of the boxes around the two sides of a pair, rounded down: never above their own."""
    total = 0.0
    for k in range(3):
        low_b, high_b = min(p[2][k], p[3][k]), max(p[2][k], p[3][k])
        if is_edge_edge:
            low_a, high_a = min(p[0][k], p[1][k]), max(p[0][k], p[1][k])
        else:
            low_a, high_a = p[0][k], p[0][k]
            low_b, high_b = min(low_b, p[1][k]), max(high_b, p[1][k])
        gap = max(max(low_a - high_b, low_b - high_a), 0.0)
        total += gap * gap
    return sqrt(total) * ROUNDED_DOWN


@kernel
def gap_of_pair(vertices: Array, corners: Corners, is_edge_edge: bool, enough: float) -> float:
    """Distance that the two features of a pair keep at the least.

    Where their boxes are so far apart that it is enough, that will do: to find closest points takes longer.
    """
    p = places_of(vertices, corners)
    gap = box_gap(p, is_edge_edge)
    return gap if gap >= enough else max(gap, least_gap(p, closest(p, is_edge_edge)[1], is_edge_edge))
