"""Bounds of moving points, edges and faces: conservative, whatever the rounding.

A bound is a row of k numbers: the lower ends of k/2 intervals, then their upper ends, one interval along each
direction. A primitive whose vertices move linearly stays in the hull of their positions at both ends of the
motion, so its row is the union of its vertices' rows, and that union is exact: all rounding is in the rows
of single vertices.

Rounding, with u the unit roundoff, S the sum of a point's magnitudes, w the widening along a direction:
- along an axis nothing is rounded but v - w, by u |v - w|: one further relative step of 2 u covers it (sums
  do not underflow);
- along another direction the projection is a sum of three (2 u S), w a product (u w, or an underflow), w is
  taken off (u (S + w)), and so is the bound itself (u (S + w)): 4 u (S + w) and the underflow.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array, Ids
from firstcontact.bounds.directions import Directions, directions
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF

# Along an axis, in units of the result: u to undo its rounding, u for the rounding of this very step.
OUTWARD = 2.0 * UNIT_ROUNDOFF

# Along other directions, in units of S + w: 4 u, and room for the second order and the rounding of S + w.
PROJECTION = 6.0 * UNIT_ROUNDOFF

# A position x + t (y - x) at a time t, in units of |x| + |y|: three operations, 3 u; one to widen it; room.
POSITION = 6.0 * UNIT_ROUNDOFF

# The smallest normal double, which is larger than all that the products above can lose to underflow.
TINY = 2.0**-1022

# Rows from which a thread is worth its start: half a millisecond of work.
WORTH_A_THREAD = 2**15


class LinearMotion(NamedTuple):
    """Vertices that move linearly between the times 0 and 1, and how to bound them."""

    vertices_t0: Array
    vertices_t1: Array
    margins: Array
    end: float


def swept_bounds(
    vertices_t0: Array, vertices_t1: Array, ids: Ids, k: int = 6, margin: float = 0.0, end: float = 1.0
) -> Array:
    """Bound what is spanned by vertices that move linearly, over the times [0, end].

    Conservative: if two things with such bounds come within twice the margin of each other at some time in
    [0, end], their intervals overlap or touch along every direction.

    Parameters
    ----------
    vertices_t0, vertices_t1 : (v, 3) positions at the times 0 and 1
    ids : (n, m) int32, the vertices of each thing
    k : 6, 14, 16, 18 or 26
    margin : length by which to widen, along each direction, at both sides
    end : in [0, 1]

    Returns
    -------
    (n, k) bounds; at ``margin=0`` and ``end=1`` the box columns are exact
    """
    return union_bounds(vertex_bounds(vertices_t0, vertices_t1, k, margin, end), ids)


def vertex_bounds(
    vertices_t0: Array, vertices_t1: Array, k: int = 6, margin: float | Array = 0.0, end: float = 1.0
) -> Array:
    """Bound each vertex over the times [0, end]: `swept_bounds` of the vertices, which others may share.

    margin : one for all, or one for each vertex
    """
    margins = np.full(len(vertices_t0), margin, np.float64)
    motion = LinearMotion(vertices_t0, vertices_t1, margins, float(end))
    bounds = np.empty((len(vertices_t0), k))

    def sweep(first: int, last: int) -> None:
        _sweep_rows(first, last, motion, directions(k), bounds)

    on_ranges(sweep, len(bounds), WORTH_A_THREAD)
    return bounds


def union_bounds(bounds: Array, ids: Ids) -> Array:
    """Bound, for each row of `ids`, all the rows of `bounds` that it lists; exact."""
    unions = np.empty((len(ids), bounds.shape[1]))

    def unite(first: int, last: int) -> None:
        _unite_rows(first, last, bounds, ids, unions)

    on_ranges(unite, len(unions), WORTH_A_THREAD)
    return unions


def feature_bounds(motion: LinearMotion, k: int, faces: Ids, edges: Ids) -> tuple[Array, Array, Array]:
    """Bound all vertices, faces and edges of a surface: `vertex_bounds`, and `union_bounds` of them.

    Small ones in one call: what is around three takes as long as all that they do.
    """
    start = motion.vertices_t0
    if max(len(start), len(faces), len(edges)) >= WORTH_A_THREAD:
        bounds = vertex_bounds(start, motion.vertices_t1, k, motion.margins, motion.end)
        return bounds, union_bounds(bounds, faces), union_bounds(bounds, edges)
    bounds, of_faces, of_edges = (np.empty((len(rows), k)) for rows in (start, faces, edges))
    _bound_features(motion, directions(k), faces, edges, bounds, of_faces, of_edges)
    return bounds, of_faces, of_edges


@kernel
def _position_interval(x0: float, x1: float, end: float) -> tuple[float, float]:
    """Bound the position at the time `end`, within the positions at 0 and 1; exact at 1."""
    if end == 1.0:
        return x1, x1
    x = x0 + end * (x1 - x0)
    error = POSITION * (abs(x0) + abs(x1)) + TINY
    return max(x - error, min(x0, x1)), min(x + error, max(x0, x1))


@kernel
def _sweep_boxes(first: int, last: int, motion: LinearMotion, bounds: Array) -> None:
    """Write the intervals of the vertices [first, last) along the axes."""
    half = bounds.shape[1] // 2
    for row in range(first, last):
        margin = motion.margins[row]
        outward = OUTWARD if margin > 0.0 else 0.0
        for axis in range(3):
            x = motion.vertices_t0[row, axis]
            low, high = _position_interval(x, motion.vertices_t1[row, axis], motion.end)
            low, high = min(x, low) - margin, max(x, high) + margin
            bounds[row, axis] = low - outward * abs(low)
            bounds[row, half + axis] = high + outward * abs(high)


@kernel
def _sweep_slabs(first: int, last: int, motion: LinearMotion, along: Directions, bounds: Array) -> None:
    """Write the intervals of the vertices [first, last) along the other directions."""
    half, start, stop = bounds.shape[1] // 2, motion.vertices_t0, motion.vertices_t1
    for row in range(first, last):
        x, y, z = start[row, 0], start[row, 1], start[row, 2]
        xl, xh = _position_interval(x, stop[row, 0], motion.end)
        yl, yh = _position_interval(y, stop[row, 1], motion.end)
        zl, zh = _position_interval(z, stop[row, 2], motion.end)
        size = _largest(x, xl, xh) + _largest(y, yl, yh) + _largest(z, zl, zh)
        for j in range(3, half):
            d0, d1, d2 = along.vectors[0, j], along.vectors[1, j], along.vectors[2, j]
            wide = motion.margins[row] * along.lengths[j]
            error = PROJECTION * (size + wide) + TINY
            at_start = d0 * x + d1 * y + d2 * z
            low = min(d0 * xl, d0 * xh) + min(d1 * yl, d1 * yh) + min(d2 * zl, d2 * zh)
            high = max(d0 * xl, d0 * xh) + max(d1 * yl, d1 * yh) + max(d2 * zl, d2 * zh)
            bounds[row, j] = (min(at_start, low) - wide) - error
            bounds[row, half + j] = (max(at_start, high) + wide) + error


@kernel
def _largest(a: float, b: float, c: float) -> float:
    """Return the largest magnitude of three numbers."""
    return max(max(abs(a), abs(b)), abs(c))


@kernel
def _sweep(first: int, last: int, motion: LinearMotion, along: Directions, bounds: Array) -> None:
    """Write the bounds of the vertices [first, last)."""
    _sweep_boxes(first, last, motion, bounds)
    if bounds.shape[1] > 6:
        _sweep_slabs(first, last, motion, along, bounds)


@driver
def _sweep_rows(first: int, last: int, motion: LinearMotion, along: Directions, bounds: Array) -> None:
    """Write the bounds of the vertices [first, last)."""
    _sweep(first, last, motion, along, bounds)


@driver
def _bound_features(
    motion: LinearMotion,
    along: Directions,
    faces: Ids,
    edges: Ids,
    bounds: Array,
    face_bounds: Array,
    edge_bounds: Array,
) -> None:
    """Write the bounds of all vertices, faces and edges."""
    first = int(np.int64(0))  # not a plain zero: functions are compiled for a constant argument apart
    _sweep(first, len(bounds), motion, along, bounds)
    _unite(first, len(faces), bounds, faces, face_bounds)
    _unite(first, len(edges), bounds, edges, edge_bounds)


@driver
def _unite_rows(first: int, last: int, bounds: Array, ids: Ids, unions: Array) -> None:
    """Write the unions of the rows [first, last) of ids."""
    _unite(first, last, bounds, ids, unions)


@kernel
def _unite(first: int, last: int, bounds: Array, ids: Ids, unions: Array) -> None:
    """Write the unions of the rows [first, last) of ids; a missing third or second one repeats another."""
    half, m = bounds.shape[1] // 2, ids.shape[1]
    for row in range(first, last):
        a, b, c = ids[row, 0], ids[row, m // 2], ids[row, m - 1]
        for j in range(half):
            unions[row, j] = min(min(bounds[a, j], bounds[b, j]), bounds[c, j])
            unions[row, half + j] = max(max(bounds[a, half + j], bounds[b, half + j]), bounds[c, half + j])
