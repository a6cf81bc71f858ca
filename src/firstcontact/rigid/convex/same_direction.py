"""How long a direction that keeps two convex shapes apart goes on to do so: a look ahead at where it ends.

Along a direction that stays where it is in the world, the gap of two shapes is that of their farthest points.
Each point's place along it has, in a constant turn, a second derivative of at most K; so between two times
the gap is above the straight line between its values there, less K / 2 times the product of the times since
the one and until the other. Where this is above the margin, the shapes do not touch, however the farthest
points change on the way. A step of advancement lets every point close in as fast as the fastest does now;
this knows how the gap goes on, and converges as a secant method does.
"""

from math import sqrt
from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.advancement.goal import Goal
from firstcontact.arrays import Array
from firstcontact.motions.motion_bound import FOREVER, SHORTENED
from firstcontact.motions.relative_motion import RelativeMotion, Spin
from firstcontact.motions.rotation import turned_away
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, dot, scale, sub
from firstcontact.shapes.convex import Convex
from firstcontact.shapes.cores import support

# Looks ahead, each half as far or nearer; the last one is close to where the direction ends to be of use.
LOOKS = 3


class KeptApart(NamedTuple):
    """What is known of two shapes at a time.

    gap : beyond the margin, along the direction
    direction : unit vector from a to b, in the frame of b
    bend : half of what the second derivative of the gap can be along any direction
    """

    time: float
    gap: float
    direction: Vec3
    bend: float


@kernel
def time_apart(
    a: Convex,
    b: Convex,
    pool_a: Array,
    pool_b: Array,
    motion: RelativeMotion,
    goal: Goal,
    known: KeptApart,
) -> float:
    """Time from then on in which the gap stays above the margin; FOREVER up to the end, 0 not known."""
    t, gap, direction, bend = known
    best = 0.0
    if not gap > 0.0:
        return best
    d = _turned(motion.spin_b, t, mat_vec(motion.spin_b.rotation, direction))
    ahead = goal.end - t
    if bend * ahead * ahead > 4.0 * gap:  # what lies farther ahead says nothing
        ahead = 2.0 * sqrt(gap / bend)
    for _ in range(LOOKS):
        later = _gap_along(a, b, pool_a, pool_b, motion, t + ahead, d) - goal.margin
        best = max(best, _crossing(gap, later, bend, ahead))
        if best >= goal.end - t:
            return FOREVER
        if best > 0.5 * ahead or not best > 0.0:
            break
        ahead = 1.5 * best
    return best


@kernel
def _crossing(gap: float, later: float, bend: float, length: float) -> float:
    """Time up to which the line between two gaps, less its bend, is above zero; at most its length."""
    slope = (later - gap) / length - bend * length
    root = slope * slope - 4.0 * bend * gap
    if slope >= 0.0 or root < 0.0:
        return length
    return min(SHORTENED * (2.0 * gap / (sqrt(root) - slope)), length)


@kernel
def _gap_along(
    a: Convex, b: Convex, pool_a: Array, pool_b: Array, motion: RelativeMotion, t: float, d: Vec3
) -> float:
    """Gap of two shapes along a direction of the world, from a to b, at a time."""
    spin_a, spin_b = motion.spin_a, motion.spin_b
    d_a, d_b = _turned_back(spin_a, t, d), _turned_back(spin_b, t, d)
    e, f = mat_vec(transposed(spin_a.rotation), d_a), mat_vec(transposed(spin_b.rotation), d_b)
    x, y = support(a, pool_a, e), support(b, pool_b, scale(-1.0, f))
    apart = dot(d, add(motion.offset, scale(t - motion.base, motion.velocity)))
    swung = dot(sub(d_a, d), spin_a.arm) - dot(sub(d_b, d), spin_b.arm)
    return dot(f, y) - dot(e, x) - apart - swung - (a.radius + b.radius)


@kernel
def _turned(spin: Spin, t: float, d: Vec3) -> Vec3:
    """Turn a direction with a body, from its base time to another."""
    return d if spin.rate == 0.0 else add(d, turned_away(spin.axis, spin.rate * (t - spin.base), d))


@kernel
def _turned_back(spin: Spin, t: float, d: Vec3) -> Vec3:
    return d if spin.rate == 0.0 else add(d, turned_away(spin.axis, spin.rate * (spin.base - t), d))
