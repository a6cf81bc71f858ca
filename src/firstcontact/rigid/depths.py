"""How deep two rigid bodies are in each other: however both are moved by less, they still touch."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.convex_mesh_volume import triangle_shape
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.placed_triangle import placed_triangle, triangle_of
from firstcontact.bounds.swept_sphere import REACH, volume_of
from firstcontact.motions.relative_motion import Placement
from firstcontact.narrowphase.convex.gjk import RelativePose
from firstcontact.narrowphase.convex.overlap_depth import least_depth
from firstcontact.narrowphase.convex.polytope import workspace
from firstcontact.narrowphase.convex.way_out import FEW_CORNERS
from firstcontact.narrowphase.triangles.closest_points import closest_point_triangle, triangle_point
from firstcontact.narrowphase.triangles.piercing_depth import crossing_depth
from firstcontact.proximity.touching.near_pairs import Instant, collect_pairs
from firstcontact.rigid.pair_kinds import Convexes, Meshes, SolidMesh, first_of
from firstcontact.scalar.vec3 import Vec3, norm, sub

# Triangles nearest to the middle of the shape that are looked at for the deepest: the nearest, most often.
N_DEEPEST = 4

# Pairs of triangles that are looked at for the firmest crossing.
MAX_PAIRS = 256


class DepthRoom(NamedTuple):
    """Numbers and links of a polytope; nearest triangles and their distances; near pairs and theirs."""

    numbers: Array
    links: NDArray[np.int64]
    nearest: NDArray[np.int64]
    distances: Array
    pairs: Ids
    gaps: Array


@kernel
def depth_room(solid: SolidMesh | None, meshes: Meshes | None) -> DepthRoom:
    """Make room for the kinds that there are."""
    numbers, links = workspace(FEW_CORNERS)
    n_nodes, n_pairs = N_DEEPEST, 1
    if solid is not None:
        n_nodes = N_DEEPEST + solid.mesh.depth + 2
    if meshes is not None:
        n_pairs = MAX_PAIRS
    nearest, pairs = np.empty(n_nodes, np.int64), np.empty((n_pairs, 2), np.int32)
    return DepthRoom(numbers, links, nearest, np.empty(N_DEEPEST), pairs, np.empty(n_pairs))


@kernel
def depth_of(
    convexes: Convexes | None,
    solid: SolidMesh | None,
    meshes: Meshes | None,
    place: Placement,
    rounding: float,
    room: DepthRoom,
) -> float:
    """How deep; not positive where that is not known."""
    if convexes is not None:
        depth = _of_convexes(convexes, place, room)
    if solid is not None:
        depth = _of_solid(solid, place, room)
    if meshes is not None:
        depth = _of_meshes(meshes, place, rounding, room)
    return depth


@kernel
def _of_convexes(pair: Convexes, place: Placement, room: DepthRoom) -> float:
    a, b, frame = first_of(pair.a), first_of(pair.b), RelativePose(place.rotation, place.offset)
    return least_depth(a, b, pair.a.pool, pair.b.pool, frame, room.numbers, room.links)


@kernel
def _of_solid(pair: SolidMesh, place: Placement, room: DepthRoom) -> float:
    """How deep any of the triangles nearest to the middle of the shape is in it."""
    shape, pool, mesh, depth = first_of(pair.table), pair.table.pool, pair.mesh, 0.0
    frame, corners = RelativePose(place.rotation, place.offset), mesh.triangles.reshape(-1)
    for k in range(_find_nearest(mesh, place, shape.reach + shape.radius, room)):
        triangle = triangle_shape(mesh.triangles, int(np.int64(room.nearest[k])))
        found = least_depth(shape, triangle, pool, corners, frame, room.numbers, room.links)
        depth = max(depth, found)
    return depth


@kernel
def _of_meshes(pair: Meshes, place: Placement, rounding: float, room: DepthRoom) -> float:
    """How firmly any edge passes through any face, of those pairs that touch."""
    a, b, pairs, depth = pair.a, pair.b, room.pairs, 0.0
    n, _ = collect_pairs(a, b, Instant(place, rounding), rounding, pairs, room.gaps)
    for k in range(n):
        triangle_a = placed_triangle(place, triangle_of(a.triangles, int(np.int64(pairs[k, 0]))))
        triangle_b = triangle_of(b.triangles, int(np.int64(pairs[k, 1])))
        depth = max(depth, crossing_depth(triangle_a, triangle_b))
    return depth


@kernel
def _find_nearest(mesh: Body, place: Placement, reach: float, room: DepthRoom) -> int:
    """Write the triangles nearest to the shape's origin, within its reach, nearest first; how many."""
    nearest, distances, middle = room.nearest, room.distances, place.offset
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
