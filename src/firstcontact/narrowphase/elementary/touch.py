"""When four moving points touch, a vertex and a face or two edges, decided by signs of polynomials."""

from abc import ABC, abstractmethod

from firstcontact.scalar.algebraic_number import AlgebraicNumber
from firstcontact.scalar.integer_polynomial import Polynomial, subtract


class Touch(ABC):
    """When do four points touch: their coplanarity and the conditions for contact where they are coplanar.

    Parameters
    ----------
    n_first : how many of the points, from the first on, are of the one side: 1 vertex, or 2 ends of an edge
    """

    coplanarity: Polynomial

    def __init__(self, n_first: int) -> None:
        self._n_first = n_first
        self._areas: list[tuple[Polynomial, ...] | None] = [None, None, None]

    @abstractmethod
    def make_areas(self, axis: int) -> tuple[Polynomial, ...]:
        """Signed areas L_i, times the pattern's signs, in the projection that drops an axis."""

    @abstractmethod
    def coordinates(self, axis: int) -> list[Polynomial]:
        """Coordinates of the four points along an axis, all times the same positive polynomial."""

    def areas(self, axis: int) -> tuple[Polynomial, ...]:
        """Signed areas, made when they are first asked for."""
        areas = self._areas[axis]
        if areas is None:
            areas = self._areas[axis] = self.make_areas(axis)
        return areas

    def holds_at(self, time: AlgebraicNumber) -> bool:
        """Tell whether the points, coplanar at this time, are in contact.

        A projection with an area that is not zero is one-to-one on the plane of the points, and their affine
        dependency is unique up to its scale: it has the pattern's signs, or it is no contact. With no such
        projection the points are collinear.
        """
        for axis in range(3):
            signs = set()
            for area in self.areas(axis):
                signs.add(time.sign_of(area))
                if 1 in signs and -1 in signs:
                    return False
            if signs != {0}:
                return True
        return all(self._overlaps(axis, time) for axis in range(3))

    def _overlaps(self, axis: int, time: AlgebraicNumber) -> bool:
        """Tell whether the intervals that the two sides cover on an axis have a common point."""
        signs = [time.sign_of(difference) for difference in self._side_differences(axis)]
        return min(signs) <= 0 <= max(signs)

    def _side_differences(self, axis: int) -> list[Polynomial]:
        """Coordinate differences between points of the one side and points of the other."""
        coordinates, n = self.coordinates(axis), self._n_first
        return [subtract(a, b) for a in coordinates[:n] for b in coordinates[n:]]

    def candidates_if_always_coplanar(self) -> list[Polynomial]:
        """Polynomials whose roots include every time at which a contact begins or ends, but t = 0.

        Take an axis with an area that is not zero for all time. Just before a contact begins that area is
        not zero, so the projection is one-to-one, and no contact means two areas with signs strictly against
        the pattern. At the contact either one of the two vanishes, or all areas of this projection do.
        With no such axis the points are always collinear: just before the contact the sides are apart on
        some axis, and at the contact two of their ends meet. The same holds just after it ends.
        """
        for axis in range(3):
            if areas := [area for area in self.areas(axis) if area]:
                return areas
        return [difference for axis in range(3) for difference in self._side_differences(axis) if difference]
