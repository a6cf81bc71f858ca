"""What `neighbors` gives back."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_count
from firstcontact.plain import Plain


@dataclass(frozen=True, eq=False)
class Neighbors(Plain):
    """Who is near each of n points: a list for each, one behind the other. True where anyone is.

    Attributes
    ----------
    starts : (n + 1,) int64
        The list of point i is ``ids[starts[i] : starts[i + 1]]``: the rows of a sparse matrix (CSR).
    ids : (m,) int32
        Those within the radius, in increasing order on each list.
    distance : (m,) float64 or None
        How far away they are, at most the radius, if that was asked for.
    """

    starts: NDArray[np.int64]
    ids: NDArray[np.int32]
    distance: NDArray[np.float64] | None

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many are near each point, (n,)."""
        return np.diff(self.starts)

    @property
    def pairs(self) -> NDArray[np.int32]:
        """All pairs (m, 2): a point, and who is near it."""
        points = np.repeat(np.arange(len(self.starts) - 1, dtype=np.int32), self.counts)
        return np.stack([points, self.ids], axis=1)

    def of(self, point: int) -> NDArray[np.int32]:
        """Who is near one point."""
        n = len(self.starts) - 1
        i = as_count("point", point, 0)
        if i >= n:
            raise IndexError(f"point must be below {n}, the number of points; received {i}")
        return self.ids[self.starts[i] : self.starts[i + 1]]

    def __len__(self) -> int:
        return len(self.ids)

    def __bool__(self) -> bool:
        return len(self) > 0

    def __repr__(self) -> str:
        return f"Neighbors({len(self.starts) - 1} points, {len(self)} near them)"
