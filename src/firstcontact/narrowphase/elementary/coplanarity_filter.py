"""The filters: queries proven free without solving anything.

Two sufficient conditions for "no contact", both over the whole interval. The axis filter: along a coordinate
axis one side stays beyond the other; comparisons only, no rounding. The non-penetration filter (Tang,
Manocha, Tong 2010): the four points are never coplanar, since the Bernstein coefficients of the coplanarity
cubic have one sign by more than their rounding error.

The loop is straight-line code over a block in structure-of-arrays form, which the compiler vectorises.
"""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel, vector_kernel
from firstcontact.arrays import Array
from firstcontact.narrowphase.elementary.elementary_query import Options
from firstcontact.narrowphase.elementary.moving_quad import (
    Quadruple,
    coplanarity_cubic,
    magnitude_permanent,
    moving_quad,
)
from firstcontact.scalar.bernstein import restrict_cubic
from firstcontact.scalar.error_bounds import CUBIC_RESTRICTED, UNDERFLOW

Coordinates = tuple[float, float, float, float]

# Queries a block: its 24 rows of coordinates (24 KiB) stay in the first-level cache.
BLOCK = 128

# Where the coordinates at t = 1 begin in a block.
END = 12 * BLOCK


@kernel
def gather_block(start: Array, end: Array, first: int, count: int, block: Array) -> None:
    """Copy queries `first` to `first + count` into `block`, one row of BLOCK for each of 24 coordinates."""
    for q in range(count):
        for i in range(4):
            for k in range(3):
                block[(3 * i + k) * BLOCK + q] = start[first + q, i, k]
                block[(12 + 3 * i + k) * BLOCK + q] = end[first + q, i, k]


@kernel
def gather_point(start: Array, end: Array, row: int, i: int, q: int, block: Array) -> None:
    """Copy a vertex, at both ends of its motion, into `block` as point i of query q."""
    for k in range(3):
        block[(3 * i + k) * BLOCK + q] = start[row, k]
        block[(12 + 3 * i + k) * BLOCK + q] = end[row, k]


@kernel
def block_points(block: Array, at: int) -> Quadruple:
    """Return the four points whose first coordinate is at `at`: q for the start, END + q for the end."""
    return (
        (block[at], block[at + BLOCK], block[at + 2 * BLOCK]),
        (block[at + 3 * BLOCK], block[at + 4 * BLOCK], block[at + 5 * BLOCK]),
        (block[at + 6 * BLOCK], block[at + 7 * BLOCK], block[at + 8 * BLOCK]),
        (block[at + 9 * BLOCK], block[at + 10 * BLOCK], block[at + 11 * BLOCK]),
    )


@kernel
def by_axis(points: Quadruple) -> tuple[Coordinates, Coordinates, Coordinates]:
    """Coordinates of four points along each axis."""
    a, b, c, d = points
    return (a[0], b[0], c[0], d[0]), (a[1], b[1], c[1], d[1]), (a[2], b[2], c[2], d[2])


@kernel
def axis_gaps(points: Coordinates, is_edge_edge: bool) -> tuple[float, float]:
    """By how much the first side is above the second along an axis, and by how much below; else negative."""
    a0, b1, b2 = points[0], points[2], points[3]
    a1 = points[1] if is_edge_edge else a0
    b0 = b1 if is_edge_edge else points[1]
    above = min(a0, a1) - max(max(b0, b1), b2)
    below = min(min(b0, b1), b2) - max(a0, a1)
    return above, below


@kernel
def is_axis_free(t0: Coordinates, t1: Coordinates, is_edge_edge: bool, separation: float) -> bool:
    """Are the sides apart along an axis at both ends in the same order, and so at every time between?

    A rounded difference of two doubles exceeds a third only where the true difference does.
    """
    above_t0, below_t0 = axis_gaps(t0, is_edge_edge)
    above_t1, below_t1 = axis_gaps(t1, is_edge_edge)
    return (min(above_t0, above_t1) > separation) | (min(below_t0, below_t1) > separation)


@kernel
def is_apart(t0: Quadruple, t1: Quadruple, is_edge_edge: bool, separation: float) -> bool:
    """Does one of the coordinate axes keep the sides apart by more than the separation?"""
    x0, y0, z0 = by_axis(t0)
    x1, y1, z1 = by_axis(t1)
    return (
        is_axis_free(x0, x1, is_edge_edge, separation)
        | is_axis_free(y0, y1, is_edge_edge, separation)
        | is_axis_free(z0, z1, is_edge_edge, separation)
    )


@vector_kernel
def filter_block(
    block: Array, count: int, options: Options, is_free: NDArray[np.bool_], cubics: Array
) -> None:
    """Set `is_free` for each query of a block: is it proven that the sides do not touch?

    The coefficients of the coplanarity cubics and their permanents go to the first five rows of `cubics`.
    """
    is_edge_edge = options.is_edge_edge
    for q in range(count):
        t0, t1 = block_points(block, q), block_points(block, END + q)
        (x0, y0, z0), (x1, y1, z1) = by_axis(t0), by_axis(t1)
        # Not `is_apart`: it is too large to be inlined, and a call would keep the loop from being vectorised.
        free = is_axis_free(x0, x1, is_edge_edge, 0.0)
        free |= is_axis_free(y0, y1, is_edge_edge, 0.0)
        free |= is_axis_free(z0, z1, is_edge_edge, 0.0)
        quad = moving_quad(t0, t1)
        b, permanent = coplanarity_cubic(quad), magnitude_permanent(quad)
        cubics[q], cubics[BLOCK + q], cubics[2 * BLOCK + q], cubics[3 * BLOCK + q] = b
        cubics[4 * BLOCK + q] = permanent
        b = restrict_cubic(b, options.max_time)
        error = CUBIC_RESTRICTED * permanent + UNDERFLOW
        lowest = min(min(b[0], b[1]), min(b[2], b[3]))
        highest = max(max(b[0], b[1]), max(b[2], b[3]))
        is_free[q] = free | (lowest > error) | (highest < -error)
