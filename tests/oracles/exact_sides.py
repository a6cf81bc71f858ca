"""On which side of a mesh a point is, with no rounding: crossings of a ray in integers, or solid angles.

A mesh is a cycle where as many faces run along each edge one way as the other, vertices at one place being
one. Then the winding number of a point off the surface is whole: how often a ray from the point leaves the
mesh, less how often it enters. Any other mesh has solid angles, here to sixty digits.
"""

from collections import Counter

import mpmath

# Directions of rays: a next one is taken where a ray meets an edge or a corner.
DIRECTIONS = [(7919 + 101 * k * k, 104729 - 313 * k, 15485863 + 17 * k**3) for k in range(40)]
DIGITS = 60


def is_cycle(vertices, faces):
    """Do as many faces run along each edge one way as the other?"""
    places = [tuple(float(x) + 0.0 for x in vertex) for vertex in vertices]
    balance = Counter()
    for face in faces:
        for k in range(3):
            a, b = places[face[k]], places[face[(k + 1) % 3]]
            if a != b:
                balance[min(a, b), max(a, b)] += 1 if a < b else -1
    return not any(balance.values())


def exact_windings(points, vertices, faces):
    """Winding numbers of points (n, 3), none of which is on the surface: integers of a cycle, else reals."""
    if is_cycle(vertices, faces):
        return [_crossings(_seen_from(point, vertices), faces) for point in points]
    return [_solid_angles(_seen_from(point, vertices), faces) for point in points]


def _seen_from(point, vertices):
    """Vectors from a point to vertices, in integers: all times the same power of two."""
    rows = [[float(x).as_integer_ratio() for x in row] for row in (point, *vertices)]
    unit = max(below for row in rows for _, below in row)
    p, *corners = [[above * (unit // below) for above, below in row] for row in rows]
    return [_minus(corner, p) for corner in corners]


def _crossings(corners, faces):
    """How often a ray along a direction, of which no edge or corner is a part, leaves."""
    for direction in DIRECTIONS:
        total = 0
        for face in faces:
            a, b, c = (corners[k] for k in face)
            if not any(_cross(_minus(b, a), _minus(c, a))):
                continue
            sides = [_det(direction, x, y) for x, y in ((a, b), (b, c), (c, a))]
            if all(side > 0 for side in sides) or all(side < 0 for side in sides):
                if (_det(a, b, c) > 0) == (sides[0] > 0):
                    total += 1 if sides[0] > 0 else -1
            elif min(sides) >= 0 or max(sides) <= 0:
                break  # it may meet an edge or a corner, or a face lies along it
        else:
            return total
    raise ValueError("every ray meets an edge")


def _solid_angles(corners, faces):
    with mpmath.workdps(DIGITS):
        lengths = [mpmath.sqrt(mpmath.mpf(_dot(corner, corner))) for corner in corners]
        total = mpmath.mpf(0)
        for i, j, k in faces:
            a, b, c = corners[i], corners[j], corners[k]
            sine = mpmath.mpf(_det(a, b, c))
            cosine = lengths[i] * lengths[j] * lengths[k] + mpmath.mpf(_dot(a, b)) * lengths[k]
            cosine += mpmath.mpf(_dot(b, c)) * lengths[i] + mpmath.mpf(_dot(c, a)) * lengths[j]
            if sine:
                total += mpmath.atan2(sine, cosine)
        return float(total / (2 * mpmath.pi))


def _minus(a, b):
    return [x - y for x, y in zip(a, b, strict=True)]


def _cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def _det(a, b, c):
    return _dot(a, _cross(b, c))
