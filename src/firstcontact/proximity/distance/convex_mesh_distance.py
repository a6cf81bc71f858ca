"""Distance and intersection of a convex shape, a solid, and a mesh, a surface, for a batch of poses."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import INFINITY, Array, Ids
from firstcontact.bodies.convex_mesh_volume import (
    BoundedShape,
    bounding_volumes,
    triangle_shape,
    volume_shape,
)
from firstcontact.bodies.packed_body import LARGEST as LARGEST_OF_BODY
from firstcontact.bodies.packed_body import wide_body_in
from firstcontact.bodies.placed_triangle import radius_of, triangle_of
from firstcontact.bodies.wide_body import WIDTH, NodeStack, WideBody, node_stack
from firstcontact.bounds.block_gaps import measure_block
from firstcontact.bounds.swept_sphere import volume_of
from firstcontact.bounds.swept_sphere_gap import half_extent, placed
from firstcontact.motions.relative_motion import (
    MEASURED,
    Placement,
    placement_at,
    relative_motion,
    rounding_error,
)
from firstcontact.motions.rigid_motion import position_of
from firstcontact.motions.short_rows import is_resting
from firstcontact.narrowphase.convex.gjk import (
    EXACT,
    ClosestCores,
    Precision,
    RelativePose,
    closest_convex_convex,
    core_distance,
)
from firstcontact.narrowphase.convex.told_pair import told_pair
from firstcontact.narrowphase.triangles.closest_points import closest_point_triangle, triangle_point
from firstcontact.proximity.distance.closest_pair import (
    N_COUNTS,
    TRIANGLE_TESTS,
    VOLUME_TESTS,
    DistanceGoal,
    pushed,
)
from firstcontact.proximity.distance.mesh_distance import (
    NEAR,
    NO_LEEWAY,
    Leeway,
    Measured,
    forgotten,
    goal_for,
    told_within,
)
from firstcontact.proximity.distance.single_distance import LEFT, told_distance, write_faces, write_points
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import Triangle, Vec3, add, dot, norm, scale, sub
from firstcontact.shapes.convex import POINT, SEGMENT, Convex, ConvexTable, convex_at, origin_at
from firstcontact.shapes.cores import support
from firstcontact.shapes.packed_convex import LARGEST, records_in

# Pairs of poses from which several threads are worth their start.
WORTH_A_THREAD = 64

# How well the gap of a shape and a volume is to be known, as a part of it and of the least distance so far.
COARSE = 0.1


class ClosestTriangle(NamedTuple):
    """The triangle of a mesh closest to a shape, in the frame of the mesh; -1 where there is none."""

    distance: float
    point_a: Vec3
    point_b: Vec3
    triangle: int


class SolidShape(NamedTuple):
    """A convex shape with its volume, and its origin."""

    bounded: BoundedShape
    origin: Vec3


class ConvexMeshPoses(NamedTuple):
    """A shape, the volume around it, a mesh, poses of each: rows (n, 26), or (1, 26) for all; and leeway."""

    table: ConvexTable
    volumes: Array
    mesh: WideBody
    rows_a: Array
    rows_b: Array
    leeway: Leeway


def convex_mesh_distances(
    table: ConvexTable, mesh: WideBody, rows_a: Array, rows_b: Array, leeway: Leeway = NO_LEEWAY
) -> Measured:
    """Measure the first shape of a table, and a mesh, at rest: rows (n, 26) of each, or (1, 26) for all.

    The distance is 0 where a triangle reaches into the shape; then both points are the same.
    """
    n = len(rows_b) if len(rows_a) == 1 else len(rows_a)
    measured = Measured(
        np.full(n, np.inf),
        np.full((n, 2, 3), np.nan),
        np.full((n, 2), -1, np.int32),
        np.zeros((n, N_COUNTS), np.int64),
    )
    if len(mesh.triangles) > 0:
        batch = ConvexMeshPoses(table, bounding_volumes(table), mesh, rows_a, rows_b, leeway)
        on_ranges(lambda first, last: _measure_range(batch, measured, first, last), n, WORTH_A_THREAD)
    return forgotten(measured)


def convex_mesh_intersections(
    table: ConvexTable, mesh: WideBody, rows_a: Array, rows_b: Array, within: float = 0.0
) -> NDArray[np.bool_]:
    """Whether a triangle reaches into the first shape of a table, or is within a distance, to rounding."""
    n = len(rows_b) if len(rows_a) == 1 else len(rows_a)
    touches = np.zeros(n, np.bool_)
    if len(mesh.triangles) > 0:
        leeway = Leeway(within, 0.0)
        batch = ConvexMeshPoses(table, bounding_volumes(table), mesh, rows_a, rows_b, leeway)
        on_ranges(lambda first, last: _touch_range(batch, touches, first, last), n, WORTH_A_THREAD)
    return touches


@driver
def _measure_range(batch: ConvexMeshPoses, measured: Measured, first: int, last: int) -> None:
    mesh, rows_a, rows_b = batch.mesh, batch.rows_a, batch.rows_b
    stack = node_stack(mesh.depth)
    one = solid_in(batch.table.records, batch.table.pool, batch.volumes, stack)
    for i in range(first, last):
        row_a, row_b = rows_a[min(i, len(rows_a) - 1)], rows_b[min(i, len(rows_b) - 1)]
        best = closest_triangle_at_rest(one, mesh, row_a, row_b, stack, measured.counts[i], batch.leeway)
        measured.distance[i], measured.faces[i, 1] = best.distance, mesh.order[best.triangle]
        for k in range(3):
            measured.points[i, 0, k], measured.points[i, 1, k] = best.point_a[k], best.point_b[k]


@driver
def _touch_range(batch: ConvexMeshPoses, touches: NDArray[np.bool_], first: int, last: int) -> None:
    mesh, rows_a, rows_b = batch.mesh, batch.rows_a, batch.rows_b
    stack = node_stack(mesh.depth)
    one = solid_in(batch.table.records, batch.table.pool, batch.volumes, stack)
    counts = np.zeros(N_COUNTS, np.int64)
    for i in range(first, last):
        row_a, row_b = rows_a[min(i, len(rows_a) - 1)], rows_b[min(i, len(rows_b) - 1)]
        touches[i] = touch_at_rest(one, mesh, row_a, row_b, stack, counts, batch.leeway.within)


@driver
def measure_convex_body(
    packed: Array, volume: Array, rows_a: Array, numbers: Array, links: Ids, rows_b: Array, out: Array
) -> float:
    """Measure a single pair into the columns of `single_distance`; LEFT where they move, or nearly touch."""
    if not (is_resting(rows_a) and is_resting(rows_b)):
        return LEFT
    mesh = wide_body_in(numbers, links)
    stack = node_stack(mesh.depth)
    one = solid_in(records_in(packed), packed, volume, stack)
    counts = np.zeros(N_COUNTS, np.int64)
    best = closest_triangle_at_rest(one, mesh, rows_a, rows_b, stack, counts, Leeway(INFINITY, 0.0))
    write_points(out, best.distance, best.point_a, best.point_b)
    write_faces(out, -1.0, float(mesh.order[best.triangle]), counts)
    return told_distance(out, packed[LARGEST], numbers[LARGEST_OF_BODY])


@driver
def touch_convex_body(
    packed: Array, volume: Array, rows_a: Array, numbers: Array, links: Ids, rows_b: Array
) -> int:
    """Answer for a single pair, 1 or 0; -1 where they move."""
    if not (is_resting(rows_a) and is_resting(rows_b)):
        return -1
    mesh = wide_body_in(numbers, links)
    stack = node_stack(mesh.depth)
    one = solid_in(records_in(packed), packed, volume, stack)
    return int(touch_at_rest(one, mesh, rows_a, rows_b, stack, np.zeros(N_COUNTS, np.int64), 0.0))


@kernel
def solid_in(records: Array, pool: Array, volumes: Array, stack: NodeStack) -> SolidShape:
    """Read the first shape of a table, with the volume around it."""
    zero = int(np.int64(0))  # not a plain zero: functions are compiled for a constant argument apart
    shape, volume = convex_at(records, zero), volume_of(volumes, zero)
    return SolidShape(BoundedShape(shape, pool, volume, stack.rectangle), origin_at(records, zero))


@kernel
def closest_triangle_at_rest(
    one: SolidShape,
    mesh: WideBody,
    row_a: Array,
    row_b: Array,
    stack: NodeStack,
    counts: NDArray[np.int64],
    leeway: Leeway,
) -> ClosestTriangle:
    """Find the triangle closest to a shape, both at rest, and the closest points in the world."""
    motion = relative_motion(row_a, row_b, one.origin, mesh.origin)
    place = placement_at(motion, 0.0)
    # The volume and the shape are placed alike: how exactly does not matter to their comparison.
    far, reach = norm(place.offset), one.bounded.volume.reach + mesh.reach
    hidden = rounding_error(motion, one.bounded.volume.reach, mesh.reach, row_a, row_b)
    goal = goal_for(leeway, far - reach, MEASURED * (far + reach) + SHORTEST, hidden)
    best = closest_triangle(one.bounded, mesh, place, goal, stack, counts)
    turned, lever, at = motion.spin_b.rotation, motion.spin_b.lever, position_of(row_b)
    point_a = add(at, mat_vec(turned, add(lever, best.point_a)))
    point_b = add(at, mat_vec(turned, add(lever, best.point_b)))
    distance = told_within(leeway, best.distance, hidden) if best.triangle >= 0 else INFINITY
    return ClosestTriangle(distance, point_a, point_b, best.triangle)


@kernel
def touch_at_rest(
    one: SolidShape,
    mesh: WideBody,
    row_a: Array,
    row_b: Array,
    stack: NodeStack,
    counts: NDArray[np.int64],
    within: float,
) -> bool:
    """Does a triangle reach into a shape, or is within a distance of it, to rounding?"""
    motion = relative_motion(row_a, row_b, one.origin, mesh.origin)
    rounding = rounding_error(
        motion, one.bounded.shape.reach + one.bounded.shape.radius, mesh.reach, row_a, row_b
    )
    enough, place = within + rounding, placement_at(motion, 0.0)
    goal = DistanceGoal(within + NEAR * rounding, enough, rounding)
    return closest_triangle(one.bounded, mesh, place, goal, stack, counts).distance <= enough


@kernel
def closest_triangle(
    bounded: BoundedShape,
    mesh: WideBody,
    place: Placement,
    goal: DistanceGoal,
    stack: NodeStack,
    counts: NDArray[np.int64],
) -> ClosestTriangle:
    """Find the triangle closest to a shape, of a mesh that has some: depth first, the nearer children first.

    As in `closest_pair`: the distance is least to two roundings.
    """
    (shape, pool, volume, rectangle), (gaps, waiting, measured, _) = bounded, stack
    triangles, blocks_of, nodes, blocks = mesh.triangles, mesh.blocks_of, mesh.nodes, mesh.blocks
    frame, is_round = RelativePose(place.rotation, place.offset), shape.kind <= SEGMENT
    around = placed(volume, place.rotation, place.offset)
    best, n = ClosestTriangle(goal.within, place.offset, place.offset, -1), 1
    gaps[0], waiting[0] = norm(place.offset) - volume.reach - mesh.reach, 0
    guess, front = scale(-1.0, place.offset), INFINITY
    while n > 0 and best.distance > goal.enough:
        n -= 1
        # Whoever is dropped is nearer than the best by two roundings at most, and never in contact.
        limit = max(best.distance - goal.rounding, 2.0 * goal.rounding)
        if gaps[n] >= limit:
            continue
        i = waiting[n]
        block, node = blocks_of[i], volume_of(mesh.volumes, i)
        # The direction of the best so far may prove as much of others.
        if dot(guess, node.center) - half_extent(node, guess) - node.radius - front >= limit:
            continue
        if block >= 0:
            if not is_round and limit < INFINITY:
                thing = volume_shape(node, rectangle)
                precision = Precision(COARSE, shape.radius + thing.radius - limit, 0.0)
                found = closest_convex_convex(shape, thing, pool, rectangle, frame, guess, precision)
                if found.gap - shape.radius - thing.radius >= limit:
                    continue
            counts[VOLUME_TESTS] += WIDTH
            measure_block(around, blocks[block], measured)
            first = n
            for k in range(WIDTH):
                if measured[k] < limit:
                    n = pushed(gaps, waiting, first, n, measured[k], int(np.int64(nodes[block, k])))
            continue
        counts[TRIANGLE_TESTS] += 1
        found = measured_triangle(
            shape, pool, triangles, int(~block), frame, guess, DistanceGoal(limit, goal.enough, 0.0)
        )
        radius = radius_of(triangles, ~block)
        distance = max(core_distance(found) - shape.radius - radius, 0.0)
        if goal.enough > 0.0 and not found.gap - shape.radius - radius > goal.enough:
            distance = min(distance, goal.enough)  # not proven farther
        if distance < min(best.distance, limit):
            guess = found.direction
            front = _front(shape, pool, frame, guess)
            _, point_a, point_b = told_pair(found, shape.radius, radius)
            best = ClosestTriangle(distance, point_a, point_b, ~block)
    return best


@kernel
def measured_triangle(
    shape: Convex, pool: Array, triangles: Array, i: int, frame: RelativePose, guess: Vec3, goal: DistanceGoal
) -> ClosestCores:
    """Closest points of a core and a triangle; if that is proven to be beyond goal.within, only about."""
    if shape.kind == POINT:
        return _closest_point(frame.offset, triangle_of(triangles, i))
    triangle, corners = triangle_shape(triangles, i), triangles.reshape(-1)
    radii = shape.radius + triangle.radius
    if goal.enough > 0.0:
        precision = Precision(1.0, radii + goal.enough, 0.0)
        return closest_convex_convex(shape, triangle, pool, corners, frame, guess, precision)
    if goal.within < INFINITY:
        precision = Precision(COARSE, radii - goal.within, 0.0)
        found = closest_convex_convex(shape, triangle, pool, corners, frame, guess, precision)
        guess = found.direction
        if found.gap - radii >= goal.within:
            return found
    return closest_convex_convex(shape, triangle, pool, corners, frame, guess, EXACT)


@kernel
def _closest_point(p: Vec3, t: Triangle) -> ClosestCores:
    """Closest points of a point and a triangle."""
    q = triangle_point(t[0], t[1], t[2], closest_point_triangle(p, t[0], t[1], t[2]))
    e = sub(q, p)
    distance = norm(e)
    n = scale(1.0 / distance, e) if distance > SHORTEST else (1.0, 0.0, 0.0)
    gap = min(min(dot(n, sub(t[0], p)), dot(n, sub(t[1], p))), dot(n, sub(t[2], p)))
    return ClosestCores(distance, gap, n, p, q, 1)


@kernel
def _front(shape: Convex, pool: Array, frame: RelativePose, n: Vec3) -> float:
    """How far a shape reaches along a direction."""
    p = mat_vec(frame.rotation, support(shape, pool, mat_vec(transposed(frame.rotation), n)))
    return dot(n, add(frame.offset, p)) + shape.radius
