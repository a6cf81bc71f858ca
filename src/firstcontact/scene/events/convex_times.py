"""When two convex shapes meet, from now on for a while: the search of all queries, over a window of time."""

from math import sqrt

from firstcontact._jit import kernel, uncounted_kernel
from firstcontact.advancement.arrival import SEPARATED, nothing_yet
from firstcontact.advancement.goal import BodyExtent, Goal, Options, goal_of
from firstcontact.advancement.stretches import TwoMotions, nought
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import OneSide
from firstcontact.motions.acceleration import write_thrown_row
from firstcontact.motions.law_table import EXACT, THROWN, BothLaws, OneLaw
from firstcontact.motions.motion_bound import FOREVER
from firstcontact.motions.relative_motion import placement_at
from firstcontact.motions.rigid_motion import (
    BASE_TIME,
    DEVIATION,
    N_COLUMNS,
    POSITION,
    RATE,
    ROTATION,
    START_TIME,
    VELOCITY,
    center_of,
    position_of,
    velocity_at,
)
from firstcontact.narrowphase.convex.gjk import no_simplex
from firstcontact.narrowphase.convex.lasting_direction import longer_time
from firstcontact.rigid.convex.convex_first import advance_pieces
from firstcontact.rigid.convex.convex_steps import step_convexes
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.vec3 import Vec3, dot, norm, scale, sub
from firstcontact.scene.events.ball_times import RESTING, Center, center_at
from firstcontact.scene.events.event_table import LOOK_AGAIN, NOBODY, TOUCHES, EventTable
from firstcontact.scene.events.plane_times import DEEPER, TURNED, turned_row

# How far a window goes: points by so many sizes of the bodies, turns by so many radians.
WAYS, ANGLE = 64.0, 16.0

# Steps of one search before what it has proven is written down.
MOST_STEPS = 4096

# Two that overlap, and part, are looked at again when points have gone by this part of the smaller one.
OVERLAPPING = 0.125

# A direction is a unit vector, or none: where there is none, its square is below this.
NO_DIRECTION = 0.5


@uncounted_kernel
def shapes_meet(
    table: EventTable,
    sides: tuple[OneSide, OneSide],
    rows: tuple[Array, Array],
    now: float,
    asked: tuple[float, float, float],
) -> tuple[float, int]:
    """Time from now on up to which two shapes stay apart, and what there is then.

    rows : of the table's motions; asked : the separation, the tolerance, and how long a look is worth
    """
    a, b = sides
    one, other = center_at(rows[0], now), center_at(rows[1], now)
    slip = rebased(rows[0], one, now, a, table.room[0]) + rebased(rows[1], other, now, b, table.room[1])
    closing = sub(other[1], one[1])
    if other[2] == one[2]:  # what falls alike: as seen by who falls, too, neither is bent
        for c in range(3):
            table.room[0, N_COLUMNS + c], table.room[1, N_COLUMNS + c] = 0.0, 0.0
    spin = _spin(rows[0], a) + _spin(rows[1], b)
    bend, size = norm(sub(other[2], one[2])), a.shape.reach + a.shape.radius + b.shape.reach + b.shape.radius
    if norm(closing) + spin + bend == 0.0:
        return FOREVER, TOUCHES
    window = _window(norm(closing) + spin, rows[0][RATE] + rows[1][RATE], bend, size)
    window = max(min(window, asked[2]), RESTING * abs(now) * 4.0)
    tolerance = max(asked[1], 8.0 * slip)
    found = _searched(table, sides, window, (asked[0] + slip, tolerance))
    if found[1] == SEPARATED:
        return window, LOOK_AGAIN
    if found[1] < 0:
        return found[0], LOOK_AGAIN
    if found[0] > 0.0:
        return found[0], TOUCHES
    return _parting(table, sides, window, (asked[0], slip, tolerance), found)


@uncounted_kernel
def _spin(row: Array, side: OneSide) -> float:
    """How fast turning takes any point."""
    speed: float = row[RATE] * (side.shape.reach + norm(sub(side.origin, center_of(row))))
    return speed


@uncounted_kernel
def _window(speed: float, rate: float, bend: float, size: float) -> float:
    """How long to look: while rounding is small beside the bodies."""
    window = FOREVER
    if speed > 0.0:
        window = min(window, WAYS * size / speed)
    if rate > 0.0:
        window = min(window, ANGLE / rate)
    if bend > 0.0:
        window = min(window, sqrt(2.0 * WAYS * size / bend))
    return window


@uncounted_kernel
def rebased(row: Array, center: Center, now: float, side: OneSide, out: Array) -> float:
    """Write a motion as it goes on from now, counted from now, and its acceleration; give its rounding."""
    for c in range(N_COLUMNS + 3):
        out[c] = row[c]
    turned = turned_row(row, now)
    for c in range(9):
        out[ROTATION + c] = turned[c]
    at, velocity = center[0], center[1]
    for c in range(3):
        out[POSITION + c], out[VELOCITY + c] = at[c], velocity[c]
    out[BASE_TIME], out[START_TIME], out[DEVIATION] = 0.0, 0.0, 0.0
    size = side.shape.reach + norm(sub(side.origin, center_of(row)))
    error: float = center[3] + TURNED * (1.0 + row[RATE] * (now - row[BASE_TIME])) * size
    return error


