"""The motions of the rigid benchmark: from one random pose to another, and a body that falls and bounces.

A moves, B stands at the origin. A pose is a (4, 4) matrix. Between two poses the centre of A's surface has a
constant velocity, and A turns about it at a constant rate, the shorter way: the path that the library takes
too, written down here once more so that its times can be checked by other means.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deformable.surfaces import Points, rotations
from rigid.models import Model

Flags = NDArray[np.bool_]
Colliding = Callable[[Points, Points], Flags]  # start poses (n, 4, 4), end poses: which of them collide
Touching = Callable[[Points], Flags]  # poses (n, 4, 4): in which of them A touches B

COLLIDING = 2.0 / 3.0  # of the random motions, as in the paper
_STEP = 0.02  # that a falling body takes at first, relative to its size
_N_FALL = 120  # steps of a fall, at most


class Motions(NamedTuple):
    """Start and end poses (n, 4, 4) of A, and which of the motions collide."""

    starts: Points
    ends: Points
    is_colliding: Flags


class Velocities(NamedTuple):
    """Of the centre (n, 3), and axis (n, 3) and angle (n,) of the rotation, both over [0, 1]."""

    linear: Points
    axis: Points
    angle: Points


def random_motions(
    rng: np.random.Generator,
    a: Model,
    b: Model,
    n: int,
    is_colliding: Colliding,
    is_touching: Touching,
    colliding: float = COLLIDING,
) -> Motions:
    """Motions between random poses, free of contact at the start, of which a given share collides.

    Poses are uniform: any rotation, the centre anywhere in a box in which both bodies have room. Motions are
    drawn until there are enough of both kinds, and kept in the order in which they were drawn.
    """
    wanted = {True: round(colliding * n), False: n - round(colliding * n)}
    starts, ends, flags = np.empty((0, 4, 4)), np.empty((0, 4, 4)), np.empty(0, bool)
    while any((flags == kind).sum() < count for kind, count in wanted.items()):
        drawn = random_poses(rng, a, b, 2 * n).reshape(2, n, 4, 4)
        is_free = ~is_touching(drawn[0])
        some_starts, some_ends = drawn[0][is_free], drawn[1][is_free]
        starts, ends = np.concatenate([starts, some_starts]), np.concatenate([ends, some_ends])
        flags = np.concatenate([flags, is_colliding(some_starts, some_ends)])
    rows = np.sort(np.concatenate([np.flatnonzero(flags == kind)[:count] for kind, count in wanted.items()]))
    return Motions(starts[rows], ends[rows], flags[rows])


def random_poses(rng: np.random.Generator, a: Model, b: Model, n: int) -> Points:
    """Poses (n, 4, 4) of A: any rotation, its centre anywhere in the box of B widened by A's radius."""
    radius = np.linalg.norm(a[0] - center(a), axis=-1).max()
    places = rng.uniform(b[0].min(axis=0) - radius, b[0].max(axis=0) + radius, (n, 3))
    return _poses(a, random_rotations(rng, n), places)


def random_rotations(rng: np.random.Generator, n: int) -> Points:
    """Uniform over all rotations, (n, 3, 3)."""
    quaternion = rng.normal(size=(n, 4))
    length = np.linalg.norm(quaternion[:, 1:], axis=-1)
    return rotations(quaternion[:, 1:], 2.0 * np.arctan2(length, quaternion[:, 0]))


def falling_motions(rng: np.random.Generator, a: Model, b: Model, n: int, is_colliding: Colliding) -> Motions:
    """Small steps, most of them free: A tumbles down onto B, again and again, bounces off and falls past it.

    A step that collides is the last of its flight: the next one starts where it did, in another direction.
    """
    found: list[Motions] = []
    place, velocity = _dropped(rng, a, b)
    rotation = random_rotations(rng, 1)[0]
    while sum(len(part.starts) for part in found) < n:
        path = _flight(rng, a, rotation, place, velocity)
        hits = is_colliding(path[:-1], path[1:])
        end = int(hits.argmax()) + 1 if hits.any() else _N_FALL
        found.append(Motions(path[:end], path[1 : end + 1], hits[:end]))
        if hits.any():
            rotation, place = path[end - 1, :3, :3], (path[end - 1] @ np.append(center(a), 1.0))[:3]
            velocity = _bounced(rng, velocity, place)
        else:
            place, velocity = _dropped(rng, a, b)
    joined = [np.concatenate(arrays)[:n] for arrays in zip(*found, strict=True)]
    return Motions(*joined)


