"""Distances between the features of four moving points, as exact polynomials of time."""

from collections.abc import Callable, Sequence
from itertools import product
from math import hypot
from typing import NamedTuple

from firstcontact.scalar.algebraic_number import AlgebraicNumber
from firstcontact.scalar.integer_polynomial import Polynomial, add, multiply, scale, subtract, trimmed

MovingPoint = Sequence[tuple[int, int]]
Vector = list[tuple[int, int]]
Conditions = tuple[Polynomial, ...]


class SeparationFeature:
    """A pair of features (vertex, edge, face) and when it is exactly at a given distance.

    Parameters
    ----------
    gap : tuple of int
        Squared distance of the features' points, lines or planes minus the squared separation, times the
        positive `regularity`.
    regularity : tuple of int
        Positive where the features are not degenerate: the closest points are then unique.
    inside : callable returning tuples of int
        Polynomials that are all >= 0 where the closest points are on the features; made when first needed.
    """

    __slots__ = ("_inside", "_regularity", "gap")

    def __init__(self, gap: Polynomial, regularity: Polynomial, inside: Callable[[], Conditions]) -> None:
        self.gap = gap
        self._regularity = regularity
        self._inside = inside

    def holds_at(self, time: AlgebraicNumber) -> bool:
        """Tell whether the features exist and hold their closest points at a time."""
        return time.sign_of(self._regularity) > 0 and all(time.sign_of(p) >= 0 for p in self._inside())

    def is_within(self, time: AlgebraicNumber) -> bool:
        """Tell whether the features are within the separation at a time."""
        return time.sign_of(self.gap) <= 0 and self.holds_at(time)


# Far more than positions, differences and products lose to rounding, in units of the largest coordinate.
_ROUNDING = 2.0**-40


class Nearby(NamedTuple):
    """Four points about a time, in floating point, and how near a pair of them has to be to count.

    limit : the separation, what points move while the time is open, and what rounding may hide
    """

    places: list[list[float]]
    limit: float

    def may_touch(self, i: int, edge: tuple[int, int]) -> bool:
        """May a point be within the separation of an edge?

        Whatever the direction: where both ends are farther than the limit along it, the edge is so.
        """
        (x, y, z), (a, b, c), (p, q, r) = (self.places[k] for k in (i, *edge))
        u, v, w = p - a, q - b, r - c
        length = u * u + v * v + w * w
        along = (u * (x - a) + v * (y - b) + w * (z - c)) / length if length > 0.0 else 0.0
        part = min(max(along, 0.0), 1.0)  # about where the edge is closest
        u, v, w = x - (a + part * u), y - (b + part * v), z - (c + part * w)
        first, second = u * (x - a) + v * (y - b) + w * (z - c), u * (x - p) + v * (y - q) + w * (z - r)
        return not min(first, second) > self.limit * hypot(u, v, w)


def nearby(
    start: Sequence[Sequence[float]],
    end: Sequence[Sequence[float]],
    separation: float,
    known: tuple[float, float],
) -> Nearby:
    """Where points are while a time is between two that are known."""
    lower, upper = known
    ends = [list(zip(p, q, strict=True)) for p, q in zip(start, end, strict=True)]
    places = [[x + lower * (y - x) for x, y in point] for point in ends]
    size = max(max(abs(x), abs(y)) for point in ends for x, y in point)
    motion = max(abs(y - x) for point in ends for x, y in point)
    return Nearby(places, separation + 4.0 * (upper - lower) * motion + _ROUNDING * size)


def separation_features(
    points: Sequence[MovingPoint],
    is_edge_edge: bool,
    coplanarity: Polynomial,
    separation: int,
    near: Nearby | None = None,
) -> list[SeparationFeature]:
    """List the pairs of features that can realise the distance between the two sides.

    The first time at the separation, if it is not t = 0, is a root of the gap of a pair that holds its
    closest points then. A gap that is zero for all time can be left out: at the first time take the pair of
    lowest dimension that realises the distance. It is not degenerate and holds its closest points strictly
    inside (else a lower one would do), hence holds them just before as well, where the distance is still
    greater than the separation: its gap is not zero there. So it is, with time reversed, at any time after
    which the distance is greater: all times that part contact from no contact are such roots.

    near : leaves out pairs with a vertex that are farther apart while the time is open
    """
    squared = separation * separation
    volume_squared = multiply(coplanarity, coplanarity)
    a, b = ((0, 1), (2, 3)) if is_edge_edge else ((0,), (1, 2, 3))
    features = [(_edge_edge if is_edge_edge else _vertex_face)(points, volume_squared, squared)]
    edges = [
        (p, edge)
        for mine, other in ((a, b), (b, a))
        for p, edge in product(mine, _edges(other))
        if near is None or near.may_touch(p, edge)
    ]
    # Who is far from an edge is far from its ends.
    ends = {frozenset((p, q)) for p, edge in edges for q in edge}
    features += [_vertex_vertex(points[p], points[q], squared) for p, q in product(a, b) if {p, q} in ends]
    features += [_vertex_edge(points[p], (points[q], points[r]), squared) for p, (q, r) in edges]
    return features


