"""Morton order: along a curve through cells of cells, what is near in space is mostly near in the order.

A key is a primitive's code, the bits of its centre's cell on the three axes by turns, and its number behind
it. No two are equal, so there is one order only, whatever sorts them, and the sorted keys are all that is
needed. NumPy sorts a million in 9 ms; a radix sort of codes and numbers would have to be compiled.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Keys

# Bits of a key, below its sign, and those of an axis at most. A million primitives leave 14 bits for an axis,
# two thousand million 10.
KEY_BITS = 63
MOST_AXIS_BITS = 16

# Keys are made in blocks that stay in the processor's cache.
BLOCK = 16384


class MortonOrder(NamedTuple):
    """The keys of primitives, sorted; a primitive's number is in the last bits of its key."""

    keys: Keys
    id_bits: int


def morton_order(bounds: Array) -> MortonOrder:
    """Put the boxes of bounds (n, k), n > 0, in Morton order of their centres, in one cell of their numbers.

    The finest cells are cubes. All centres are in the first where they have no finite extent.
    """
    n, half = len(bounds), bounds.shape[1] // 2
    id_bits = max(n - 1, 1).bit_length()
    last = (1 << min(MOST_AXIS_BITS, (KEY_BITS - id_bits) // 3)) - 1  # number of a cell on an axis
    keys, spread = np.arange(n), _spread()
    with np.errstate(all="ignore"):
        centres = [bounds[:, axis] + bounds[:, half + axis] for axis in range(3)]  # doubled
        lows = [centre.min() for centre in centres]
        extent = max(centre.max() - low for centre, low in zip(centres, lows, strict=True))
        scale = (last + 1) / extent if extent > 0.0 else 0.0
        for block in (slice(first, first + BLOCK) for first in range(0, n, BLOCK)):
            for axis in range(3):
                cells = np.minimum((centres[axis][block] - lows[axis]) * scale, last).astype(np.int64)
                cells &= last  # whatever the processor makes an integer of what is not a number
                keys[block] |= spread[cells] << (id_bits + 2 - axis)
    keys.sort()
    return MortonOrder(keys, id_bits)


@cache
def _spread() -> Keys:
    """Each number of a cell with two zeros before each of its bits."""
    numbers = np.arange(1 << MOST_AXIS_BITS)
    spread = np.zeros_like(numbers)
    for bit in range(MOST_AXIS_BITS):
        spread |= (numbers >> bit & 1) << 3 * bit
    return spread


@driver
def cut_clusters(keys: Keys, id_bits: int, most: int) -> Keys:
    """Cut sorted keys into the largest cells of at most so many primitives; return where they begin, and n.

    The primitives of a finest cell, if they are more, are clusters of one: the order says nothing of them.
    """
    firsts, n_clusters = np.empty(len(keys) + 1, np.int64), 0
    # Ends of the cells to come: the highest bit in which keys differ is ever lower. Not a plain 0: functions
    # are compiled for a constant argument apart.
    ends = np.empty(KEY_BITS + 1, np.int64)
    ends[0], first, top = len(keys), int(np.int64(0)), 0
    while top >= 0:
        end = ends[top]
        is_small, is_finest = end - first <= most, (keys[first] ^ keys[end - 1]) >> id_bits == 0
        if not is_small and not is_finest:
            top += 1
            ends[top] = _find_split(keys, first, end)
            continue
        for i in range(first, first + 1 if is_small else end):
            firsts[n_clusters] = i
            n_clusters += 1
        first, top = end, top - 1
    firsts[n_clusters] = len(keys)
    return firsts[: n_clusters + 1]


@kernel
def _find_split(keys: Keys, first: int, last: int) -> int:
    """Find the first key that has the highest bit in which those of a range differ."""
    low, high = first, last - 1
    while high - low > 1:
        middle = (low + high) // 2
        # A key has that bit in common with the last one or with the first, and differs less from that one.
        if keys[middle] ^ keys[first] > keys[middle] ^ keys[last - 1]:
            high = middle
        else:
            low = middle
    return high