def _dropped(rng: np.random.Generator, a: Model, b: Model) -> tuple[Points, Points]:
    """Above B, about to hit it or to miss it narrowly: place and velocity a step."""
    above = b[0][:, 2].max() + 0.7 * size(a)
    place = np.append(rng.uniform(-0.6, 0.6, 2) * size(a), above)
    return place, np.array([0.0, 0.0, -_STEP * size(a)])


def _bounced(rng: np.random.Generator, velocity: Points, place: Points) -> Points:
    """Away from B, at the speed of a drop or of half the impact."""
    away = place / np.linalg.norm(place) + rng.normal(0.0, 0.3, 3)
    return 0.5 * np.linalg.norm(velocity) * away / np.linalg.norm(away)


def _flight(rng: np.random.Generator, a: Model, rotation: Points, place: Points, velocity: Points) -> Points:
    """Poses (_N_FALL + 1, 4, 4) under gravity, spinning about one axis by some degrees a step."""
    step = np.arange(_N_FALL + 1.0)
    gravity = np.array([0.0, 0.0, -0.02 * _STEP * size(a)])
    places = place + step[:, None] * velocity + 0.5 * step[:, None] ** 2 * gravity
    axes = np.tile(rng.normal(size=3), (len(step), 1))
    return _poses(a, rotations(axes, step * rng.uniform(0.01, 0.06)) @ rotation, places)


def _poses(a: Model, turned: Points, places: Points) -> Points:
    """Poses (n, 4, 4) with these rotations (n, 3, 3) that bring the centre of A to these places (n, 3)."""
    poses = np.tile(np.eye(4), (len(places), 1, 1))
    poses[:, :3, :3] = turned
    poses[:, :3, 3] = places - turned @ center(a)
    return poses


def size(model: Model) -> float:
    """The longest side of the box around a model."""
    return float(np.ptp(model[0], axis=0).max())


def center(model: Model) -> Points:
    """The centre of the surface: the mean of the triangles' centres, weighted by their areas."""
    corners = model[0][model[1]]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=-1)
    return areas @ corners.mean(axis=1) / areas.sum()


def velocities(starts: Points, ends: Points, middle: Points) -> Velocities:
    """Velocity of the centre and the rotation, by the shorter way, that lead from start to end poses."""
    linear = _placed(ends, middle) - _placed(starts, middle)
    w, vector = quaternions(ends[:, :3, :3] @ starts[:, :3, :3].swapaxes(1, 2))
    length = np.linalg.norm(vector, axis=-1)
    axis = np.where(length[:, None] > 0.0, vector, [1.0, 0.0, 0.0])
    return Velocities(
        linear, axis / np.linalg.norm(axis, axis=-1, keepdims=True), 2.0 * np.arctan2(length, w)
    )


def poses_at(starts: Points, ends: Points, middle: Points, times: Points) -> Points:
    """Poses (n, 4, 4) at one time each, times (n,)."""
    linear, axis, angle = velocities(starts, ends, middle)
    poses = starts.copy()
    poses[:, :3, :3] = rotations(axis, times * angle) @ starts[:, :3, :3]
    places = _placed(starts, middle) + times[:, None] * linear
    poses[:, :3, 3] = places - poses[:, :3, :3] @ middle
    return poses


def _placed(poses: Points, point: Points) -> Points:
    return poses[:, :3, :3] @ point + poses[:, :3, 3]


def quaternions(matrices: Points) -> tuple[Points, Points]:
    """Unit quaternions, real parts (n,) not negative and vectors (n, 3), of rotation matrices (n, 3, 3)."""
    m = matrices
    outer = np.empty((len(m), 4, 4))  # 4 q q^T, whose longest row gives q with the fewest digits lost
    trace = np.trace(m, axis1=1, axis2=2)
    outer[:, 0, 0] = 1.0 + trace
    outer[:, 1:, 1:] = m + m.swapaxes(1, 2) + np.eye(3) * (1.0 - trace)[:, None, None]
    skew = m.swapaxes(1, 2) - m
    outer[:, 0, 1:] = outer[:, 1:, 0] = np.stack([skew[:, 1, 2], skew[:, 2, 0], skew[:, 0, 1]], axis=-1)
    longest = outer[np.arange(len(m)), np.diagonal(outer, axis1=1, axis2=2).argmax(axis=1)]
    longest *= np.where(longest[:, :1] < 0.0, -1.0, 1.0) / np.linalg.norm(longest, axis=-1, keepdims=True)
    return longest[:, 0], longest[:, 1:]
