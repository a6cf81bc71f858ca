"""An order of points in which each is near the one before: along a curve through cells of cells (Morton)."""

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Keys

# Fewer points are taken as they come.
WORTH_ORDERING = 64

# Bits of a cell on an axis; those of a key, of which a million points leave 43.
AXIS_BITS, KEY_BITS = 10, 30


def point_order(points: Array) -> Keys:
    """Order points (n, 3); a few, and those in one place, stay as they are."""
    n = len(points)
    if n < WORTH_ORDERING:
        return np.arange(n)
    low, high = points.min(axis=0), points.max(axis=0)
    extent = float(np.max(high - low))
    if not 0.0 < extent < np.inf:
        return np.arange(n)
    id_bits = (n - 1).bit_length()
    keys = np.empty(n, np.int64)
    _write_keys(points, low, (1 << AXIS_BITS) / extent, id_bits, keys)
    keys.sort()
    return np.asarray(keys & ((1 << id_bits) - 1))


@driver
def _write_keys(points: Array, low: Array, scale: float, id_bits: int, keys: Keys) -> None:
    """Put the cell of each point above its number."""
    last = (1 << AXIS_BITS) - 1
    for i in range(len(points)):
        key = 0
        for axis in range(3):
            cell = int((points[i, axis] - low[axis]) * scale)
            key |= _spread(min(cell, last)) << (2 - axis)
        keys[i] = key << id_bits | i


@kernel
def _spread(x: int) -> int:
    """Put two zeros before each of ten bits."""
    x = (x | x << 16) & 0x030000FF
    x = (x | x << 8) & 0x0300F00F
    x = (x | x << 4) & 0x030C30C3
    return (x | x << 2) & 0x09249249