@kernel
def _searched(
    table: EventTable, sides: tuple[OneSide, OneSide], window: float, near: tuple[float, float]
) -> tuple[float, int, float, float, float]:
    """Search in a window: the time, a status (negative for not yet), and, at once, gap, closing, pressing."""
    room, found, options = table.room, nothing_yet(), Options(near[1], near[0], MOST_STEPS, 0, True)
    for k in range(2):
        write_thrown_row(room[k, :N_COLUMNS], room[k, N_COLUMNS:], (0.0, window), room[2 + k, :N_COLUMNS])
    rows_a, rows_b = room[2:3, :N_COLUMNS], room[3:4, :N_COLUMNS]
    law_a, law_b = _law(room[0], rows_a), _law(room[1], rows_b)
    laws = BothLaws(law_a, law_b, room[4:6, :N_COLUMNS], room[:0])
    advance_pieces(sides[0], sides[1], TwoMotions(rows_a, rows_b, laws), options, found, nought())
    status, time = int(found.status[0]), found.time[0]
    if status == SEPARATED:
        return FOREVER, SEPARATED, 0.0, 0.0, 0.0
    if found.normals[0, 0] != found.normals[0, 0]:
        return time, NOBODY, 0.0, 0.0, 0.0
    n = found.normals[0, 0], found.normals[0, 1], found.normals[0, 2]
    p = found.points[0, 0, 0], found.points[0, 0, 1], found.points[0, 0, 2]
    q = found.points[0, 1, 0], found.points[0, 1, 1], found.points[0, 1, 2]
    moving = sub(velocity_at(room[1], q, 0.0), velocity_at(room[0], p, 0.0))
    bend = sub(_acceleration(room[1]), _acceleration(room[0]))
    if dot(n, n) < NO_DIRECTION:  # deep in each other: along the line of the points they turn about
        along = sub(position_of(room[1]), position_of(room[0]))
        n = scale(1.0 / max(norm(along), SHORTEST), along)
        moving = sub(_velocity(room[1]), _velocity(room[0]))
        return time, status, -FOREVER, -dot(n, moving), -dot(n, bend)
    return time, status, dot(n, sub(q, p)), -dot(n, moving), -dot(n, bend)


@kernel
def _law(numbers: Array, rows: Array) -> OneLaw:
    kind = THROWN if rows[0, DEVIATION] > 0.0 else EXACT
    return OneLaw(kind, numbers, 0, 0.0, None)


@uncounted_kernel
def _parting(
    table: EventTable,
    sides: tuple[OneSide, OneSide],
    window: float,
    asked: tuple[float, float, float],
    found: tuple[float, int, float, float, float],
) -> tuple[float, int]:
    """Go on where two touch now, unless they come nearer: until they do, or for as long as that is sure."""
    separation, slip, tolerance = asked
    room, (a, b) = table.room, sides
    spin_a, spin_b = _spin(room[0], a), _spin(room[1], b)
    v, w = _velocity(room[0]), _velocity(room[1])
    speed = norm(sub(w, v)) + spin_a + spin_b
    resting = RESTING * (norm(v) + norm(w) + spin_a + spin_b)
    gap, closing, pressing = found[2] - separation, found[3], found[4]
    if closing > resting or (closing >= -resting and pressing > 0.0 and spin_a + spin_b == 0.0):
        return 0.0, TOUCHES
    if gap > 4.0 * slip:
        again = _searched(table, sides, window, (separation + slip, 0.5 * (gap - slip)))
        if again[1] == SEPARATED:
            return window, LOOK_AGAIN
        if again[0] > 0.0:
            return again[0], TOUCHES if again[1] >= 0 else LOOK_AGAIN
    bend = norm(sub(_acceleration(room[1]), _acceleration(room[0])))
    deeper, short = DEEPER * tolerance, window
    if bend > 0.0:
        short = min(short, sqrt(8.0 * deeper / bend))
    for k in range(2):
        write_thrown_row(room[k, :N_COLUMNS], room[k, N_COLUMNS:], (0.0, short), room[2 + k, :N_COLUMNS])
    one = BodyExtent(a.origin, a.shape.reach, a.shape.radius)
    other = BodyExtent(b.origin, b.shape.reach, b.shape.radius)
    row_a, row_b = room[2, :N_COLUMNS], room[3, :N_COLUMNS]
    motion, goal = goal_of(one, other, row_a, row_b, Options(tolerance, separation, 1, 0, True), 0.0)
    place, start = placement_at(motion, 0.0), no_simplex(scale(-1.0, motion.offset))
    goal = Goal(0.0, short, separation - deeper, goal.target, goal.slack, 1, goal.speed)
    step = step_convexes(a.shape, b.shape, a.pool, b.pool, place, goal, start)
    blind = deeper / speed if speed > 0.0 else short
    # The points of contact of balls that overlap are one, but their centers tell how deep they are.
    if min(gap, step.distance - separation) < -deeper:
        blind = OVERLAPPING * min(a.shape.reach + a.shape.radius, b.shape.reach + b.shape.radius) / speed
    lasting = step.time
    if 0.0 < lasting < short and place.rate_a + place.rate_b > 0.0:
        bound = step.closest.direction, step.gap, step.bend, step.time, short
        lasting = longer_time(a.shape, b.shape, a.pool, b.pool, place, step.simplex, bound)
    return max(min(lasting, short), min(blind, short)), LOOK_AGAIN


@uncounted_kernel
def _acceleration(row: Array) -> Vec3:
    return row[N_COLUMNS], row[N_COLUMNS + 1], row[N_COLUMNS + 2]


@uncounted_kernel
def _velocity(row: Array) -> Vec3:
    return row[VELOCITY], row[VELOCITY + 1], row[VELOCITY + 2]
