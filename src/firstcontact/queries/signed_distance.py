"""Points: how far from a shape, and on which side."""

from concurrent.futures import Executor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._validate import as_choice, as_points
from firstcontact.advancement.ask import USUAL, Ask
from firstcontact.answers.point_results import SignedDistances
from firstcontact.arrays import Array
from firstcontact.motions.plane_poses import poses_in_plane
from firstcontact.motions.rigid_motion import RigidMotion
from firstcontact.proximity.points.signed_on_cloud import signed_on_cloud
from firstcontact.proximity.points.signed_on_convex import signed_on_convex
from firstcontact.proximity.points.signed_on_mesh import (
    PSEUDONORMAL,
    WINDING,
    Field,
    is_inside_mesh,
    rule_of,
    signed_on_mesh,
)
from firstcontact.queries.in_short.points import one_point_in_short, points_in_short, turned
from firstcontact.queries.kinds.resting import Resting, at_rest
from firstcontact.queries.look_up import refuse, row_alone
from firstcontact.queries.registry import POINTS
from firstcontact.queries.spread.spread_batch import spread_answer
from firstcontact.shapes.cloud import as_cloud
from firstcontact.shapes.convex import has_faces
from firstcontact.shapes.convex_shape import as_convex
from firstcontact.shapes.mesh import Mesh, as_moving
from firstcontact.shapes.moving import Moving, dimension_of
from firstcontact.spreading.batch import Batch, check_batch, is_read_in_parts

AUTO, CONVEX, RADIUS = "auto", "convex", "radius"

Bools = bool | NDArray[np.bool_]


class PointBatch(NamedTuple):
    """Points in the world, (3,), (n, 3) or (m, n, 3); how their side is told; whether that alone is asked."""

    verb: str
    points: Array
    sign: str
    is_side_only: bool


class Placed(NamedTuple):
    """Points (k, 3) in the frame of a shape; the shape of the answer; the poses, (1 or m, 4, 4), if any."""

    local: Array
    shape: tuple[int, ...]
    poses: Array | None


def signed_distance(
    shape: Any, points: ArrayLike, *, sign: str = AUTO, executor: Executor | None = None
) -> SignedDistances:
    """How far is each point from the surface of a shape, where is that closest, and is it inside?

    Within 1e-14 of the size of the least distance to all faces; negative inside. For closed meshes that do
    not go through themselves, pseudonormals tell the side, which is right wherever rounding does not hide the
    surface. Else inside is where a mesh winds around a point by half a turn or more (Jacobson 2013).

    Parameters
    ----------
    shape : any shape, or what `Shape.at` gives; below a height field is inside
    points : (n, 3), (3,) or (m, n, 3) numbers, in the plane (n, 2) and so on. In a batch of m poses,
        points (n, 3) are measured in each of them, and points (m, n, 3) are each pose's own: (m, n) answers
    sign : "auto", "pseudonormal" or "winding"; for meshes
    executor : of many points, as for `vertex_face_ccd`

    Examples
    --------
    >>> from firstcontact import Box, Mesh, Sphere, signed_distance
    >>> d = signed_distance(Box([2, 2, 2]).mesh, [[0, 0, 3], [0, 0, 0.5]])
    >>> d.distance.tolist(), d.normals[0].tolist(), d.sign
    ([2.0, -0.5], [0.0, 0.0, 1.0], 'pseudonormal')
    >>> signed_distance(Sphere(2), [0, 0, 0]).distance, signed_distance(Mesh([], []), [0, 0, 0]).distance
    (-2.0, inf)
    """
    found: SignedDistances | None
    if type(sign) is str and sign == AUTO and executor is None:
        found = one_point_in_short("signed_distance", shape, points)
        if found is not None:
            return found
    choice = as_choice("sign", sign, (AUTO, PSEUDONORMAL, WINDING))
    if executor is not None:
        far: SignedDistances = _asked_far(
            PointsAt("signed_distance", shape, None, choice, 0), points, executor
        )
        return far
    places = as_points("points", points, dimension_of(shape))
    found = points_in_short(shape, places) if choice == AUTO else None
    return _asked(shape, PointBatch("signed_distance", places, choice, False)) if found is None else found


