"""Rigid motions whose translation has a constant acceleration: throws.

Over a stretch from s to e the center goes by c(t) = g + t v + t^2 a / 2, and straight on by its chord from
c(s) to c(e): that is (g - s e a / 2) + t (v + (s + e) a / 2). The two differ by a (t - s) (t - e) / 2, at
most |a| (e - s)^2 / 8; every other point of the body by as much, since it turns in the same way in both.
Being counted from t = 0, as the throw itself, pieces turn to the last digit as it does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact._validate import as_stack
from firstcontact.arrays import Array
from firstcontact.motions.law import Which
from firstcontact.motions.rigid_motion import (
    AXIS,
    DEVIATION,
    END_TIME,
    N_COLUMNS,
    POSITION,
    START_TIME,
    VELOCITY,
    RigidMotion,
    write_poses,
)
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF

# Rounding of where a piece is, in units of all coordinates it is computed from: four operations for its
# place, and four for its velocity, which lasts at most for 1; twice that.
PLACED = 16.0 * UNIT_ROUNDOFF

# What undoes the rounding of a bend.
UP = 1.0 + 2.0**-48


@dataclass(frozen=True, eq=False)
class ConstantAcceleration:
    """Motions of n bodies in one piece each, over t in [0, 1], and t^2 / 2 times an acceleration.

    Attributes
    ----------
    pieces : (n, 1, N_COLUMNS) the motions without it, counted from t = 0
    translations : (n, 1, 3) of the poses at which they start
    accelerations : (n, 3) in the world
    """

    pieces: Array
    translations: Array
    accelerations: Array

    def rows(self, which: NDArray[np.intp], starts: Array, ends: Array) -> Array:
        """Give pieces (m, N_COLUMNS) of motions (m,) over stretches of time, from (m,) to (m,)."""
        rows = np.empty((len(which), N_COLUMNS))
        _write_rows(self.pieces, self.accelerations, which, (starts, ends), rows)
        return rows

    def poses(self, t: float) -> Array:
        """Give the poses at t, (n, 4, 4)."""
        poses = np.zeros((len(self.pieces), 4, 4))
        poses[:, 3, 3] = 1.0
        write_poses(self.pieces, self.translations, 0, t, poses)
        poses[:, :3, 3] += (0.5 * t * t) * self.accelerations
        return poses

    def chosen(self, which: Which) -> "ConstantAcceleration":
        """Give the law of some of the bodies."""
        return ConstantAcceleration(self.pieces[which], self.translations[which], self.accelerations[which])

    def joined(self, others: Sequence["ConstantAcceleration"]) -> "ConstantAcceleration":
        """Give the law of these bodies, and of those of others, one behind the other."""
        columns = ("pieces", "translations", "accelerations")
        parts = ([getattr(law, name) for law in (self, *others)] for name in columns)
        return ConstantAcceleration(*map(np.concatenate, parts))


def accelerated(motion: RigidMotion, acceleration: Any, is_to_end: bool) -> RigidMotion:
    """Give motions in one piece a constant acceleration, (3,) or (n, 3); None is none.

    is_to_end : whether they are to end where they did; else they are to begin with the velocity they have
    """
    if acceleration is None:
        return motion
    given, has_many = as_stack("acceleration", acceleration, (3,))
    if has_many and motion.is_batch and len(given) != len(motion):
        rule = "poses and acceleration must be batches of one length, or single"
        raise ValueError(f"{rule}; received {len(motion)} and {len(given)}")
    n = len(given) if has_many else len(motion)
    pieces = np.repeat(motion.pieces, n if len(motion) == 1 else 1, axis=0)
    translations = np.repeat(motion.translations, n if len(motion) == 1 else 1, axis=0)
    is_batch = motion.is_batch or has_many
    if not given.any():
        return RigidMotion(pieces, translations, motion.times, is_batch)
    accelerations = np.broadcast_to(given, (n, 3)).copy()
    if is_to_end:
        pieces[:, 0, VELOCITY:AXIS] -= 0.5 * accelerations
    law = ConstantAcceleration(pieces, translations, accelerations)
    whole = law.rows(np.arange(n), np.zeros(n), np.ones(n))[:, np.newaxis]
    return RigidMotion(whole, translations, motion.times, is_batch, law)


@driver
def _write_rows(
    pieces: Array, accelerations: Array, which: NDArray[np.intp], times: tuple[Array, Array], rows: Array
) -> None:
    starts, ends = times
    for k in range(len(which)):
        i = which[k]
        write_thrown_row(pieces[i, 0], accelerations[i], (starts[k], ends[k]), rows[k])


@kernel
def write_thrown_row(piece: Array, acceleration: Array, times: tuple[float, float], row: Array) -> None:
    """Write a piece of a motion, given without its acceleration, from a start to an end."""
    start, end = times
    for c in range(N_COLUMNS):
        row[c] = piece[c]
    row[START_TIME], row[END_TIME] = start, end
    a = acceleration[0], acceleration[1], acceleration[2]
    if a[0] == 0.0 and a[1] == 0.0 and a[2] == 0.0:
        row[DEVIATION] = 0.0
        return
    size = 0.0
    for c in range(3):
        size += abs(piece[POSITION + c]) + abs(piece[VELOCITY + c]) + abs(a[c])
        row[POSITION + c] -= 0.5 * start * end * a[c]
        row[VELOCITY + c] += 0.5 * (start + end) * a[c]
    bend = 0.125 * UP * hypot(hypot(a[0], a[1]), a[2]) * (end - start) * (end - start)
    row[DEVIATION] = bend + PLACED * size + SHORTEST
