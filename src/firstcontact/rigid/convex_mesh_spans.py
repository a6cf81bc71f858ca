"""Spans of time in which a convex shape, a solid, and a mesh, a surface, touch."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.advancement.arrival import N_COUNTS, SEPARATED
from firstcontact.advancement.contact_watch import (
    BACK,
    DEPTH,
    FREE,
    entered,
    first_watch,
    next_watch,
    write_span,
)
from firstcontact.advancement.goal import BodyExtent, Options, goal_between, pieces_after
from firstcontact.advancement.nearest import stretch_of
from firstcontact.advancement.queue import Queue, new_queue
from firstcontact.arrays import INFINITY, Array
from firstcontact.bodies.convex_mesh_volume import N_RECTANGLE, BoundedShape, triangle_shape
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.placed_triangle import triangle_of
from firstcontact.bounds.swept_sphere import REACH, volume_of
from firstcontact.motions.relative_motion import Placement, RelativeMotion, placement_at
from firstcontact.motions.rigid_motion import number_at, start_of
from firstcontact.narrowphase.convex.gjk import RelativePose
from firstcontact.narrowphase.convex.overlap_depth import least_depth
from firstcontact.narrowphase.convex.polytope import workspace
from firstcontact.narrowphase.convex.way_out import FEW_CORNERS
from firstcontact.narrowphase.triangles.closest_points import closest_point_triangle, triangle_point
from firstcontact.rigid.convex_mesh_first import ConvexMeshBatch
from firstcontact.rigid.convex_mesh_search import search_mesh
from firstcontact.rigid.convex_spans import clearance_of, pace_of
from firstcontact.scalar.vec3 import Vec3, norm, sub
from firstcontact.shapes.convex import convex_at, origin_at

# Triangles nearest to the middle of the shape that are looked at for the deepest: the nearest, most often.
N_DEEPEST = 4

# Numbers and links of a polytope; nearest triangles and their distances.
DepthRoom = tuple[Array, NDArray[np.int64], NDArray[np.int64], Array]


def convex_mesh_spans(batch: ConvexMeshBatch, options: Options, spans: Array) -> int:
    """Write the spans of one motion, rows (k, 26) of each, where there is room; return how many there are."""
    if len(batch.mesh.children) == 0:
        return 0
    return int(_watch(batch, options, spans, new_queue()))


@driver
def _watch(batch: ConvexMeshBatch, options: Options, spans: Array, queue: Queue) -> int:
    records, mesh, rows_a, rows_b = batch.table.records, batch.mesh, batch.rows_a, batch.rows_b
    # Not a plain zero: functions are compiled for a constant argument apart.
    zero = int(np.int64(0))
    shape, rectangle = convex_at(records, zero), np.empty(3 * N_RECTANGLE)
    bounded = BoundedShape(shape, batch.table.pool, volume_of(batch.volumes, zero), rectangle)
    extent_a = BodyExtent(origin_at(records, zero), shape.reach, shape.radius)
    extent_b = BodyExtent(mesh.origin, mesh.reach, 0.0)
    counts, (numbers, links) = np.zeros(N_COUNTS, np.int64), workspace(FEW_CORNERS)
    room = numbers, links, np.empty(N_DEEPEST + mesh.depth + 2, np.int64), np.empty(N_DEEPEST)
    start, n = start_of(rows_a, rows_b), zero
    watch = first_watch(start)
    i, j = number_at(rows_a, start), number_at(rows_b, start)
    while i < len(rows_a) and j < len(rows_b):
        motion, stretch = stretch_of(extent_a, extent_b, rows_a[i], rows_b[j])
        pace = pace_of(stretch, options, start)
        watch = entered(watch, pace)
        while watch.now < pace.end:
            if watch.phase == DEPTH or watch.phase == BACK:
                answer = _depth(bounded, mesh, motion, watch.now, room) - clearance_of(stretch)
            else:
                goal = goal_between(
                    watch.now, watch.until, options, stretch.rounding, stretch.deviation, stretch.speed
                )
                arrival = search_mesh(bounded, mesh, motion, goal, queue, counts)
                answer = INFINITY if arrival.status == SEPARATED else arrival.time
            watch, n = next_watch(watch, answer, pace, spans, n)
        (i, j), start = pieces_after(rows_a, rows_b, i, j, stretch.end), stretch.end
    return n if watch.phase == FREE else write_span(watch, start, spans, n)


@kernel
def _depth(bounded: BoundedShape, mesh: Body, motion: RelativeMotion, t: float, room: DepthRoom) -> float:
    """How deep any of the triangles nearest to the middle of the shape is in it."""
    numbers, links, nearest, _ = room
    place, depth = placement_at(motion, t), 0.0
    frame, corners = RelativePose(place.rotation, place.offset), mesh.triangles.reshape(-1)
    for k in range(_find_nearest(mesh, place, bounded.shape.reach + bounded.shape.radius, room)):
        i = int(np.int64(nearest[k]))
        triangle = triangle_shape(mesh.triangles, i)
        found = least_depth(bounded.shape, triangle, bounded.pool, corners, frame, numbers, links)
        depth = max(depth, found)
    return depth


@kernel
def _find_nearest(mesh: Body, place: Placement, reach: float, room: DepthRoom) -> int:
    """Write the triangles nearest to the shape's origin, within its reach, nearest first; how many."""
    nearest, distances, middle = room[2], room[3], place.offset
    children, volumes, triangles = mesh.children, mesh.volumes, mesh.triangles
    stack = nearest[N_DEEPEST:]
    stack[0], top, n = 0, 1, 0
    while top > 0:
        top -= 1
        i = stack[top]
        limit = distances[N_DEEPEST - 1] if n == N_DEEPEST else reach
        if norm(sub(volume_of(volumes, i).center, middle)) - volumes[i, REACH] > limit:
            continue
        if children[i, 0] >= 0:
            # The nearer child is put on last, and looked at first.
            is_first = _apart(volumes, children[i, 0], middle) < _apart(volumes, children[i, 1], middle)
            stack[top], stack[top + 1] = (
                (children[i, 1], children[i, 0]) if is_first else (children[i, 0], children[i, 1])
            )
            top += 2
            continue
        t = triangle_of(triangles, int(np.int64(~children[i, 0])))
        q = triangle_point(t[0], t[1], t[2], closest_point_triangle(middle, t[0], t[1], t[2]))
        distance = norm(sub(q, middle))
        if distance <= limit:
            n = min(n + 1, N_DEEPEST)
            k = n - 1
            while k > 0 and distances[k - 1] > distance:
                distances[k], nearest[k] = distances[k - 1], nearest[k - 1]
                k -= 1
            distances[k], nearest[k] = distance, ~children[i, 0]
    return n


@kernel
def _apart(volumes: Array, i: int, middle: Vec3) -> float:
    return norm(sub(volume_of(volumes, i).center, middle))
