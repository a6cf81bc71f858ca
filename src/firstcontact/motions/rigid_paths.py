"""Rigid motions as users describe them: at a pose, between poses, along poses, with given velocities.

A center is a body point, (3,), and a path one of `PATHS`.
"""

from functools import cache
from math import tan
from typing import Any

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact._validate import as_choice, as_stack, as_times
from firstcontact.arrays import Array
from firstcontact.motions.acceleration import accelerated
from firstcontact.motions.poses import Poses, as_poses
from firstcontact.motions.rigid_motion import (
    AXIS,
    BASE_TIME,
    CENTER,
    DEVIATION,
    END_TIME,
    N_COLUMNS,
    POSITION,
    RATE,
    ROTATION,
    START_TIME,
    VELOCITY,
    RigidMotion,
)
from firstcontact.motions.rotation import axis_and_angle, rotation_vector, turned_away
from firstcontact.scalar.mat3 import Mat3, mat_mul, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, scale, sub

PIECEWISE = ("constant", "screw")
PATHS = (*PIECEWISE, "quaternion")

Pose = tuple[Mat3, Vec3]
# Way of a point and turn about it, in world axes, over a piece.
Step = tuple[Vec3, Vec3]

# A screw that turns by less, in radians, goes straight. Its axis would lie 2**24 times as far away as it
# goes, and positions computed from there would lose half their digits; the arc, for its part, leaves the
# chord by an eighth of the angle times the way, which is no more. Either way the end is reached to rounding.
SMALLEST_SCREW = 2.0**-24

_NOWHERE = (0.0, 0.0, 0.0)


def motion_at(pose: Any) -> RigidMotion:
    """Stand still at a pose, or, as a batch, at each of several."""
    return _resting(as_poses("pose", pose))


@cache
def motion_at_origin() -> RigidMotion:
    """Stand still in the identity pose; made without the compiler, for queries that need no other motion."""
    return _resting(Poses(np.eye(3)[np.newaxis], np.zeros((1, 3)), False))


def motion_between(start: Any, end: Any, center: Any, path: Any, acceleration: Any = None) -> RigidMotion:
    """Go from pose to pose by the shortest turn, on a parabola if there is an acceleration."""
    starts, ends = as_poses("start", start), as_poses("end", end)
    n, is_batch = common_length(
        start=(starts.rotations, starts.is_batch), end=(ends.rotations, ends.is_batch)
    )
    knots = Poses(np.empty((n, 2, 3, 3)), np.empty((n, 2, 3)), is_batch)
    knots.rotations[:, 0], knots.rotations[:, 1] = starts.rotations, ends.rotations
    knots.translations[:, 0], knots.translations[:, 1] = starts.translations, ends.translations
    straight = _motion_through(knots, np.array([0.0, 1.0]), center, path)
    return accelerated(straight, acceleration, is_to_end=True)


def motion_along(poses: Any, times: Any, center: Any, path: Any) -> RigidMotion:
    """Go from pose to pose, each at its time, by the shortest turns."""
    rotations, translations, is_batch = as_poses("poses", poses)
    n = len(rotations)
    if n < 2 or not is_batch:
        raise ValueError(f"poses must be two or more, of shape (n, 4, 4); received {n}")
    when = evenly(n) if times is None else as_times("times", times, n).copy()
    knots = Poses(rotations[np.newaxis], translations[np.newaxis], False)
    return _motion_through(knots, when, center, path)


def evenly(n: int) -> Array:
    """Times from 0 to 1, as `numpy.linspace` gives them, in a tenth of its time."""
    times: Array = np.arange(n, dtype=np.float64) * (1.0 / (n - 1))
    times[-1] = 1.0
    return times


def motion_with(
    start: Any, velocity: Any, angular_velocity: Any, center: Any, path: Any, acceleration: Any = None
) -> RigidMotion:
    """Go on from a pose with the given velocities, of the center and about it; None is none."""
    starts = as_poses("start", start)
    velocities, has_many = as_stack("velocity", _NOWHERE if velocity is None else velocity, (3,))
    angular, has_many_angular = as_stack(
        "angular_velocity", _NOWHERE if angular_velocity is None else angular_velocity, (3,)
    )
    n, is_batch = common_length(
        start=(starts.rotations, starts.is_batch),
        velocity=(velocities, has_many),
        angular_velocity=(angular, has_many_angular),
    )
    steps, pieces = np.empty((n, 2, 3)), np.empty((n, 1, N_COLUMNS))
    steps[:, 0], steps[:, 1] = velocities, angular
    rotations, translations = np.empty((n, 1, 3, 3)), np.empty((n, 1, 3))
    rotations[:, 0], translations[:, 0] = starts.rotations, starts.translations
    _write_steps(rotations, translations, steps, as_point(center), _is_screw(path), pieces)
    straight = RigidMotion(pieces, translations, np.array([0.0, 1.0]), is_batch)
    return accelerated(straight, acceleration, is_to_end=False)


def _resting(poses: Poses) -> RigidMotion:
    rotations, translations, is_batch = poses
    pieces = np.zeros((len(rotations), 1, N_COLUMNS))
    pieces[:, 0, ROTATION:POSITION] = rotations.reshape(-1, 9)
    pieces[:, 0, POSITION:VELOCITY] = translations
    pieces[..., END_TIME] = 1.0
    return RigidMotion(pieces, translations[:, np.newaxis], np.array([0.0, 1.0]), is_batch)


