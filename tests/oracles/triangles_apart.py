"""Have two triangles a common point? In integers, by planes that part them: of any triangles, also flat ones.

The closest points of two triangles that are apart are on features, and the way between them is across these:
from corner to corner, from a corner square to an edge or to a face, or square to two edges. If none of these
ways parts the two strictly, they have a common point.
"""

from itertools import combinations, product


def are_apart(a, b):
    """Are two triangles apart? Each is three corners of three floats."""
    ratios = [[x.as_integer_ratio() for x in corner] for corner in (*a, *b)]
    scale = max(denominator for corner in ratios for _, denominator in corner)
    corners = [tuple(n * (scale // d) for n, d in corner) for corner in ratios]
    return any(_parts(way, corners[:3], corners[3:]) for way in _ways(corners[:3], corners[3:]))


def _ways(a, b):
    edges = [[_minus(q, p) for p, q in combinations(t, 2)] for t in (a, b)]
    for t in (a, b):
        yield _cross(_minus(t[1], t[0]), _minus(t[2], t[0]))
    for u, v in product(*edges):
        yield _cross(u, v)
    for p, q in product(a, b):
        between = _minus(q, p)
        yield between
        for along in (*edges[0], *edges[1]):
            size = _dot(along, along)
            yield tuple(size * x - _dot(along, between) * y for x, y in zip(between, along, strict=True))


def _parts(way, a, b):
    if not any(way):
        return False
    over_a, over_b = ([_dot(way, corner) for corner in t] for t in (a, b))
    return max(over_a) < min(over_b) or max(over_b) < min(over_a)


def _minus(p, q):
    return tuple(x - y for x, y in zip(p, q, strict=True))


def _cross(p, q):
    return p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]


def _dot(p, q):
    return sum(x * y for x, y in zip(p, q, strict=True))
