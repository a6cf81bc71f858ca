"""A single convex shape and a field, in one call: how far apart they are, and when they first touch."""

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.advancement.arrival import Found, nothing_yet
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.placed_triangle import N_TRIANGLE
from firstcontact.bounds.swept_sphere import N_COLUMNS as N_VOLUME
from firstcontact.fields.field_points import seen_in
from firstcontact.fields.octree import Octree, Values
from firstcontact.fields.piece_room import some_room
from firstcontact.fields.pieces import SOLID, Pieces, half_of_core
from firstcontact.fields.seen_field import SeenField
from firstcontact.motions.rigid_motion import N_COLUMNS as N_MOTION
from firstcontact.motions.short_rows import is_resting, pieces_in
from firstcontact.proximity.distance.single_distance import LEFT, write_faces, write_points
from firstcontact.rigid.fields.field_first import FieldBatch, FieldFound, search_motions
from firstcontact.rigid.fields.field_nearest import FieldMeasured, measure_poses
from firstcontact.rigid.single_first import MIN_SEPARATION, found_in, options_in, write_found
from firstcontact.rigid.single_first import N_COLUMNS as N_FIRST
from firstcontact.shapes.convex import RADIUS, REACH
from firstcontact.shapes.convex_shape import ConvexShape
from firstcontact.shapes.packed_convex import packed_origin, records_in

# Of a shape: half the sizes of the box around its core, then the shape, packed.
PACKED = 3

# After the columns of `single_first`: the point of the body that touches, and how it moves.
MATERIAL = N_FIRST  # six
N_COLUMNS = N_FIRST + 6

# As boxes are rounded outwards in `pieces_of_convex`.
OUTWARDS = 1.0 + 2.0**-50


def core_of(shape: ConvexShape) -> Array:
    """A shape as a field meets it, in one array; worked out once."""
    known = shape.kept
    found: Array | None = known.get("core")
    if found is None:
        found = known.setdefault("core", np.concatenate([half_of_core(shape), shape.packed]))
    return found


def field_found_in(out: Array) -> FieldFound:
    """What was written down, as of a batch of one motion."""
    return FieldFound(*found_in(out), out[MATERIAL:].copy().reshape(1, 6))


@driver
def measure_core(
    core: Array, rows_a: Array, numbers: Array, links: Ids, values: Values, rows_b: Array, out: Array
) -> float:
    """Measure a single pair into the columns of `single_distance`; LEFT where they move."""
    if not (is_resting(rows_a) and is_resting(rows_b)):
        return LEFT
    field = seen_in(numbers, links, values)
    found = FieldMeasured(
        np.full(1, np.inf), np.full((1, 2, 3), np.nan), np.full(1, -1, np.int32), np.zeros((1, 2), np.int64)
    )
    rows, zero = (pieces_in(rows_a)[:1], pieces_in(rows_b)[:1]), int(np.int64(0))
    measure_poses(_pieces_in(core, field, 0.0), field, rows, found, some_room(), zero, zero + 1)
    p, q = found.points[0, 0], found.points[0, 1]
    write_points(out, found.distance[0], (p[0], p[1], p[2]), (q[0], q[1], q[2]))
    write_faces(out, -1.0, -1.0, found.counts[0])
    distance: float = found.distance[0]
    return distance


@driver
def first_of_core(
    core: Array, rows_a: Array, numbers: Array, links: Ids, values: Values, rows_b: Array, out: Array
) -> float:
    """Find the first contact of a single pair, into the columns above; give its time."""
    field = seen_in(numbers, links, values)
    body, yet = _pieces_in(core, field, out[MIN_SEPARATION]), nothing_yet()
    options = options_in(out, 2.0 * (body.reach + body.radius), 2.0 * field.reach)
    found = FieldFound(
        yet.status, yet.time, yet.triangles, yet.counts, yet.points, yet.normals, np.full((1, 6), np.nan)
    )
    batch, zero = FieldBatch(body, field, _motion_in(rows_a), _motion_in(rows_b)), int(np.int64(0))
    search_motions(batch, options, found, some_room(), zero, zero + 1)
    for i in range(6):
        out[MATERIAL + i] = found.materials[0, i]
    return write_found(
        Found(found.status, found.time, found.triangles, found.counts, found.points, found.normals), out
    )


@kernel
def _motion_in(rows: Array) -> Array:
    """Rows of one motion as those of a batch, (1, k, N_MOTION)."""
    n = len(rows) // N_MOTION
    return rows[: n * N_MOTION].reshape(1, n, N_MOTION)


@kernel
def _pieces_in(core: Array, field: SeenField, separation: float) -> Pieces:
    """Read a shape, as `pieces_of_convex` makes it ready to be met by a field."""
    packed, nowhere, octree = core[PACKED:], (0.0, 0.0, 0.0), field.octree
    radius, reach = packed[RADIUS], packed[REACH]
    skin = radius if radius + separation > field.margin else 0.0
    half = (core[0] + skin) * OUTWARDS, (core[1] + skin) * OUTWARDS, (core[2] + skin) * OUTWARDS
    nothing = Octree(octree.grid, octree.links[:0], octree.values[:0])
    return Pieces(
        int(np.int64(SOLID)),
        records_in(packed),
        packed,
        SeenField(
            nothing,
            field.origin,
            field.lower,
            field.upper,
            field.reach,
            field.tolerance,
            field.margin,
            field.is_exact,
        ),
        nowhere,
        half,
        np.empty((0, 2), np.int32),
        np.empty((0, N_VOLUME)),
        np.empty((0, N_TRIANGLE)),
        np.empty((0, 9)),
        np.empty(0, np.int32),
        packed_origin(packed),
        reach + skin,
        radius - skin,
        skin,
        0.0,
    )
