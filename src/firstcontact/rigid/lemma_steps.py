"""Steps of conservative advancement by the published motion bounds: Lemmas 1 and 2 of C2A, 2009.

Tang, Kim, Manocha, "C2A: controlled conservative advancement for continuous collision detection of polygonal
models". A body that turns at the rate w about an axis u, while the point it turns about moves at the velocity
v, travels along a unit vector n, in a unit of time, at most

    |v . n| + w |u x n| (r + max distance of its corners from the axis).

The corners are those of a volume's rectangle, r its radius (Lemma 1); a triangle has its own and no radius
(Lemma 2). Both are for one body that moves, here as in print; of two the turns add up, and v is that of one
as seen from the other. `rigid.mesh_steps` has the sharper bounds of the default search.
"""

from firstcontact._jit import kernel
from firstcontact.bounds.swept_sphere import Volume
from firstcontact.bounds.swept_sphere_gap import gap_volume_volume, placed
from firstcontact.motions.motion_bound import distance_from_axis, straight_time
from firstcontact.motions.relative_motion import Placement
from firstcontact.rigid.mesh_steps import Step, farthest_from_axis, triangle_slab
from firstcontact.scalar.vec3 import Triangle, Vec3, add, cross, dot, norm, scale, sub


@kernel
def lemma_step_volumes(place: Placement, a: Volume, b: Volume, margin: float) -> Step:
    """Step of two volumes, a in its own frame and b in its own; the distance is a lower bound."""
    a = placed(a, place.rotation, place.offset)
    gap, n = gap_volume_volume(a, b)
    if not gap > margin:
        return Step(gap, 0.0)
    speed = abs(dot(n, place.velocity))
    speed += turning_speed_volume(a, n, place.axis_a, place.rate_a, place.pivot_a)
    speed += turning_speed_volume(b, n, place.axis_b, place.rate_b, place.pivot_b)
    return Step(gap, straight_time(gap - margin, speed))


@kernel
def lemma_step_triangles(place: Placement, a: Triangle, b: Triangle, margin: float) -> Step:
    """Step of two triangles, both in the frame of b."""
    distance, gap, n = triangle_slab(a, b, margin)
    if not distance > margin:
        return Step(distance, 0.0)
    speed = abs(dot(n, place.velocity))
    speed += turning_speed_triangle(a, n, place.axis_a, place.rate_a, place.pivot_a)
    speed += turning_speed_triangle(b, n, place.axis_b, place.rate_b, place.pivot_b)
    return Step(distance, straight_time(gap - margin, speed))


@kernel
def turning_speed_volume(volume: Volume, n: Vec3, axis: Vec3, rate: float, pivot: Vec3) -> float:
    """What turning adds in Lemma 1."""
    if rate == 0.0:
        return 0.0
    r, farthest = sub(volume.center, pivot), 0.0
    along, across = scale(volume.half_length, volume.along), scale(volume.half_width, volume.across)
    for k in range(4):
        corner = add(r, along) if k < 2 else sub(r, along)
        corner = add(corner, across) if k % 2 == 0 else sub(corner, across)
        farthest = max(farthest, distance_from_axis(corner, axis))
    return rate * norm(cross(n, axis)) * (volume.radius + farthest)


@kernel
def turning_speed_triangle(triangle: Triangle, n: Vec3, axis: Vec3, rate: float, pivot: Vec3) -> float:
    """What turning adds in Lemma 2."""
    if rate == 0.0:
        return 0.0
    r0, r1, r2 = sub(triangle[0], pivot), sub(triangle[1], pivot), sub(triangle[2], pivot)
    return rate * norm(cross(n, axis)) * farthest_from_axis(r0, r1, r2, axis)
