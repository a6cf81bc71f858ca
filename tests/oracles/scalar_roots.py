"""First contact among the transversal roots of one coplanarity cubic: one query at a time, step by step.

The slow twin of `firstcontact.narrowphase.elementary.coplanarity_roots`: the same bounds, but a part after
the other, with as many steps as a root needs, and brackets that grow until their signs are proven.
"""

from typing import NamedTuple

from firstcontact.arrays import INFINITY
from firstcontact.narrowphase.elementary.coplanarity_roots import FINEST_STEP, cubic_error
from firstcontact.narrowphase.elementary.elementary_query import Options
from firstcontact.narrowphase.elementary.inclusion import (
    INSIDE,
    OUTSIDE,
    UNSURE,
    agreement,
    area_tolerance,
    signed_areas,
)
from firstcontact.narrowphase.elementary.moving_quad import (
    MovingQuad,
    coplanarity_cubic,
    magnitude_permanent,
    quad_at,
)
from firstcontact.scalar.bernstein import (
    Cubic,
    cubic_hodograph,
    cubic_value,
    monotone_slack,
    quadratic_blossom,
    split_at_extrema,
)
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF

# Enough for bisection alone to reach the resolution of a double; Householder's steps need two to five.
MAX_ROOT_STEPS = 64

# A bracket grows fourfold each time its ends' signs are not proven; after these it takes in the whole part.
MAX_WIDENINGS = 6


class Part(NamedTuple):
    """An almost monotone part of the cubic: its times, its values there, and what a value must exceed."""

    start: float
    end: float
    value_start: float
    value_end: float
    limit: float


class Crossing(NamedTuple):
    """What the roots say: a proven contact in [lower, upper], and the first time that they leave open.

    Times are infinite where there is no such contact, or where nothing is left open.
    """

    lower: float
    upper: float
    open_from: float


def inclusion(quad: MovingQuad, is_edge_edge: bool, lower: float, upper: float, decide=agreement) -> int:
    """Decide contact at every time in [lower, upper] at which the points are coplanar."""
    areas = signed_areas(quad_at(quad, 0.5 * (lower + upper)))
    return decide(areas, is_edge_edge, area_tolerance(quad, 0.5 * (upper - lower)))


def householder_root(b: Cubic, part: Part, tolerance: float) -> float:
    """Approximate the root of a cubic in a part whose end values differ in sign."""
    d = cubic_hodograph(b)
    low, high = part.start, part.end
    t = low + (high - low) * (part.value_start / (part.value_start - part.value_end))
    for _ in range(MAX_ROOT_STEPS):
        value = cubic_value(b, t)
        if value == 0.0:
            break
        if (value < 0.0) == (part.value_start < 0.0):
            low = t
        else:
            high = t
        slope = 3.0 * quadratic_blossom(d, t, t)
        bend = 6.0 * ((d[1] - d[0]) * (1.0 - t) + (d[2] - d[1]) * t)
        following = t - 2.0 * value * slope / (2.0 * slope * slope - value * bend)
        if not (low <= following <= high):
            following = 0.5 * (low + high)
        step = abs(following - t)
        t = following
        if step <= tolerance:
            break
    return t


def bracket_root(b: Cubic, part: Part, root: float, half_width: float) -> tuple[float, float]:
    """Widen an approximate root to a bracket at whose ends the signs are proven.

    All roots of the part lie within the bracket: beyond its ends the part's values keep their signs.
    """
    sign = 1.0 if part.value_end > 0.0 else -1.0
    slope = 3.0 * abs(quadratic_blossom(cubic_hodograph(b), root, root))
    if slope == 0.0:
        return part.start, part.end
    width = max(half_width, 1.25 * part.limit / slope + 2.0 * UNIT_ROUNDOFF)
    for _ in range(MAX_WIDENINGS):
        lower, upper = max(root - width, part.start), min(root + width, part.end)
        if sign * cubic_value(b, lower) < -part.limit and sign * cubic_value(b, upper) > part.limit:
            return lower, upper
        width *= 4.0
    return part.start, part.end


def solve_part(quad: MovingQuad, b: Cubic, part: Part, options: Options) -> tuple[int, float, float]:
    """Decide whether a part has a contact: the decision, and the bracket of the root it speaks of."""
    lowest, highest = min(part.value_start, part.value_end), max(part.value_start, part.value_end)
    if lowest > part.limit or highest < -part.limit:
        return OUTSIDE, part.start, part.end
    if not (lowest < -part.limit and highest > part.limit):
        return UNSURE, part.start, part.end
    half_width = max(0.25 * options.time_tolerance, FINEST_STEP)
    root = householder_root(b, part, half_width)
    lower, upper = bracket_root(b, part, root, half_width)
    where = inclusion(quad, options.is_edge_edge, lower, upper)
    if where == UNSURE:
        root = householder_root(b, part, FINEST_STEP)
        lower, upper = bracket_root(b, part, root, 0.0)
        where = inclusion(quad, options.is_edge_edge, lower, upper)
    return where, lower, upper


def first_crossing(quad: MovingQuad, options: Options) -> Crossing:
    """Find the first proven contact, and the first time from which the roots alone prove nothing."""
    if options.max_time <= 0.0:
        return Crossing(INFINITY, INFINITY, 0.0)
    b = coplanarity_cubic(quad)
    error = cubic_error(b, magnitude_permanent(quad))
    cuts = split_at_extrema(b, options.max_time)
    open_from = INFINITY
    value_end = b[0]
    for i in range(3):
        start, end = cuts[i], cuts[i + 1]
        if start >= end:
            continue
        value_start, value_end = value_end, cubic_value(b, end)
        slack = monotone_slack(b, start, end, value_end > value_start)
        part = Part(start, end, value_start, value_end, error + slack)
        where, lower, upper = solve_part(quad, b, part, options)
        if where == INSIDE:
            return Crossing(lower, upper, open_from)
        if where == UNSURE:
            open_from = min(open_from, lower)
    return Crossing(INFINITY, INFINITY, open_from)
