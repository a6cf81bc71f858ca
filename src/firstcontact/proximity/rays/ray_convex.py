"""Rays against convex shapes that are not hulls, in closed form."""

from math import frexp, ldexp

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array
from firstcontact.narrowphase.convex.ray_shapes import Solid, normal_solid, span_solid
from firstcontact.narrowphase.triangles.ray_triangle import sight_of
from firstcontact.proximity.rays.ray_hits import (
    ALL,
    COUNT,
    LARGEST,
    MOST_HITS,
    Hits,
    Rays,
    collect,
    in_body,
    vector_at,
    write_hit,
    write_miss,
)
from firstcontact.scalar.vec3 import add, scale
from firstcontact.shapes.convex import HALF, KIND, RADIUS, ConvexTable


def cast_at_convex(table: ConvexTable, rays: Rays, n: int, wanted: int, most: int = MOST_HITS) -> Hits:
    """Cast n rays at the one shape of a table, which is not a hull."""

    def cast(hits: Hits, stage: int, first: int, last: int) -> None:
        _cast_range(table.records[0], rays, hits, stage, (first, last))

    return collect(cast, n, wanted, most)


@driver
def _cast_range(record: Array, rays: Rays, hits: Hits, wanted: int, part: tuple[int, int]) -> None:
    cast_at_solid(record, rays, hits, wanted, part)


@kernel
def cast_at_solid(record: Array, rays: Rays, hits: Hits, wanted: int, part: tuple[int, int]) -> None:
    """Cast a part of the rays at a shape with this record."""
    x, y, z, radius = record[HALF], record[HALF + 1], record[HALF + 2], record[RADIUS]
    factor = ldexp(1.0, -frexp(max(max(x, y), z) + radius)[1])  # sizes are within 2**150
    solid = Solid(int(record[KIND]), scale(factor, (x, y, z)), factor * radius)
    for i in range(part[0], part[1]):
        o, d = vector_at(rays.origins, i), vector_at(rays.directions, i)
        o, d = in_body(rays.rotation, rays.position, o, d)
        o = scale(factor, o)
        sight = sight_of(o, d)
        span = span_solid(solid, o, sight.way)
        count = 0
        for k in range(2):
            depth = span.leave if k else span.enter
            time = max(min(depth / factor / sight.speed, LARGEST), -LARGEST) + 0.0  # the sign of a zero goes
            # A line that only touches meets the surface once.
            is_double = k == 1 and span.leave == span.enter
            if span.enter > span.leave or is_double or not rays.min_time <= time <= rays.max_time:
                continue
            if wanted != COUNT and (wanted == ALL or count == 0):
                row = hits.starts[i] + count
                point = add(o, scale(depth, sight.way))
                hits.faces[row] = -1
                normal = normal_solid(solid, point, sight.way, 1.0 if k else -1.0)
                write_hit(hits, row, rays, i, time, normal)
            count += 1
        if wanted == COUNT:
            hits.starts[i + 1] = count
        elif wanted != ALL and count == 0:
            write_miss(hits, hits.starts[i])
