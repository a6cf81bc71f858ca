"""Where all pieces of a world are on many paths, each at a time of its own."""

import numpy as np
from numpy.typing import NDArray

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


def frame_poses(world: WorldMotions, paths: NDArray[np.intp], times: Array) -> Array:
    """Poses (m, n_frames, 4, 4) of all frames in the world, on paths (m,) at times (m,); nothing deviates."""
    segments = np.searchsorted(world.times, times, side="right")
    segments = np.minimum(segments, len(world.times) - 1) - 1
    rows = world.rows[paths, segments]
    passed = times[:, np.newaxis] - rows[..., BASE_TIME]
    own = np.zeros((*rows.shape[:2], 4, 4))
    turns = _turned(rows[..., AXIS:RATE], rows[..., RATE] * passed)
    turns = turns @ rows[..., ROTATION:POSITION].reshape(*rows.shape[:2], 3, 3)
    place = rows[..., POSITION:VELOCITY] + passed[..., np.newaxis] * rows[..., VELOCITY:AXIS]
    own[..., :3, :3], own[..., 3, 3] = turns, 1.0
    own[..., :3, 3] = place - (turns @ rows[..., CENTER:END_TIME, np.newaxis])[..., 0]
    for f, parent in enumerate(world.parents.tolist()):
        if parent >= 0:
            own[:, f] = own[:, parent] @ own[:, f]
        else:
            own[:, f, :3, 3] += world.origin
    return own


def piece_poses(world: WorldMotions, frames: Array) -> Array:
    """Poses (m, n_pieces, 4, 4) of all pieces, from those of the frames."""
    found = np.empty((len(frames), len(world.pieces), 4, 4))
    for k, piece in enumerate(world.pieces):
        found[:, k] = frames[:, piece.frame] @ piece.pose if piece.frame >= 0 else piece.pose
    # Products of rotations drift by their rounding: one step of Newton's leaves none of it.
    turns = found[..., :3, :3]
    found[..., :3, :3] = turns @ (1.5 * np.eye(3) - 0.5 * (np.swapaxes(turns, -1, -2) @ turns))
    return found


def _turned(axes: Array, angles: Array) -> Array:
    """Rotations (..., 3, 3) about axes (..., 3), of unit length or zero where nothing turns."""
    x, y, z = np.moveaxis(axes, -1, 0)
    zero = np.zeros_like(x)
    across = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*x.shape, 3, 3)
    sine, half = np.sin(angles), np.sin(0.5 * angles)
    found: Array = np.eye(3) + sine[..., np.newaxis, np.newaxis] * across
    found += (2.0 * half * half)[..., np.newaxis, np.newaxis] * (across @ across)
    return found
