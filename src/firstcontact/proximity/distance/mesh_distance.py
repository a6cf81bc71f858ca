"""Distance and intersection of two bodies, for a batch of poses."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import INFINITY, Array, Ids
from firstcontact.bodies.packed_body import LARGEST, wide_body_in
from firstcontact.bodies.wide_body import NodeStack, WideBody, node_stack
from firstcontact.motions.relative_motion import (
    MEASURED,
    RelativeMotion,
    placement_at,
    relative_motion,
    rounding_error,
)
from firstcontact.motions.rigid_motion import position_of
from firstcontact.motions.short_rows import is_resting
from firstcontact.proximity.distance.closest_pair import N_COUNTS, ClosestPair, DistanceGoal, closest_pair
from firstcontact.proximity.distance.single_distance import LEFT, told_distance, write_faces, write_points
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Vec3, add, norm

# Pairs of poses from which several threads are worth their start.
WORTH_A_THREAD = 8

# Pairs of triangles farther apart than this, in units of what rounding may hide, do not touch. At four, no
# volume that holds one of the others is dropped.
NEAR = 4.0


class Leeway(NamedTuple):
    """What need not be known of a distance.

    within : whether it is larger than this is enough to know
    relative_error : it may be told larger by this part
    """

    within: float
    relative_error: float


NO_LEEWAY = Leeway(INFINITY, 0.0)


class Measured(NamedTuple):
    """Distances of n pairs of poses.

    distance : (n,) float64
    points : (n, 2, 3) float64, the closest points in the world; NaN where there are none
    faces : (n, 2) int32, of the meshes; -1 where there are none
    counts : (n, N_COUNTS) int64
    """

    distance: Array
    points: Array
    faces: NDArray[np.int32]
    counts: NDArray[np.int64]


def mesh_distances(
    a: WideBody, b: WideBody, rows_a: Array, rows_b: Array, leeway: Leeway = NO_LEEWAY
) -> Measured:
    """Measure bodies at rest: rows (n, 26) of each motion, or (1, 26) for all."""
    n = _common_length(rows_a, rows_b)
    measured = Measured(
        np.full(n, np.inf),
        np.full((n, 2, 3), np.nan),
        np.full((n, 2), -1, np.int32),
        np.zeros((n, N_COUNTS), np.int64),
    )
    if len(a.triangles) > 0 and len(b.triangles) > 0:

        def task(first: int, last: int) -> None:
            _measure_range(a, b, rows_a, rows_b, measured, leeway, (first, last))

        on_ranges(task, n, WORTH_A_THREAD)
    return forgotten(measured)


def forgotten(measured: Measured) -> Measured:
    """Forget points and faces of what is farther than matters: nothing but that is known of it."""
    is_far = measured.distance == np.inf
    measured.points[is_far], measured.faces[is_far] = np.nan, -1
    return measured


def mesh_intersections(
    a: WideBody, b: WideBody, rows_a: Array, rows_b: Array, within: float = 0.0
) -> NDArray[np.bool_]:
    """Whether surfaces at rest are within a distance, to rounding; rows as for `mesh_distances`."""
    n = _common_length(rows_a, rows_b)
    touches = np.zeros(n, np.bool_)
    if len(a.triangles) > 0 and len(b.triangles) > 0:

        def task(first: int, last: int) -> None:
            _touch_range(a, b, rows_a, rows_b, touches, within, (first, last))

        on_ranges(task, n, WORTH_A_THREAD)
    return touches


def _common_length(rows_a: Array, rows_b: Array) -> int:
    return len(rows_b) if len(rows_a) == 1 else len(rows_a)


@driver
def _measure_range(
    a: WideBody,
    b: WideBody,
    rows_a: Array,
    rows_b: Array,
    measured: Measured,
    leeway: Leeway,
    part: tuple[int, int],
) -> None:
    stack = node_stack(a.depth + b.depth)
    for i in range(part[0], part[1]):
        row_a, row_b = rows_a[min(i, len(rows_a) - 1)], rows_b[min(i, len(rows_b) - 1)]
        best = closest_at_rest(a, b, row_a, row_b, stack, measured.counts[i], leeway)
        measured.distance[i] = best.distance
        for k in range(3):
            measured.points[i, 0, k], measured.points[i, 1, k] = best.point_a[k], best.point_b[k]
        measured.faces[i, 0], measured.faces[i, 1] = a.order[best.triangle_a], b.order[best.triangle_b]


@driver
def measure_bodies(
    numbers_a: Array, links_a: Ids, rows_a: Array, numbers_b: Array, links_b: Ids, rows_b: Array, out: Array
) -> float:
    """Measure a single pair into the columns of `single_distance`; LEFT where they move, or nearly touch."""
    if not (is_resting(rows_a) and is_resting(rows_b)):
        return LEFT
    a, b, counts = (
        wide_body_in(numbers_a, links_a),
        wide_body_in(numbers_b, links_b),
        np.zeros(N_COUNTS, np.int64),
    )
    stack = node_stack(a.depth + b.depth)
    best = closest_at_rest(a, b, rows_a, rows_b, stack, counts, Leeway(INFINITY, 0.0))
    write_points(out, best.distance, best.point_a, best.point_b)
    write_faces(out, float(a.order[best.triangle_a]), float(b.order[best.triangle_b]), counts)
    return told_distance(out, numbers_a[LARGEST], numbers_b[LARGEST])


@kernel
def closest_at_rest(
    a: WideBody,
    b: WideBody,
    row_a: Array,
    row_b: Array,
    stack: NodeStack,
    counts: NDArray[np.int64],
    leeway: Leeway,
) -> ClosestPair:
    """Find the closest triangles of two bodies at rest, and their closest points in the world."""
    motion = relative_motion(row_a, row_b, a.origin, b.origin)
    place = placement_at(motion, 0.0)
    # Volumes and triangles are placed alike: how exactly does not matter to their comparison.
    rounding = MEASURED * (norm(place.offset) + a.reach + b.reach) + SHORTEST
    hidden = rounding_error(motion, a.reach, b.reach, row_a, row_b)
    goal = goal_for(leeway, norm(place.offset) - a.reach - b.reach, rounding, hidden)
    best = closest_pair(a, b, place, goal, stack, counts)
    point_a, point_b = seen_in_world(motion, row_b, best.point_a), seen_in_world(motion, row_b, best.point_b)
    distance = told_within(leeway, best.distance, hidden) if best.triangle_a >= 0 else INFINITY
    return ClosestPair(distance, point_a, point_b, best.triangle_a, best.triangle_b)


@kernel
def goal_for(leeway: Leeway, apart: float, rounding: float, hidden: float) -> DistanceGoal:
    """What to look for where bodies are proven to be so far apart, negative for no proof.

    A search drops what is nearer than its best by two roundings or less: the error that is allowed may be
    such. What is within the distance that matters is not dropped before a best is found, nor what may be:
    rounding may hide `hidden` of how far apart the bodies truly are.
    """
    coarse = max(rounding, 0.5 * leeway.relative_error * apart)
    return DistanceGoal(leeway.within + 2.0 * coarse + NEAR * hidden, 0.0, coarse)


@kernel
def told_within(leeway: Leeway, distance: float, hidden: float) -> float:
    """Give a distance that may be within what matters as it is; infinity where it is proven to be more."""
    is_far = distance > (1.0 + leeway.relative_error) * leeway.within + hidden
    return INFINITY if is_far else distance


@kernel
def seen_in_world(motion: RelativeMotion, row_b: Array, point: Vec3) -> Vec3:
    """Return a point in the frame of b, seen from its origin, as seen in the world."""
    spin = motion.spin_b
    return add(position_of(row_b), mat_vec(spin.rotation, add(spin.lever, point)))


@driver
def _touch_range(
    a: WideBody,
    b: WideBody,
    rows_a: Array,
    rows_b: Array,
    touches: NDArray[np.bool_],
    within: float,
    part: tuple[int, int],
) -> None:
    stack, counts = node_stack(a.depth + b.depth), np.zeros(N_COUNTS, np.int64)
    for i in range(part[0], part[1]):
        row_a, row_b = rows_a[min(i, len(rows_a) - 1)], rows_b[min(i, len(rows_b) - 1)]
        touches[i] = touch_at_rest(a, b, row_a, row_b, stack, counts, within)


@driver
def touch_bodies(
    numbers_a: Array, links_a: Ids, rows_a: Array, numbers_b: Array, links_b: Ids, rows_b: Array
) -> int:
    """Answer for a single pair, 1 or 0; -1 where they move."""
    if not (is_resting(rows_a) and is_resting(rows_b)):
        return -1
    a, b = wide_body_in(numbers_a, links_a), wide_body_in(numbers_b, links_b)
    stack, counts = node_stack(a.depth + b.depth), np.zeros(N_COUNTS, np.int64)
    return int(touch_at_rest(a, b, rows_a, rows_b, stack, counts, 0.0))


@kernel
def touch_at_rest(
    a: WideBody,
    b: WideBody,
    row_a: Array,
    row_b: Array,
    stack: NodeStack,
    counts: NDArray[np.int64],
    within: float,
) -> bool:
    """Are two bodies at rest within a distance, to rounding?"""
    motion = relative_motion(row_a, row_b, a.origin, b.origin)
    rounding = rounding_error(motion, a.reach, b.reach, row_a, row_b)
    enough = within + rounding
    goal = DistanceGoal(within + NEAR * rounding, enough, rounding)
    touches: bool = closest_pair(a, b, placement_at(motion, 0.0), goal, stack, counts).distance <= enough
    return touches
