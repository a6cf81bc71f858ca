"""When features of two moving bodies touch: a vertex and a face, or two edges; exact.

A vertex is in the plane of a face where N . X = d w, two lines meet where the direction of each times the
moment of the other add up to 0: polynomials of degree 5 at the most, with all common factors left out.
"""

from firstcontact.narrowphase.elementary.elementary_exact import (
    PATTERN_EDGE_EDGE,
    PATTERN_VERTEX_FACE,
    START,
)
from firstcontact.narrowphase.elementary.touch import Touch
from firstcontact.rigid.algebraic.exact_motion import ExactBody, Vector, dot, scaled_vector
from firstcontact.scalar.algebraic_number import real_roots
from firstcontact.scalar.integer_polynomial import Polynomial, add, multiply, scale, subtract

Bracket = tuple[float, float]
Corners = tuple[int, ...]


class FeatureTouch(Touch):
    """A vertex of a and a face of b, or an edge of each.

    Parameters
    ----------
    corners_a, corners_b : numbers of vertices: one and three, or two and two
    """

    def __init__(self, a: ExactBody, b: ExactBody, corners_a: Corners, corners_b: Corners) -> None:
        super().__init__(len(corners_a))
        self._bodies, self._corners = (a, b), (corners_a, corners_b)
        self._pattern = PATTERN_VERTEX_FACE if len(corners_a) == 1 else PATTERN_EDGE_EDGE
        self._points: list[Vector] | None = None
        if len(corners_a) == 1:
            self.coplanarity = side_of_plane(a, b, corners_a[0], corners_b)
        else:
            self.coplanarity = side_of_lines(a, b, corners_a, corners_b)

    def points(self) -> list[Vector]:
        """All corners, times the weights of both bodies."""
        if self._points is None:
            (a, b), (corners_a, corners_b) = self._bodies, self._corners
            of_a = [scaled_vector(a.point(i), b.weight) for i in corners_a]
            self._points = of_a + [scaled_vector(b.point(i), a.weight) for i in corners_b]
        return self._points

    def make_areas(self, axis: int) -> tuple[Polynomial, ...]:
        """Signed areas, made from vectors to the last point."""
        *others, last = self.points()
        r0, r1, r2 = (tuple(subtract(x, y) for x, y in zip(p, last, strict=True)) for p in others)

        def area(u: tuple[Polynomial, ...], v: tuple[Polynomial, ...]) -> Polynomial:
            return subtract(multiply(u[axis - 2], v[axis - 1]), multiply(u[axis - 1], v[axis - 2]))

        l0, l1, l2 = area(r1, r2), area(r2, r0), area(r0, r1)
        l3 = scale(add(add(l0, l1), l2), -1)
        return tuple([scale(part, sign) for sign, part in zip(self._pattern, (l0, l1, l2, l3), strict=True)])

    def coordinates(self, axis: int) -> list[Polynomial]:
        """Coordinates of the four points."""
        return [point[axis] for point in self.points()]

    def is_at_start(self) -> bool:
        """Do the features touch at t = 0?"""
        return not (self.coplanarity and self.coplanarity[0]) and self.holds_at(START)

    def first_time(self) -> Bracket | None:
        """Neighbouring doubles around the first time at which the features touch, or that time twice.

        Of features that are always coplanar, the first time at which contact begins, t = 0 included.
        """
        if not self.coplanarity and self.holds_at(START):
            return 0.0, 0.0
        found: list[Bracket] = []
        for polynomial in [self.coplanarity] if self.coplanarity else self.candidates_if_always_coplanar():
            root = next((root for root in real_roots(polynomial) if self.holds_at(root)), None)
            if root is not None:
                found.append(root.bracket(0.0))
        return (min(low for low, _ in found), min(high for _, high in found)) if found else None


def side_of_plane(a: ExactBody, b: ExactBody, vertex: int, face: Corners) -> Polynomial:
    """On which side of the plane of a face of b a vertex of a is, times a positive number."""
    normal, offset = b.plane(*face)
    return subtract(dot(normal, a.point(vertex)), multiply(a.weight, offset))


def side_of_lines(a: ExactBody, b: ExactBody, edge_a: Corners, edge_b: Corners) -> Polynomial:
    """On which side of each other two lines pass, times a positive number."""
    (direction_a, moment_a), (direction_b, moment_b) = a.line(*edge_a), b.line(*edge_b)
    return add(dot(direction_a, moment_b), dot(direction_b, moment_a))


def passes_through_at_start(a: ExactBody, b: ExactBody, edge: Corners, face: Corners) -> bool:
    """Does an edge of a pass through a face of b at t = 0? Features that only touch are not looked for."""
    one, other = (side_of_plane(a, b, vertex, face)[:1] for vertex in edge)
    if not one or not other or (one[0] > 0) == (other[0] > 0):
        return False
    around = [side_of_lines(a, b, edge, (face[k], face[k - 2]))[:1] for k in range(3)]
    signs = {(side[0] > 0) - (side[0] < 0) if side else 0 for side in around}
    return not {1, -1} <= signs
