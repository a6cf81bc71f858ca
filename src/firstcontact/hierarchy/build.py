"""Trees from scratch: clusters in Morton order, a tree over the clusters, and one over each cluster.

A range is split where the surface area of its two halves is least, its boxes in order along the axis on which
their centres spread most. To try all three axes took twice the time and made the box tests of a traversal 1
to 2 % fewer on surfaces, 6 % fewer in a soup.

The nodes below a node with m leaves are the 2 m - 2 that follow it, so sizes alone tell the numbers of all
nodes, and clusters can be worked on in any order, on any number of threads: the tree is the same.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_threads, thread_count
from firstcontact.arrays import INFINITY, Array, Ids
from firstcontact.hierarchy.morton import MortonOrder, cut_clusters, morton_order
from firstcontact.hierarchy.tree import MAX_DEPTH, Tree

Counts = NDArray[np.int64]

# Primitives of a cluster at most. For 92,000 boxes of a wavy sheet, of 300 balls and in a soup, one thread,
# against splits between 16 bins from the root down (times vary by a tenth, box tests of a traversal do not):
#   16: 50, 55, 57 % of the time, 4, 5, 16 % more tests
#   32: 49, 53, 56 % of the time, 3, 4, 10 % more tests
#   64: 45, 54, 62 % of the time, 2, 2, 7 % more tests
# A million: 39, 50, 53 % of the time. Clusters of 16 split by their codes take 8, 12, 25 % more tests.
CLUSTER_SIZE = 32
CLUSTER_LEVELS = 5  # below a cluster whose splits are all in the middle

# A longer range than a cluster is not sorted, but put into so many bins along its axis: in linear time.
N_BINS = 256

# Primitives from which several threads are worth their start (2 ms of work).
PARALLEL_FROM = 16384

Box = tuple[float, float, float, float, float, float]

EMPTY = (INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY)


class Sets(NamedTuple):
    """Sets of boxes to build a tree over each.

    boxes : (n, 6), lower and upper corners, set by set
    ids : (n,), what the leaves hold
    firsts : (m + 1,), where the sets begin, and n
    nodes, depths : (m,), the numbers and the depths of their roots
    """

    boxes: Array
    ids: Ids
    firsts: Counts
    nodes: Counts
    depths: Counts


class BuildScratch(NamedTuple):
    """What a build of one tree needs: the boxes in order, room for that, one value each, a stack, bins."""

    order: Counts
    spare: Counts
    values: Array
    stack: Counts
    ends: Counts


def build_tree(bounds: Array) -> Tree:
    """Build a tree over the boxes of bounds (n, k); the same whatever the number of threads."""
    n = len(bounds)
    if n == 0:
        return Tree(np.empty((0, 2), np.int32), 0)
    order = morton_order(bounds)
    firsts = cut_clusters(order.keys, order.id_bits, CLUSTER_SIZE)
    m = len(firsts) - 1
    nodes, depths = np.zeros(m, np.int64), np.zeros(m, np.int64)
    clusters = Sets(np.empty((n, 6)), np.empty(n, np.int32), firsts, nodes, depths)
    unions, ids = np.empty((m, 6)), np.arange(m, dtype=np.int32)
    top, children = np.empty((2 * m - 1, 2), np.int32), np.empty((2 * n - 1, 2), np.int32)
    n_tasks = 1 if n < PARALLEL_FROM else thread_count()
    parts = [m * task // n_tasks for task in range(n_tasks + 1)]
    deepest = [0] * n_tasks

    def gather(task: int) -> None:
        _gather(bounds, order, clusters, unions, parts[task], parts[task + 1])

    def build(task: int) -> None:
        deepest[task] = _build(clusters, children, parts[task], parts[task + 1])

    on_threads(gather, n_tasks)
    # A tree over clusters leaves room for those below them.
    _build(Sets(unions, ids, np.array([0, m]), np.array([0]), np.array([CLUSTER_LEVELS])), top, 0, 1)
    _place(top, clusters, children)
    on_threads(build, n_tasks)
    return Tree(children, max(deepest))


@driver
def _gather(bounds: Array, order: MortonOrder, clusters: Sets, unions: Array, first: int, last: int) -> None:
    """Bring the boxes of the clusters [first, last) in order, and unite them."""
    half, id_mask = bounds.shape[1] // 2, (1 << order.id_bits) - 1
    boxes = clusters.boxes
    for cluster in range(first, last):
        begin = clusters.firsts[cluster]
        for i in range(begin, clusters.firsts[cluster + 1]):
            p = order.keys[i] & id_mask
            clusters.ids[i] = p
            for j in range(3):
                low, high = bounds[p, j], bounds[p, half + j]
                boxes[i, j], boxes[i, 3 + j] = low, high
                unions[cluster, j] = low if i == begin else min(low, unions[cluster, j])
                unions[cluster, 3 + j] = high if i == begin else max(high, unions[cluster, 3 + j])


def _place(top: Ids, clusters: Sets, children: Ids) -> None:
    """Put the nodes over the clusters into the tree, and say where each cluster's tree has its root."""
    is_leaf = top[:, 0] < 0
    ids, is_inner = ~top[is_leaf, 0], ~is_leaf
    sizes = np.ones(len(top), np.int64)
    sizes[is_leaf] = 2 * np.diff(clusters.firsts)[ids] - 1
    places = np.cumsum(sizes) - sizes
    clusters.nodes[ids] = places[is_leaf]
    children[places[is_inner], 0] = places[is_inner] + 1
    children[places[is_inner], 1] = places[top[is_inner, 1]]
    level, depth = top[:1], 0
    while len(level):
        is_leaf = level[:, 0] < 0
        clusters.depths[~level[is_leaf, 0]] = depth
        level, depth = top[level[~is_leaf].ravel()], depth + 1


