"""The first contact of a single pair of meshes, or of a convex shape and a mesh: the search, in one call."""

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.advancement.arrival import SEPARATED, nothing_yet, write_arrival
from firstcontact.advancement.queue import ROOM
from firstcontact.advancement.stretches import TwoMotions, nought, single_laws
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.convex_mesh_volume import N_RECTANGLE, BoundedShape
from firstcontact.bodies.convex_side import packed_side
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.packed_body import body_in
from firstcontact.bounds.swept_sphere import volume_of
from firstcontact.motions.law_table import LawTables
from firstcontact.motions.short_rows import pieces_in
from firstcontact.proximity.distance.convex_mesh_distance import SolidShape
from firstcontact.rigid.convex.convex_mesh_first import search_mesh_pieces
from firstcontact.rigid.convex.convex_single import size_in
from firstcontact.rigid.first_times import search_pieces
from firstcontact.rigid.single_first import options_in, write_found


@driver
def first_of_bodies(
    numbers_a: Array, links_a: Ids, rows_a: Array, numbers_b: Array, links_b: Ids, rows_b: Array, out: Array
) -> float:
    """Find the first contact of two meshes, into the columns of `single_first`; give its time."""
    motions = TwoMotions(pieces_in(rows_a), pieces_in(rows_b), None)
    return _first_of_bodies(body_in(numbers_a, links_a), body_in(numbers_b, links_b), motions, out)


@driver
def followed_bodies(
    packed_a: tuple[Array, Ids],
    rows_a: Array,
    packed_b: tuple[Array, Ids],
    rows_b: Array,
    tables: LawTables,
    out: Array,
) -> float:
    """Find the first contact of two meshes of which one or both have a law; as `first_of_bodies`."""
    motions = TwoMotions(pieces_in(rows_a), pieces_in(rows_b), single_laws(tables))
    a, b = body_in(packed_a[0], packed_a[1]), body_in(packed_b[0], packed_b[1])
    return _first_of_bodies(a, b, motions, out)


@kernel
def _first_of_bodies(a: Body, b: Body, motions: TwoMotions, out: Array) -> float:
    options, found = options_in(out, 2.0 * a.reach, 2.0 * b.reach), nothing_yet()
    queue = np.empty(ROOM), np.empty(ROOM, np.int64)
    arrival = search_pieces(a, b, motions, options, queue, None, found.counts[0])
    if arrival.status != SEPARATED:
        write_arrival(found, nought(), arrival)
    return write_found(found, out)


@driver
def first_of_convex_body(
    packed: Array, volumes: Array, rows_a: Array, numbers: Array, links: Ids, rows_b: Array, out: Array
) -> float:
    """Find the first contact of a convex shape and a mesh; otherwise as `first_of_bodies`."""
    motions = TwoMotions(pieces_in(rows_a), pieces_in(rows_b), None)
    return _first_of_convex_body(packed, volumes, body_in(numbers, links), motions, out)


@driver
def followed_convex_body(
    packed_a: tuple[Array, Array],
    rows_a: Array,
    packed_b: tuple[Array, Ids],
    rows_b: Array,
    tables: LawTables,
    out: Array,
) -> float:
    """Find the first contact of a convex shape and a mesh of which one or both have a law."""
    motions = TwoMotions(pieces_in(rows_a), pieces_in(rows_b), single_laws(tables))
    mesh = body_in(packed_b[0], packed_b[1])
    return _first_of_convex_body(packed_a[0], packed_a[1], mesh, motions, out)


@kernel
def _first_of_convex_body(
    packed: Array, volumes: Array, mesh: Body, motions: TwoMotions, out: Array
) -> float:
    one, found = packed_side(packed, motions.rows_a.reshape(-1)), nothing_yet()
    options = options_in(out, size_in(packed), 2.0 * mesh.reach)
    bounded = BoundedShape(one.shape, packed, volume_of(volumes, nought()), np.empty(3 * N_RECTANGLE))
    queue = np.empty(ROOM), np.empty(ROOM, np.int64)
    search_mesh_pieces(SolidShape(bounded, one.origin), mesh, motions, options, queue, found, nought())
    return write_found(found, out)
