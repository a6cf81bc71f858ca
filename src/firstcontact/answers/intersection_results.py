"""What `intersections` gives back."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from firstcontact.answers.answer import Answer
from firstcontact.arrays import Array, Flags
from firstcontact.plain import Plain, once
from firstcontact.proximity.touching.joined_curves import joined_curves


@dataclass(frozen=True, eq=False)
class IntersectionStats(Plain):
    """What a search for faces that meet did, of a batch all together: the counts of the cost equation.

    The time is about ``volume_tests * C_v + triangle_tests * C_p + volume_updates * C_u``, with what one of
    each costs (Gottschalk, Lin, Manocha, "OBBTree", 1996; N_v, N_p and N_u there and in what followed).

    Attributes
    ----------
    volume_tests : pairs of bounding volumes compared
    triangle_tests : pairs of triangles looked at
    volume_updates : volumes that were seen from another frame
    """

    volume_tests: int
    triangle_tests: int
    volume_updates: int


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
    stats : IntersectionStats
        What was done to find them, in all poses.
    things : what was asked about, by name
    """

    faces_a: NDArray[np.int32]
    faces_b: NDArray[np.int32]
    segments: Array
    is_coplanar: Flags
    poses: NDArray[np.int32]
    stats: IntersectionStats = field(compare=False)

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
        names = "faces_a", "faces_b", "segments", "is_coplanar", "poses"
        return replace(self, **{name: getattr(self, name)[rows] for name in names})

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
