"""Trees from scratch: each range of primitives is split where the surface area of its two halves is least.

The nodes below a node with m leaves are the 2 m - 2 that follow it, so a split tells the numbers of both
children, and the ranges can be worked on in any order, on any number of threads: the tree is the same.

Splits are tried along the axis on which the centres spread most. Trying all three took twice the time and
made the sum of areas 3 % smaller, the box tests of a traversal not at all on a sheet and 6 % fewer in a soup.
"""

from typing import NamedTuple

import numpy as np
from numba import prange
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, parallel_driver, parallel_region, thread_count
from firstcontact.hierarchy.tree import MAX_DEPTH, Tree

Array = NDArray[np.float64]
Counts = NDArray[np.int64]
Ranges = NDArray[np.int64]

# Bins that the centres of a range fall into, and between which it can be split; fewer primitives, fewer bins.
N_BINS = 16

# Primitives from which several threads are worth their start, at every level of the tree's top (10 ms of
# work), and those that one task takes at most.
PARALLEL_FROM = 32768
TASK_SIZE = 4096

Box = tuple[float, float, float, float, float, float]

INFINITY = np.inf
EMPTY = (INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY)


class Work(NamedTuple):
    """What a build reads and writes.

    boxes : (2, n, 6), lower and upper corners; a range lies on one of two sides and is split to the other
    ids : (2, n), the primitives of the boxes
    children : of the tree
    """

    boxes: Array
    ids: NDArray[np.int32]
    children: NDArray[np.int32]


class Range(NamedTuple):
    """The primitives of one node: [first, last) on one side of the work."""

    node: int
    first: int
    last: int
    side: int
    depth: int


class Bins(NamedTuple):
    """Where the bins of a range lie: their axis, where the first begins, bins a length, the last's number."""

    axis: int
    low: float
    scale: float
    last: float


def build_tree(bounds: Array) -> Tree:
    """Build a tree over the boxes of bounds (n, k); the same whatever the number of threads."""
    n = len(bounds)
    if n == 0:
        return Tree(np.empty((0, 2), np.int32), 0)
    work = Work(np.empty((2, n, 6)), np.empty((2, n), np.int32), np.empty((2 * n - 1, 2), np.int32))
    if n < PARALLEL_FROM or thread_count() == 1:
        return Tree(work.children, _build_serial(bounds, work))
    with parallel_region():
        return Tree(work.children, _build_on_threads(bounds, work))


def _build_on_threads(bounds: Array, work: Work) -> int:
    """Split level by level until all ranges are small, then build below each of them."""
    _load_parallel(bounds, np.arange(0, len(bounds), TASK_SIZE), work)
    ranges = np.array([[0, 0, len(bounds), 0, 0]])
    while np.any(ranges[:, 2] - ranges[:, 1] > TASK_SIZE):
        halves = np.empty((len(ranges), 2, 5), np.int64)
        _split_parallel(work, ranges, halves)
        ranges = halves[halves[:, :, 2] > halves[:, :, 1]]
    depths = np.empty(len(ranges), np.int64)
    _build_parallel(work, ranges, depths)
    return int(depths.max())


@kernel
def _load(bounds: Array, first: int, work: Work) -> None:
    """Bring TASK_SIZE boxes, or those that are left, to the first side."""
    half = bounds.shape[1] // 2
    for i in range(first, min(first + TASK_SIZE, len(bounds))):
        work.ids[0, i] = i
        for axis in range(3):
            work.boxes[0, i, axis] = bounds[i, axis]
            work.boxes[0, i, 3 + axis] = bounds[i, half + axis]


@driver
def _build_serial(bounds: Array, work: Work) -> int:
    """Build on one thread."""
    for first in range(0, len(bounds), TASK_SIZE):
        _load(bounds, first, work)
    return _build_below(work, Range(0, 0, len(bounds), 0, 0))


@parallel_driver
def _load_parallel(bounds: Array, firsts: Counts, work: Work) -> None:
    """Bring all boxes to the first side."""
    for i in prange(len(firsts)):
        _load(bounds, firsts[i], work)


