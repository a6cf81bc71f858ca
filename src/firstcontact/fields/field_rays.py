"""Rays against a field, by sphere tracing: steps that are proven not to reach the shape's surface."""

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.fields.field_values import value_at
from firstcontact.fields.seen_field import SeenField, normal_at
from firstcontact.proximity.rays.ray_hits import (
    FIRST,
    LARGEST,
    Hits,
    Rays,
    collect,
    in_body,
    vector_at,
    write_hit,
    write_miss,
)
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Vec3, add, norm, scale, sub

# A ray has arrived within so many tolerances of the surface, as the field has it.
ARRIVED = 1.25

# Rounding of a place on a ray, in units of the coordinates that it is made of: some ten operations, twice.
PLACED = 64.0 * UNIT_ROUNDOFF

# A step is shorter, and a time is earlier, by this part, to make up for roundings.
EARLIER = 2.0**-40


def cast_at_field(field: SeenField, rays: Rays, n: int) -> Hits:
    """Cast n rays at the surface of a field's shape, for the first place that each may meet."""

    def cast(hits: Hits, _: int, first: int, last: int) -> None:
        _cast_range(field, rays, hits, first, last)

    return collect(cast, n, FIRST, n)


@driver
def _cast_range(field: SeenField, rays: Rays, hits: Hits, first: int, last: int) -> None:
    for i in range(first, last):
        o, d = vector_at(rays.origins, i), vector_at(rays.directions, i)
        far = norm(o) + norm(rays.position)
        o, d = in_body(rays.rotation, rays.position, o, d)
        o = sub(o, field.origin)
        time = _traced(field, o, d, far + norm(field.origin), (rays.min_time, rays.max_time))
        if time < np.inf:
            x = add(o, scale(time, d))
            hits.faces[hits.starts[i]] = -1
            write_hit(hits, hits.starts[i], rays, i, time, normal_at(field, x)[1])
        else:
            write_miss(hits, hits.starts[i])


@kernel
def _traced(field: SeenField, o: Vec3, d: Vec3, far: float, times: tuple[float, float]) -> float:
    """Time at which a ray may meet the surface, none of it met before; inf where it never does."""
    largest = max(max(abs(d[0]), abs(d[1])), abs(d[2]))
    way = scale(1.0 / largest, d)
    length = norm(way)
    way = scale(1.0 / length, way)
    # Along the way, in lengths: where the ray comes near the box around the shape, and where it leaves that.
    rounding = PLACED * (far + norm(o) + field.reach)
    enter, leave = _span(field, o, way, rounding)
    latest = times[1] * largest * length
    latest, s = latest + 2.0**-50 * abs(latest), max(enter, times[0] * largest * length)
    # From far away, places are coarse: what rounding hides is arrived at, too, so that every step gets on.
    arrived = max(ARRIVED * field.tolerance, field.tolerance + rounding)
    while s <= leave and s <= latest:
        value = abs(value_at(field.octree, add(o, scale(s, way)))) - rounding
        if value <= arrived:
            time = max(s / length / largest, -LARGEST)
            time = max(min(time - EARLIER * abs(time), LARGEST), times[0])
            return time if time <= times[1] else np.inf
        s += (value - field.tolerance) * (1.0 - EARLIER)
    return np.inf


@kernel
def _span(field: SeenField, o: Vec3, way: Vec3, rounding: float) -> tuple[float, float]:
    """Where on a ray the box around the shape begins and ends; a bit more, by what rounding may hide."""
    enter, leave = -np.inf, np.inf
    for k in range(3):
        low, high = field.lower[k] - rounding - o[k], field.upper[k] + rounding - o[k]
        if abs(way[k]) < 2.0**-500:
            if low > 0.0 or high < 0.0:
                return np.inf, -np.inf
        else:
            first, last = low / way[k], high / way[k]
            enter, leave = max(enter, min(first, last)), min(leave, max(first, last))
    return enter - rounding, leave + rounding
