"""What elementary queries give back."""

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


@dataclass(frozen=True, eq=False, repr=False)
class ElementaryTimes(Plain):
    """All times of contact of a batch of vertex-face or edge-edge queries; the mathematical truth.

    The rows of query `i`, in the order of time, are ``offsets[i]`` up to, not with, ``offsets[i + 1]``; a
    single query is a batch of one. There is contact in each span from its touch to its part, ends included,
    and at no other time; a span of no length is an instant, as most are without a separation.

    Attributes
    ----------
    offsets : (n + 1,) int64
    touch, part : (m, 2) float64
        Bounds of when each contact begins and of when it ends, at most ``time_tolerance`` apart, or
        neighbours; twice the same where the time is a double. Of an instant, both are the same.
    is_instant : (m,) bool
    is_crossing : (m,) bool
        Whether it is an instant at which the vertex passes from one side of the face to the other, or the
        edges past each other: where the signed volume of the four points changes its sign.
    """

    offsets: NDArray[np.int64]
    touch: NDArray[np.float64]
    part: NDArray[np.float64]
    is_instant: NDArray[np.bool_]
    is_crossing: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __repr__(self) -> str:
        return f"ElementaryTimes({len(self)} queries, {len(self.touch)} contacts)"

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many contacts each query has, (n,)."""
        return np.diff(self.offsets)

    @property
    def crossings(self) -> NDArray[np.int64]:
        """How many of them are crossings, (n,)."""
        before = np.concatenate([[0], np.cumsum(self.is_crossing, dtype=np.int64)])
        return np.diff(before[self.offsets])

    @property
    def is_odd(self) -> NDArray[np.bool_]:
        """Whether each query has an odd number of crossings, (n,): what a test of parity can see."""
        is_odd: NDArray[np.bool_] = self.crossings % 2 == 1
        return is_odd

    @property
    def is_even(self) -> NDArray[np.bool_]:
        """Whether it has contacts, and an even number of crossings, (n,): what such a test misses."""
        return (self.counts > 0) & ~self.is_odd
