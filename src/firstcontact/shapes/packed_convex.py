"""A convex shape in one array, as queries about single things take it: what is handed over takes its time."""

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.shapes.convex import FIRST, N_COLUMNS, ConvexTable

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
