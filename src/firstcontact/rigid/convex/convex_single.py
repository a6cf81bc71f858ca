"""The first contact of a single pair of convex shapes: the search in one call, and the proof in another."""

from firstcontact._jit import driver, kernel
from firstcontact.advancement.arrival import nothing_yet
from firstcontact.advancement.stretches import TwoMotions, nought, single_laws
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import packed_side
from firstcontact.motions.law_table import LawTables
from firstcontact.rigid.convex.convex_first import advance_pieces
from firstcontact.rigid.convex.convex_proof import proven_time
from firstcontact.rigid.single_first import MIN_SEPARATION, options_in, touch_in, write_found
from firstcontact.shapes.convex import RADIUS, REACH


@driver
def first_of_pair(packed_a: Array, rows_a: Array, packed_b: Array, rows_b: Array, out: Array) -> float:
    """Find the first contact of a pair, into the columns of `single_first`; give its time."""
    a, b, found = packed_side(packed_a, rows_a), packed_side(packed_b, rows_b), nothing_yet()
    motions = TwoMotions(a.rows, b.rows, None)
    advance_pieces(a, b, motions, options_in(out, size_in(packed_a), size_in(packed_b)), found, nought())
    return write_found(found, out)


@driver
def followed_pair(
    packed_a: Array, rows_a: Array, packed_b: Array, rows_b: Array, tables: LawTables, out: Array
) -> float:
    """Find the first contact of a pair of which one or both have a law; otherwise as `first_of_pair`."""
    a, b, found = packed_side(packed_a, rows_a), packed_side(packed_b, rows_b), nothing_yet()
    motions = TwoMotions(a.rows, b.rows, single_laws(tables))
    advance_pieces(a, b, motions, options_in(out, size_in(packed_a), size_in(packed_b)), found, nought())
    return write_found(found, out)


@driver
def proven_of_pair(packed_a: Array, rows_a: Array, packed_b: Array, rows_b: Array, out: Array) -> float:
    """Find a time by which the contact that was found is certain."""
    a, b = packed_side(packed_a, rows_a), packed_side(packed_b, rows_b)
    return proven_time(a, b, touch_in(out), out[MIN_SEPARATION])


@kernel
def size_in(packed: Array) -> float:
    """Diameter of the ball around a shape's origin that holds it."""
    size: float = 2.0 * (packed[REACH] + packed[RADIUS])
    return size
