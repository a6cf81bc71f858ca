"""How deep a mesh and another thing are in each other: however both are moved by less, they still touch."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.bodies.convex_mesh_volume import triangle_shape
from firstcontact.bodies.placed_triangle import placed_triangle, radius_of, triangle_of
from firstcontact.bodies.wide_body import WIDTH, NodeStack, WideBody
from firstcontact.bounds.block_gaps import measure_block
from firstcontact.bounds.swept_sphere import REACH, volume_of
from firstcontact.bounds.swept_sphere_gap import placed
from firstcontact.hierarchy.pair_key import HALF, LOWER
from firstcontact.motions.relative_motion import Placement
from firstcontact.narrowphase.convex.gjk import RelativePose
from firstcontact.narrowphase.convex.overlap_depth import least_depth
from firstcontact.narrowphase.convex.polytope import workspace
from firstcontact.narrowphase.convex.way_out import FEW_CORNERS
from firstcontact.narrowphase.triangles.closest_points import closest_point_triangle, triangle_point
from firstcontact.narrowphase.triangles.piercing_depth import crossing_depth
from firstcontact.narrowphase.triangles.triangle_distance import closest_triangle_triangle
from firstcontact.proximity.distance.closest_pair import pushed
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import norm, scale, sub
from firstcontact.shapes.convex import Convex

# Triangles nearest to the middle of the shape that are looked at for the deepest: the nearest, most often.
N_DEEPEST = 4

# Pairs of triangles that cross, of which the firmest is taken.
MAX_PAIRS = 256


class DepthRoom(NamedTuple):
    """Numbers and links of a polytope; nearest triangles and their distances."""

    numbers: Array
    links: NDArray[np.int64]
    nearest: NDArray[np.int64]
    distances: Array


@kernel
def depth_room() -> DepthRoom:
    """Make room for a thread."""
    numbers, links = workspace(FEW_CORNERS)
    return DepthRoom(numbers, links, np.empty(N_DEEPEST, np.int64), np.empty(N_DEEPEST))


@kernel
def deepest_triangle(
    shape: Convex, pool: Array, mesh: WideBody, place: Placement, stack: NodeStack, room: DepthRoom
) -> float:
    """How deep any of the triangles nearest to the middle of a shape is in it; 0 where none is."""
    frame, corners, depth = RelativePose(place.rotation, place.offset), mesh.triangles.reshape(-1), 0.0
    for k in range(_find_nearest(mesh, place, shape.reach + shape.radius, stack, room)):
        triangle = triangle_shape(mesh.triangles, int(np.int64(room.nearest[k])))
        found = least_depth(shape, triangle, pool, corners, frame, room.numbers, room.links)
        depth = max(depth, found)
    return depth


@kernel
def firmest_crossing(a: WideBody, b: WideBody, place: Placement, rounding: float, stack: NodeStack) -> float:
    """How firmly any edge of two meshes passes through any face of the other; 0 where none does.

    What has a radius may also be that deep within another's.
    """
    back = transposed(place.rotation)
    offset_back = scale(-1.0, mat_vec(back, place.offset))
    gaps, pairs, measured, _ = stack
    gaps[0], pairs[0], n, n_crossing, depth = 0.0, 0, 1, 0, 0.0
    while n > 0 and n_crossing < MAX_PAIRS:
        n -= 1
        i, j = pairs[n] >> HALF, pairs[n] & LOWER
        block_a, block_b, first = a.blocks_of[i], b.blocks_of[j], n
        if block_a < 0 and block_b < 0:
            one = placed_triangle(place, triangle_of(a.triangles, ~block_a))
            other = triangle_of(b.triangles, ~block_b)
            found = crossing_depth(one, other)
            radii = radius_of(a.triangles, ~block_a) + radius_of(b.triangles, ~block_b)
            if radii > 0.0:
                p, q = closest_triangle_triangle(one, other)
                found = max(found, radii - norm(sub(q, p)))
            depth, n_crossing = max(depth, found), n_crossing + (found > 0.0)
            continue
        if block_b < 0 or (block_a >= 0 and a.volumes[i, REACH] > b.volumes[j, REACH]):
            measure_block(placed(volume_of(b.volumes, j), back, offset_back), a.blocks[block_a], measured)
            for k in range(WIDTH):
                if measured[k] <= rounding:
                    n = pushed(gaps, pairs, first, n, measured[k], (a.nodes[block_a, k] << HALF) | j)
        else:
            volume = placed(volume_of(a.volumes, i), place.rotation, place.offset)
            measure_block(volume, b.blocks[block_b], measured)
            for k in range(WIDTH):
                if measured[k] <= rounding:
                    n = pushed(gaps, pairs, first, n, measured[k], (i << HALF) | b.nodes[block_b, k])
    return depth


@kernel
def _find_nearest(mesh: WideBody, place: Placement, reach: float, stack: NodeStack, room: DepthRoom) -> int:
    """Write the triangles nearest to the shape's origin, within its reach, nearest first; how many."""
    (nearest, distances), middle = (room.nearest, room.distances), place.offset
    gaps, waiting = stack.gaps, stack.waiting
    gaps[0], waiting[0], top, n = 0.0, 0, 1, 0
    while top > 0:
        top -= 1
        limit = distances[N_DEEPEST - 1] if n == N_DEEPEST else reach
        if gaps[top] > limit:
            continue
        block, first = mesh.blocks_of[waiting[top]], top
        if block >= 0:
            for k in range(WIDTH):
                node = int(np.int64(mesh.nodes[block, k]))
                if node < 0:
                    continue
                apart = norm(sub(volume_of(mesh.volumes, node).center, middle)) - mesh.volumes[node, REACH]
                if apart <= limit:
                    top = pushed(gaps, waiting, first, top, apart, node)
            continue
        t = triangle_of(mesh.triangles, ~block)
        q = triangle_point(t[0], t[1], t[2], closest_point_triangle(middle, t[0], t[1], t[2]))
        distance = norm(sub(q, middle)) - radius_of(mesh.triangles, ~block)
        if distance <= limit:
            n = min(n + 1, N_DEEPEST)
            k = n - 1
            while k > 0 and distances[k - 1] > distance:
                distances[k], nearest[k] = distances[k - 1], nearest[k - 1]
                k -= 1
            distances[k], nearest[k] = distance, ~block
    return n
