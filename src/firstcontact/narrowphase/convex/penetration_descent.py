"""The last digits of a way out: down the slope of its length over the directions.

The length along a unit vector n is n v, where v is the difference that is farthest along n, and the part of v
at right angles to n is its slope. Steps as long as the last change of the slope suggests (Barzilai and
Borwein, 1988) soon find the bottom where the shapes are smooth. No step is taken that does not lead down.

What is all but equally deep all around, as a pin on the axis of a cylinder, has its bottom along a valley
with steep sides. There it goes down one side, to where the other begins, and on along the valley.
"""

from math import cos, sin

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.narrowphase.convex.difference import CorePair, Escape, placed, size_of
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub
from firstcontact.shapes.cores import is_polytope, support

# Steps that were seen to be enough.
MAX_DESCENT = 40

# Turns smaller than this are lost to rounding.
SMALLEST_TURN = 4.0 * UNIT_ROUNDOFF

# A slope of this part of the size is rounding, and may point anywhere, along the way out itself, too.
FLAT_SLOPE = 64.0 * UNIT_ROUNDOFF

# Down to a valley and along it, so often; each time, the first turn that is tried, and the last.
MAX_VALLEYS = 6
FIRST_TURN, LAST_TURN = 2.0**-24, 0.5

# A point this far from where it should be will do, in units of the shapes' size: the surfaces of smooth
# shapes are apart by the square of that.
NARROW = 2.0**-20


@kernel
def is_smooth(pair: CorePair) -> bool:
    """Is one of the cores no polytope?"""
    return not (is_polytope(pair.a) and is_polytope(pair.b))


@kernel
def descended(pair: CorePair, pool_a: Array, pool_b: Array, escape: Escape) -> Escape:
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
def _slope(pair: CorePair, pool_a: Array, pool_b: Array, n: Vec3) -> tuple[float, Vec3, Vec3]:
    """Length of the way out along n, its slope, and the point of a that is farthest along n."""
    p = placed(pair.frame, support(pair.a, pool_a, mat_vec(pair.back, n)))
    v = sub(p, support(pair.b, pool_b, (-n[0], -n[1], -n[2])))
    depth = dot(n, v)
    return depth, sub(v, scale(depth, n)), p


@kernel
def along_valleys(pair: CorePair, pool_a: Array, pool_b: Array, escape: Escape) -> Escape:
    """Improve a way out where the shapes are not smooth."""
    n, depth, steps = escape.direction, escape.depth, escape.steps
    for _ in range(MAX_VALLEYS):
        _, slope, _ = _slope(pair, pool_a, pool_b, n)
        slope = sub(slope, scale(dot(n, slope), n))
        size = norm(slope)
        if not size > FLAT_SLOPE * size_of(pair):
            break
        tried, edge = _lowest(pair, pool_a, pool_b, n, scale(-1.0 / size, slope))
        # Along the valley, the slopes of both sides are the same.
        along = cross(tried, edge)
        size = norm(along)
        if size > FLAT_SLOPE * norm(edge):
            _, slope, _ = _slope(pair, pool_a, pool_b, tried)
            along = scale(-1.0 / size if dot(slope, along) > 0.0 else 1.0 / size, along)
            tried, _ = _lowest(pair, pool_a, pool_b, tried, along)
        new_depth, _, _ = _slope(pair, pool_a, pool_b, tried)
        steps += 1
        if not new_depth < depth:
            break
        n, depth = tried, new_depth
    return Escape(depth, n, escape.is_known and n == escape.direction, escape.point, steps)


@kernel
def _lowest(pair: CorePair, pool_a: Array, pool_b: Array, n: Vec3, u: Vec3) -> tuple[Vec3, Vec3]:
    """Turn n towards u, at right angles to it, as long as it leads down; and how the slope changes there."""
    low, high, tried, edge = 0.0, INFINITY, FIRST_TURN, (0.0, 0.0, 0.0)
    _, first, _ = _slope(pair, pool_a, pool_b, n)
    last = first
    while tried <= LAST_TURN and high - low > SMALLEST_TURN and low < tried < high:
        c, s = cos(tried), sin(tried)
        x = add(scale(c, n), scale(s, u))
        depth, slope, _ = _slope(pair, pool_a, pool_b, x)
        if dot(slope, sub(scale(c, u), scale(s, n))) < 0.0:
            low, first = tried, add(slope, scale(depth, x))
        else:
            high, last = tried, add(slope, scale(depth, x))
        tried = 2.0 * tried if high == INFINITY else 0.5 * (low + high)
    if high < INFINITY:
        edge = sub(last, first)
    return add(scale(cos(low), n), scale(sin(low), u)), edge
