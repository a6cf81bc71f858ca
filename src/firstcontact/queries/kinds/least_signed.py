"""The least signed distance of pairs over whole motions, bracketed.

A distance, and that of what holds two solids, changes by no more than their points move against each other.
So between two times it is no less than both say; the stretches that may hold the least are halved, of all
rows at once.
"""

from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array

# How often a stretch is halved, at most, and how many stretches of all are looked at in one go.
HALVINGS, AT_ONCE = 24, 1 << 15

# Stretches of all rows that are kept at once: more are not halved, and brackets stay as they are.
MOST = 1 << 18

Rows = NDArray[np.intp]


class Ways(Protocol):
    """Rows of two things each, on their ways."""

    def looked(self, rows: Rows, times: Array) -> tuple[Array, Array]:
        """Measure rows (s,) at times (s,): signed distances, and those of what holds both.

        Of things that overlap both are those of what holds them, unless their own keep to the ways as well.
        """

    def reached(self, rows: Rows, starts: Array, ends: Array) -> Array:
        """How much less a distance may be within stretches than in the mean of both ends, (s,)."""

    def touching(self, rows: Rows) -> Array:
        """At which distance rows (s,) begin to touch: 0, but for paddings."""


class Stretches(NamedTuple):
    """Stretches of time (s,) of rows; what is known at both ends.

    levels : (s, 2) distances, of solids that overlap those of what holds them
    bounds : (s, 2) distances of what holds them
    lower : (s,) no distance in the stretch is less
    """

    rows: Rows
    starts: Array
    ends: Array
    levels: Array
    bounds: Array
    lower: Array

    def chosen(self, which: Any) -> "Stretches":
        """Some of them."""
        columns: list[Any] = [column[which] for column in self]
        return Stretches(*columns)


class LeastSigned:
    """The search: of n rows the least that was seen, when, and what is proven.

    Attributes
    ----------
    best, when : (n,) the least distance that was seen, and its time
    lower : (n,) no distance of the row is ever less
    """

    def __init__(self, ways: Ways, n: int, limit: float, tolerance: float) -> None:
        self.ways, self.limit, self.tolerance = ways, limit, tolerance
        self.best, self.when = np.full(n, np.inf), np.zeros(n)
        self.lower = np.full(n, np.inf)

    def run(self, breaks: Array) -> None:
        """Search until all is known well enough, or has been halved often enough.

        breaks : times (k,), from 0 to 1, between which ways have no bends
        """
        open_ones = self._first(breaks)
        for _ in range(HALVINGS):
            best = self.best[open_ones.rows]
            is_settled = open_ones.lower > np.minimum(best, self.limit) - self.tolerance
            is_settled |= open_ones.lower >= best
            np.minimum.at(self.lower, open_ones.rows[is_settled], open_ones.lower[is_settled])
            open_ones = open_ones.chosen(~is_settled)
            if not 0 < len(open_ones.rows) <= MOST:
                break
            parts = range(0, len(open_ones.rows), AT_ONCE)
            halves = [self._halved(open_ones.chosen(np.s_[k : k + AT_ONCE])) for k in parts]
            open_ones = Stretches(*(np.concatenate(column) for column in zip(*halves, strict=True)))
        np.minimum.at(self.lower, open_ones.rows, open_ones.lower)

    def _first(self, breaks: Array) -> Stretches:
        """Every piece of every way."""
        n, k = len(self.best), len(breaks) - 1
        known = [self._looked(np.arange(n), np.full(n, t)) for t in breaks.tolist()]
        levels, bounds = (
            np.stack(
                [np.concatenate([x[side] for x in ends]) for ends in zip(*pairwise(known), strict=True)], 1
            )
            for side in range(2)
        )
        rows = np.tile(np.arange(n), k)
        starts, ends = np.repeat(breaks[:-1], n), np.repeat(breaks[1:], n)
        return self._bounded(rows, starts, ends, levels, bounds)

    def _halved(self, open_ones: Stretches) -> Stretches:
        middles = 0.5 * (open_ones.starts + open_ones.ends)
        level, bound = self._looked(open_ones.rows, middles)
        (levels, bounds), both = (open_ones.levels, open_ones.bounds), []
        for end, starts, ends in ((0, open_ones.starts, middles), (1, middles, open_ones.ends)):
            ends_of = (np.stack([x[:, end], new], axis=1) for x, new in ((levels, level), (bounds, bound)))
            one, other = (pair if end == 0 else pair[:, ::-1] for pair in ends_of)
            both.append(self._bounded(open_ones.rows, starts, ends, one, other))
        return Stretches(*(np.concatenate(column) for column in zip(*both, strict=True)))

    def _looked(self, rows: Rows, times: Array) -> tuple[Array, Array]:
        """Measure rows at times; and note what is the least so far."""
        distances, bounds = self.ways.looked(rows, times)
        order = np.argsort(distances, kind="stable")[::-1]
        is_less = distances[order] < self.best[rows[order]]
        chosen = order[is_less]
        self.best[rows[chosen]], self.when[rows[chosen]] = distances[chosen], times[chosen]
        return np.minimum(distances, self.limit), bounds

    def _bounded(self, rows: Rows, starts: Array, ends: Array, levels: Array, bounds: Array) -> Stretches:
        """Bound the distance within stretches from below."""
        reached = self.ways.reached(rows, starts, ends)
        apart, held = (0.5 * (x[:, 0] + x[:, 1]) - reached for x in (levels, bounds))
        # Where solids are apart at all times of it, as what holds them may say, both are bounds.
        touching, most = self.ways.touching(rows), np.maximum(apart, held)
        lower = np.where(most > touching, most, np.minimum(held, touching))
        return Stretches(rows, starts, ends, levels, bounds, lower)
