"""First contacts of a body and a field by conservative advancement, earliest pieces first.

As in best_first.py: every piece of the body has a time before which none of its points can touch the shape of
the field, and the earliest is looked at. It gets a later time, as far as its distance lasts at its speed, or
is split where its halves may have much better ones.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.arrival import (
    CONTACT,
    ITERATIONS,
    MAX_ITERATIONS,
    SEPARATED,
    TRIANGLE_TESTS,
    VOLUME_TESTS,
    Arrival,
    Found,
    not_arrived,
    nothing_found,
)
from firstcontact.advancement.goal import (
    Goal,
    Options,
    goal_between,
    motion_rows,
    pieces_after,
)
from firstcontact.advancement.queue import drop_first, push
from firstcontact.arrays import Array, Ids
from firstcontact.fields.piece_bounds import Seen, Where, see_piece
from firstcontact.fields.piece_room import PieceRoom, larger, new_room
from firstcontact.fields.pieces import (
    AROUND,
    LINES,
    SURFACE,
    WAYS,
    Pieces,
    n_roots,
    radius_around,
    split,
    write_root,
)
from firstcontact.fields.seen_field import UP, SeenField, entry_time, normal_at
from firstcontact.motions.motion_bound import distance_from_axis, straight_time
from firstcontact.motions.relative_motion import (
    TIMED,
    Placement,
    RelativeMotion,
    fastest,
    placement_at,
    relative_motion,
    rounding_error,
)
from firstcontact.motions.rigid_motion import END_TIME, deviation_of, number_at, start_of
from firstcontact.rigid.convex.convex_first import write_touch
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Vec3, add, norm, scale, sub

# Motions from which several threads are worth their start.
WORTH_A_THREAD = 64

# A piece is split where its halves may have more than twice the distance.
TIGHT = 0.5

# Pieces are not split below this part of both tolerances, the search's own and the field's; and a search goes
# on as long as it is by more than this part of the field's that bodies are apart.
OF_TOLERANCE, OF_FIELD = 0.125, 0.25


class FieldFound(NamedTuple):
    """Arrivals of n motions, as in `Found`, and the point of the body that touches.

    materials : (n, 6) its place in the body's frame at t = 0, and its velocity there
    """

    status: NDArray[np.int8]
    time: Array
    triangles: Ids
    counts: NDArray[np.int64]
    points: Array
    normals: Array
    materials: Array


class FieldBatch(NamedTuple):
    """A body, a field, and motions of each: rows (n, k, 26), or (1, k, 26) for all."""

    body: Pieces
    field: SeenField
    rows_a: Array
    rows_b: Array


def field_first_times(batch: FieldBatch, options: Options) -> FieldFound:
    """Find the first contact for each motion."""
    n_a, n_b = len(batch.rows_a), len(batch.rows_b)
    n = max(n_a, n_b) if min(n_a, n_b) > 0 else 0
    found = FieldFound(*nothing_found(n), np.full((n, 6), np.nan))

    def task(first: int, last: int) -> None:
        _search_range(batch, options, found, new_room(), first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    return found


@kernel
def field_goal(
    body: Pieces, field: SeenField, row_a: Array, row_b: Array, options: Options, start: float
) -> tuple[RelativeMotion, Goal, float]:
    """Join a piece of each motion: what is looked for in it, and what rounding may hide."""
    motion = relative_motion(row_a, row_b, body.origin, field.origin)
    rounding = rounding_error(motion, body.reach + body.radius, field.reach, row_a, row_b)
    rounding += TIMED * body.speed
    end, speed = min(row_a[END_TIME], row_b[END_TIME]), fastest(motion, body.reach, field.reach) + body.speed
    return (
        motion,
        goal_between(start, end, options, rounding, deviation_of(row_a, row_b), speed),
        rounding,
    )


@driver
def _search_range(
    batch: FieldBatch, options: Options, found: FieldFound, room: PieceRoom, first: int, last: int
) -> None:
    search_motions(batch, options, found, room, first, last)


@kernel
def search_motions(
    batch: FieldBatch, options: Options, found: FieldFound, room: PieceRoom, first: int, last: int
) -> None:
    """Find the first contact for some of the motions."""
    body, field, materials = batch.body, batch.field, found.materials
    arrivals = Found(found.status, found.time, found.triangles, found.counts, found.points, found.normals)
    for k in range(first, last):
        rows_a, rows_b = motion_rows(batch.rows_a, batch.rows_b, k)
        start = start_of(rows_a, rows_b)
        i, j = number_at(rows_a, start), number_at(rows_b, start)
        while i < len(rows_a) and j < len(rows_b):
            row_a, row_b = rows_a[i], rows_b[j]
            motion, goal, _ = field_goal(body, field, row_a, row_b, options, start)
            arrival, point, way = search_pieces(body, field, motion, goal, room, found.counts[k])
            if arrival.status != SEPARATED:
                write_touch(arrivals, k, arrival, motion, row_b)
                if arrival.status == CONTACT:
                    for c in range(3):
                        materials[k, c], materials[k, 3 + c] = point[c], way[c]
                break
            (i, j), start = pieces_after(rows_a, rows_b, i, j, goal.end), goal.end


@kernel
def search_pieces(
    body: Pieces,
    field: SeenField,
    motion: RelativeMotion,
    goal: Goal,
    room: PieceRoom,
    counts: NDArray[np.int64],
) -> tuple[Arrival, Vec3, Vec3]:
    """Find the first contact between goal.start and goal.end; and the body's point, with its velocity."""
    nowhere, total = (0.0, 0.0, 0.0), n_roots(body)
    smallest = OF_TOLERANCE * 2.0 * (goal.target - goal.margin) + OF_FIELD * field.tolerance
    target = goal.target + OF_FIELD * field.tolerance
    n, n_left, root, t, n_free = 0, goal.max_iterations, 0, goal.start, len(room.free)
    for i in range(n_free):
        room.free[i] = n_free - 1 - i
    place = placement_at(motion, t)
    while root < total or n > 0:
        if n_free < 2:
            n_free = len(room.free)
            room = larger(room)
        # Pieces to begin with are all looked at; then the earliest, time after time.
        if root < total:
            n_free -= 1
            i, root = int(room.free[n_free]), root + 1
            room.ids[i] = write_root(body, root - 1, room.rows[i])
        else:
            i = int(room.places[0])
            if room.keys[0] > t:
                t = room.keys[0]
                place = placement_at(motion, t)
            n = drop_first(room.keys, room.places, n)
        if n_left == 0:
            return not_arrived(MAX_ITERATIONS, t), nowhere, nowhere
        n_left -= 1
        counts[ITERATIONS] += 1
        counts[VOLUME_TESTS if room.ids[i] >= 0 else TRIANGLE_TESTS] += 1
        seen = see_piece(body, room.rows[i], room.ids[i], Where(place.rotation, place.offset, t), field)
        gap = seen.least - goal.margin
        if seen.most <= target:
            return touching(body, field, place, seen, t, room.ids[i]), seen.point, seen.way
        is_small = seen.radius <= smallest
        is_tight = gap > smallest if is_small else gap >= TIGHT * (seen.likely - goal.margin)
        time = t
        if is_tight:
            speed = speed_of(body, field, room.rows[i], place, seen)
            around = room.rows[i, AROUND] if room.ids[i] < 0 and body.kind == SURFACE else 0.0
            time += max(straight_time(gap, speed), free_time(body, field, place, seen, around, goal.margin))
        if time >= goal.end:
            room.free[n_free] = i
            n_free += 1
        elif time > t:
            n = push(room.keys, room.places, n, time, i)
        elif is_small:
            return touching(body, field, place, seen, t, room.ids[i]), seen.point, seen.way
        else:
            n_free -= 1
            j = int(room.free[n_free])
            split(body, room.rows, room.ids, i, j)
            n = push(room.keys, room.places, n, t, j)
            n = push(room.keys, room.places, n, t, i)
    return not_arrived(SEPARATED, goal.end), nowhere, nowhere


