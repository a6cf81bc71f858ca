"""When two balls meet whose centers go on parabolas, or a ball and a plane.

Along a direction n that is fixed, the distance of two points changes by a polynomial of the second degree,
and they are at least that far apart: up to its first root they stay apart. At that time the direction is
taken anew; that is Newton's method from one side. Where nothing accelerates, there is a closed form.
"""

from math import sqrt

from firstcontact._jit import uncounted_kernel
from firstcontact.arrays import Array
from firstcontact.motions.motion_bound import FOREVER, SHORTENED
from firstcontact.motions.rigid_motion import BASE_TIME, POSITION, VELOCITY
from firstcontact.narrowphase.convex.meeting_spheres import meeting_sphere_sphere
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Vec3, add, dot, norm, scale, sub
from firstcontact.scene.events.event_table import (
    ACCELERATION,
    LOOK_AGAIN,
    OUTWARD,
    PLACE,
    SINCE,
    SPEED,
    TOUCHES,
    WIDE,
)

Center = tuple[Vec3, Vec3, Vec3, float]

# Rounding of a place, in units of all lengths that it is computed from.
PLACED = 16.0 * UNIT_ROUNDOFF

# A speed below this part of what it is computed from is none.
RESTING = 64.0 * UNIT_ROUNDOFF

# Near is half of a tolerance; what is aimed at, so that Newton's method arrives, a quarter of it.
NEAR, AIM = 0.5, 0.25

# Balls that are wider by this part, which is more than any tolerance and rounding, meet earlier; the terms of
# their quadratic are rounded by less than that part.
WIDER, TERMS = 1.0 + 2.0**-16, 2.0**-40

# Balls that are farther apart than so many radii are looked at from a time before which they cannot meet: the
# closed form loses digits by the square of that.
FAR_AWAY = 64.0

# Steps after which a certificate is given for the time so far.
MOST_STEPS = 256


@uncounted_kernel
def center_at(row: Array, now: float) -> Center:
    """Place, velocity and acceleration of the point a body turns about, and the rounding of its place."""
    passed = now - row[BASE_TIME]
    g = row[POSITION], row[POSITION + 1], row[POSITION + 2]
    v = row[VELOCITY], row[VELOCITY + 1], row[VELOCITY + 2]
    a = row[ACCELERATION], row[ACCELERATION + 1], row[ACCELERATION + 2]
    at = add(g, scale(passed, add(v, scale(0.5 * passed, a))))
    error = PLACED * (_size(g) + passed * (_size(v) + passed * _size(a)))
    return at, add(v, scale(passed, a)), a, error


@uncounted_kernel
def _size(v: Vec3) -> float:
    return abs(v[0]) + abs(v[1]) + abs(v[2])


@uncounted_kernel
def relative_center(one: Center, other: Center) -> Center:
    """The center of the other as seen from one."""
    offset = sub(other[0], one[0])
    return offset, sub(other[1], one[1]), sub(other[2], one[2]), one[3] + other[3] + PLACED * norm(offset)


@uncounted_kernel
def root_along(gap: float, closing: float, bend: float) -> float:
    """First time at which a gap that closes at a speed, with an acceleration, is closed, or FOREVER."""
    if not gap > 0.0:
        return 0.0
    squared = closing * closing + 2.0 * bend * gap
    if closing > 0.0:
        return SHORTENED * (2.0 * gap / (closing + sqrt(squared))) if squared >= 0.0 else FOREVER
    if bend > 0.0:
        return SHORTENED * ((sqrt(squared) - closing) / bend)
    return FOREVER


@uncounted_kernel
def balls_meet(seen: Center, reach: float, tolerance: float) -> tuple[float, int]:
    """Time up to which two centers stay farther apart than a reach, and TOUCHES, or LOOK_AGAIN.

    At that time, of two that touch, they are no farther apart than reach, tolerance / 2, and rounding; and
    they come nearer. Those that part are let alone for as long as they do.
    """
    offset, velocity, bend, error = seen
    wide = max(tolerance, 8.0 * error)
    touching, near = reach + error + SHORTEST, reach + error + SHORTEST + NEAR * wide
    if bend[0] == 0.0 and bend[1] == 0.0 and bend[2] == 0.0:
        distance, approach = norm(offset), -dot(offset, velocity)
        if not approach > RESTING * distance * norm(velocity):
            return FOREVER, TOUCHES
        if distance <= near:
            return 0.0, TOUCHES
        before = 0.0
        if distance > FAR_AWAY * near:
            before = SHORTENED * ((distance - 2.0 * near) / norm(velocity))
            offset = add(offset, scale(before, velocity))
        return SHORTENED * (before + meeting_sphere_sphere(offset, velocity, touching, near)), TOUCHES
    t = 0.0
    for _ in range(MOST_STEPS):
        at = add(offset, scale(t, add(velocity, scale(0.5 * t, bend))))
        distance, moving = norm(at), add(velocity, scale(t, bend))
        slip = PLACED * t * (_size(velocity) + t * _size(bend))
        if distance == 0.0:
            return t, TOUCHES
        n = scale(1.0 / distance, at)
        closing, pressing = -dot(n, moving), -dot(n, bend)
        if distance <= near + slip:
            time = parting_time(closing, pressing, RESTING * norm(moving))
            if time <= 0.0 or t + time == t:
                return t, TOUCHES
        else:
            aim = touching + slip + AIM * wide
            time = root_along(distance - aim, closing, pressing)
        t += time
        if t == FOREVER:
            return FOREVER, TOUCHES
    return t, LOOK_AGAIN