def _motion_through(knots: Poses, times: Array, center: Any, path: Any) -> RigidMotion:
    """Go through poses (n, k + 1) at their times."""
    rotations, translations, is_batch = knots
    pieces = np.empty((len(rotations), len(times) - 1, N_COLUMNS))
    _write_joints(rotations, translations, times, as_point(center), _is_screw(path), pieces)
    return RigidMotion(pieces, translations[:, :-1].copy(), times, is_batch)


@driver
def _write_joints(
    rotations: Array, translations: Array, times: Array, center: Array, is_screw: bool, pieces: Array
) -> None:
    """Write the pieces between neighbours among poses (n, k + 1) into (n, k, N_COLUMNS)."""
    point = center[0], center[1], center[2]
    for i in range(pieces.shape[0]):
        for j in range(pieces.shape[1]):
            start = _pose(rotations[i, j], translations[i, j])
            end = _pose(rotations[i, j + 1], translations[i, j + 1])
            step = step_between(start, end, point, is_screw)
            write_piece(start, step, point, (times[j], times[j + 1]), is_screw, pieces[i, j])


@driver
def _write_steps(
    rotations: Array, translations: Array, steps: Array, center: Array, is_screw: bool, pieces: Array
) -> None:
    """Write pieces over all of [0, 1], with the velocities given as (n, 2, 3), into (n, 1, N_COLUMNS)."""
    point = center[0], center[1], center[2]
    for i in range(len(pieces)):
        s = steps[i]
        step = (s[0, 0], s[0, 1], s[0, 2]), (s[1, 0], s[1, 1], s[1, 2])
        start = _pose(rotations[i, 0], translations[i, 0])
        write_piece(start, step, point, (0.0, 1.0), is_screw, pieces[i, 0])


@kernel
def _pose(rotation: Array, translation: Array) -> Pose:
    """Read a pose."""
    r = rotation
    matrix = r[0, 0], r[0, 1], r[0, 2], r[1, 0], r[1, 1], r[1, 2], r[2, 0], r[2, 1], r[2, 2]
    return matrix, (translation[0], translation[1], translation[2])


@kernel
def step_between(start: Pose, end: Pose, center: Vec3, is_screw: bool) -> Step:
    """Way of the center and shortest turn from pose to pose; of a screw, as they are at the start."""
    turn = rotation_vector(mat_mul(end[0], transposed(start[0])))
    axis, angle = axis_and_angle(turn)
    swing = turned_away(axis, angle, mat_vec(start[0], center))
    step = add(sub(end[1], start[1]), swing), turn
    return _departure(step) if is_screw else step


@kernel
def _departure(step: Step) -> Step:
    """Velocity that a point has at the start of the screw that takes it the way of this step (Chasles)."""
    # A chord is that velocity turned by half the angle, h, and shortened by sin(h) / h.
    way, turn = step
    axis, angle = axis_and_angle(turn)
    half = 0.5 * angle
    along = scale(dot(axis, way), axis)
    stretch = half / tan(half) if half > 0.0 else 1.0
    forward = add(along, scale(stretch, sub(way, along)))
    return sub(forward, scale(half, cross(axis, way))), turn


@kernel
def write_piece(
    start: Pose, step: Step, center: Vec3, times: tuple[float, float], is_screw: bool, row: Array
) -> None:
    """Write the columns of a motion that starts at a pose; of a screw, the step is taken at the start."""
    (rotation, translation), (way, turn) = start, step
    axis, angle = axis_and_angle(turn)
    if is_screw and angle < SMALLEST_SCREW:
        way = add(way, scale(0.5, cross(turn, way)))
    elif is_screw:
        arm = scale(1.0 / angle, cross(axis, way))
        center = add(center, mat_vec(transposed(rotation), arm))
        way = scale(dot(axis, way), axis)
    position = add(mat_vec(rotation, center), translation)
    span = times[1] - times[0]
    for i in range(9):
        row[ROTATION + i] = rotation[i]
    for i in range(3):
        row[POSITION + i], row[VELOCITY + i] = position[i], way[i] / span
        row[AXIS + i], row[CENTER + i] = axis[i], center[i]
    row[RATE], row[BASE_TIME], row[DEVIATION] = angle / span, times[0], 0.0
    row[START_TIME], row[END_TIME] = times


def common_length(**stacks: tuple[Array, bool]) -> tuple[int, bool]:
    """Find the length of all batches among single items and batches; whether there is a batch at all."""
    lengths = {name: len(stack) for name, (stack, is_batch) in stacks.items() if is_batch}
    if len(set(lengths.values())) > 1:
        names, counts = " and ".join(lengths), " and ".join(map(str, lengths.values()))
        raise ValueError(f"{names} must be batches of one length, or single; received {counts}")
    return next(iter(lengths.values()), 1), bool(lengths)


def as_point(center: Any) -> Array:
    """Cast a body point, (3,)."""
    points, is_batch = as_stack("center", center, (3,))
    if is_batch:
        raise ValueError(f"center must have shape (3,); received {points.shape}")
    return points.reshape(3)


def _is_screw(path: Any) -> bool:
    chosen = as_choice("path", path, PATHS)
    if chosen not in PIECEWISE:
        rule = "goes from a start to an end, and takes neither velocities, an acceleration nor more poses"
        raise ValueError(f'path "{chosen}" {rule}: shape.moving(start, end, path="{chosen}")')
    return chosen == "screw"
