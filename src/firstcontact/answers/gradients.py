"""How a distance, or the time of a first contact, changes as bodies are moved.

A body is moved by a translation d and turned by a rotation vector w, both in the world, about the origin of
its pose: a point x of it goes by d + w x (x - origin). The distance of the closest points p of a and q of b,
along the unit vector n from p to q, changes by n times how q goes less how p goes; that they are other points
of the bodies then makes no difference, to first order.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from firstcontact.arrays import Array, crossed
from firstcontact.motions.plane_poses import IN_PLANE, lifted_points
from firstcontact.motions.poses_then import poses_then
from firstcontact.motions.rigid_motion import AXIS, BASE_TIME, POSITION, RATE, VELOCITY, RigidMotion
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving

# Step of a central difference in a joint's number: it is off by the square of it, and by rounding over it.
JOINT_STEP = 1e-5


class Standing(NamedTuple):
    """A robot, and the pose (4, 4) of its root; None for the origin of the world."""

    shape: Any
    base: Array | None


def directions(points_a: Array, points_b: Array, distances: Array) -> Array:
    """Unit vectors (n, 3) from one point to the other; NaN at no distance, where rounding may leave a way."""
    way = points_b - points_a
    length = np.linalg.norm(way, axis=1, keepdims=True)
    is_apart = (length > 0.0) & (distances[:, np.newaxis] > 0.0)
    found: Array = np.divide(way, length, out=np.full_like(way, np.nan), where=is_apart)
    return found


def of_poses(points: Array, normals: Array, origins: Array) -> Array:
    """Gradients (n, 2, 6) of distances: points and origins (2, n, 3) of a and of b, and normals (n, 3)."""
    turns = crossed(points - origins, normals)
    found = np.stack([np.concatenate([normals, turn], axis=1) for turn in turns], axis=1)
    found[:, 0] *= -1.0
    return found


def distance_gradient(
    things: Mapping[str, Moving], points: tuple[Array, Array], distances: Array, times: Array | None = None
) -> Array:
    """Gradients (n, 2, 6) of the distances (n,) of two shapes, by closest points (n, 3), at times (n,)."""
    then = np.zeros(len(distances)) if times is None else times
    origins = np.stack([_origins(things[name], then) for name in "ab"])
    places = lifted_points(np.stack(points))
    found = of_poses(places, directions(places[0], places[1], distances), origins)
    return found if points[0].shape[-1] == 3 else found[..., IN_PLANE]


def time_gradient(things: Mapping[str, Moving], times: Array, points: Array, normals: Array) -> Array:
    """Gradients (n, 2, 6) of times of first contact, NaN where there is none, at points (n, 3).

    The gap g closes at the time t; moved, the bodies have it closed where g changes by nothing in all:
    dt = -dg / (dg/dt), by the implicit function theorem.
    """
    is_hit = np.isfinite(times)
    then = np.where(is_hit, times, 0.0)
    bodies = [things[name] for name in "ab"]
    if any(body.kind in (Kind.DEFORMING, Kind.DEFORMING_PLANAR) for body in bodies):
        raise ValueError("the gradient of a first contact's time is for rigid bodies, and one deforms")
    points, normals, is_flat = lifted_points(points), lifted_points(normals), points.shape[-1] == 2
    origins = np.stack([_origins(body, then) for body in bodies])
    velocities = [_velocities(body.rigid, then, points) for body in bodies]
    rates = np.einsum("ij,ij->i", normals, velocities[1] - velocities[0])
    gaps = of_poses(np.stack([points, points]), normals, origins)
    found = np.full((len(times), 2, 6), np.nan)
    is_closing = is_hit & (rates < 0.0)
    found[is_closing] = -gaps[is_closing] / rates[is_closing, np.newaxis, np.newaxis]
    return found[..., IN_PLANE] if is_flat else found


def joint_gradients(
    things: Mapping[str, Moving],
    q: Array,
    names: tuple[Any, Any],
    points: tuple[Array, Array],
    distances: Array,
) -> Array:
    """Gradients (n, dof) of a robot's distances (n,) in configurations (n, dof); NaN where it touches.

    names : n links that are closest, and what they are closest to; points (n, 3) of each
    """
    (robot, *_), (_, *obstacles) = things.values(), things
    normals, found = directions(*points, distances), np.full(q.shape, np.nan)
    for i, (a, b) in enumerate(zip(*names, strict=True)):
        if a is not None and not np.isnan(normals[i, 0]):
            is_other = b in obstacles or b.split("/")[0] in obstacles
            links = a, None if is_other else b
            ends = points[0][i], points[1][i]
            found[i] = _joint_gradient(_standing(robot, i), q[i], links, ends, normals[i])
    return found


def _standing(robot: Moving, i: int) -> Standing:
    motion: Any = robot.motion
    return Standing(robot.shape, None if motion.bases is None else motion.bases[min(i, len(motion) - 1)])


def _joint_gradient(
    robot: Standing, q: Array, links: tuple[str, str | None], points: tuple[Array, Array], normal: Array
) -> Array:
    """Gradient (dof,) of a robot's distance: of a point of a link from one of another, or of what rests."""
    steps = JOINT_STEP * np.eye(len(q))
    around = np.concatenate([q + steps, q - steps, q[np.newaxis]])
    poses = robot.shape.link_poses(around, base=robot.base)
    found = np.zeros(len(q))
    for sign, link, point in ((-1.0, links[0], points[0]), (1.0, links[1], points[1])):
        if link is not None:
            pose = poses[link]
            own = pose[-1, :3, :3].T @ (point - pose[-1, :3, 3])
            places = pose[:-1, :3, :3] @ own + pose[:-1, :3, 3]
            ahead, behind = places[: len(q)], places[len(q) :]
            found += sign * ((ahead - behind) @ normal) / (2.0 * JOINT_STEP)
    return found


def _origins(thing: Moving, times: Array) -> Array:
    """Where the origins of a body's poses are, (n, 3); what deforms stands in the world's."""
    if thing.kind in (Kind.DEFORMING, Kind.DEFORMING_PLANAR):
        return np.zeros((len(times), 3))
    return poses_then(thing.rigid, times)[:, :3, 3].copy()


def _velocities(motion: RigidMotion, times: Array, points: Array) -> Array:
    """Velocities (n, 3) of the points of bodies that are at places (n, 3) at times (n,)."""
    which = np.arange(len(times)) if len(motion) > 1 else np.zeros(len(times), np.intp)
    if motion.law is None:
        last = len(motion.times) - 1
        pieces = np.minimum(np.searchsorted(motion.times, times, side="right"), last) - 1
        rows = motion.pieces[which, pieces]
    else:
        rows = motion.law.rows(which, times, times)
    velocity = rows[:, VELOCITY:AXIS]
    arm = points - rows[:, POSITION:VELOCITY] - (times - rows[:, BASE_TIME])[:, np.newaxis] * velocity
    found: Array = velocity + rows[:, RATE, np.newaxis] * crossed(rows[:, AXIS:RATE], arm)
    return found
