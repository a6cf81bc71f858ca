"""Rigid motions along trajectories whose second derivatives are bounded."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.motions.law import Which
from firstcontact.motions.rigid_motion import N_COLUMNS, POSITION, VELOCITY, RigidMotion
from firstcontact.motions.trajectories.several_trajectories import SeveralTrajectories
from firstcontact.motions.trajectories.spline import is_rotation_spline, is_spline, trajectory_of_splines
from firstcontact.motions.trajectories.trajectory import Trajectory

# Pieces to begin with, as many for each motion, whatever else is in its batch; finer ones are made where it
# matters.
N_PIECES = 16


@dataclass(frozen=True, eq=False)
class Smooth:
    """Motions of n bodies, each along a trajectory.

    Attributes
    ----------
    trajectory : of all of them, or of more
    members : (n,) which of its frames each body follows
    reaches : (n,) how far no point of a body is from the origin of its frame
    """

    trajectory: Trajectory
    members: NDArray[np.intp]
    reaches: Array

    def rows(self, which: NDArray[np.intp], starts: Array, ends: Array) -> Array:
        """Give pieces (m, N_COLUMNS) of motions (m,) over stretches of time, from (m,) to (m,)."""
        rows = np.zeros((len(which), N_COLUMNS))
        times = np.ascontiguousarray(starts), np.ascontiguousarray(ends)
        self.trajectory.write_rows(self.members[which], *times, self.reaches[which], rows)
        return rows

    def poses(self, t: float) -> Array:
        """Give the poses at t, (n, 4, 4)."""
        return self.trajectory.poses(t)[self.members]

    def chosen(self, which: Which) -> "Smooth":
        """Give the law of some of the bodies."""
        return Smooth(self.trajectory, self.members[which], self.reaches[which])

    def joined(self, others: Sequence["Smooth"]) -> "Smooth":
        """Give the law of these bodies, and of those of others, one behind the other."""
        laws = (self, *others)
        kinds = np.repeat(np.arange(len(laws)), [len(law.members) for law in laws])
        members = np.concatenate([law.members for law in laws])
        whole = SeveralTrajectories(tuple(law.trajectory for law in laws), kinds, members)
        return Smooth(whole, np.arange(len(members)), np.concatenate([law.reaches for law in laws]))


def motion_following(trajectory: Trajectory, reach: float) -> RigidMotion:
    """Move a body, no point of which is farther from its origin than `reach`, along a trajectory."""
    n = len(trajectory)
    law = Smooth(trajectory, np.arange(n), np.full(n, reach))
    k, times = N_PIECES, np.linspace(0.0, 1.0, N_PIECES + 1)
    which, starts, ends = np.repeat(np.arange(n), k), np.tile(times[:-1], n), np.tile(times[1:], n)
    pieces = law.rows(which, starts, ends).reshape(n, k, N_COLUMNS)
    translations = pieces[..., POSITION:VELOCITY].copy()
    return RigidMotion(pieces, translations, times, trajectory.is_batch, law)


def as_trajectory(thing: Any) -> Trajectory | None:
    """Cast what describes a motion, one of SciPy's splines included; None for poses."""
    if hasattr(thing, "write_rows"):
        trajectory: Trajectory = thing
        return trajectory
    parts = thing if isinstance(thing, tuple) and len(thing) == 2 else (None, thing)
    if not (is_spline(parts[1]) or is_rotation_spline(parts[0])):
        return None
    return trajectory_of_splines(*parts)
