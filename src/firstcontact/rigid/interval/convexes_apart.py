"""Do two convex shapes stay apart throughout an interval of time?

Along a direction n that is fixed to b, a point of a at x = o + r in the middle of the interval, r from its
origin o on, is at n . o + r . n + s (n . u + r . (n x w)), and what the remainder adds, where u is the
velocity of the origin and w how a turns. That is linear in s: a point is farthest at one end of the interval,
and of all points the farthest is there the support of a along n + s (n x w). Only cores turn; radii do not.
"""

from firstcontact._jit import kernel
from firstcontact.advancement.arrival import CONTACT, SEPARATED, Arrival, not_arrived
from firstcontact.advancement.goal import Goal
from firstcontact.arrays import Array
from firstcontact.motions.relative_motion import Placement
from firstcontact.narrowphase.convex.gjk import (
    EXACT,
    Precision,
    RelativePose,
    closest_convex_convex,
    surface_points,
)
from firstcontact.rigid.interval.placement_range import ROUNDED, PlacementRange, way_of
from firstcontact.rigid.interval.volumes_apart import spheres_stay_apart
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale
from firstcontact.shapes.convex import Convex
from firstcontact.shapes.cores import support

# How well the distance in the middle is to be known, as a part of what of it is beyond the margin.
PART = 0.1

ORIGIN = (0.0, 0.0, 0.0)


@kernel
def convexes_stay_apart(
    over: PlacementRange, a: Convex, b: Convex, pool_a: Array, pool_b: Array, margin: float, guess: Vec3
) -> bool:
    """Do two shapes stay farther apart than a margin, by balls, or by the direction between them?

    guess : a direction from a to b, of any length
    """
    radii = a.radius + b.radius
    kept = radii + margin
    if spheres_stay_apart(way_of(over, ORIGIN, ORIGIN), over.half, a.reach + b.reach + kept):
        return True
    frame = RelativePose(over.place.rotation, over.place.offset)
    precision = Precision(PART, kept, kept)
    closest = closest_convex_convex(a, b, pool_a, pool_b, frame, guess, precision)
    if not closest.gap > kept:
        return False
    return direction_stays_between_convexes(over, a, b, pool_a, pool_b, closest.direction, kept)


@kernel
def direction_stays_between_convexes(
    over: PlacementRange, a: Convex, b: Convex, pool_a: Array, pool_b: Array, n: Vec3, kept: float
) -> bool:
    """Does a unit vector, fixed to b, from a to b, keep cores farther apart than that?"""
    half, offset, turned = over.half, over.place.offset, over.place.rotation
    back, bend = transposed(turned), scale(half, cross(n, over.turn))
    value, slope = dot(n, offset), half * dot(n, over.velocity)
    lowest = dot(n, support(b, pool_b, scale(-1.0, n)))
    one, other = mat_vec(back, add(n, bend)), mat_vec(back, add(n, scale(-1.0, bend)))
    highest = max(
        value + slope + dot(one, support(a, pool_a, one)),
        value - slope + dot(other, support(a, pool_a, other)),
    )
    rest = over.bend + over.bend_growth * a.reach
    sizes = (1.0 + norm(bend)) * a.reach + b.reach
    rounding = ROUNDED * (norm(offset) + half * norm(over.velocity) + sizes + rest + kept)
    return lowest - highest - rest - rounding > kept


@kernel
def convexes_at(
    place: Placement, a: Convex, b: Convex, pool_a: Array, pool_b: Array, goal: Goal, guess: Vec3
) -> Arrival:
    """Tell whether two shapes touch where they are, and where; its time is the start of the goal."""
    frame, radii = RelativePose(place.rotation, place.offset), a.radius + b.radius
    closest = closest_convex_convex(a, b, pool_a, pool_b, frame, guess, EXACT)
    if closest.gap - radii > goal.target:
        return not_arrived(SEPARATED, goal.start)
    p, q = surface_points(closest, a.radius, b.radius)
    return Arrival(CONTACT, goal.start, -1, -1, p, q, closest.direction)
