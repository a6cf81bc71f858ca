"""Does an edge pass through a face at an instant? Decided by signs of volumes, exact where they are close.

Only edges that pass through the inside of a face count, with an end on each side of it. An edge that touches
the border of a face, or ends on it, has an elementary contact there: of two edges, or of a vertex and a face.
"""

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.narrowphase.elementary.inclusion import INSIDE, OUTSIDE, UNSURE
from firstcontact.narrowphase.elementary.ties import SMALLEST_COORDINATE
from firstcontact.scalar.double_double import dd_neg, two_sum
from firstcontact.scalar.error_bounds import CUBIC_COEFFICIENT, UNDERFLOW
from firstcontact.scalar.expansion import (
    COUNT,
    FACTORS,
    add_triple_product,
    factor,
    set_factor,
    total_sign,
)
from firstcontact.scalar.vec3 import Triangle, Vec3, cross, dot, sub

# Doubles of the room that exact signs take: nine factors, of two doubles each, behind the running total.
ROOM_SIZE = FACTORS + 18

# In place of a sign, where exact numbers do not reach: coordinates so small that their products underflow.
UNKNOWN = 2


@kernel
def is_pierced(p: Vec3, q: Vec3, t: Triangle, room: Array) -> int:
    """Does the edge from p to q pass through the inside of a triangle? UNSURE where exact numbers end."""
    x = volume_sign(t[0], t[1], t[2], p, room)
    if x == 0:
        return OUTSIDE
    y = volume_sign(t[0], t[1], t[2], q, room)
    if x != UNKNOWN and y != UNKNOWN and x * y >= 0:
        return OUTSIDE
    is_known = x != UNKNOWN and y != UNKNOWN
    n_positive = n_negative = 0
    for i in range(3):
        sign = volume_sign(p, q, t[i], t[(i + 1) % 3], room)
        if sign == 0:
            return OUTSIDE
        is_known &= sign != UNKNOWN
        n_positive += sign == 1
        n_negative += sign == -1
    if n_positive > 0 and n_negative > 0:
        return OUTSIDE
    return INSIDE if is_known else UNSURE


@kernel
def volume_sign(a: Vec3, b: Vec3, c: Vec3, d: Vec3, room: Array) -> int:
    """Sign of the volume that four points span, -1, 0 or 1, exact; UNKNOWN where exact numbers end."""
    sign = sure_volume_sign(a, b, c, d)
    return sign if sign != 0 else _exact_volume_sign(a, b, c, d, room)


@kernel
def sure_volume_sign(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> int:
    """Sign of the volume that four points span, -1 or 1; 0 where rounding may hide it."""
    x, y, z = sub(a, d), sub(b, d), sub(c, d)
    volume = dot(cross(x, y), z)
    # The volume is the first coefficient of the coplanarity cubic: the bound is the same.
    magnitude = (
        abs(x[0]) * (abs(y[1] * z[2]) + abs(y[2] * z[1]))
        + abs(x[1]) * (abs(y[0] * z[2]) + abs(y[2] * z[0]))
        + abs(x[2]) * (abs(y[0] * z[1]) + abs(y[1] * z[0]))
    )
    if abs(volume) > CUBIC_COEFFICIENT * magnitude + UNDERFLOW:
        return 1 if volume > 0.0 else -1
    return 0


@kernel
def _exact_volume_sign(a: Vec3, b: Vec3, c: Vec3, d: Vec3, room: Array) -> int:
    for k in range(3):
        for x in (a[k], b[k], c[k], d[k]):
            if 0.0 < abs(x) < SMALLEST_COORDINATE:
                return UNKNOWN
        set_factor(room, k, two_sum(a[k], -d[k]))
        set_factor(room, 3 + k, two_sum(b[k], -d[k]))
        set_factor(room, 6 + k, two_sum(c[k], -d[k]))
    room[COUNT] = 0.0
    for k in range(3):
        for is_odd in range(2):
            m, n = (k + 1 + is_odd) % 3, (k + 2 - is_odd) % 3
            first = factor(room, k)
            first = dd_neg(first) if is_odd else first
            add_triple_product(room, first, factor(room, 3 + m), factor(room, 6 + n))
    return total_sign(room)
