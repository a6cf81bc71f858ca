"""Down along time to where two things are nearest: where their distance falls no more.

The distance of the two closest points changes by how fast they part along the line between them; where it
falls before and rises after, a least distance is between. What is found is an upper bound, however it was
looked for.
"""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY
from firstcontact.motions.relative_motion import Placement, RelativeMotion
from firstcontact.scalar.vec3 import Vec3, cross, dot, norm, scale, sub

# Times to look at: a smooth valley takes five, a sharp one is halved each time.
N_LOOKS = 32

# A look is not nearer to either end of what is left than this part of it.
INNER = 0.05

# How much longer each step is, as long as the distance falls.
LONGER = 4.0


class Valley(NamedTuple):
    """Where to go down: from a time on, between a start and an end."""

    motion: RelativeMotion
    at: float
    start: float
    end: float


class Descent(NamedTuple):
    """Where a descent is.

    now : the time to look at
    time, distance : where the least distance was seen, and that
    low, high : times between which a valley is, or the ends of what may be looked at
    falls, rises : rates of the distance at low and at high; 0 where not known
    step : how far to go next, as long as it falls
    n_left : looks that are left
    """

    now: float
    time: float
    distance: float
    low: float
    high: float
    falls: float
    rises: float
    step: float
    n_left: int


@kernel
def first_look(valley: Valley) -> Descent:
    """Begin."""
    at = valley.at
    return Descent(at, at, INFINITY, valley.start, valley.end, 0.0, 0.0, 0.0, N_LOOKS)


@kernel
def next_look(descent: Descent, distance: float, rate: float, enough: float) -> Descent:
    """Where to look after a distance, which changes at a rate, was seen now.

    enough : what is left is not worth a look where it cannot bring more, as it seems
    """
    now, low, high, step = descent.now, descent.low, descent.high, descent.step
    falls, rises, n_left = descent.falls, descent.rises, descent.n_left - 1
    is_less = distance < descent.distance
    time, least = (now, distance) if is_less else (descent.time, descent.distance)
    if rate < 0.0:
        low, falls = now, rate
    else:
        high, rises = now, rate
    width = high - low
    if not (distance > 0.0 and width > 0.0 and rate != 0.0):
        n_left = 0
    elif falls < 0.0 and rises > 0.0:
        if min(-falls, rises) * width <= enough:
            n_left = 0
        part = falls / (falls - rises)
        now = low + width * min(max(part, INNER), 1.0 - INNER)
    else:
        # As far as it would be to a contact, at this rate; then farther and farther.
        step = min(LONGER * step if step > 0.0 else distance / abs(rate), width)
        if abs(rate) * step <= enough:
            n_left = 0
        now = low + step if rate < 0.0 else high - step
        if step == width:
            now = high if rate < 0.0 else low
    return Descent(now, time, least, low, high, falls, rises, step, n_left)


@kernel
def parting_rate(place: Placement, p: Vec3, q: Vec3) -> float:
    """How fast the distance of a point p of a and q of b, in the frame of b, grows now; 0 where it is 0."""
    e = sub(q, p)
    distance = norm(e)
    if not distance > 0.0:
        return 0.0
    n = scale(1.0 / distance, e)
    turn_a = dot(n, cross(place.axis_a, sub(p, place.pivot_a)))
    turn_b = dot(n, cross(place.axis_b, sub(q, place.pivot_b)))
    return place.rate_b * turn_b - place.rate_a * turn_a - dot(n, place.velocity)
