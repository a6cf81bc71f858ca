"""A batch of trajectories of different kinds."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.motions.rigid_motion import N_COLUMNS
from firstcontact.motions.trajectories.trajectory import Trajectory


@dataclass(frozen=True, eq=False)
class SeveralTrajectories:
    """A batch of n frames, each of which moves along a frame of one of several trajectories.

    Attributes
    ----------
    trajectories : some, each of one frame or more
    kinds, members : (n,) which of them each frame is in, and its number there
    """

    trajectories: tuple[Trajectory, ...]
    kinds: NDArray[np.intp]
    members: NDArray[np.intp]
    is_batch: ClassVar[bool] = True

    def __len__(self) -> int:
        return len(self.kinds)

    def write_rows(
        self, which: NDArray[np.intp], starts: Array, ends: Array, reaches: Array, rows: Array
    ) -> None:
        """Write m pieces (m, N_COLUMNS)."""
        kinds = self.kinds[which]
        for kind in np.unique(kinds).tolist():
            ids = np.flatnonzero(kinds == kind)
            part = np.zeros((len(ids), N_COLUMNS))
            own = self.members[which[ids]], starts[ids], ends[ids], reaches[ids]
            self.trajectories[kind].write_rows(*own, part)
            rows[ids] = part

    def poses(self, t: float) -> Array:
        """Give the poses at t, (n, 4, 4), to rounding."""
        poses = np.empty((len(self), 4, 4))
        for kind in np.unique(self.kinds).tolist():
            ids = np.flatnonzero(self.kinds == kind)
            poses[ids] = self.trajectories[kind].poses(t)[self.members[ids]]
        return poses
