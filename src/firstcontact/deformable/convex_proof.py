"""A time by which a contact of a convex shape and a deforming mesh is certain."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.deformable.convex_steps import NEVER, closest_shape_triangle, corners_at
from firstcontact.motions.relative_motion import RelativeMotion, placement_at
from firstcontact.narrowphase.convex.gjk import EXACT
from firstcontact.shapes.convex import Convex

# Times that are tried, each twice as far from the contact, and halvings from no proof to one.
N_TIMES = 16
N_HALVINGS = 8

# Clearance in units of what rounding may hide: one for the positions, the rest for the roundings of the test.
CLEARANCE = 4.0


class Window(NamedTuple):
    """Times between which to look, the first wait, and the distance of cores at which contact is certain."""

    start: float
    end: float
    wait: float
    limit: float


@kernel
def proven_time(
    shape: Convex,
    pool: Array,
    motion: RelativeMotion,
    points: Array,
    velocities: Array,
    face: Ids,
    window: Window,
) -> float:
    """Find a time at which a shape and a triangle are certainly in contact; NEVER where none is found."""
    room = np.empty(9)
    before, after, wait, now, n_left = window.start, NEVER, window.wait, window.start, N_TIMES
    while n_left > 0:
        n_left -= 1
        triangle, _ = corners_at(points, velocities, face, now)
        found = closest_shape_triangle(shape, pool, triangle, placement_at(motion, now), EXACT, room)
        if found.distance <= window.limit:
            n_left = N_HALVINGS if after == NEVER else n_left
            after = now
        else:
            before = now
        if after == window.start or (after == NEVER and before >= window.end):
            break
        if after == NEVER:
            now, wait = min(window.start + wait, window.end), 2.0 * wait
        else:
            now = 0.5 * (before + after)
    return after
