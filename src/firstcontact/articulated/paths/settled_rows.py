"""Rows of motion whose places are counted from near the robot, and what rounding may do along them."""

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Ids
from firstcontact.articulated.paths.shape_states import BALL, FIXED_PLACE
from firstcontact.motions.relative_motion import MEASURED
from firstcontact.motions.rigid_motion import BASE_TIME, CENTER, END_TIME, POSITION, RATE, VELOCITY
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF

# Rounding that each joint adds, in units of the lengths involved.
PER_JOINT = 64.0 * UNIT_ROUNDOFF

# And what it does to a place that is counted from another, in units of the coordinates of both.
ON_SHIFT = 4.0 * UNIT_ROUNDOFF


@driver
def settle_paths(rows: Array, parents: Ids, attachments: Array, origin: Array, roundings: Array) -> None:
    """Count places from an origin; bound what rounding may do along each path: see docs/robots.md."""
    settle(rows, parents, attachments, origin, roundings)


@kernel
def settle(rows: Array, parents: Ids, attachments: Array, origin: Array, roundings: Array) -> None:
    """Do so for rows (n, k, n_frames, 26), and write n bounds."""
    n_frames, own = len(parents), 0.0
    for i in range(len(attachments)):
        size = 0.0
        for k in range(FIXED_PLACE, BALL):
            size += abs(attachments[i, k])
        own = max(own, size)
    lengths, turns, depths = np.zeros(n_frames), np.zeros(n_frames), np.ones(n_frames)
    for i in range(len(rows)):
        far = abs(origin[0]) + abs(origin[1]) + abs(origin[2])
        longest, turned, deepest = 0.0, 0.0, 0.0
        for k in range(rows.shape[1]):
            for f in range(n_frames):
                row, parent = rows[i, k, f], parents[f]
                span = row[END_TIME] - row[BASE_TIME]
                lengths[f], turns[f], depths[f] = 0.0, row[RATE] * span, 1.0
                for c in range(3):
                    if parent < 0:
                        far = max(far, abs(row[POSITION + c]))
                        row[POSITION + c] -= origin[c]
                    way = abs(row[VELOCITY + c]) * span
                    lengths[f] += abs(row[POSITION + c]) + way + abs(row[CENTER + c])
                if parent >= 0:
                    lengths[f] += lengths[parent]
                    turns[f] += turns[parent]
                    depths[f] += depths[parent]
                longest, turned = max(longest, lengths[f]), max(turned, turns[f])
                deepest = max(deepest, depths[f])
        size = longest + own
        error = 2.0 * (MEASURED + PER_JOINT * deepest) * (1.0 + turned) * size
        roundings[i] = error + ON_SHIFT * far + SHORTEST
