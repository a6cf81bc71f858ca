"""A convex shape in one array, as queries about single things take it: what is handed over takes its time."""

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.scalar.vec3 import Vec3
from firstcontact.shapes.convex import (
    CELLS,
    COUNT,
    FIRST,
    HALF,
    KIND,
    N_COLUMNS,
    ORIGIN,
    RADIUS,
    REACH,
    Convex,
    ConvexTable,
)

# After the columns of its record: its largest coordinate, or more; then the pool.
LARGEST = N_COLUMNS
POOL = N_COLUMNS + 1


def packed_convex(table: ConvexTable, largest: float) -> Array:
    """The one shape of a table, record and pool; the array is its pool, too."""
    packed = np.concatenate([table.records[0], [largest], table.pool])
    packed[FIRST] += POOL
    return packed


@kernel
def records_in(packed: Array) -> Array:
    """The record as a table of one shape, (1, N_COLUMNS)."""
    return packed[:N_COLUMNS].reshape(1, N_COLUMNS)


@kernel
def packed_shape(packed: Array) -> Convex:
    """Read the shape, without its record as a table: that would be counted as one more user of the array."""
    half, count = (packed[HALF], packed[HALF + 1], packed[HALF + 2]), int(packed[COUNT])
    kind, first, cells = int(packed[KIND]), int(packed[FIRST]), int(packed[CELLS])
    return Convex(kind, half, packed[RADIUS], packed[REACH], first, count, cells)


@kernel
def packed_origin(packed: Array) -> Vec3:
    """Point of the shape from which all is counted."""
    return packed[ORIGIN], packed[ORIGIN + 1], packed[ORIGIN + 2]
