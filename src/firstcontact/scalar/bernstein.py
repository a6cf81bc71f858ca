"""Cubics in Bernstein form on [0, 1]: values, derivatives, restriction, almost monotone parts."""

from math import sqrt

from firstcontact._jit import kernel

Cubic = tuple[float, float, float, float]
Quadratic = tuple[float, float, float]


@kernel
def cubic_value(b: Cubic, t: float) -> float:
    """Value of a cubic at t in [0, 1]."""
    s = 1.0 - t
    return ((b[0] * s + 3.0 * b[1] * t) * s + 3.0 * b[2] * t * t) * s + b[3] * t * t * t


@kernel
def cubic_hodograph(b: Cubic) -> Quadratic:
    """Bernstein coefficients of a third of a cubic's derivative."""
    return b[1] - b[0], b[2] - b[1], b[3] - b[2]


@kernel
def quadratic_blossom(d: Quadratic, s: float, e: float) -> float:
    """Polar form of a quadratic: its value where s = e, else its middle Bernstein coefficient on [s, e]."""
    return d[0] * (1.0 - s) * (1.0 - e) + d[1] * ((1.0 - s) * e + s * (1.0 - e)) + d[2] * s * e


@kernel
def restrict_cubic(b: Cubic, end: float) -> Cubic:
    """Bernstein coefficients on [0, end] of a cubic given on [0, 1], by de Casteljau's construction."""
    start = 1.0 - end
    b01 = start * b[0] + end * b[1]
    b12 = start * b[1] + end * b[2]
    b23 = start * b[2] + end * b[3]
    b012 = start * b01 + end * b12
    b123 = start * b12 + end * b23
    return b[0], b01, b012, start * b012 + end * b123


@kernel
def split_at_extrema(b: Cubic, end: float) -> Cubic:
    """Cut [0, end] where a cubic turns: four ascending times, equal ones where there is no cut.

    A cubic that may have an inflection but no extrema is cut there, so that its derivative is monotone on
    each part. The cuts are approximate; what rests on them is proven with `monotone_slack`.
    """
    d = cubic_hodograph(b)
    curvature, half = (d[0] - d[1]) - (d[1] - d[2]), d[0] - d[1]
    discriminant = d[1] * d[1] - d[0] * d[2]
    has_extrema = discriminant > 0.0
    root = sqrt(max(discriminant, 0.0))
    q = half + (root if half >= 0.0 else -root)
    first = (q if has_extrema else half) / curvature
    second = d[0] / q if has_extrema else first
    # Coefficients of one sign: no cut. Where the cubic is a line up to rounding, it would be anywhere.
    is_monotone = (min(min(d[0], d[1]), d[2]) > 0.0) | (max(max(d[0], d[1]), d[2]) < 0.0)
    first = min(first, end) if (first > 0.0) & (not is_monotone) else 0.0
    second = min(second, end) if (second > 0.0) & (not is_monotone) else 0.0
    return 0.0, min(first, second), max(first, second), end


@kernel
def monotone_slack(b: Cubic, s: float, e: float, is_rising: bool) -> float:
    """How far a cubic can at most run against its main direction within [s, e] of [0, 1].

    The derivative lies within its Bernstein coefficients on [s, e]; a cubic that rises but for derivatives
    above -3 m never falls by more than 3 m (e - s). Zero where the cubic is monotone, up to rounding.
    """
    d = cubic_hodograph(b)
    c0, c1, c2 = quadratic_blossom(d, s, s), quadratic_blossom(d, s, e), quadratic_blossom(d, e, e)
    fall, rise = -min(min(c0, c1), c2), max(max(c0, c1), c2)
    return 3.0 * max(fall if is_rising else rise, 0.0)
