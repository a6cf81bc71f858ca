"""How far a convex shape that turns can travel along a direction: its farthest point stands for all of it."""

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.motions.motion_bound import Travel, distance_from_axis, farthest_shadow, turning_travel
from firstcontact.motions.relative_motion import Placement
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, sub
from firstcontact.shapes.convex import Convex
from firstcontact.shapes.cores import support


@kernel
def travel_of_a(shape: Convex, pool: Array, n: Vec3, place: Placement) -> Travel:
    """Travel along n of the shape a."""
    if place.rate_a == 0.0:
        return Travel(0.0, 0.0, 0.0)
    c = cross(n, place.axis_a)
    distance = distance_from_axis(sub(place.offset, place.pivot_a), place.axis_a) + shape.reach
    return turning_travel(dot(c, _farthest(shape, pool, c, place)), norm(c), place.rate_a, distance)


@kernel
def limit_of_a(shape: Convex, pool: Array, n: Vec3, place: Placement) -> float:
    """How far turning, however long, takes the end of its shadow on n."""
    if place.rate_a == 0.0:
        return 0.0
    ever = farthest_shadow(sub(place.offset, place.pivot_a), n, place.axis_a)
    return ever + shape.reach - dot(n, _farthest(shape, pool, n, place))


@kernel
def _farthest(shape: Convex, pool: Array, d: Vec3, place: Placement) -> Vec3:
    """Farthest point of a along d, seen from the point that it turns about."""
    p = support(shape, pool, mat_vec(transposed(place.rotation), d))
    return sub(add(place.offset, mat_vec(place.rotation, p)), place.pivot_a)
