"""First contacts of a convex shape and a mesh, for many motions."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array
from firstcontact.bodies.convex_mesh_volume import bounding_volumes
from firstcontact.bodies.mesh_body import Body
from firstcontact.bounds.swept_sphere import volume_of
from firstcontact.motions.relative_motion import RelativeMotion, relative_motion
from firstcontact.motions.rigid_motion import END_TIME, number_at, start_of
from firstcontact.rigid.convex_first import Touch, write_touch
from firstcontact.rigid.convex_mesh_search import MeshArrival, search_mesh
from firstcontact.rigid.goal import Extent, goal_of
from firstcontact.rigid.request import MAX_ITERATIONS, N_COUNTS, SEPARATED, Options, told_status
from firstcontact.shapes.convex import ConvexTable, convex_at, origin_at

# Motions from which several threads are worth their start.
WORTH_A_THREAD = 32


class Batch(NamedTuple):
    """A shape, the volume around it, a mesh, and motions of each: rows (n, k, 24), or (1, k, 24) for all."""

    table: ConvexTable
    volumes: Array
    mesh: Body
    rows_a: Array
    rows_b: Array


class MeshFound(NamedTuple):
    """First contacts of n motions.

    status : (n,) int8
    time : (n,) float64, inf where there is none
    triangles : (n,) int32, numbered as in the body; -1 where there is none
    points, normals : (n, 2, 3) on the shape and on the mesh, and (n, 3) from the shape to the mesh, in the
        world; NaN where there is none
    counts : (n, N_COUNTS) int64
    """

    status: NDArray[np.int8]
    time: Array
    triangles: NDArray[np.int32]
    points: Array
    normals: Array
    counts: NDArray[np.int64]


def batch_of(table: ConvexTable, mesh: Body, rows_a: Array, rows_b: Array) -> Batch:
    """Make the first shape of a table, a, and a mesh, b, ready: rows (n, k, 24) of each, or (1, k, 24)."""
    return Batch(table, bounding_volumes(table), mesh, rows_a, rows_b)


def convex_mesh_first_times(batch: Batch, options: Options) -> MeshFound:
    """Find the first contact for each motion."""
    mesh, rows_a, rows_b = batch.mesh, batch.rows_a, batch.rows_b
    n = max(len(rows_a), len(rows_b)) if min(len(rows_a), len(rows_b)) > 0 else 0
    found = MeshFound(
        np.full(n, SEPARATED, np.int8),
        np.full(n, np.inf),
        np.full(n, -1, np.int32),
        np.full((n, 2, 3), np.nan),
        np.full((n, 3), np.nan),
        np.zeros((n, N_COUNTS), np.int64),
    )
    if len(mesh.children) > 0:
        on_ranges(lambda first, last: _search_range(batch, options, found, first, last), n, WORTH_A_THREAD)
    return found


@driver
def _search_range(batch: Batch, options: Options, found: MeshFound, first: int, last: int) -> None:
    records, pool, mesh = batch.table.records, batch.table.pool, batch.mesh
    all_rows_a, all_rows_b = batch.rows_a, batch.rows_b
    # Not a plain zero: functions are compiled for a constant argument apart.
    zero = int(np.int64(0))
    shape, volume, origin = convex_at(records, zero), volume_of(batch.volumes, zero), origin_at(records, zero)
    extent = Extent(shape.reach, shape.radius)
    for k in range(first, last):
        rows_a, rows_b = all_rows_a[min(k, len(all_rows_a) - 1)], all_rows_b[min(k, len(all_rows_b) - 1)]
        start = start_of(rows_a, rows_b)
        i, j = number_at(rows_a, start), number_at(rows_b, start)
        while i < len(rows_a) and j < len(rows_b):
            row_a, row_b = rows_a[i], rows_b[j]
            motion = relative_motion(row_a, row_b, origin, mesh.origin)
            goal = goal_of(motion, extent, Extent(mesh.reach, 0.0), row_a, row_b, options, start)
            arrival = search_mesh(shape, pool, volume, mesh, motion, goal, found.counts[k])
            if arrival.status != SEPARATED:
                _write(found, k, arrival, motion, row_b)
                break
            i, j, start = i + (row_a[END_TIME] <= goal.end), j + (row_b[END_TIME] <= goal.end), goal.end


@kernel
def _write(found: MeshFound, k: int, arrival: MeshArrival, motion: RelativeMotion, row_b: Array) -> None:
    found.status[k] = told_status(arrival.status, arrival.time)
    found.time[k] = arrival.time
    if arrival.status != MAX_ITERATIONS:
        found.triangles[k] = arrival.triangle
        touch = Touch(arrival.time, arrival.point_a, arrival.point_b, arrival.normal)
        write_touch(touch, motion.spin_b.lever, row_b, found.points[k], found.normals[k])
