"""The ends of boxes along each axis, in sorted lists, one list an axis for each cell.

An end is a code: twice the number of its box, plus one if it is the upper end. Of two ends at one place the
lower one comes first, so boxes that touch overlap. Lists are kept from step to step, and sorted by insertion:
only ends that have changed places since cost more than a look. Two boxes of a cell begin to overlap along an
axis exactly when a lower end moves before an upper one.

After Cohen, Lin, Manocha, Ponamgi, "I-COLLIDE: an interactive and exact collision detection system for
large-scale environments", 1995.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Keys
from firstcontact.broadphase.cells import Cells, Census, cost, is_touching
from firstcontact.broadphase.pairs import have_common_point
from firstcontact.hierarchy.pair_key import HALF, LOWER

Codes = NDArray[np.int32]


class Lists(NamedTuple):
    """Sorted ends by cell.

    starts : (n_cells + 1,) int64, where the ends of each cell begin, and their number
    codes : (3, n_ends) int32, the lists along the axes
    """

    starts: Keys
    codes: Codes


class Sorting(NamedTuple):
    """What a sort did: pairs that began, exchanges (or what they stand for), what the cells cost now."""

    n_begun: int
    n_swaps: int
    cost: int


# Pairs that began as `n_begun` of a sort that was given up: it would take longer than to begin anew, or there
# are more of them than wanted.
GIVEN_UP = -1


@driver
def sort_again(
    cells: Cells, old: Lists, arrivals: Keys, census: Census, new: Lists, begun: Keys, most_swaps: int
) -> tuple[int, int, int]:
    """Sort the lists of all cells, with the boxes that arrived and without those that left: a `Sorting`.

    The pairs whose boxes overlap and that may not have done so before are written to `begun`; more than it
    holds are counted only.
    """
    boxes, is_active, homes, bounds = census.boxes, census.is_active, census.homes, cells.bounds
    starts, old_starts, all_codes, all_old_codes = new.starts, old.starts, new.codes, old.codes
    values = np.empty(_longest(old_starts) + 2 * len(arrivals))
    n_begun = n_swaps = total = first_arrival = at = 0
    for cell in range(len(cells.leaves)):
        leaf = int(np.int64(cells.leaves[cell]))
        last_arrival = first_arrival
        while last_arrival < len(arrivals) and arrivals[last_arrival] >> HALF == cell:
            last_arrival += 1
        starts[cell], n_ends = at, 0
        for axis in range(3):
            old_codes = all_old_codes[axis, old_starts[cell] : old_starts[cell + 1]]
            codes, n_ends = all_codes[axis, at:], 0
            for k in range(len(old_codes)):
                code = old_codes[k]
                i = int(code >> 1)
                if homes[i] == leaf or (is_active[i] and is_touching(boxes, i, bounds, leaf)):
                    codes[n_ends], values[n_ends] = code, boxes[i, axis + 3 * (code & 1)]
                    n_ends += 1
            for k in range(first_arrival, last_arrival):
                i = arrivals[k] & LOWER
                codes[n_ends], codes[n_ends + 1] = 2 * i, 2 * i + 1
                values[n_ends], values[n_ends + 1] = boxes[i, axis], boxes[i, 3 + axis]
                n_ends += 2
            for k in range(1, n_ends):
                to = _settle(codes, values, k)
                if to < k and codes[to] & 1 == 0:
                    n_begun = _note_begun(codes, to, k, boxes, begun, n_begun)
                n_swaps += k - to
                if n_swaps > most_swaps:
                    return GIVEN_UP, n_swaps, total
        total += cost(n_ends // 2, cells.cell_size)
        at, first_arrival = at + n_ends, last_arrival
    starts[len(cells.leaves)] = at
    return n_begun, n_swaps, total


@kernel
def _longest(starts: Keys) -> int:
    """The length of the longest list."""
    longest = int(np.int64(0))
    for i in range(len(starts) - 1):
        longest = max(longest, starts[i + 1] - starts[i])
    return longest


@kernel
def _is_after(value: float, code: int, other_value: float, other_code: int) -> bool:
    """Does the first end come after the other, whatever their boxes?"""
    return value > other_value or (value == other_value and code & 1 > other_code & 1)


@kernel
def _settle(codes: Codes, values: Array, at: int) -> int:
    """Bring an end to its place among those before it, which are in order; return where that is."""
    code, value = codes[at], values[at]
    to = at
    while to > 0 and _is_after(values[to - 1], codes[to - 1], value, code):
        codes[to], values[to] = codes[to - 1], values[to - 1]
        to -= 1
    codes[to], values[to] = code, value
    return to


@kernel
def _note_begun(codes: Codes, to: int, last: int, boxes: Array, begun: Keys, n_begun: int) -> int:
    """Note the boxes that overlap the one whose lower end has moved from `last` to `to`, past upper ends."""
    i = int(codes[to] >> 1)
    for k in range(to + 1, last + 1):
        j = int(codes[k] >> 1)
        if codes[k] & 1 and have_common_point(boxes, i, j):
            if n_begun < len(begun):
                begun[n_begun] = min(i, j) << HALF | max(i, j)
            n_begun += 1
    return n_begun


@driver
def sort_anew(
    cells: Cells, arrivals: Keys, census: Census, lists: Lists, begun: Keys, most_pairs: int
) -> tuple[int, int, int]:
    """Sort the lists of all cells, which hold what arrived, and list all pairs that overlap: a `Sorting`.

    The exchanges that it returns are those which would take the time of it: sorting again is given up then.
    """
    boxes, starts = census.boxes, lists.starts
    n_begun = n_steps = total = first = 0
    room = np.empty((2, 2 * len(arrivals)))
    codes_room = np.empty(2 * len(arrivals), np.int32)
    for cell in range(len(cells.leaves)):
        last = first
        while last < len(arrivals) and arrivals[last] >> HALF == cell:
            last += 1
        starts[cell], starts[cell + 1] = 2 * first, 2 * last
        best, fewest = 0, -1
        n = 2 * (last - first)
        values, spare_values, spare_codes = room[0, :n], room[1, :n], codes_room[:n]
        for axis in range(3):
            codes = lists.codes[axis, 2 * first : 2 * last]
            for k in range(len(codes)):
                i = arrivals[first + k // 2] & LOWER
                codes[k], values[k] = 2 * i + k % 2, boxes[i, axis + 3 * (k % 2)]
            n_steps += _merge_sort(codes, values, spare_codes, spare_values)
            n_overlaps = _count_overlaps(codes)
            if fewest < 0 or n_overlaps < fewest:
                best, fewest = axis, n_overlaps
        n_begun = _sweep(lists.codes[best, 2 * first : 2 * last], boxes, begun, n_begun, most_pairs)
        if n_begun > most_pairs:
            return GIVEN_UP, n_steps, total
        n_steps += fewest
        total += cost(last - first, cells.cell_size)
        first = last
    return n_begun, n_steps, total


@kernel
def _merge_sort(codes: Codes, values: Array, spare_codes: Codes, spare_values: Array) -> int:
    """Sort ends by merging runs; return the number of steps."""
    n, width, n_steps = len(codes), 1, 0
    while width < n:
        for first in range(0, n, 2 * width):
            middle, last = min(first + width, n), min(first + 2 * width, n)
            i, j = first, middle
            for k in range(first, last):
                if j == last or (i < middle and not _is_after(values[i], codes[i], values[j], codes[j])):
                    spare_codes[k], spare_values[k] = codes[i], values[i]
                    i += 1
                else:
                    spare_codes[k], spare_values[k] = codes[j], values[j]
                    j += 1
        for k in range(n):
            codes[k], values[k] = spare_codes[k], spare_values[k]
        width, n_steps = 2 * width, n_steps + n
    return n_steps


@kernel
def _count_overlaps(codes: Codes) -> int:
    """Count the pairs of boxes that overlap along the axis of a list."""
    n_open = n_pairs = 0
    for k in range(len(codes)):
        if codes[k] & 1:
            n_open -= 1
        else:
            n_pairs += n_open
            n_open += 1
    return n_pairs


@kernel
def _sweep(codes: Codes, boxes: Array, begun: Keys, n_begun: int, most_pairs: int) -> int:
    """Note the pairs of boxes that overlap, among those that do along the axis of a list, or too many."""
    for first in range(len(codes)):
        if codes[first] & 1:
            continue
        if n_begun > most_pairs:
            break
        i, k = int(codes[first] >> 1), first + 1
        while k < len(codes) and codes[k] != codes[first] + 1:
            j = int(codes[k] >> 1)
            if codes[k] & 1 == 0 and have_common_point(boxes, i, j):
                if n_begun < len(begun):
                    begun[n_begun] = min(i, j) << HALF | max(i, j)
                n_begun += 1
            k += 1
    return n_begun
