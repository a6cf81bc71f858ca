"""Where two bodies of a queue touch, and how they move there, in one row."""

from firstcontact._jit import driver, uncounted_kernel
from firstcontact.arrays import Array
from firstcontact.motions.relative_motion import placement_at, relative_motion
from firstcontact.motions.rigid_motion import AXIS, N_COLUMNS, RATE, center_of, pose_at
from firstcontact.narrowphase.convex.gjk import EXACT, RelativePose, closest_from, no_simplex, surface_points
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Vec3, add, dot, norm, scale, sub
from firstcontact.scene.events.ball_times import center_at, relative_center
from firstcontact.scene.events.certificates import outward_of, side_of
from firstcontact.scene.events.convex_times import rebased
from firstcontact.scene.events.event_table import (
    BALL,
    BALL_SHAPE,
    KIND,
    OTHERS,
    PARTNER,
    PLANE,
    EventTable,
)
from firstcontact.scene.events.next_event import find_next
from firstcontact.scene.events.plane_times import turned_row
from firstcontact.shapes.cores import support

# Columns of an event: its time, the numbers of both bodies, the lower first; where they touch, the normal
# from the first to the second; of each, velocity, angular velocity, and the point that it turns about.
TIME, FIRST, SECOND, POINT, NORMAL = 0, 1, 2, 3, 6
VELOCITIES, SPINS, CENTERS = 9, 15, 21  # six each
N_EVENT = 27


@driver
def next_contact_into(table: EventTable, until: float, most: int, out: Array) -> int:
    """Find the next contact up to a time, and write what there is to know of it; give who, or why not."""
    body = find_next(table, until, most)
    if body >= 0:
        write_event(table, body, out)
    return body


@uncounted_kernel
def write_event(table: EventTable, body: int, out: Array) -> None:
    """Write down the contact that ends a body's certificate."""
    other, time = table.numbers[body, PARTNER], table.times[body, OTHERS]
    a, b = min(body, other), max(body, other)
    out[TIME], out[FIRST], out[SECOND] = time, a, b
    write_place(table, a, b, time, out)


@driver
def place_into(table: EventTable, a: int, b: int, time: float, out: Array) -> None:
    """Write down how two bodies move at a time."""
    out[TIME], out[FIRST], out[SECOND] = time, a, b
    write_movement(table, a, b, time, out)


@uncounted_kernel
def write_movement(table: EventTable, a: int, b: int, time: float, out: Array) -> None:
    """Velocities, turns and centers of both."""
    for k in range(2):
        row = table.motions[a if k == 0 else b]
        at, velocity, _, _ = center_at(row, time)
        for c in range(3):
            out[VELOCITIES + 3 * k + c], out[CENTERS + 3 * k + c] = velocity[c], at[c]
            out[SPINS + 3 * k + c] = row[RATE] * row[AXIS + c]


@uncounted_kernel
def write_place(table: EventTable, a: int, b: int, time: float, out: Array) -> None:
    """Where the two are nearest to each other, and the normal there."""
    write_movement(table, a, b, time, out)
    numbers, motions = table.numbers, table.motions
    if numbers[a, KIND] == PLANE or numbers[b, KIND] == PLANE:
        is_first = numbers[a, KIND] == PLANE
        point, outward = _on_plane(table, (a, b) if is_first else (b, a), time)
        normal = outward if is_first else scale(-1.0, outward)
    elif numbers[a, KIND] == BALL_SHAPE and numbers[b, KIND] == BALL_SHAPE:
        one = center_at(motions[a], time)
        seen = relative_center(one, center_at(motions[b], time))
        distance = norm(seen[0])
        normal = scale(1.0 / distance, seen[0]) if distance > 0.0 else (0.0, 0.0, 1.0)
        middle = 0.5 * (distance + motions[a, BALL] - motions[b, BALL])
        point = add(one[0], scale(middle, normal))
    else:
        point, normal = _of_shapes(table, a, b, time)
    for c in range(3):
        out[POINT + c], out[NORMAL + c] = point[c], normal[c]


@uncounted_kernel
def _on_plane(table: EventTable, pair: tuple[int, int], time: float) -> tuple[Vec3, Vec3]:
    """Lowest point of a body above a plane, and the normal of that."""
    plane, body = pair
    row, outward = table.motions[body], outward_of(table.motions[plane])
    at, _, _, _ = center_at(row, time)
    down = scale(-1.0, outward)
    if table.numbers[body, KIND] == BALL_SHAPE:
        return add(at, scale(row[BALL], down)), outward
    side, turned = side_of(table, body), turned_row(row, time)
    x, y, z = down
    back = (
        turned[0] * x + turned[3] * y + turned[6] * z,
        turned[1] * x + turned[4] * y + turned[7] * z,
        turned[2] * x + turned[5] * y + turned[8] * z,
    )
    low = support(side.shape, side.pool, back)
    arm = mat_vec(turned, add(sub(side.origin, center_of(row)), low))
    return add(at, add(arm, scale(side.shape.radius, down))), outward


@uncounted_kernel
def _of_shapes(table: EventTable, a: int, b: int, time: float) -> tuple[Vec3, Vec3]:
    """The middle between the nearest points of two shapes, and the normal from the first to the second."""
    motions, room = table.motions, table.room
    one, other = side_of(table, a), side_of(table, b)
    rebased(motions[a], center_at(motions[a], time), time, one, room[0])
    rebased(motions[b], center_at(motions[b], time), time, other, room[1])
    row_a, row_b = room[0, :N_COLUMNS], room[1, :N_COLUMNS]
    motion = relative_motion(row_a, row_b, one.origin, other.origin)
    place = placement_at(motion, 0.0)
    frame, start = RelativePose(place.rotation, place.offset), no_simplex(scale(-1.0, place.offset))
    closest, _ = closest_from(one.shape, other.shape, one.pool, other.pool, frame, start, EXACT)
    p, q = surface_points(closest, one.shape.radius, other.shape.radius)
    turned, at = pose_at(row_b, 0.0)
    middle = scale(0.5, add(p, q))
    point = add(at, mat_vec(turned, add(motion.spin_b.lever, middle)))
    normal = mat_vec(turned, closest.direction)
    if dot(normal, normal) < 0.5:
        normal = sub((room[1, 9], room[1, 10], room[1, 11]), (room[0, 9], room[0, 10], room[0, 11]))
        length = norm(normal)
        normal = scale(1.0 / length, normal) if length > 0.0 else (0.0, 0.0, 1.0)
    return point, normal
