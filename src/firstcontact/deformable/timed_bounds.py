"""Bounds that know the time: where nodes are at both ends of a step, beside what they sweep in all of it.

Two things that fly past each other, or one behind the other, sweep the same space at different times. Where
vertices move linearly, what a node holds is at a time between the bounds that lie between those of both ends.
To look at these takes longer than to look at what is swept: it pays where most of that is motion.
"""

import numpy as np

from firstcontact.arrays import Array, Ids
from firstcontact.bounds.swept_bounds import OUTWARD, union_bounds
from firstcontact.deformable.surface import Surface
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF

# Faces from which it is worth a look at how fast they are.
WORTH_A_LOOK = 512

# Faces that tell how wide bounds are, and how much of that is motion.
SAMPLE = 256

# Part of the width of swept bounds from which these are mostly motion. A search with bounds that know the
# time takes 1.4 of the time of one without where 0.2 to 0.4 is motion, 1.1 at 0.5, 0.8 at 0.66, 0.3 at 0.8.
MOSTLY = 0.6

# What undoes the rounding of a place less, and plus, a margin, and of the differences of two such.
WIDENED = 2.0 * OUTWARD + 4.0 * UNIT_ROUNDOFF


def are_fast(surface: Surface) -> bool:
    """Is most of what faces sweep motion?"""
    if len(surface.faces) < WORTH_A_LOOK:
        return False
    return 1.0 - width_left(surface, 1.0, 0.0) > MOSTLY


def width_left(surface: Surface, window: float, limit: float) -> float:
    """About how wide bounds of faces are up to `limit`, relative to those up to `window`."""
    n_faces, k = surface.face_bounds.shape
    chosen = np.s_[:: -(-n_faces // SAMPLE)] if n_faces else np.s_[:]
    bounds, corners = surface.face_bounds[chosen, :], surface.faces[chosen, 0]
    widths = bounds[:, k // 2 : k // 2 + 3] - bounds[:, :3]
    ways = np.abs(surface.vertices_t1[corners] - surface.vertices_t0[corners])
    width = float(widths.sum())
    return max(1.0 - (window - limit) * float(ways.sum()) / width, 0.0) if width > 0.0 else 1.0


def bounds_at_ends(vertices_t0: Array, vertices_t1: Array, margins: Array, faces: Ids) -> Array:
    """Bound faces at both ends, (n, 12): lower ends at t = 0 and t = 1, then upper ends, of three intervals.

    Widened by the margins, and by what rounding may hide when two of them are compared.
    """
    places = np.concatenate([vertices_t0, vertices_t1], axis=1)
    reach = margins[:, np.newaxis] + WIDENED * (np.abs(places) + margins[:, np.newaxis])
    return union_bounds(np.concatenate([places - reach, places + reach], axis=1), faces)
