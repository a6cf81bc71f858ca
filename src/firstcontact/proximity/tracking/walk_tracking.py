"""Two polytopes, pose after pose: a walk from the features that were closest to those that are."""

import numpy as np

from firstcontact._jit import kernel, plain_driver
from firstcontact.arrays import Array
from firstcontact.motions.short_rows import read_pose, write_rest_from
from firstcontact.narrowphase.convex.gjk import (
    CLOSED,
    EXACT,
    ClosestCores,
    RelativePose,
    closest_from,
    no_simplex,
)
from firstcontact.narrowphase.features.feature_graph import vector_at
from firstcontact.narrowphase.features.feature_ladder import (
    MIDDLE,
    N_LEVELS,
    finer_vertex,
    level_at,
    vertex_towards,
)
from firstcontact.narrowphase.features.feature_walk import (
    ON_VERTEX,
    Feature,
    Walked,
    direction_between,
    vertex_of,
    walk,
)
from firstcontact.proximity.distance.convex_distance import Place, frame_of, seen_pair
from firstcontact.proximity.distance.single_distance import ITERATIONS, LEFT, told_distance, write_points
from firstcontact.proximity.tracking.tracked_poses import ROW_A, ROW_B
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, dot, norm, scale, sub
from firstcontact.shapes.convex import Convex
from firstcontact.shapes.cores import support
from firstcontact.shapes.packed_convex import LARGEST, packed_origin, packed_shape

# What is known, in columns: where the last walk ended, and where a was then, as seen from b.
IS_KNOWN = 0
KIND_A = 1
NUMBER_A = 2
KIND_B = 3
NUMBER_B = 4
ROTATION = 5  # nine
OFFSET = 14  # three
# How many answers came from a walk, and how many were left to GJK.
N_WALKED = 17
N_LEFT = 18
# Where the second packed shape begins, and the features of both; the first one begins with the shapes.
PACKED_B = 19
LADDER_A = 20
LADDER_B = 21
SHAPES = 22

# A walk ends where no plane is farther beyond than this, in units of the sizes and distance: rounding.
ENOUGH = CLOSED

# From a turn by half a right angle on, and from a way of half of the distance, one starts from far away.
NEAR_TRACE = 2.414


def no_walk_yet(packed_a: Array, packed_b: Array, ladder_a: Array, ladder_b: Array) -> Array:
    """What is known of two shapes at first: themselves, and their features."""
    known = np.concatenate([np.zeros(SHAPES), packed_a, packed_b, ladder_a, ladder_b])
    known[PACKED_B] = SHAPES + len(packed_a)
    known[LADDER_A] = known[PACKED_B] + len(packed_b)
    known[LADDER_B] = known[LADDER_A] + len(ladder_a)
    return known


@plain_driver(2, 2, 1, 1, is_brief=True)
def measure_walked(pose_a: Array, pose_b: Array, known: Array, out: Array) -> float:
    """Measure two shapes; LEFT where a pose is not rigid, or they nearly touch."""
    is_rigid_a, (rotation_a, position_a) = read_pose(pose_a)
    is_rigid_b, (rotation_b, position_b) = read_pose(pose_b)
    if not (is_rigid_a and is_rigid_b):
        return LEFT
    write_rest_from(rotation_a, position_a, out, ROW_A)
    write_rest_from(rotation_b, position_b, out, ROW_B)
    packed_a = known[SHAPES : int(known[PACKED_B])]
    packed_b = known[int(known[PACKED_B]) : int(known[LADDER_A])]
    a, b = packed_shape(packed_a), packed_shape(packed_b)
    place_b = Place(rotation_b, position_b, mat_vec(rotation_b, packed_origin(packed_b)))
    place_a = Place(rotation_a, position_a, mat_vec(rotation_a, packed_origin(packed_a)))
    frame = frame_of(place_a, place_b)
    enough, is_near = ENOUGH * (a.reach + b.reach + norm(frame.offset)) + SHORTEST, _is_near(frame, known)
    walked = _walked(known, frame, is_near, enough)
    closest = _proven(a, b, packed_a, packed_b, frame, walked, _direction(known, frame, walked))
    if closest.steps == 0 and is_near:
        # It ended behind a face, as where a body has gone past a thin one: from the other side, once.
        walked = _walked(known, frame, False, enough)
        closest = _proven(a, b, packed_a, packed_b, frame, walked, _direction(known, frame, walked))
    known[IS_KNOWN] = 1.0 if closest.steps > 0 else 0.0
    known[N_WALKED if closest.steps > 0 else N_LEFT] += 1.0
    if closest.steps == 0:
        start = no_simplex(scale(-1.0, frame.offset))
        closest, _ = closest_from(a, b, packed_a, packed_b, frame, start, EXACT)
    pair = seen_pair(a, b, place_b, closest)
    write_points(out, pair.distance, pair.point_a, pair.point_b)
    out[ITERATIONS] = pair.iterations
    return told_distance(out, packed_a[LARGEST], packed_b[LARGEST])


