"""The first contact of a single pair of convex shapes: search, normal and proof in one call."""

from firstcontact._jit import driver, kernel
from firstcontact.advancement.arrival import CONTACT_AT_START, N_COUNTS, nothing_yet
from firstcontact.advancement.ask import RELATIVE_TOLERANCE
from firstcontact.advancement.goal import Options
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import packed_side
from firstcontact.proximity.penetration.convex_penetration import overlap_at_rest
from firstcontact.rigid.convex_first import advance_pieces
from firstcontact.rigid.convex_proof import proven_time
from firstcontact.shapes.convex import RADIUS, REACH

# What is asked: the tolerance, or a negative number for the default; separation; steps before it gives up.
TOLERANCE, MIN_SEPARATION, MAX_ITERATIONS = range(3)

# Columns of what is found.
STATUS = 0
TIME = 1
TIME_UPPER = 2
POINT = 3  # three: in the middle between the two shapes
NORMAL = 6  # three
COUNTS = 9
N_COLUMNS = COUNTS + N_COUNTS


@driver
def first_of_pair(
    packed_a: Array, rows_a: Array, packed_b: Array, rows_b: Array, asked: Array, out: Array
) -> None:
    """Find the first contact of a pair."""
    a, b, found = packed_side(packed_a, rows_a), packed_side(packed_b, rows_b), nothing_yet()
    tolerance = asked[TOLERANCE] if asked[TOLERANCE] >= 0.0 else _usual_tolerance(packed_a, packed_b)
    options = Options(tolerance, asked[MIN_SEPARATION], int(asked[MAX_ITERATIONS]), 0, True)
    advance_pieces(a, b, options, found, 0)
    if found.status[0] == CONTACT_AT_START:
        deep = overlap_at_rest(packed_a, rows_a, packed_b, rows_b)
        if not deep.depth < 0.0:
            found.normals[0, 0], found.normals[0, 1], found.normals[0, 2] = deep.direction
    out[STATUS], out[TIME] = found.status[0], found.time[0]
    out[TIME_UPPER] = proven_time(a, b, found, options.min_separation, 0)
    for i in range(3):
        out[POINT + i] = (found.points[0, 0, i] + found.points[0, 1, i]) / 2.0
        out[NORMAL + i] = found.normals[0, i]
    for i in range(N_COUNTS):
        out[COUNTS + i] = found.counts[0, i]


@kernel
def _usual_tolerance(packed_a: Array, packed_b: Array) -> float:
    """As `Ask.tolerance_for`, of the balls around the shapes' origins."""
    size_a, size_b = packed_a[REACH] + packed_a[RADIUS], packed_b[REACH] + packed_b[RADIUS]
    smaller, larger = min(2.0 * size_a, 2.0 * size_b), max(2.0 * size_a, 2.0 * size_b)
    tolerance: float = RELATIVE_TOLERANCE * (smaller if smaller > 0.0 else larger)
    return tolerance
