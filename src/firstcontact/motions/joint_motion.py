"""Motions of robots: straight lines between configurations."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from firstcontact.arrays import Array
from firstcontact.motions.trajectories.joint_spline import JointSpline, joint_spline
from firstcontact.plain import Sealed, once

# Numbers of a unit quaternion (x, y, z, w): of a ball joint; a floating one has a position before them.
N_QUATERNION = 4

# A quaternion whose angle to another has this cosine or more is mixed with it in a straight line.
NEARLY_EQUAL = 1.0 - 2.0**-30


@dataclass(frozen=True, eq=False, repr=False)
class JointMotion(Sealed):
    """One motion, or a batch of n, each through k + 1 configurations. The arrays are not to be changed.

    Between two of them every number goes straight at a constant rate; but the four of a quaternion, of unit
    length and brought near the one before, turn at a constant rate.

    Attributes
    ----------
    configurations : (n, k + 1, dof) float64
    times : (k + 1,) float64, from 0 to 1
    quaternions : first columns of the quaternions
    is_batch : whether the motion was given as a batch
    law : what the values truly do between the times; None where they go straight
    bases : (n, 4, 4) where the robot's root stands; None where that is the origin of the world
    """

    configurations: Array
    times: Array
    quaternions: tuple[int, ...]
    is_batch: bool
    law: JointSpline | None = None
    bases: Array | None = None

    def __len__(self) -> int:
        return len(self.configurations)

    @once
    def is_resting(self) -> bool:
        """Does nothing move at all?"""
        return self.law is None and bool((self.configurations == self.configurations[:, :1]).all())

    @property
    def base(self) -> Array | None:
        """Where the root stands: (4, 4), of a batch (n, 4, 4); None for the origin of the world."""
        return self.bases if self.bases is None or self.is_batch else self.bases[0]

    def configuration(self, t: float) -> Array:
        """Configuration at t in [0, 1], (dof,), of a batch (n, dof)."""
        if self.law is not None:
            values = self.law.values(np.array([float(t)]))[:, 0]
            return values if self.is_batch else values[0]
        piece = min(int(np.searchsorted(self.times, t, side="right")), len(self.times) - 1) - 1
        start, end = self.times[piece], self.times[piece + 1]
        part = (t - start) / (end - start)
        first, last = self.configurations[:, piece], self.configurations[:, piece + 1]
        found: Array = first + part * (last - first)
        for column in self.quaternions:
            turn = slice(column, column + N_QUATERNION)
            found[:, turn] = _turned(first[:, turn], last[:, turn], part)
        return found if self.is_batch else found[0]

    def refined(self, times: Array) -> "JointMotion":
        """The same motion, straight between other times (m + 1,); of what has a law."""
        if self.law is None:
            return self
        return replace(self, configurations=self.law.values(times), times=times)

    def chosen(self, which: slice, is_batch: bool) -> "JointMotion":
        """Some motions of a batch; a single one goes with all."""
        if len(self) == 1 and not self.is_batch:
            return self
        law = None if self.law is None else self.law.chosen(which)
        bases = None if self.bases is None else self.bases[which]
        return JointMotion(self.configurations[which], self.times, self.quaternions, is_batch, law, bases)

    def based(self, poses: Array, is_batch: bool) -> "JointMotion":
        """The same with the robot's root in poses (m, 4, 4): one for all, or one for each."""
        if is_batch and self.is_batch and len(poses) != len(self):
            raise ValueError(
                f"base must have a pose for each of a batch of {len(self)}; received {len(poses)}"
            )
        n = len(poses) if is_batch else len(self)
        bases = np.ascontiguousarray(np.broadcast_to(poses, (n, 4, 4)))
        if n == len(self):
            return replace(self, is_batch=self.is_batch or is_batch, bases=bases)
        many = np.zeros(n, np.intp)
        law = None if self.law is None else self.law.chosen(many)
        return JointMotion(self.configurations[many], self.times, self.quaternions, True, law, bases)

    def __repr__(self) -> str:
        count = f"{len(self)} motions, " if self.is_batch else ""
        pieces = f"{len(self.times) - 1} pieces, " if len(self.times) > 2 else ""
        if self.is_resting:
            return f"JointMotion({count}at rest)"
        way = np.abs(np.diff(self.configurations, axis=1)).sum(axis=1).max()
        return f"JointMotion({count}{pieces}by up to {way:.4g})"


def motion_along_spline(spline: Any, times: Any, dof: int, quaternions: tuple[int, ...]) -> JointMotion:
    """Follow one of SciPy's splines of configurations, which says when."""
    if times is not None:
        raise TypeError("a spline says all of how a robot moves: leave out times")
    if quaternions:
        raise ValueError("a robot with a ball or a floating joint takes waypoints, and no spline")
    law, is_batch = joint_spline(spline, dof)
    when = law.first_times()
    return JointMotion(law.values(when), when, quaternions, is_batch, law)


def brought_near(configurations: Array, quaternions: tuple[int, ...]) -> None:
    """Of a quaternion and its negative, one rotation, take the nearer to the one before; in place."""
    for column in quaternions:
        turns = configurations[..., column : column + N_QUATERNION]
        for k in range(1, turns.shape[1]):
            cosine = np.einsum("ij,ij->i", turns[:, k - 1], turns[:, k])
            turns[cosine < 0.0, k] *= -1.0


def _turned(first: Array, last: Array, part: float) -> Array:
    """Quaternions (n, 4) between others that are near them, at a constant rate."""
    cosine = np.clip(np.einsum("ij,ij->i", first, last), 0.0, 1.0)
    angle, is_near = np.arccos(cosine), cosine >= NEARLY_EQUAL
    sine = np.sin(np.where(is_near, 1.0, angle))
    weight = np.where(is_near, 1.0 - part, np.sin((1.0 - part) * angle) / sine)
    other = np.where(is_near, part, np.sin(part * angle) / sine)
    mixed = weight[:, np.newaxis] * first + other[:, np.newaxis] * last
    unit: Array = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
    return unit
