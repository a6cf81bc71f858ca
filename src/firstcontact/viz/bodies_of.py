"""Things as bodies: shapes become surfaces, motions become poses at many times."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import firstcontact as fc
from firstcontact.arrays import Array
from firstcontact.viz.view import COLORS, Ids, ShownBody, swept_box

# Poses are blended in a straight line between neighbours, which shrinks a body that turns by an angle x in
# between by x^2 / 8: an eighth of a percent.
N_POSES, MAX_POSES, MAX_TURN = 121, 4001, 0.1

# What is as close to a straight line, in units of its coordinates, is one: nobody sees the difference.
STRAIGHT = 1e-9

# A curve is drawn as a tube, this part of its extent.
CURVE_RADIUS = 0.004

# How wide a half-space is drawn, in units of the diagonal of the box around all others.
BEYOND = 1.5

# The box around nothing else.
ALONE = np.array([[-0.5] * 3, [0.5] * 3])


def bodies_of(things: Mapping[str, fc.Moving], at: Array) -> tuple[ShownBody, ...]:
    """All bodies of some things; where they are at some given times is exact."""
    bodies: list[ShownBody] = []
    planes: list[tuple[int, str, fc.Moving]] = []
    for i, (name, thing) in enumerate(things.items()):
        if isinstance(thing.shape, fc.HalfSpace):
            planes.append((i, name, thing))
        else:
            bodies.extend(_bodies(name, thing, COLORS[i % len(COLORS)], at))
    boxes = np.array([swept_box(body) for body in bodies] or [ALONE])
    for i, name, thing in planes:
        patch = _patch(thing, boxes.min(axis=(0, 1)), boxes.max(axis=(0, 1)))
        bodies.extend(_bodies(name, fc.Moving(patch, thing.motion), COLORS[i % len(COLORS)], at))
    return tuple(bodies)


def _patch(thing: fc.Moving, lower: Array, upper: Array) -> fc.Mesh:
    """As much of a half-space's plane as all others are above, or below, of: it has no end."""
    shape, pose = thing.shape, thing.pose(0.0)
    assert isinstance(shape, fc.HalfSpace)
    middle = (0.5 * (lower + upper) - pose[:3, 3]) @ pose[:3, :3]
    return shape.patch(BEYOND * float(np.linalg.norm(upper - lower)) or 1.0, middle)


def _bodies(name: str, thing: fc.Moving, color: int, at: Array) -> list[ShownBody]:
    shape: Any = thing.shape
    if isinstance(shape, fc.Robot):
        return _links(name, thing, shape, color, at)
    if isinstance(shape, fc.Compound):
        return _compound(name, thing, shape, color, at)
    surface = _surface(shape)
    if len(surface.faces) == 0:
        return []
    faces, radii = np.asarray(surface.faces), _radii(surface)
    motion: Any = thing.motion
    if hasattr(motion, "frames"):
        frames, rest = motion.frames, np.eye(4)[np.newaxis]
        return [ShownBody(name, name, color, frames[0], faces, motion.times, rest, frames, radii)]
    times, poses = _sampled(lambda times: np.array([[thing.pose(float(t)) for t in times]]), thing.motion, at)
    vertices = np.asarray(surface.vertices)
    few, edges = _fewest(times, poses[0]), _edges(shape, surface)
    return [ShownBody(name, name, color, vertices, faces, *few, radii=radii, edges=edges)]


def _compound(name: str, thing: fc.Moving, shape: fc.Compound, color: int, at: Array) -> list[ShownBody]:
    """One body for each part of a compound."""

    def poses_at(times: Array) -> Array:
        whole = np.array([thing.pose(float(t)) for t in times])
        return np.stack([whole @ part.pose for part in shape.parts])

    times, poses = _sampled(poses_at, thing.motion, at) if shape.parts else (at, at)
    return [
        body
        for k, part in enumerate(shape.parts)
        for body in _placed(name, name, color, part.shape, *_fewest(times, poses[k]))
    ]


def _placed(label: str, name: str, color: int, shape: Any, times: Array, poses: Array) -> list[ShownBody]:
    """A shape in poses; none where it has no faces."""
    surface = _surface(shape)
    if len(surface.faces) == 0:
        return []
    vertices, faces = np.asarray(surface.vertices), np.asarray(surface.faces)
    radii, edges = _radii(surface), _edges(shape, surface)
    return [ShownBody(label, name, color, vertices, faces, times, poses, radii=radii, edges=edges)]


