"""Times by which a contact of a convex shape and a mesh is certain."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, on_ranges
from firstcontact.advancement.arrival import Found
from firstcontact.advancement.goal import Options, motion_rows, nearness
from firstcontact.advancement.proof_times import NEVER
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.convex_mesh_volume import N_CORNERS, triangle_shape
from firstcontact.bodies.convex_side import side_of
from firstcontact.bodies.placed_triangle import N_COORDINATES, N_TRIANGLE
from firstcontact.bodies.placed_triangle import RADIUS as TRIANGLE_RADIUS
from firstcontact.bounds.swept_sphere import volume_of
from firstcontact.bounds.swept_sphere_gap import gap_volume_volume, placed
from firstcontact.motions.relative_motion import placement_at, relative_motion, rounding_error
from firstcontact.motions.rigid_motion import deviation_of
from firstcontact.narrowphase.convex.gjk import Precision, RelativePose, closest_convex_convex
from firstcontact.proximity.touching.closest_contacts import piece_of
from firstcontact.rigid.convex.convex_mesh_first import ConvexMeshBatch
from firstcontact.rigid.convex.convex_proof import convex_proven_times
from firstcontact.rigid.plane_proof import WORTH_A_THREAD
from firstcontact.rigid.proof import MAX_PAIRS
from firstcontact.scalar.vec3 import sub
from firstcontact.shapes.convex import (
    COUNT,
    FIRST,
    HULL,
    KIND,
    N_COLUMNS,
    ORIGIN,
    RADIUS,
    REACH,
    ConvexTable,
    convex_at,
    origin_at,
)

# Roughly is well enough to tell what is near.
ROUGH = 0.1


def convex_mesh_proven_times(batch: ConvexMeshBatch, found: Found, options: Options) -> Array:
    """Give times, (n,), at which shape and mesh certainly overlap; infinite where no proof is found.

    With a separation, they are certainly no farther apart. No time is before that of the contact found.
    """
    upper = np.full(len(found.time), NEVER)
    triangles = found.triangles[:, 1]
    hits = np.flatnonzero(triangles >= 0)
    upper[hits] = _proven(batch, found, options, hits, triangles[hits])
    # Where the triangle that was found is passed by, one next to it may be struck.
    left = hits[upper[hits] == NEVER]
    if len(left) > 0:
        near, counts = np.empty((len(left), MAX_PAIRS), np.int32), np.zeros(len(left), np.int64)

        def task(first: int, last: int) -> None:
            _list_near(batch, options, found.time, left, near, counts, (first, last))

        on_ranges(task, len(left), WORTH_A_THREAD)
        motions = np.repeat(left, counts)
        times = _proven(batch, found, options, motions, near[np.arange(MAX_PAIRS) < counts[:, np.newaxis]])
        np.minimum.at(upper, motions, times)
    return upper


def _proven(
    batch: ConvexMeshBatch, found: Found, options: Options, motions: NDArray[np.intp], ids: Ids
) -> Array:
    """Times at which the shape certainly overlaps a triangle each, in the motion of that number."""
    n, n_pairs = len(found.time), len(motions)
    a, b = side_of(batch.table, batch.rows_a, n), side_of(_triangles(batch, ids), batch.rows_b, n)
    a, b = (side._replace(row_ids=side.row_ids[motions]) for side in (a, b))
    b = b._replace(shape_ids=np.arange(n_pairs, dtype=np.int32))
    a = a._replace(shape_ids=np.zeros(n_pairs, np.int32))
    met = Found._make(arrays[motions] for arrays in found)
    return convex_proven_times(a, b, met, options.min_separation)


def _triangles(batch: ConvexMeshBatch, ids: Ids) -> ConvexTable:
    """Triangles as shapes, with the origin of the mesh."""
    triangles, origin = batch.mesh.triangles, batch.mesh.origin
    records = np.zeros((len(ids), N_COLUMNS))
    corners, first = (
        triangles[ids, :N_COORDINATES].reshape(-1, N_CORNERS, 3),
        N_TRIANGLE * ids.astype(np.int64),
    )
    records[:, KIND], records[:, FIRST], records[:, COUNT] = HULL, first, N_CORNERS
    records[:, RADIUS] = triangles[ids, TRIANGLE_RADIUS]
    records[:, REACH] = np.sqrt(np.max(np.einsum("ijk,ijk->ij", corners, corners), axis=1, initial=0.0))
    records[:, ORIGIN:] = origin
    return ConvexTable(records, triangles.reshape(-1))


@driver
def _list_near(
    batch: ConvexMeshBatch,
    options: Options,
    times: Array,
    motions: NDArray[np.int64],
    near: Ids,
    counts: NDArray[np.int64],
    part: tuple[int, int],
) -> None:
    """List triangles that are near the shape at the time of its contact, as many as there is room for."""
    records, pool, mesh = batch.table.records, batch.table.pool, batch.mesh
    zero = int(np.int64(0))  # not a plain zero: functions are compiled for a constant argument apart
    shape, volume, origin = convex_at(records, zero), volume_of(batch.volumes, zero), origin_at(records, zero)
    stack, corners = np.empty(mesh.depth + 2, np.int64), mesh.triangles.reshape(-1)
    for k in range(part[0], part[1]):
        i = motions[k]
        rows_a, rows_b = motion_rows(batch.rows_a, batch.rows_b, i)
        row_a, row_b = piece_of(rows_a, times[i]), piece_of(rows_b, times[i])
        motion = relative_motion(row_a, row_b, origin, mesh.origin)
        place = placement_at(motion, times[i])
        rounding = rounding_error(motion, shape.reach + shape.radius, mesh.reach, row_a, row_b)
        limit = (
            options.min_separation + 2.0 * nearness(options, rounding, 0.0)[2] + deviation_of(row_a, row_b)
        )
        frame, around = (
            RelativePose(place.rotation, place.offset),
            placed(volume, place.rotation, place.offset),
        )
        top, stack[0] = 1, 0
        while top > 0 and counts[k] < len(near[k]):
            top -= 1
            node = stack[top]
            other = volume_of(mesh.volumes, node)
            if gap_volume_volume(around, other)[0] > limit:
                continue
            p = ~mesh.children[node, 0]
            if p < 0:
                stack[top], stack[top + 1], top = mesh.children[node, 1], mesh.children[node, 0], top + 2
                continue
            triangle = triangle_shape(mesh.triangles, p)
            radii = shape.radius + triangle.radius
            precision, guess = Precision(ROUGH, radii + limit, 0.0), sub(other.center, place.offset)
            found = closest_convex_convex(shape, triangle, pool, corners, frame, guess, precision)
            if found.gap - radii <= limit:
                near[k, counts[k]], counts[k] = p, counts[k] + 1
