"""The lower of two fields, either with its sign turned: what unions, intersections and differences are.

Each field is trilinear in its leaves, and so is a function in a cell: their difference is largest at a corner
of what a leaf and the cell have in common (docs/fields.md).
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Flags, Keys
from firstcontact.fields.building.cell_proof import ROOT_3, SINGLE, Allowed, Cells, Corners, Frame, Singles
from firstcontact.fields.building.core_proof import Values, between
from firstcontact.fields.field_values import value_at
from firstcontact.fields.octree import DEEPEST, Octree
from firstcontact.scalar.vec3 import Vec3, add

# Columns of a node that waits: its link, its place in units of its width, and its depth.
LINK, PLACE, DEPTH, N_COLUMNS = 0, 1, 4, 5

# A proof looks at parts of a cell this often along each side: the whole, halves, quarters.
PARTS = (1, 2, 4)


class Mixture(NamedTuple):
    """``sign * min(signs[0] * one, signs[1] * other)``, and how far off both fields may be."""

    one: Octree
    other: Octree
    sign: float
    signs: tuple[float, float]
    tolerances: tuple[float, float]


class Part(NamedTuple):
    """A box, from its lowest corner on, and the function there: that of a cell with values at its corners."""

    low: Vec3
    width: float
    values: Values


def mixture_room() -> Keys:
    """Make room for the nodes of a field that wait."""
    return np.empty((8 * DEEPEST + 8, N_COLUMNS), np.int64)


@driver
def measure_mixture(mixture: Mixture, points: Array, values: Singles) -> None:
    """Write the values at points (n, 3)."""
    for i in range(len(points)):
        p = points[i, 0], points[i, 1], points[i, 2]
        a, b = mixture.signs[0] * value_at(mixture.one, p), mixture.signs[1] * value_at(mixture.other, p)
        values[i] = mixture.sign * min(a, b)


@driver
def prove_mixture_range(
    mixture: Mixture,
    cells: Cells,
    corners: Corners,
    where: tuple[Frame, Allowed],
    room: Keys,
    is_proven: Flags,
    span: tuple[int, int],
) -> None:
    """Decide about the cells [first, last)."""
    frame, allowed = where
    # Lipschitz: what both fields are of changes by no more than a diagonal.
    known = max(mixture.tolerances[0], mixture.tolerances[1]) + ROOT_3 * frame.width * (1.0 + 1e-12)
    for i in range(span[0], span[1]):
        ids, lowest, v, sign = cells.corners[i], cells.lowest[i], corners.values, mixture.sign
        values = (
            sign * float(v[ids[0]]),
            sign * float(v[ids[1]]),
            sign * float(v[ids[2]]),
            sign * float(v[ids[3]]),
            sign * float(v[ids[4]]),
            sign * float(v[ids[5]]),
            sign * float(v[ids[6]]),
            sign * float(v[ids[7]]),
        )
        place = lowest[0] * frame.width, lowest[1] * frame.width, lowest[2] * frame.width
        cell = Part(add(frame.lower, place), frame.width, values)
        largest = max(abs(min(values)), abs(max(values)))
        is_small = known + SINGLE * largest <= allowed.tolerance
        is_proven[i] = is_small or _prove(mixture, cell, allowed.tolerance, room)


@kernel
def _prove(mixture: Mixture, cell: Part, tolerance: float, room: Keys) -> bool:
    """Prove a cell, or all parts of it, or all parts of those."""
    for n in PARTS:
        is_good, can_be = True, True
        for i in range(n * n * n):
            if is_good:
                is_good, can_be = _prove_part(
                    mixture, cell, (i % n, i // n % n, i // n // n, n), tolerance, room
                )
        if is_good or not can_be:
            return is_good
    return False


@kernel
def _prove_part(
    mixture: Mixture, cell: Part, part: tuple[int, int, int, int], tolerance: float, room: Keys
) -> tuple[bool, bool]:
    """Is the function in a part nowhere off; and can it be nowhere off, for all that is known?"""
    x, y, z, n = part
    size = 1.0 / n
    low, high = (size * x, size * y, size * z), (size * (x + 1), size * (y + 1), size * (z + 1))
    spare = tolerance - mixture.tolerances[0], tolerance - mixture.tolerances[1]
    over, under = _range_of(mixture.one, mixture.signs[0], cell, (low, high), room)
    if under > spare[0]:
        return False, False
    over_2, under_2 = _range_of(mixture.other, mixture.signs[1], cell, (low, high), room)
    if under_2 > spare[1]:
        return False, False
    return over <= spare[0] or over_2 <= spare[1], True


@kernel
def _range_of(
    octree: Octree, sign: float, cell: Part, box: tuple[Vec3, Vec3], room: Keys
) -> tuple[float, float]:
    """By how much a field is above the function in a part of a cell, and below it, at most."""
    grid, (low, high) = octree.grid, box
    scale, (nx, ny, nz) = cell.width / grid.width, grid.shape
    start = (
        (cell.low[0] - grid.lower[0]) / grid.width,
        (cell.low[1] - grid.lower[1]) / grid.width,
        (cell.low[2] - grid.lower[2]) / grid.width,
    )
    first = (
        _cube(start[0] + scale * low[0], nx),
        _cube(start[1] + scale * low[1], ny),
        _cube(start[2] + scale * low[2], nz),
    )
    last = (
        _cube(start[0] + scale * high[0], nx),
        _cube(start[1] + scale * high[1], ny),
        _cube(start[2] + scale * high[2], nz),
    )
    over, under = -np.inf, -np.inf
    for i in range(first[0], last[0] + 1):
        for j in range(first[1], last[1] + 1):
            for k in range(first[2], last[2] + 1):
                room[0, LINK], room[0, DEPTH] = octree.links[(i * ny + j) * nz + k], 0
                room[0, PLACE], room[0, PLACE + 1], room[0, PLACE + 2] = i, j, k
                more, less = _range_below(octree, sign, cell, (low, high), (start, scale), room)
                over, under = max(over, more), max(under, less)
    return over, under


@kernel
def _cube(x: float, n: int) -> int:
    return min(max(int(np.floor(x)), 0), n - 1)


@kernel
def _range_below(
    octree: Octree,
    sign: float,
    cell: Part,
    box: tuple[Vec3, Vec3],
    placed: tuple[Vec3, float],
    room: Keys,
) -> tuple[float, float]:
    """The same for the leaves below one cube of the field's grid, which waits in the first row."""
    start, scale = placed
    over, under, top = -np.inf, -np.inf, 0
    while top >= 0:
        link, depth = room[top, LINK], room[top, DEPTH]
        x, y, z = room[top, PLACE], room[top, PLACE + 1], room[top, PLACE + 2]
        size = 1.0 / (1 << depth)
        # What the node and the part have in common, in parts of the cell.
        ax, bx = _common(x * size, size, start[0], scale, box[0][0], box[1][0])
        ay, by = _common(y * size, size, start[1], scale, box[0][1], box[1][1])
        az, bz = _common(z * size, size, start[2], scale, box[0][2], box[1][2])
        top -= 1
        if ax > bx or ay > by or az > bz:
            continue
        if link >= 0:
            for i in range(8):
                top += 1
                room[top, LINK], room[top, DEPTH] = octree.links[link + i], depth + 1
                room[top, PLACE], room[top, PLACE + 1] = 2 * x + (i & 1), 2 * y + (i >> 1 & 1)
                room[top, PLACE + 2] = 2 * z + (i >> 2)
            continue
        v = octree.values[-1 - link]
        own = (
            sign * float(v[0]),
            sign * float(v[1]),
            sign * float(v[2]),
            sign * float(v[3]),
            sign * float(v[4]),
            sign * float(v[5]),
            sign * float(v[6]),
            sign * float(v[7]),
        )
        for i in range(8):
            px, py, pz = bx if i & 1 else ax, by if i & 2 else ay, bz if i & 4 else az
            local = (
                _local(start[0] + scale * px, x, size),
                _local(start[1] + scale * py, y, size),
                _local(start[2] + scale * pz, z, size),
            )
            rest = between(own, local[0], local[1], local[2]) - between(cell.values, px, py, pz)
            over, under = max(over, rest), max(under, -rest)
    return over, under


@kernel
def _common(
    low: float, size: float, start: float, scale: float, first: float, last: float
) -> tuple[float, float]:
    """What [first, last], in parts of a cell, and [low, low + size], in cubes, have in common."""
    return max((low - start) / scale, first), min((low + size - start) / scale, last)


@kernel
def _local(place: float, at: int, size: float) -> float:
    """Where a place, in cubes, is in a node, in [0, 1]."""
    return min(max(place / size - at, 0.0), 1.0)