@kernel
def _walked(known: Array, frame: RelativePose, is_near: bool, enough: float) -> Walked:
    """Walk from where the last one ended, or from far away; keep where it ends."""
    ladder_a, ladder_b = int(known[LADDER_A]), int(known[LADDER_B])
    zero = int(np.int64(0))  # not a plain zero: functions are compiled for a constant argument apart
    at_a, at_b = level_at(known, ladder_a, zero), level_at(known, ladder_b, zero)
    on_a = Feature(int(known[KIND_A]), int(known[NUMBER_A]))
    on_b = Feature(int(known[KIND_B]), int(known[NUMBER_B]))
    n_before = 0
    if not is_near:
        on_a, on_b, n_before = _from_far(known, frame, enough)
    found = walk(known, at_a, at_b, frame, on_a, on_b, enough)
    known[KIND_A], known[NUMBER_A] = found.on_a.kind, found.on_a.number
    known[KIND_B], known[NUMBER_B] = found.on_b.kind, found.on_b.number
    for i in range(9):
        known[ROTATION + i] = frame.rotation[i]
    known[OFFSET], known[OFFSET + 1], known[OFFSET + 2] = frame.offset
    return Walked(found.on_a, found.on_b, found.point_a, found.point_b, found.length, found.steps + n_before)


@kernel
def _from_far(known: Array, frame: RelativePose, enough: float) -> tuple[Feature, Feature, int]:
    """Start at the vertices that look towards each other, walk down the levels; how many steps it took."""
    ladder_a, ladder_b = int(known[LADDER_A]), int(known[LADDER_B])
    middle = add(frame.offset, mat_vec(frame.rotation, vector_at(known, ladder_a + MIDDLE)))
    towards = sub(vector_at(known, ladder_b + MIDDLE), middle)
    i = vertex_towards(known, ladder_a, mat_vec(transposed(frame.rotation), towards))
    j = vertex_towards(known, ladder_b, scale(-1.0, towards))
    on_a, on_b = Feature(int(np.int64(ON_VERTEX)), i), Feature(int(np.int64(ON_VERTEX)), j)
    level_a, level_b = int(known[ladder_a + N_LEVELS]) - 1, int(known[ladder_b + N_LEVELS]) - 1
    steps = 0
    while level_a > 0 or level_b > 0:
        at_a, at_b = level_at(known, ladder_a, level_a), level_at(known, ladder_b, level_b)
        found = walk(known, at_a, at_b, frame, on_a, on_b, enough)
        steps += found.steps
        on_a, on_b = found.on_a, found.on_b
        # The one with more levels left goes down, or both.
        is_down_a, is_down_b = level_a >= level_b, level_b >= level_a
        if is_down_a:
            on_a, level_a = _finer(known, ladder_a, level_a, on_a), level_a - 1
        if is_down_b:
            on_b, level_b = _finer(known, ladder_b, level_b, on_b), level_b - 1
    return on_a, on_b, steps


@kernel
def _finer(known: Array, ladder: int, level: int, feature: Feature) -> Feature:
    """A vertex of the next finer level at a feature of this one."""
    vertex = vertex_of(known, level_at(known, ladder, level), feature)
    return Feature(int(np.int64(ON_VERTEX)), finer_vertex(known, ladder, level, vertex))


@kernel
def _direction(known: Array, frame: RelativePose, walked: Walked) -> Vec3:
    """Unit vector from a to b at the end of a walk."""
    zero = int(np.int64(0))
    at_a, at_b = level_at(known, int(known[LADDER_A]), zero), level_at(known, int(known[LADDER_B]), zero)
    return direction_between(known, at_a, at_b, frame, walked)


@kernel
def _proven(
    a: Convex, b: Convex, pool_a: Array, pool_b: Array, frame: RelativePose, walked: Walked, n: Vec3
) -> ClosestCores:
    """The end of a walk, where the gap along a direction proves that nothing is nearer; else 0 steps.

    The gap is that of all points of both cores, as GJK would find it, and as near to the distance as there:
    so nothing depends on how well the features were made, or where the walk went.
    """
    p = add(frame.offset, mat_vec(frame.rotation, support(a, pool_a, mat_vec(transposed(frame.rotation), n))))
    gap = dot(n, sub(support(b, pool_b, (-n[0], -n[1], -n[2])), p))
    rounding = CLOSED * (a.reach + b.reach + norm(frame.offset)) + SHORTEST
    is_proven = gap > 0.0 and walked.length - gap <= EXACT.part * gap + rounding
    steps = walked.steps if is_proven else 0
    return ClosestCores(walked.length, gap, n, walked.point_a, walked.point_b, steps)


@kernel
def _is_near(frame: RelativePose, known: Array) -> bool:
    """Is a, as seen from b, where it was: but for less than half of the way to it, and of a right angle?"""
    if not known[IS_KNOWN] > 0.0:
        return False
    m, trace = frame.rotation, 0.0
    for i in range(9):
        trace += m[i] * known[ROTATION + i]
    step = sub(frame.offset, vector_at(known, OFFSET))
    return trace > NEAR_TRACE and 4.0 * dot(step, step) < dot(frame.offset, frame.offset)