@driver
def _build(sets: Sets, children: Ids, first: int, last: int) -> int:
    """Build the trees of the sets [first, last); return the depth of the deepest leaf."""
    firsts, most, deepest = sets.firsts, int(np.int64(0)), 0
    for i in range(first, last):
        most = max(most, firsts[i + 1] - firsts[i])
    scratch = _scratch(most)
    for i in range(first, last):
        boxes, ids = sets.boxes[firsts[i] : firsts[i + 1]], sets.ids[firsts[i] : firsts[i + 1]]
        deepest = max(deepest, _build_below(boxes, ids, scratch, children, sets.nodes[i], sets.depths[i]))
    return deepest


@kernel
def _scratch(n: int) -> BuildScratch:
    """Allocate what builds of up to so many boxes need."""
    stack, ends = np.empty((MAX_DEPTH + 1, 2), np.int64), np.empty(N_BINS, np.int64)
    return BuildScratch(np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n), stack, ends)


@kernel
def _build_below(boxes: Array, ids: Ids, scratch: BuildScratch, children: Ids, node: int, depth: int) -> int:
    """Build the tree over some boxes from a node of this depth on; return the depth of its deepest leaf.

    Depth first, nodes and ranges follow each other: of those to come, the stack has the ends and the depths.
    """
    order, stack = scratch.order, scratch.stack
    for i in range(len(boxes)):
        order[i] = i
    stack[0, 0], stack[0, 1] = len(boxes), depth
    # Not a plain 0: functions are compiled for a constant argument apart.
    first, top, deepest = int(np.int64(0)), 0, depth
    while top >= 0:
        last, depth = stack[top, 0], stack[top, 1]
        if last - first == 1:
            children[node, 0] = children[node, 1] = ~ids[order[first]]
            first, top, deepest = last, top - 1, max(deepest, depth)
        else:
            middle = (first + last) // 2
            if last - first > 2 and not is_deep(last - first, depth):
                middle = _split(boxes, scratch, first, last)
            children[node, 0], children[node, 1] = node + 1, node + 2 * (middle - first)
            stack[top, 1] = depth + 1
            top += 1
            stack[top, 0], stack[top, 1] = middle, depth + 1
        node += 1
    return deepest


