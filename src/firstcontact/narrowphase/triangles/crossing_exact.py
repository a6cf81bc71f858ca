"""What two triangles have in common, in rational numbers: of any triangles, also those without an area.

The few pairs that compiled code leaves open come here. Points are named as there (crossing.py).
"""

from collections.abc import Sequence
from fractions import Fraction

from firstcontact.arrays import Array
from firstcontact.narrowphase.triangles.crossing import EDGE, FACE, N_FEATURES
from firstcontact.scalar.exact_vectors import ExactVector, exact_cross, exact_dot, exact_sub
from firstcontact.scalar.integer_polynomial import scaled_integers

SIDES = ((0, 1), (1, 2), (2, 0))


def common_points_exactly(corners: Array) -> list[int]:
    """Name the ends of what two triangles, (2, 3, 3), share; three or more are corners of an area."""
    numbers = scaled_integers(corners.reshape(-1).tolist())
    a, b = ([tuple(numbers[k : k + 3]) for k in range(first, first + 9, 3)] for first in (0, 9))
    found: dict[ExactVector, int] = {}
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


def _add(found: dict[ExactVector, int], point: ExactVector, on_a: int | None, on_b: int | None) -> None:
    """Keep a point by the first name that is found, which has the least features."""
    if on_a is not None and on_b is not None:
        found.setdefault(point, N_FEATURES * on_a + on_b)


def _ends(found: dict[ExactVector, int]) -> list[int]:
    """All points, but of those on one line only the outermost two."""
    points = list(found)
    if len(points) > 2 and not any(any(_normal([points[0], points[1], p])) for p in points[2:]):
        points = [min(points), max(points)]
    return [found[point] for point in points]


def _add_through(
    found: dict[ExactVector, int],
    p: ExactVector,
    q: ExactVector,
    t: Sequence[ExactVector],
    edge: int,
    is_swapped: bool,
) -> None:
    """Add where an edge passes through the inside of a triangle."""
    normal = _normal(t)
    above = [exact_dot(normal, exact_sub(end, t[0])) for end in (p, q)]
    if above[0] * above[1] >= 0:
        return
    point = _between(p, q, Fraction(above[0]) / (above[0] - above[1]))
    on_face = _feature_at(point, t)
    if on_face is not None:
        _add(found, point, *((on_face, edge) if is_swapped else (edge, on_face)))


def _feature_at(point: ExactVector, t: Sequence[ExactVector]) -> int | None:
    """Least feature of a triangle that a point is on; None where it is on none."""
    for i, corner in enumerate(t):
        if point == corner:
            return i
    for i, (p, q) in enumerate(SIDES):
        along, there = exact_sub(t[q], t[p]), exact_sub(point, t[p])
        if not any(exact_cross(along, there)) and 0 < exact_dot(along, there) < exact_dot(along, along):
            return EDGE + i
    normal = _normal(t)
    if not any(normal) or exact_dot(normal, exact_sub(point, t[0])) != 0:
        return None
    turns = [exact_dot(normal, exact_cross(exact_sub(t[q], t[p]), exact_sub(point, t[p]))) for p, q in SIDES]
    return FACE if min(turns) > 0 else None


def _crossing(p: ExactVector, q: ExactVector, x: ExactVector, y: ExactVector) -> ExactVector | None:
    """Where the insides of two edges that are not parallel cross."""
    along, other, there = exact_sub(q, p), exact_sub(y, x), exact_sub(x, p)
    normal = exact_cross(along, other)
    size = exact_dot(normal, normal)
    if size == 0 or exact_dot(normal, there) != 0:
        return None
    s, u = (Fraction(exact_dot(exact_cross(there, way), normal)) / size for way in (other, along))
    return _between(p, q, s) if 0 < s < 1 and 0 < u < 1 else None


def _between(p: ExactVector, q: ExactVector, s: Fraction) -> ExactVector:
    return tuple(x + s * (y - x) for x, y in zip(p, q, strict=True))


def _normal(t: Sequence[ExactVector]) -> ExactVector:
    return exact_cross(exact_sub(t[1], t[0]), exact_sub(t[2], t[0]))
