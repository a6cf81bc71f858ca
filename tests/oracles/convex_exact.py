"""The distance of two hulls of points in exact arithmetic: no rounding, and a proof that it is the least.

The difference of the hulls is the hull of all differences of points. Its point v nearest to the origin is
found in simplices of at most four corners, one after the other (Gilbert, Johnson and Keerthi): each is nearer
than the one before, so none comes twice. At the end no point of the difference is farther back than v
along v itself, which only the nearest one can claim.
"""

from fractions import Fraction
from itertools import combinations
from math import isqrt

SUBSETS = [chosen for size in (1, 2, 3, 4) for chosen in combinations(range(4), size)]


def placed_exactly(points, rotation, origin):
    """Rational places of points (k, 3) of doubles at a pose of doubles."""
    r = [[Fraction(float(x)) for x in row] for row in rotation]
    t = [Fraction(float(x)) for x in origin]
    places = []
    for point in points:
        x = [Fraction(float(c)) for c in point]
        places.append([_dot(r[i], x) + t[i] for i in range(3)])
    return places


def exact_hull_distance_squared(a, b):
    """Squared distance of the hulls of rational points, a Fraction; 0 where they have a point in common."""
    scale, (a, b) = _as_integers(a, b)
    simplex = [_minus(b[0], a[0])]
    while True:
        simplex, v = _nearest(simplex)
        length_squared = _dot(v, v)
        if length_squared == 0:
            return Fraction(0)
        way = _integers(v)
        nearest = _minus(min(b, key=lambda x: _dot(x, way)), max(a, key=lambda x: _dot(x, way)))
        if _dot(nearest, v) >= length_squared:
            return length_squared / scale**2
        simplex.append(nearest)


def root(x, digits=40):
    """The square root of a Fraction to some forty digits, and a bit more than it should be: a Fraction."""
    shift = 1
    while x * shift * shift < 10 ** (2 * digits) and x > 0:
        shift *= 10**10
    return Fraction(isqrt(int(x * shift * shift)), shift)


def _nearest(simplex):
    """The face of a simplex that is nearest to the origin, and its point that is."""
    best = None
    for chosen in SUBSETS:
        if chosen[-1] >= len(simplex):
            continue
        corners = [simplex[i] for i in chosen]
        v = _foot(corners)
        if v is not None and (best is None or _dot(v, v) < _dot(best[1], best[1])):
            best = corners, v
    return best


def _foot(corners):
    """The foot of the origin in the plane of corners, if inside; None if not, or if they span none."""
    start, sides = corners[0], [_minus(x, corners[0]) for x in corners[1:]]
    if not sides:
        return start
    weights = _solved([[_dot(x, y) for y in sides] for x in sides], [-_dot(x, start) for x in sides])
    if weights is None or min(weights) < 0 or sum(weights) > 1:
        return None
    return [start[i] + sum(w * x[i] for w, x in zip(weights, sides, strict=True)) for i in range(3)]


def _solved(matrix, right):
    """Cramer's rule for at most three unknowns; None if the determinant is zero."""
    determinant = _determinant(matrix)
    if determinant == 0:
        return None
    replaced = [
        [[right[i] if j == k else row[j] for j in range(len(row))] for i, row in enumerate(matrix)]
        for k in range(len(matrix))
    ]
    return [Fraction(_determinant(m), determinant) for m in replaced]


def _determinant(m):
    if len(m) == 1:
        return m[0][0]
    minors = [[row[:j] + row[j + 1 :] for row in m[1:]] for j in range(len(m))]
    return sum((-1) ** j * m[0][j] * _determinant(minors[j]) for j in range(len(m)))


def _as_integers(*hulls):
    """Whole numbers in the ratio of the coordinates, and what they were multiplied by."""
    scale = max(c.denominator for hull in hulls for point in hull for c in point)  # powers of two
    return scale, [[[int(c * scale) for c in point] for point in hull] for hull in hulls]


def _integers(v):
    """A vector along v of whole numbers."""
    scale = 1
    for c in v:
        scale *= Fraction(c).denominator
    return [int(c * scale) for c in v]


def _minus(p, q):
    return [x - y for x, y in zip(p, q, strict=True)]


def _dot(p, q):
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
