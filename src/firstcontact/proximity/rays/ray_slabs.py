"""Which boxes of a block a ray meets, all of them measured together in single precision.

A ray begins where it enters the box of the whole tree, padded: from there on, all numbers are small. Boxes
grow by a pad that covers every rounding, so that no triangle that the ray meets is in a box that it misses.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact._lanes import Single3
from firstcontact.scalar.vec3 import Vec3

# Single precision, in units of 2**-24: the place of entry and its padding round by 1, the difference to a
# side of a box, the inverse, the product and the reach by 2 each. Together 10, and half as much again.
SINGLE_PAD = 2.0**-20

# Double precision, in units of the distance: the corners of a triangle as they are projected (7 roundings of
# 2**-53), the place of entry (8). Together 15 * 2**-53, and four times that.
DOUBLE_PAD = 2.0**-47

# Components of a direction below this, in units of the largest, count as this: over the way through the tree,
# of length 2 or less and the pad, the ray is off by less than a pad.
SMALLEST_SLOPE = 2.0**-60


class Slabs(NamedTuple):
    """A ray from the entry on, in the units of the tree; its depth grows by one with its largest component.

    ray : the place of entry, moved up by the pad, for the lower sides of boxes; the same, moved down, for the
        upper ones; the inverse of the direction
    entry : depth at which the ray enters the tree; inf where it misses it
    pad : what boxes grow by
    """

    ray: tuple[Single3, Single3, Single3]
    entry: float
    pad: float


@kernel
def slabs_of(o: Vec3, d: Vec3, middle: Vec3, half: Vec3, start: float) -> Slabs:
    """Prepare the line of a ray through o, in the units of the tree, from some depth on.

    The largest component of its direction is one.
    """
    x, y, z = o[0] - middle[0], o[1] - middle[1], o[2] - middle[2]
    pad = SINGLE_PAD + DOUBLE_PAD * (max(max(abs(x), abs(y)), abs(z)) + 1.0)
    dx, dy, dz = _sloped(d[0]), _sloped(d[1]), _sloped(d[2])
    ix, iy, iz = 1.0 / dx, 1.0 / dy, 1.0 / dz
    hx, hy, hz = abs(ix) * (half[0] + pad), abs(iy) * (half[1] + pad), abs(iz) * (half[2] + pad)
    cx, cy, cz = x * ix, y * iy, z * iz
    entry = max(max(-hx - cx, -hy - cy), max(-hz - cz, start))
    end = min(min(hx - cx, hy - cy), hz - cz)
    x, y, z = x + entry * dx, y + entry * dy, z + entry * dz
    above = np.float32(x + pad), np.float32(y + pad), np.float32(z + pad)
    below = np.float32(x - pad), np.float32(y - pad), np.float32(z - pad)
    return Slabs(
        (above, below, (np.float32(ix), np.float32(iy), np.float32(iz))),
        entry if entry <= end else np.inf,
        pad,
    )


@kernel
def _sloped(d: float) -> float:
    return d if abs(d) > SMALLEST_SLOPE else SMALLEST_SLOPE