@parallel_driver
def _split_parallel(work: Work, ranges: Ranges, halves: NDArray[np.int64]) -> None:
    """Split each large range; a small one stays, with an empty one beside it."""
    for i in prange(len(ranges)):
        _split_large(work, ranges[i], halves[i])


@parallel_driver
def _build_parallel(work: Work, ranges: Ranges, depths: Counts) -> None:
    """Build below each range."""
    for i in prange(len(ranges)):
        depths[i] = _build_below(work, _range_of(ranges[i]))


@kernel
def _range_of(row: NDArray[np.int64]) -> Range:
    """Read a range."""
    return Range(row[0], row[1], row[2], row[3], row[4])


@kernel
def _put(row: NDArray[np.int64], item: Range) -> None:
    """Write a range."""
    row[0], row[1], row[2], row[3], row[4] = item.node, item.first, item.last, item.side, item.depth


@kernel
def _split_large(work: Work, row: NDArray[np.int64], halves: Ranges) -> None:
    """Replace a large range by its two halves, a small one by itself and an empty one."""
    item = _range_of(row)
    if item.last - item.first <= TASK_SIZE:
        _put(halves[0], item)
        _put(halves[1], Range(item.node, item.last, item.last, item.side, item.depth))
        return
    left, right = _split(work, item, np.empty((N_BINS, 7)), np.empty(N_BINS, np.int64))
    _put(halves[0], left)
    _put(halves[1], right)


@kernel
def _build_below(work: Work, root: Range) -> int:
    """Build all nodes of a range, depth first; return the depth of the deepest leaf."""
    stack = np.empty((MAX_DEPTH + 1, 5), np.int64)
    bins, counts = np.empty((N_BINS, 7)), np.empty(N_BINS, np.int64)
    _put(stack[0], root)
    size, depth = 1, 0
    while size > 0:
        size -= 1
        item = _range_of(stack[size])
        if item.last - item.first == 1:
            leaf = ~work.ids[item.side, item.first]
            work.children[item.node, 0], work.children[item.node, 1] = leaf, leaf
            depth = max(depth, item.depth)
            continue
        left, right = _split(work, item, bins, counts)
        _put(stack[size], right)
        _put(stack[size + 1], left)
        size += 2
    return depth


@kernel
def _split(work: Work, item: Range, boxes: Array, counts: Counts) -> tuple[Range, Range]:
    """Split a range of at least two, link its node to its children, and return their ranges."""
    n = item.last - item.first
    middle, side = item.first + n // 2, item.side
    if n > 2 and not _is_deep(n, item.depth):
        bins = _find_bins(work.boxes, item)
        if bins.scale > 0.0:
            _fill_bins(work.boxes, item, bins, boxes, counts)
            last_left, n_left = _best_split(boxes, counts, n)
            middle, side = item.first + n_left, 1 - item.side
            _partition(work, item, bins, last_left, middle)
    right = item.node + 2 * (middle - item.first)
    work.children[item.node, 0], work.children[item.node, 1] = item.node + 1, right
    depth = item.depth + 1
    return (
        Range(item.node + 1, item.first, middle, side, depth),
        Range(right, middle, item.last, side, depth),
    )


@kernel
def _is_deep(n: int, depth: int) -> bool:
    """Whether n primitives fit below this depth only if every split from here on is in the middle."""
    levels = 1  # one uneven split
    while n > 1:
        n = (n + 1) // 2
        levels += 1
    return depth + levels > MAX_DEPTH


