"""Exact sums and products of doubles, for the signs of polynomials: expansions.

Shewchuk 1997: a sum of doubles that do not overlap, in order of magnitude, takes another double by as many
error-free sums as it has terms, and is such a sum again. Zeros are dropped on the way, so that short numbers
cost little. The last term is larger than all others together: it has the sign of the number.

A `room` is an array: the number of terms of the running total, the terms, then factors of two doubles each,
and whatever else the caller puts behind them. All is exact as long as nothing overflows or underflows: that
is for the caller to know.
"""

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.scalar.double_double import DoubleDouble, dd_neg, two_product, two_sum

# Terms that a total may have: of the six products of a determinant, eight products of three doubles in each,
# and four terms in each of these.
CAPACITY = 6 * 8 * 4

COUNT = 0
TOTAL = 1
FACTORS = TOTAL + CAPACITY


@kernel
def factor(room: Array, i: int) -> DoubleDouble:
    """Return factor i."""
    return room[FACTORS + 2 * i], room[FACTORS + 2 * i + 1]


@kernel
def set_factor(room: Array, i: int, value: DoubleDouble) -> None:
    """Set factor i."""
    room[FACTORS + 2 * i], room[FACTORS + 2 * i + 1] = value


@kernel
def grow(room: Array, x: float) -> None:
    """Add a double to the total."""
    kept = TOTAL
    for i in range(TOTAL, TOTAL + int(room[COUNT])):
        x, low = two_sum(x, room[i])
        if low != 0.0:
            room[kept] = low
            kept += 1
    if x != 0.0:
        room[kept] = x
        kept += 1
    room[COUNT] = kept - TOTAL


@kernel
def add_product(room: Array, x: DoubleDouble, y: DoubleDouble) -> None:
    """Add the product of two factors to the total."""
    for i in range(2):
        for j in range(2):
            # A loop for two terms, here and below: code that appears once is compiled once.
            if x[i] != 0.0 and y[j] != 0.0:
                high, low = two_product(x[i], y[j])
                for k in range(2):
                    grow(room, high if k else low)


@kernel
def add_triple_product(room: Array, x: DoubleDouble, y: DoubleDouble, z: DoubleDouble) -> None:
    """Add the product of three factors to the total."""
    if z[0] == 0.0:
        return
    for i in range(2):
        for j in range(2):
            if x[i] != 0.0 and y[j] != 0.0:
                add_product(room, two_product(x[i], y[j]), z)


@kernel
def add_determinant(room: Array, a: DoubleDouble, b: DoubleDouble, c: DoubleDouble, d: DoubleDouble) -> None:
    """Add a b - c d to the total."""
    for k in range(2):
        add_product(room, dd_neg(c) if k else a, d if k else b)


@kernel
def total_sign(room: Array) -> int:
    """Sign of the total: -1, 0 or 1."""
    n = int(room[COUNT])
    if n == 0:
        return 0
    return 1 if room[TOTAL + n - 1] > 0.0 else -1


@kernel
def determinant_sign(room: Array, a: DoubleDouble, b: DoubleDouble, c: DoubleDouble, d: DoubleDouble) -> int:
    """Sign of a b - c d."""
    if a[1] == 0.0 and b[1] == 0.0 and c[1] == 0.0 and d[1] == 0.0:
        # Rounding is monotone: products that differ after rounding differ the same way before.
        (p, p_low), (q, q_low) = two_product(a[0], b[0]), two_product(c[0], d[0])
        if p == q:
            p, q = p_low, q_low
        return int(p > q) - int(p < q)
    room[COUNT] = 0.0
    add_determinant(room, a, b, c, d)
    return total_sign(room)


@kernel
def exact_blend(a: DoubleDouble, b: DoubleDouble, t: float) -> tuple[DoubleDouble, bool]:
    """Return (1 - t) a + t b and whether two doubles hold all of it; t in [0, 1] is a multiple of 2**-53."""
    if a == b:  # most points do not move along every axis
        return a, True
    s = 1.0 - t
    (p, p_low), (q, q_low) = two_product(s, a[0]), two_product(t, b[0])
    (u, u_low), (v, v_low) = two_product(s, a[1]), two_product(t, b[1])
    high, low = two_sum(p, q)
    lost = 0.0
    for x in (p_low, q_low, u, v, u_low, v_low):
        low, rest = two_sum(low, x)
        lost += abs(rest)
        high, low = two_sum(high, low)
    return (high, low), lost == 0.0
