"""Where four points touch, and in which direction: the weights, the point and the normal of a contact.

Computed in floating point at the time given; nothing about them is proven.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.narrowphase.elementary.moving_quad import MovingQuad, Quadruple, moving_quad, quad_at
from firstcontact.narrowphase.triangles.closest_points import contact_weights, weighted_offset
from firstcontact.scalar.error_bounds import CONTACT_GAP, SHORTEST
from firstcontact.scalar.vec3 import Triangle, Vec3, add, cross, dot, lerp, scale, sub

Weights = tuple[float, float, float, float]

NOWHERE = (0.0, 0.0, 0.0)

# Sine of the angle below which a face is a segment: the direction that is left is mostly rounding.
FLAT = 1e-9

# Sine of the angle below which edges are parallel: some roundings of coordinates in single precision, in
# which many meshes are kept. What is left of their product is then no direction of contact.
PARALLEL = 2.0**-20

# Cosine from which the normal of a face, or of two edges, is that of their closest points, but more exact.
SAME = 0.99

# Sine of the angle between the way that the sides come and a surface, below which it is along the surface.
SIDEWAYS = 1e-6

# A gap of so many roundings has a clear direction. To find one we look back in time so often, each time twice
# as far, the first time by that part.
CLEAR = 2.0**12
LOOKS = 41
FIRST_LOOK = 2.0**-40


class Terms(NamedTuple):
    """Which features these are, and a gap that rounding may hide beyond that of the coordinates."""

    is_edge_edge: bool
    rounding: float = 0.0


class Geometry(NamedTuple):
    """Rows of what is known of contacts by their four points alone.

    weights : barycentric weights of the closest points
    points : in the middle between them
    normals : unit vectors from the first side to the second
    velocities : of the first side's closest point, as seen from the second's
    is_open : the sides touch, and have done so from the start: there is no normal yet, but zero
    rounding : the gap that counts as none
    gaps : distances of the closest points
    """

    weights: Array
    points: Array
    normals: Array
    velocities: Array
    is_open: NDArray[np.bool_]
    rounding: Array
    gaps: Array


def room(n: int) -> Geometry:
    """Room for n contacts."""
    points, normals, velocities = np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3))
    is_open, rounding, gaps = np.empty(n, np.bool_), np.empty(n), np.empty(n)
    return Geometry(np.empty((n, 4)), points, normals, velocities, is_open, rounding, gaps)


@kernel
def length(v: Vec3) -> float:
    """Length of a vector."""
    return sqrt(dot(v, v))


@kernel
def surface_normal(r: Triangle, is_edge_edge: bool) -> Vec3:
    """Unit normal of the face, or of both edges, of any sign; zero where there is none worth the name."""
    first = sub(r[1], r[0]) if is_edge_edge else r[1]
    n = cross(first, r[2])
    size = length(n)
    least = (PARALLEL if is_edge_edge else FLAT) * length(first) * length(r[2])
    return scale(1.0 / size, n) if size > max(least, SHORTEST) else NOWHERE


@kernel
def rounding_at(start: Quadruple, end: Quadruple, t: float) -> float:
    """Gap of the closest points that may be nothing but rounding."""
    reach = 0.0
    for i in range(4):
        p, q = start[i], end[i]
        p_sum, q_sum = abs(p[0]) + abs(p[1]) + abs(p[2]), abs(q[0]) + abs(q[1]) + abs(q[2])
        reach = max(reach, (1.0 - t) * p_sum + t * q_sum)
    return CONTACT_GAP * reach + SHORTEST


@kernel
def is_inside(r: Triangle, w: Weights, is_edge_edge: bool, near: float) -> bool:
    """Are the closest points farther than that from the ends of the edges, or from the rim of the face?"""
    if is_edge_edge:
        return min(w[0], w[1]) * length(sub(r[1], r[0])) > near and min(w[2], w[3]) * length(r[2]) > near
    # A weight times the corner's height over the edge opposite: twice the area by the edge's length.
    area = length(cross(r[1], r[2]))
    return (
        w[1] * area > near * length(r[2])
        and w[2] * area > near * length(r[1])
        and w[3] * area > near * length(sub(r[1], r[2]))
    )


@kernel
def way_before(quad: MovingQuad, start: Quadruple, end: Quadruple, t: float, is_edge_edge: bool) -> Vec3:
    """Direction of the gap shortly before a time, as soon as it is clear; zero where there was none."""
    clearest, way, back = 1.0, NOWHERE, FIRST_LOOK
    for _ in range(LOOKS):
        time = t - back * t
        at = quad_at(quad, time)
        offset = weighted_offset(at, contact_weights(at, is_edge_edge), is_edge_edge)
        size = length(offset)
        clearness = size / rounding_at(start, end, time)
        if clearness > clearest:
            clearest, way = clearness, scale(-1.0 / size, offset)
        if clearest > CLEAR:
            break
        back *= 2.0
    return way


@kernel
def turned(n: Vec3, way: Vec3, cosine: float) -> Vec3:
    """Normal n on the side of a direction that is along it to within an angle; else the direction."""
    along = dot(way, n)
    if abs(along) < cosine:
        return way
    return n if along > 0.0 else scale(-1.0, n)


@kernel
def contact_normal(
    start: Quadruple, end: Quadruple, quad: MovingQuad, t: float, w: Weights, terms: Terms
) -> tuple[Vec3, bool, float]:
    """Unit vector from the first side to the second, whether it is open, and the gap that counts as none.

    It is the line of the closest points, and more exactly, where these are inside of both features, the
    normal of the surfaces. Where the gap is none, or next to none, it is what it was shortly before.
    """
    is_edge_edge, at = terms.is_edge_edge, quad_at(quad, t)
    near = max(rounding_at(start, end, t), terms.rounding)
    offset, exact = weighted_offset(at, w, is_edge_edge), surface_normal(at, is_edge_edge)
    gap, is_apart = length(offset), length(offset) > near
    way = scale(-1.0 / gap, offset) if is_apart else NOWHERE
    if is_apart and exact != NOWHERE and is_inside(at, w, is_edge_edge, 0.0):
        return turned(exact, way, SAME), False, near
    if t > 0.0 and gap <= CLEAR * near:
        before = way_before(quad, start, end, t, is_edge_edge)
        way = before if before != NOWHERE else way
    if not is_apart and is_inside(at, w, is_edge_edge, near):
        way = turned(exact, way, SIDEWAYS)
    return way, way == NOWHERE, near


@kernel
def contact_point(points: Quadruple, weights: Weights, is_edge_edge: bool) -> Vec3:
    """Middle between the closest points of both sides."""
    p = tuple_scaled(points, weights)
    first = add(p[0], p[1]) if is_edge_edge else p[0]
    second = add(p[2], p[3]) if is_edge_edge else add(add(p[1], p[2]), p[3])
    return scale(0.5, add(first, second))


@kernel
def tuple_scaled(points: Quadruple, weights: Weights) -> Quadruple:
    """Each point times its weight."""
    return (
        scale(weights[0], points[0]),
        scale(weights[1], points[1]),
        scale(weights[2], points[2]),
        scale(weights[3], points[3]),
    )


@kernel
def describe_pair(t0: Quadruple, t1: Quadruple, terms: Terms, t: float, geometry: Geometry, row: int) -> None:
    """Write what is known of a contact at its time into a row."""
    quad = moving_quad(t0, t1)
    at = quad_at(quad, t)
    w = contact_weights(at, terms.is_edge_edge)
    geometry.gaps[row] = length(weighted_offset(at, w, terms.is_edge_edge))
    points = lerp(t0[0], t1[0], t), lerp(t0[1], t1[1], t), lerp(t0[2], t1[2], t), lerp(t0[3], t1[3], t)
    p = contact_point(points, w, terms.is_edge_edge)
    n, geometry.is_open[row], geometry.rounding[row] = contact_normal(t0, t1, quad, t, w, terms)
    # Differences of the ends first: what does not move has no velocity at all, whatever the weights.
    moves = sub(t1[0], t0[0]), sub(t1[1], t0[1]), sub(t1[2], t0[2]), sub(t1[3], t0[3])
    seen = sub(moves[0], moves[3]), sub(moves[1], moves[3]), sub(moves[2], moves[3])
    v = weighted_offset(seen, w, terms.is_edge_edge)
    for i in range(4):
        geometry.weights[row, i] = w[i]
    for i in range(3):
        geometry.points[row, i] = p[i]
        geometry.normals[row, i] = n[i]
        geometry.velocities[row, i] = v[i]
