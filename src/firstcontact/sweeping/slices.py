"""Motions in slices of time, each so short that bodies go nearly straight in it, by a proven bound."""

from math import inf
from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array, Flags, Keys
from firstcontact.motions.rigid_motion import (
    AXIS,
    BASE_TIME,
    CENTER,
    DEVIATION,
    END_TIME,
    POSITION,
    RATE,
    ROTATION,
    START_TIME,
    VELOCITY,
    RigidMotion,
)
from firstcontact.sweeping.prisms import Slices

# Rounding of a place, in units of all lengths that go into it: a rotation by an angle of many turns is off by
# as many roundings as the angle has radians.
PLACED = 2.0**-46

# Slices of one motion at the most.
MOST_SLICES = 1 << 20


class Fineness(NamedTuple):
    """How short slices are: how far ways may be from straight ones, how far a body may turn, and go."""

    deviation: float
    turn: float
    way: float


def rigid_slices(motion: RigidMotion, ball: tuple[Array, float], fine: Fineness) -> Slices:
    """Slices of a single motion of a body, which a ball with a middle and a radius holds, in its frame."""
    rows = fine_rows(motion, 0.5 * fine.deviation)
    spans, arms = rows[:, END_TIME] - rows[:, START_TIME], arms_of(rows, ball)
    turns = rows[:, RATE] * spans
    # A point on a circle of radius r that turns by an angle h is within r h^2 / 8 of its chord.
    longest = np.minimum(np.sqrt(4.0 * fine.deviation / np.where(arms > 0.0, arms, 1.0)), fine.turn)
    ways = np.linalg.norm(rows[:, VELOCITY:AXIS], axis=1) * spans + turns * arms
    counts = counts_of(np.maximum(turns / longest, ways / fine.way))
    which, parts = numbered(counts)
    starts, ends = (poses_in(rows, which, p / counts[which]) for p in (parts, parts + 1))
    off = 0.125 * arms[which] * (turns / counts)[which] ** 2 + offs_of(rows, arms)[which]
    return Slices(starts, ends, off)


def arms_of(rows: Array, ball: tuple[Array, float]) -> Array:
    """How far any point of a ball is from what each piece turns about, at most, (k,)."""
    found: Array = np.linalg.norm(rows[:, CENTER:END_TIME] - ball[0], axis=1) + ball[1]
    return found


def offs_of(rows: Array, arms: Array) -> Array:
    """How far points with these arms are from where pieces have them, and poses in these, (k,)."""
    passed = rows[:, END_TIME] - rows[:, BASE_TIME]
    lengths = np.linalg.norm(rows[:, POSITION:VELOCITY], axis=1)
    lengths += np.linalg.norm(rows[:, CENTER:END_TIME], axis=1) + (1.0 + rows[:, RATE] * passed) * arms
    lengths += np.linalg.norm(rows[:, VELOCITY:AXIS], axis=1) * passed
    found: Array = rows[:, DEVIATION] + PLACED * lengths
    return found


def numbered(counts: Keys) -> tuple[Keys, Keys]:
    """Of each of many slices, to which piece it belongs, and which one of that it is."""
    which = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    return which, np.arange(len(which), dtype=np.int64) - np.repeat(np.cumsum(counts) - counts, counts)


def counts_of(needed: Array) -> Keys:
    """How many slices, at least one each; too many are refused."""
    if not float(np.ceil(needed).sum()) <= MOST_SLICES:
        raise ValueError(f"the motion needs more than {MOST_SLICES} slices of time: allow a larger tolerance")
    return np.maximum(np.ceil(needed), 1.0).astype(np.int64)


def halved(times: Array, is_coarse: Flags) -> Array:
    """Times (k + 1,), and the middles of some of the k stretches between them."""
    if len(times) + int(is_coarse.sum()) > MOST_SLICES:
        raise ValueError(f"the motion needs more than {MOST_SLICES} slices of time: allow a larger tolerance")
    middles = 0.5 * (times[:-1] + times[1:])
    found: Array = np.sort(np.concatenate([times, middles[is_coarse]]))
    return found


def fine_rows(motion: RigidMotion, deviation: float) -> Array:
    """Pieces of a single motion, (k, N_COLUMNS), that deviate by no more than this, if halving helps."""
    if motion.law is None:
        own: Array = motion.rows()[0]
        return own
    times, before, which = motion.times, inf, np.zeros(1, np.intp)
    while True:
        rows: Array = motion.refined(which, times[np.newaxis])[0]
        off = rows[:, DEVIATION]
        is_coarse = off > deviation
        most = float(off.max())
        # What is left is rounding, where pieces half as long deviate by more than half as much.
        if not is_coarse.any() or (len(times) > 1 << 16 and most > 0.5 * before):
            return rows
        times, before = halved(times, is_coarse), most


def poses_in(rows: Array, which: Keys, parts: Array) -> Array:
    """Poses (m, 4, 4), each of a piece at a part of its time."""
    own = rows[which]
    times = own[:, START_TIME] + (own[:, END_TIME] - own[:, START_TIME]) * parts
    passed = times - own[:, BASE_TIME]
    poses = np.zeros((len(own), 4, 4))
    turned = _rotations(own[:, AXIS:RATE], own[:, RATE] * passed)
    poses[:, :3, :3] = turned @ own[:, ROTATION:POSITION].reshape(-1, 3, 3)
    centers = np.einsum("kij,kj->ki", poses[:, :3, :3], own[:, CENTER:END_TIME])
    poses[:, :3, 3] = own[:, POSITION:VELOCITY] + passed[:, np.newaxis] * own[:, VELOCITY:AXIS] - centers
    poses[:, 3, 3] = 1.0
    return poses


def _rotations(axes: Array, angles: Array) -> Array:
    """Rotations about unit vectors (k, 3) by angles (k,); about none where a vector is zero."""
    x, y, z = axes.T
    zero = np.zeros_like(x)
    across = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
    sine, versine = np.sin(angles), 2.0 * np.sin(0.5 * angles) ** 2
    turned: Array = sine[:, None, None] * across + versine[:, None, None] * (across @ across)
    return np.eye(3) + turned
