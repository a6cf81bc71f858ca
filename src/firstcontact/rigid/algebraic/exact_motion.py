"""Moving bodies as algebra sees them: coordinates that are fractions of polynomials of t, without rounding.

A point of a body is X / w, with three polynomials X and a positive one w, which all its points share. Lines
are known by Plücker's coordinates, a direction and a moment, and planes by a normal and an offset, of which
only signs matter. So a body that turns by a quaternion q of two coordinates in t, with n = |q|^2 and M = n R,
has points of degree 3 over n, directions M u and normals M (u x v) of degree 2, and no more: cross products
of M u and M v have a factor n, which is left out.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from firstcontact.arrays import Array
from firstcontact.motions.rigid_motion import (
    BASE_TIME,
    N_COLUMNS,
    POSITION,
    RATE,
    ROTATION,
    VELOCITY,
    RigidMotion,
)
from firstcontact.motions.smooth import Smooth
from firstcontact.motions.trajectories.quaternion_trajectory import PLACES as QUATERNION_PLACES
from firstcontact.motions.trajectories.quaternion_trajectory import QuaternionTrajectory
from firstcontact.scalar.exact_vectors import ExactVector, exact_cross, exact_dot, exact_sub
from firstcontact.scalar.integer_polynomial import (
    Polynomial,
    add,
    multiply,
    scale,
    scaled_integers,
    subtract,
    trimmed,
)

Vector = tuple[Polynomial, Polynomial, Polynomial]


class Numbers(NamedTuple):
    """What one motion is by definition, in doubles.

    turn : eight of quaternions (x, y, z, w) at both ends, or nine of a matrix, row by row
    lengths : nine: where the center is at t = 0, where at t = 1, and the center; of what does not turn, the
        translation at t = 0, the velocity, and zeros: seen from a center, the translation would be rounded
    """

    turn: list[float]
    lengths: list[float]
    is_turning: bool


def numbers_of(motion: RigidMotion, i: int) -> Numbers | None:
    """Numbers of motion i of a batch; None where it is neither by quaternions nor straight in one piece."""
    if isinstance(motion.law, Smooth) and isinstance(motion.law.trajectory, QuaternionTrajectory):
        row = motion.law.trajectory.numbers[motion.law.members[i]].tolist()
        return Numbers(row[:QUATERNION_PLACES], row[QUATERNION_PLACES:], True)
    if motion.law is not None or motion.pieces.shape[1:] != (1, N_COLUMNS):
        return None
    piece: Array = motion.pieces[i, 0]
    if piece[RATE] != 0.0 or piece[BASE_TIME] != 0.0:
        return None
    lengths = [*motion.translations[i, 0].tolist(), *piece[VELOCITY : VELOCITY + 3].tolist(), 0.0, 0.0, 0.0]
    return Numbers(piece[ROTATION:POSITION].tolist(), lengths, False)


def exact_bodies(
    one: Numbers, other: Numbers, vertices: Array, other_vertices: Array
) -> tuple["ExactBody", "ExactBody"]:
    """Two bodies with vertices (m, 3) in one unit."""
    parts = [one.lengths, other.lengths, vertices.ravel().tolist(), other_vertices.ravel().tolist()]
    whole = scaled_integers([x for part in parts for x in part])
    ends = [0, *accumulate(map(len, parts))]
    lengths, other_lengths, *points = (whole[a:b] for a, b in pairwise(ends))
    triples = [list(zip(*[iter(flat)] * 3, strict=True)) for flat in points]
    return ExactBody(one, lengths, triples[0]), ExactBody(other, other_lengths, triples[1])


class ExactBody:
    """A moving body; lengths are whole numbers of a unit that both bodies of a pair share.

    Parameters
    ----------
    numbers : of its motion
    lengths : nine whole numbers, those of `numbers` in the unit
    vertices : in the unit, as seen from the origin of its frame
    """

    def __init__(self, numbers: Numbers, lengths: Sequence[int], vertices: Sequence[ExactVector]) -> None:
        begin, second, center = (tuple(lengths[k : k + 3]) for k in (0, 3, 6))
        self._vertices = [exact_sub(vertex, center) for vertex in vertices]
        self._is_turning = numbers.is_turning
        way = exact_sub(second, begin) if numbers.is_turning else second
        x, y, z = (trimmed((b, int(w))) for b, w in zip(begin, way, strict=True))
        self._place: Vector = (x, y, z)
        if numbers.is_turning:
            self._matrix, self.weight = _turn(scaled_integers(numbers.turn))
        else:
            *entries, unit = scaled_integers([*numbers.turn, 1.0])
            self._matrix, self.weight = [trimmed((entry,)) for entry in entries], (unit,)
        self._points: dict[int, Vector] = {}

    def point(self, i: int) -> Vector:
        """Coordinates of a vertex, times the weight."""
        if i not in self._points:
            turned = self._turned(self._vertices[i])
            self._points[i] = vector_sum(scaled_vector(self._place, self.weight), turned)
        return self._points[i]

    def line(self, i: int, j: int) -> tuple[Vector, Vector]:
        """Direction, and its moment, of the line through two vertices, times a positive number."""
        origin, along = self._vertices[i], exact_sub(self._vertices[j], self._vertices[i])
        direction = self._turned(along)
        if not self._is_turning:
            return scaled_vector(direction, self.weight), cross(self.point(i), direction)
        return direction, vector_sum(cross(self._place, direction), self._turned(exact_cross(origin, along)))

    def plane(self, i: int, j: int, k: int) -> tuple[Vector, Polynomial]:
        """Normal N and offset d of the plane of three vertices, N . x = d, times a positive number.

        A matrix that is not a rotation to the last digit is taken for what it is.
        """
        origin = self._vertices[i]
        one, other = (exact_sub(self._vertices[m], origin) for m in (j, k))
        if not self._is_turning:
            normal = cross(self._turned(one), self._turned(other))
            return scaled_vector(normal, self.weight), dot(normal, self.point(i))
        across = exact_cross(one, other)
        normal = self._turned(across)
        return normal, add(dot(normal, self._place), scale(self.weight, int(exact_dot(across, origin))))

    def _turned(self, vector: ExactVector) -> Vector:
        """A body vector as the body is turned, times the weight."""
        x, y, z = (int(component) for component in vector)
        m = self._matrix

        def row(k: int) -> Polynomial:
            return add(add(scale(m[k], x), scale(m[k + 1], y)), scale(m[k + 2], z))

        return row(0), row(3), row(6)


def _turn(numbers: Sequence[int]) -> tuple[list[Polynomial], Polynomial]:
    """Nine entries of the matrix |q|^2 R, row by row, and |q|^2, of q from one to another."""
    x, y, z, w = ((p, q - p) for p, q in zip(numbers[:4], numbers[4:], strict=True))
    xx, yy, zz, ww = (multiply(c, c) for c in (x, y, z, w))

    def twice(*terms: tuple[Polynomial, Polynomial, int]) -> Polynomial:
        total: Polynomial = ()
        for p, q, sign in terms:
            total = add(total, scale(multiply(p, q), 2 * sign))
        return total

    matrix = [
        *(subtract(add(ww, xx), add(yy, zz)), twice((x, y, 1), (w, z, -1)), twice((x, z, 1), (w, y, 1))),
        *(twice((x, y, 1), (w, z, 1)), subtract(add(ww, yy), add(xx, zz)), twice((y, z, 1), (w, x, -1))),
        *(twice((x, z, 1), (w, y, -1)), twice((y, z, 1), (w, x, 1)), subtract(add(ww, zz), add(xx, yy))),
    ]
    return matrix, add(add(xx, yy), add(zz, ww))


def vector_sum(u: Vector, v: Vector) -> Vector:
    """Sum of two vectors."""
    return add(u[0], v[0]), add(u[1], v[1]), add(u[2], v[2])


def scaled_vector(v: Vector, p: Polynomial) -> Vector:
    """Vector times a polynomial."""
    return multiply(v[0], p), multiply(v[1], p), multiply(v[2], p)


def dot(u: Vector, v: Vector) -> Polynomial:
    """Inner product of two vectors."""
    return add(add(multiply(u[0], v[0]), multiply(u[1], v[1])), multiply(u[2], v[2]))


def cross(u: Vector, v: Vector) -> Vector:
    """Cross product of two vectors."""
    return (
        subtract(multiply(u[1], v[2]), multiply(u[2], v[1])),
        subtract(multiply(u[2], v[0]), multiply(u[0], v[2])),
        subtract(multiply(u[0], v[1]), multiply(u[1], v[0])),
    )