def _links(name: str, thing: fc.Moving, robot: fc.Robot, color: int, at: Array) -> list[ShownBody]:
    """One body for each shape of a robot's links."""
    motion: Any = thing.motion

    def poses_at(times: Array) -> Array:
        links = robot.link_poses([motion.configuration(t) for t in times], base=motion.base)
        return np.stack([links[part.link] @ part.pose for part in robot.parts])

    times, poses = _sampled(poses_at, motion, at) if robot.parts else (at, at)
    return [
        body
        for i, part in enumerate(robot.parts)
        for body in _placed(part.link, name, color, part.shape, *_fewest(times, poses[i]))
    ]


def _surface(shape: Any) -> fc.Mesh:
    """The mesh of a shape, which it may be itself."""
    if isinstance(shape, fc.DistanceField):
        return skin_of(shape)
    surface: fc.Mesh = shape if isinstance(shape, fc.Mesh) else shape.mesh
    return surface


def _radii(surface: fc.Mesh) -> Array | None:
    """The radii of points or segments; None of a mesh."""
    return surface.radii if isinstance(surface, fc.Points | fc.Strands) else None


def _edges(shape: Any, surface: fc.Mesh) -> Ids | None:
    """Edges of voxels at which sides of cells meet that look along different axes; None of other shapes."""
    if not isinstance(shape, fc.Voxels):
        return None
    a, b, c = surface.vertices[surface.faces].transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)
    axes = np.abs(normals).argmax(axis=1)
    looks = 2 * axes + (normals[np.arange(len(axes)), axes] > 0.0)
    least, most = np.full(len(surface.edges), 6), np.full(len(surface.edges), -1)
    np.minimum.at(least, surface.face_edges.reshape(-1), np.repeat(looks, 3))
    np.maximum.at(most, surface.face_edges.reshape(-1), np.repeat(looks, 3))
    return np.asarray(surface.edges[least < most])


def skin_of(field: fc.DistanceField) -> fc.Mesh:
    """The surface of a field; of an open mesh's, what is two tolerances from it."""
    return field.mesh(0.0 if field.is_signed else 2.0 * field.tolerance)


def _sampled(poses_at: Callable[[Array], Array], motion: Any, at: Array) -> tuple[Array, Array]:
    """Times (k,) close enough to each other, with those given and all bends; poses (n, k, 4, 4) then."""
    # How far it turns is told by the motion: where it is at a few times would not tell whole turns.
    n = int(np.clip(_turning(motion) / MAX_TURN, N_POSES - 1, MAX_POSES - 1)) + 1
    while True:
        times = np.unique(np.concatenate([np.linspace(0.0, 1.0, n), motion.times, at]))
        poses = poses_at(times)
        # Two rotations differ by this length where there is a small angle of 1 between them.
        turns = np.linalg.norm(np.diff(poses[..., :3, :3], axis=1), axis=(-2, -1)) / np.sqrt(2.0)
        if n >= MAX_POSES or float(turns.max()) <= MAX_TURN:
            return times, poses
        n = 2 * n - 1


def _turning(motion: Any) -> float:
    """By which angle a body turns in all, or the joint of a robot that turns most."""
    if hasattr(motion, "configurations"):
        return float(np.abs(np.diff(motion.configurations[0], axis=0)).sum(axis=0).max(initial=0.0))
    return float(np.diff(motion.times) @ np.linalg.norm(motion.angular_velocities[0], axis=1))


def _fewest(times: Array, poses: Array) -> tuple[Array, Array]:
    """One pose alone of what rests, two of what goes straight."""
    if (poses == poses[0]).all():
        return times[:1], poses[:1]
    straight = poses[0] + times[:, np.newaxis, np.newaxis] * (poses[-1] - poses[0])
    units = np.ones((4, 4))  # of a rotation; places are in units of their own
    units[:3, 3] = np.abs(poses[:, :3, 3]).max()
    if (np.abs(straight - poses) <= STRAIGHT * units).all():
        return times[[0, -1]], poses[[0, -1]]
    return times, poses


def curve_of(found: fc.Intersections) -> dict[str, fc.Moving]:
    """The curves in which surfaces meet, as a thing to be seen; of none, nothing."""
    curves = found.curves
    if not curves:
        return {}
    points = np.concatenate(curves)
    radius = CURVE_RADIUS * float(np.ptp(points, axis=0).max())
    return {"curve": fc.Strands(points, [len(curve) for curve in curves], radius=radius).at(np.eye(4))}
