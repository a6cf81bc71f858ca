"""Two convex shapes, pose after pose: the simplex of their closest points, and an axis that parts them."""

import numpy as np

from firstcontact._jit import kernel, plain_driver
from firstcontact.arrays import Array
from firstcontact.motions.short_rows import read_pose, write_rest_from
from firstcontact.narrowphase.convex.gjk import (
    EXACT,
    RelativePose,
    Simplex,
    closest_from,
    moved_simplex,
    no_simplex,
)
from firstcontact.proximity.distance.convex_distance import Place, frame_of, seen_pair
from firstcontact.proximity.distance.single_distance import ITERATIONS, LEFT, told_distance, write_points
from firstcontact.proximity.penetration.convex_penetration import DEPTH, overlap_at_rest, write_overlap
from firstcontact.proximity.touching.convex_intersections import gap_at_rest
from firstcontact.proximity.tracking.tracked_poses import ROW_A, ROW_B, stand
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Vec3, dot, scale, sub
from firstcontact.shapes.packed_convex import LARGEST, packed_origin, packed_shape

# What is known, in columns, all as seen from b. The last simplex, and where a was then.
KNOWN = 0  # its corners, and one; 0 for none
TOWARDS = 1  # three: a direction from a to b
POINTS = 4  # nine: of a
CORNERS = 13  # nine: from there to b
ROTATION = 22  # nine
OFFSET = 31  # three
# The last axis along which they were apart, or nearly; zero for none.
AXIS = 34  # three
# Both shapes, packed, and how many numbers the first one has: an array less to hand over takes less time.
LENGTH = 37
SHAPES = 38

# The depth of shapes that are not in each other.
APART = -1.0

# The trace of a turn by half a right angle: 1 + 2 cos(pi / 4). Beyond that, what was learned misleads more
# often than it helps: 9.8 steps in place of 8.6 for hulls of 640 points.
NEAR_TRACE = 2.414


def nothing_known(packed_a: Array, packed_b: Array) -> Array:
    """What is known of two shapes at first: themselves."""
    known = np.concatenate([np.zeros(SHAPES), packed_a, packed_b])
    known[LENGTH] = len(packed_a)
    return known


@plain_driver(2, 2, 1, 1, is_brief=True)
def measure_tracked(pose_a: Array, pose_b: Array, known: Array, out: Array) -> float:
    """Measure two shapes; LEFT where a pose is not rigid, or they nearly touch."""
    is_rigid_a, (rotation_a, position_a) = read_pose(pose_a)
    is_rigid_b, (rotation_b, position_b) = read_pose(pose_b)
    if not (is_rigid_a and is_rigid_b):
        return LEFT
    write_rest_from(rotation_a, position_a, out, ROW_A)
    write_rest_from(rotation_b, position_b, out, ROW_B)
    packed_a, packed_b = _shapes(known)
    shape_a, shape_b = packed_shape(packed_a), packed_shape(packed_b)
    place_b = Place(rotation_b, position_b, mat_vec(rotation_b, packed_origin(packed_b)))
    place_a = Place(rotation_a, position_a, mat_vec(rotation_a, packed_origin(packed_a)))
    frame = frame_of(place_a, place_b)
    start = no_simplex(scale(-1.0, frame.offset))
    if known[KNOWN] > 0.0 and _is_near(frame, known):
        start = moved_simplex(_simplex(known), _frame(known), frame)
    closest, simplex = closest_from(shape_a, shape_b, packed_a, packed_b, frame, start, EXACT)
    _keep(simplex, frame, known)
    pair = seen_pair(shape_a, shape_b, place_b, closest)
    write_points(out, pair.distance, pair.point_a, pair.point_b)
    out[ITERATIONS] = pair.iterations
    return told_distance(out, packed_a[LARGEST], packed_b[LARGEST])


@plain_driver(2, 2, 1, 1, is_brief=True)
def touch_tracked(pose_a: Array, pose_b: Array, known: Array, out: Array) -> int:
    """Have two shapes a common point, 1 or 0? -1 where a pose is not rigid."""
    if not stand(pose_a, pose_b, out):
        return -1
    return 0 if _is_apart(known, out) else 1


@plain_driver(2, 2, 1, 1)
def sink_tracked(pose_a: Array, pose_b: Array, known: Array, out: Array) -> float:
    """Measure how deep two shapes are in each other, below 0 where they are apart; NaN if none is rigid."""
    if not stand(pose_a, pose_b, out):
        return np.nan
    out[DEPTH] = APART
    if _is_apart(known, out):
        return APART
    packed_a, packed_b = _shapes(known)
    return write_overlap(overlap_at_rest(packed_a, out[ROW_A:ROW_B], packed_b, out[ROW_B:]), out)


@kernel
def _is_apart(known: Array, out: Array) -> bool:
    """Is there a gap, along the last axis perhaps?"""
    packed_a, packed_b = _shapes(known)
    gap = gap_at_rest(packed_a, out[ROW_A:ROW_B], packed_b, out[ROW_B:], _vector(known, AXIS))
    known[AXIS], known[AXIS + 1], known[AXIS + 2] = gap.direction
    return gap.width > 0.0


@kernel
def _shapes(known: Array) -> tuple[Array, Array]:
    """Both shapes, packed."""
    second = SHAPES + int(known[LENGTH])
    return known[SHAPES:second], known[second:]


@kernel
def _is_near(frame: RelativePose, known: Array) -> bool:
    """Is a, as seen from b, about where it was: by less than half of the way to it, and of a right angle?"""
    m, trace = frame.rotation, 0.0
    for i in range(9):
        trace += m[i] * known[ROTATION + i]
    step = sub(frame.offset, _vector(known, OFFSET))
    return trace > NEAR_TRACE and 4.0 * dot(step, step) < dot(frame.offset, frame.offset)


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
