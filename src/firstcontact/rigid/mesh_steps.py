"""How long two things, at a distance now, cannot touch: steps of conservative advancement."""

from math import sqrt
from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.bounds.swept_sphere import Volume
from firstcontact.bounds.swept_sphere_gap import gap_volume_volume, half_extent, placed
from firstcontact.motions.motion_bound import (
    Travel,
    distance_from_axis,
    farthest_shadow,
    lasting_time,
    straight_time,
    turning_travel,
)
from firstcontact.motions.relative_motion import Placement
from firstcontact.narrowphase.triangles.separating_direction import gap_along, widest_gap
from firstcontact.narrowphase.triangles.triangle_distance import closest_triangle_triangle
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Triangle, Vec3, add, cross, dot, norm, scale, sub

# Where the direction between the closest points proves less than this part of what is beyond the margin, it
# is mostly rounding, and the features have better ones.
PROVEN = 0.75


# Angle per unit of time from which it is worth a look how far turning can take a thing at all. Within half a
# turn it saves one test in a hundred, which is less than it costs.
BRISK = 4.0


class Step(NamedTuple):
    """A step of advancement: the distance now, and a time in which it cannot shrink to the margin."""

    distance: float
    time: float


@kernel
def are_apart(place: Placement, a: Volume, b: Volume, distance: float) -> bool:
    """Are the balls around two volumes farther apart than a distance?"""
    w = sub(b.center, add(place.offset, mat_vec(place.rotation, a.center)))
    reach = a.reach + b.reach + distance
    return dot(w, w) > reach * reach


@kernel
def step_volumes(place: Placement, a: Volume, b: Volume, margin: float) -> Step:
    """Step of two volumes, a in its own frame and b in its own; the distance is a lower bound."""
    a = placed(a, place.rotation, place.offset)
    gap, n = gap_volume_volume(a, b)
    if not gap > margin:
        return Step(gap, 0.0)
    back, speed = scale(-1.0, n), dot(n, place.velocity)
    travel_a = volume_travel(a, n, place.axis_a, place.rate_a, place.pivot_a)
    travel_b = volume_travel(b, back, place.axis_b, place.rate_b, place.pivot_b)
    time = lasting_time(gap - margin, joined(travel_a, travel_b, speed))
    if place.rate_a + place.rate_b > BRISK:
        limit = _volume_limit(a, n, place.axis_a, place.rate_a, place.pivot_a)
        limit += _volume_limit(b, back, place.axis_b, place.rate_b, place.pivot_b)
        time = max(time, straight_time(gap - margin - limit, speed))
    return Step(gap, time)


@kernel
def step_triangles(place: Placement, a: Triangle, b: Triangle, margin: float) -> Step:
    """Step of two triangles, both in the frame of b."""
    distance, gap, n = triangle_slab(a, b, margin)
    if not distance > margin:
        return Step(distance, 0.0)
    back, speed = scale(-1.0, n), dot(n, place.velocity)
    travel_a = _triangle_travel(a, n, place.axis_a, place.rate_a, place.pivot_a)
    travel_b = _triangle_travel(b, back, place.axis_b, place.rate_b, place.pivot_b)
    time = lasting_time(gap - margin, joined(travel_a, travel_b, speed))
    if place.rate_a + place.rate_b > BRISK:
        limit = _triangle_limit(a, n, place.axis_a, place.rate_a, place.pivot_a)
        limit += _triangle_limit(b, back, place.axis_b, place.rate_b, place.pivot_b)
        time = max(time, straight_time(gap - margin - limit, speed))
    return Step(distance, time)


@kernel
def triangle_slab(a: Triangle, b: Triangle, margin: float) -> tuple[float, float, Vec3]:
    """Distance of two triangles, and the width and direction of an empty slab between them.

    Where the distance is not beyond the margin, width and direction mean nothing.
    """
    p, q = closest_triangle_triangle(a, b)
    e = sub(q, p)
    distance = norm(e)
    if not distance > margin:
        return distance, 0.0, e
    n = scale(1.0 / distance, e)
    # The points are close to the closest; what counts is the gap that their direction proves.
    gap = gap_along(a, b, n)
    if gap - margin < PROVEN * (distance - margin):
        gap, n = widest_gap(a, b, n)
    return distance, gap, n