def contains(shape: Any, points: ArrayLike, *, executor: Executor | None = None) -> Bools:
    """Which points are inside a shape? On the surface itself the answer may be either.

    As the sign of `signed_distance` tells it, in less time. A mesh that is not closed contains what it winds
    around by half a turn or more; a height field what is below it.

    Parameters
    ----------
    shape, points, executor : as for `signed_distance`

    Examples
    --------
    >>> from firstcontact import Box, Mesh, contains
    >>> contains(Box([2, 2, 2]), [[0, 0, 0], [0, 0, 3]]).tolist(), contains(Mesh([], []), [0, 0, 0])
    ([True, False], False)
    """
    if executor is not None:
        far: Bools = _asked_far(PointsAt("contains", shape, None, AUTO, 0), points, executor)
        return far
    inside: bool | None = one_point_in_short("contains", shape, points)
    if inside is not None:
        return inside
    found: Bools = _asked(
        shape, PointBatch("contains", as_points("points", points, dimension_of(shape)), AUTO, True)
    )
    return found


class PointsAt(NamedTuple):
    """What points are measured from; the rows are points, or else poses of the shape.

    shape : without its motions where those are the rows
    points : where they are not the rows
    axis : along which the rows are among points of many poses
    """

    verb: str
    shape: Any
    points: Any
    sign: str
    axis: int

    def answer(self, rows: tuple[Any, ...]) -> SignedDistances | Bools:
        """Answer about some points, or some poses."""
        motions, given = rows
        points = self.points if given is None else np.ascontiguousarray(np.moveaxis(given, 0, self.axis))
        thing = self.shape if motions is None else Moving(self.shape, motions)
        is_side_only = self.verb == "contains"
        found: SignedDistances | Bools = _asked(
            thing,
            PointBatch(self.verb, as_points("points", points, dimension_of(thing)), self.sign, is_side_only),
        )
        return found


def _asked_far(asked: PointsAt, points: Any, executor: Executor) -> Any:
    """Let workers measure points: in parts of the points, or of a batch of poses if these are more."""
    row = row_alone(asked.verb, asked.shape, POINTS)
    refuse(row, asked.verb, asked.shape)
    thing = as_moving(asked.shape)
    places = points if is_read_in_parts(points) else as_points("points", points, dimension_of(thing))
    n_poses, ask = len(thing.motion), Ask.checked(executor=executor)
    if not thing.motion.is_batch:
        n = check_batch({len(places)} if places.ndim > 1 else set(), asked.verb)
        return spread_answer(Batch(asked._replace(shape=thing), (None, places), n, "points"), ask)
    if places.ndim == 3 and len(places) != n_poses:
        raise _unequal(n_poses, len(places))
    if places.ndim > 1 and places.shape[-2] > n_poses:
        axis = places.ndim - 2
        rows = np.moveaxis(places, axis, 0)
        whole = asked._replace(shape=thing, axis=axis)
        return spread_answer(Batch(whole, (None, rows), len(rows), "points", 1), ask)
    own = places if places.ndim == 3 else None
    whole = asked._replace(shape=thing.shape, points=None if own is not None else np.asarray(places))
    return spread_answer(Batch(whole, (thing.motion, own), n_poses, "poses"), ask)


def _asked(shape: Any, batch: PointBatch) -> Any:
    row = row_alone(batch.verb, shape, POINTS)
    refuse(row, batch.verb, shape)
    return row.answer(as_moving(shape), batch, USUAL)


def points_at_convex(thing: Moving, batch: PointBatch, ask: Ask) -> SignedDistances | Bools:
    """Measure points from a convex shape; from a hull as from the mesh of its faces."""
    resting = standing(thing, batch.verb)
    shape = as_convex(resting.shape)
    check_sign(batch, resting)
    if has_faces(shape.table.records[0]):
        return _at_mesh(shape.mesh, resting, batch, CONVEX)
    placed = placed_in(batch, resting.motion)
    field = signed_on_convex(shape, placed.local)
    if batch.is_side_only:
        return shaped(field.distances < 0.0, placed.shape)
    return answered(field, placed, CONVEX)


