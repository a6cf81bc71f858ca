"""Pairs of triangles of two bodies that are near each other at an instant."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.placed_triangle import placed_triangle, radius_of, triangle_of
from firstcontact.bounds.swept_sphere import REACH, volume_of
from firstcontact.bounds.swept_sphere_gap import gap_volume_volume, placed
from firstcontact.motions.relative_motion import Placement, placement_at, relative_motion, rounding_error
from firstcontact.narrowphase.triangles.triangle_distance import closest_triangle_triangle
from firstcontact.scalar.vec3 import Vec3, norm, sub

# Pairs listed unless told otherwise. Bodies that overlap may have any number; a first contact has a few.
MAX_PAIRS = 65_536

# Distances are told apart from zero, and from each other, where they differ by this many times what rounding
# may hide: closest points of triangles are as exact. No tolerance is less: a search aims at half of it, where
# closest points, off by one 32nd of their distance, still have a direction, and steps along it a length.
FLOOR = 64.0


class NearPairs(NamedTuple):
    """Pairs of triangles, in the order in which they are met.

    triangles : (n, 2) int32, numbered as in the bodies
    distances : (n,) float64
    is_truncated : whether there are more
    """

    triangles: NDArray[np.int32]
    distances: Array
    is_truncated: bool


class Instant(NamedTuple):
    """Two bodies at a time: where a is, seen from b, and how much of a distance rounding may hide."""

    place: Placement
    rounding: float


Row = Array  # one row of `RigidMotion.rows`, (24,)


def near_pairs(
    a: Body, b: Body, row_a: Row, row_b: Row, t: float, distance: float, max_pairs: int = MAX_PAIRS
) -> NearPairs:
    """List the pairs of triangles within a distance at a time, which is widened by FLOOR times rounding."""
    if len(a.children) == 0 or len(b.children) == 0:
        return NearPairs(np.empty((0, 2), np.int32), np.empty(0), False)
    triangles, distances = np.empty((max_pairs, 2), np.int32), np.empty(max_pairs)
    n, is_truncated = _list_pairs(a, b, row_a, row_b, (t, distance), triangles, distances)
    return NearPairs(triangles[:n], distances[:n], is_truncated)


@driver
def _list_pairs(
    a: Body,
    b: Body,
    row_a: Row,
    row_b: Row,
    asked: tuple[float, float],
    triangles: NDArray[np.int32],
    distances: Array,
) -> tuple[int, bool]:
    now = instant(a.origin, b.origin, (a.reach, b.reach), row_a, row_b, asked[0])
    return collect_pairs(a, b, now, asked[1] + FLOOR * now.rounding, triangles, distances)


@kernel
def instant(
    origin_a: Vec3, origin_b: Vec3, reaches: tuple[float, float], row_a: Row, row_b: Row, t: float
) -> Instant:
    """Place two bodies, of these origins and reaches, at a time."""
    motion = relative_motion(row_a, row_b, origin_a, origin_b)
    return Instant(placement_at(motion, t), rounding_error(motion, reaches[0], reaches[1], row_a, row_b))


@kernel
def collect_pairs(
    a: Body, b: Body, now: Instant, distance: float, triangles: NDArray[np.int32], distances: Array
) -> tuple[int, bool]:
    """Write pairs within a distance, of bodies that have triangles; how many, and whether there are more."""
    children_a, volumes_a, triangles_a = a.children, a.volumes, a.triangles
    children_b, volumes_b, triangles_b = b.children, b.volumes, b.triangles
    place, limit = now.place, distance + now.rounding
    # A pair is taken off, two are put on: one more at most for each level of either tree.
    stack = np.zeros((a.depth + b.depth + 2, 2), np.int64)
    n, top = 0, 1
    while top > 0:
        top -= 1
        i, j = stack[top, 0], stack[top, 1]
        volume_a = placed(volume_of(volumes_a, i), place.rotation, place.offset)
        if gap_volume_volume(volume_a, volume_of(volumes_b, j))[0] > limit:
            continue
        is_leaf_a, is_leaf_b = children_a[i, 0] < 0, children_b[j, 0] < 0
        if is_leaf_a and is_leaf_b:
            p, q = ~children_a[i, 0], ~children_b[j, 0]
            triangle_a = placed_triangle(place, triangle_of(triangles_a, p))
            x, y = closest_triangle_triangle(triangle_a, triangle_of(triangles_b, q))
            radii = radius_of(triangles_a, p) + radius_of(triangles_b, q)
            apart = max(norm(sub(y, x)) - radii, 0.0)
            if apart <= distance:
                if n == len(triangles):
                    return n, True
                triangles[n, 0], triangles[n, 1], distances[n] = p, q, apart
                n += 1
            continue
        is_a = is_leaf_b or (not is_leaf_a and volumes_a[i, REACH] > volumes_b[j, REACH])
        for k in range(2):
            child = 1 - k  # the first child is put on last, and looked at first
            stack[top, 0] = children_a[i, child] if is_a else i
            stack[top, 1] = j if is_a else children_b[j, child]
            top += 1
    return n, False