@uncounted_kernel
def may_meet(seen: Array, center: Center, other: int, now: float, left: float, wide: float) -> bool:
    """May the ball around another meet one of a radius, in the time that is left, if both fall alike?

    A quick look: one in four. Certificates take a third of the time with it: most bodies nearby are out of
    the way.
    """
    at, velocity, bend, error = center
    passed = now - seen[other, SINCE]
    reach = wide + WIDER * seen[other, WIDE] + error
    distance, speed, closing = 0.0, 0.0, 0.0
    for c in range(3):
        g, v, a = seen[other, PLACE + c], seen[other, SPEED + c], bend[c]
        x, u = g + passed * (v + 0.5 * passed * a) - at[c], v + passed * a - velocity[c]
        reach += PLACED * (abs(g) + passed * (abs(v) + passed * abs(a)))
        distance, speed, closing = distance + x * x, speed + u * u, closing - x * u
    beyond = distance - reach * reach
    if not beyond > 0.0:
        return True
    if closing <= 0.0:
        return closing > -TERMS * sqrt(distance * speed)
    squared = closing * closing - speed * beyond + TERMS * (closing * closing + speed * distance)
    if squared < 0.0:
        return False
    return bool(beyond <= (1.0 + TERMS) * left * (closing + sqrt(squared)) + TERMS * distance)


@uncounted_kernel
def may_fall(motions: Array, center: Center, plane: int, now: float, left: float, wide: float) -> bool:
    """May a ball of a radius come down on a half-space in the time that is left? As quick as `may_meet`."""
    at, velocity, bend, error = center
    passed = now - motions[plane, BASE_TIME]
    gap, closing, pressing, speed, bent = -wide - error, 0.0, 0.0, 0.0, 0.0
    for c in range(3):
        g, v, a = motions[plane, POSITION + c], motions[plane, VELOCITY + c], motions[plane, ACCELERATION + c]
        n, u = motions[plane, OUTWARD + c], velocity[c] - (v + passed * a)
        x = at[c] - (g + passed * (v + 0.5 * passed * a))
        gap += n * x - PLACED * (abs(x) + abs(g) + passed * (abs(v) + passed * abs(a)))
        closing, pressing = closing - n * u, pressing - n * (bend[c] - a)
        speed, bent = speed + abs(u), bent + abs(bend[c]) + abs(a)
    falling, faster = max(closing + TERMS * speed, 0.0), max(pressing + TERMS * bent, 0.0)
    return not gap > left * (falling + 0.5 * left * faster)


@uncounted_kernel
def parting_time(closing: float, pressing: float, resting: float) -> float:
    """How long two that touch are no nearer than now; 0 where they come nearer, or are pressed together."""
    if closing > resting:
        return 0.0
    if not pressing > 0.0:
        return FOREVER
    return max(-2.0 * closing / pressing, 0.0)


@uncounted_kernel
def ball_falls(
    gap: float, closing: float, pressing: float, speed: float, error: float, tolerance: float
) -> tuple[float, int]:
    """As `balls_meet`, of a gap along a direction that stays: of a ball and a plane."""
    wide = max(tolerance, 8.0 * error)
    t = 0.0
    for _ in range(MOST_STEPS):
        left = gap - t * (closing + 0.5 * t * pressing)
        faster = closing + t * pressing
        slip = error + PLACED * (abs(gap) + t * (speed + t * abs(pressing))) + SHORTEST
        if left <= slip + NEAR * wide:
            time = parting_time(faster, pressing, RESTING * (speed + t * abs(pressing)))
            if time <= 0.0 or t + time == t:
                return t, TOUCHES
        else:
            time = root_along(left - slip - AIM * wide, faster, pressing)
        t += time
        if t == FOREVER:
            return FOREVER, TOUCHES
    return t, LOOK_AGAIN
