"""All times of contact of four moving points, decided in exact integer arithmetic.

The times at which two closed things touch are a closed set. Where four points are coplanar at a few times
alone, it is some of these; else, and with a separation, it is made of spans between roots of polynomials, in
between which nothing changes: one time of each tells.
"""

from collections.abc import Callable, Iterable
from functools import cmp_to_key
from itertools import pairwise
from math import floor
from typing import NamedTuple

from numpy.typing import ArrayLike

from firstcontact.narrowphase.elementary.elementary_exact import (
    START,
    LinearTouch,
    features_of,
    moving_points,
)
from firstcontact.narrowphase.elementary.elementary_query import Options
from firstcontact.scalar.algebraic_number import AlgebraicNumber, real_roots
from firstcontact.scalar.integer_polynomial import Polynomial, derivative

Bracket = tuple[float, float]


class Span(NamedTuple):
    """From when to when a contact lasts, each between two doubles.

    is_instant : whether it begins and ends at one time
    is_crossing : whether that is one at which the signed volume of the points changes its sign
    """

    touch: Bracket
    part: Bracket
    is_instant: bool
    is_crossing: bool


def contact_spans(start: ArrayLike, end: ArrayLike, options: Options) -> list[Span]:
    """Give all times at which four linearly moving points are in contact, in their order; exact.

    Parameters
    ----------
    start, end : (4, 3) float64
        The points at t = 0 and t = 1, finite: vertex and closed triangle, or two closed edges.

    Examples
    --------
    >>> face = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]
    >>> through = [[1, 1, 1], *face], [[1, 1, -1], *face]
    >>> contact_spans(*through, Options(False, 1.0, 0.0, 0.0))
    [Span(touch=(0.5, 0.5), part=(0.5, 0.5), is_instant=True, is_crossing=True)]

    A vertex that slides into a face, in its plane:

    >>> into = [[-1, 1, 0], *face], [[1, 1, 0], *face]
    >>> contact_spans(*into, Options(False, 1.0, 0.0, 0.0))
    [Span(touch=(0.5, 0.5), part=(1.0, 1.0), is_instant=False, is_crossing=False)]
    """
    quad, separation = moving_points(start, end, options)
    last = options.max_time
    if separation:
        features = features_of(quad, separation)
        found = [
            (feature, root) for feature in features if feature.gap for root in real_roots(feature.gap, last)
        ]
        times = [root for feature, root in found if feature.holds_at(root)]
        spans = spans_where(lambda time: any(feature.is_within(time) for feature in features), times, last)
        return [_bracketed(begin, finish, False, options) for begin, finish in spans]
    touch = LinearTouch(quad)
    if touch.coplanarity:
        roots = [root for root in real_roots(touch.coplanarity, last) if touch.holds_at(root)]
        return [_bracketed(root, root, _is_odd(touch.coplanarity, root), options) for root in roots]
    times = [root for p in touch.candidates_if_always_coplanar() for root in real_roots(p, last)]
    spans = spans_where(touch.holds_at, times, last)
    return [_bracketed(begin, finish, False, options) for begin, finish in spans]


def spans_where(
    holds_at: Callable[[AlgebraicNumber], bool], times: Iterable[AlgebraicNumber], last: float
) -> list[tuple[AlgebraicNumber, AlgebraicNumber]]:
    """Give the spans of [0, last] in which a closed condition holds, which changes at given times only."""
    n, d = last.as_integer_ratio()
    points = in_order([START, AlgebraicNumber((-n, d)), *times])
    lasts = [holds_at(time_between(a, b)) for a, b in pairwise(points)] + [False]
    spans, begin = [], None
    for point, goes_on in zip(points, lasts, strict=True):
        if begin is None and (goes_on or holds_at(point)):
            begin = point
        if begin is not None and not goes_on:
            spans.append((begin, point))
            begin = None
    return spans


def in_order(times: Iterable[AlgebraicNumber]) -> list[AlgebraicNumber]:
    """Sort numbers, each once."""
    ordered = sorted(times, key=cmp_to_key(AlgebraicNumber.compare))
    return [b for a, b in zip([None, *ordered], ordered, strict=False) if a is None or a.compare(b)]


def time_between(a: AlgebraicNumber, b: AlgebraicNumber) -> AlgebraicNumber:
    """Give a fraction of few digits that is greater than a, and less than b, which is greater."""
    while True:
        (a_low, low), (high, b_high) = a.enclosure(), b.enclosure()
        if low < high:
            e = max(floor(1 / (high - low)).bit_length(), 1)
            return AlgebraicNumber((-(floor(low * 2**e) + 1), 2**e))
        if low == high and not (a.fraction or b.fraction):
            return AlgebraicNumber((-low.numerator, low.denominator))
        (a if low - a_low >= b_high - high else b).refine()


def _is_odd(polynomial: Polynomial, root: AlgebraicNumber) -> bool:
    """Does a polynomial change its sign at a root: is that of odd multiplicity?"""
    is_odd, slope = True, derivative(polynomial)
    while not root.sign_of(slope):
        is_odd, slope = not is_odd, derivative(slope)
    return is_odd


def _bracketed(begin: AlgebraicNumber, finish: AlgebraicNumber, is_crossing: bool, options: Options) -> Span:
    ends = [time.bracket(options.time_tolerance) for time in (begin, finish)]
    touch, part = ((low, min(high, options.max_time)) for low, high in ends)
    return Span(touch, part, begin is finish, is_crossing)
