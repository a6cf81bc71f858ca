"""How far points are from points and strands with radii, and where to go from there."""

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import INFINITY, Array
from firstcontact.bodies.placed_triangle import radius_of, triangle_of
from firstcontact.bodies.wide_body import WIDTH, NodeStack, WideBody, node_stack, wide_body_of
from firstcontact.bounds.block_gaps import measure_block
from firstcontact.bounds.swept_sphere import Volume
from firstcontact.motions.relative_motion import MEASURED
from firstcontact.narrowphase.triangles.closest_points import closest_point_segment
from firstcontact.narrowphase.triangles.ray_triangle import unit
from firstcontact.proximity.distance.closest_pair import pushed
from firstcontact.proximity.points.signed_on_mesh import Field
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.vec3 import Vec3, add, cross, lerp, norm, scale, sub
from firstcontact.shapes.cloud import Cloud

WORTH_A_THREAD = 512

NOWHERE = (0.0, 0.0, 0.0)
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def signed_on_cloud(cloud: Cloud, points: Array) -> Field:
    """Find the distance of points (n, 3), in its frame, from a cloud that may have no elements.

    Inside it is that from the surface of the element in which a point is deepest.
    """
    n, body = len(points), wide_body_of(cloud)
    nowhere = np.full((n, 3), np.nan)
    field = Field(np.full(n, np.inf), nowhere, nowhere.copy(), np.full(n, -1, np.int32))

    def task(first: int, last: int) -> None:
        _measure_range(body, points, field, first, last)

    if cloud.n_faces > 0:
        on_ranges(task, n, WORTH_A_THREAD)
    return field


@driver
def _measure_range(body: WideBody, points: Array, field: Field, first: int, last: int) -> None:
    stack, origin = node_stack(body.depth), body.origin
    for i in range(first, last):
        p = sub((points[i, 0], points[i, 1], points[i, 2]), origin)
        distance, place = _nearest(body, p, stack)
        q, normal = nearest_on_element(body.triangles, place, p)
        surface = add(origin, add(q, scale(radius_of(body.triangles, place), normal)))
        field.distances[i], field.faces[i] = distance, body.order[place]
        for k in range(3):
            field.points[i, k], field.normals[i, k] = surface[k], normal[k]


@kernel
def _nearest(body: WideBody, p: Vec3, stack: NodeStack) -> tuple[float, int]:
    """Signed distance from the nearest element, and its place; of several, the first by its number."""
    gaps, waiting, measured, _ = stack
    one, triangles = Volume(p, X, Y, Z, 0.0, 0.0, 0.0, 0.0), body.triangles
    slack = MEASURED * (norm(p) + body.reach) + SHORTEST
    best, place, n = INFINITY, -1, 1
    gaps[0], waiting[0] = -INFINITY, 0
    while n > 0:
        n -= 1
        if gaps[n] > best + slack:
            continue
        block = body.blocks_of[waiting[n]]
        if block >= 0:
            measure_block(one, body.blocks[block], measured)
            first = n
            for k in range(WIDTH):
                if measured[k] <= best + slack:
                    n = pushed(gaps, waiting, first, n, measured[k], int(np.int64(body.nodes[block, k])))
            continue
        i = ~block
        distance = norm(sub(p, nearest_on_element(triangles, i, p)[0])) - radius_of(triangles, i)
        if distance < best or (distance == best and body.order[i] < body.order[place]):
            best, place = distance, i
    return best, int(np.int64(place))


@kernel
def nearest_on_element(triangles: Array, i: int, p: Vec3) -> tuple[Vec3, Vec3]:
    """Nearest point of an element without its radius, and the unit vector from there to a point."""
    a, b, _ = triangle_of(triangles, i)
    q = lerp(a, b, closest_point_segment(p, a, b))
    normal = unit(sub(p, q))
    if normal == NOWHERE:
        # On it: any way out is as good as another, at right angles to a segment.
        along = sub(b, a)
        normal = unit(cross(along, X if abs(along[0]) <= abs(along[1]) else Y))
    return q, X if normal == NOWHERE else normal
