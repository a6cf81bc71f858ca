"""Motions by quaternions of any length, in fractions: where a point truly is, and what crosses then."""

from fractions import Fraction
from itertools import product


def exact_place(numbers, point, t):
    """Where a body point truly is at a time, in fractions."""
    t, numbers = Fraction(t), [Fraction(x) for x in numbers.tolist()]
    x, y, z, w = ((1 - t) * p + t * q for p, q in zip(numbers[:4], numbers[4:8], strict=True))
    straight = [(1 - t) * p + t * q for p, q in zip(numbers[8:11], numbers[11:14], strict=True)]
    a, b, c = (Fraction(p) - m for p, m in zip(point, numbers[14:], strict=True))
    # v (v . r) 2 + (w^2 - v . v) r + 2 w v x r, over the squared length.
    along, square = x * a + y * b + z * c, w * w - x * x - y * y - z * z
    turned = (
        2 * x * along + square * a + 2 * w * (y * c - z * b),
        2 * y * along + square * b + 2 * w * (z * a - x * c),
        2 * z * along + square * c + 2 * w * (x * b - y * a),
    )
    length = x * x + y * y + z * z + w * w
    return [place + turn / length for place, turn in zip(straight, turned, strict=True)]


def vertices_at(moving, t):
    """Vertices of a mesh at a time, of the only or first motion of a batch; of what rests, by its pose."""
    vertices, motion = moving.shape.vertices.tolist(), moving.motion
    if motion.law is not None:
        numbers = motion.law.trajectory.numbers[motion.law.members[0]]
        return [exact_place(numbers, vertex, t) for vertex in vertices]
    rows = [[Fraction(x) for x in row] for row in moving.pose(0.0).reshape(-1, 4, 4)[0, :3].tolist()]
    return [[sum(map(_times, row, [*vertex, 1.0])) for row in rows] for vertex in vertices]


def _times(x, y):
    return x * Fraction(y)


def volume(a, b, c, d):
    """Six times the signed volume of a tetrahedron."""
    u, v, w = ([x - y for x, y in zip(p, d, strict=True)] for p in (a, b, c))
    parts = [u[k - 2] * (v[k - 1] * w[k] - v[k] * w[k - 1]) for k in range(3)]
    return sum(parts)


def crosses(edge, face):
    """Does an edge pass through the inside of a face?"""
    (p, q), (a, b, c) = edge, face
    if volume(a, b, c, p) * volume(a, b, c, q) >= 0:
        return False
    sides = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)]
    return min(sides) > 0 or max(sides) < 0


def cross_at(a, b, t):
    """Does an edge of a face of one mesh pass through a face of the other at a time, a fraction?"""
    faces = []
    for thing in (a, b):
        points = vertices_at(thing, t)
        faces.append([[points[i] for i in face] for face in thing.shape.faces.tolist()])
    return any(
        crosses((face[k], face[k - 1]), other)
        for one, two in product(*faces)
        for face, other in ((one, two), (two, one))
        for k in range(3)
    )
