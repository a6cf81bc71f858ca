"""How fast any point of one shape of a pair can move as seen from the other, on pieces of paths."""

import numpy as np

from firstcontact.arrays import Array
from firstcontact.articulated.paths.world_motions import WorldMotions
from firstcontact.motions.rigid_motion import AXIS, BASE_TIME, CENTER, END_TIME, POSITION, RATE, VELOCITY

# What rounding may do to a bound of a speed, as a part of it.
LARGER = 1.0 + 2.0**-40


def pair_speeds(world: WorldMotions) -> Array:
    """Bounds (n, k, n_pairs) of speeds over each of k pieces of n paths; nothing deviates.

    Every joint turns all that comes after it about a point from which that never gets farther than the sum
    of the ways in between: the speed is at most the sum over the joints of rate times that, and slide.
    """
    pairs = world.pairs
    found = np.zeros((*world.rows.shape[:2], len(pairs)))
    for base in np.unique(pairs[:, 2]).tolist():
        those = np.flatnonzero(pairs[:, 2] == base)
        known = {k: _speed(world, k, base) for k in np.unique(pairs[those, :2]).tolist()}
        for p in those.tolist():
            found[..., p] = known[int(pairs[p, 0])] + known[int(pairs[p, 1])]
    return found * LARGER


def _speed(world: WorldMotions, piece: int, base: int) -> Array:
    """Bounds (n, k) of how fast points of a piece move, as seen from a frame below it."""
    shape, pose = world.pieces[piece].shape, world.pieces[piece].pose
    lower, upper = shape.bounds
    middle = pose[:3, :3] @ (0.5 * (lower + upper)) + pose[:3, 3]
    frame, rows = world.pieces[piece].frame, world.rows
    speed = np.zeros(rows.shape[:2])
    if frame < 0 or frame == base:
        return speed
    away = np.linalg.norm(middle - rows[:, :, frame, CENTER:END_TIME], axis=-1)
    away = away + 0.5 * float(np.linalg.norm(upper - lower))
    spans = np.diff(world.times)[:, np.newaxis]
    while frame not in (base, -1):
        row = rows[:, :, frame]
        velocity = row[..., VELOCITY:AXIS]
        speed += row[..., RATE] * away + np.linalg.norm(velocity, axis=-1)
        parent = int(world.parents[frame])
        if parent >= 0:
            start = world.times[:-1, np.newaxis] - row[..., BASE_TIME, np.newaxis]
            pivot = rows[:, :, parent, CENTER:END_TIME]
            places = (row[..., POSITION:VELOCITY] + t * velocity - pivot for t in (start, start + spans))
            away = away + np.maximum(*(np.linalg.norm(place, axis=-1) for place in places))
        frame = parent
    return speed
