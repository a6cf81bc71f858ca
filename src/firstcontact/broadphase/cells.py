"""Cells: a cut of space by planes across its axes, each with few boxes in it, as far as that can be.

Sorted lists of many bodies along an axis change places with many others that are nowhere near: at a fixed
density, n bodies in a cube make of the order of n^(5/3) exchanges a step. Within cells of a fixed number of
bodies there are of the order of n.

The planes do not move with the bodies. Outer cells have no end, so each place is in a cell; a box is in all
cells that it touches, so two boxes that have a point in common are together in the cell of that point.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import INFINITY, Array, Flags, Ids, Keys
from firstcontact.hierarchy.pair_key import HALF

# A plane must take away a tenth of the cost at least. One that a third of the boxes cross on each side is
# still worth it (three families of long rods, one along each axis), while the boxes listed twice stay few:
# halves hold two thirds of the boxes each at most.
WORTH_A_PLANE = 0.9

# Boxes whose middles are looked at to place a plane.
SAMPLE = 65

# Room for boxes of cells yet to be cut, for each box: these are at most 1 + 1.34 / (1 - 0.67) where halves
# are even. A set that finds no room stays one cell.
ROOM = 8

NOWHERE = -1  # the home of a box that does not count


class Cells(NamedTuple):
    """A cut of space.

    axes, planes : (n_nodes,) int32 and float, where a node is cut
    children : (n_nodes, 2) int32, below the plane and above; the node that is the cell c has ~c twice
    bounds : (n_nodes, 6), lower and upper ends
    leaves : (n_cells,) int32, the nodes that are the cells
    depth : of the deepest cell
    cell_size : boxes that a cell may hold without being cut
    """

    axes: Ids
    planes: Array
    children: Ids
    bounds: Array
    leaves: Ids
    depth: int
    cell_size: int


def cut_cells(boxes: Array, ids: Ids, cell_size: int) -> Cells:
    """Cut space into cells of few of the boxes (n, 6) with these ids, where planes are worth it."""
    most = 2 * len(ids) + 1
    axes, planes, children = np.empty(most, np.int32), np.empty(most), np.empty((most, 2), np.int32)
    bounds, leaves = np.empty((most, 6)), np.empty(most, np.int32)
    room = np.empty(ROOM * len(ids) + 1, np.int32)
    room[: len(ids)] = ids
    nodes = Cells(axes, planes, children, bounds, leaves, 0, cell_size)
    n, n_cells, depth = _cut(boxes, room, len(ids), nodes)
    return Cells(axes[:n], planes[:n], children[:n], bounds[:n], leaves[:n_cells], depth, cell_size)


@kernel
def cost(n: int, cell_size: int) -> int:
    """What a cell of so many boxes costs: for each of them, and for each pair that may change places."""
    return n * (cell_size + n)


@driver
def _cut(boxes: Array, room: Ids, n: int, nodes: Cells) -> tuple[int, int, int]:
    """Cut the boxes that come first in `room`, depth first; return how many nodes and cells, and the depth.

    The boxes of nodes to come are one behind the other in `room`; the last node's are cut next.
    """
    axes, planes, children, bounds = nodes.axes, nodes.planes, nodes.children, nodes.bounds
    leaves = nodes.leaves
    stack = np.empty((len(axes) + 1, 3), np.int64)  # nodes to come: number, first of its boxes, depth
    stack[0, 0] = stack[0, 1] = stack[0, 2] = 0
    for k in range(6):
        bounds[0, k] = -INFINITY if k < 3 else INFINITY
    top, n_nodes, n_cells, deepest, last = 1, 1, 0, 0, n
    sample = np.empty(SAMPLE)
    while top > 0:
        top -= 1
        node, first, depth = stack[top, 0], stack[top, 1], stack[top, 2]
        axis, plane, n_left, n_right = _choose(boxes, room[first:last], nodes.cell_size, sample)
        is_full = n_nodes + 2 > len(axes) or last + n_left + n_right > len(room)
        if axis < 0 or is_full:
            children[node, 0] = children[node, 1] = ~n_cells
            leaves[n_cells] = node
            n_cells, deepest, last = n_cells + 1, max(deepest, depth), first
            continue
        _part(boxes, room[first:], last - first, axis, plane)
        axes[node], planes[node] = axis, plane
        for side in range(2):
            child = n_nodes + side
            children[node, side] = child
            for k in range(6):
                bounds[child, k] = bounds[node, k]
            bounds[child, axis if side else 3 + axis] = plane
            stack[top + side, 0], stack[top + side, 1] = child, first + side * n_left
            stack[top + side, 2] = depth + 1
        top, n_nodes, last = top + 2, n_nodes + 2, first + n_left + n_right
    return n_nodes, n_cells, deepest


@kernel
def _choose(boxes: Array, ids: Ids, cell_size: int, sample: Array) -> tuple[int, float, int, int]:
    """Find the plane that leaves the least cost: its axis (-1 for none), place, and boxes on each side."""
    n = len(ids)
    axis, plane, n_left, n_right = -1, 0.0, 0, 0
    if n <= cell_size:
        return axis, plane, n_left, n_right
    least = WORTH_A_PLANE * cost(n, cell_size)
    for k in range(3):
        middle = _middle(boxes, ids, k, sample)
        left = right = 0
        for i in range(n):
            left += boxes[ids[i], k] <= middle
            right += boxes[ids[i], 3 + k] >= middle
        now = cost(left, cell_size) + cost(right, cell_size)
        # A plane that is not a number, between ends at infinity, has boxes on neither side.
        if now <= least and left + right >= n:
            least, axis, plane, n_left, n_right = float(now), k, middle, left, right
    return axis, plane, n_left, n_right


@kernel
def _middle(boxes: Array, ids: Ids, axis: int, sample: Array) -> float:
    """Find the median of the boxes' middles along an axis, or of some of them where they are many."""
    stride = (len(ids) + SAMPLE - 1) // SAMPLE
    n = 0
    for i in range(0, len(ids), stride):
        middle = 0.5 * boxes[ids[i], axis] + 0.5 * boxes[ids[i], 3 + axis]
        to = n
        while to > 0 and sample[to - 1] > middle:
            sample[to] = sample[to - 1]
            to -= 1
        sample[to] = middle
        n += 1
    return float(sample[n // 2])


@kernel
def _part(boxes: Array, room: Ids, n: int, axis: int, plane: float) -> None:
    """Replace the first n boxes by those below the plane and those above; what the plane touches is both."""
    at = n
    for i in range(n):
        if boxes[room[i], axis] <= plane:
            room[at] = room[i]
            at += 1
    for i in range(n):
        if boxes[room[i], 3 + axis] >= plane:
            room[at] = room[i]
            at += 1
    for i in range(n, at):
        room[i - n] = room[i]


@kernel
def is_touching(boxes: Array, i: int, bounds: Array, node: int) -> bool:
    """Does box i touch a node?"""
    is_apart = False
    for k in range(3):
        is_apart |= (boxes[i, k] > bounds[node, 3 + k]) | (boxes[i, 3 + k] < bounds[node, k])
    return not is_apart


@kernel
def _is_inside(boxes: Array, i: int, bounds: Array, node: int) -> bool:
    """Does box i touch no cell but those below a node?"""
    is_within = True
    for k in range(3):
        is_within &= (boxes[i, k] > bounds[node, k]) & (boxes[i, 3 + k] < bounds[node, 3 + k])
    return is_within


class Census(NamedTuple):
    """Where boxes are.

    boxes, is_active : (n, 6) lower and upper ends, (n,) whether a box counts
    homes : (n,) int32, the lowest node above all cells that a box is in, or NOWHERE
    """

    boxes: Array
    is_active: Flags
    homes: Ids


@driver
def find_arrivals(cells: Cells, before: Census, now: Census, arrivals: Keys) -> int:
    """List the boxes that are in a cell and were not before, as ``cell << HALF | box``, and set all homes.

    Returns how many there are, also where the list is too short for them.
    """
    boxes, is_active, homes = now.boxes, now.is_active, now.homes
    old_boxes, was_active, old_homes = before.boxes, before.is_active, before.homes
    children, axes, planes, bounds = cells.children, cells.axes, cells.planes, cells.bounds
    stack = np.empty(cells.depth + 2, np.int32)
    n = 0
    for i in range(len(boxes)):
        home = int(np.int64(old_homes[i]))
        is_at_home = home >= 0 and _is_inside(boxes, i, bounds, home)
        homes[i] = home if is_at_home else 0
        if not is_active[i]:
            homes[i] = NOWHERE
            continue
        if is_at_home and children[home, 0] < 0:
            continue
        top, is_alone = 1, True
        stack[0] = homes[i]
        while top > 0:
            top -= 1
            node = int(np.int64(stack[top]))
            cell = ~int(np.int64(children[node, 0]))
            if is_alone:
                homes[i] = node
            if cell < 0:
                is_below, is_above = (
                    boxes[i, axes[node]] <= planes[node],
                    boxes[i, 3 + axes[node]] >= planes[node],
                )
                stack[top] = children[node, 0]
                top += is_below
                stack[top] = children[node, 1]
                top += is_above
                is_alone &= not (is_below and is_above)
            elif not (was_active[i] and is_touching(old_boxes, i, bounds, node)):
                if n < len(arrivals):
                    arrivals[n] = cell << HALF | i
                n += 1
    return n
