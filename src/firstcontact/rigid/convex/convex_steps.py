"""Steps of conservative advancement of convex shapes.

As in mesh_steps.py, with the farthest point of a shape in place of the corners of a triangle. Only cores
turn: the ball around each of their points looks the same from every side.
"""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.advancement.goal import Goal
from firstcontact.arrays import Array
from firstcontact.motions.motion_bound import (
    Travel,
    distance_from_axis,
    farthest_shadow,
    lasting_time,
    straight_time,
    turning_travel,
)
from firstcontact.motions.relative_motion import Placement
from firstcontact.narrowphase.convex.gjk import ClosestCores, Precision, RelativePose, Simplex, closest_from
from firstcontact.narrowphase.convex.shape_travel import limit_of_a, travel_of_a
from firstcontact.rigid.mesh_steps import BRISK, joined
from firstcontact.scalar.vec3 import cross, dot, norm, scale, sub
from firstcontact.shapes.convex import Convex
from firstcontact.shapes.cores import support

# A step is as good as the gap that its direction proves: what is left of the work on the distance would make
# it longer by this part at most.
PART = 0.3


class ConvexStep(NamedTuple):
    """A step of advancement: the distance now, a time in which it cannot shrink to the margin, and where.

    simplex : with which the search for the distance ended
    gap : beyond the margin, along the direction that is closest; 0 where there is none
    bend : half of what the second derivative of the gap along its direction can be
    """

    distance: float
    time: float
    closest: ClosestCores
    simplex: Simplex
    gap: float
    bend: float


@kernel
def step_convexes(
    a: Convex, b: Convex, pool_a: Array, pool_b: Array, place: Placement, goal: Goal, start: Simplex
) -> ConvexStep:
    """Step of two shapes; the search for their distance begins with a simplex."""
    margin = goal.margin
    frame, radii = RelativePose(place.rotation, place.offset), a.radius + b.radius
    precision = Precision(PART, radii + margin, radii + goal.target)
    closest, simplex = closest_from(a, b, pool_a, pool_b, frame, start, precision)
    gap, n = closest.gap - radii, closest.direction
    if not gap > margin:
        return ConvexStep(closest.distance - radii, 0.0, closest, simplex, 0.0, 0.0)
    back, speed = scale(-1.0, n), dot(n, place.velocity)
    travel_a, travel_b = travel_of_a(a, pool_a, n, place), Travel(0.0, 0.0, 0.0)
    is_brisk = place.rate_a + place.rate_b > BRISK
    limit = limit_of_a(a, pool_a, n, place) if is_brisk else 0.0
    if place.rate_b > 0.0:
        c = cross(back, place.axis_b)
        p, r = sub(support(b, pool_b, c), place.pivot_b), scale(-1.0, place.pivot_b)
        distance = distance_from_axis(r, place.axis_b) + b.reach
        travel_b = turning_travel(dot(c, p), norm(c), place.rate_b, distance)
        if is_brisk:
            end = sub(support(b, pool_b, back), place.pivot_b)
            limit += farthest_shadow(r, back, place.axis_b) + b.reach - dot(back, end)
    travel = joined(travel_a, travel_b, speed)
    time = lasting_time(gap - margin, travel)
    if is_brisk:
        time = max(time, straight_time(gap - margin - limit, speed))
    return ConvexStep(closest.distance - radii, time, closest, simplex, gap - margin, travel.bend)
