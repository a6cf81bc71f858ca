"""What the queries give back."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from firstcontact.plain import Plain


@dataclass(frozen=True)
class ElementaryStats:
    """How the queries of a batch were decided: each of them by exactly one of six stages.

    Attributes
    ----------
    queries : queries asked
    culled : proven free by the filters
    solved : decided by the roots of the coplanarity cubic
    advanced : decided by conservative advancement
    ties : decided as exact ties, in sums of doubles without error
    refined : decided in double-double arithmetic, or left undecided
    exact : decided in exact arithmetic (only with ``exact=True``)
    seconds : wall-clock time in floating point
    seconds_exact : wall-clock time in exact arithmetic
    """

    queries: int
    culled: int
    solved: int
    advanced: int
    ties: int
    refined: int
    exact: int
    seconds: float
    seconds_exact: float


@dataclass(frozen=True, eq=False)
class ElementaryContacts(Plain):
    """First contacts of a batch of vertex-face or edge-edge queries.

    For a single query the leading axis is missing everywhere.

    Attributes
    ----------
    hit : (n,) bool
        Is there a contact? Never False where there is one.
    time : (n,) float64
        At most the true first time of contact; ``inf`` where there is none.
    time_upper : (n,) float64
        At least the true first time, where the contact is proven; ``max_time`` where the status is
        UNDECIDED or MAX_ITERATIONS, ``inf`` where there is no contact.
    weights : (n, 4) float64
        Barycentric weights, at `time`, of the closest points of the two sides: the sums of weights
        times points over the vertex and over the face, or over each edge. NaN where there is no
        contact.
    status : (n,) int8
        A `Status` for each query.
    stats : ElementaryStats
    """

    hit: NDArray[np.bool_]
    time: NDArray[np.float64]
    time_upper: NDArray[np.float64]
    weights: NDArray[np.float64]
    status: NDArray[np.int8]
    stats: ElementaryStats = field(compare=False)
