"""The last digits of a way out: down the slope of its length over the directions.

The length along a unit vector n is n v, where v is the difference that is farthest along n, and the part of v
at right angles to n is its slope. Steps as long as the last change of the slope suggests (Barzilai and
Borwein, 1988) soon find the bottom where the shapes are smooth. No step is taken that does not lead down.
"""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.narrowphase.difference import Escape, Pair, placed, size_of
from firstcontact.narrowphase.support import support
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Vec3, dot, norm, scale, sub
from firstcontact.shapes.convex import CYLINDER, ELLIPSOID

Array = NDArray[np.float64]

# Steps that were seen to be enough.
MAX_DESCENT = 40

# Turns smaller than this are lost to rounding.
SMALLEST_TURN = 4.0 * UNIT_ROUNDOFF

# A point this far from where it should be will do, in units of the shapes' size: the surfaces of smooth
# shapes are apart by the square of that.
NARROW = 2.0**-20


@kernel
def is_smooth(pair: Pair) -> bool:
    """Is one of the cores no polytope?"""
    return (
        pair.a.kind == CYLINDER
        or pair.a.kind == ELLIPSOID
        or pair.b.kind == CYLINDER
        or pair.b.kind == ELLIPSOID
    )


@kernel
def descended(pair: Pair, pool_a: Array, pool_b: Array, escape: Escape) -> Escape:
    """Improve a way out, if it can be done by small turns."""
    n = escape.direction
    depth, slope, p = _slope(pair, pool_a, pool_b, n)
    rate, k = 1.0 / size_of(pair), 0
    while k < MAX_DESCENT and rate * norm(slope) > SMALLEST_TURN:
        k += 1
        tried = sub(n, scale(rate, slope))
        tried = scale(1.0 / norm(tried), tried)
        new_depth, new_slope, new_p = _slope(pair, pool_a, pool_b, tried)
        if new_depth < depth:
            turn, change = sub(tried, n), sub(new_slope, slope)
            curvature = dot(turn, change)
            rate = dot(turn, turn) / curvature if curvature > 0.0 else 2.0 * rate
            n, depth, slope, p = tried, new_depth, new_slope, new_p
        else:
            rate *= 0.25
    # At the bottom of a smooth length, what is farthest along the direction is the deepest point.
    if norm(slope) <= NARROW * size_of(pair):
        return Escape(depth, n, True, p, escape.steps + k)
    return Escape(depth, n, escape.is_known and k == 0, escape.point, escape.steps + k)


@kernel
def _slope(pair: Pair, pool_a: Array, pool_b: Array, n: Vec3) -> tuple[float, Vec3, Vec3]:
    """Length of the way out along n, its slope, and the point of a that is farthest along n."""
    p = placed(pair.frame, support(pair.a, pool_a, mat_vec(pair.back, n)))
    v = sub(p, support(pair.b, pool_b, (-n[0], -n[1], -n[2])))
    depth = dot(n, v)
    return depth, sub(v, scale(depth, n)), p
