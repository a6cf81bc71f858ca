"""Where a body is, as seen from another, throughout an interval of time: places, velocities and what is left.

From the middle of an interval on, a point of a body is at x(s) = x + s u + r(s), as seen from another body,
where u is its velocity in the middle and |r(s)| <= s^2 / 2 times the largest acceleration: the mean value
form of interval arithmetic, whose bounds are too wide by the square of the interval's length, where those of
the plain form, as the course has them, are by its length.

Let A turn at a rate w_a about a pivot p_a that goes at v, and B at w_b about p_b, both as seen from p_b. Then
x(s) - p_b = B(-s) [p_a - p_b + s v + A(s) r] with r = x - p_a, and its acceleration is at most

    w_b^2 (|x - p_b| + h (|v| + w_a |r|)) + 2 w_b (|v| + w_a |r|) + w_a^2 |r|

while |s| <= h. A unit vector fixed to A has an acceleration of at most (w_a + w_b)^2.
"""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.motions.relative_motion import Placement, RelativeMotion, placement_at
from firstcontact.scalar.interval import Interval, middle_and_radius, outward
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub

# What is made of rounded numbers by some hundred operations is off by less than this part of all its terms.
# Where bodies are at an instant is rounded too: that is in the margin of a goal.
ROUNDED = 2.0**-44

# Remainders are positive sums of products: they are made larger by this part of them.
LARGER = 1.0 + 2.0**-44


class PlacementRange(NamedTuple):
    """Where body a is throughout an interval of time, in the frame of b.

    place : in the middle of the interval
    half : half the length of the interval
    velocity : of the origin of a, in the middle
    turn : angular velocity of a, in the middle
    swing : bound of the remainder of unit vectors that are fixed to a
    bend, bend_growth : the remainder of a point at a distance d from the origin of a is at most
        ``bend + bend_growth d``
    """

    place: Placement
    half: float
    velocity: Vec3
    turn: Vec3
    swing: float
    bend: float
    bend_growth: float


class Axis(NamedTuple):
    """A direction throughout an interval: in the middle, how fast it turns, and the bound of what is left."""

    direction: Vec3
    rate: Vec3
    swing: float


class Way(NamedTuple):
    """A vector between two points throughout an interval: in the middle, its rate, and what is left."""

    apart: Vec3
    rate: Vec3
    rest: float


@kernel
def placement_range(motion: RelativeMotion, start: float, end: float) -> PlacementRange:
    """Place body a in the frame of b from a start to an end."""
    middle, half = middle_and_radius((start, end))
    place = placement_at(motion, middle)
    turn_a, turn_b = scale(place.rate_a, place.axis_a), scale(place.rate_b, place.axis_b)
    arm_a, arm_b = sub(place.offset, place.pivot_a), sub(place.offset, place.pivot_b)
    velocity = add(place.velocity, sub(cross(turn_a, arm_a), cross(turn_b, arm_b)))
    rates, speed, reach = place.rate_a + place.rate_b, norm(place.velocity), norm(arm_a)
    fast = speed + place.rate_a * reach
    most = place.rate_b * place.rate_b * (norm(arm_b) + half * fast)
    most += 2.0 * place.rate_b * fast + place.rate_a * place.rate_a * reach
    growth = rates * rates + place.rate_a * place.rate_b * place.rate_b * half
    share = 0.5 * half * half * LARGER
    turn = sub(turn_a, turn_b)
    return PlacementRange(place, half, velocity, turn, share * rates * rates, share * most, share * growth)


@kernel
def way_of(over: PlacementRange, point: Vec3, other: Vec3) -> Way:
    """Vector from a point of b to one of a, which is given in the frame of a."""
    arm = mat_vec(over.place.rotation, point)
    rate = add(over.velocity, cross(over.turn, arm))
    apart = sub(add(over.place.offset, arm), other)
    return Way(apart, rate, over.bend + over.bend_growth * norm(arm))


@kernel
def still(direction: Vec3) -> Axis:
    """A direction that is fixed to b."""
    return Axis(direction, (0.0, 0.0, 0.0), 0.0)


@kernel
def carried(over: PlacementRange, direction: Vec3) -> Axis:
    """A direction that is fixed to a, as it is in the middle."""
    return Axis(direction, cross(over.turn, direction), over.swing)


@kernel
def crossed(axis: Axis, direction: Vec3) -> Axis:
    """Cross product of a direction with one of b."""
    return Axis(cross(axis.direction, direction), cross(axis.rate, direction), axis.swing)


@kernel
def bounds_along(axis: Axis, way: Way, half: float) -> Interval:
    """Bound the inner product of an axis, no longer than 1, and a way throughout the interval.

    (n + s n' + ..)(w + s w' + ..) is n w + s (n' w + n w') + s^2 n' w', and what either remainder adds.
    """
    n, rate, swing = axis
    w, u, rest = way
    size = norm(w) + half * norm(u)
    value, slope = dot(n, w), dot(rate, w) + dot(n, u)
    spread = half * abs(slope) + (half * half * abs(dot(rate, u)) + swing * size + rest)
    spread += ROUNDED * ((1.0 + half * norm(rate)) * size + rest)
    return outward(value - spread, value + spread)


@kernel
def least_magnitude(bounds: Interval) -> float:
    """Bound the magnitude of what is in an interval from below: 0 where that may be 0."""
    return max(max(bounds[0], -bounds[1]), 0.0)


@kernel
def largest_length(axis: Axis, half: float) -> float:
    """Bound the length of an axis from above."""
    longest = norm(axis.direction) + half * norm(axis.rate) + axis.swing
    return longest + ROUNDED * (1.0 + longest)
