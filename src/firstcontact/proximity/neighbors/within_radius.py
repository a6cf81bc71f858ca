"""Is a point within a radius of another? Decided exactly, whatever rounding makes of the distance.

Three differences, their squares and two sums are off by a factor within (1 + u)^5, u = 2**-53, and the
square of the radius by one rounding. So a squared distance in doubles that is not within 16 u of the radius
squared is on the right side of it. What is left is looked at in double-double numbers, which are right to
2**-98 or better, and then by expansions, without any rounding.

Nothing underflows as long as each coordinate is 0 or at least 2**-400: the last bit of a difference is then
at least 2**-452, that of a product 2**-904.
"""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.scalar.double_double import DoubleDouble, dd_add, dd_mul, two_product, two_sum
from firstcontact.scalar.expansion import COUNT, add_product, total_sign
from firstcontact.scalar.vec3 import Vec3

# Parts of the squared radius within which doubles, and double-doubles, do not decide.
DOUBLE, TWICE_DOUBLE = 2.0**-49, 2.0**-95


class Radius(NamedTuple):
    """A radius, and squared distances in doubles: up to `sure` a point is within it, beyond `most` it is not.

    Of radius 0 no square is sure: that of a small difference underflows.
    """

    radius: float
    sure: float
    most: float


def as_radius(radius: float) -> Radius:
    """Make a radius ready."""
    square = radius * radius
    sure = square * (1.0 - DOUBLE) if radius > 0.0 else -1.0
    return Radius(radius, sure, square * (1.0 + DOUBLE))


@kernel
def is_within(p: Vec3, q: Vec3, radius: float, room: Array) -> bool:
    """Are two points at most the radius apart? Where doubles do not tell; `room` is that of an expansion."""
    if radius == 0.0:
        return p == q
    x, y, z = two_sum(p[0], -q[0]), two_sum(p[1], -q[1]), two_sum(p[2], -q[2])
    square = two_product(radius, radius)
    excess = dd_add(dd_add(dd_mul(x, x), dd_mul(y, y)), dd_add(dd_mul(z, z), (-square[0], -square[1])))
    if abs(excess[0]) > TWICE_DOUBLE * square[0]:
        return excess[0] < 0.0
    return _excess_sign(x, y, z, radius, room) <= 0


@kernel
def _excess_sign(x: DoubleDouble, y: DoubleDouble, z: DoubleDouble, radius: float, room: Array) -> int:
    """Sign of x^2 + y^2 + z^2 - radius^2."""
    room[COUNT] = 0.0
    for axis in range(3):
        side = x if axis == 0 else y if axis == 1 else z
        add_product(room, side, side)
    add_product(room, (radius, 0.0), (-radius, 0.0))
    return total_sign(room)
