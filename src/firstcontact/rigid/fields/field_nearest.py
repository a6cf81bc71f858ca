"""How far a body is from the shape of a field, at an instant: pieces that may be nearest first."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.queue import drop_first, push
from firstcontact.arrays import INFINITY, Array, Ids
from firstcontact.fields.piece_bounds import Seen, Where, see_piece
from firstcontact.fields.piece_room import PieceRoom, larger, new_room
from firstcontact.fields.pieces import SAMPLED, SURFACE, Pieces, n_roots, radius_around, split, write_root
from firstcontact.fields.seen_field import SeenField, normal_at
from firstcontact.motions.relative_motion import Placement, placement_at, relative_motion, rounding_error
from firstcontact.motions.rigid_motion import pose_at
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import add, scale

# Poses from which several threads are worth their start.
WORTH_A_THREAD = 64

# How well the field's own least value over the body is to be known: in units of its tolerance, and of itself.
OF_TOLERANCE, OF_VALUE = 0.25, 2.0**-8

# And how well the depth of its deepest point, in parts of itself.
OF_DEPTH = 0.25

# Pieces are not split below this part of the tolerance; nor is one more looked at after so many.
OF_PIECE, MOST_PIECES = 0.125, 1 << 20


class FieldMeasured(NamedTuple):
    """Distances of n pairs of poses.

    distance : (n,), never more than the true one; 0 where no gap is proven
    points : (n, 2, 3) on the body and on the shape, in the world
    triangles : (n,) of the body's tree; -1 for none
    counts : (n, 2) balls around parts of a mesh, and other pieces, that were looked at
    """

    distance: Array
    points: Array
    triangles: Ids
    counts: NDArray[np.int64]


def field_distances(body: Pieces, field: SeenField, rows_a: Array, rows_b: Array) -> FieldMeasured:
    """Measure a body and a field in poses (n, 26) of each, or (1, 26) for all."""
    n = max(len(rows_a), len(rows_b)) if min(len(rows_a), len(rows_b)) > 0 else 0
    found = FieldMeasured(
        np.full(n, np.inf), np.full((n, 2, 3), np.nan), np.full(n, -1, np.int32), np.zeros((n, 2), np.int64)
    )

    def task(first: int, last: int) -> None:
        _measure_range(body, field, (rows_a, rows_b), found, new_room(), first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    return found


@driver
def _measure_range(
    body: Pieces,
    field: SeenField,
    rows: tuple[Array, Array],
    found: FieldMeasured,
    room: PieceRoom,
    first: int,
    last: int,
) -> None:
    measure_poses(body, field, rows, found, room, first, last)


@kernel
def measure_poses(
    body: Pieces,
    field: SeenField,
    rows: tuple[Array, Array],
    found: FieldMeasured,
    room: PieceRoom,
    first: int,
    last: int,
) -> None:
    """Measure a body and a field in some of their poses."""
    for k in range(first, last):
        row_a, row_b = rows[0][min(k, len(rows[0]) - 1)], rows[1][min(k, len(rows[1]) - 1)]
        motion = relative_motion(row_a, row_b, body.origin, field.origin)
        rounding = rounding_error(motion, body.reach + body.radius, field.reach, row_a, row_b)
        place = placement_at(motion, 0.0)
        least, best, node = nearest_piece(body, field, place, room, found.counts[k], False)
        if least == INFINITY:
            continue
        found.distance[k] = max(least - rounding, 0.0)
        triangle = _triangle_of(body, node)
        found.triangles[k] = triangle
        x = add(place.offset, mat_vec(place.rotation, best.point))
        value, away = normal_at(field, x)
        p = add(x, scale(-min(radius_around(body, triangle), max(value, 0.0)), away))
        q = add(x, scale(-max(value, 0.0), away))
        turned, at = pose_at(row_b, 0.0)
        p, q = mat_vec(turned, add(motion.spin_b.lever, p)), mat_vec(turned, add(motion.spin_b.lever, q))
        for i in range(3):
            found.points[k, 0, i], found.points[k, 1, i] = at[i] + p[i], at[i] + q[i]


@kernel
def nearest_piece(
    body: Pieces,
    field: SeenField,
    place: Placement,
    room: PieceRoom,
    counts: NDArray[np.int64],
    is_deep: bool,
) -> tuple[float, Seen, int]:
    """Bound the distance from below; and the piece with the nearest point found, and its number.

    The bound is as good as the tolerance and the value ask for, or as pieces that are small beside them. Of
    what may touch there is none, unless the deepest point is asked for.
    """
    nowhere, where = (0.0, 0.0, 0.0), Where(place.rotation, place.offset, 0.0)
    best, best_id = Seen(INFINITY, INFINITY, INFINITY, 0.0, nowhere, nowhere, nowhere), 0
    smallest, least, n, n_left = OF_PIECE * field.tolerance, INFINITY, 0, MOST_PIECES
    total, n_free = n_roots(body), len(room.free)
    while n_free < total + 1:
        room = larger(room)
        n_free = len(room.free)
    for i in range(n_free):
        room.free[i] = n_free - 1 - i
    for root in range(total):
        n_free -= 1
        i = int(room.free[n_free])
        room.ids[i] = write_root(body, root, room.rows[i])
        n = push(room.keys, room.places, n, -INFINITY, i)
    while n > 0 and room.keys[0] < _enough(field, best.most, is_deep):
        i = int(room.places[0])
        n = drop_first(room.keys, room.places, n)
        seen = see_piece(body, room.rows[i], room.ids[i], where, field)
        counts[0 if room.ids[i] >= 0 else 1] += 1
        n_left -= 1
        if seen.most < best.most:
            best, best_id = seen, int(room.ids[i])
        if seen.radius <= smallest or n_left <= 0:
            least = min(least, seen.least)
        elif seen.least < best.most:
            if n_free < 1:
                n_free = len(room.free)
                room = larger(room)
            n_free -= 1
            j = int(room.free[n_free])
            split(body, room.rows, room.ids, i, j)
            n = push(room.keys, room.places, n, seen.least, i)
            n = push(room.keys, room.places, n, seen.least, j)
            continue
        room.free[n_free] = i
        n_free += 1
    least = min(least, best.most)
    return (min(least, room.keys[0]) if n > 0 else least), best, best_id


@kernel
def depth_at(
    body: Pieces, field: SeenField, place: Placement, room: PieceRoom, counts: NDArray[np.int64]
) -> float:
    """How deep a point of the body is in the shape, proven; negative where none is known to be.

    As long as no point of the body has moved by that, as seen from the field, there is contact.
    """
    _, best, node = nearest_piece(body, field, place, room, counts, True)
    doubt = field.tolerance + (body.own.tolerance if body.kind == SAMPLED else 0.0)
    # From where the shape may be farther than a field says, a radius proves nothing.
    around = 0.0 if field.is_exact else radius_around(body, _triangle_of(body, node))
    return -(best.most + around + 2.0 * doubt)


@kernel
def _triangle_of(body: Pieces, node: int) -> int:
    """The triangle that a piece is of; -1 for none."""
    return -1 - node if body.kind >= SURFACE and node < 0 else -1


@kernel
def _enough(field: SeenField, most: float, is_deep: bool) -> float:
    """Bound that is as good as the least value over a body, of which no less than the most is known."""
    if not most > 0.0:  # they may touch: there is no gap to bound
        return most - max(OF_TOLERANCE * field.tolerance, -OF_DEPTH * most) if is_deep else -INFINITY
    return most - max(OF_TOLERANCE * field.tolerance, OF_VALUE * most) if most < INFINITY else most
