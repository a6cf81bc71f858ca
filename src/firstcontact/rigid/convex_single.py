"""The first contact of a single pair of convex shapes: search, normal and proof in one call."""

from firstcontact._jit import driver, kernel
from firstcontact.advancement.arrival import CONTACT_AT_START, nothing_yet
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import packed_side
from firstcontact.proximity.penetration.convex_penetration import overlap_at_rest
from firstcontact.rigid.convex_first import advance_pieces
from firstcontact.rigid.convex_proof import proven_time
from firstcontact.rigid.single_first import IS_WHOLE, TIME_UPPER, options_in, write_found
from firstcontact.shapes.convex import RADIUS, REACH


@driver
def first_of_pair(packed_a: Array, rows_a: Array, packed_b: Array, rows_b: Array, out: Array) -> float:
    """Find the first contact of a pair, into the columns of `single_first`; give its time."""
    a, b, found = packed_side(packed_a, rows_a), packed_side(packed_b, rows_b), nothing_yet()
    options = options_in(out, size_in(packed_a), size_in(packed_b))
    advance_pieces(a, b, options, found, 0)
    if out[IS_WHOLE] > 0.0:
        if found.status[0] == CONTACT_AT_START:
            deep = overlap_at_rest(packed_a, rows_a, packed_b, rows_b)
            if not deep.depth < 0.0:
                found.normals[0, 0], found.normals[0, 1], found.normals[0, 2] = deep.direction
        out[TIME_UPPER] = proven_time(a, b, found, options.min_separation, 0)
    return write_found(found, out)


@kernel
def size_in(packed: Array) -> float:
    """Diameter of the ball around a shape's origin that holds it."""
    size: float = 2.0 * (packed[REACH] + packed[RADIUS])
    return size
