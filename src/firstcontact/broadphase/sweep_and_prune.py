"""Sweep and prune: pairs of overlapping boxes from sorted lists of their ends, kept from step to step."""

from typing import NamedTuple, final

import numpy as np

from firstcontact.arrays import Array, Flags, Ids, Keys
from firstcontact.broadphase.cells import NOWHERE, Cells, Census, cut_cells, find_arrivals
from firstcontact.broadphase.changes import Changes
from firstcontact.broadphase.endpoint_lists import GIVEN_UP, Lists, Sorting, sort_again, sort_anew
from firstcontact.broadphase.pairs import MOST_PAIRS, NO_KEYS, next_keys, pairs_of

# Boxes that a cell may hold. Milliseconds a step for 1,000, 5,000 and 20,000 bodies that fill 1 % of space:
#   32: 0.13, 0.78, 3.8
#   64: 0.12, 0.65, 3.1
#   128: 0.12, 0.57, 2.9
#   one cell: 0.16, 1.06, 7.4
# In a heap of 20,000 that fills half of space, 64: 7.6, 128: 7.3, one cell: 13.
CELL_SIZE = 128

# Cells are cut anew when they cost twice what they did when they were cut, since bodies have gathered or have
# come, or a quarter, since they have gone.
COSTLY, IDLE = 2.0, 0.25


class Sorted(NamedTuple):
    """Lists in order, the pairs that began, and the boxes that arrived in a cell."""

    lists: Lists
    begun: Keys
    n_arrivals: int
    sorting: Sorting


@final
class SweepAndPrune:
    """The pairs of overlapping boxes, from step to step.

    Ends are sorted by insertion, within cells. A pair can begin only where two ends change places, or where a
    box enters a cell. All is sorted anew when that takes no longer.

    Parameters
    ----------
    cell_size : boxes that a cell may hold; with a large one there is one cell, as in I-COLLIDE
    most_pairs : beyond so many, none are listed
    """

    def __init__(self, cell_size: int = CELL_SIZE, most_pairs: int = MOST_PAIRS) -> None:
        self.changes = Changes()
        self._cell_size, self._most_pairs = cell_size, most_pairs
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Know of no boxes."""
        self._keys = NO_KEYS
        self._census = _census(np.empty((0, 6)), np.empty(0, np.bool_))
        self._cells = cut_cells(self._census.boxes, np.empty(0, np.int32), self._cell_size)
        self._lists = Lists(np.zeros(2, np.int64), np.empty((3, 0), np.int32))
        self._cut = Sorting(0, 0, 0)  # when the cells were cut

    def update(self, boxes: Array, is_active: Flags) -> bool:
        """Go on to the boxes (n, 6) of the next step, lower and upper ends, and which of them count, (n,).

        There may be more than before, and never fewer. Returns whether the pairs are listed.
        """
        before, now = _grown(self._census, len(boxes)), _census(boxes.copy(), is_active.copy())
        found = self._sorted_again(before, now)
        is_rebuilt = not self._is_worth_keeping(found.sorting)
        if is_rebuilt:
            found = self._sorted_anew(now)
        if found.sorting.n_begun == GIVEN_UP:
            self._begin_anew()
            return False
        self._lists, self._census = found.lists, now
        n_before = len(self._keys)
        found.begun.sort()
        self._keys, n_kept = next_keys(self._keys, found.begun, now.boxes, now.is_active)
        self.changes = Changes(
            begun=len(self._keys) - n_kept,
            ended=n_before - n_kept,
            swaps=found.sorting.n_swaps,
            arrivals=found.n_arrivals,
            is_rebuilt=is_rebuilt,
        )
        is_listed = len(self._keys) <= self._most_pairs
        if not is_listed:
            self._begin_anew()
        return is_listed

    def pairs(self) -> Ids:
        """Give all pairs (m, 2) of overlapping boxes, i < j, sorted by i, then by j."""
        return pairs_of(self._keys)

    def _is_worth_keeping(self, sorting: Sorting) -> bool:
        """Were the lists sorted, in cells that still fit?"""
        return 0 <= sorting.n_begun <= self._most_pairs and (
            IDLE * self._cut.cost <= sorting.cost <= COSTLY * self._cut.cost
        )

    def _sorted_again(self, before: Census, now: Census) -> Sorted:
        """Sort the lists of the step before, within the cells that there are."""
        arrivals = _arrivals(self._cells, before, now)
        n_ends = self._lists.codes.shape[1] + 2 * len(arrivals)
        lists = Lists(np.empty_like(self._lists.starts), np.empty((3, n_ends), np.int32))
        begun = np.empty(len(now.boxes) + 1, np.int64)
        most_swaps = self._cut.n_swaps

        def sort(begun: Keys) -> Sorting:
            return Sorting(*sort_again(self._cells, self._lists, arrivals, now, lists, begun, most_swaps))

        sorting = sort(begun)
        if len(begun) < sorting.n_begun <= self._most_pairs:
            begun = np.empty(sorting.n_begun, np.int64)
            sort(begun)
        return Sorted(lists, begun[: max(sorting.n_begun, 0)], len(arrivals), sorting)

    def _sorted_anew(self, now: Census) -> Sorted:
        """Cut cells and sort everything, as if there had been no step before."""
        ids = np.flatnonzero(now.is_active).astype(np.int32)
        self._cells = cut_cells(now.boxes, ids, self._cell_size)
        nowhere = _census(now.boxes, np.zeros(len(now.boxes), np.bool_))
        arrivals = _arrivals(self._cells, nowhere, now)
        n_ends = 2 * len(arrivals)
        lists = Lists(np.zeros(len(self._cells.leaves) + 1, np.int64), np.empty((3, n_ends), np.int32))
        begun = np.empty(len(now.boxes) + 1, np.int64)
        self._cut = Sorting(*sort_anew(self._cells, arrivals, now, lists, begun, self._most_pairs))
        if self._cut.n_begun > len(begun):
            begun = np.empty(self._cut.n_begun, np.int64)
            sort_anew(self._cells, arrivals, now, lists, begun, self._most_pairs)
        return Sorted(lists, begun[: max(self._cut.n_begun, 0)], len(arrivals), self._cut)


def _arrivals(cells: Cells, before: Census, now: Census) -> Keys:
    """List the boxes that have entered a cell, by cell."""
    arrivals = np.empty(len(now.boxes) + 1, np.int64)
    n = find_arrivals(cells, before, now, arrivals)
    if n > len(arrivals):
        arrivals = np.empty(n, np.int64)
        find_arrivals(cells, before, now, arrivals)
    arrivals = arrivals[:n]
    arrivals.sort()
    return arrivals


def _census(boxes: Array, is_active: Flags) -> Census:
    return Census(boxes, is_active, np.full(len(boxes), NOWHERE, np.int32))


def _grown(census: Census, n: int) -> Census:
    """Add places for boxes that were not there before."""
    more = n - len(census.boxes)
    if more == 0:
        return census
    return Census(
        np.concatenate([census.boxes, np.zeros((more, 6))]),
        np.concatenate([census.is_active, np.zeros(more, np.bool_)]),
        np.concatenate([census.homes, np.full(more, NOWHERE, np.int32)]),
    )
