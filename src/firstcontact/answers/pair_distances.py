"""What `Candidates.distances` gives back."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from firstcontact.answers.answer import Answer


class ClosestKind(IntEnum):
    """Which parts of two features are closest.

    Examples
    --------
    >>> ClosestKind(1).name
    'POINT_EDGE'
    """

    POINT_POINT = 0
    POINT_EDGE = 1
    POINT_FACE = 2
    EDGE_EDGE = 3


@dataclass(frozen=True, eq=False)
class PairDistances(Answer):
    """Pairs of features that are near each other: one row for each, sorted by kind, things and ids.

    Attributes
    ----------
    kind : (n,) int8
        A `ContactKind` for each row.
    thing_ids : (n, 2) int32
        Places of a and of b among the things; 0 and 0 for one with itself.
    ids_a, ids_b : (n,) int32
        Rows of the vertices, faces or `Mesh.edges` of a and of b, as the kind says.
    vertex_ids : (n, 4) int32
        The vertices of the two features: vertex and corners of the face, or the ends of the edge of a, then
        of b.
    distance_squared : (n,) float64
        Of the two features, without any thickness or radius around them.
    weights : (n, 4) float64
        Barycentric weights, in the order of `vertex_ids`, of the closest points.
    gradient : (n, 4, 3) float64 or None
        How the squared distance changes as each of the vertices moves; 0 for those that do not hold a closest
        point. Where closest points are not the only ones, as of parallel edges, it is that of those listed:
        to first order, the squared distance grows by no more than it says.
    closest_kind : (n,) int8
        A `ClosestKind` for each row: which parts of the two hold the closest points.
    multiplicity : (n,) int32
        How many pairs have these closest parts: 1, unless pairs were merged.
    """

    kind: NDArray[np.int8]
    thing_ids: NDArray[np.int32]
    ids_a: NDArray[np.int32]
    ids_b: NDArray[np.int32]
    vertex_ids: NDArray[np.int32]
    distance_squared: NDArray[np.float64]
    weights: NDArray[np.float64]
    gradient: NDArray[np.float64] | None
    closest_kind: NDArray[np.int8]
    multiplicity: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.distance_squared)

    def __repr__(self) -> str:
        n = len(self)
        if n == 0:
            return "PairDistances(none)"
        return f"PairDistances({n}, the nearest {float(np.sqrt(self.distance_squared.min())):.6g} apart)"
