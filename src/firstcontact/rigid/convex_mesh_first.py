"""First contacts of a convex shape and a mesh, for many motions."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.arrival import SEPARATED, Found, nothing_found
from firstcontact.advancement.far_pieces import is_far
from firstcontact.advancement.goal import BodyExtent, Options, goal_of, motion_rows, pieces_after
from firstcontact.advancement.queue import Queue, new_queue
from firstcontact.arrays import Array
from firstcontact.bodies.convex_mesh_volume import N_RECTANGLE, BoundedShape, bounding_volumes
from firstcontact.bodies.mesh_body import Body
from firstcontact.bounds.swept_sphere import volume_of
from firstcontact.motions.rigid_motion import number_at, start_of
from firstcontact.proximity.distance.convex_mesh_distance import SolidShape
from firstcontact.rigid.convex_first import write_touch
from firstcontact.rigid.convex_mesh_search import search_mesh
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


def convex_mesh_first_times(batch: ConvexMeshBatch, options: Options) -> Found:
    """Find the first contact for each motion."""
    mesh, rows_a, rows_b = batch.mesh, batch.rows_a, batch.rows_b
    n = max(len(rows_a), len(rows_b)) if min(len(rows_a), len(rows_b)) > 0 else 0
    found = nothing_found(n)
    if len(mesh.children) > 0:
        on_ranges(
            lambda first, last: _search_range(batch, options, found, new_queue(), first, last),
            n,
            WORTH_A_THREAD,
        )
    return found


@driver
def _search_range(
    batch: ConvexMeshBatch, options: Options, found: Found, queue: Queue, first: int, last: int
) -> None:
    records, mesh = batch.table.records, batch.mesh
    # Not a plain zero: functions are compiled for a constant argument apart.
    zero = int(np.int64(0))
    shape, rectangle = convex_at(records, zero), np.empty(3 * N_RECTANGLE)
    bounded = BoundedShape(shape, batch.table.pool, volume_of(batch.volumes, zero), rectangle)
    one = SolidShape(bounded, origin_at(records, zero))
    for k in range(first, last):
        motions = motion_rows(batch.rows_a, batch.rows_b, k)
        search_mesh_pieces(one, mesh, motions, options, queue, found, k)


@kernel
def search_mesh_pieces(
    one: SolidShape,
    mesh: Body,
    motions: tuple[Array, Array],
    options: Options,
    queue: Queue,
    found: Found,
    k: int,
) -> None:
    """Find the first contact, piece by piece of both motions, (m, 26) each, and write it into row k."""
    rows_a, rows_b = motions
    shape = one.bounded.shape
    extent_a = BodyExtent(one.origin, shape.reach, shape.radius)
    extent_b = BodyExtent(mesh.origin, mesh.reach, 0.0)
    start = start_of(rows_a, rows_b)
    i, j = number_at(rows_a, start), number_at(rows_b, start)
    is_long = len(rows_a) > 1 or len(rows_b) > 1
    while i < len(rows_a) and j < len(rows_b):
        row_a, row_b = rows_a[i], rows_b[j]
        motion, goal = goal_of(extent_a, extent_b, row_a, row_b, options, start)
        if not (is_long and is_far(motion, goal, extent_a, extent_b)):
            arrival = search_mesh(one.bounded, mesh, motion, goal, queue, found.counts[k])
            if arrival.status != SEPARATED:
                write_touch(found, k, arrival, motion, row_b)
                break
        (i, j), start = pieces_after(rows_a, rows_b, i, j, goal.end), goal.end
