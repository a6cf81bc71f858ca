"""The gap of two shapes at a time, as far as it matters.

The outlines of meshes come first. If their gap does not settle it, that of the meshes is measured.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.articulated.model.world_shapes import Geometries
from firstcontact.articulated.paths.shape_states import ORIGIN, turn_at, vector_at
from firstcontact.bodies.convex_mesh_volume import BoundedShape
from firstcontact.bodies.mesh_table import MeshTable, mesh_at
from firstcontact.bodies.wide_body import NodeStack
from firstcontact.bounds.swept_sphere import volume_of
from firstcontact.motions.relative_motion import Placement
from firstcontact.narrowphase.convex.gjk import Precision, RelativePose, closest_from, no_simplex
from firstcontact.proximity.distance.closest_pair import DistanceGoal, closest_pair
from firstcontact.proximity.distance.convex_mesh_distance import closest_triangle
from firstcontact.scalar.mat3 import Mat3, mat_mul, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, dot, scale, sub
from firstcontact.shapes.convex import convex_at, origin_at

# A gap is known well enough when what is left of the work would widen it by this part at most.
PART = 0.25


class Gap(NamedTuple):
    """Two shapes at a time: a proven lower bound of their distance, and an upper one, to rounding.

    direction : unit vector from a to b, in the world; along it there is the gap
    """

    least: float
    most: float
    direction: Vec3


@kernel
def convex_gap(
    records: Array, pool: Array, shape_states: Array, pair: NDArray[np.int32], guide: Array, asked: Precision
) -> Gap:
    """Gap of two convex shapes; the search begins along the guide (3,), and leaves there where it ended.

    asked : how well it is to be known, of the shapes with their radii
    """
    a, b = int(np.int64(pair[0])), int(np.int64(pair[1]))
    shape_a, shape_b = convex_at(records, a), convex_at(records, b)
    frame = relative_pose(shape_states, a, b)
    guess = guide[0], guide[1], guide[2]
    if dot(guess, guess) == 0.0:
        guess = scale(-1.0, frame.offset)
    radii = shape_a.radius + shape_b.radius
    precision = Precision(asked.part, radii + asked.margin, radii + asked.enough)
    closest, _ = closest_from(shape_a, shape_b, pool, pool, frame, no_simplex(guess), precision)
    n = closest.direction
    guide[0], guide[1], guide[2] = n
    return Gap(closest.gap - radii, closest.distance - radii, mat_vec(turn_at(shape_states, b), n))


@kernel
def relative_pose(shape_states: Array, a: int, b: int) -> RelativePose:
    """Where the shape a is, as seen from b."""
    back = transposed(turn_at(shape_states, b))
    apart = sub(vector_at(shape_states, a, ORIGIN), vector_at(shape_states, b, ORIGIN))
    return RelativePose(mat_mul(back, turn_at(shape_states, a)), mat_vec(back, apart))


@kernel
def mesh_distance(
    shapes: Geometries,
    meshes: MeshTable,
    shape_states: Array,
    pair: NDArray[np.int32],
    goal: DistanceGoal,
    stack: NodeStack,
    counts: NDArray[np.int64],
) -> float:
    """Distance of two things, one of which is a mesh or both; goal.within where it is no less than that."""
    a, b = int(np.int64(pair[0])), int(np.int64(pair[1]))
    if shapes.meshes[b] < 0:
        a, b = b, a
    mesh = mesh_at(meshes, int(np.int64(shapes.meshes[b])))
    rotation, offset = seen_from_mesh(shapes.records, mesh.origin, shape_states, a, b)
    shape, volume = convex_at(shapes.records, a), volume_of(shapes.volumes, a)
    bounded = BoundedShape(shape, shapes.pool, volume, stack.rectangle)
    found = closest_triangle(bounded, mesh, standing(rotation, offset), goal, stack, counts)
    if shapes.meshes[a] < 0 or found.distance >= goal.within:
        return found.distance
    # The outline of a is near: now a itself.
    other = mesh_at(meshes, int(np.int64(shapes.meshes[a])))
    offset = add(offset, mat_vec(rotation, sub(other.origin, origin_at(shapes.records, a))))
    return closest_pair(other, mesh, standing(rotation, offset), goal, stack, counts).distance


@kernel
def standing(rotation: Mat3, offset: Vec3) -> Placement:
    """A placement of what does not move."""
    nought = (0.0, 0.0, 0.0)
    return Placement(rotation, offset, nought, nought, 0.0, nought, nought, 0.0, nought)


@kernel
def seen_from_mesh(records: Array, origin: Vec3, shape_states: Array, a: int, b: int) -> tuple[Mat3, Vec3]:
    """Where the shape a is, as seen from the origin of the mesh whose outline is b."""
    turn = turn_at(shape_states, b)
    back, lever = transposed(turn), mat_vec(turn, sub(origin, origin_at(records, b)))
    apart = sub(vector_at(shape_states, a, ORIGIN), add(vector_at(shape_states, b, ORIGIN), lever))
    return mat_mul(back, turn_at(shape_states, a)), mat_vec(back, apart)
