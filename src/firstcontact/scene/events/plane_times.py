"""When a convex shape that turns meets a plane that does not."""

from firstcontact._jit import uncounted_kernel
from firstcontact.arrays import Array
from firstcontact.motions.motion_bound import FOREVER, Travel, lasting_time
from firstcontact.motions.relative_motion import Placement
from firstcontact.motions.rigid_motion import BASE_TIME, RATE, axis_of, center_of, rotation_of
from firstcontact.narrowphase.convex.shape_travel import travel_of_a
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import Mat3, axis_rotation, mat_mul, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub
from firstcontact.scene.events.ball_times import NEAR, PLACED, RESTING, Center
from firstcontact.scene.events.event_table import LOOK_AGAIN, TOUCHES
from firstcontact.shapes.convex import Convex
from firstcontact.shapes.cores import support

# Rounding of a turn, in units of its angle and the size of what turns.
TURNED = 64.0 * UNIT_ROUNDOFF

# Two that touch, within rounding, and do not come nearer where they do, are let go so much deeper, in units
# of the tolerance, before they are looked at again.
DEEPER = 0.0625

MOST_STEPS = 128


@uncounted_kernel
def turned_row(row: Array, t: float) -> Mat3:
    """Orientation of a body at a time."""
    if row[RATE] == 0.0:
        return rotation_of(row)
    return mat_mul(axis_rotation(axis_of(row), row[RATE] * (t - row[BASE_TIME])), rotation_of(row))


@uncounted_kernel
def shape_falls(
    shape: Convex,
    origin: Vec3,
    pool: Array,
    row: Array,
    seen: Center,
    asked: tuple[Vec3, float, float],
    now: float,
) -> tuple[float, int, Vec3]:
    """Time from now on up to which a shape stays above a plane, the outcome, and its lowest point then.

    seen : the point it turns about, as seen from a point of the plane
    asked : the outward normal, the separation, the tolerance
    """
    outward, separation, tolerance = asked
    offset, velocity, bend, error = seen
    lever = sub(origin, center_of(row))
    pressing, size = -dot(outward, bend), norm(lever) + shape.reach + shape.radius
    down, t, target = scale(-1.0, outward), 0.0, -1.0
    lowest = 0.0, 0.0, 0.0
    for _ in range(MOST_STEPS):
        turned = turned_row(row, now + t)
        at = add(offset, scale(t, add(velocity, scale(0.5 * t, bend))))
        moving = add(velocity, scale(t, bend))
        place = _placed(row, turned, lever, at, moving)
        low = support(shape, pool, mat_vec(transposed(turned), down))
        lowest = add(mat_vec(turned, add(lever, low)), scale(shape.radius, down))
        gap = dot(outward, add(at, lowest)) - separation
        angle = row[RATE] * (now - row[BASE_TIME] + t)
        slip = (
            error + PLACED * (size + t * (norm(velocity) + t * norm(bend))) + TURNED * angle * size + SHORTEST
        )
        wide = max(tolerance, 8.0 * slip)
        turning = travel_of_a(shape, pool, down, place)
        travel = _travel(turning, dot(down, moving), pressing)
        if gap <= (slip + NEAR * wide if target < 0.0 else target):
            closing = dot(down, add(moving, scale(row[RATE], cross(axis_of(row), lowest))))
            resting = RESTING * (norm(moving) + row[RATE] * size)
            if closing > resting or (closing >= -resting and pressing > 0.0 and turning.most == 0.0):
                return t, TOUCHES, lowest
            target = slip + 0.5 * (gap - slip)  # it parts: less than half of what is left is near again
            if gap <= 8.0 * slip:
                t, target = t + lasting_time(DEEPER * wide, travel), -1.0
                if t == FOREVER:
                    return FOREVER, TOUCHES, lowest
                continue
        t += lasting_time(gap - slip, travel)
        if t == FOREVER:
            return FOREVER, TOUCHES, lowest
    return t, LOOK_AGAIN, lowest


@uncounted_kernel
def _placed(row: Array, turned: Mat3, lever: Vec3, at: Vec3, moving: Vec3) -> Placement:
    """The shape, in a frame that stands still, and a plane that does not move there."""
    none = 0.0, 0.0, 0.0
    offset = add(at, mat_vec(turned, lever))
    return Placement(turned, offset, moving, axis_of(row), row[RATE], at, none, 0.0, none)


@uncounted_kernel
def _travel(turning: Travel, speed: float, pressing: float) -> Travel:
    """How far down, over a time, what turns, and goes down at a speed that changes."""
    now, bend = turning.now + speed, turning.bend + max(0.5 * pressing, 0.0)
    most = FOREVER if pressing > 0.0 else turning.most + speed
    return Travel(now, most, bend)
