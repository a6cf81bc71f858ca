"""Two meshes, or a convex shape and a mesh, pose after pose: the closest triangles, and how wide the gap was.

The distance of the triangles that were closest bounds that of the next pose from above. Of two meshes, a list
of near pairs spares the search, see `pair_list`. And as long as no point has gone as far as the gap was wide,
the bodies are apart.
"""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import INFINITY, Array, Ids
from firstcontact.bodies.packed_body import LARGEST as LARGEST_OF_BODY
from firstcontact.bodies.packed_body import body_in, wide_body_in
from firstcontact.bodies.placed_triangle import radius_of
from firstcontact.bodies.wide_body import NodeStack, WideBody, node_stack
from firstcontact.motions.relative_motion import (
    MEASURED,
    Placement,
    placement_at,
    relative_motion,
    rounding_error,
)
from firstcontact.narrowphase.convex.gjk import RelativePose
from firstcontact.narrowphase.convex.told_pair import told_pair
from firstcontact.proximity.distance.closest_pair import (
    N_COUNTS,
    TRIANGLE_TESTS,
    ClosestPair,
    DistanceGoal,
    closest_pair,
    measured_pair,
)
from firstcontact.proximity.distance.convex_mesh_distance import (
    SolidShape,
    closest_triangle,
    measured_triangle,
    solid_in,
)
from firstcontact.proximity.distance.convex_mesh_distance import touch_at_rest as touch_solid_at_rest
from firstcontact.proximity.distance.mesh_distance import NEAR, seen_in_world, touch_at_rest
from firstcontact.proximity.distance.single_distance import DISTANCE, told_distance, write_faces, write_points
from firstcontact.proximity.touching.near_pairs import Instant
from firstcontact.proximity.tracking.pair_list import (
    N_LIST,
    closest_listed,
    list_pairs,
    way_from,
    write_place,
)
from firstcontact.proximity.tracking.tracked_poses import ROW_A, ROW_B
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.vec3 import norm, scale
from firstcontact.shapes.packed_convex import LARGEST, records_in

# What is known, in columns.
TRIANGLE_A = 0  # the closest ones; -1 for none
TRIANGLE_B = 1
GAP = 2  # how far apart the bodies were, at the least
ROTATION = 3  # nine: where a was then, as seen from b
OFFSET = 12  # three
LIST = 15  # of two meshes, pairs of triangles that were near each other, in the columns of `pair_list`
N_STATE = LIST + N_LIST

# A gap must be wider than the way by this, in units of what rounding may hide, for bodies to be apart.
CLEAR = 2.0 * NEAR


@driver
def measure_tracked_bodies(
    numbers_a: Array, links_a: Ids, numbers_b: Array, links_b: Ids, state: Array, out: Array
) -> float:
    """Measure two meshes; LEFT where they nearly touch."""
    _measure_meshes(numbers_a, links_a, numbers_b, links_b, state, out)
    return told_distance(out, numbers_a[LARGEST_OF_BODY], numbers_b[LARGEST_OF_BODY])


@driver
def touch_tracked_bodies(
    numbers_a: Array, links_a: Ids, numbers_b: Array, links_b: Ids, state: Array, out: Array
) -> bool:
    """Have two meshes a common point?"""
    a, b = body_in(numbers_a, links_a), body_in(numbers_b, links_b)
    row_a, row_b = out[ROW_A:ROW_B], out[ROW_B:]
    motion = relative_motion(row_a, row_b, a.origin, b.origin)
    rounding = rounding_error(motion, a.reach, b.reach, row_a, row_b)
    if _gap_left(placement_at(motion, 0.0), a.reach, state) > CLEAR * rounding:
        return False
    _measure_meshes(numbers_a, links_a, numbers_b, links_b, state, out)
    if out[DISTANCE] > CLEAR * rounding:
        return False
    wide_a, wide_b = wide_body_in(numbers_a, links_a), wide_body_in(numbers_b, links_b)
    stack = node_stack(a.depth + b.depth)
    return touch_at_rest(wide_a, wide_b, row_a, row_b, stack, np.zeros(N_COUNTS, np.int64), 0.0)


@driver
def measure_tracked_convex(
    packed: Array, volume: Array, numbers: Array, links: Ids, state: Array, out: Array
) -> float:
    """Measure a convex shape and a mesh; LEFT where they nearly touch."""
    mesh = wide_body_in(numbers, links)
    stack = node_stack(mesh.depth)
    _measure_solid(solid_in(records_in(packed), packed, volume, stack), mesh, stack, state, out)
    return told_distance(out, packed[LARGEST], numbers[LARGEST_OF_BODY])


@driver
def touch_tracked_convex(
    packed: Array, volume: Array, numbers: Array, links: Ids, state: Array, out: Array
) -> bool:
    """Have a convex shape and a mesh a common point?"""
    mesh = wide_body_in(numbers, links)
    stack = node_stack(mesh.depth)
    one = solid_in(records_in(packed), packed, volume, stack)
    shape = one.bounded.shape
    row_a, row_b = out[ROW_A:ROW_B], out[ROW_B:]
    motion, reach = relative_motion(row_a, row_b, one.origin, mesh.origin), shape.reach + shape.radius
    rounding = rounding_error(motion, reach, mesh.reach, row_a, row_b)
    if _gap_left(placement_at(motion, 0.0), reach, state) > CLEAR * rounding:
        return False
    _measure_solid(one, mesh, stack, state, out)
    if out[DISTANCE] > CLEAR * rounding:
        return False
    return touch_solid_at_rest(one, mesh, row_a, row_b, stack, np.zeros(N_COUNTS, np.int64), 0.0)


