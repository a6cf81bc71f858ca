"""What two triangles have in common, in rational numbers: of any triangles, also those without an area.

The few pairs that compiled code leaves open come here. Points are named as there (crossing.py).
"""

from collections.abc import Sequence
from fractions import Fraction

from firstcontact.arrays import Array
from firstcontact.narrowphase.triangles.crossing import EDGE, FACE, N_FEATURES
from firstcontact.scalar.integer_polynomial import scaled_integers

Rational = int | Fraction
Point = tuple[Rational, ...]

SIDES = ((0, 1), (1, 2), (2, 0))


def common_points_exactly(corners: Array) -> list[int]:
    """Name the ends of what two triangles, (2, 3, 3), share; three or more are corners of an area."""
    numbers = scaled_integers(corners.reshape(-1).tolist())
    a, b = ([tuple(numbers[k : k + 3]) for k in range(first, first + 9, 3)] for first in (0, 9))
    found: dict[Point, int] = {}
    for i, corner in enumerate(a):
        _add(found, corner, i, _feature_at(corner, b))
    for j, corner in enumerate(b):
        _add(found, corner, _feature_at(corner, a), j)
    for i, (p, q) in enumerate(SIDES):
        for j, (x, y) in enumerate(SIDES):
            crossing = _crossing(a[p], a[q], b[x], b[y])
            if crossing is not None:
                _add(found, crossing, EDGE + i, EDGE + j)
        _add_through(found, a[p], a[q], b, EDGE + i, False)
        _add_through(found, b[p], b[q], a, EDGE + i, True)
    return _ends(found)


def _add(found: dict[Point, int], point: Point, on_a: int | None, on_b: int | None) -> None:
    """Keep a point by the first name that is found, which has the least features."""
    if on_a is not None and on_b is not None:
        found.setdefault(point, N_FEATURES * on_a + on_b)


def _ends(found: dict[Point, int]) -> list[int]:
    """All points, but of those on one line only the outermost two."""
    points = list(found)
    if len(points) > 2 and not any(any(_normal([points[0], points[1], p])) for p in points[2:]):
        points = [min(points), max(points)]
    return [found[point] for point in points]


def _add_through(
    found: dict[Point, int], p: Point, q: Point, t: Sequence[Point], edge: int, is_swapped: bool
) -> None:
    """Add where an edge passes through the inside of a triangle."""
    normal = _normal(t)
    above = [_dot(normal, _minus(end, t[0])) for end in (p, q)]
    if above[0] * above[1] >= 0:
        return
    point = _between(p, q, Fraction(above[0]) / (above[0] - above[1]))
    on_face = _feature_at(point, t)
    if on_face is not None:
        _add(found, point, *((on_face, edge) if is_swapped else (edge, on_face)))


def _feature_at(point: Point, t: Sequence[Point]) -> int | None:
    """Least feature of a triangle that a point is on; None where it is on none."""
    for i, corner in enumerate(t):
        if point == corner:
            return i
    for i, (p, q) in enumerate(SIDES):
        along, there = _minus(t[q], t[p]), _minus(point, t[p])
        if not any(_cross(along, there)) and 0 < _dot(along, there) < _dot(along, along):
            return EDGE + i
    normal = _normal(t)
    if not any(normal) or _dot(normal, _minus(point, t[0])) != 0:
        return None
    turns = [_dot(normal, _cross(_minus(t[q], t[p]), _minus(point, t[p]))) for p, q in SIDES]
    return FACE if min(turns) > 0 else None


def _crossing(p: Point, q: Point, x: Point, y: Point) -> Point | None:
    """Where the insides of two edges that are not parallel cross."""
    along, other, there = _minus(q, p), _minus(y, x), _minus(x, p)
    normal = _cross(along, other)
    size = _dot(normal, normal)
    if size == 0 or _dot(normal, there) != 0:
        return None
    s, u = (Fraction(_dot(_cross(there, way), normal)) / size for way in (other, along))
    return _between(p, q, s) if 0 < s < 1 and 0 < u < 1 else None


def _between(p: Point, q: Point, s: Fraction) -> Point:
    return tuple(x + s * (y - x) for x, y in zip(p, q, strict=True))


def _normal(t: Sequence[Point]) -> Point:
    return _cross(_minus(t[1], t[0]), _minus(t[2], t[0]))


def _minus(p: Point, q: Point) -> Point:
    return tuple(x - y for x, y in zip(p, q, strict=True))


def _cross(p: Point, q: Point) -> Point:
    return p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]


def _dot(p: Point, q: Point) -> Rational:
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
