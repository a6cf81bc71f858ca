"""The plane in rational numbers: sides, edges that meet, distances; by brute force."""

from fractions import Fraction


def exactly(points):
    return [tuple(Fraction(float(x)) for x in point) for point in points]


def turn(a, b, c):
    """The sign of the area of a, b, c."""
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (area > 0) - (area < 0)


def is_on(p, a, b):
    """Is a point on an edge?"""
    return turn(a, b, p) == 0 and all(min(x, y) <= z <= max(x, y) for x, y, z in zip(a, b, p, strict=True))


def meet(a, b, c, d):
    """Have two edges a common point?"""
    if turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0:
        return True
    return is_on(c, a, b) or is_on(d, a, b) or is_on(a, c, d) or is_on(b, c, d)


def squared_distance(p, a, b):
    """The square of the distance of a point from an edge."""
    way, there = [y - x for x, y in zip(a, b, strict=True)], [y - x for x, y in zip(a, p, strict=True)]
    length = sum(x * x for x in way)
    s = (
        Fraction(0)
        if length == 0
        else min(max(sum(x * y for x, y in zip(way, there, strict=True)) / length, 0), 1)
    )
    return sum((x - s * y) ** 2 for x, y in zip(there, way, strict=True))


def side(p, rings):
    """1 inside of outlines, 0 on them, -1 outside, by the edges that a ray crosses."""
    is_odd = False
    for ring in rings:
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
            if is_on(p, a, b):
                return 0
            if (a[1] <= p[1]) != (b[1] <= p[1]):
                is_odd ^= turn(a, b, p) == (1 if a[1] <= p[1] else -1)
    return 1 if is_odd else -1


def times_on_edge(o, d, a, b):
    """From when to when the line of a ray is on an edge; None for never."""
    side_a, side_b = ((d[0] * (p[1] - o[1]) - d[1] * (p[0] - o[0])) for p in (a, b))
    size = d[0] ** 2 + d[1] ** 2
    along_a, along_b = ((d[0] * (p[0] - o[0]) + d[1] * (p[1] - o[1])) / size for p in (a, b))
    if side_a * side_b > 0:
        return None
    if side_a == side_b == 0:
        return min(along_a, along_b), max(along_a, along_b)
    t = (along_a * side_b - along_b * side_a) / (side_b - side_a)
    return t, t


def ray_hits(o, d, edges, soonest=0):
    """Times and numbers of edges that a ray meets, in order; of an edge along the ray the first time."""
    found = []
    for k, (a, b) in enumerate(edges):
        times = times_on_edge(o, d, a, b)
        if times is not None and times[1] >= soonest:
            found.append((max(times[0], soonest), k))
    return sorted(found)
