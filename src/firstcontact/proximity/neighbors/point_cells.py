"""Points in cells of space a little wider than a radius: who is within it is in the same cell or beside it.

A cell is a key, a whole number: its places along the three axes, each with room for one more place, which
stays empty. So x runs fastest, three cells along x are three keys in a row, and no row runs into the next.
Only cells with points are kept, in order of their keys: a table of all cells would have no bounds.

Where space has too many cells, along each axis what is farther from all before it than the radius begins a
cell next to theirs: no two points are near each other across the gap, and n points take up n cells at most,
however far away some of them are. Should keys still be too long, two cells make one along the longest axis.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, on_ranges
from firstcontact.arrays import Array, Ids, Keys

# A cell is wider than the radius by this part of it. Places along an axis, in units of cells, are found to
# three roundings of at most MOST_ALONG: two points within the radius are less than one cell apart, still.
WIDER, MOST_ALONG = 2.0**-16, 2.0**31

# Bits of a key below its sign, less one, so that sums of keys do not overflow.
KEY_BITS = 62

WORTH_A_THREAD = 1 << 15


class PointCells(NamedTuple):
    """Points in the order of their cells.

    keys : (m,) int64, of the cells with points, increasing
    starts : (m + 1,) int64, the first point of each, and the end
    order : (n,) int32, which point it was
    places : (3, n), its coordinates
    """

    keys: Keys
    starts: Keys
    order: Ids
    places: Array


class Strides(NamedTuple):
    """What a key grows by from a cell to the next along y, and along z; along x it is one."""

    y: int
    z: int


def cells_of(sets: tuple[Array, ...], radius: float) -> tuple[tuple[PointCells, ...], Strides]:
    """Put sets of points (n, 3), none of them empty, into cells of the same space."""
    id_bits = max(max(map(len, sets)) - 1, 1).bit_length()
    bounds = np.repeat([[np.inf], [-np.inf]], 3, axis=1)
    for points in sets:
        _widen(points, bounds)
    low, high = bounds
    per_length = 1.0 / (radius * (1.0 + WIDER)) if radius > 0.0 else 0.0
    sides = (high - low) * per_length + 2.0  # one for the last cell, and one that stays empty
    is_small = bool(np.prod(sides) < 2.0 ** (KEY_BITS - id_bits)) and bool(sides.max() < MOST_ALONG)
    if is_small and radius > 0.0:
        whole = [int(side) for side in sides]
        strides = Strides(whole[0], whole[0] * whole[1])
        keys = [_keys(points, low, per_length, strides) for points in sets]
    else:
        keys, strides = _close_keys(sets, radius, per_length)
    return tuple(map(_in_order, sets, keys)), strides


@driver
def _widen(points: Array, bounds: Array) -> None:
    """Make bounds (2, 3) hold all points; a tenth of the time that NumPy takes along the first axis."""
    for axis in range(3):
        low, high = bounds[0, axis], bounds[1, axis]
        for i in range(len(points)):
            low, high = min(low, points[i, axis]), max(high, points[i, axis])
        bounds[0, axis], bounds[1, axis] = low, high


def _keys(points: Array, low: Array, per_length: float, strides: Strides) -> Keys:
    keys = np.empty(len(points), np.int64)

    def task(first: int, last: int) -> None:
        _write_keys(points, low, per_length, strides, keys, first, last)

    on_ranges(task, len(points), WORTH_A_THREAD)
    return keys


@driver
def _write_keys(
    points: Array, low: Array, per_length: float, strides: Strides, keys: Keys, first: int, last: int
) -> None:
    x0, y0, z0 = low[0], low[1], low[2]
    for i in range(first, last):
        x, y, z = points[i, 0] - x0, points[i, 1] - y0, points[i, 2] - z0
        keys[i] = int(x * per_length) + int(y * per_length) * strides.y + int(z * per_length) * strides.z


def _close_keys(sets: tuple[Array, ...], radius: float, per_length: float) -> tuple[list[Keys], Strides]:
    """Keys in a space without its gaps."""
    points = np.concatenate(sets)
    cells = np.empty((3, len(points)), np.int64)
    for axis in range(3):
        along = np.ascontiguousarray(points[:, axis])
        _close_gaps(along, np.argsort(along), radius, per_length, cells[axis])
    sides = [int(side) + 2 for side in cells.max(axis=1)]
    while sides[0] * sides[1] * sides[2] >= 1 << KEY_BITS:
        axis = int(np.argmax(sides))
        cells[axis] >>= 1
        sides[axis] = int(cells[axis].max()) + 2
    strides = Strides(sides[0], sides[0] * sides[1])
    keys = cells[0] + strides.y * cells[1] + strides.z * cells[2]
    return np.split(keys, np.cumsum([len(one) for one in sets])[:-1]), strides


@driver
def _close_gaps(along: Array, order: Keys, radius: float, per_length: float, cells: Keys) -> None:
    """Number the cells of coordinates that are sorted by `order`; what is beyond a gap begins the next.

    A difference that is above the radius after rounding is above it.
    """
    start, base, cell = along[order[0]], 0, 0
    before = start
    for k in range(len(order)):
        here = along[order[k]]
        if here - before > radius:
            start, base = here, cell + 1
        cell = base + int((here - start) * per_length)
        cells[order[k]] = cell
        before = here


def _in_order(points: Array, keys: Keys) -> PointCells:
    """Sort points by the keys of their cells, and within a cell by their numbers."""
    n = len(points)
    id_bits = max(n - 1, 1).bit_length()
    if int(keys.max()).bit_length() + id_bits <= KEY_BITS:
        keys = (keys << id_bits) | np.arange(n)
        keys.sort()  # a tenth of the time that `argsort` takes
        order = (keys & ((1 << id_bits) - 1)).astype(np.int32)
        keys >>= id_bits
    else:
        order = np.argsort(keys, kind="stable").astype(np.int32)
        keys = keys[order]
    is_first = np.empty(n + 1, np.bool_)
    is_first[0] = is_first[n] = True
    np.not_equal(keys[1:], keys[:-1], out=is_first[1:n])
    starts, places = np.flatnonzero(is_first), np.empty((3, n))

    def task(first: int, last: int) -> None:
        _put(points, order, places, first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    return PointCells(keys[starts[:-1]], starts, order, places)


@driver
def _put(points: Array, order: Ids, places: Array, first: int, last: int) -> None:
    """Write the coordinates of points in an order."""
    for i in range(first, last):
        point = order[i]
        places[0, i], places[1, i], places[2, i] = points[point, 0], points[point, 1], points[point, 2]
