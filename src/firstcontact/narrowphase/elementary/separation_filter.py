"""The filters with a separation distance: queries proven to stay farther apart without solving anything.

Along a coordinate axis one side stays beyond the other by more than the separation; or the vertex stays
farther than that from the plane of the face, or the lines of the two edges from each other. The latter
distance is |F| / |n|, with F the coplanarity cubic and n the face's normal or the product of the edges: F
between its Bernstein coefficients, |n| below the largest of the coefficients of n.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel, vector_kernel
from firstcontact.arrays import Array
from firstcontact.narrowphase.elementary.coplanarity_filter import END, block_points, by_axis, is_axis_free
from firstcontact.narrowphase.elementary.elementary_query import Options
from firstcontact.narrowphase.elementary.moving_quad import (
    MovingQuad,
    coplanarity_cubic,
    magnitude_permanent,
    moving_quad,
)
from firstcontact.scalar.bernstein import restrict_cubic
from firstcontact.scalar.error_bounds import (
    CUBIC_RESTRICTED,
    NORMAL_LENGTH,
    SHORTEST,
    UNDERFLOW,
    UNIT_ROUNDOFF,
)
from firstcontact.scalar.vec3 import Triangle, Vec3, add, cross, dot, scale, sub


@kernel
def spanning_vectors(r: Triangle, is_edge_edge: bool) -> tuple[Vec3, Vec3]:
    """Vectors whose product is the normal: two sides of the face, or the two edges."""
    first = sub(r[1], r[0]) if is_edge_edge else r[1]
    return first, r[2]


@kernel
def longest_normal(quad: MovingQuad, is_edge_edge: bool) -> float:
    """Bound the length of the normal over the motion; rounding included."""
    a0, b0 = spanning_vectors(quad.t0, is_edge_edge)
    a1, b1 = spanning_vectors(quad.t1, is_edge_edge)
    n0, n1 = cross(a0, b0), cross(a1, b1)
    between = scale(0.5, add(cross(a0, b1), cross(a1, b0)))
    longest = sqrt(max(max(dot(n0, n0), dot(between, between)), dot(n1, n1)))
    x, y, z = quad.size
    reach = (x[0] + x[1] + x[2]) + (y[0] + y[1] + y[2])
    return longest + NORMAL_LENGTH * reach * (z[0] + z[1] + z[2]) + SHORTEST


@vector_kernel
def filter_separated_block(
    block: Array, count: int, options: Options, separations: Array, is_free: NDArray[np.bool_]
) -> None:
    """Set `is_free` for each query of a block: is it proven that the sides stay beyond its separation?"""
    is_edge_edge = options.is_edge_edge
    for q in range(count):
        separation = separations[q]
        t0, t1 = block_points(block, q), block_points(block, END + q)
        (x0, y0, z0), (x1, y1, z1) = by_axis(t0), by_axis(t1)
        free = is_axis_free(x0, x1, is_edge_edge, separation)
        free |= is_axis_free(y0, y1, is_edge_edge, separation)
        free |= is_axis_free(z0, z1, is_edge_edge, separation)
        quad = moving_quad(t0, t1)
        b = restrict_cubic(coplanarity_cubic(quad), options.max_time)
        error = CUBIC_RESTRICTED * magnitude_permanent(quad) + UNDERFLOW
        required = error + separation * longest_normal(quad, is_edge_edge) * (1.0 + 16.0 * UNIT_ROUNDOFF)
        lowest = min(min(b[0], b[1]), min(b[2], b[3]))
        highest = max(max(b[0], b[1]), max(b[2], b[3]))
        is_free[q] = free | (lowest > required) | (highest < -required)
