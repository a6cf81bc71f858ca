"""Points and directions as a body sees them that stands in one pose, and the other way round.

As `placed_in` and `answered` of many points have it, to the last bit.
"""

from firstcontact._jit import kernel
from firstcontact._validate import COORDINATE_LIMIT
from firstcontact.arrays import Array
from firstcontact.motions.rigid_motion import rotation_of
from firstcontact.motions.short_rows import N_SHORT, TRANSLATION, is_resting
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, sub

_NO_TURN = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@kernel
def is_standing(rows: Array) -> bool:
    """Are these the columns of one pose, where the body rests?"""
    return len(rows) == N_SHORT and is_resting(rows)


@kernel
def is_vector(numbers: Array) -> bool:
    """Are these three coordinates within the limit? NaN never is."""
    limit = COORDINATE_LIMIT
    if len(numbers) != 3:
        return False
    return bool(abs(numbers[0]) <= limit and abs(numbers[1]) <= limit and abs(numbers[2]) <= limit)


@kernel
def vector_in(numbers: Array, first: int) -> Vec3:
    """Read three numbers."""
    return numbers[first], numbers[first + 1], numbers[first + 2]


@kernel
def write_vector(v: Vec3, numbers: Array, first: int) -> None:
    """Write three numbers."""
    numbers[first], numbers[first + 1], numbers[first + 2] = v


@kernel
def seen_by(rows: Array, point: Vec3) -> Vec3:
    """Return a point of the world as the body sees it: in the identity pose, as it is."""
    if _is_at_origin(rows):
        return point
    return mat_vec(transposed(rotation_of(rows)), sub(point, vector_in(rows, TRANSLATION)))


@kernel
def point_in_world(rows: Array, point: Vec3) -> Vec3:
    """Return a point that the body sees as it is in the world."""
    if _is_at_origin(rows):
        return point
    return add(mat_vec(rotation_of(rows), point), vector_in(rows, TRANSLATION))


@kernel
def way_in_world(rows: Array, way: Vec3) -> Vec3:
    """Return a direction that the body sees as it is in the world."""
    return way if _is_at_origin(rows) else mat_vec(rotation_of(rows), way)


@kernel
def _is_at_origin(rows: Array) -> bool:
    return rotation_of(rows) == _NO_TURN and vector_in(rows, TRANSLATION) == (0.0, 0.0, 0.0)
