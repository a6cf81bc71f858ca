"""First contact of a convex shape in rigid motion, or at rest, and a deforming mesh.

Every triangle gets a time before which a ball around it and one around the shape do not meet: this takes less
than to bound it for a tree. In that order each is advanced up to its own contact, or up to the first one so
far. When the next one's time is later than that, it is the first contact of all.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.arrival import CONTACT, MAX_ITERATIONS, SEPARATED, Arrival
from firstcontact.advancement.goal import Goal, Options, goal_between
from firstcontact.advancement.proof_times import CLEARANCE, NEVER
from firstcontact.arrays import Array, Ids
from firstcontact.deformable.with_rigid.convex_deforming_proof import ProofWindow, proven_time
from firstcontact.deformable.with_rigid.convex_deforming_steps import (
    N_CORNERS,
    PART,
    ball_around,
    closest_shape_triangle,
    corners_at,
    entry_time,
    step_along,
)
from firstcontact.motions.relative_motion import (
    TIMED,
    RelativeMotion,
    fastest,
    placement_at,
    relative_motion,
    rounding_error,
)
from firstcontact.motions.rigid_motion import DEVIATION, END_TIME, START_TIME
from firstcontact.motions.rigid_paths import motion_at_origin
from firstcontact.narrowphase.convex.gjk import EXACT, Precision, surface_points
from firstcontact.scalar.vec3 import Vec3
from firstcontact.shapes.convex import Convex, ConvexTable, convex_at, origin_at
from firstcontact.status import Status

# Triangles from which several threads are worth their start.
WORTH_A_THREAD = 1 << 14

# Triangles next to the first one that are looked at for a proof: it is found by the first few or not at all.
MAX_TRIANGLES = 64


class DeformingContact(NamedTuple):
    """What was found.

    status, time : no contact comes before that time; infinite where there is none at all
    time_upper : contact is certain by then; infinite where that is not proven
    face : of the mesh; -1 where there is none
    points, normal : (2, 3) on the shape and on the mesh, and (3,) from the one to the other; NaN for none
    triangle_tests : steps of advancement
    """

    status: Status
    time: float
    time_upper: float
    face: int
    points: Array
    normal: Array
    triangle_tests: int


class Faces(NamedTuple):
    """Faces (m, 3) of a mesh, and how far what they stand for reaches around them, (m,): 0 of most."""

    ids: Ids
    radii: Array


class DeformingPair(NamedTuple):
    """A shape and a deforming mesh, seen from a point that rests amid the paths of its vertices.

    rows : (k, 26), pieces of the shape's motion
    at_rest : (24,), that of the point
    points, velocities : (n, 3), where vertices are at t = 0, and their velocities
    faces, radii : as of `Faces`
    reach, speed : no vertex, with a radius around it, is ever farther away, or faster
    """

    table: ConvexTable
    rows: Array
    at_rest: Array
    origin: Vec3
    points: Array
    velocities: Array
    faces: Ids
    radii: Array
    reach: float
    speed: float


class PieceOutcome(NamedTuple):
    """What a search through a piece found, seen from the resting point; `time_upper`, and steps left."""

    arrival: Arrival
    time_upper: float
    n_left: int


# The same as compiled code hands it over.
PlainArrival = tuple[int, float, int, int, Vec3, Vec3, Vec3]


def convex_deforming_first(
    table: ConvexTable, rows: Array, ends: tuple[Array, Array], faces: Faces, options: Options
) -> DeformingContact:
    """Find the first contact of the first shape of a table and a deforming mesh. Never late.

    rows : (k, 26), pieces of the shape's motion
    ends : positions of the vertices at t = 0 and at t = 1, (n, 3) each
    """
    points, n_left = np.full((2, 3), np.nan), options.max_iterations
    if len(faces.ids) > 0:
        pair = _paired(table, rows, ends, faces)
        for k in range(len(rows)):
            found = _first_in_piece(pair, k, options._replace(max_iterations=n_left))
            n_left = found.n_left
            if found.arrival.status != SEPARATED:
                return _described(found, pair.origin, options.max_iterations - n_left)
    n_tests = options.max_iterations - n_left
    return DeformingContact(Status.SEPARATED, NEVER, NEVER, -1, points, points[0].copy(), n_tests)


def _paired(table: ConvexTable, rows: Array, ends: tuple[Array, Array], faces: Faces) -> DeformingPair:
    used = np.zeros(len(ends[0]), np.bool_)
    used[faces.ids] = True
    places, velocities = np.concatenate([ends[0][used], ends[1][used]]), ends[1] - ends[0]
    origin = 0.5 * (places.min(axis=0) + places.max(axis=0))
    x, y, z = origin.tolist()
    return DeformingPair(
        table,
        np.ascontiguousarray(rows),
        motion_at_origin().rows()[0, 0].copy(),
        (x, y, z),
        ends[0] - origin,
        velocities,
        np.array(faces.ids, np.int32),
        faces.radii.copy(),
        _longest(places - origin) + float(faces.radii.max()),
        _longest(velocities[used]),
    )


def _longest(vectors: Array) -> float:
    return float(np.sqrt(np.einsum("ij,ij->i", vectors, vectors).max()))


def _described(found: PieceOutcome, origin: Vec3, n_tests: int) -> DeformingContact:
    """Put what was found where it is in the world."""
    met, upper = found.arrival, found.time_upper
    points, normal = np.array([met.point_a, met.point_b]) + origin, np.array(met.normal)
    if met.status == MAX_ITERATIONS:
        points, normal = points * np.nan, normal * np.nan
    status = Status.CONTACT_AT_START if met.status == CONTACT and met.time == 0.0 else Status(met.status)
    return DeformingContact(status, met.time, upper, met.triangle_b, points, normal, n_tests)


def _first_in_piece(pair: DeformingPair, k: int, options: Options) -> PieceOutcome:
    """Find the first contact in one piece of the motion."""
    times = np.empty(len(pair.faces))
    on_ranges(
        lambda first, last: _enter_range(pair, k, options, times, first, last), len(times), WORTH_A_THREAD
    )
    met = np.flatnonzero(times < NEVER)
    order = met[np.argsort(times[met], kind="stable")]
    arrival, upper, n_left = _search(pair, k, options, times[order], order)
    return PieceOutcome(Arrival(*arrival), upper, n_left)


@kernel
def _goal(shape: Convex, pair: DeformingPair, k: int, options: Options) -> tuple[RelativeMotion, Goal, float]:
    """Piece k of the motion, what is looked for in it, and the distance at which contact is certain."""
    row, at_rest, zero = pair.rows[k], pair.at_rest, int(np.int64(0))
    motion = relative_motion(row, at_rest, origin_at(pair.table.records, zero), pair.origin)
    reach = shape.reach + shape.radius
    rounding = rounding_error(motion, reach, pair.reach, row, at_rest) + TIMED * pair.speed
    speed = fastest(motion, shape.reach, 0.0) + pair.speed
    goal = goal_between(row[START_TIME], row[END_TIME], options, rounding, row[DEVIATION], speed)
    return motion, goal, options.min_separation - CLEARANCE * rounding - row[DEVIATION]


@driver
def _enter_range(pair: DeformingPair, k: int, options: Options, times: Array, first: int, last: int) -> None:
    """Write times before which triangles are not near the shape; NEVER where they are not in this piece."""
    points, velocities, faces = pair.points, pair.velocities, pair.faces
    shape = convex_at(pair.table.records, int(np.int64(0)))
    motion, goal, _ = _goal(shape, pair, k, options)
    ball = ball_around(shape, motion, goal.start)
    for i in range(first, last):
        corners, ways = corners_at(points, velocities, faces[i], goal.start)
        time = entry_time(ball, goal.start, corners, ways, goal.margin + pair.radii[i])
        times[i] = time if time < goal.end else NEVER


@driver
def _search(
    pair: DeformingPair, k: int, options: Options, times: Array, order: NDArray[np.int64]
) -> tuple[PlainArrival, float, int]:
    """Advance triangles in the order of their times, up to the first contact of all."""
    pool, points, velocities, faces = pair.table.pool, pair.points, pair.velocities, pair.faces
    shape, room = convex_at(pair.table.records, int(np.int64(0))), np.empty(3 * N_CORNERS)
    motion, goal, proven = _goal(shape, pair, k, options)
    best, face, n_left = goal.end, -1, goal.max_iterations
    for j in range(len(order)):
        if times[j] >= best:
            break
        t, margin = times[j], goal.margin + pair.radii[order[j]]
        while t < best and n_left > 0:
            n_left -= 1
            place = placement_at(motion, t)
            corners, ways = corners_at(points, velocities, faces[order[j]], t)
            precision = Precision(PART, shape.radius + margin, 0.0)
            closest = closest_shape_triangle(shape, pool, corners, place, precision, room)
            time = t + step_along(shape, pool, closest.direction, corners, ways, place, margin)
            # A step of no length: the direction was lost to rounding, at a distance of that size.
            if closest.distance - shape.radius - pair.radii[order[j]] <= goal.target or time == t:
                best, face = t, order[j]
            t = time
        if n_left == 0 and t < best:
            later = times[j + 1] if j + 1 < len(order) else NEVER
            return _nothing(MAX_ITERATIONS, min(min(t, best), later), n_left)
    if face < 0:
        return _nothing(SEPARATED, NEVER, n_left)
    corners, _ = corners_at(points, velocities, faces[face], best)
    closest = closest_shape_triangle(shape, pool, corners, placement_at(motion, best), EXACT, room)
    window = ProofWindow(best, goal.end, (goal.target - proven) / goal.speed, proven + shape.radius, room)
    upper = _proven(shape, pair, motion, window, goal.target, face, order[times <= best])
    point_a, point_b = surface_points(closest, shape.radius, pair.radii[face])
    return (CONTACT, best, -1, int(face), point_a, point_b, closest.direction), upper, n_left


@kernel
def _proven(
    shape: Convex,
    pair: DeformingPair,
    motion: RelativeMotion,
    window: ProofWindow,
    target: float,
    face: int,
    others: NDArray[np.int64],
) -> float:
    """Time in a window at which the shape certainly touches a face, or else one of the others."""
    pool, points, velocities, faces = pair.table.pool, pair.points, pair.velocities, pair.faces
    upper = proven_time(shape, pool, motion, points, velocities, faces[face], _around(window, pair, face))
    if upper < NEVER:
        return upper
    # Where the one that was found is passed by, one next to it may be struck.
    place, n_left, near = placement_at(motion, window.start), MAX_TRIANGLES, shape.radius + 2.0 * target
    for i in others:
        corners, _ = corners_at(points, velocities, faces[i], window.start)
        within = near + pair.radii[i]
        precision = Precision(PART, within, 0.0)
        if (
            closest_shape_triangle(shape, pool, corners, place, precision, window.room).gap <= within
            and n_left > 0
        ):
            n_left -= 1
            around = _around(window, pair, i)
            time = proven_time(shape, pool, motion, points, velocities, faces[i], around)
            upper = min(upper, time)
    return upper


@kernel
def _around(window: ProofWindow, pair: DeformingPair, face: int) -> ProofWindow:
    """Where to look for a proof that a face with its radius is touched."""
    return ProofWindow(window.start, window.end, window.wait, window.limit + pair.radii[face], window.room)


@kernel
def _nothing(status: int, time: float, n_left: int) -> tuple[PlainArrival, float, int]:
    nowhere = 0.0, 0.0, 0.0
    return (status, time, -1, -1, nowhere, nowhere, nowhere), NEVER, n_left
