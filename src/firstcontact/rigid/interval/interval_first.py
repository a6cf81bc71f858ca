"""First contacts of many motions of two bodies, or of a convex shape and a body, by intervals of time."""

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.arrival import SEPARATED, Found, nothing_found, write_arrival
from firstcontact.advancement.goal import BodyExtent, Options, goal_of, motion_rows
from firstcontact.advancement.stretches import first_stretch, is_left, next_stretch
from firstcontact.arrays import Array
from firstcontact.bodies.convex_mesh_volume import BoundedShape
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.placed_triangle import N_TRIANGLE
from firstcontact.bounds.swept_sphere import volume_of
from firstcontact.rigid.convex.convex_first import write_touch
from firstcontact.rigid.convex.convex_mesh_first import ConvexMeshBatch
from firstcontact.rigid.interval.interval_search import Fronts, fronts_for, search_intervals
from firstcontact.shapes.convex import RADIUS, REACH, ConvexTable, convex_at, origin_at

# Motions from which several threads are worth their start.
WORTH_A_THREAD = 8

# A tree of one leaf, and its triangle, which nobody looks at.
_LEAF = np.full((1, 2), -1, np.int32)
_NO_TRIANGLE = np.zeros((1, N_TRIANGLE))


def interval_first_times(a: Body, b: Body, rows: tuple[Array, Array], options: Options) -> Found:
    """Find the first contact for each motion: rows (n, k, 26) of each body, or (1, k, 26) for all."""
    return _first_times((a, b), None, rows, options)


def interval_mesh_times(batch: ConvexMeshBatch, options: Options) -> Found:
    """Find the first contact of a convex shape and a mesh for each motion."""
    record, order = batch.table.records[0], np.zeros(1, np.int32)
    x, y, z = origin_at.py_func(batch.table.records, 0)
    reach = float(record[REACH] + record[RADIUS])
    leaf = Body((x, y, z), reach, _LEAF, batch.volumes, _NO_TRIANGLE, order, 1)
    return _first_times((leaf, batch.mesh), batch.table, (batch.rows_a, batch.rows_b), options)


def _first_times(
    bodies: tuple[Body, Body], table: ConvexTable | None, rows: tuple[Array, Array], options: Options
) -> Found:
    n = max(map(len, rows)) if min(map(len, rows)) > 0 else 0
    found = nothing_found(n)

    def task(first: int, last: int) -> None:
        fronts = fronts_for(bodies[0].depth, bodies[1].depth)
        _search_range(bodies, table, rows, options, fronts, found, (first, last))

    if all(len(body.children) > 0 for body in bodies):
        on_ranges(task, n, WORTH_A_THREAD)
    return found


# A driver of its own, beside that of the other methods: who does not ask for intervals compiles none of it.
@driver
def _search_range(
    bodies: tuple[Body, Body],
    table: ConvexTable | None,
    rows: tuple[Array, Array],
    options: Options,
    fronts: Fronts,
    found: Found,
    part: tuple[int, int],
) -> None:
    for k in range(part[0], part[1]):
        if table is None:
            _search_pieces(bodies, None, motion_rows(rows[0], rows[1], k), options, fronts, found, k)
        else:
            # Not a plain zero: functions are compiled for a constant argument apart.
            zero = int(np.int64(0))
            volume = volume_of(bodies[0].volumes, zero)
            solid = BoundedShape(convex_at(table.records, zero), table.pool, volume, bodies[0].triangles[0])
            _search_pieces(bodies, solid, motion_rows(rows[0], rows[1], k), options, fronts, found, k)


@kernel
def _search_pieces(
    bodies: tuple[Body, Body],
    solid: BoundedShape | None,
    motions: tuple[Array, Array],
    options: Options,
    fronts: Fronts,
    found: Found,
    k: int,
) -> None:
    """Find the first contact of two bodies, piece by piece of their motions, and write it into row k."""
    extent_a = BodyExtent(bodies[0].origin, bodies[0].reach, 0.0)
    if solid is not None:
        extent_a = BodyExtent(bodies[0].origin, solid.shape.reach, solid.shape.radius)
    extent_b = BodyExtent(bodies[1].origin, bodies[1].reach, 0.0)
    rows_a, rows_b = motions
    stretch = first_stretch(rows_a, rows_b)
    while is_left(rows_a, rows_b, stretch):
        row_a, row_b = rows_a[stretch.piece_a], rows_b[stretch.piece_b]
        motion, goal = goal_of(extent_a, extent_b, row_a, row_b, options, stretch.start)
        arrival = search_intervals(bodies, solid, motion, goal, fronts, found.counts[k])
        if arrival.status != SEPARATED:
            if solid is not None:
                write_touch(found, k, arrival, motion, row_b)
            else:
                write_arrival(found, k, arrival)
            break
        stretch = next_stretch(rows_a, rows_b, stretch, goal.end)
