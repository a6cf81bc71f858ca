"""Things as bodies: shapes become surfaces, motions become poses at many times."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from firstcontact.viz.view import COLORS, Body

Array = NDArray[np.float64]

# Poses are blended in a straight line between neighbours, which shrinks a body that turns by an angle x in
# between by x^2 / 8: an eighth of a percent.
N_POSES, MAX_POSES, MAX_TURN = 121, 4001, 0.1

# What is as close to a straight line, in units of its coordinates, is one: nobody sees the difference.
STRAIGHT = 1e-9


def bodies_of(things: Mapping[str, fc.Moving], at: Array) -> tuple[Body, ...]:
    """All bodies of some things; where they are at some given times is exact."""
    bodies: list[Body] = []
    for i, (name, thing) in enumerate(things.items()):
        bodies.extend(_bodies(name, thing, COLORS[i % len(COLORS)], at))
    return tuple(bodies)


def _bodies(name: str, thing: fc.Moving, color: int, at: Array) -> list[Body]:
    shape: Any = thing.shape
    if isinstance(shape, fc.Robot):
        return _links(name, thing, shape, color, at)
    surface = shape if isinstance(shape, fc.Mesh) else shape.mesh
    if len(surface.faces) == 0:
        return []
    faces = np.asarray(surface.faces)
    if hasattr(thing.motion, "vertices_t0"):
        frames = np.stack([thing.vertices(0.0), thing.vertices(1.0)])
        rest = np.eye(4)[np.newaxis]
        return [Body(name, name, color, frames[0], faces, np.array([0.0, 1.0]), rest, frames)]
    times, poses = _sampled(lambda times: np.stack([thing.pose(float(t)) for t in times]), at)
    return [Body(name, name, color, np.asarray(surface.vertices), faces, times, poses)]


def _links(name: str, thing: fc.Moving, robot: fc.Robot, color: int, at: Array) -> list[Body]:
    """One body for each shape of a robot's links."""
    motion: Any = thing.motion
    bodies = []
    for part in robot.parts:
        shape: Any = part.shape
        surface = shape if isinstance(shape, fc.Mesh) else shape.mesh
        if len(surface.faces) == 0:
            continue

        def poses_at(times: Array, part: Any = part) -> Array:
            found: Array = robot.link_poses([motion.configuration(t) for t in times])[part.link] @ part.pose
            return found

        times, poses = _sampled(poses_at, at)
        faces = np.asarray(surface.faces)
        bodies.append(Body(part.link, name, color, np.asarray(surface.vertices), faces, times, poses))
    return bodies


def _sampled(poses_at: Callable[[Array], Array], at: Array) -> tuple[Array, Array]:
    """Poses at times close enough to each other, with those given; one alone of what rests."""
    n = N_POSES
    while True:
        times = np.unique(np.concatenate([np.linspace(0.0, 1.0, n), at]))
        poses = poses_at(times)
        turns = poses[1:, :3, :3] - poses[:-1, :3, :3]
        if n >= MAX_POSES or float(np.abs(turns).max()) <= MAX_TURN:
            break
        n = 2 * n - 1
    if (poses == poses[0]).all():
        return times[:1], poses[:1]
    straight = poses[0] + times[:, np.newaxis, np.newaxis] * (poses[-1] - poses[0])
    if (np.abs(straight - poses) <= STRAIGHT * np.abs(poses[[0, -1]]).max()).all():
        return times[[0, -1]], poses[[0, -1]]
    return times, poses
