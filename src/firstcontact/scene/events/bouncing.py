"""From contact to contact in compiled code: bodies that bounce, with restitution and friction."""

from typing import NamedTuple

from firstcontact._jit import driver, uncounted_kernel
from firstcontact.arrays import Array
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub
from firstcontact.scene.events.certificates import certify, certify_changed
from firstcontact.scene.events.changes import (
    CHANGED_ACCELERATION,
    CHANGED_SPIN,
    CHANGED_VELOCITY,
    change_motion,
)
from firstcontact.scene.events.contact_place import (
    CENTERS,
    FIRST,
    NORMAL,
    POINT,
    SECOND,
    SPINS,
    TIME,
    VELOCITIES,
    write_event,
)
from firstcontact.scene.events.event_table import NOW, EventTable
from firstcontact.scene.events.next_event import NONE, find_next


class Bounce(NamedTuple):
    """How bodies bounce.

    inverse : (n, 2) of each the inverse of its mass, and of its moment of inertia, the same about all axes
    restitution, friction : speed after over speed before, and Coulomb's coefficient
    slow : contacts that close at less than this lose nothing of it, and friction leaves them as much sliding:
        so what comes to rest does not take for ever
    """

    inverse: Array
    restitution: float
    friction: float
    slow: float


@driver
def bounce_into(
    table: EventTable, bounce: Bounce, until: float, most: int, events: Array, room: Array
) -> tuple[int, int]:
    """Go from contact to contact up to a time, and let bodies bounce; count events, and why it ended."""
    return _bounce_on(table, bounce, until, most, events, room)


@uncounted_kernel
def _bounce_on(
    table: EventTable, bounce: Bounce, until: float, most: int, events: Array, room: Array
) -> tuple[int, int]:
    n, code = 0, NONE
    while n < len(events):
        code = find_next(table, until, most)
        if code < 0:
            return n, code
        write_event(table, code, events[n])
        _bounce(table, bounce, events[n], room)
        n += 1
    return n, code


@driver
def bounce_event(table: EventTable, bounce: Bounce, event: Array, room: Array) -> None:
    """Let the two bodies of one event bounce."""
    _bounce(table, bounce, event, room)


@uncounted_kernel
def _bounce(table: EventTable, bounce: Bounce, event: Array, room: Array) -> None:
    """Let the two bodies of an event bounce off each other."""
    a, b, now = int(event[FIRST]), int(event[SECOND]), event[TIME]
    table.state[NOW] = max(table.state[NOW], now)
    point, n = _vector(event, POINT), _vector(event, NORMAL)
    arm_a, arm_b = sub(point, _vector(event, CENTERS)), sub(point, _vector(event, CENTERS + 3))
    v_a, v_b = _vector(event, VELOCITIES), _vector(event, VELOCITIES + 3)
    w_a, w_b = _vector(event, SPINS), _vector(event, SPINS + 3)
    slip = sub(add(v_b, cross(w_b, arm_b)), add(v_a, cross(w_a, arm_a)))
    closing = -dot(n, slip)
    if closing > 0.0:
        impulse = _impulse(bounce, (a, b), (arm_a, arm_b), slip, n)
        _pushed(table, bounce, a, (v_a, w_a, arm_a), scale(-1.0, impulse), room[0], now)
        _pushed(table, bounce, b, (v_b, w_b, arm_b), impulse, room[0], now)
    for body in (a, b):
        if bounce.inverse[body, 0] == 0.0 and bounce.inverse[body, 1] == 0.0:
            certify(table, body, now)
        else:
            certify_changed(table, body, now)


@uncounted_kernel
def _vector(event: Array, at: int) -> Vec3:
    return event[at], event[at + 1], event[at + 2]


@uncounted_kernel
def _impulse(bounce: Bounce, bodies: tuple[int, int], arms: tuple[Vec3, Vec3], slip: Vec3, n: Vec3) -> Vec3:
    """Push of the second body by which two that close part again, at the speed that restitution says.

    slip : velocity of the second, where they touch, as seen from the first
    """
    # A push of j along n and of -f along t, where the second slides along t, changes the speed along n by
    # along j - both f, and that along t by both j - across f. The first is to be (1 + e) closing, whatever f
    # is; f is the friction that stops the sliding, or Coulomb's f = mu j if that is less. The energy lost is
    # then (1 - e) closing j / 2 + (speed along t before and after) f / 2, and never below 0.
    closing = -dot(n, slip)
    is_slow = closing < bounce.slow
    back, kept = (1.0, bounce.slow) if is_slow else (bounce.restitution, 0.0)
    along = _ease(bounce, bodies, arms, n, n)
    if not along > 0.0:
        return 0.0, 0.0, 0.0
    push, slid = (1.0 + back) * closing / along, add(slip, scale(closing, n))
    sliding = norm(slid)
    if not (bounce.friction > 0.0 and sliding > kept):
        return scale(push, n)
    t = scale(1.0 / sliding, slid)
    both, across = _ease(bounce, bodies, arms, n, t), _ease(bounce, bodies, arms, t, t)
    part, left = both / along, sliding - kept + both * push
    rub, grip = max(left, 0.0) / (across - part * both), 1.0 - bounce.friction * part
    if grip * rub > bounce.friction * push:
        rub = bounce.friction * push / grip
    return sub(scale(push + part * rub, n), scale(rub, t))


@uncounted_kernel
def _ease(bounce: Bounce, bodies: tuple[int, int], arms: tuple[Vec3, Vec3], n: Vec3, t: Vec3) -> float:
    """How much speed along n, at the ends of arms, a push of one along t gives two bodies."""
    ease = 0.0
    for k in range(2):
        light, easy, arm = bounce.inverse[bodies[k], 0], bounce.inverse[bodies[k], 1], arms[k]
        ease += light * dot(n, t) + easy * dot(cross(arm, n), cross(arm, t))
    return ease


@uncounted_kernel
def _pushed(
    table: EventTable,
    bounce: Bounce,
    body: int,
    state: tuple[Vec3, Vec3, Vec3],
    impulse: Vec3,
    change: Array,
    now: float,
) -> None:
    """Let a body go on after a push; what has no end of mass goes on as it did."""
    light, easy = bounce.inverse[body, 0], bounce.inverse[body, 1]
    if light == 0.0 and easy == 0.0:
        return
    velocity, spin = (
        add(state[0], scale(light, impulse)),
        add(state[1], scale(easy, cross(state[2], impulse))),
    )
    for c in range(3):
        change[CHANGED_VELOCITY + c], change[CHANGED_SPIN + c] = velocity[c], spin[c]
        change[CHANGED_ACCELERATION + c] = float("nan")
    change_motion(table, body, change, now)
