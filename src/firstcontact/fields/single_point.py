"""A single point in a field, in one call: the value there, the derivative, and where the shape is.

What is no plain point, and what is wrong with it, is left to who takes many: here it has no value.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel, plain_driver
from firstcontact.arrays import Array, Ids
from firstcontact.fields.field_values import gradient_at, value_at
from firstcontact.fields.octree import Grid, Octree, Values
from firstcontact.motions.standing_rows import is_standing, is_vector, seen_by, vector_in

# Columns of what is known of a field: its grid.
LOWER = 0  # three
WIDTH = 3
SHAPE = 4  # three
N_GRID = 7


class PackedOctree(NamedTuple):
    """An octree as a query about one point takes it: the grid in numbers, links and values."""

    numbers: Array
    links: Ids
    values: Values


def packed_octree(octree: Octree) -> PackedOctree:
    """Pack an octree; its arrays are kept, not copied."""
    grid = octree.grid
    return PackedOctree(np.array([*grid.lower, grid.width, *grid.shape]), octree.links, octree.values)


@plain_driver(1, 0, 0, 1, 1)
def value_of_point(numbers: Array, links: Ids, values: Values, rows: Array, point: Array) -> float:
    """Value at a point of a field that stands somewhere; NaN where it is none, or the field moves."""
    if not (is_standing(rows) and is_vector(point)):
        return np.nan
    return value_at(octree_in(numbers, links, values), seen_by(rows, (point[0], point[1], point[2])))


@plain_driver(1, 0, 0, 1, 1)
def gradient_of_point(numbers: Array, links: Ids, values: Values, point: Array, out: Array) -> bool:
    """Write the derivative at a point; False where it is none."""
    if not is_vector(point):
        return False
    _, g = gradient_at(octree_in(numbers, links, values), (point[0], point[1], point[2]))
    out[0], out[1], out[2] = g
    return True


@kernel
def octree_in(numbers: Array, links: Ids, values: Values) -> Octree:
    """Read an octree."""
    shape = int(numbers[SHAPE]), int(numbers[SHAPE + 1]), int(numbers[SHAPE + 2])
    return Octree(Grid(vector_in(numbers, LOWER), numbers[WIDTH], shape), links, values)
