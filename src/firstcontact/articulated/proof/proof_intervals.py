"""Times in which pairs of shapes are proven to be apart, each by one gap that covers one travel."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Flags, Ids
from firstcontact.articulated.proof.proof_bounds import Bound, Case, bound_along, case_of, measured_bound
from firstcontact.articulated.proof.proof_chains import Cast
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF

# Parts into which intervals of a pair are cut, at the most.
MOST_PARTS = 1 << 20

# A mesh that is its hull but for this part of the tolerance is convex, and solid.
BULGE = 0.25

# What rounding may do to a gap that is less by what is to be kept, in units of that.
PADDED = 8.0 * UNIT_ROUNDOFF

# No mesh is taken for its hull.
NO_BULGE = -1.0


class Intervals(NamedTuple):
    """Times in which pairs of shapes are proven to be apart.

    pairs : (k,) int32, numbers of the pairs
    times : (k, 2) when each begins and ends
    at : (k,) the time of it at which the gap was measured
    gaps : (k,) how much wider than the least separation it was
    travels : (k,) how much of that both together can close before the interval ends, or began
    directions : (k, 3) unit vectors from one to the other, along which both are meant; 0 for along any
    """

    pairs: Ids
    times: Array
    at: Array
    gaps: Array
    travels: Array
    directions: Array

    def chosen(self, ids: NDArray[np.intp]) -> "Intervals":
        """Some of them."""
        columns: Any = (column[ids] for column in self)
        return Intervals(*columns)


class Limits(NamedTuple):
    """Distances that count: what is to be kept, that by which meshes may bulge, and are convex, and paddings.

    paddings : (n,) of each pair, by its number
    """

    min_separation: float
    bulge: float
    paddings: Array

    def kept(self, pairs: Ids) -> Array:
        """What is to be kept of pairs (k,), by their numbers."""
        kept: Array = self.min_separation + self.paddings[pairs]
        return kept


def limits_of(min_separation: float, tolerance: float, paddings: Array) -> Limits:
    """What was asked for."""
    return Limits(min_separation, BULGE * tolerance, paddings)


def proven(cast: Cast, pairs: Ids, k: Intervals, limits: Limits) -> Flags:
    """Which intervals have a gap, no less than is said, that covers a travel, no more than is said?"""
    holds = np.ones(len(k.pairs), np.bool_)
    if len(holds) == 0:
        return holds
    case = case_of(cast, pairs[k.pairs].astype(np.int64), k.at, k.times)
    holds = _holds(k, case, bound_along(case, k.directions), limits)
    # The boxes and balls around them are not all that can be said where there is no direction.
    for bulge in (limits.bulge, NO_BULGE):
        rest = ~holds & ~k.directions.any(axis=1)
        for i in np.unique(k.pairs[rest]):
            ids = np.flatnonzero(rest & (k.pairs == i))
            own = case.chosen(ids)
            holds[ids] = _holds(k.chosen(ids), own, measured_bound(own, bulge)[0], limits)
    return holds


def _holds(k: Intervals, case: Case, found: Bound, limits: Limits) -> Flags:
    kept = limits.kept(k.pairs)
    gaps = found.gaps - kept
    is_covered = gaps - case.errors - PADDED * kept > np.maximum(found.travels, 0.0)
    is_said = (k.gaps > 0.0) & (k.gaps >= k.travels)
    is_true = (k.gaps <= gaps + case.errors) & (k.travels >= found.travels - case.errors)
    holds: Flags = is_covered & is_said & is_true
    return holds


def completed(cast: Cast, pairs: Ids, k: Intervals, limits: Limits) -> Intervals:
    """Put parts in the place of intervals that their own gap does not prove.

    The search proves of each triangle of a mesh apart from the others that it stays clear, along a direction
    of its own. Here it is shown by the distance of the whole, of parts that are short enough.
    """
    # A step that was made as long as its gap allows may be said to be a rounding longer.
    k = k._replace(travels=np.minimum(k.travels, k.gaps))
    holds = proven(cast, pairs, k, limits)
    found = [k.chosen(np.flatnonzero(holds))]
    for i in np.unique(k.pairs[~holds]):
        own = k.chosen(np.flatnonzero(~holds & (k.pairs == i)))
        # What is within the hull of a mesh is measured from its surface.
        parts = _parts(cast, pairs, own, limits) or _parts(cast, pairs, own, limits._replace(bulge=NO_BULGE))
        found.extend(parts or [own])
    return Intervals(*(np.concatenate(columns) for columns in zip(*found, strict=True)))


def _parts(cast: Cast, pairs: Ids, own: Intervals, limits: Limits) -> list[Intervals]:
    """Halve intervals of one pair, and the halves, until all are proven; none where they cannot be."""
    found, times, pair = [], own.times, pairs[own.pairs[0]].astype(np.int64)
    while len(times) > 0:
        middles = times.mean(axis=1)
        case = case_of(cast, np.tile(pair, (len(times), 1)), middles, times)
        bound, directions = measured_bound(case, limits.bulge)
        # What is said must hold when it is checked, with other roundings.
        kept = limits.kept(own.pairs[:1])
        gaps, travels = bound.gaps - kept - case.errors, np.maximum(bound.travels, 0.0)
        is_open = ~(gaps - case.errors - PADDED * kept > travels)
        is_stuck = is_open & ~((gaps > 0.0) & (times[:, 0] < middles) & (middles < times[:, 1]))
        if is_stuck.any() or len(times) > MOST_PARTS:
            return []
        part = Intervals(np.full(len(times), own.pairs[0]), times, middles, gaps, travels, directions)
        found.append(part.chosen(np.flatnonzero(~is_open)))
        first, last = times[is_open].T
        middles = middles[is_open]
        times = np.concatenate([np.stack([first, middles], axis=1), np.stack([middles, last], axis=1)])
    return found
