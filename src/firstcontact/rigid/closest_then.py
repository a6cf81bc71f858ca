"""The closest triangles of two rigid bodies at a time."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.advancement.arrival import VOLUME_TESTS
from firstcontact.bodies.wide_body import NodeStack, node_stack
from firstcontact.motions.relative_motion import Placement
from firstcontact.proximity.distance.closest_pair import DistanceGoal, closest_pair
from firstcontact.proximity.distance.convex_mesh_distance import closest_triangle
from firstcontact.rigid.pair_kinds import Meshes, SolidMesh, bounded_in


@kernel
def stack_of(solid: SolidMesh | None, meshes: Meshes | None) -> NodeStack:
    """Make room for a traversal of the trees that there are."""
    depth = 1
    if solid is not None:
        depth = solid.wide.depth
    if meshes is not None:
        depth = meshes.wide_a.depth + meshes.wide_b.depth
    return node_stack(depth)


@kernel
def closest_then(
    solid: SolidMesh | None,
    meshes: Meshes | None,
    place: Placement,
    goal: DistanceGoal,
    stack: NodeStack,
    counts: NDArray[np.int64],
) -> tuple[float, tuple[int, int]]:
    """Distance of the closest triangles, and their numbers; -1 where none is near enough."""
    tests, none = counts[VOLUME_TESTS:], int(np.int64(-1))  # volumes and triangles
    found = goal.within, (none, none)
    if solid is not None:
        one = closest_triangle(bounded_in(solid, stack.rectangle), solid.wide, place, goal, stack, tests)
        found = one.distance, (none, int(np.int64(one.triangle)))
    if meshes is not None:
        two = closest_pair(meshes.wide_a, meshes.wide_b, place, goal, stack, tests)
        found = two.distance, (int(np.int64(two.triangle_a)), int(np.int64(two.triangle_b)))
    return found
