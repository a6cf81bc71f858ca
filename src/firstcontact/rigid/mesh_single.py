"""The first contact of a single pair of meshes, or of a convex shape and a mesh: the search, in one call."""

import numpy as np

from firstcontact._jit import driver
from firstcontact.advancement.arrival import SEPARATED, nothing_yet, write_arrival
from firstcontact.advancement.queue import ROOM
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.convex_mesh_volume import N_RECTANGLE, BoundedShape
from firstcontact.bodies.convex_side import packed_side
from firstcontact.bodies.packed_body import body_in
from firstcontact.bounds.swept_sphere import volume_of
from firstcontact.motions.short_rows import pieces_in
from firstcontact.proximity.distance.convex_mesh_distance import SolidShape
from firstcontact.rigid.convex_mesh_first import search_mesh_pieces
from firstcontact.rigid.convex_single import size_in
from firstcontact.rigid.first_times import search_pieces
from firstcontact.rigid.single_first import options_in, write_found


@driver
def first_of_bodies(
    numbers_a: Array, links_a: Ids, rows_a: Array, numbers_b: Array, links_b: Ids, rows_b: Array, out: Array
) -> float:
    """Find the first contact of two meshes, into the columns of `single_first`; give its time."""
    a, b, found = body_in(numbers_a, links_a), body_in(numbers_b, links_b), nothing_yet()
    options = options_in(out, 2.0 * a.reach, 2.0 * b.reach)
    motions, queue = (pieces_in(rows_a), pieces_in(rows_b)), (np.empty(ROOM), np.empty(ROOM, np.int64))
    arrival = search_pieces(a, b, motions, options, queue, None, found.counts[0])
    if arrival.status != SEPARATED:
        write_arrival(found, 0, arrival)
    return write_found(found, out)


@driver
def first_of_convex_body(
    packed: Array, volumes: Array, rows_a: Array, numbers: Array, links: Ids, rows_b: Array, out: Array
) -> float:
    """Find the first contact of a convex shape and a mesh; otherwise as `first_of_bodies`."""
    one, mesh, found = packed_side(packed, rows_a), body_in(numbers, links), nothing_yet()
    options = options_in(out, size_in(packed), 2.0 * mesh.reach)
    zero = int(np.int64(0))  # not a plain zero: functions are compiled for a constant argument apart
    bounded = BoundedShape(one.shape, packed, volume_of(volumes, zero), np.empty(3 * N_RECTANGLE))
    motions, queue = (one.rows, pieces_in(rows_b)), (np.empty(ROOM), np.empty(ROOM, np.int64))
    search_mesh_pieces(SolidShape(bounded, one.origin), mesh, motions, options, queue, found, zero)
    return write_found(found, out)
