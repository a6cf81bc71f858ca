"""Two convex shapes, pose after pose: the simplex of their closest points, and an axis that parts them."""

import numpy as np

from firstcontact._jit import kernel, plain_driver
from firstcontact.arrays import Array
from firstcontact.narrowphase.convex.gjk import (
    EXACT,
    RelativePose,
    Simplex,
    closest_from,
    moved_simplex,
    no_simplex,
)
from firstcontact.proximity.distance.convex_distance import frame_of, place_of, seen_pair
from firstcontact.proximity.distance.single_distance import ITERATIONS, LEFT, told_distance, write_points
from firstcontact.proximity.penetration.convex_penetration import DEPTH, overlap_at_rest, write_overlap
from firstcontact.proximity.touching.convex_intersections import gap_at_rest
from firstcontact.proximity.tracking.tracked_poses import ROW_A, ROW_B, stand
from firstcontact.scalar.vec3 import Vec3, scale
from firstcontact.shapes.convex import convex_at, origin_at
from firstcontact.shapes.packed_convex import LARGEST, records_in

# What is known, in columns, all as seen from b. The last simplex, and where a was then.
KNOWN = 0  # its corners, and one; 0 for none
TOWARDS = 1  # three: a direction from a to b
POINTS = 4  # nine: of a
CORNERS = 13  # nine: from there to b
ROTATION = 22  # nine
OFFSET = 31  # three
# The last axis along which they were apart, or nearly; zero for none.
AXIS = 34  # three
N_STATE = 37

# The depth of shapes that are not in each other.
APART = -1.0


@plain_driver(1, 2, 1, 2, 1, 1)
def measure_tracked(
    packed_a: Array, pose_a: Array, packed_b: Array, pose_b: Array, state: Array, out: Array
) -> float:
    """Measure two shapes; LEFT where a pose is not rigid, or they nearly touch."""
    if not stand(pose_a, pose_b, out):
        return LEFT
    records_a, records_b = records_in(packed_a), records_in(packed_b)
    row_a, row_b = out[ROW_A:ROW_B], out[ROW_B:]
    zero = int(np.int64(0))  # not a plain zero: functions are compiled for a constant argument apart
    place_b = place_of(row_b, origin_at(records_b, zero))
    frame = frame_of(place_of(row_a, origin_at(records_a, zero)), place_b)
    shape_a, shape_b = convex_at(records_a, zero), convex_at(records_b, zero)
    start = no_simplex(scale(-1.0, frame.offset))
    if state[KNOWN] > 0.0:
        start = moved_simplex(_simplex(state), _frame(state), frame)
    closest, simplex = closest_from(shape_a, shape_b, packed_a, packed_b, frame, start, EXACT)
    _keep(simplex, frame, state)
    pair = seen_pair(shape_a, shape_b, place_b, closest)
    write_points(out, pair.distance, pair.point_a, pair.point_b)
    out[ITERATIONS] = pair.iterations
    return told_distance(out, packed_a[LARGEST], packed_b[LARGEST])


@plain_driver(1, 2, 1, 2, 1, 1)
def touch_tracked(
    packed_a: Array, pose_a: Array, packed_b: Array, pose_b: Array, state: Array, out: Array
) -> int:
    """Have two shapes a common point, 1 or 0? -1 where a pose is not rigid."""
    if not stand(pose_a, pose_b, out):
        return -1
    return 0 if _is_apart(packed_a, packed_b, state, out) else 1


@plain_driver(1, 2, 1, 2, 1, 1)
def sink_tracked(
    packed_a: Array, pose_a: Array, packed_b: Array, pose_b: Array, state: Array, out: Array
) -> float:
    """Measure how deep two shapes are in each other, below 0 where they are apart; NaN if none is rigid."""
    if not stand(pose_a, pose_b, out):
        return np.nan
    out[DEPTH] = APART
    if _is_apart(packed_a, packed_b, state, out):
        return APART
    return write_overlap(overlap_at_rest(packed_a, out[ROW_A:ROW_B], packed_b, out[ROW_B:]), out)


@kernel
def _is_apart(packed_a: Array, packed_b: Array, state: Array, out: Array) -> bool:
    """Is there a gap, along the last axis perhaps?"""
    gap = gap_at_rest(packed_a, out[ROW_A:ROW_B], packed_b, out[ROW_B:], _vector(state, AXIS))
    state[AXIS], state[AXIS + 1], state[AXIS + 2] = gap.direction
    return gap.width > 0.0


@kernel
def _keep(simplex: Simplex, frame: RelativePose, state: Array) -> None:
    """Write what was learned."""
    state[KNOWN] = 1.0 + min(simplex.n_corners, 3)
    for i in range(3):
        state[TOWARDS + i], state[OFFSET + i] = simplex.direction[i], frame.offset[i]
        for k in range(3):
            state[POINTS + 3 * k + i] = simplex.points[k][i]
            state[CORNERS + 3 * k + i] = simplex.corners[k][i]
    for i in range(9):
        state[ROTATION + i] = frame.rotation[i]


@kernel
def _simplex(state: Array) -> Simplex:
    p0, p1, p2 = _vector(state, POINTS), _vector(state, POINTS + 3), _vector(state, POINTS + 6)
    w0, w1, w2 = _vector(state, CORNERS), _vector(state, CORNERS + 3), _vector(state, CORNERS + 6)
    return Simplex(_vector(state, TOWARDS), (p0, p1, p2, p2), (w0, w1, w2, w2), int(state[KNOWN]) - 1)


@kernel
def _frame(state: Array) -> RelativePose:
    r0, r1, r2 = _vector(state, ROTATION), _vector(state, ROTATION + 3), _vector(state, ROTATION + 6)
    return RelativePose((*r0, *r1, *r2), _vector(state, OFFSET))


@kernel
def _vector(numbers: Array, first: int) -> Vec3:
    return numbers[first], numbers[first + 1], numbers[first + 2]
