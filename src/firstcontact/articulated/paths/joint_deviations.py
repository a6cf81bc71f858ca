"""How far links are from where the pieces of a path have them, whose joints go along splines.

A joint that is off by d takes what it carries with it: a hinge by d times the distance from its axis, at most
its lever, a slide by d. Taken one after the other, from the first joint to the last, all of a chain add up:
the true joints before one keep lengths, and those after it are where their pieces have them.
"""

from typing import TYPE_CHECKING

import numpy as np

from firstcontact.arrays import Array
from firstcontact.articulated.model.kinematic_tree import SLIDING
from firstcontact.articulated.paths.shape_states import BALL, BOX_HALF, BOX_MIDDLE, FIXED_PLACE, FRAME
from firstcontact.motions.rigid_motion import (
    BASE_TIME,
    CENTER,
    DEVIATION,
    END_TIME,
    POSITION,
    VELOCITY,
)

if TYPE_CHECKING:
    from firstcontact.articulated.paths.world_motions import WorldMotions

UP = 1.0 + 2.0**-40

# Rounding of a difference of sums, in units of these.
LEFT = 2.0**-46


def levers_of(world: "WorldMotions") -> Array:
    """How far anything that a frame carries is from the frame's origin, at most, (n, n_frames)."""
    levers, slides = np.zeros((2, len(world.rows), len(world.parents)))
    for frame, (tree, motion) in world.robots.items():
        if motion.law is not None:
            away = motion.law.deviations(motion.times).max(axis=1)
            is_sliding = tree.frames.kinds == SLIDING
            off = np.abs(tree.frames.drives[:, 0]) * away[:, tree.frames.columns]
            slides[:, frame : frame + len(is_sliding)] = np.where(is_sliding, off, 0.0)
    for row in world.geometries.attachments:
        frame = int(row[FRAME])
        if frame >= 0:
            middle, place = row[BOX_MIDDLE:BOX_HALF], row[FIXED_PLACE:BOX_MIDDLE]
            reach = np.linalg.norm(place) + np.linalg.norm(middle) + row[BALL]
            levers[:, frame] = np.maximum(levers[:, frame], reach)
    spans = world.rows[..., END_TIME] - world.rows[..., BASE_TIME]
    ways = np.linalg.norm(world.rows[..., VELOCITY : VELOCITY + 3], axis=-1) * spans
    places = np.linalg.norm(world.rows[..., POSITION:VELOCITY], axis=-1) + ways
    lengths = (places + np.linalg.norm(world.rows[..., CENTER : CENTER + 3], axis=-1)).max(axis=1)
    for frame in range(len(world.parents) - 1, -1, -1):  # parents come first
        parent = int(world.parents[frame])
        if parent >= 0:
            beyond = lengths[:, frame] + slides[:, frame] + levers[:, frame]
            levers[:, parent] = np.maximum(levers[:, parent], beyond)
    return levers * UP


def write_deviations(world: "WorldMotions", times: Array) -> None:
    """Write what any pair may be off, between times (k + 1,), into the first frame's rows.

    Those of obstacles are there already, in their own.
    """
    rows = world.rows
    own = rows[..., DEVIATION].copy()
    if 0 not in world.laws:
        own[..., 0] = 0.0  # what was written here before
    for frame, (tree, motion) in world.robots.items():
        if motion.law is None:
            continue
        frames = tree.frames
        off = np.abs(frames.drives[:, 0]) * motion.law.deviations(times)[..., frames.columns]
        levers = world.levers[:, frame : frame + len(frames.kinds)]
        arms = np.where(frames.kinds == SLIDING, 1.0, levers)
        own[:, :, frame : frame + len(frames.kinds)] = off * arms[:, np.newaxis]
    for frame, parent in enumerate(world.parents.tolist()):
        if parent >= 0:
            own[..., frame] += own[..., parent]
    whole = np.concatenate([own, np.zeros((*own.shape[:2], 1))], axis=-1)  # the last is the world
    held = world.geometries.attachments[:, FRAME].astype(np.int64)
    a, b, base = held[world.pairs[:, 0]], held[world.pairs[:, 1]], world.pairs[:, 2]
    pairs = whole[..., a] + whole[..., b] - 2.0 * whole[..., base]
    pairs += LEFT * (whole[..., a] + whole[..., b])
    rows[:, :, 0, DEVIATION] = pairs.max(axis=-1, initial=0.0) * UP
