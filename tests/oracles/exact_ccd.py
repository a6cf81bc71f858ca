"""First contact of elementary pairs, decided in integer arithmetic: slow, and meant to be obviously right.

Two closed primitives are within a distance d of each other exactly if some pair of their features is: the
inside of the triangle and the point, a point and the inside of an edge, the insides of two edges, or two
points. For each pair of features that is a list of polynomial inequalities in t (see `Feature`).

The distance is continuous, so at a first contact after t = 0 it equals d and is attained by a pair of
features with a vanishing `gap`. The first contact is therefore at 0, or at a root of a `gap`, or, for a gap
that vanishes at all times, at a root of one of that feature's `conditions`. All those roots are isolated by
Sturm chains, and the inequalities are decided exactly at each.
"""

from fractions import Fraction
from functools import cached_property
from itertools import groupby, pairwise
from math import inf
from typing import NamedTuple

from oracles.polynomials import add, multiply, subtract, trimmed
from oracles.roots import Root, roots_in_unit_interval


class FirstTime(NamedTuple):
    """`lower` and `upper` are consecutive doubles around the first time, or twice that time if it is one."""

    hit: bool
    lower: float
    upper: float

    def within(self, max_time):
        """The answer over [0, max_time]; exact, since no double lies between `lower` and `upper`."""
        return self if self.upper <= max_time else NEVER


NEVER = FirstTime(False, inf, inf)


class Feature:
    """A pair of features, at most d apart where `gap` <= 0, `proper` > 0 and all `conditions` >= 0.

    `proper` tells whether the features are what they seem: it vanishes for an edge without length, a
    triangle without area, two parallel edges. Other pairs of features decide there.
    """

    def __init__(self, gap, proper, conditions):
        self.gap = gap
        self.proper = proper
        self.conditions = conditions

    def touches(self, root):
        return root.sign_of(self.gap) <= 0 and root.sign_of(self.proper) > 0 and self.is_inside(root)

    def is_inside(self, root):
        return all(root.sign_of(condition) >= 0 for condition in self.conditions)

    def critical_polynomials(self):
        """The first contact, if this pair of features makes it after t = 0, is a root of one of these."""
        if not self.proper:
            return []
        return [self.gap] if self.gap else [p for p in self.conditions if p]


class _Query:
    """Four moving points with integer coordinates, and the squared distance that counts as contact."""

    def __init__(self, points, distance_squared):
        self.points = points
        self.limit = (distance_squared,) if distance_squared else ()

    def first_time(self):
        if self.touches(Root.known(0.0)):
            return FirstTime(True, 0.0, 0.0)
        lower, upper = inf, inf
        for polynomial in self.critical_polynomials():
            for root in roots_in_unit_interval(polynomial):
                low, high = root.bracket()
                if low >= upper:
                    break
                if self.touches(root):
                    # The bracket of the least of several numbers has the least ends of their brackets.
                    lower, upper = min(lower, low), min(upper, high)
                    break
        return FirstTime(upper <= 1.0, lower, upper)

    def critical_polynomials(self):
        if not self.limit and self.volume:
            return [self.volume]
        features = [self.interior, *self.boundary]
        return [p for feature in features for p in feature.critical_polynomials()]

    def touches(self, root):
        if self.limit:
            return self.interior.touches(root) or any(feature.touches(root) for feature in self.boundary)
        if root.sign_of(self.volume) != 0:
            return False
        if root.sign_of(self.normal_squared) > 0:
            # Coplanar and not degenerate: the conditions on the insides include their borders.
            return self.interior.is_inside(root)
        return any(feature.touches(root) for feature in self.boundary)

    @cached_property
    def normal_squared(self):
        return dot(self.normal, self.normal)

    @cached_property
    def interior(self):
        """|volume| / |normal| is the distance between the point and the plane, or between the two lines."""
        gap = multiply(self.volume, self.volume)
        if self.limit:
            gap = subtract(gap, multiply(self.limit, self.normal_squared))
        return Feature(gap, self.normal_squared, self.interior_conditions())

    def point_point(self, p, q):
        offset = difference(p, q)
        return Feature(subtract(dot(offset, offset), self.limit), (1,), ())

    def point_segment(self, p, a, b):
        edge, offset = difference(b, a), difference(p, a)
        area, length_squared, along = cross(edge, offset), dot(edge, edge), dot(edge, offset)
        gap = subtract(dot(area, area), multiply(self.limit, length_squared))
        return Feature(gap, length_squared, (along, subtract(length_squared, along)))