def points_at_mesh(thing: Moving, batch: PointBatch, ask: Ask) -> SignedDistances | Bools:
    """Measure points from a mesh."""
    resting = standing(thing, batch.verb)
    return _at_mesh(resting.mesh, resting, batch, "")


def points_at_cloud(thing: Moving, batch: PointBatch, ask: Ask) -> SignedDistances | Bools:
    """Measure points from points or strands with radii."""
    resting = standing(thing, batch.verb)
    check_sign(batch, resting)
    placed = placed_in(batch, resting.motion)
    field = signed_on_cloud(as_cloud(resting.shape), placed.local)
    return (
        shaped(field.distances < 0.0, placed.shape) if batch.is_side_only else answered(field, placed, RADIUS)
    )


def check_sign(batch: PointBatch, resting: Resting) -> None:
    """Refuse a rule for sides of what has only one."""
    if batch.sign != AUTO:
        name = type(resting.shape).__name__
        raise ValueError(f"sign is for meshes, and the shape is a {name}: leave it out")


def _at_mesh(mesh: Mesh, resting: Resting, batch: PointBatch, named: str) -> SignedDistances | Bools:
    placed = placed_in(batch, resting.motion)
    if batch.is_side_only:
        return shaped(is_inside_mesh(mesh, placed.local), placed.shape)
    rule = rule_of(mesh) if batch.sign == AUTO else batch.sign
    return answered(signed_on_mesh(mesh, placed.local, rule), placed, named or rule)


def standing(thing: Moving, verb: str) -> Resting:
    """Accept a shape at rest."""
    found = at_rest(thing)
    if found is None:
        raise ValueError(f"{verb} is for one instant, and the shape moves: use shape.at(pose)")
    return found


def _unequal(n_poses: int, n_points: int) -> ValueError:
    return ValueError(
        f"points (m, n, 3) must have a row for each of the {n_poses} poses; received {n_points}"
    )


def placed_in(batch: PointBatch, motion: RigidMotion) -> Placed:
    """Bring points into the frame of a shape, in one pose or a batch of them; exact in the identity pose."""
    points, pose, d = batch.points, motion.pose(0.0), batch.points.shape[-1]
    if not motion.is_batch and np.array_equal(pose, np.eye(4)):
        return Placed(points.reshape(-1, d), points.shape[:-1], None)
    pose = pose if d == 3 else poses_in_plane(pose)
    poses = pose.reshape(-1, d + 1, d + 1)
    if motion.is_batch and points.ndim == 3 and len(points) != len(poses):
        raise _unequal(len(poses), len(points))
    shape = points.shape[:-1] if points.ndim == 3 or not motion.is_batch else (len(poses), *points.shape[:-1])
    rows = points.reshape(len(points) if points.ndim == 3 and motion.is_batch else 1, -1, d)
    # From the right, by the rotation itself: the inverse of each pose.
    local = turned(rows - poses[:, np.newaxis, :d, d], poses[:, :d, :d])
    return Placed(np.ascontiguousarray(local.reshape(-1, d)), shape, poses)


def answered(field: Field, placed: Placed, sign: str) -> SignedDistances:
    """What was found in the frame of a shape, as it is in the world."""
    points, normals, d = field.points, field.normals, field.points.shape[-1]
    if placed.poses is not None:
        k = len(placed.poses)
        n = len(points) // max(k, 1)
        turns = placed.poses[:, :d, :d].transpose(0, 2, 1)
        points = turned(points.reshape(k, n, d), turns) + placed.poses[:, np.newaxis, :d, d]
        normals = turned(normals.reshape(k, n, d), turns)
    shape = placed.shape
    points, normals = points.reshape(*shape, d), normals.reshape(*shape, d)
    if shape == ():
        return SignedDistances(float(field.distances[0]), points, int(field.faces[0]), normals, sign)
    return SignedDistances(field.distances.reshape(shape), points, field.faces.reshape(shape), normals, sign)


def shaped(is_inside: NDArray[np.bool_], shape: tuple[int, ...]) -> Bools:
    """Answers in the shape of the question."""
    return bool(is_inside[0]) if shape == () else is_inside.reshape(shape)
