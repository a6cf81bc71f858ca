"""How deep two convex shapes are in each other at the least: a proof that they overlap, and for how long."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.narrowphase.convex.difference import CorePair
from firstcontact.narrowphase.convex.expanding_polytope import escape_convex_convex
from firstcontact.narrowphase.convex.gjk import EXACT, RelativePose, closest_convex_convex
from firstcontact.scalar.mat3 import transposed
from firstcontact.scalar.vec3 import scale
from firstcontact.shapes.convex import Convex

# The two bounds of a way out that is known meet to a 1e-9 of it.
KNOWN = 1.0 - 2.0**-20


@kernel
def least_depth(
    a: Convex,
    b: Convex,
    pool_a: Array,
    pool_b: Array,
    frame: RelativePose,
    numbers: Array,
    links: NDArray[np.int64],
) -> float:
    """However the shapes are moved by less than this, they overlap; not positive where that is not proven.

    numbers, links : a `polytope.workspace`
    """
    radii = a.radius + b.radius
    closest = closest_convex_convex(a, b, pool_a, pool_b, frame, scale(-1.0, frame.offset), EXACT)
    if closest.distance > 0.0:
        return radii - closest.distance
    depth = -closest.distance
    escape = escape_convex_convex(
        CorePair(a, b, frame, transposed(frame.rotation)), pool_a, pool_b, numbers, links
    )
    if escape.is_known:  # the polytope inside the differences, and what is beyond, are that close
        depth = max(depth, KNOWN * escape.depth)
    return radii + depth