@kernel
def joined(a: Travel, b: Travel, speed: float) -> Travel:
    """Travel towards each other of two bodies, one of which also moves along the direction at this speed."""
    return Travel(speed + a.now + b.now, speed + a.most + b.most, a.bend + b.bend)


@kernel
def volume_travel(volume: Volume, n: Vec3, axis: Vec3, rate: float, pivot: Vec3) -> Travel:
    """Travel along n of a volume that turns about an axis through the pivot."""
    if rate == 0.0:
        return Travel(0.0, 0.0, 0.0)
    c, r = cross(n, axis), sub(volume.center, pivot)
    cosine = norm(c)
    support = dot(c, r) + volume.half_length * abs(dot(c, volume.along))
    support += volume.half_width * abs(dot(c, volume.across)) + volume.radius * cosine
    return turning_travel(support, cosine, rate, farthest_of_volume(volume, r, axis))


@kernel
def farthest_of_volume(volume: Volume, r: Vec3, axis: Vec3) -> float:
    """Distance of a volume's farthest point from an axis; r is its center, seen from there.

    By its center and reach, or, as in Lemma 1 of C2A, by its farthest corner and radius: that is less for
    what is long and lies along the axis. Two rods that spin across each other need a 75th of the steps.
    """
    u, along, across = cross(r, axis), cross(volume.along, axis), cross(volume.across, axis)
    p, q = scale(volume.half_length, along), scale(volume.half_width, across)
    x, y, z = dot(u, p), dot(u, q), dot(p, q)
    # Of the squares of u + p + q, u + p - q, and so on: all have the same three, and twice one of these.
    most = max(max(abs(x + y) + z, abs(x - y) - z), 0.0)
    corner = sqrt(dot(u, u) + dot(p, p) + dot(q, q) + 2.0 * most)
    return min(norm(u) + volume.reach, corner + volume.radius)


@kernel
def _volume_limit(volume: Volume, n: Vec3, axis: Vec3, rate: float, pivot: Vec3) -> float:
    """How far turning, however long, takes the end of a volume's shadow on n."""
    if rate == 0.0:
        return 0.0
    r = sub(volume.center, pivot)
    along, across = scale(volume.half_length, volume.along), scale(volume.half_width, volume.across)
    p, q = add(r, along), sub(r, along)
    corners = max(farthest_shadow(add(p, across), n, axis), farthest_shadow(sub(p, across), n, axis))
    corners = max(corners, farthest_shadow(add(q, across), n, axis))
    corners = max(corners, farthest_shadow(sub(q, across), n, axis))
    ever = min(farthest_shadow(r, n, axis) + volume.reach, corners + volume.radius)
    return ever - (dot(n, r) + half_extent(volume, n) + volume.radius)


@kernel
def _triangle_limit(triangle: Triangle, n: Vec3, axis: Vec3, rate: float, pivot: Vec3) -> float:
    """How far turning, however long, takes the end of a triangle's shadow on n."""
    if rate == 0.0:
        return 0.0
    r0, r1, r2 = sub(triangle[0], pivot), sub(triangle[1], pivot), sub(triangle[2], pivot)
    ever = max(farthest_shadow(r0, n, axis), farthest_shadow(r1, n, axis))
    end = max(max(dot(n, r0), dot(n, r1)), dot(n, r2))
    return max(ever, farthest_shadow(r2, n, axis)) - end


@kernel
def farthest_from_axis(p: Vec3, q: Vec3, r: Vec3, axis: Vec3) -> float:
    """Largest distance of three points from an axis."""
    return max(max(distance_from_axis(p, axis), distance_from_axis(q, axis)), distance_from_axis(r, axis))


@kernel
def _triangle_travel(triangle: Triangle, n: Vec3, axis: Vec3, rate: float, pivot: Vec3) -> Travel:
    """Travel along n of a triangle that turns about an axis through the pivot."""
    if rate == 0.0:
        return Travel(0.0, 0.0, 0.0)
    c = cross(n, axis)
    r0, r1, r2 = sub(triangle[0], pivot), sub(triangle[1], pivot), sub(triangle[2], pivot)
    support = max(max(dot(c, r0), dot(c, r1)), dot(c, r2))
    return turning_travel(support, norm(c), rate, farthest_from_axis(r0, r1, r2, axis))
