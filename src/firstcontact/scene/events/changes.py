"""Changes of motion: a body goes on from where it is, in another way."""

from math import sqrt

from firstcontact._jit import driver, uncounted_kernel
from firstcontact.arrays import Array
from firstcontact.motions.rigid_motion import (
    AXIS,
    BASE_TIME,
    CENTER,
    POSITION,
    RATE,
    ROTATION,
    VELOCITY,
    axis_of,
    center_of,
)
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Vec3, add, cross, norm, scale, sub
from firstcontact.scene.events.ball_times import center_at
from firstcontact.scene.events.certificates import certify_changed
from firstcontact.scene.events.event_table import (
    ACCELERATION,
    ALIKE,
    CENTROID,
    LEAST_SPEED,
    NOW,
    STAMP,
    EventTable,
    Numbers,
)
from firstcontact.scene.events.next_event import show_motion
from firstcontact.scene.events.plane_times import turned_row

# Columns of a change: velocity, angular velocity, acceleration, three each; NaN for what stays as it is.
CHANGED_VELOCITY, CHANGED_SPIN, CHANGED_ACCELERATION, N_CHANGE = 0, 3, 6, 9


@driver
def change_motions(table: EventTable, bodies: Numbers, changes: Array, now: float) -> None:
    """Change how some bodies, each once, go on from now; their certificates are made anew."""
    table.state[NOW] = max(table.state[NOW], now)
    for k in range(len(bodies)):
        change_motion(table, int(bodies[k]), changes[k], now)
    for k in range(len(bodies)):
        certify_changed(table, int(bodies[k]), now)


@uncounted_kernel
def change_motion(table: EventTable, body: int, change: Array, now: float) -> None:
    """Let a body go on from now by what is given, and by what it had of what is not."""
    row = table.motions[body]
    at, velocity, _, _ = center_at(row, now)
    turned, spin = turned_row(row, now), scale(row[RATE], axis_of(row))
    centroid = row[CENTROID], row[CENTROID + 1], row[CENTROID + 2]
    arm = mat_vec(turned, sub(centroid, center_of(row)))
    at, velocity = add(at, arm), add(velocity, cross(spin, arm))
    for c in range(9):
        row[ROTATION + c] = turned[c]
    for c in range(3):
        row[CENTER + c], row[POSITION + c] = centroid[c], at[c]
        given = change[CHANGED_VELOCITY + c]
        row[VELOCITY + c] = _none_if_tiny(velocity[c] if given != given else given)
        given = _none_if_tiny(change[CHANGED_ACCELERATION + c])
        if given == given and given != row[ACCELERATION + c]:
            row[ACCELERATION + c], table.state[ALIKE] = given, 0.0
    row[BASE_TIME] = now
    if change[CHANGED_SPIN] == change[CHANGED_SPIN]:
        _write_spin(row, (change[CHANGED_SPIN], change[CHANGED_SPIN + 1], change[CHANGED_SPIN + 2]))
    table.numbers[body, STAMP] += 1
    show_motion(table, body)


@uncounted_kernel
def _none_if_tiny(speed: float) -> float:
    return 0.0 if abs(speed) < LEAST_SPEED else speed


@uncounted_kernel
def _write_spin(row: Array, spin: Vec3) -> None:
    rate = norm(spin)
    if rate < LEAST_SPEED:
        rate, spin = 0.0, (0.0, 0.0, 0.0)
    for c in range(3):
        row[AXIS + c] = spin[c] / rate if rate > 0.0 else 0.0
    length = sqrt(row[AXIS] ** 2 + row[AXIS + 1] ** 2 + row[AXIS + 2] ** 2)
    row[RATE] = rate * length if rate > 0.0 else 0.0


@driver
def pose_into(table: EventTable, body: int, time: float, out: Array) -> None:
    """Write the pose of a body at a time: nine numbers of its orientation, three of its translation."""
    row = table.motions[body]
    turned, (at, _, _, _) = turned_row(row, time), center_at(row, time)
    place = sub(at, mat_vec(turned, center_of(row)))
    for c in range(9):
        out[c] = turned[c]
    for c in range(3):
        out[9 + c] = place[c]


@driver
def poses_into(table: EventTable, time: float, out: Array) -> None:
    """Write of all bodies at a time the pose, as `pose_into`, and place and velocity of their centers."""
    for body in range(len(out)):
        row = table.motions[body]
        turned, (at, velocity, _, _) = turned_row(row, time), center_at(row, time)
        place = sub(at, mat_vec(turned, center_of(row)))
        for c in range(9):
            out[body, c] = turned[c]
        for c in range(3):
            out[body, 9 + c], out[body, 12 + c], out[body, 15 + c] = place[c], at[c], velocity[c]
