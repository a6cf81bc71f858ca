"""Things at so many instants that, between two of them, no point goes far: what is in one is in the sweep."""

from collections.abc import Container, Iterator
from itertools import pairwise
from typing import NamedTuple, cast

import numpy as np

from firstcontact.arrays import Array, Keys
from firstcontact.articulated.model.robot import Robot
from firstcontact.bodies.mesh_parts import check_closed
from firstcontact.motions.joint_motion import JointMotion
from firstcontact.motions.rigid_motion import AXIS, END_TIME, RATE, START_TIME, VELOCITY
from firstcontact.proximity.points.signed_on_cloud import signed_on_cloud
from firstcontact.proximity.points.signed_on_convex import signed_on_convex
from firstcontact.proximity.points.signed_on_mesh import rule_of, signed_on_mesh
from firstcontact.shapes.cloud import Cloud, as_cloud
from firstcontact.shapes.compound import moving_parts
from firstcontact.shapes.convex_shape import as_convex
from firstcontact.shapes.mesh import Mesh, as_mesh, is_empty
from firstcontact.shapes.movable import Kind, Movable
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape
from firstcontact.shapes.voxels import skinned
from firstcontact.sweeping.lattice import Measure
from firstcontact.sweeping.prism_tree import Band
from firstcontact.sweeping.prisms import BETWEEN
from firstcontact.sweeping.robot_slices import fine_joints, links_at
from firstcontact.sweeping.slices import arms_of, counts_of, fine_rows, numbered, offs_of, poses_in

# Parts of the tolerance: how far any point is from where the nearest snapshot has it, and how far a snapshot
# may be from where the thing truly is.
APART, BENT = 1.0 / 8.0, 1.0 / 48.0


class Snapshots(NamedTuple):
    """A shape in poses (k, 4, 4); a ball around it, in its frame; how far off the poses may be."""

    shape: Movable
    poses: Array
    ball: tuple[Array, float]
    deviation: float


def snapshots_of(thing: Moving, tolerance: float, links: Container[str]) -> list[Snapshots]:
    """Snapshots of a thing with an inside, an eighth of the tolerance apart, or less."""
    if thing.kind is Kind.DEFORMING:
        return list(_deforming(thing, APART * tolerance))
    if not isinstance(thing.motion, JointMotion):
        parts = [skinned(part) for part in moving_parts(thing)]
        return [_rigid(part, tolerance) for part in parts if not is_empty(part.shape)]
    return list(_robot(thing, tolerance, links))


def _rigid(thing: Moving, tolerance: float) -> Snapshots:
    _check_inside(thing.shape, "the thing")
    ball = _ball_of(thing.shape)
    rows = fine_rows(thing.rigid, BENT * tolerance)
    arms, spans = arms_of(rows, ball), rows[:, END_TIME] - rows[:, START_TIME]
    speeds = np.linalg.norm(rows[:, VELOCITY:AXIS], axis=1) + rows[:, RATE] * arms
    which, parts = _middles(speeds * spans, APART * tolerance)
    off = float(offs_of(rows, arms).max())
    return Snapshots(thing.shape, poses_in(rows, which, parts), ball, off)


def _robot(thing: Moving, tolerance: float, links: Container[str]) -> Iterator[Snapshots]:
    robot, motion = cast(Robot, thing.shape), cast(JointMotion, thing.motion)
    for part in robot.parts:
        if part.link not in links:
            continue
        _check_inside(part.shape, f"link {part.link!r}")
        ball = _ball_of(part.shape)
        reach = float(np.linalg.norm(part.pose[:3, :3] @ ball[0] + part.pose[:3, 3])) + ball[1]
        joints, bounds = fine_joints(robot, motion, part.link, reach, BENT * tolerance)
        which, parts = _middles(bounds.speed * np.diff(joints.times), APART * tolerance)
        poses = links_at(robot, joints, part.link, which, parts) @ part.pose
        yield Snapshots(part.shape, poses, ball, float(bounds.deviation.max()))


def _deforming(thing: Moving, apart: float) -> Iterator[Snapshots]:
    mesh, frames = thing.surface, thing.deforms.frames
    if is_empty(mesh):
        return
    for first, last in pairwise(frames):
        farthest = np.linalg.norm((last - first)[mesh.faces], axis=2).max(initial=0.0)
        _, parts = _middles(np.array([farthest]), apart)
        for part in parts.tolist():
            places = first + part * (last - first)
            shape: Mesh = Mesh(places, mesh.faces)
            if mesh.is_cloud:
                shape = Cloud(places, mesh.faces, as_cloud(mesh).radius)
            _check_inside(shape, "the thing")
            off = BETWEEN * float(np.abs(places).max(initial=0.0))
            yield Snapshots(shape, np.eye(4)[np.newaxis], _ball_of(shape), off)


def _middles(ways: Array, apart: float) -> tuple[Keys, Array]:
    """Cut ways (k,) into parts twice as long as this at most: of which way each is, and its middle."""
    counts = counts_of(ways / (2.0 * apart))
    which, parts = numbered(counts)
    return which, (parts + 0.5) / counts[which]


def _check_inside(shape: Movable, name: str) -> None:
    if shape.kind is Kind.MESH and not shape.is_cloud:
        check_closed(as_mesh(shape), name, "inner=True")


def _ball_of(shape: Movable) -> tuple[Array, float]:
    lower, upper = cast(Shape, shape).bounds
    middle = 0.5 * (lower + upper)
    return middle, float(np.linalg.norm(upper - middle)) * (1.0 + 2.0**-40)


def depth_measure(shots: list[Snapshots], shift: Array) -> Measure:
    """What measures points, counted from a place: the least signed distance of all snapshots."""

    def measure(points: Array, band: Band) -> Array:
        places, values = points + shift, np.full(len(points), band.high)
        left = np.arange(len(points))
        for one, pose in _in_order(shots):
            away = places[left] - (pose[:3, :3] @ one.ball[0] + pose[:3, 3])
            reach = one.ball[1] + max(band.high, 0.0)
            which = left[np.einsum("ij,ij->i", away, away) <= reach * reach]
            if len(which) > 0:
                local = np.ascontiguousarray((places[which] - pose[:3, 3]) @ pose[:3, :3])
                values[which] = np.minimum(values[which], _signed(one.shape, local))
                left = left[values[left] > band.low]
        return values

    return measure


def _in_order(shots: list[Snapshots]) -> Iterator[tuple[Snapshots, Array]]:
    """Give all snapshots, few of the whole way first: most points are deep in one of these."""
    pairs = [(one, pose) for one in shots for pose in one.poses]
    step = 1 << (len(pairs) - 1).bit_length()
    yield pairs[0]
    while step > 1:
        yield from pairs[step // 2 :: step]
        step //= 2


def _signed(shape: Movable, points: Array) -> Array:
    """Signed distances at points (n, 3) in a shape's frame."""
    if shape.kind is Kind.CONVEX:
        return signed_on_convex(as_convex(shape), points).distances
    if shape.is_cloud:
        return signed_on_cloud(as_cloud(shape), points).distances
    mesh = as_mesh(shape)
    return signed_on_mesh(mesh, points, rule_of(mesh)).distances