@kernel
def speed_of(body: Pieces, field: SeenField, row: Array, place: Placement, seen: Seen) -> float:
    """Bound the speed at which any point of a piece, and any of the shape, approach each other."""
    velocity, spread = place.velocity, 0.0
    if body.kind == LINES:
        mean = 0.0, 0.0, 0.0
        for i in range(3):
            mean = add(mean, scale(1.0 / 3.0, way_of(row, i)))
        for i in range(3):
            spread = max(spread, norm(sub(way_of(row, i), mean)))
        velocity = add(velocity, mat_vec(place.rotation, mean))
    turning = place.rate_a * (distance_from_axis(sub(seen.center, place.pivot_a), place.axis_a) + seen.radius)
    turning += place.rate_b * (field.reach + norm(place.pivot_b))
    return (norm(velocity) + spread + turning) * UP


@kernel
def way_of(row: Array, i: int) -> Vec3:
    """Velocity of a corner of a triangle."""
    return row[WAYS + 3 * i], row[WAYS + 3 * i + 1], row[WAYS + 3 * i + 2]


@kernel
def free_time(
    body: Pieces, field: SeenField, place: Placement, seen: Seen, around: float, margin: float
) -> float:
    """Time before which a piece that goes straight is not near the box around the shape; 0 for all others."""
    if body.kind == LINES or place.rate_a > 0.0 or place.rate_b > 0.0:
        return 0.0
    return entry_time(field, seen.center, place.velocity, seen.radius + body.radius + around + margin)


@kernel
def touching(body: Pieces, field: SeenField, place: Placement, seen: Seen, t: float, node: int) -> Arrival:
    """Contact at a point of the body; the normal is along the field's gradient there."""
    own = add(seen.point, scale(t, seen.way))
    x = add(place.offset, mat_vec(place.rotation, own))
    value, away = normal_at(field, x)
    n = scale(-1.0, away)
    triangle = -1 - node if body.kind >= SURFACE and node < 0 else -1
    on_body = add(x, scale(min(radius_around(body, triangle), max(value, 0.0)), n))
    return Arrival(CONTACT, t, triangle, -1, on_body, add(x, scale(max(value, 0.0), n)), n)