class VertexFace(_Query):
    @cached_property
    def normal(self):
        _, a, b, c = self.points
        return cross(difference(b, a), difference(c, a))

    @cached_property
    def volume(self):
        return dot(self.normal, difference(self.points[0], self.points[1]))

    def interior_conditions(self):
        """The point, dropped on the plane, is on the inner side of each edge."""
        p, a, b, c = self.points
        edges = ((a, b), (b, c), (c, a))
        return [dot(self.normal, cross(difference(q, o), difference(p, o))) for o, q in edges]

    @cached_property
    def boundary(self):
        p, a, b, c = self.points
        edges = [self.point_segment(p, o, q) for o, q in ((a, b), (b, c), (c, a))]
        return edges + [self.point_point(p, corner) for corner in (a, b, c)]


class EdgeEdge(_Query):
    @cached_property
    def normal(self):
        a0, a1, b0, b1 = self.points
        return cross(difference(a1, a0), difference(b1, b0))

    @cached_property
    def volume(self):
        return dot(self.normal, difference(self.points[2], self.points[0]))

    def interior_conditions(self):
        """The places of the lines' closest points are between the ends of the edges.

        With edges u, v, offset r = b0 - a0 and n = u x v they are (r x v).n / n.n and (r x u).n / n.n.
        """
        a0, a1, b0, b1 = self.points
        offset = difference(b0, a0)
        on_a = dot(self.normal, cross(offset, difference(b1, b0)))
        on_b = dot(self.normal, cross(offset, difference(a1, a0)))
        length = self.normal_squared
        return [on_a, subtract(length, on_a), on_b, subtract(length, on_b)]

    @cached_property
    def boundary(self):
        a0, a1, b0, b1 = self.points
        edges = [self.point_segment(p, b0, b1) for p in (a0, a1)]
        edges += [self.point_segment(p, a0, a1) for p in (b0, b1)]
        return edges + [self.point_point(p, q) for p in (a0, a1) for q in (b0, b1)]


QUERIES = {"vf": VertexFace, "ee": EdgeEdge}


def first_time(kind, start, end, min_separation=0.0):
    """Exact first contact over [0, 1] of one query: kind "vf" or "ee", start and end (4, 3) of floats."""
    return _query(kind, start, end, min_separation).first_time()


def _query(kind, start, end, min_separation):
    numbers = [float(x) for points in (start, end) for point in points for x in point]
    *numbers, separation = as_integers([*numbers, float(min_separation)])
    points = [_linear(numbers[i : i + 3], numbers[i + 12 : i + 15]) for i in (0, 3, 6, 9)]
    return QUERIES[kind](points, separation**2)


def as_integers(numbers):
    """Multiply all by one power of two that makes them integers."""
    ratios = [x.as_integer_ratio() for x in numbers]
    common = max(denominator for _, denominator in ratios)
    return [numerator * (common // denominator) for numerator, denominator in ratios]


def _linear(start, end):
    return [(x0, x1 - x0) for x0, x1 in zip(start, end, strict=True)]


def difference(p, q):
    """Difference of two moving points: three linear polynomials."""
    return [trimmed((x[0] - y[0], x[1] - y[1])) for x, y in zip(p, q, strict=True)]


def dot(p, q):
    return add(add(multiply(p[0], q[0]), multiply(p[1], q[1])), multiply(p[2], q[2]))


def cross(p, q):
    pairs = ((1, 2), (2, 0), (0, 1))
    return [subtract(multiply(p[i], q[j]), multiply(p[j], q[i])) for i, j in pairs]


def moments(kind, start, end, min_separation=0.0):
    """Brackets of every root of every inequality, and fractions between them; is there contact then?

    Contact begins and ends at such roots alone. In the order of time.
    """
    query = _query(kind, start, end, min_separation)
    features = [query.interior, *query.boundary]
    polynomials = {p for f in features for p in (f.gap, f.proper, *f.conditions) if p}
    roots = [Root.known(0.0), Root.known(1.0)]
    roots += [root for p in polynomials for root in roots_in_unit_interval(p)]
    found = sorted((root.bracket(), query.touches(root)) for root in roots)
    between = []
    for (_, low), (high, _) in pairwise(sorted({bracket for bracket, _ in found})):
        middle = (Fraction(low) + Fraction(high)) / 2
        between.append(((middle, middle), query.touches(Root.known(middle))))
    return sorted(found + between)


def all_times(kind, start, end, min_separation=0.0):
    """Spans of contact in [0, 1]: pairs of brackets, of when each begins and of when it ends.

    Roots with one bracket, consecutive doubles, count as one time.
    """
    spans = []
    is_on = False
    for bracket, items in groupby(moments(kind, start, end, min_separation), key=lambda item: item[0]):
        if any(touches for _, touches in items):
            spans[-1:] = [(spans[-1][0], bracket)] if is_on else [*spans[-1:], (bracket, bracket)]
            is_on = True
        else:
            is_on = False
    return spans
