"""Exact distance of elementary pairs at one rational instant, by plain vector algebra on Fractions."""

from fractions import Fraction


def points_at(start, end, time):
    """The four points at a rational time, as Fractions."""
    time = Fraction(time)
    return [
        [(1 - time) * Fraction(float(x0)) + time * Fraction(float(x1)) for x0, x1 in zip(p0, p1, strict=True)]
        for p0, p1 in zip(start, end, strict=True)
    ]


def exact_distance_squared(kind, points):
    """Squared distance of a point and a triangle ("vf") or of two segments ("ee"), as a Fraction."""
    if kind == "vf":
        return point_triangle_squared(*points)
    return segment_segment_squared(*points)


def point_triangle_squared(p, a, b, c):
    candidates = [point_segment_squared(p, *edge) for edge in ((a, b), (b, c), (c, a))]
    ab, ac, ap = _minus(b, a), _minus(c, a), _minus(p, a)
    # The foot a + v ab + w ac of p solves the normal equations of a 2 x 2 Gram matrix.
    gram = _dot(ab, ab) * _dot(ac, ac) - _dot(ab, ac) ** 2
    if gram:
        v = Fraction(_dot(ac, ac) * _dot(ab, ap) - _dot(ab, ac) * _dot(ac, ap), gram)
        w = Fraction(_dot(ab, ab) * _dot(ac, ap) - _dot(ab, ac) * _dot(ab, ap), gram)
        if v >= 0 and w >= 0 and v + w <= 1:
            candidates.append(_squared(_minus(ap, _plus(_times(v, ab), _times(w, ac)))))
    return min(candidates)


def segment_segment_squared(a0, a1, b0, b1):
    candidates = [point_segment_squared(p, b0, b1) for p in (a0, a1)]
    candidates += [point_segment_squared(p, a0, a1) for p in (b0, b1)]
    u, v, r = _minus(a1, a0), _minus(b1, b0), _minus(b0, a0)
    gram = _dot(u, u) * _dot(v, v) - _dot(u, v) ** 2
    if gram:
        s = Fraction(_dot(u, r) * _dot(v, v) - _dot(v, r) * _dot(u, v), gram)
        q = Fraction(_dot(u, r) * _dot(u, v) - _dot(v, r) * _dot(u, u), gram)
        if 0 <= s <= 1 and 0 <= q <= 1:
            candidates.append(_squared(_minus(_plus(r, _times(q, v)), _times(s, u))))
    return min(candidates)


def point_segment_squared(p, a, b):
    edge, offset = _minus(b, a), _minus(p, a)
    length_squared = _squared(edge)
    if length_squared == 0:
        return _squared(offset)
    along = min(max(Fraction(_dot(edge, offset), length_squared), 0), 1)
    return _squared(_minus(offset, _times(along, edge)))


def _minus(p, q):
    return [x - y for x, y in zip(p, q, strict=True)]


def _plus(p, q):
    return [x + y for x, y in zip(p, q, strict=True)]


def _times(factor, p):
    return [factor * x for x in p]


def _dot(p, q):
    return sum(x * y for x, y in zip(p, q, strict=True))


def _squared(p):
    return _dot(p, p)
