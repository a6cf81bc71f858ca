"""Where the pieces of a world are at a time, in plain NumPy."""

import numpy as np

from firstcontact.arrays import Array
from firstcontact.articulated.paths.world_motions import WorldMotions
from firstcontact.motions.rigid_motion import (
    AXIS,
    BASE_TIME,
    CENTER,
    END_TIME,
    POSITION,
    RATE,
    ROTATION,
    VELOCITY,
)


def piece_pose(world: WorldMotions, path: int, piece: int, t: float) -> Array:
    """Pose (4, 4) of one of the pieces at a time of a path."""
    rows = world.rows[path, segment_at(world, t)]
    if world.robots:
        rows = world.refined(path, np.array([t, t])).rows[0, 0]
    pose, frame = world.pieces[piece].pose, world.pieces[piece].frame
    if frame < 0:
        return pose
    if frame in world.laws:
        motion = world.laws[frame]
        true: Array = motion.pose(t)[path] if motion.is_batch else motion.pose(t)
        return orthonormal(true)
    while frame >= 0:
        pose, frame = pose_in_parent(rows[frame], t) @ pose, int(world.parents[frame])
    pose[:3, 3] += world.origin
    return orthonormal(pose)


def segment_at(world: WorldMotions, t: float) -> int:
    """Number of the segment of motion that a time is in; the later one where two meet."""
    return min(int(np.searchsorted(world.times, t, side="right")), len(world.times) - 1) - 1


def pose_in_parent(row: Array, t: float) -> Array:
    """Pose (4, 4) of a frame in its parent's at a time."""
    passed = t - row[BASE_TIME]
    angle, (x, y, z) = row[RATE] * passed, row[AXIS:RATE]
    pose = np.eye(4)
    pose[:3, :3] = row[ROTATION:POSITION].reshape(3, 3)
    if angle != 0.0:
        across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        turned = np.eye(3) + np.sin(angle) * across + 2.0 * np.sin(0.5 * angle) ** 2 * (across @ across)
        pose[:3, :3] = turned @ pose[:3, :3]
    pose[:3, 3] = row[POSITION:VELOCITY] + passed * row[VELOCITY:AXIS] - pose[:3, :3] @ row[CENTER:END_TIME]
    return pose


def orthonormal(pose: Array) -> Array:
    """The nearest rigid pose: products of rotations drift by their rounding."""
    u, _, v = np.linalg.svd(pose[:3, :3])
    rigid = pose.copy()
    rigid[:3, :3] = u @ v
    return rigid