def _edges(points: Sequence[int]) -> list[tuple[int, int]]:
    return [(points[i], points[j]) for i in range(len(points)) for j in range(i)]


def _vertex_vertex(p: MovingPoint, q: MovingPoint, squared: int) -> SeparationFeature:
    r = _vector(p, q)
    return SeparationFeature(subtract(_dot(r, r), (squared,)), (1,), tuple)


def _vertex_edge(p: MovingPoint, edge: tuple[MovingPoint, MovingPoint], squared: int) -> SeparationFeature:
    r, e = _vector(edge[0], p), _vector(edge[0], edge[1])
    rr, re, ee = _dot(r, r), _dot(r, e), _dot(e, e)
    # |r x e|^2 = rr ee - re^2 is the squared distance to the line, times ee.
    gap = subtract(multiply(subtract(rr, (squared,)), ee), multiply(re, re))
    return SeparationFeature(gap, ee, lambda: (re, subtract(ee, re)))


def _vertex_face(
    points: Sequence[MovingPoint], volume_squared: Polynomial, squared: int
) -> SeparationFeature:
    p, a, b, c = points
    r, e, f = _vector(a, p), _vector(a, b), _vector(a, c)

    def inside(ee: Polynomial, ef: Polynomial, ff: Polynomial, nn: Polynomial) -> Conditions:
        re, rf = _dot(r, e), _dot(r, f)
        weight_b = subtract(multiply(ff, re), multiply(ef, rf))
        weight_c = subtract(multiply(ee, rf), multiply(ef, re))
        return weight_b, weight_c, subtract(nn, add(weight_b, weight_c))

    return _plane_feature((e, f), volume_squared, squared, inside)


def _edge_edge(points: Sequence[MovingPoint], volume_squared: Polynomial, squared: int) -> SeparationFeature:
    a0, a1, b0, b1 = points
    r, e, f = _vector(a0, b0), _vector(a0, a1), _vector(b0, b1)

    def inside(ee: Polynomial, ef: Polynomial, ff: Polynomial, nn: Polynomial) -> Conditions:
        # The closest points a0 + (s / nn) e and b0 + (u / nn) f make r + (u f - s e) / nn normal to e and f.
        re, rf = _dot(r, e), _dot(r, f)
        s = subtract(multiply(ff, re), multiply(ef, rf))
        u = subtract(multiply(ef, re), multiply(ee, rf))
        return s, subtract(nn, s), u, subtract(nn, u)

    return _plane_feature((e, f), volume_squared, squared, inside)


def _plane_feature(
    vectors: tuple[Vector, Vector],
    volume_squared: Polynomial,
    squared: int,
    inside: Callable[[Polynomial, Polynomial, Polynomial, Polynomial], Conditions],
) -> SeparationFeature:
    """Distance along the normal n = e x f: volume / |n|."""
    e, f = vectors
    ee, ef, ff = _dot(e, e), _dot(e, f), _dot(f, f)
    nn = subtract(multiply(ee, ff), multiply(ef, ef))
    gap = subtract(volume_squared, scale(nn, squared))
    return SeparationFeature(gap, nn, lambda: inside(ee, ef, ff, nn))


def _vector(p: MovingPoint, q: MovingPoint) -> Vector:
    """Vector from p to q."""
    return [(b0 - a0, b1 - a1) for (a0, a1), (b0, b1) in zip(p, q, strict=True)]


def _dot(u: Vector, v: Vector) -> Polynomial:
    """Scalar product, a quadratic."""
    c0 = c1 = c2 = 0
    for (a0, a1), (b0, b1) in zip(u, v, strict=True):
        c0 += a0 * b0
        c1 += a0 * b1 + a1 * b0
        c2 += a1 * b1
    return trimmed((c0, c1, c2))
