"""Where four points touch, and in which direction: the weights, the point and the normal of a contact.

Computed in floating point at the time given; nothing about them is proven.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.narrowphase.closest_points import contact_weights, weighted_offset
from firstcontact.narrowphase.elementary_query import Options
from firstcontact.narrowphase.elementary_stages import points_of
from firstcontact.narrowphase.moving_quad import Quadruple, Triple, moving_quad, quad_at
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, lerp, scale, sub

Array = NDArray[np.float64]
Weights = tuple[float, float, float, float]

# Sine of the angle below which edges are parallel, a face is a segment, or a motion is along the surface:
# the direction that is left is mostly rounding.
FLAT = 1e-9

# Rows from which a thread is worth its start.
WORTH_A_THREAD = 2048

SOME_DIRECTION = (0.0, 0.0, 1.0)


class Geometry(NamedTuple):
    """Rows: barycentric weights, the point, the unit normal from the first side to the second."""

    weights: Array
    points: Array
    normals: Array


@kernel
def length(v: Vec3) -> float:
    """Length of a vector."""
    return sqrt(dot(v, v))


@kernel
def surface_normal(r: Triple, is_edge_edge: bool) -> Vec3:
    """Normal of the face, or of both edges, of any sign; zero where there is none worth the name."""
    first = sub(r[1], r[0]) if is_edge_edge else r[1]
    n = cross(first, r[2])
    return n if length(n) > FLAT * length(first) * length(r[2]) else (0.0, 0.0, 0.0)


@kernel
def contact_normal(t0: Triple, t1: Triple, at: Triple, weights: Weights, options: Options) -> Vec3:
    """Unit vector from the first side to the second.

    With a separation it is the line of the closest points. Where the sides touch there is no such line: it is
    the normal of the surfaces, to the side that the first moves to, or else came from; where there is none
    either, the direction of the motion.
    """
    is_edge_edge = options.is_edge_edge
    offset = weighted_offset(at, weights, is_edge_edge)
    if 2.0 * length(offset) > options.min_separation > 0.0:
        return scale(-1.0 / length(offset), offset)
    came_from = weighted_offset(t0, weights, is_edge_edge)
    velocity = sub(weighted_offset(t1, weights, is_edge_edge), came_from)
    n = surface_normal(at, is_edge_edge)
    size = length(n)
    if size > SHORTEST:
        towards = dot(velocity, n)
        if not abs(towards) > FLAT * length(velocity) * size:
            towards = -dot(came_from, n)
        return scale((1.0 if towards >= 0.0 else -1.0) / size, n)
    if length(came_from) > SHORTEST:
        return scale(-1.0 / length(came_from), came_from)
    return scale(1.0 / length(velocity), velocity) if length(velocity) > SHORTEST else SOME_DIRECTION


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


@driver
def describe_rows(
    start: Array, end: Array, options: Options, times: Array, geometry: Geometry, first: int, last: int
) -> None:
    """Write weights, points and normals of the contacts in rows [first, last) at their times."""
    for row in range(first, last):
        t0, t1, t = points_of(start, row), points_of(end, row), times[row]
        quad = moving_quad(t0, t1)
        at = quad_at(quad, t)
        w = contact_weights(at, options.is_edge_edge)
        points = lerp(t0[0], t1[0], t), lerp(t0[1], t1[1], t), lerp(t0[2], t1[2], t), lerp(t0[3], t1[3], t)
        p = contact_point(points, w, options.is_edge_edge)
        n = contact_normal(quad.t0, quad.t1, at, w, options)
        for i in range(4):
            geometry.weights[row, i] = w[i]
        for i in range(3):
            geometry.points[row, i] = p[i]
            geometry.normals[row, i] = n[i]


def describe_contacts(start: Array, end: Array, options: Options, times: Array) -> Geometry:
    """Weights, points and normals of contacts at their times."""
    n = len(times)
    geometry = Geometry(np.empty((n, 4)), np.empty((n, 3)), np.empty((n, 3)))

    def describe(first: int, last: int) -> None:
        describe_rows(start, end, options, times, geometry, first, last)

    on_ranges(describe, n, WORTH_A_THREAD)
    return geometry
