"""Pairs of bodies that are too many to list, a part of them at a time."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.broadphase.overlaps import Overlaps
from firstcontact.scene.filters import Filters

Pairs = NDArray[np.int32]


class Crowd(NamedTuple):
    """Boxes of which too many overlap; it does not change when the scene does.

    overlaps : all pairs of boxes
    selves : (k,) int32, rows that are a pair with themselves, ascending
    ids : (n,) int64, of the rows
    filters : pairs that are not looked at
    """

    overlaps: Overlaps
    selves: Pairs
    ids: NDArray[np.int64]
    filters: Filters

    def parts(self) -> Iterator[Pairs]:
        """Give all pairs (m, 2) of rows in order, i <= j, without those ignored, a part at a time."""
        for pairs, first, last in self.overlaps.parts():
            begin, end = np.searchsorted(self.selves, (first, last))
            yield kept_pairs(with_selves(pairs, self.selves[begin:end]), self.ids, self.filters)


def with_selves(pairs: Pairs, selves: Pairs) -> Pairs:
    """Put pairs of rows with themselves among others, in order."""
    if len(selves) == 0:
        return pairs
    all_pairs = np.concatenate([pairs, np.stack([selves, selves], axis=1)])
    return all_pairs[np.lexsort((all_pairs[:, 1], all_pairs[:, 0]))]


def kept_pairs(pairs: Pairs, ids: NDArray[np.int64], filters: Filters) -> Pairs:
    """Leave out pairs that are not looked at."""
    if filters.keep_all():
        return pairs
    return np.ascontiguousarray(pairs[filters.is_kept(ids[pairs[:, 0]], ids[pairs[:, 1]])])
