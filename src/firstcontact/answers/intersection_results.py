"""What `intersections` gives back."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firstcontact.answers.answer import Answer
from firstcontact.arrays import Array, Flags
from firstcontact.plain import once
from firstcontact.proximity.touching.joined_curves import joined_curves


@dataclass(frozen=True, eq=False)
class Intersections(Answer):
    """Pairs of faces that meet: a row for each, ascending. True where there is one.

    Attributes
    ----------
    faces_a, faces_b : (n,) int32
        The two faces; of one mesh alone, the lower number first.
    segments : (n, 2, 3) float64
        The two ends of what they share, in the world; twice the same where that is a point, NaN where it is
        an area.
    is_coplanar : (n,) bool
        Whether they lie in one plane and share an area.
    poses : (n,) int32
        Which pose of a batch; 0 otherwise.
    things : what was asked about, by name
    """

    faces_a: NDArray[np.int32]
    faces_b: NDArray[np.int32]
    segments: Array
    is_coplanar: Flags
    poses: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.faces_a)

    def __bool__(self) -> bool:
        return len(self) > 0

    def __repr__(self) -> str:
        n_flat = int(np.count_nonzero(self.is_coplanar))
        flat = f", {n_flat} in one plane" if n_flat else ""
        return f"Intersections({len(self)} pairs of faces{flat})"

    def at_pose(self, pose: int) -> "Intersections":
        """Return the rows of one pose of a batch."""
        rows = self.poses == pose
        columns = self.faces_a, self.faces_b, self.segments, self.is_coplanar, self.poses
        return Intersections(*(column[rows] for column in columns), _about=self._about)

    @once
    def curves(self) -> list[Array]:
        """The curves in which the surfaces meet, (k, 3) points each, of a batch pose after pose.

        A loop ends in the point with which it begins; others end where the surface does, where more than two
        segments meet, or at what shares an area. Points where surfaces only touch make no curve.
        """
        lines: list[Array] = []
        for pose in np.unique(self.poses).tolist():
            lines += joined_curves(self.segments[(self.poses == pose) & ~self.is_coplanar])
        return lines
