"""Do two triangles of moving bodies stay apart throughout an interval of time?

Triangles that are apart when it begins meet first where a vertex meets a face, or an edge an edge. A vertex
is in the plane of a face, or two lines meet, where a triple product is 0 (equations 19 and 20 of the course):
while its bounds are farther from 0 than the margin takes, the features do not touch. A vertex that is in the
plane may be beyond an edge. Where a function is 0 all the time, as of two faces that slide in one plane, of
parallel edges, of triangles without area, bounds are of no use however short an interval is: there, one
direction for all corners decides, that of the closest points in the middle.
"""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.bodies.placed_triangle import placed_triangle
from firstcontact.narrowphase.triangles.triangle_distance import closest_triangle_triangle
from firstcontact.proximity.touching.contact_direction import normal_of, unit
from firstcontact.rigid.interval.placement_range import (
    ROUNDED,
    PlacementRange,
    bounds_along,
    carried,
    crossed,
    largest_length,
    least_magnitude,
    still,
    way_of,
)
from firstcontact.scalar.vec3 import Triangle, Vec3, cross, dot, norm, scale, sub


class FacePrism(NamedTuple):
    """A triangle's normal, how far its corners are from a plane across it, and outward normals of its edges.

    tops : how far any corner is beyond the edge, along its normal: 0 but for rounding
    """

    normal: Vec3
    thickness: float
    sides: Triangle
    tops: Vec3


@kernel
def triangles_stay_apart(over: PlacementRange, a: Triangle, b: Triangle, margin: float) -> bool:
    """Do triangles that are farther apart than a margin at the start stay so? Each is in its body's frame."""
    placed = placed_triangle(over.place, a)
    # Of random pairs, a direction decides twice as many as features do, which decide one in a hundred of the
    # rest: asked first, it halves the time of what turns close to a surface.
    if direction_stays_between(over, a, placed, b, margin):
        return True
    return features_stay_apart(over, a, placed, b, margin)


@kernel
def features_stay_apart(
    over: PlacementRange, a: Triangle, placed: Triangle, b: Triangle, margin: float
) -> bool:
    """Do all vertices stay away from faces, and edges from edges?"""
    face_a, face_b = prism_of(placed), prism_of(b)
    for i in range(3):
        if not _vertex_stays_off_face_b(over, a[i], b, face_b, margin):
            return False
        if not _vertex_stays_off_face_a(over, b[i], a, face_a, margin):
            return False
    for i in range(3):
        for j in range(3):
            edge_a, edge_b = (a[i], placed[i], placed[(i + 1) % 3]), (b[j], b[(j + 1) % 3])
            if not _edges_stay_apart(over, edge_a, edge_b, margin):
                return False
    return True


@kernel
def direction_stays_between(
    over: PlacementRange, a: Triangle, placed: Triangle, b: Triangle, margin: float
) -> bool:
    """Does the direction of the closest points in the middle keep all corners apart?"""
    p, q = closest_triangle_triangle(placed, b)
    n = unit(sub(p, q))
    axis, size = still(n), norm(sub(b[1], b[0])) + norm(sub(b[2], b[0]))
    highest = max(max(0.0, dot(n, sub(b[1], b[0]))), dot(n, sub(b[2], b[0]))) + ROUNDED * size
    for i in range(3):
        if not bounds_along(axis, way_of(over, a[i], b[0]), over.half)[0] - highest > margin:
            return False
    return True


@kernel
def prism_of(t: Triangle) -> FacePrism:
    """Directions that tell how far a point is from a triangle; none of one without area."""
    e, f, g = sub(t[1], t[0]), sub(t[2], t[1]), sub(t[0], t[2])
    normal = normal_of(e, scale(-1.0, g))
    sides = unit(cross(e, normal)), unit(cross(f, normal)), unit(cross(g, normal))
    rounding = ROUNDED * (norm(e) + norm(f) + norm(g))
    thickness = max(abs(dot(normal, e)), abs(dot(normal, g))) + rounding
    tops = (
        max(max(dot(sides[0], e), -dot(sides[0], g)), 0.0) + rounding,
        max(max(dot(sides[1], f), -dot(sides[1], e)), 0.0) + rounding,
        max(max(dot(sides[2], g), -dot(sides[2], f)), 0.0) + rounding,
    )
    return FacePrism(normal, thickness, sides, tops)


@kernel
def _vertex_stays_off_face_b(
    over: PlacementRange, vertex: Vec3, face: Triangle, prism: FacePrism, margin: float
) -> bool:
    """Does a vertex of a stay off a face of b?"""
    way = way_of(over, vertex, face[0])
    if least_magnitude(bounds_along(still(prism.normal), way, over.half)) > margin + prism.thickness:
        return True
    for k in range(3):
        way = way_of(over, vertex, face[k])
        if bounds_along(still(prism.sides[k]), way, over.half)[0] > margin + prism.tops[k]:
            return True
    return False


@kernel
def _vertex_stays_off_face_a(
    over: PlacementRange, vertex: Vec3, face: Triangle, prism: FacePrism, margin: float
) -> bool:
    """Does a vertex of b stay off a face of a, whose prism is as in the middle?"""
    way = way_of(over, face[0], vertex)
    if least_magnitude(bounds_along(carried(over, prism.normal), way, over.half)) > margin + prism.thickness:
        return True
    for k in range(3):
        way = way_of(over, face[k], vertex)
        if -bounds_along(carried(over, prism.sides[k]), way, over.half)[1] > margin + prism.tops[k]:
            return True
    return False


@kernel
def _edges_stay_apart(
    over: PlacementRange, a: tuple[Vec3, Vec3, Vec3], b: tuple[Vec3, Vec3], margin: float
) -> bool:
    """Do the lines of two edges stay apart? Of a: an end in its frame, and both as they are in the middle."""
    e, f = sub(a[2], a[1]), sub(b[1], b[0])
    axis = crossed(carried(over, unit(e)), unit(f))
    apart = least_magnitude(bounds_along(axis, way_of(over, a[0], b[0]), over.half))
    return apart - ROUNDED * (norm(e) + norm(f)) > margin * largest_length(axis, over.half)
