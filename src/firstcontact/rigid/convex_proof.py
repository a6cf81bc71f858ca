"""Times by which a contact of convex shapes is certain: what was found near contact goes on to overlap."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.motions.relative_motion import Placement, placement_at, relative_motion, rounding_error
from firstcontact.motions.rigid_motion import END_TIME
from firstcontact.narrowphase.gjk import Closest, Frame, Precision, closest_from, moved_simplex, no_simplex
from firstcontact.proximity.closest_contacts import piece_of
from firstcontact.proximity.convex_side import Side
from firstcontact.rigid.convex_first import WORTH_A_THREAD, ConvexFound
from firstcontact.rigid.convex_steps import PART
from firstcontact.rigid.proof import CLEARANCE, NEVER
from firstcontact.rigid.request import CONTACT, CONTACT_AT_START
from firstcontact.scalar.vec3 import add, cross, dot, scale, sub
from firstcontact.shapes.convex import convex_at, origin_at

Array = NDArray[np.float64]

# Times that are tried: a bit later than the contact is due at the speed of the closest points, and from there
# on each twice as far from the one found. Flat shapes that meet edge on overlap late.
BEYOND = 1.25
N_TIMES = 12


def convex_proven_times(a: Side, b: Side, found: ConvexFound, min_separation: float) -> Array:
    """Give times, (n,), at which the shapes certainly overlap; infinite where no proof is found.

    With a separation, they are certainly no farther apart. No time is before that of the contact found.
    """
    upper = np.full(len(found.time), NEVER)

    def task(first: int, last: int) -> None:
        _prove_range(a, b, found, min_separation, upper, first, last)

    on_ranges(task, len(upper), WORTH_A_THREAD)
    return upper


@driver
def _prove_range(
    a: Side, b: Side, found: ConvexFound, separation: float, upper: Array, first: int, last: int
) -> None:
    records_a, pool_a, records_b, pool_b = a.table.records, a.table.pool, b.table.records, b.table.pool
    for k in range(first, last):
        if found.status[k] != CONTACT and found.status[k] != CONTACT_AT_START:
            continue
        i, j, t = int(np.int64(a.shape_ids[k])), int(np.int64(b.shape_ids[k])), found.time[k]
        shape_a, shape_b = convex_at(records_a, i), convex_at(records_b, j)
        row_a, row_b = piece_of(a.rows[a.row_ids[k]], t), piece_of(b.rows[b.row_ids[k]], t)
        motion = relative_motion(row_a, row_b, origin_at(records_a, i), origin_at(records_b, j))
        reach_a, reach_b = shape_a.reach + shape_a.radius, shape_b.reach + shape_b.radius
        rounding = rounding_error(motion, reach_a, reach_b, row_a, row_b)
        limit = separation + shape_a.radius + shape_b.radius - CLEARANCE * rounding
        place = placement_at(motion, t)
        frame, precision = Frame(place.rotation, place.offset), Precision(PART, limit, limit)
        start = no_simplex(scale(-1.0, place.offset))
        closest, start = closest_from(shape_a, shape_b, pool_a, pool_b, frame, start, precision)
        if closest.distance <= limit:
            upper[k] = t
            continue
        speed = _approach(place, closest)
        if not speed > 0.0:
            continue
        end, wait = min(row_a[END_TIME], row_b[END_TIME]), BEYOND * (closest.distance - limit) / speed
        for _ in range(N_TIMES):
            now, before = min(t + wait, end), frame
            place, wait = placement_at(motion, now), 2.0 * wait
            frame = Frame(place.rotation, place.offset)
            start = moved_simplex(start, before, frame)
            closest, start = closest_from(shape_a, shape_b, pool_a, pool_b, frame, start, precision)
            if closest.distance <= limit:
                upper[k] = now
                break
            if now == end:
                break


@kernel
def _approach(place: Placement, closest: Closest) -> float:
    """Speed at which the closest points approach each other along their direction."""
    swing_a = scale(place.rate_a, cross(place.axis_a, sub(closest.point_a, place.pivot_a)))
    swing_b = scale(place.rate_b, cross(place.axis_b, sub(closest.point_b, place.pivot_b)))
    return dot(closest.direction, add(place.velocity, sub(swing_a, swing_b)))
