"""On which side of a line a point is, exactly: Shewchuk 1997, a filter and then an expansion.

The filter: both products pass through three roundings each, their difference through one more, so a
difference beyond 4 u (1 + 4 u) of the sum of their magnitudes has the right sign. Where a product is so small
that digits are lost below the least double, the expansion is not exact either: coordinates that are not zero
should not be below 2**-240.
"""

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.scalar.double_double import two_sum
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.expansion import FACTORS, determinant_sign

Vec2 = tuple[float, float]
Edge2 = tuple[Vec2, Vec2]

TURN_ERROR = 5.0 * UNIT_ROUNDOFF
# Below it products lose digits, and so does the filter's bound.
TURN_UNDERFLOW = 2.0**-900

# What an expansion of two products needs.
TURN_ROOM = FACTORS


@kernel
def turn_sign(a: Vec2, b: Vec2, c: Vec2, room: Array) -> int:
    """Whether c is to the left of the line from a to b, 1, to its right, -1, or on it, 0: exactly."""
    left = (b[0] - a[0]) * (c[1] - a[1])
    right = (b[1] - a[1]) * (c[0] - a[0])
    off = TURN_ERROR * (abs(left) + abs(right)) + TURN_UNDERFLOW
    if left - right > off:
        return 1
    if right - left > off:
        return -1
    x, y = two_sum(b[0], -a[0]), two_sum(b[1], -a[1])
    u, v = two_sum(c[0], -a[0]), two_sum(c[1], -a[1])
    return determinant_sign(room, x, v, y, u)