@kernel
def _measure_meshes(
    numbers_a: Array, links_a: Ids, numbers_b: Array, links_b: Ids, state: Array, out: Array
) -> None:
    """Measure two meshes: by the list of near pairs, or from the last closest triangles on."""
    a, b = body_in(numbers_a, links_a), body_in(numbers_b, links_b)
    row_b, counts, known = out[ROW_B:], np.zeros(N_COUNTS, np.int64), state[LIST:]
    motion = relative_motion(out[ROW_A:ROW_B], row_b, a.origin, b.origin)
    place = placement_at(motion, 0.0)
    rounding = MEASURED * (norm(place.offset) + a.reach + b.reach) + SHORTEST
    best = closest_listed(a, b, place, rounding, known)
    if best.triangle_a < 0:
        wide_a, wide_b = wide_body_in(numbers_a, links_a), wide_body_in(numbers_b, links_b)
        best = _closest_from_last(wide_a, wide_b, place, rounding, state, counts)
        way = way_from(place, a.reach, state, ROTATION) if state[TRIANGLE_A] >= 0.0 else 0.0
        list_pairs(a, b, Instant(place, rounding), best.distance, way, known)
    point_a, point_b = seen_in_world(motion, row_b, best.point_a), seen_in_world(motion, row_b, best.point_b)
    write_points(out, best.distance, point_a, point_b)
    write_faces(out, float(a.order[best.triangle_a]), float(b.order[best.triangle_b]), counts)
    _keep(best.triangle_a, best.triangle_b, best.distance - 2.0 * rounding, place, state)


@kernel
def _closest_from_last(
    a: WideBody, b: WideBody, place: Placement, rounding: float, state: Array, counts: NDArray[np.int64]
) -> ClosestPair:
    """Search the trees for what is closer than the triangles that were closest the last time."""
    stack = node_stack(a.depth + b.depth)
    last = ClosestPair(INFINITY, place.offset, place.offset, int(state[TRIANGLE_A]), int(state[TRIANGLE_B]))
    if last.triangle_a >= 0:
        counts[TRIANGLE_TESTS] += 1
        distance, p, q = measured_pair(a.triangles, last.triangle_a, b.triangles, last.triangle_b, place, 0.0)
        last = ClosestPair(distance, p, q, last.triangle_a, last.triangle_b)
    best = closest_pair(a, b, place, DistanceGoal(last.distance, 0.0, rounding), stack, counts)
    return best if best.triangle_a >= 0 else last


@kernel
def _measure_solid(one: SolidShape, mesh: WideBody, stack: NodeStack, state: Array, out: Array) -> None:
    """Measure a convex shape and a mesh, from the last closest triangle on."""
    row_b, counts = out[ROW_B:], np.zeros(N_COUNTS, np.int64)
    motion = relative_motion(out[ROW_A:ROW_B], row_b, one.origin, mesh.origin)
    place, shape = placement_at(motion, 0.0), one.bounded.shape
    rounding = MEASURED * (norm(place.offset) + one.bounded.volume.reach + mesh.reach) + SHORTEST
    triangle, within, last_a, last_b = int(state[TRIANGLE_B]), INFINITY, place.offset, place.offset
    if triangle >= 0:
        counts[TRIANGLE_TESTS] += 1
        frame, free = RelativePose(place.rotation, place.offset), DistanceGoal(INFINITY, 0.0, 0.0)
        guess = scale(-1.0, place.offset)
        found = measured_triangle(shape, one.bounded.pool, mesh.triangles, triangle, frame, guess, free)
        radius = radius_of(mesh.triangles, triangle)
        within, last_a, last_b = told_pair(found, shape.radius, radius)
    goal = DistanceGoal(within, 0.0, rounding)
    best = closest_triangle(one.bounded, mesh, place, goal, stack, counts)
    if best.triangle >= 0:
        triangle, within, last_a, last_b = best.triangle, best.distance, best.point_a, best.point_b
    write_points(out, within, seen_in_world(motion, row_b, last_a), seen_in_world(motion, row_b, last_b))
    write_faces(out, -1.0, float(mesh.order[triangle]), counts)
    _keep(0, triangle, within - 2.0 * rounding, place, state)


@kernel
def _keep(triangle_a: int, triangle_b: int, gap: float, place: Placement, state: Array) -> None:
    """Write what was learned."""
    state[TRIANGLE_A], state[TRIANGLE_B], state[GAP] = triangle_a, triangle_b, gap
    write_place(place, state, ROTATION)


@kernel
def _gap_left(place: Placement, reach: float, state: Array) -> float:
    """How wide the last gap is at the least, after no point of a has gone farther than this since."""
    if state[TRIANGLE_B] < 0.0:
        return -INFINITY
    gap: float = state[GAP] - way_from(place, reach, state, ROTATION)
    return gap
