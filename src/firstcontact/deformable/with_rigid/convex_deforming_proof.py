"""A time by which a contact of a convex shape and a deforming mesh is certain."""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.advancement.proof_times import first_try, next_try
from firstcontact.arrays import Array, Ids
from firstcontact.deformable.with_rigid.convex_deforming_steps import closest_shape_triangle, corners_at
from firstcontact.motions.relative_motion import RelativeMotion, placement_at
from firstcontact.narrowphase.convex.gjk import EXACT
from firstcontact.shapes.convex import Convex

# Times that are tried, each twice as far from the contact.
N_TIMES = 16


class ProofWindow(NamedTuple):
    """Where to look for a proof.

    start, end : times between which
    wait : until the second time to try
    limit : distance of cores at which contact is certain
    room : (9,), for the corners of a triangle
    """

    start: float
    end: float
    wait: float
    limit: float
    room: Array


@kernel
def proven_time(
    shape: Convex,
    pool: Array,
    motion: RelativeMotion,
    points: Array,
    velocities: Array,
    face: Ids,
    window: ProofWindow,
) -> float:
    """Find a time at which a shape and a triangle are certainly in contact; NEVER where none is found."""
    tries = first_try(window.start, window.wait, N_TIMES)
    while tries.n_left > 0:
        triangle, _ = corners_at(points, velocities, face, tries.now)
        place = placement_at(motion, tries.now)
        found = closest_shape_triangle(shape, pool, triangle, place, EXACT, window.room)
        tries = next_try(tries, found.distance <= window.limit, window.start, window.end)
    return tries.after
