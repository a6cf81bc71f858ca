"""Half-spaces by themselves: two of them, and with rays and points. Beside all else, slabs stand for them."""

from fractions import Fraction
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.answers.point_results import SignedDistances
from firstcontact.answers.proximity_results import Distance, DistanceStats
from firstcontact.arrays import Array
from firstcontact.errors import too_many
from firstcontact.proximity.points.signed_on_mesh import Field
from firstcontact.proximity.rays.ray_hits import ALL, LARGEST, Hits
from firstcontact.queries.kinds.resting import Resting, posed
from firstcontact.queries.ray_cast import RayBatch, rested_once
from firstcontact.queries.signed_distance import (
    CONVEX,
    Bools,
    PointBatch,
    answered,
    check_sign,
    placed_in,
    shaped,
    standing,
)
from firstcontact.scalar.exact_vectors import ExactVector, exact_cross, exact_dot
from firstcontact.shapes.half_space import as_half_space
from firstcontact.shapes.moving import Moving


class Planes(NamedTuple):
    """Planes in the world: normals (n, 3), offsets (n,) along them."""

    normals: Array
    offsets: Array


def planes_of(thing: Resting, n: int) -> Planes:
    """The plane of a half-space in each of n poses; one goes with all."""
    shape = as_half_space(thing.shape)
    poses = np.broadcast_to(thing.motion.pose(0.0), (n, 4, 4))
    normals = poses[:, :3, :3] @ shape.normal
    return Planes(normals, shape.offset + np.einsum("ij,ij->i", normals, poses[:, :3, 3]))


def distance_of_two(a: Moving, b: Moving, ask: Ask) -> Distance:
    """Measure two half-spaces: 0, unless they are parallel and face away from each other."""
    pair = posed("distance", a, b)
    gaps, planes = _gaps(pair.a, pair.b, pair.n)
    points_a = planes.offsets[:, np.newaxis] * planes.normals
    points_b = points_a + gaps[:, np.newaxis] * planes.normals
    faces, none = np.full((pair.n, 2), -1, np.int32), np.zeros(pair.n, np.int64)
    if pair.is_batch:
        return Distance(gaps, points_a, points_b, faces, DistanceStats(none, none.copy(), none.copy()))
    return Distance(float(gaps[0]), points_a[0], points_b[0], faces[0], DistanceStats(0, 0, 0))


def intersects_of_two(a: Moving, b: Moving, ask: Ask) -> bool | NDArray[np.bool_]:
    """Have two half-spaces a point in common?"""
    pair = posed("intersects", a, b)
    touches = _gaps(pair.a, pair.b, pair.n)[0] == 0.0
    return touches if pair.is_batch else bool(touches[0])


def _gaps(a: Resting, b: Resting, n: int) -> tuple[Array, Planes]:
    """How far apart two half-spaces are (n,), and the planes of the first."""
    one, other = planes_of(a, n), planes_of(b, n)
    gaps = np.maximum(-(one.offsets + other.offsets), 0.0)
    for i in np.flatnonzero(gaps).tolist():
        if not _face_away(_turned(a, i), _turned(b, i)):
            gaps[i] = 0.0
    return gaps, one


def _turned(thing: Resting, i: int) -> ExactVector:
    """The normal of a half-space in one of its poses, exactly."""
    pose, normal = thing.motion.pose(0.0).reshape(-1, 4, 4), as_half_space(thing.shape).normal
    turn = pose[i if len(pose) > 1 else 0, :3, :3]
    own = tuple(map(Fraction, normal.tolist()))
    return tuple(exact_dot(tuple(map(Fraction, row)), own) for row in turn.tolist())


def _face_away(a: ExactVector, b: ExactVector) -> bool:
    """Are two vectors opposite, to the last digit?"""
    return not any(exact_cross(a, b)) and exact_dot(a, b) < 0


def points_at_plane(thing: Moving, batch: PointBatch, ask: Ask) -> SignedDistances | Bools:
    """Measure points from the plane of a half-space."""
    resting = standing(thing, batch.verb)
    shape = as_half_space(resting.shape)
    check_sign(batch, resting)
    placed = placed_in(batch, resting.motion)
    distances = placed.local @ shape.normal - shape.offset
    if batch.is_side_only:
        return shaped(distances < 0.0, placed.shape)
    normals = np.tile(shape.normal, (len(distances), 1))
    points = placed.local - distances[:, np.newaxis] * normals
    faces = np.full(len(distances), -1, np.int32)
    return answered(Field(distances, points, normals, faces), placed, CONVEX)


def rays_at_plane(thing: Moving, batch: RayBatch, ask: Ask) -> Hits:
    """Cast rays at the plane of a half-space; a ray in it meets it not."""
    normals, offsets = planes_of(rested_once(thing), 1)
    normal, n = normals[0], batch.n
    origins, directions = (np.broadcast_to(rows, (n, 3)) for rows in (batch.origins, batch.directions))
    heights, speeds = origins @ normal - offsets[0], directions @ normal
    times, is_met = np.full(n, inf), speeds != 0.0
    with np.errstate(over="ignore"):
        times[is_met] = np.clip(-heights[is_met] / speeds[is_met], -LARGEST, LARGEST) + 0.0
    is_met &= (times >= batch.min_time) & (times <= batch.max_time)
    times[~is_met] = inf
    points, facing = np.full((n, 3), np.nan), np.full((n, 3), np.nan)
    points[is_met] = origins[is_met] + times[is_met, np.newaxis] * directions[is_met]
    facing[is_met] = normal
    faces, starts = np.full(n, -1, np.int32), np.arange(n + 1, dtype=np.int64)
    if batch.wanted != ALL:
        return Hits(starts, times, faces, points, facing)
    if np.count_nonzero(is_met) > batch.most:
        raise too_many("hits", "max_hits", batch.most)
    starts = np.concatenate([[0], np.cumsum(is_met)]).astype(np.int64)
    return Hits(starts, times[is_met], faces[is_met], points[is_met], facing[is_met])
