"""Whether surfaces of two meshes touch, by trees of oriented boxes, for a batch of poses.

Pairs of triangles that boxes leave are decided as `mesh_distance` decides them, to the last digit: boxes only
leave out what is farther apart, so that the answers are the same.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.oriented_body import OrientedBody, oriented_body_of
from firstcontact.bounds.oriented_box import FIFTEEN_AXES
from firstcontact.hierarchy.oriented_traversal import (
    N_COUNTS,
    OrientedPairing,
    next_oriented_pairs,
    oriented_stack_size,
)
from firstcontact.hierarchy.oriented_tree import WIDTH
from firstcontact.hierarchy.shares import NO_LIMIT
from firstcontact.motions.relative_motion import Placement, placement_at, relative_motion, rounding_error
from firstcontact.proximity.distance.closest_pair import measured_pair
from firstcontact.proximity.distance.mesh_distance import NEAR, WORTH_A_THREAD
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.vec3 import norm
from firstcontact.shapes.mesh import Mesh

# Pairs of triangles that are looked at between two looks at boxes: one that touches ends the search.
PAIRS_AT_ONCE = 16


class RestingPoses(NamedTuple):
    """Poses of two bodies, rows (n, 26) of each motion, or (1, 26) for all, and what is found of them.

    within : how near counts as touching
    touches : (n,) bool
    """

    rows_a: Array
    rows_b: Array
    within: float
    touches: NDArray[np.bool_]


def oriented_intersections(
    a: Mesh, b: Mesh, rows_a: Array, rows_b: Array, within: float = 0.0
) -> NDArray[np.bool_]:
    """Whether surfaces at rest are within a distance, to rounding: as `mesh_intersections` says."""
    n = len(rows_b) if len(rows_a) == 1 else len(rows_a)
    poses = RestingPoses(rows_a, rows_b, within, np.zeros(n, np.bool_))
    if a.n_faces > 0 and b.n_faces > 0:
        one, other = oriented_body_of(a), oriented_body_of(b)
        room = oriented_stack_size(one.tree, other.tree)
        on_ranges(lambda first, last: _touch_range(one, other, poses, room, first, last), n, WORTH_A_THREAD)
    return poses.touches


@driver
def _touch_range(
    a: OrientedBody, b: OrientedBody, poses: RestingPoses, room: int, first: int, last: int
) -> None:
    stack, pairs = np.empty((room, 2), np.int32), np.empty((PAIRS_AT_ONCE, 2), np.int32)
    rows_a, rows_b = poses.rows_a, poses.rows_b
    for i in range(first, last):
        row_a, row_b = rows_a[min(i, len(rows_a) - 1)], rows_b[min(i, len(rows_b) - 1)]
        motion = relative_motion(row_a, row_b, a.origin, b.origin)
        place = placement_at(motion, 0.0)
        rounding = rounding_error(motion, a.reach, b.reach, row_a, row_b)
        margin = poses.within + NEAR * rounding
        margin += FIFTEEN_AXES * (norm(place.offset) + a.reach + b.reach) + SHORTEST
        pairing = OrientedPairing(a.tree, b.tree, place.rotation, place.offset, margin, False)
        enough = poses.within + rounding
        poses.touches[i] = _touch(a.triangles, b.triangles, pairing, place, enough, (stack, pairs))


@kernel
def _touch(
    triangles_a: Array,
    triangles_b: Array,
    pairing: OrientedPairing,
    place: Placement,
    enough: float,
    room: tuple[Ids, Ids],
) -> bool:
    """Is a pair of triangles within a distance?"""
    stack, pairs = room
    counts, gaps, top = np.zeros(N_COUNTS, np.int64), np.empty(WIDTH), 1
    stack[0, 0] = stack[0, 1] = 0
    while top > 0:
        n, top = next_oriented_pairs(pairing, stack, top, int(np.int64(NO_LIMIT)), pairs, counts, gaps)
        for k in range(n):
            found = measured_pair(triangles_a, pairs[k, 0], triangles_b, pairs[k, 1], place, enough)
            if found[0] <= enough:
                return True
    return False
