"""The surface of cells of a grid: a closed mesh of few faces.

Sides of cells that have no neighbour are joined to rectangles. Where the corner of one is on a side of
another, that one has a corner there, too: every edge is that of a face in each direction, and the mesh is
closed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array

Cells = NDArray[np.int64]


class Loops(NamedTuple):
    """The vertices around rectangles, one rectangle after the other.

    ids : (t,) vertices; counts : (m,) how many of them each rectangle has; places : (v, 3) on the grid
    """

    ids: Cells
    counts: Cells
    places: Cells


def packed(places: Cells, spans: Cells, last: int = 2) -> Cells:
    """One number for each place of a grid, (n,), that ascends with its coordinates, quickest along one."""
    first, second = (last + 1) % 3, (last + 2) % 3
    found: Cells = (places[:, first] * spans[second] + places[:, second]) * spans[last] + places[:, last]
    return found


def is_among(keys: Cells, asked: Cells) -> NDArray[np.bool_]:
    """Which numbers are among others, which ascend?"""
    found = np.searchsorted(keys, asked)
    there: NDArray[np.bool_] = keys[np.minimum(found, len(keys) - 1)] == asked
    return there


def skin(cells: Cells) -> tuple[Array, NDArray[np.int32]]:
    """Vertices (v, 3), in units of the grid, and faces (m, 3) of the surface of different cells (n, 3)."""
    low = cells.min(axis=0) - 1
    local = cells - low  # no neighbour is out of the box
    rectangles = np.concatenate([_rectangles(local, axis, side) for axis in range(3) for side in range(2)])
    loops = _loops(rectangles)
    middles = 0.5 * (rectangles[:, 0] + rectangles[:, 2])
    is_plain = loops.counts == 4
    firsts = np.cumsum(loops.counts) - loops.counts
    square = loops.ids[firsts[is_plain, np.newaxis] + np.arange(4)]
    halves = square[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)
    # Others are fans around their middles.
    following = np.arange(1, len(loops.ids) + 1)
    following[firsts + loops.counts - 1] = firsts
    owners = np.repeat(np.arange(len(rectangles)), loops.counts)
    numbers = len(loops.places) + np.cumsum(~is_plain) - 1
    around = np.flatnonzero(~is_plain[owners])
    fans = np.stack([numbers[owners[around]], loops.ids[around], loops.ids[following[around]]], axis=1)
    vertices = np.concatenate([loops.places, middles[~is_plain]]) + low
    return vertices, np.concatenate([halves, fans]).astype(np.int32)


def _rectangles(local: Cells, axis: int, side: int) -> Cells:
    """The open sides of cells that look up or down an axis, joined: corners (m, 4, 3)."""
    spans = local.max(axis=0) + 2
    keys = np.sort(packed(local, spans))
    beside = local.copy()
    beside[:, axis] += 2 * side - 1
    own = local[~is_among(keys, packed(beside, spans))]
    u, v = (axis + 1) % 3, (axis + 2) % 3
    own = own[np.argsort(packed(own, spans, v))]
    first, last = _runs(own[:, v], own[:, axis], own[:, u])
    plane, row, low, high = own[first, axis] + side, own[first, u], own[first, v], own[last, v] + 1
    order = np.lexsort((row, high, low, plane))
    plane, row, low, high = plane[order], row[order], low[order], high[order]
    first, last = _runs(row, plane, low, high)
    corners = np.empty((len(first), 4, 3), np.int64)
    corners[:, :, axis] = plane[first, np.newaxis]
    corners[:, [0, 3], u], corners[:, [1, 2], u] = row[first, np.newaxis], row[last, np.newaxis] + 1
    corners[:, [0, 1], v], corners[:, [2, 3], v] = low[first, np.newaxis], high[first, np.newaxis]
    return corners if side else corners[:, ::-1]


def _runs(along: Cells, *fixed: Cells) -> tuple[Cells, Cells]:
    """Join rows, in order, that follow one another along a number and agree in all others.

    The first and the last row of each run.
    """
    is_next = along[1:] == along[:-1] + 1
    for column in fixed:
        is_next &= column[1:] == column[:-1]
    is_first = np.concatenate([np.ones(min(len(along), 1), np.bool_), ~is_next])
    return np.flatnonzero(is_first), np.flatnonzero(np.roll(is_first, -1))


def _loops(rectangles: Cells) -> Loops:
    """The vertices around rectangles: their corners, and corners of others on their sides."""
    starts, ends = rectangles.reshape(-1, 3), np.roll(rectangles, -1, axis=1).reshape(-1, 3)
    spans = starts.max(axis=0) + 1
    places = starts[np.unique(packed(starts, spans), return_index=True)[1]]
    firsts, steps = np.empty(len(starts), np.int64), np.empty(len(starts), np.int64)
    between, orders = np.empty(len(starts), np.int64), np.empty((3, len(places)), np.int64)
    axes = np.argmax(starts != ends, axis=1)
    for axis in range(3):
        keys = packed(places, spans, axis)
        orders[axis] = np.argsort(keys)
        own = axes == axis
        there = np.searchsorted(
            keys[orders[axis]], [packed(starts[own], spans, axis), packed(ends[own], spans, axis)]
        )
        firsts[own], steps[own] = there[0], np.sign(there[1] - there[0])
        between[own] = np.abs(there[1] - there[0])
    side = np.repeat(np.arange(len(starts)), between)
    at = np.arange(len(side)) - np.repeat(np.cumsum(between) - between, between)
    ids = orders[axes[side], firsts[side] + at * steps[side]]
    return Loops(ids, between.reshape(-1, 4).sum(axis=1), places)
