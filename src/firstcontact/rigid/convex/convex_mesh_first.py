"""First contacts of a convex shape and a mesh, for many motions."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.arrival import SEPARATED, Found, nothing_found
from firstcontact.advancement.far_pieces import is_clearly_far, is_far
from firstcontact.advancement.goal import BodyExtent, Options, goal_of
from firstcontact.advancement.queue import Queue, new_queue
from firstcontact.advancement.stretches import (
    WHOLE,
    TwoMotions,
    finer_rows,
    finer_stretch,
    first_stretch,
    is_left,
    motions_of,
    next_stretch,
)
from firstcontact.arrays import Array
from firstcontact.bodies.convex_mesh_volume import N_RECTANGLE, BoundedShape, bounding_volumes
from firstcontact.bodies.mesh_body import Body
from firstcontact.bounds.swept_sphere import volume_of
from firstcontact.motions.law_table import LawTables, room_for
from firstcontact.motions.rigid_motion import END_TIME
from firstcontact.proximity.distance.convex_mesh_distance import SolidShape
from firstcontact.rigid.convex.convex_first import write_touch
from firstcontact.rigid.convex.convex_mesh_search import search_mesh
from firstcontact.shapes.convex import ConvexTable, convex_at, origin_at

# Motions from which several threads are worth their start.
WORTH_A_THREAD = 32


class ConvexMeshBatch(NamedTuple):
    """A shape, the volume around it, a mesh, and motions of each: rows (n, k, 26), or (1, k, 26) for all."""

    table: ConvexTable
    volumes: Array
    mesh: Body
    rows_a: Array
    rows_b: Array


def batch_of(table: ConvexTable, mesh: Body, rows_a: Array, rows_b: Array) -> ConvexMeshBatch:
    """Make the first shape of a table, a, and a mesh, b, ready: rows (n, k, 26) of each, or (1, k, 26)."""
    return ConvexMeshBatch(table, bounding_volumes(table), mesh, rows_a, rows_b)


def convex_mesh_first_times(
    batch: ConvexMeshBatch, options: Options, tables: LawTables | None = None
) -> Found:
    """Find the first contact for each motion; by the tables of laws, in finer pieces where that decides."""
    mesh, rows_a, rows_b = batch.mesh, batch.rows_a, batch.rows_b
    n = max(len(rows_a), len(rows_b)) if min(len(rows_a), len(rows_b)) > 0 else 0
    found = nothing_found(n)

    def task(first: int, last: int) -> None:
        _search_range(batch, options, tables, found, new_queue(), first, last)

    if len(mesh.children) > 0:
        on_ranges(task, n, WORTH_A_THREAD)
    return found


@driver
def _search_range(
    batch: ConvexMeshBatch,
    options: Options,
    tables: LawTables | None,
    found: Found,
    queue: Queue,
    first: int,
    last: int,
) -> None:
    records, mesh = batch.table.records, batch.mesh
    # Not a plain zero: functions are compiled for a constant argument apart.
    zero = int(np.int64(0))
    shape, rectangle = convex_at(records, zero), np.empty(3 * N_RECTANGLE)
    bounded = BoundedShape(shape, batch.table.pool, volume_of(batch.volumes, zero), rectangle)
    one = SolidShape(bounded, origin_at(records, zero))
    room = room_for(tables)
    for k in range(first, last):
        motions = motions_of(batch.rows_a, batch.rows_b, tables, room, k)
        search_mesh_pieces(one, mesh, motions, options, queue, found, k)


@kernel
def search_mesh_pieces(
    one: SolidShape,
    mesh: Body,
    motions: TwoMotions,
    options: Options,
    queue: Queue,
    found: Found,
    k: int,
) -> None:
    """Find the first contact, stretch by stretch of both motions, and write it into row k."""
    shape = one.bounded.shape
    extent_a = BodyExtent(one.origin, shape.reach, shape.radius)
    extent_b = BodyExtent(mesh.origin, mesh.reach, 0.0)
    rows_a, rows_b, separation = motions.rows_a, motions.rows_b, options.min_separation
    is_long, stretch = len(rows_a) > 1 or len(rows_b) > 1, first_stretch(rows_a, rows_b)
    while is_left(rows_a, rows_b, stretch):
        row_a, row_b = rows_a[stretch.piece_a], rows_b[stretch.piece_b]
        if stretch.length < WHOLE:
            row_a, row_b = finer_rows(motions, stretch)
        elif is_long and is_clearly_far(row_a, row_b, stretch.start, separation, extent_a, extent_b):
            stretch = next_stretch(rows_a, rows_b, stretch, min(row_a[END_TIME], row_b[END_TIME]))
            continue
        motion, goal = goal_of(extent_a, extent_b, row_a, row_b, options, stretch.start)
        if is_long and is_far(motion, goal, extent_a, extent_b):
            stretch = next_stretch(rows_a, rows_b, stretch, goal.end)
            continue
        arrival = search_mesh(one.bounded, mesh, motion, goal, queue, found.counts[k])
        if arrival.status == SEPARATED:
            stretch = next_stretch(rows_a, rows_b, stretch, goal.end)
            continue
        rows = row_a, row_b
        stretch, arrival, is_open = finer_stretch(motions, stretch, rows, arrival, goal, options.tolerance)
        if not is_open:
            write_touch(found, k, arrival, motion, row_b)
            break
