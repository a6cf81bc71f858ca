"""I-COLLIDE's two-dimensional variant: rectangles in a plane, by a sweep along one axis and an interval tree.

Boxes are projected onto the plane of x and y. A line goes along x; rectangles that it is in are in a tree, by
where they begin along y, with the farthest end below each node. Who arrives asks it for all that it overlaps,
O(log n + k). Of these pairs, the boxes must overlap along z, too: that is what the second plane would add.
All is made anew in each frame, as in the paper.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from scene.cases import Array


class Planes:
    """All pairs of overlapping boxes, and how many overlap in the plane."""

    n_rectangles = 0

    def pairs(self, boxes: Array) -> NDArray[np.int32]:
        """Give all pairs (m, 2) of boxes (n, 6), i < j, sorted by i, then by j."""
        n = len(boxes)
        by_start = np.argsort(boxes[:, 1])
        rank = np.empty(n, np.int64)
        rank[by_start] = np.arange(n)
        ends = np.concatenate([boxes[:, 0], boxes[:, 3]])
        # Of two ends at one place the lower one comes first: boxes that touch overlap.
        order = np.lexsort((np.arange(2 * n) >= n, ends))
        room = np.empty((16 * n + 16, 2), np.int32)
        n_pairs, n_flat = _swept(boxes, by_start, rank, order, room)
        if n_pairs > len(room):
            room = np.empty((n_pairs, 2), np.int32)
            n_pairs, n_flat = _swept(boxes, by_start, rank, order, room)
        self.n_rectangles = n_flat
        found = room[:n_pairs]
        return found[np.lexsort((found[:, 1], found[:, 0]))]


@numba.njit
def _swept(boxes, by_start, rank, order, room):  # type: ignore[no-untyped-def]
    """Sweep along x; write the pairs, as far as there is room, and count them and those of rectangles."""
    n = len(boxes)
    leaves = 1
    while leaves < n:
        leaves *= 2
    farthest = np.full(2 * leaves, -np.inf)
    stack = np.empty(128, np.int64)
    n_pairs, n_flat = 0, 0
    for end in order:
        body = end % n
        at = leaves + rank[body]
        if end >= n:  # it leaves
            farthest[at] = -np.inf
        else:
            lower, upper = boxes[body, 1], boxes[body, 4]
            stack[0], top = 1, 1
            while top > 0:
                top -= 1
                node = stack[top]
                if farthest[node] < lower:
                    continue
                if node >= leaves:
                    other = by_start[node - leaves]
                    n_flat += 1
                    if boxes[body, 2] <= boxes[other, 5] and boxes[other, 2] <= boxes[body, 5]:
                        if n_pairs < len(room):
                            room[n_pairs, 0], room[n_pairs, 1] = min(body, other), max(body, other)
                        n_pairs += 1
                    continue
                stack[top] = 2 * node
                top += 1
                first = 2 * node + 1  # of the right half: the first of all that begin there
                while first < leaves:
                    first *= 2
                if first - leaves < n and boxes[by_start[first - leaves], 1] <= upper:
                    stack[top] = 2 * node + 1
                    top += 1
            farthest[at] = upper
        at >>= 1
        while at > 0:
            farthest[at] = max(farthest[2 * at], farthest[2 * at + 1])
            at >>= 1
    return n_pairs, n_flat
