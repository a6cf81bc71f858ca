"""Which edges of two bodies of the plane meet, or of one with itself: exactly."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Ids, Keys
from firstcontact.bodies.plane_body import PlaneBody, edge_at
from firstcontact.narrowphase.plane.meeting_edges import APART, meeting_of_edges
from firstcontact.narrowphase.plane.turn import TURN_ROOM

# Columns of what is found of a pair: the ends of what both share.
N_ENDS = 4
# Pairs that there is room for at first.
AT_FIRST = 64


class EdgePairs(NamedTuple):
    """Pairs of edges (n, 2) that meet, in order; how, (n,); and the ends of what they share, (n, 2, 2)."""

    ids: Ids
    how: Ids
    ends: Array


def meeting_edges(a: PlaneBody, b: PlaneBody) -> EdgePairs:
    """All pairs of an edge of a and one of b that meet; of the same body twice, each pair once."""
    n, is_self = AT_FIRST, a is b
    stack, room = np.empty((a.depth + b.depth + 2, 2), np.int64), np.empty(TURN_ROOM)
    while True:
        found = EdgePairs(np.empty((n, 2), np.int32), np.empty(n, np.int32), np.empty((n, N_ENDS)))
        is_empty = len(a.edges) == 0 or len(b.edges) == 0
        n = 0 if is_empty else _list_pairs(a, b, is_self, (stack, room), found)
        if n <= len(found.how):
            break
    order = np.lexsort(found.ids[:n].T[::-1])
    return EdgePairs(found.ids[order], found.how[order], found.ends[order].reshape(-1, 2, 2))


@driver
def _list_pairs(a: PlaneBody, b: PlaneBody, is_self: bool, work: tuple[Keys, Array], found: EdgePairs) -> int:
    """Write pairs as far as there is room, and count all."""
    stack, room = work
    n, top = 0, 1
    stack[0, 0], stack[0, 1] = 0, 0
    while top > 0:
        top -= 1
        i, j = stack[top, 0], stack[top, 1]
        if not _overlap(a.boxes, i, b.boxes, j):
            continue
        left, right = a.children[i, 0], b.children[j, 0]
        if left < 0 and right < 0:
            p, q = ~left, ~right
            if is_self and p >= q:
                continue
            how, first, last = meeting_of_edges(edge_at(a.edges, p), edge_at(b.edges, q), room)
            if how != APART:
                if n < len(found.how):
                    found.ids[n, 0], found.ids[n, 1], found.how[n] = p, q, how
                    found.ends[n, 0], found.ends[n, 1] = first
                    found.ends[n, 2], found.ends[n, 3] = last
                n += 1
        elif right < 0 or (left >= 0 and _size(a.boxes, i) >= _size(b.boxes, j)):
            stack[top, 0], stack[top, 1] = left, j
            stack[top + 1, 0], stack[top + 1, 1] = a.children[i, 1], j
            top += 2
        else:
            stack[top, 0], stack[top, 1] = i, right
            stack[top + 1, 0], stack[top + 1, 1] = i, b.children[j, 1]
            top += 2
    return n


@kernel
def _overlap(a: Array, i: int, b: Array, j: int) -> bool:
    """Have two boxes a common point?"""
    if a[i, 0] > b[j, 2] or b[j, 0] > a[i, 2]:
        return False
    return bool(a[i, 1] <= b[j, 3] and b[j, 1] <= a[i, 3])


@kernel
def _size(boxes: Array, i: int) -> float:
    return float((boxes[i, 2] - boxes[i, 0]) + (boxes[i, 3] - boxes[i, 1]))