@kernel
def is_deep(n: int, depth: int) -> bool:
    """Whether n primitives fit below this depth only if every split from here on is in the middle."""
    levels = 1  # one uneven split
    while n > 1:
        n = (n + 1) // 2
        levels += 1
    return depth + levels > MAX_DEPTH


@kernel
def _split(boxes: Array, scratch: BuildScratch, first: int, last: int) -> int:
    """Order a range along the axis on which its centres (doubled) spread most, and find where to split it."""
    order, spare, values = scratch.order, scratch.spare, scratch.values
    l0, l1, l2, h0, h1, h2 = INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY
    for i in range(first, last):
        p = order[i]
        c0, c1, c2 = boxes[p, 0] + boxes[p, 3], boxes[p, 1] + boxes[p, 4], boxes[p, 2] + boxes[p, 5]
        l0, l1, l2 = min(l0, c0), min(l1, c1), min(l2, c2)
        h0, h1, h2 = max(h0, c0), max(h1, c1), max(h2, c2)
    axis, low, spread = 0, l0, h0 - l0
    if h1 - l1 > spread:
        axis, low, spread = 1, l1, h1 - l1
    if h2 - l2 > spread:
        axis, low, spread = 2, l2, h2 - l2
    if not spread > 0.0:
        return (first + last) // 2
    for i in range(first, last):
        p = order[i]
        spare[i], values[i] = p, boxes[p, axis] + boxes[p, 3 + axis]
    if last - first <= CLUSTER_SIZE:
        _sort(order, values, first, last)
    else:
        _sort_bins(order[first:last], spare[first:last], values[first:last], scratch.ends, low, spread)
    return _sweep(boxes, order, values, first, last)


@kernel
def _sort(order: Counts, values: Array, first: int, last: int) -> None:
    """Sort a short range by its values, in steps from neighbour to neighbour."""
    for i in range(first + 1, last):
        p, value, to = order[i], values[i], i
        while to > first and values[to - 1] > value:
            order[to], values[to] = order[to - 1], values[to - 1]
            to -= 1
        order[to], values[to] = p, value


@kernel
def _sort_bins(order: Counts, spare: Counts, values: Array, ends: Counts, low: float, spread: float) -> None:
    """Sort by the bins of values from low on; what overflows goes into the first bin or the last."""
    for b in range(N_BINS):
        ends[b] = 0
    for i in range(len(order)):
        x = (values[i] - low) * (N_BINS / spread)
        values[i] = min(x, N_BINS - 1.0) if x > 0.0 else 0.0
        ends[int(values[i])] += 1
    for b in range(1, N_BINS):
        ends[b] += ends[b - 1]
    for i in range(len(order) - 1, -1, -1):
        b = int(values[i])
        ends[b] -= 1
        order[ends[b]] = spare[i]


@kernel
def _sweep(boxes: Array, order: Counts, values: Array, first: int, last: int) -> int:
    """Find the split of least cost between two neighbours: the area of each half times its boxes.

    Of equal costs, as where all areas are zero, the most even split wins.
    """
    box = EMPTY
    for i in range(last - 1, first, -1):
        box = _united(box, boxes, order[i])
        values[i] = (last - i) * _half_area(box)
    box, best, best_skew, middle = EMPTY, INFINITY, last, (first + last) // 2
    for i in range(first + 1, last):
        box = _united(box, boxes, order[i - 1])
        cost = (i - first) * _half_area(box) + values[i]
        skew = abs(first + last - 2 * i)
        if cost < best or (cost == best and skew < best_skew):
            best, best_skew, middle = cost, skew, i
    return middle


@kernel
def _united(box: Box, boxes: Array, i: int) -> Box:
    """Unite a box with one of many."""
    return (
        min(box[0], boxes[i, 0]),
        min(box[1], boxes[i, 1]),
        min(box[2], boxes[i, 2]),
        max(box[3], boxes[i, 3]),
        max(box[4], boxes[i, 4]),
        max(box[5], boxes[i, 5]),
    )


@kernel
def _half_area(box: Box) -> float:
    """Half the surface area of a box."""
    x, y, z = box[3] - box[0], box[4] - box[1], box[5] - box[2]
    return x * y + y * z + z * x
