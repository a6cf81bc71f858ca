"""The octree of a field: cubes side by side, each split into eight where need be, with values at corners."""

from math import frexp, ldexp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Ids
from firstcontact.scalar.vec3 import Vec3

# Along the longest side of the box there are so many cubes, or up to twice as many.
FEWEST_ROOTS = 8

# Thin boxes, and boxes far from the origin, have more, but never more than so many: places are counted in 32
# bits.
MOST_ROOTS = 1024

# No side of a box is longer: distances in it are finite in single precision.
LONGEST_SIDE = 2.0**125

# No tolerance is less than this part of the box's diagonal: single precision has too few digits for it.
LEAST_TOLERANCE = 2.0**-20

# A cube is split so often at most: corners are exact in double precision, with digits to spare.
DEEPEST = 16

Values = NDArray[np.float32]


class Grid(NamedTuple):
    """Cubes side by side: their width, a power of two, how many along each axis, and the lowest corner."""

    lower: Vec3
    width: float
    shape: tuple[int, int, int]


class Octree(NamedTuple):
    """Nodes of a field's cells; the first are the cubes of the grid, the last axis first.

    links : (n,) where the eight children of a node begin; of a leaf, -1 less its number
    values : (m, 8) at the corners of each leaf; bits 0, 1, 2 of a corner's number are the ends of x, y, z
    """

    grid: Grid
    links: Ids
    values: Values


def grid_around(lower: Array, upper: Array) -> Grid:
    """Cubes that cover a box; their corners, and those of their parts, are exact."""
    longest = float((upper - lower).max())
    width = ldexp(1.0, frexp(longest / FEWEST_ROOTS)[1] - 1)
    step = _step_of(width, lower, upper)
    start = np.floor(lower / step) * step
    n = np.maximum(np.ceil((upper - start) / width), 1).astype(int)
    a, b, c = start.tolist()
    return Grid((a, b, c), width, (int(n[0]), int(n[1]), int(n[2])))


def grid_within(lower: Array, upper: Array) -> Grid:
    """Cubes within a box, as many as there is room for, in its middle; their corners are exact."""
    longest = float((upper - lower).max())
    width = ldexp(1.0, frexp(longest / FEWEST_ROOTS)[1] - 1)
    while width > float((upper - lower).min()) / 2.0:
        width *= 0.5
    step = _step_of(width, lower, upper)
    n = np.maximum(np.floor((upper - lower - step) / width), 1).astype(int)
    start = np.ceil((lower + 0.5 * (upper - lower - step - n * width)) / step) * step
    a, b, c = start.tolist()
    return Grid((a, b, c), width, (int(n[0]), int(n[1]), int(n[2])))


def _step_of(width: float, lower: Array, upper: Array) -> float:
    """Corners are whole multiples of a small part of the width, or as fine as doubles are there."""
    return max(width / 1024, ldexp(1.0, frexp(float(np.abs([lower, upper]).max()))[1] - 53 + DEEPEST))


def upper_of(grid: Grid) -> Array:
    """The upper corner of a grid."""
    return np.array(grid.lower) + grid.width * np.array(grid.shape)
