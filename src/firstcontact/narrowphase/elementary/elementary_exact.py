"""First contact of four moving points, decided in exact integer arithmetic: the last stage of elementary CCD.

Slow (some tens of microseconds a query) and never wrong: for the queries that floating point cannot decide,
such as a touch at exactly t = 0 or t = 1, on an edge, or between points that stay coplanar.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from firstcontact.arrays import INFINITY
from firstcontact.narrowphase.elementary.elementary_exact_separation import (
    Nearby,
    SeparationFeature,
    nearby,
    separation_features,
)
from firstcontact.narrowphase.elementary.elementary_query import (
    CONTACT,
    CONTACT_AT_START,
    SEPARATED,
    Finding,
    Options,
)
from firstcontact.narrowphase.elementary.touch import Touch
from firstcontact.scalar.algebraic_number import AlgebraicNumber, real_roots, roots_near
from firstcontact.scalar.integer_polynomial import Polynomial, scale, scaled_integers, trimmed

# Signs of the affine dependency sum L_i x_i = 0, sum L_i = 0 of four coplanar points that touch: a vertex is
# a convex combination of a face, or two edges share a point.
PATTERN_VERTEX_FACE = (-1, 1, 1, 1)
PATTERN_EDGE_EDGE = (1, 1, -1, -1)
START = AlgebraicNumber((0, 1))

# Times between which the first contact is proven to be, if such are known.
Known = tuple[float, float] | None


class MovingPoints(NamedTuple):
    """Four moving points: each coordinate (c0, c1) is c0 + c1 t, an untrimmed polynomial."""

    points: list[list[tuple[int, int]]]
    pattern: tuple[int, int, int, int]


def exact_contact(start: ArrayLike, end: ArrayLike, options: Options, known: Known = None) -> Finding:
    """Decide whether four linearly moving points come into contact, and bracket the first time; exact.

    Parameters
    ----------
    start, end : (4, 3) float64
        The points at t = 0 and t = 1, finite: vertex and closed triangle, or two closed edges.
    known : (lower, upper)
        Where the first contact is proven to be between these times, 0 < lower: a tenth of the work.

    Returns
    -------
    Finding
        SEPARATED with infinite times; CONTACT_AT_START with times zero; or CONTACT with the first time in
        between, at most `time_tolerance` apart or neighbours, and equal where the first time is a double.

    Examples
    --------
    >>> start = [[0, 0, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> end = [[0, 0, -2], [0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> exact_contact(start, end, Options(False, 1.0, 0.0, 0.0))
    Finding(status=1, lower=0.3333333333333333, upper=0.33333333333333337)
    """
    quad, separation = moving_points(start, end, options)
    if separation:
        sides = np.asarray(start, np.float64).tolist(), np.asarray(end, np.float64).tolist()
        near = nearby(*sides, options.min_separation, known) if known else None
        return _first_within(features_of(quad, separation, near), options, known)
    return _first_touch(quad, options, known)


def moving_points(start: ArrayLike, end: ArrayLike, options: Options) -> tuple[MovingPoints, int]:
    """Scale a query and its separation to integers."""
    values = [np.asarray(points, dtype=np.float64).ravel().tolist() for points in (start, end)]
    integers = scaled_integers([*values[0], *values[1], options.min_separation])
    coordinates = [(c0, c1 - c0) for c0, c1 in zip(integers[:12], integers[12:24], strict=True)]
    points = [coordinates[i : i + 3] for i in (0, 3, 6, 9)]
    pattern = PATTERN_EDGE_EDGE if options.is_edge_edge else PATTERN_VERTEX_FACE
    return MovingPoints(points, pattern), integers[24]


def _first_touch(quad: MovingPoints, options: Options, known: Known) -> Finding:
    """First contact without a separation distance."""
    touch = LinearTouch(quad)
    if touch.coplanarity:
        candidates = [touch.coplanarity]
    elif touch.holds_at(START):
        return Finding(CONTACT_AT_START, 0.0, 0.0)
    else:
        candidates = touch.candidates_if_always_coplanar()
    return _first_time(((polynomial, touch.holds_at) for polynomial in candidates), options, known)


def _first_within(features: list[SeparationFeature], options: Options, known: Known) -> Finding:
    """First time at which features are within their separation."""
    if known is None and any(feature.is_within(START) for feature in features):
        return Finding(CONTACT_AT_START, 0.0, 0.0)
    gaps = ((feature.gap, feature.holds_at) for feature in features if feature.gap)
    return _first_time(gaps, options, known)


def features_of(quad: MovingPoints, separation: int, near: Nearby | None = None) -> list[SeparationFeature]:
    """List the pairs of features that can realise the distance of four points."""
    is_edge_edge = quad.pattern == PATTERN_EDGE_EDGE
    return separation_features(quad.points, is_edge_edge, _coplanarity(quad), separation, near)


def _first_time(
    candidates: Iterable[tuple[Polynomial, Callable[[AlgebraicNumber], bool]]], options: Options, known: Known
) -> Finding:
    """Bracket the first root, of any of the polynomials, at which that polynomial's condition holds.

    Roots of different polynomials need not be compared: the least lower and the least upper end bracket the
    first one, and are not further apart than the ends of one bracket are.
    """
    lower = upper = INFINITY
    for polynomial, holds_at in candidates:
        latest = min(upper, options.max_time)
        for root in real_roots(polynomial, latest) if known is None else roots_near(polynomial, *known):
            if holds_at(root):
                root_lower, root_upper = root.bracket(options.time_tolerance)
                lower = min(lower, root_lower)
                upper = min(upper, root_upper, options.max_time)
                break
    if upper == INFINITY:
        return Finding(SEPARATED, INFINITY, INFINITY)
    return Finding(CONTACT_AT_START if upper == 0.0 else CONTACT, lower, upper)


class LinearTouch(Touch):
    """Four points that go straight."""

    def __init__(self, quad: MovingPoints) -> None:
        super().__init__(2 if quad.pattern == PATTERN_EDGE_EDGE else 1)
        self._quad = quad
        self._relative = _relative(quad)
        self.coplanarity = _coplanarity(quad)

    def make_areas(self, axis: int) -> tuple[Polynomial, ...]:
        """Signed areas, made from vectors to the last point."""
        r0, r1, r2 = self._relative
        l0, l1, l2 = _cross(r1, r2, axis), _cross(r2, r0, axis), _cross(r0, r1, axis)
        l3 = tuple([-a - b - c for a, b, c in zip(l0, l1, l2, strict=True)])
        signed = zip(self._quad.pattern, (l0, l1, l2, l3), strict=True)
        return tuple([trimmed(scale(area, sign)) for sign, area in signed])

    def coordinates(self, axis: int) -> list[Polynomial]:
        """Coordinates of the four points."""
        return [trimmed(point[axis]) for point in self._quad.points]


def _relative(quad: MovingPoints) -> list[list[tuple[int, int]]]:
    """Vectors from the last point to the other three."""
    *points, last = quad.points
    return [[(a0 - b0, a1 - b1) for (a0, a1), (b0, b1) in zip(p, last, strict=True)] for p in points]


def _coplanarity(quad: MovingPoints) -> Polynomial:
    """Triangle product of the vectors from the last point: zero where the four points are coplanar."""
    r0, r1, r2 = _relative(quad)
    c0 = c1 = c2 = c3 = 0
    for axis, (a0, a1) in enumerate(r0):
        n0, n1, n2 = _cross(r1, r2, axis)
        c0 += a0 * n0
        c1 += a0 * n1 + a1 * n0
        c2 += a0 * n2 + a1 * n1
        c3 += a1 * n2
    return trimmed((c0, c1, c2, c3))


def _cross(u: Sequence[tuple[int, int]], v: Sequence[tuple[int, int]], axis: int) -> tuple[int, int, int]:
    """Coefficients of one component of the cross product of two moving vectors."""
    (a0, a1), (b0, b1) = u[axis - 2], u[axis - 1]
    (c0, c1), (d0, d1) = v[axis - 2], v[axis - 1]
    return a0 * d0 - b0 * c0, a0 * d1 + a1 * d0 - b0 * c1 - b1 * c0, a1 * d1 - b1 * c1
