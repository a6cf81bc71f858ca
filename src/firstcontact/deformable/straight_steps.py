"""Steps in which the vertices of a mesh go straight, as seen from another thing, which deforms or is rigid.

Seen from a rigid body, what goes straight goes along a curve: with r the arm from the point that it turns
about, w its rate of turn and r' its speed, no acceleration is more than 2 w r' + w^2 r. Over a time h, a
curve is no farther from its chord than h^2 / 8 times that.
"""

from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array
from firstcontact.deformable.with_rigid.rigid_segment import TURNED, farthest
from firstcontact.motions.relative_motion import MEASURED
from firstcontact.motions.rigid_motion import (
    AXIS,
    BASE_TIME,
    DEVIATION,
    END_TIME,
    POSITION,
    RATE,
    VELOCITY,
    RigidMotion,
)
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of


class StraightStep(NamedTuple):
    """A step of two things.

    start, end : times
    mesh : (2, n, 3) where the vertices are at both ends, as seen from the other
    other : (2, m, 3) those of the other, if it deforms; else it stays where it is
    deviation : how far vertices may be from their straight ways
    rounding : what rounding may hide of a distance
    """

    start: float
    end: float
    mesh: Array
    other: Array | None
    deviation: float
    rounding: float


def bends(mesh: Moving, other: Moving) -> Array:
    """Times between which each vertex goes straight, and a rigid body by one piece of its motion."""
    times = other.deforms.times if other.kind is Kind.DEFORMING else other.rigid.times
    return np.unique(np.concatenate([mesh.deforms.times, times]))


def straight_step(mesh: Moving, other: Moving, start: float, end: float) -> StraightStep:
    """A step between two times with no bend between them; at an instant, of no length."""
    return (_of_two if other.kind is Kind.DEFORMING else _seen_from)(mesh, other, start, end)


def _of_two(mesh: Moving, other: Moving, start: float, end: float) -> StraightStep:
    """A step of two meshes that deform."""
    a, b = (np.stack([thing.vertices(start), thing.vertices(end)]) for thing in (mesh, other))
    lengths = farthest(a) + farthest(b) + mesh.surface.thickness + other.surface.thickness
    return StraightStep(start, end, a, b, 0.0, MEASURED * lengths + SHORTEST)


def _seen_from(mesh: Moving, other: Moving, start: float, end: float) -> StraightStep:
    """A step of a mesh that deforms, as seen from a rigid body."""
    row, places = _row(other.rigid, start, end), [mesh.vertices(start), mesh.vertices(end)]
    poses = [other.pose(start), other.pose(end)]
    seen = np.stack([(x - pose[:3, 3]) @ pose[:3, :3] for x, pose in zip(places, poses, strict=True)])
    centers = [row[POSITION:VELOCITY] + (t - row[BASE_TIME]) * row[VELOCITY:AXIS] for t in (start, end)]
    arms = np.stack([place - center for place, center in zip(places, centers, strict=True)])
    span, rate, arm = end - start, float(row[RATE]), farthest(arms)
    bend = span * (2.0 * rate * farthest(arms[1] - arms[0]) + span * rate * rate * arm)
    # Both ends are where they truly are: its chord may be off by as much as the piece.
    deviation = 0.125 * bend + 2.0 * float(row[DEVIATION])
    lengths = max(map(farthest, places)) + max(farthest(pose[:3, 3]) for pose in poses) + farthest(seen)
    lengths += mesh.surface.thickness + shape_of(other).thickness
    turned = TURNED * min(rate * (row[END_TIME] - row[BASE_TIME]), 1.0 / TURNED) * arm
    rounding = MEASURED * (lengths + farthest(shape_of(other).bounds)) + turned + SHORTEST
    return StraightStep(start, end, seen, None, deviation, rounding)


def _row(motion: RigidMotion, start: float, end: float) -> Array:
    """The piece of a motion that a stretch of time is in; or one for that stretch, where it deviates."""
    if motion.law is not None:
        own: Array = motion.refined(np.zeros(1, np.intp), np.array([[start, end]]))[0, 0]
        return own
    k = min(int(np.searchsorted(motion.times, start, side="right")), len(motion.times) - 1) - 1
    piece: Array = motion.pieces[0, k]
    return piece
