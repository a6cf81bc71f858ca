"""Rays against points and strands with radii: balls and capsules, in closed form."""

from math import frexp, ldexp
from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import INFINITY, Array, Ids, Keys
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.placed_triangle import radius_of, triangle_of
from firstcontact.bounds.swept_sphere import CENTER, REACH
from firstcontact.narrowphase.convex.ray_shapes import span_ball, span_capsule
from firstcontact.narrowphase.triangles.ray_triangle import sight_of
from firstcontact.proximity.points.signed_on_cloud import nearest_on_element
from firstcontact.proximity.rays.ray_hits import (
    ALL,
    ANY,
    COUNT,
    LARGEST,
    MOST_HITS,
    Hits,
    Rays,
    collect,
    in_body,
    missed,
    vector_at,
    write_hit,
    write_miss,
)
from firstcontact.scalar.vec3 import Vec3, add, scale, sub

# A ball around elements is larger by this, in units of all lengths: what rounding may hide of a ray's way.
WIDER = 2.0**-40


class Aim(NamedTuple):
    """A ray in units of the cloud: from where, which way, how far in a unit of time, from when until when."""

    origin: Vec3
    way: Vec3
    speed: float
    min_time: float
    max_time: float


def cast_at_cloud(body: Body, rays: Rays, n: int, wanted: int, most: int = MOST_HITS) -> Hits:
    """Cast n rays at a cloud; where all hits are wanted, those on the surfaces of all elements."""
    if len(body.children) == 0:
        return missed(n, wanted)

    def cast(hits: Hits, stage: int, first: int, last: int) -> None:
        _cast_range(body, rays, hits, stage, (first, last))

    return collect(cast, n, wanted, most)


@driver
def _cast_range(body: Body, rays: Rays, hits: Hits, wanted: int, part: tuple[int, int]) -> None:
    factor = ldexp(1.0, -frexp(body.reach)[1]) if body.reach > 0.0 else 1.0
    stack = np.empty(body.depth + 2, np.int64)
    for i in range(part[0], part[1]):
        o, d = in_body(
            rays.rotation, rays.position, vector_at(rays.origins, i), vector_at(rays.directions, i)
        )
        o = scale(factor, sub(o, body.origin))
        sight = sight_of(o, d)
        aim = Aim(o, sight.way, factor * sight.speed, rays.min_time, rays.max_time)
        count = _meet(body, factor, aim, hits, hits.starts[i], wanted, stack)
        if wanted == COUNT:
            hits.starts[i + 1] = count
            continue
        if count == 0 and wanted != ALL:
            write_miss(hits, hits.starts[i])
        for row in range(hits.starts[i], hits.starts[i] + count):
            place, time = int(hits.faces[row]), hits.times[row]
            at = scale(1.0 / factor, add(o, scale(time * aim.speed, aim.way)))
            normal = nearest_on_element(body.triangles, place, at)[1]
            hits.faces[row] = body.order[place]
            write_hit(hits, row, rays, i, time, normal)


@kernel
def _meet(body: Body, factor: float, aim: Aim, hits: Hits, start: int, wanted: int, stack: Keys) -> int:
    """Write times and places of what a ray meets from a row on; return how many there are."""
    times, places, order = hits.times, hits.faces, body.order
    stack[0], top, count, best, nearest = 0, 1, 0, aim.max_time, int(np.int64(-1))
    while top > 0:
        top -= 1
        node = stack[top]
        enter, leave = _span_of_ball(body.volumes, node, factor, aim)
        if not enter <= leave or leave < aim.min_time * aim.speed or enter > best * aim.speed:
            continue
        if body.children[node, 0] >= 0:
            stack[top], stack[top + 1], top = body.children[node, 1], body.children[node, 0], top + 2
            continue
        i = int(np.int64(~body.children[node, 0]))
        spans = _times(_span_of_element(body.triangles, i, factor, aim), aim)
        for k in range(2):
            time = spans[k]
            is_double = k == 1 and spans[1] == spans[0]  # a line that only touches meets the surface once
            if is_double or not time <= best or time == INFINITY:
                continue
            if wanted == ALL:
                _insert(times, places, order, start, start + count, (time, i))
            if wanted in (ALL, COUNT):
                count += 1
            elif nearest < 0 or time < best or order[i] < order[nearest]:
                best, nearest = time, i
        if wanted == ANY and nearest >= 0:
            break
    if nearest >= 0:
        times[start], places[start], count = best, nearest, 1
    return count


@kernel
def _span_of_ball(volumes: Array, node: int, factor: float, aim: Aim) -> tuple[float, float]:
    """Where the line of a ray is inside the ball around a volume."""
    center = volumes[node, CENTER], volumes[node, CENTER + 1], volumes[node, CENTER + 2]
    seen = sub(aim.origin, scale(factor, center))
    far = abs(seen[0]) + abs(seen[1]) + abs(seen[2])
    span = span_ball(seen, aim.way, factor * volumes[node, REACH] + WIDER * (1.0 + far))
    return span.enter, span.leave


@kernel
def _span_of_element(triangles: Array, i: int, factor: float, aim: Aim) -> tuple[float, float]:
    """Where the line of a ray is inside an element."""
    a, b, _ = triangle_of(triangles, i)
    start, end = sub(aim.origin, scale(factor, a)), scale(factor, sub(b, a))
    span = span_capsule(start, aim.way, end, factor * radius_of(triangles, i))
    return span.enter, span.leave


@kernel
def _times(span: tuple[float, float], aim: Aim) -> tuple[float, float]:
    """Times at which a ray meets the ends of a span, those before its start or after its end infinite.

    Of a ray that starts inside, the first is that of the second end.
    """
    enter, leave = span
    if not enter <= leave:
        return INFINITY, INFINITY
    late = max(min(leave / aim.speed, LARGEST), -LARGEST) + 0.0  # the sign of a zero goes
    soon = max(min(enter / aim.speed, LARGEST), -LARGEST) + 0.0
    if not late >= aim.min_time:
        return INFINITY, INFINITY
    late = late if late <= aim.max_time else INFINITY
    if soon < aim.min_time:
        return late, late
    return soon if soon <= aim.max_time else INFINITY, late


@kernel
def _insert(times: Array, places: Ids, order: Ids, first: int, last: int, hit: tuple[float, int]) -> None:
    """Put a hit among those of its ray, the earlier first, at one time the smaller element first."""
    at = last
    while at > first and (
        times[at - 1] > hit[0] or (times[at - 1] == hit[0] and order[places[at - 1]] > order[hit[1]])
    ):
        times[at], places[at] = times[at - 1], places[at - 1]
        at -= 1
    times[at], places[at] = hit[0], hit[1]
