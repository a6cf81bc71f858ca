"""Pairs of overlapping boxes of similar sizes from a uniform grid, each time anew.

There are about as many cells as boxes, and none is smaller than a box is in the mean: so a box is in few, and
few are in a cell. A pair is told in one of the cells that both are in, that of the lower corner of what they
have in common. Which cell a place is in goes up with its coordinates, rounding and all, and what lies outside
counts as in the cells at the border: so a common point of two boxes is in a cell that both are in.

Boxes that are much larger than the others, as a floor is, are held against all others one by one. Where these
are many, or boxes crowd in a few of the cells, the grid gives up: sorted lists take that as it comes.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import INFINITY, Array, Flags, Ids, Keys
from firstcontact.broadphase.pairs import MOST_PAIRS, have_common_point
from firstcontact.hierarchy.pair_key import HALF

# What a driver returns in place of a number of pairs where it has given up.
GIVEN_UP = -1

# Boxes within this many times the size of the mean have a part in the next, which cells are made for.
LIKE_THE_MEAN = 4.0

# Cells that a box may be in; what is in more of them is held against all others. And how many such may be.
MOST_CELLS, MOST_LARGE = 64, 16

# Places in cells for each box, and tests of two of them, with which sorted lists would be as fast.
MOST_PLACES, MOST_TESTS = 6, 24

# Cells along an axis: so many that their numbers are exact, and few beside none.
MOST_ALONG = 1 << 10


class Grid(NamedTuple):
    """Where cells are: the lower end of all, cells in a unit of length, and their number, along each axis."""

    lower: tuple[float, float, float]
    scale: tuple[float, float, float]
    counts: tuple[int, int, int]


def grid_pairs(boxes: Array, is_active: Flags) -> Keys | None:
    """List all pairs of boxes (n, 6) that overlap, as sorted keys; None where a grid is not worth it."""
    n = len(boxes)
    starts, places = np.empty(n + 2, np.int32), np.empty(MOST_PLACES * n + 1, np.int32)
    found = np.empty(4 * n + 64, np.int64)
    n_found = _list(boxes, is_active, starts, places, found)
    if n_found > len(found):
        found = np.empty(n_found, np.int64)
        n_found = _list(boxes, is_active, starts, places, found)
    if n_found == GIVEN_UP:
        return None
    found = found[:n_found]
    found.sort()
    return found


@driver
def _list(boxes: Array, is_active: Flags, starts: Ids, places: Ids, found: Keys) -> int:
    """Write the pairs that overlap, as keys; return how many there are, also where there is no room for them.

    starts, places : room for where the boxes of each cell begin, and for these
    """
    is_worth_it, grid = _grid_for(boxes, is_active, len(starts) - 2)
    large, n_large = np.empty(MOST_LARGE, np.int32), int(np.int64(0))
    if not is_worth_it:
        return GIVEN_UP
    n_x, n_y, n_z = grid.counts
    n_cells = n_x * n_y * n_z
    for cell in range(n_cells + 1):
        starts[cell] = 0
    for i in range(len(boxes)):
        if is_active[i]:
            x0, y0, z0, x1, y1, z1 = _cells_of(boxes, i, grid)
            if (x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1) > MOST_CELLS:
                if n_large == MOST_LARGE:
                    return GIVEN_UP
                large[n_large] = i
                n_large += 1
                continue
            for x in range(x0, x1 + 1):
                for y in range(y0, y1 + 1):
                    for z in range(z0, z1 + 1):
                        starts[(x * n_y + y) * n_z + z] += 1
    if not _are_few(starts, n_cells, len(boxes)):
        return GIVEN_UP
    _place(boxes, is_active, grid, starts, places)
    n = _pairs_in_cells(boxes, grid, starts, places, found)
    n = _pairs_of_large(boxes, is_active, large[:n_large], found, n)
    return n if n <= MOST_PAIRS else GIVEN_UP


@kernel
def _grid_for(boxes: Array, is_active: Flags, most: int) -> tuple[bool, Grid]:
    """Lay a grid of no more cells than that; False where boxes have no end, or are not there."""
    lower, upper = (INFINITY, INFINITY, INFINITY), (-INFINITY, -INFINITY, -INFINITY)
    size, n = (0.0, 0.0, 0.0), 0
    for i in range(len(boxes)):
        if is_active[i]:
            b = boxes[i]
            x, y, z = 0.5 * b[0] + 0.5 * b[3], 0.5 * b[1] + 0.5 * b[4], 0.5 * b[2] + 0.5 * b[5]
            lower = min(lower[0], x), min(lower[1], y), min(lower[2], z)
            upper = max(upper[0], x), max(upper[1], y), max(upper[2], z)
            size = size[0] + (b[3] - b[0]), size[1] + (b[4] - b[1]), size[2] + (b[5] - b[2])
            n += 1
    none = Grid(lower, (0.0, 0.0, 0.0), (1, 1, 1))
    if n == 0 or not size[0] + size[1] + size[2] < INFINITY:
        return False, none
    size = size[0] / n, size[1] / n, size[2] / n
    size = _mean_of_alike(boxes, is_active, size)
    c_x, c_y, c_z = (
        _cells_along(upper[0] - lower[0], size[0]),
        _cells_along(upper[1] - lower[1], size[1]),
        _cells_along(upper[2] - lower[2], size[2]),
    )
    for _ in range(3):  # an axis that comes to its last cell leaves more to the others
        many = c_x * c_y * c_z
        if many > most:
            n_axes = (c_x > 1.0) + (c_y > 1.0) + (c_z > 1.0)
            part = (most / many) ** (1.0 / n_axes)
            c_x, c_y, c_z = max(c_x * part, 1.0), max(c_y * part, 1.0), max(c_z * part, 1.0)
    counts = int(c_x), int(c_y), int(c_z)
    if counts[0] * counts[1] * counts[2] > most:
        return False, none
    scale = (
        _per_length(counts[0], upper[0] - lower[0]),
        _per_length(counts[1], upper[1] - lower[1]),
        _per_length(counts[2], upper[2] - lower[2]),
    )
    return scale[0] + scale[1] + scale[2] < INFINITY, Grid(lower, scale, counts)


@kernel
def _mean_of_alike(
    boxes: Array, is_active: Flags, size: tuple[float, float, float]
) -> tuple[float, float, float]:
    """Mean size of the boxes that are not much larger than a mean."""
    most = LIKE_THE_MEAN * (size[0] + size[1] + size[2])
    x, y, z, n = 0.0, 0.0, 0.0, 0
    for i in range(len(boxes)):
        b = boxes[i]
        w, h, d = b[3] - b[0], b[4] - b[1], b[5] - b[2]
        if is_active[i] and w + h + d <= most:
            x, y, z, n = x + w, y + h, z + d, n + 1
    return (x / n, y / n, z / n) if n > 0 else size


@kernel
def _cells_along(extent: float, size: float) -> float:
    """How many cells of a size there may be; a fraction."""
    return min(max(extent / size, 1.0), float(MOST_ALONG)) if size > 0.0 else float(MOST_ALONG)


@kernel
def _per_length(count: int, extent: float) -> float:
    return count / extent if extent > 0.0 else 0.0


@kernel
def _cell(place: float, lower: float, scale: float, count: int) -> int:
    """Number of the cell that a place is in, or of the one at the border: never less for a larger place."""
    return int(min(max((place - lower) * scale, 0.0), count - 1.0))


@kernel
def _cells_of(boxes: Array, i: int, grid: Grid) -> tuple[int, int, int, int, int, int]:
    """First and last cells of a box."""
    b, lower, scale, counts = boxes[i], grid.lower, grid.scale, grid.counts
    return (
        _cell(b[0], lower[0], scale[0], counts[0]),
        _cell(b[1], lower[1], scale[1], counts[1]),
        _cell(b[2], lower[2], scale[2], counts[2]),
        _cell(b[3], lower[0], scale[0], counts[0]),
        _cell(b[4], lower[1], scale[1], counts[1]),
        _cell(b[5], lower[2], scale[2], counts[2]),
    )


@kernel
def _are_few(starts: Ids, n_cells: int, n_boxes: int) -> bool:
    """Are places in cells few, and tests of two in a cell? Then turn counts into where each cell ends."""
    n_places = n_tests = 0
    for cell in range(n_cells):
        own = int(np.int64(starts[cell]))
        n_tests += own * (own - 1) // 2
        n_places += own
        starts[cell] = n_places
    starts[n_cells] = n_places
    return n_places <= MOST_PLACES * n_boxes and n_tests <= MOST_TESTS * n_boxes


@kernel
def _place(boxes: Array, is_active: Flags, grid: Grid, starts: Ids, places: Ids) -> None:
    """Put the boxes into their cells, in order: from the last one on, each before those that are there."""
    _, n_y, n_z = grid.counts
    for k in range(len(boxes)):
        i = len(boxes) - 1 - k
        if is_active[i]:
            x0, y0, z0, x1, y1, z1 = _cells_of(boxes, i, grid)
            if (x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1) <= MOST_CELLS:
                for x in range(x0, x1 + 1):
                    for y in range(y0, y1 + 1):
                        for z in range(z0, z1 + 1):
                            cell = (x * n_y + y) * n_z + z
                            starts[cell] -= 1
                            places[starts[cell]] = i


@kernel
def _pairs_in_cells(boxes: Array, grid: Grid, starts: Ids, places: Ids, found: Keys) -> int:
    """Write every pair that overlaps, in the cell of the lower corner of what they have in common."""
    lower, scale, (n_x, n_y, n_z) = grid.lower, grid.scale, grid.counts
    n = cell = 0
    for x in range(n_x):
        for y in range(n_y):
            for z in range(n_z):
                first, last = int(np.int64(starts[cell])), int(np.int64(starts[cell + 1]))
                cell += 1
                for k in range(first, last - 1):
                    i = int(np.int64(places[k]))
                    for m in range(k + 1, last):
                        j = int(np.int64(places[m]))
                        if not have_common_point(boxes, i, j):
                            continue
                        is_here = _cell(max(boxes[i, 0], boxes[j, 0]), lower[0], scale[0], n_x) == x
                        is_here &= _cell(max(boxes[i, 1], boxes[j, 1]), lower[1], scale[1], n_y) == y
                        is_here &= _cell(max(boxes[i, 2], boxes[j, 2]), lower[2], scale[2], n_z) == z
                        if is_here:
                            if n < len(found):
                                found[n] = i << HALF | j
                            n += 1
    return n


@kernel
def _pairs_of_large(boxes: Array, is_active: Flags, large: Ids, found: Keys, n: int) -> int:
    """Write the pairs of boxes that are in no cell, with all others, and with those after them."""
    for k in range(len(large)):
        i = int(np.int64(large[k]))
        for j in range(len(boxes)):
            if not is_active[j] or j == i or not have_common_point(boxes, i, j):
                continue
            is_told = False
            for m in range(k):
                is_told |= large[m] == j
            if not is_told:
                if n < len(found):
                    found[n] = min(i, j) << HALF | max(i, j)
                n += 1
    return n
