"""A tree of oriented boxes over primitives of three points, four children a node.

From the top down, as in Gottschalk, Lin, Manocha, "OBBTree", 1996: a box is split across its longest side, at
the mean of the primitives' middles, else across the next. Nodes are opened into their parents until these
have four children, whose boxes are looked at together.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Ids
from firstcontact.bounds.oriented_box import ALONG, HALF, N_COLUMNS, SIZE
from firstcontact.bounds.oriented_fit import fit_box
from firstcontact.bounds.quick_hull import HullRoom, hull_room
from firstcontact.hierarchy.build import is_deep
from firstcontact.hierarchy.collapse import collapse
from firstcontact.hierarchy.tree import MAX_DEPTH

# Children a node: the doubles that one instruction takes.
WIDTH = 4

# Half the sides of a box that is not there: its shadow is far from every other, and no sum of it overflows.
NO_HALF = -1e300

# Items of work for one: of a node with itself, its children with themselves and with each other.
ITEMS_A_NODE = WIDTH * (WIDTH + 1) // 2


class OrientedTree(NamedTuple):
    """A tree with one primitive a leaf; the root is node 0.

    boxes : (n_nodes, 16), rows for `oriented_box_of`
    blocks_of : (n_nodes,) the block of an inner node; ~p for the leaf of primitive p
    nodes : (n_blocks, WIDTH) the children of each block, by their rows of `boxes`; -1 for none
    blocks : (n_blocks, 15, WIDTH) their boxes, column by column; those left over hold nothing
    depth : that of the deepest leaf, were there two children a node
    """

    boxes: Array
    blocks_of: Ids
    nodes: Ids
    blocks: Array
    depth: int


class FitRoom(NamedTuple):
    """Room to fit a box: local points, triangles of them, number of each point, who was last, for a hull."""

    points: Array
    triangles: Ids
    local: Ids
    turns: Array
    hull: HullRoom


def oriented_tree(vertices: Array, corners: Ids) -> OrientedTree:
    """Build the tree over primitives, by the numbers (n, 3) of their three points in `vertices`."""
    n = len(corners)
    children = np.empty((max(2 * n - 1, 0), 2), np.int32)
    boxes = np.empty((len(children), N_COLUMNS))
    depth = int(_build(vertices, corners, children, boxes)) if n > 0 else 0
    blocks_of, nodes = np.empty(len(children), np.int32), np.full((max(n - 1, 0), WIDTH), -1, np.int32)
    n_blocks = collapse(children, boxes[:, SIZE].copy(), blocks_of, nodes)
    nodes = nodes[:n_blocks].copy()
    blocks = np.ascontiguousarray(boxes[nodes, :SIZE].transpose(0, 2, 1))
    is_left_over = nodes < 0
    blocks.transpose(0, 2, 1)[is_left_over] = 0.0
    blocks.transpose(0, 2, 1)[is_left_over, HALF:] = NO_HALF
    blocks.transpose(0, 2, 1)[is_left_over, ALONG:HALF] = np.eye(3).ravel()
    return OrientedTree(boxes, blocks_of, nodes, blocks, depth)


@driver
def _build(vertices: Array, corners: Ids, children: Ids, boxes: Array) -> int:
    """Split from the top down, in the order of `Tree`; return the depth."""
    n = len(corners)
    order, middles = np.arange(n), np.empty((n, 3))
    for p in range(n):
        for k in range(3):
            a, b, c = vertices[corners[p, 0], k], vertices[corners[p, 1], k], vertices[corners[p, 2], k]
            middles[p, k] = (a + b + c) / 3.0
    m = min(3 * n, len(vertices))
    room = FitRoom(
        np.empty((m, 3)),
        np.empty((n, 3), np.int32),
        np.full(len(vertices), -1, np.int32),
        np.empty((2, 3, 3)),
        hull_room(m),
    )
    # Ends of the ranges that wait, and depths of their nodes; a range begins where the last ended.
    stack, top, first, deepest = np.empty((MAX_DEPTH + 2, 2), np.int64), 1, 0, 0
    stack[0, 0], stack[0, 1] = n, 0
    for node in range(len(children)):
        last, depth = stack[top - 1, 0], stack[top - 1, 1]
        _fit(vertices, corners, order[first:last], room, boxes[node])
        if last - first == 1:
            children[node, 0] = children[node, 1] = ~order[first]
            first, top, deepest = last, top - 1, max(deepest, depth)
            continue
        middle = first + _split(order[first:last], middles, boxes[node], is_deep(last - first, depth))
        children[node, 0], children[node, 1] = node + 1, node + 2 * (middle - first)
        stack[top - 1, 1] = depth + 1
        stack[top, 0], stack[top, 1] = middle, depth + 1
        top += 1
    return deepest


@kernel
def _fit(vertices: Array, corners: Ids, own: NDArray[np.int64], room: FitRoom, row: Array) -> None:
    """Fit a box to primitives: to each of their points once."""
    n = 0
    for i in range(len(own)):
        for k in range(3):
            v = corners[own[i], k]
            if room.local[v] < 0:
                room.local[v] = n
                for axis in range(3):
                    room.points[n, axis] = vertices[v, axis]
                n += 1
            room.triangles[i, k] = room.local[v]
    for i in range(len(own)):
        for k in range(3):
            room.local[corners[own[i], k]] = -1
    fit_box(room.points[:n], room.triangles[: len(own)], room.hull, room.turns, row)


@kernel
def _split(order: NDArray[np.int64], middles: Array, box: Array, is_even: bool) -> int:
    """Bring the primitives of one side to the front, and return how many; half where no side splits them."""
    n = len(order)
    sides = _sides_by_length(box)
    for side in sides:
        x, y, z = box[ALONG + 3 * side], box[ALONG + 3 * side + 1], box[ALONG + 3 * side + 2]
        mean = 0.0
        for i in range(n):
            p = order[i]
            mean += (x * middles[p, 0] + y * middles[p, 1] + z * middles[p, 2]) / n
        first = 0
        for i in range(n):
            p = order[i]
            if x * middles[p, 0] + y * middles[p, 1] + z * middles[p, 2] < mean:
                order[i], order[first] = order[first], p
                first += 1
        if 0 < first < n and not is_even:
            return first
    return n // 2


@kernel
def _sides_by_length(box: Array) -> tuple[int, int, int]:
    """The sides of a box, the longest first."""
    a, b, c = 0, 1, 2
    if box[HALF + b] > box[HALF + a]:
        a, b = b, a
    if box[HALF + c] > box[HALF + b]:
        b, c = c, b
    if box[HALF + b] > box[HALF + a]:
        a, b = b, a
    return a, b, c
