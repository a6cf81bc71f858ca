"""Times by which a contact of convex shapes is certain: what was found near contact goes on to overlap."""

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.arrival import CONTACT, CONTACT_AT_START, Found, Touch, touch_at
from firstcontact.advancement.proof_times import CLEARANCE, NEVER
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import OneSide, Side
from firstcontact.motions.relative_motion import (
    RelativeMotion,
    orientation,
    placement_at,
    relative_motion,
    rounding_error,
)
from firstcontact.motions.rigid_motion import END_TIME, deviation_of, velocity_at
from firstcontact.narrowphase.convex.gjk import (
    Precision,
    RelativePose,
    closest_from,
    moved_simplex,
    no_simplex,
)
from firstcontact.proximity.touching.closest_contacts import piece_of
from firstcontact.rigid.convex.convex_first import WORTH_A_THREAD
from firstcontact.rigid.convex.convex_steps import PART
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import dot, norm, scale, sub
from firstcontact.shapes.convex import convex_at, origin_at

# Times that are tried: a bit later than the contact is due at the speed of the closest points, and from there
# on each twice as far from the one found, mostly to the end. Flat shapes that meet edge on overlap late; that
# round ones do is seen late.
BEYOND = 1.25
N_TIMES = 40


def convex_proven_times(a: Side, b: Side, found: Found, min_separation: float) -> Array:
    """Give times, (n,), at which the shapes certainly overlap; infinite where no proof is found.

    With a separation, they are certainly no farther apart. No time is before that of the contact found.
    """
    upper = np.empty(len(found.time))

    def task(first: int, last: int) -> None:
        _prove_range(a, b, found, min_separation, upper, first, last)

    on_ranges(task, len(upper), WORTH_A_THREAD)
    return upper


@driver
def _prove_range(
    a: Side, b: Side, found: Found, separation: float, upper: Array, first: int, last: int
) -> None:
    records_a, pool_a, rows_a = a.table.records, a.table.pool, a.rows
    records_b, pool_b, rows_b = b.table.records, b.table.pool, b.rows
    for k in range(first, last):
        i, j = int(np.int64(a.shape_ids[k])), int(np.int64(b.shape_ids[k]))
        one = OneSide(convex_at(records_a, i), origin_at(records_a, i), pool_a, rows_a[a.row_ids[k]])
        other = OneSide(convex_at(records_b, j), origin_at(records_b, j), pool_b, rows_b[b.row_ids[k]])
        upper[k] = proven_time(one, other, touch_at(found, k), separation)


@kernel
def proven_time(a: OneSide, b: OneSide, touch: Touch, separation: float) -> float:
    """Find a time at which a contact is certain; NEVER where no proof is found."""
    if touch.status != CONTACT and touch.status != CONTACT_AT_START:
        return NEVER
    t, shape_a, shape_b = touch.time, a.shape, b.shape
    row_a, row_b = piece_of(a.rows, t), piece_of(b.rows, t)
    motion = relative_motion(row_a, row_b, a.origin, b.origin)
    reach_a, reach_b = shape_a.reach + shape_a.radius, shape_b.reach + shape_b.radius
    rounding = rounding_error(motion, reach_a, reach_b, row_a, row_b)
    clearance = CLEARANCE * rounding + deviation_of(row_a, row_b)
    limit = separation + shape_a.radius + shape_b.radius - clearance
    is_at_start = touch.status == CONTACT_AT_START
    p, q, n = touch.point_a, touch.point_b, touch.normal
    speed = dot(n, sub(velocity_at(row_a, p, t), velocity_at(row_b, q, t)))
    way = max(norm(sub(q, p)) - separation, 0.0) + clearance
    due = BEYOND * way / speed if speed > 0.0 else NEVER
    wait = 0.0 if is_at_start else due
    end, precision = min(row_a[END_TIME], row_b[END_TIME]), Precision(PART, limit, limit)
    frame = _frame(motion, t)
    # From the start on, what is tried first is the same for any normal: who asks may not know it yet.
    back = transposed(orientation(motion.spin_b, t))
    start = no_simplex(scale(-1.0, frame.offset) if is_at_start else mat_vec(back, n))
    for _ in range(N_TIMES):
        if wait == NEVER:
            break
        now, before = min(t + wait, end), frame
        frame = _frame(motion, now)
        start = moved_simplex(start, before, frame)
        closest, start = closest_from(shape_a, shape_b, a.pool, b.pool, frame, start, precision)
        if closest.distance <= limit:
            return float(now)
        if now == end:
            break
        wait = max(2.0 * wait, due)
    return NEVER


@kernel
def _frame(motion: RelativeMotion, t: float) -> RelativePose:
    place = placement_at(motion, t)
    return RelativePose(place.rotation, place.offset)
