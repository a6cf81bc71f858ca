"""Two convex cores on their way, swept over an interval of time: is there a direction that keeps them apart?

Vectors from points of a to points of b, in world axes, are a convex set at any time. Over an interval each of
them goes from w to w', on a line but for its turns: a point that turns by an angle h at a distance r of its
axis leaves the even way from where it begins to where it ends by at most r h^2 / 8, since no acceleration is
larger than that of its circle, and by no more than 2 r, since it stays there. Along a unit vector n that is
shorter by the length of n x axis. So what is swept is within the hull of both ends, but for that deviation,
and where n . w is larger than it at both ends, nothing touches in between.

The support map of that hull is the farther one of those at both ends. Without turns it is that of the start,
moved along if the way goes against n (course, lines 1847-1854; Xavier, 1997).
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.motions.motion_bound import distance_from_axis
from firstcontact.motions.relative_motion import RelativeMotion, Spin, orientation
from firstcontact.motions.rotation import turned_away
from firstcontact.narrowphase.convex.simplex import Quad, Weights, closest_weights
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import Mat3, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub
from firstcontact.shapes.convex import Convex
from firstcontact.shapes.cores import support

# Steps before it counts as not separated. Polytopes end by themselves.
MAX_STEPS = 64

# The two bounds of the distance count as one when they differ by this part of it.
CLOSED = 64.0 * UNIT_ROUNDOFF

# A point on a circle is never farther from a chord of it, in units of the radius.
ACROSS = 2.0


class Stand(NamedTuple):
    """How two cores are turned, in the world, and the vector from the origin of b to that of a."""

    turn_a: Mat3
    turn_b: Mat3
    offset: Vec3


class Sweep(NamedTuple):
    """Two cores over an interval of time.

    begin, end : how they stand at both ends
    is_turning : whether that of the end is more than that of the begin, moved
    axis_a, bend_a : what a turns about, and how far its points are at most from the hull of both ends, times
        the length of n x axis along a unit vector n
    axis_b, bend_b : of b
    """

    begin: Stand
    end: Stand
    is_turning: bool
    axis_a: Vec3
    bend_a: float
    axis_b: Vec3
    bend_b: float


@kernel
def stand_at(motion: RelativeMotion, t: float) -> Stand:
    """How the cores stand at a time."""
    a, b = motion.spin_a, motion.spin_b
    way = add(scale(t - motion.base, motion.velocity), sub(_swing(a, t), _swing(b, t)))
    return Stand(orientation(a, t), orientation(b, t), add(motion.offset, way))


@kernel
def _swing(spin: Spin, t: float) -> Vec3:
    """How far its turn has taken the origin of a body."""
    if spin.rate == 0.0:
        return 0.0, 0.0, 0.0
    return turned_away(spin.axis, spin.rate * (t - spin.base), spin.arm)


@kernel
def sweep_between(
    motion: RelativeMotion, reach_a: float, reach_b: float, begin: Stand, times: tuple[float, float]
) -> Sweep:
    """Sweep cores that reach so far from their origins, from a time at which they stand so to another."""
    a, b = motion.spin_a, motion.spin_b
    length = times[1] - times[0]
    bend_a, bend_b = _bend(a, reach_a, length), _bend(b, reach_b, length)
    is_turning = a.rate > 0.0 or b.rate > 0.0
    return Sweep(begin, stand_at(motion, times[1]), is_turning, a.axis, bend_a, b.axis, bend_b)


@kernel
def _bend(spin: Spin, reach: float, length: float) -> float:
    """How far points are at most from an even way."""
    angle = spin.rate * length
    if angle == 0.0:
        return 0.0
    distance = distance_from_axis(spin.arm, spin.axis) + reach
    return min(0.125 * angle * angle, ACROSS) * distance


@kernel
def needed_along(sweep: Sweep, n: Vec3, limit: float) -> float:
    """Gap along n that both ends need, for one beyond a limit at all times."""
    if not sweep.is_turning:
        return limit
    bend = sweep.bend_a * norm(cross(n, sweep.axis_a)) + sweep.bend_b * norm(cross(n, sweep.axis_b))
    return limit + bend


@kernel
def gap_along(a: Convex, b: Convex, pool_a: Array, pool_b: Array, stand: Stand, n: Vec3) -> float:
    """Gap between two cores along a unit vector from a to b; negative where their shadows overlap."""
    ahead = support(a, pool_a, mat_vec(transposed(stand.turn_a), n))
    behind = support(b, pool_b, mat_vec(transposed(stand.turn_b), scale(-1.0, n)))
    p, q = add(stand.offset, mat_vec(stand.turn_a, ahead)), mat_vec(stand.turn_b, behind)
    return dot(n, sub(q, p))


@kernel
def separated_throughout(
    a: Convex, b: Convex, pool_a: Array, pool_b: Array, sweep: Sweep, guess: Vec3, limit: float
) -> tuple[bool, Vec3]:
    """Look for a direction along which the gap is beyond a limit at all times; give that, or the last tried.

    False where none is found, which is no proof of the contrary. The simplex of GJK without points of the
    shapes and without a distance: whoever asks needs a direction alone (`gjk` measures).
    """
    begin, end = sweep.begin, sweep.end
    back_a, back_b = transposed(begin.turn_a), transposed(begin.turn_b)
    last_a, last_b = transposed(end.turn_a), transposed(end.turn_b)
    way = sub(end.offset, begin.offset)
    nowhere = (0.0, 0.0, 0.0)
    corners, n_corners = (nowhere, nowhere, nowhere, nowhere), int(np.int64(0))
    n, length, best = guess, INFINITY, -INFINITY
    for _ in range(MAX_STEPS):
        e = -n[0], -n[1], -n[2]
        p = add(begin.offset, mat_vec(begin.turn_a, support(a, pool_a, mat_vec(back_a, n))))
        w = sub(mat_vec(begin.turn_b, support(b, pool_b, mat_vec(back_b, e))), p)
        if not sweep.is_turning:
            w = sub(w, way) if dot(n, way) > 0.0 else w
        else:
            p = add(end.offset, mat_vec(end.turn_a, support(a, pool_a, mat_vec(last_a, n))))
            other = sub(mat_vec(end.turn_b, support(b, pool_b, mat_vec(last_b, e))), p)
            w = other if dot(n, other) < dot(n, w) else w
        along = dot(n, w)
        if along > needed_along(sweep, n, limit):
            return True, n
        best = max(best, along)
        if n_corners > 0 and (length <= limit or length - best <= CLOSED * length):
            return False, n
        corners, weights, n_corners = _closer(corners, n_corners, w)
        v = _combined(corners, weights)
        shorter = norm(v)
        if n_corners == 0 or not shorter < length or not shorter > 0.0:
            return False, n
        n, length = scale(1.0 / shorter, v), shorter
    return False, n


@kernel
def _closer(corners: Quad, n_corners: int, w: Vec3) -> tuple[Quad, Weights, int]:
    """Add a corner, and leave out those without a weight; none are left where the origin is inside."""
    tried = (
        w if n_corners == 0 else corners[0],
        w if n_corners <= 1 else corners[1],
        w if n_corners <= 2 else corners[2],
        w,
    )
    weights = closest_weights(tried, n_corners + 1)
    kept, left, n = (w, w, w, w), (0.0, 0.0, 0.0, 0.0), 0
    for i in range(4):
        if weights[i] > 0.0:
            corner, weight = tried[i], weights[i]
            if n == 0:
                kept, left = (corner, w, w, w), (weight, 0.0, 0.0, 0.0)
            elif n == 1:
                kept, left = (kept[0], corner, w, w), (left[0], weight, 0.0, 0.0)
            else:
                kept, left = (kept[0], kept[1], corner, w), (left[0], left[1], weight, 0.0)
            n += 1
    return kept, left, n


@kernel
def _combined(corners: Quad, weights: Weights) -> Vec3:
    p = add(scale(weights[0], corners[0]), scale(weights[1], corners[1]))
    return add(p, scale(weights[2], corners[2]))
