"""Springs that hold a cloth together."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Ids = NDArray[np.intp]

# Steps down and to the right from vertex to vertex, and how stiff such springs are: along the threads, along
# the diagonals, and across two quads, which resists bending.
_KINDS = ((1, 0, 1.0), (0, 1, 1.0), (1, 1, 0.6), (1, -1, 0.6), (2, 0, 0.05), (0, 2, 0.05))


class Springs(NamedTuple):
    """Pairs of vertices that keep their distance; no vertex is in two of them, so all may move at once."""

    a: Ids
    b: Ids
    lengths: Points
    stiffness: float

    def pull(self, places: Points) -> None:
        """Bring all of them nearer to their lengths."""
        along = places[self.b] - places[self.a]
        now = np.sqrt(np.einsum("ij,ij->i", along, along))
        along *= (0.5 * self.stiffness * (1.0 - self.lengths / now))[:, np.newaxis]
        places[self.a] += along
        places[self.b] -= along


def springs_of(n_side: int, width: float) -> list[Springs]:
    """All springs of a square of n_side x n_side quads, every other one of a kind together."""
    ids = np.arange((n_side + 1) ** 2).reshape(n_side + 1, n_side + 1)
    rows, columns = np.indices(ids.shape)
    groups = []
    for down, right, stiffness in _KINDS:
        is_in = (rows + down <= n_side) & (columns + right <= n_side) & (columns + right >= 0)
        turn = rows // down if down else columns // right
        for half in (0, 1):
            chosen = is_in & (turn % 2 == half)
            a, b = ids[chosen], ids[rows[chosen] + down, columns[chosen] + right]
            lengths = np.full(len(a), np.hypot(down, right) * width / n_side)
            groups.append(Springs(a, b, lengths, stiffness))
    return groups
