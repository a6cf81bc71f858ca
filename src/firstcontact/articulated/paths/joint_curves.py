"""Joints along polynomials: where frames are at a time, and by how much rates can change around it.

A search along a path looks at a time, and knows bounds of how fast everything is and how fast that changes
for as long as it looks ahead. Of a joint along a polynomial q, the rate is q' at that time, and |q''| <= B
around it: so it is searched as it is, without straight lines in its place.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.articulated.model.kinematic_tree import HELD, SLIDING, Frames
from firstcontact.articulated.paths.frame_rows import write_joint
from firstcontact.articulated.paths.frames import RATE_BEND, SPEED_BEND
from firstcontact.motions.relative_motion import MEASURED
from firstcontact.motions.rigid_motion import BASE_TIME, POSITION
from firstcontact.motions.trajectories.joint_spline import JointSpline
from firstcontact.motions.trajectories.polynomials import (
    OF_A_TERM,
    UP,
    component_around,
    derivative,
    piece_at,
)


class JointCurves(NamedTuple):
    """Joints of the first robot along n paths.

    breaks, coefficients : (k + 1,) times between which its values are polynomials, (n, k, d + 1, dof)
    frames : its joints
    parents : (n_frames,) int32, of all frames
    origin : (3,) from where places are counted
    """

    breaks: Array
    coefficients: Array
    frames: Frames
    parents: Ids
    origin: Array


class CurvedJoints(NamedTuple):
    """The same along one path, in one of the polynomials, which begins at a time."""

    coefficients: Array
    start: float
    frames: Frames
    parents: Ids
    origin: Array


def roundings_of_values(law: JointSpline, frames: Frames, sizes: Array) -> Array:
    """What rounding of joint values does to any distance along each path, at most, (n,).

    sizes : (n,) how far anything that a joint turns is from it, at most, slides left out
    """
    widths = np.diff(law.breaks)[:, np.newaxis, np.newaxis]
    powers = widths ** np.arange(law.coefficients.shape[2])[:, np.newaxis]
    terms = (np.abs(law.coefficients) * powers).sum(axis=2).max(axis=1)[:, frames.columns]
    values = np.abs(frames.drives[:, 0]) * terms * UP
    is_sliding, errors = frames.kinds == SLIDING, OF_A_TERM * law.coefficients.shape[2] * values
    slid = np.where(is_sliding, values, 0.0).sum(axis=1)
    off = np.where(is_sliding, errors, errors * (sizes + slid)[:, np.newaxis]).sum(axis=1)
    # Both of a pair may be off; and what slides adds to the lengths that all else is rounded in.
    found: Array = (2.0 * off + 8.0 * MEASURED * len(is_sliding) * slid) * UP
    return found


@kernel
def joints_of(curves: JointCurves | None, i: int, time: float) -> CurvedJoints | None:
    """Joints along path i from a time on; nothing of it is compiled where there are none."""
    if curves is None:
        return None
    k = piece_at(curves.breaks, time)
    own = curves.coefficients[i, k]
    return CurvedJoints(own, curves.breaks[k], curves.frames, curves.parents, curves.origin)


@kernel
def rows_in(curves: JointCurves | None, rows: Array, room: Array) -> Array:
    """Rows that can be written to: a copy, where there are joints along curves."""
    if curves is None:
        return rows
    for f in range(len(rows)):
        for c in range(rows.shape[1]):
            room[f, c] = rows[f, c]
    return room


@kernel
def write_joints(
    joints: CurvedJoints | None, rows: Array, n: int, t: float, span: float, states: Array
) -> None:
    """Write how joints of the first n frames move at a time, and bends that hold over a span around it."""
    if joints is None:
        return
    frames, own, x = joints.frames, joints.coefficients, t - joints.start
    for f in range(min(len(frames.kinds), n)):
        if frames.kinds[f] == HELD:
            continue
        row, column, factor, shift = rows[f], frames.columns[f], frames.drives[f, 0], frames.drives[f, 1]
        value, _ = derivative(own, 0, column, x)
        rate, slip = derivative(own, 1, column, x)
        bend = component_around(own, 2, column, x, span)
        if span > 0.0:  # a rate that is off does over a span what this bend does
            bend += 2.0 * slip / span
        bend *= abs(factor) * UP
        write_joint(frames, f, factor * value + shift, factor * rate, row)
        row[BASE_TIME] = t
        if joints.parents[f] < 0:
            for c in range(3):
                row[POSITION + c] -= joints.origin[c]
        is_sliding = frames.kinds[f] == SLIDING
        states[f, RATE_BEND], states[f, SPEED_BEND] = (0.0, bend) if is_sliding else (bend, 0.0)