@kernel
def _find_bins(boxes: Array, item: Range) -> Bins:
    """Lay bins along the axis on which the centres (doubled) spread most; scale 0 where they coincide."""
    side = item.side
    l0, l1, l2, h0, h1, h2 = INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY
    for i in range(item.first, item.last):
        c0 = boxes[side, i, 0] + boxes[side, i, 3]
        c1 = boxes[side, i, 1] + boxes[side, i, 4]
        c2 = boxes[side, i, 2] + boxes[side, i, 5]
        l0, l1, l2 = min(l0, c0), min(l1, c1), min(l2, c2)
        h0, h1, h2 = max(h0, c0), max(h1, c1), max(h2, c2)
    axis, low, spread = 0, l0, h0 - l0
    if h1 - l1 > spread:
        axis, low, spread = 1, l1, h1 - l1
    if h2 - l2 > spread:
        axis, low, spread = 2, l2, h2 - l2
    n_bins = float(min(item.last - item.first, N_BINS))
    return Bins(axis, low, n_bins / spread if spread > 0.0 else 0.0, n_bins - 1.0)


@kernel
def _bin_of(boxes: Array, side: int, i: int, bins: Bins) -> int:
    """Find the bin of a box by its centre; whatever overflows stays within the bins."""
    x = (boxes[side, i, bins.axis] + boxes[side, i, 3 + bins.axis] - bins.low) * bins.scale
    x = x if x > 0.0 else 0.0
    return int(x if x < bins.last else bins.last)


@kernel
def _fill_bins(boxes: Array, item: Range, bins: Bins, unions: Array, counts: Counts) -> None:
    """Count and unite the boxes of each bin."""
    side = item.side
    for b in range(int(bins.last) + 1):
        counts[b] = 0
        for j in range(3):
            unions[b, j], unions[b, 3 + j] = INFINITY, -INFINITY
    for i in range(item.first, item.last):
        b = _bin_of(boxes, side, i, bins)
        counts[b] += 1
        for j in range(3):
            unions[b, j] = min(unions[b, j], boxes[side, i, j])
            unions[b, 3 + j] = max(unions[b, 3 + j], boxes[side, i, 3 + j])


@kernel
def _best_split(unions: Array, counts: Counts, n: int) -> tuple[int, int]:
    """Find the last bin on the left, and the number of primitives there, of least cost.

    The cost is the area of each half times its primitives. Of equal costs, as where all areas are zero, the
    more even split wins. The first bin and the last are never empty, so there always is a split.
    """
    n_bins = min(n, N_BINS)
    box, n_right = EMPTY, 0
    for b in range(n_bins - 1, 0, -1):
        n_right += counts[b]
        box = _united(box, unions, b)
        unions[b, 6] = n_right * _half_area(box)
    best, best_skew, last_left, n_best = INFINITY, n, 0, counts[0]
    box, n_left = EMPTY, 0
    for b in range(n_bins - 1):
        n_left += counts[b]
        box = _united(box, unions, b)
        cost = n_left * _half_area(box) + unions[b + 1, 6]
        skew = abs(n - 2 * n_left)
        if cost < best or (cost == best and skew < best_skew):
            best, best_skew, last_left, n_best = cost, skew, b, n_left
    return last_left, n_best


@kernel
def _united(box: Box, unions: Array, b: int) -> Box:
    """Unite a box with that of a bin."""
    return (
        min(box[0], unions[b, 0]),
        min(box[1], unions[b, 1]),
        min(box[2], unions[b, 2]),
        max(box[3], unions[b, 3]),
        max(box[4], unions[b, 4]),
        max(box[5], unions[b, 5]),
    )


@kernel
def _half_area(box: Box) -> float:
    """Half the surface area of a box."""
    x, y, z = box[3] - box[0], box[4] - box[1], box[5] - box[2]
    return x * y + y * z + z * x


@kernel
def _partition(work: Work, item: Range, bins: Bins, last_left: int, middle: int) -> None:
    """Copy a range to the other side, in order: what is left, up to the middle, and the rest."""
    boxes, ids, side = work.boxes, work.ids, item.side
    other = 1 - side
    left, right = item.first, middle
    for i in range(item.first, item.last):
        is_left = _bin_of(boxes, side, i, bins) <= last_left
        to = left if is_left else right
        left, right = (left + 1, right) if is_left else (left, right + 1)
        ids[other, to] = ids[side, i]
        for j in range(6):
            boxes[other, to, j] = boxes[side, i, j]
