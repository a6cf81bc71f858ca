"""Times by which a contact of a body and the shape of a field is certain.

The point of the body that was found is followed, and of a convex shape, or of a ball around the point, the
one that is deepest there: contact
is proven where the field is below minus its tolerance. Where a field is not exact outside, that is all it
proves: how far away the shape is, it does not know.
"""

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.arrival import CONTACT, CONTACT_AT_START
from firstcontact.advancement.goal import Options, motion_rows
from firstcontact.advancement.proof_times import CLEARANCE, NEVER, first_try, next_try
from firstcontact.arrays import Array
from firstcontact.fields.pieces import SAMPLED, SOLID, Pieces, radius_around
from firstcontact.fields.seen_field import SeenField, most_at, normal_at
from firstcontact.motions.relative_motion import placement_at
from firstcontact.motions.rigid_motion import deviation_of
from firstcontact.proximity.touching.closest_contacts import piece_of
from firstcontact.rigid.fields.field_first import FieldBatch, FieldFound, field_goal
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, scale, sub
from firstcontact.shapes.convex import convex_at
from firstcontact.shapes.cores import support

# Motions from which several threads are worth their start.
WORTH_A_THREAD = 512

# Times that are tried, each twice as far from the contact.
N_TIMES = 40


def field_proven_times(batch: FieldBatch, found: FieldFound, options: Options) -> Array:
    """Give times, (n,), at which body and shape certainly overlap; infinite where no proof is found.

    With a separation, they are certainly no farther apart. No time is before that of the contact found.
    """
    upper = np.full(len(found.time), NEVER)

    def task(first: int, last: int) -> None:
        _prove_range(batch, found, options, upper, first, last)

    on_ranges(task, len(upper), WORTH_A_THREAD)
    return upper


@driver
def _prove_range(
    batch: FieldBatch, found: FieldFound, options: Options, upper: Array, first: int, last: int
) -> None:
    body, field = batch.body, batch.field
    for k in range(first, last):
        if found.status[k] != CONTACT and found.status[k] != CONTACT_AT_START:
            continue
        rows_a, rows_b = motion_rows(batch.rows_a, batch.rows_b, k)
        t, own = found.time[k], found.materials[k]
        around = radius_around(body, int(np.int64(found.triangles[k, 0]))) - body.radius
        row_a, row_b = piece_of(rows_a, t), piece_of(rows_b, t)
        motion, goal, rounding = field_goal(body, field, row_a, row_b, options, t)
        clearance = CLEARANCE * rounding + deviation_of(row_a, row_b)
        wait = 2.0 * (field.tolerance + clearance) / goal.speed if goal.speed > 0.0 else NEVER
        tries = first_try(t, wait, N_TIMES)
        while tries.n_left > 0:
            place, now = placement_at(motion, tries.now), tries.now
            point = own[0] + now * own[3], own[1] + now * own[4], own[2] + now * own[5]
            x = add(place.offset, mat_vec(place.rotation, point))
            most = _most_at(body, field, point, x) - around
            if around > 0.0 and not field.is_exact:
                most = min(most, most_at(field, sub(x, scale(around, normal_at(field, x)[1]))))
            if body.kind == SOLID:
                g = mat_vec(transposed(place.rotation), normal_at(field, x)[1])
                shape = convex_at(body.records, int(np.int64(0)))
                core = support(shape, body.pool, scale(-1.0, g))
                point = sub(core, scale(body.skin, g))
                deepest = add(place.offset, mat_vec(place.rotation, point))
                most = min(most, _most_at(body, field, point, deepest))
                if not field.is_exact:
                    point = sub(core, scale(body.skin + body.radius, g))
                    most = min(most, most_at(field, add(place.offset, mat_vec(place.rotation, point))))
            elif body.kind == SAMPLED:
                point = _inside(body, point)
                most = _most_at(body, field, point, add(place.offset, mat_vec(place.rotation, point)))
            is_proven = most + clearance <= options.min_separation
            tries = next_try(tries, is_proven, t, goal.end)
        upper[k] = tries.after


@kernel
def _most_at(body: Pieces, field: SeenField, point: Vec3, x: Vec3) -> float:
    """Bound the distance of body and shape from above, by a point of the core and its place in the field."""
    most = most_at(field, x) - body.radius
    if body.kind == SAMPLED:
        return most + max(most_at(body.own, point), 0.0)
    return most


@kernel
def _inside(body: Pieces, point: Vec3) -> Vec3:
    """Go from a point at the surface of a body's own field to one that is inside its shape, if there is."""
    value, away = normal_at(body.own, point)
    if value <= -body.own.tolerance:
        return point
    return sub(point, scale(value + 1.5 * body.own.tolerance, away))
