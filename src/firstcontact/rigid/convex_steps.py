"""Steps of conservative advancement of convex shapes.

As in steps.py, with the farthest point of a shape in place of the corners of a triangle. Only cores turn:
the ball around each of their points looks the same from every side.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.motions.motion_bound import (
    Travel,
    distance_from_axis,
    farthest_shadow,
    lasting_time,
    straight_time,
    turning_travel,
)
from firstcontact.motions.relative_motion import Placement
from firstcontact.narrowphase.gjk import Closest, Frame, Precision, Simplex, closest_from
from firstcontact.narrowphase.support import support
from firstcontact.rigid.request import Goal
from firstcontact.rigid.steps import BRISK, joined
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub
from firstcontact.shapes.convex import Convex

Array = NDArray[np.float64]

# A step is as good as the gap that its direction proves: the last nine tenths of the work on the distance
# would make it longer by this part.
PART = 0.3


class ConvexStep(NamedTuple):
    """A step of advancement: the distance now, a time in which it cannot shrink to the margin, and where.

    simplex : with which the search for the distance ended
    """

    distance: float
    time: float
    closest: Closest
    simplex: Simplex


@kernel
def step_convexes(
    a: Convex, b: Convex, pool_a: Array, pool_b: Array, place: Placement, goal: Goal, start: Simplex
) -> ConvexStep:
    """Step of two shapes; the search for their distance begins with a simplex."""
    margin = goal.margin
    frame, radii = Frame(place.rotation, place.offset), a.radius + b.radius
    precision = Precision(PART, radii + margin, radii + goal.target)
    closest, simplex = closest_from(a, b, pool_a, pool_b, frame, start, precision)
    gap, n = closest.gap - radii, closest.direction
    if not gap > margin:
        return ConvexStep(closest.distance - radii, 0.0, closest, simplex)
    back, speed = scale(-1.0, n), dot(n, place.velocity)
    travel_a, travel_b = Travel(0.0, 0.0, 0.0), Travel(0.0, 0.0, 0.0)
    limit, is_brisk = 0.0, place.rate_a + place.rate_b > BRISK
    if place.rate_a > 0.0:
        c, turned = cross(n, place.axis_a), transposed(place.rotation)
        p = support(a, pool_a, mat_vec(turned, c))
        p = sub(add(place.offset, mat_vec(place.rotation, p)), place.pivot_a)
        r = sub(place.offset, place.pivot_a)
        travel_a = _travel(a, p, r, c, place.axis_a, place.rate_a)
        if is_brisk:
            end = add(place.offset, mat_vec(place.rotation, support(a, pool_a, mat_vec(turned, n))))
            limit += farthest_shadow(r, n, place.axis_a) + a.reach - dot(n, sub(end, place.pivot_a))
    if place.rate_b > 0.0:
        c = cross(back, place.axis_b)
        p, r = sub(support(b, pool_b, c), place.pivot_b), scale(-1.0, place.pivot_b)
        travel_b = _travel(b, p, r, c, place.axis_b, place.rate_b)
        if is_brisk:
            end = sub(support(b, pool_b, back), place.pivot_b)
            limit += farthest_shadow(r, back, place.axis_b) + b.reach - dot(back, end)
    time = lasting_time(gap - margin, joined(travel_a, travel_b, speed))
    if is_brisk:
        time = max(time, straight_time(gap - margin - limit, speed))
    return ConvexStep(closest.distance - radii, time, closest, simplex)


@kernel
def _travel(shape: Convex, p: Vec3, r: Vec3, c: Vec3, axis: Vec3, rate: float) -> Travel:
    """Travel of a shape that turns; p, its farthest point along c, and r, its origin, seen from the axis."""
    return turning_travel(dot(c, p), norm(c), rate, distance_from_axis(r, axis) + shape.reach)
