"""Numbers of twice the precision: unevaluated sums of two doubles, the second below half an ulp of the first.

Dekker 1971; bounds by Joldes, Muller, Popescu 2017: with u = 2**-53, `dd_add` is right to 3 u**2 and `dd_mul`
to 5 u**2 of the result, where nothing overflows or underflows.
"""

from firstcontact._jit import kernel

DoubleDouble = tuple[float, float]

SPLITTER = 2.0**27 + 1.0


@kernel
def fast_two_sum(a: float, b: float) -> DoubleDouble:
    """Return a + b without error, for |a| >= |b|."""
    s = a + b
    return s, b - (s - a)


@kernel
def two_sum(a: float, b: float) -> DoubleDouble:
    """Return a + b without error."""
    s = a + b
    bb = s - a
    return s, (a - (s - bb)) + (b - bb)


@kernel
def split(a: float) -> DoubleDouble:
    """Split a double into two halves of 26 bits, without error."""
    c = SPLITTER * a
    high = c - (c - a)
    return high, a - high


@kernel
def two_product(a: float, b: float) -> DoubleDouble:
    """Return a b without error."""
    p = a * b
    a_high, a_low = split(a)
    b_high, b_low = split(b)
    return p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low


@kernel
def dd_add(a: DoubleDouble, b: DoubleDouble) -> DoubleDouble:
    """Return a + b."""
    s, e = two_sum(a[0], b[0])
    t, f = two_sum(a[1], b[1])
    s, e = fast_two_sum(s, e + t)
    return fast_two_sum(s, e + f)


@kernel
def dd_neg(a: DoubleDouble) -> DoubleDouble:
    """Return -a."""
    return -a[0], -a[1]


@kernel
def dd_sub(a: DoubleDouble, b: DoubleDouble) -> DoubleDouble:
    """Return a - b."""
    return dd_add(a, dd_neg(b))


@kernel
def dd_mul(a: DoubleDouble, b: DoubleDouble) -> DoubleDouble:
    """Return a b."""
    p, e = two_product(a[0], b[0])
    return fast_two_sum(p, e + (a[0] * b[1] + a[1] * b[0]))


@kernel
def dd_mean(a: DoubleDouble, b: DoubleDouble) -> DoubleDouble:
    """Return (a + b) / 2."""
    s = dd_add(a, b)
    return 0.5 * s[0], 0.5 * s[1]


@kernel
def dd_det2(a: DoubleDouble, b: DoubleDouble, c: DoubleDouble, d: DoubleDouble) -> DoubleDouble:
    """Return a b - c d."""
    return dd_sub(dd_mul(a, b), dd_mul(c, d))
