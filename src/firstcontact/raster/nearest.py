"""The nearest element of every pixel, tile by tile.

Each element has a value at the centre of a tile. It grows or falls by no more than its factor times the way
to any pixel. So an element whose value is above that of another by more than both can change within the tile
is nowhere the nearest there. A search in the tree lists those that are left for a tile; halves of the tile
keep what is left of the list, down to few pixels, where all that are left are measured, a row at a time. What
is left out would have lost by more than rounding can hide: the answer is that of a look at all elements, of
equally near ones the first, whatever the tiles. Where too many are left, a tile is halved and searched anew;
where they are too many for the smallest, each pixel is searched by itself.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import INFINITY, Array, Ids, Keys
from firstcontact.hierarchy.tree import MAX_DEPTH
from firstcontact.raster.element_value import (
    RUN,
    as_values,
    element_square,
    element_value,
    keep_nearer,
    row_squares,
)
from firstcontact.raster.elements import (
    FACTOR,
    LEAST_FACTOR,
    LOWER,
    MOST_RADIUS,
    RADIUS,
    UPPER,
    Elements,
)
from firstcontact.raster.grid import Grid
from firstcontact.scalar.vec3 import Vec3

# Elements that a list has room for.
MOST = 512

# A tile is no longer halved when it has so few pixels, or elements.
FEW_PIXELS, FEW_ELEMENTS = 16, 3

# Halves of halves: more than any image of less than 2**31 pixels along an axis has.
MOST_HALVES = 100

Box = tuple[int, int, int, int, int, int]


class Image(NamedTuple):
    """What is filled: the element (nx, ny, nz) of each pixel, and its value."""

    who: Ids
    value: Array


class Room(NamedTuple):
    """Memory to work in.

    lists : (MOST_HALVES, MOST) int32, the list of each half that is not done
    values : (MOST,)
    halves : (MOST_HALVES, 7) int64, boxes that are not done, and how many are on their list
    boxes : (MOST_HALVES, 6) int64, those that are to be searched
    stack : (MAX_DEPTH + 2,) int64, nodes
    best, squares, nearest : (RUN,), of a row
    """

    lists: Ids
    values: Array
    halves: Keys
    boxes: Keys
    stack: Keys
    best: Array
    squares: Array
    nearest: Keys


def fill_nearest(elements: Elements, grid: Grid, tiles: Ids, image: Image, margin: float) -> None:
    """Find the nearest element of all pixels of some tiles; values are off by half the margin at most."""

    def fill(first: int, last: int) -> None:
        _fill_tiles(elements, grid, tiles[first:last], image, margin)

    on_ranges(fill, len(tiles), 4)


@driver
def _fill_tiles(elements: Elements, grid: Grid, tiles: Ids, image: Image, margin: float) -> None:
    room, seed = _make_room(), 0
    for tile in range(len(tiles)):
        for j in range(6):
            room.boxes[0, j] = tiles[tile, j]
        n_boxes = 1
        while n_boxes > 0:
            n_boxes -= 1
            box = box_at(room.boxes, n_boxes)
            n = _list_near(elements, grid, box, room, margin, seed)
            if n > 0:
                seed = _refine(elements, grid, box, n, image, room, margin)
            elif n_pixels(box) > FEW_PIXELS:
                n_boxes = halve(grid, box, room.boxes, n_boxes)
            else:
                seed = _fill_each(elements, grid, box, image, room, seed)


@kernel
def _make_room() -> Room:
    lists, values = np.empty((MOST_HALVES, MOST), np.int32), np.empty(MOST)
    halves, boxes = np.empty((MOST_HALVES, 7), np.int64), np.empty((MOST_HALVES, 6), np.int64)
    stack, nearest = np.empty(MAX_DEPTH + 2, np.int64), np.empty(RUN, np.int64)
    return Room(lists, values, halves, boxes, stack, np.empty(RUN), np.empty(RUN), nearest)


@kernel
def box_at(boxes: Keys, i: int) -> Box:
    """Read a box of pixels."""
    return boxes[i, 0], boxes[i, 1], boxes[i, 2], boxes[i, 3], boxes[i, 4], boxes[i, 5]


@kernel
def n_pixels(box: Box) -> int:
    """Count the pixels of a box."""
    return (box[3] - box[0]) * (box[4] - box[1]) * (box[5] - box[2])


@kernel
def ball_of(grid: Grid, box: Box) -> tuple[Vec3, float]:
    """The centre of a box of pixels, and how far none of their centres is from it."""
    x0, x1 = grid.x[box[0]], grid.x[box[3] - 1]
    y0, y1 = grid.y[box[1]], grid.y[box[4] - 1]
    z0, z1 = grid.z[box[2]], grid.z[box[5] - 1]
    dx, dy, dz = 0.5 * (x1 - x0), 0.5 * (y1 - y0), 0.5 * (z1 - z0)
    return (x0 + dx, y0 + dy, z0 + dz), sqrt(dx * dx + dy * dy + dz * dz)


@kernel
def halve(grid: Grid, box: Box, boxes: Keys, at: int) -> int:
    """Write both halves of a box, cut across its longest axis that can be; return where the next goes."""
    nx, ny, nz = box[3] - box[0], box[4] - box[1], box[5] - box[2]
    lx = grid.x[box[3] - 1] - grid.x[box[0]] if nx > 1 else -1.0
    ly = grid.y[box[4] - 1] - grid.y[box[1]] if ny > 1 else -1.0
    # Rows of eight pixels are measured in the time of one.
    lz = grid.z[box[5] - 1] - grid.z[box[2]] if nz > 1 else -1.0
    lz *= 0.4
    axis = 0 if lx >= ly and lx >= lz else (1 if ly >= lz else 2)
    for j in range(6):
        boxes[at, j] = boxes[at + 1, j] = box[j]
    middle = (box[axis] + box[axis + 3]) // 2
    boxes[at, axis], boxes[at + 1, axis + 3] = middle, middle
    return at + 2


@kernel
def node_gap(nodes: Array, node: int, p: Vec3) -> float:
    """How far a point is from the box of a node."""
    x = max(max(nodes[node, LOWER] - p[0], p[0] - nodes[node, UPPER]), 0.0)
    y = max(max(nodes[node, LOWER + 1] - p[1], p[1] - nodes[node, UPPER + 1]), 0.0)
    z = max(max(nodes[node, LOWER + 2] - p[2], p[2] - nodes[node, UPPER + 2]), 0.0)
    return sqrt(x * x + y * y + z * z)


@kernel
def _push_nearer_last(nodes: Array, children: Ids, node: int, p: Vec3, stack: Keys, top: int) -> int:
    left, right = children[node, 0], children[node, 1]
    is_left = node_gap(nodes, left, p) <= node_gap(nodes, right, p)
    stack[top] = right if is_left else left
    stack[top + 1] = left if is_left else right
    return top + 2


@kernel
def _list_near(elements: Elements, grid: Grid, box: Box, room: Room, margin: float, seed: int) -> int:
    """List all elements that can be the nearest of a pixel of a box, increasing; 0 if they are too many."""
    p, reach = ball_of(grid, box)
    table, children, nodes, stack = elements.table, elements.children, elements.nodes, room.stack
    limit = element_value(table, seed, p) + table[seed, FACTOR] * reach
    stack[0], top = 0, 1
    while top > 0:
        top -= 1
        node = stack[top]
        factor = nodes[node, LEAST_FACTOR]
        if factor * (node_gap(nodes, node, p) + reach) - nodes[node, MOST_RADIUS] > limit:
            continue
        if children[node, 0] < 0:
            k = ~children[node, 0]
            limit = min(limit, element_value(table, k, p) + table[k, FACTOR] * reach)
            continue
        top = _push_nearer_last(nodes, children, node, p, stack, top)
    limit += margin
    stack[0], top, n = 0, 1, 0
    while top > 0:
        top -= 1
        node = stack[top]
        factor = nodes[node, LEAST_FACTOR]
        if factor * max(node_gap(nodes, node, p) - reach, 0.0) - nodes[node, MOST_RADIUS] > limit:
            continue
        if children[node, 0] < 0:
            k = ~children[node, 0]
            if element_value(table, k, p) - table[k, FACTOR] * reach <= limit:
                if n == MOST:
                    return 0
                room.lists[0, n] = k
                n += 1
            continue
        stack[top], stack[top + 1] = children[node, 0], children[node, 1]
        top += 2
    room.lists[0, :n].sort()
    return n


@kernel
def _refine(elements: Elements, grid: Grid, box: Box, n: int, image: Image, room: Room, margin: float) -> int:
    """Halve a box down to few pixels, each half with what is left of its list; return an element near it."""
    halves, lists = room.halves, room.lists
    for j in range(6):
        halves[0, j] = box[j]
    halves[0, 6], n_halves, seed = n, 1, 0
    while n_halves > 0:
        at = n_halves - 1
        own, n = box_at(halves, at), halves[at, 6]
        if n > FEW_ELEMENTS or n_halves == 1:
            n = _filter(elements, grid, own, n, lists[at], room.values, margin)
        seed = lists[at, 0]
        if n <= FEW_ELEMENTS or n_pixels(own) <= FEW_PIXELS or n_halves + 1 >= MOST_HALVES:
            _fill(elements, grid, own, lists[at], n, image, room)
            n_halves -= 1
            continue
        n_halves = halve(grid, own, halves, at)
        halves[at, 6] = halves[at + 1, 6] = n
        lists[at + 1, :n] = lists[at, :n]
    return seed


@kernel
def _filter(elements: Elements, grid: Grid, box: Box, n: int, own: Ids, values: Array, margin: float) -> int:
    """Keep what can be the nearest of a pixel of a box, in order; return how many that are."""
    p, reach = ball_of(grid, box)
    table, limit = elements.table, INFINITY
    for i in range(n):
        values[i] = element_value(table, own[i], p)
        limit = min(limit, values[i] + table[own[i], FACTOR] * reach)
    limit += margin
    kept = 0
    for i in range(n):
        own[kept] = own[i]
        kept += values[i] - table[own[i], FACTOR] * reach <= limit
    return kept


@kernel
def _fill(elements: Elements, grid: Grid, box: Box, own: Ids, n: int, image: Image, room: Room) -> None:
    """Measure all pixels of a box from all elements of a list, row by row."""
    table, zs, best, nearest, squares = elements.table, grid.z, room.best, room.nearest, room.squares
    for i in range(box[0], box[3]):
        for j in range(box[1], box[4]):
            for begin in range(box[2], box[5], RUN):
                length = min(RUN, box[5] - begin)
                best[:length] = INFINITY
                for m in range(n):
                    k = own[m]
                    row_squares(table, k, (grid.x[i], grid.y[j], begin), zs, length, squares)
                    if not elements.is_plain:
                        as_values(squares, table[k, FACTOR], table[k, RADIUS], length)
                    keep_nearer(squares, k, length, best, nearest)
                if elements.is_plain:
                    as_values(best, 1.0, 0.0, length)
                for m in range(length):
                    image.who[i, j, begin + m], image.value[i, j, begin + m] = nearest[m], best[m]


@kernel
def _fill_each(elements: Elements, grid: Grid, box: Box, image: Image, room: Room, seed: int) -> int:
    """Search the tree for each pixel of a box."""
    for i in range(box[0], box[3]):
        for j in range(box[1], box[4]):
            for m in range(box[2], box[5]):
                p = (grid.x[i], grid.y[j], grid.z[m])
                seed, value = nearest_of(elements, 0, p, seed, room.stack)
                image.who[i, j, m], image.value[i, j, m] = seed, value
    return seed


@kernel
def nearest_of(elements: Elements, root: int, p: Vec3, seed: int, stack: Keys) -> tuple[int, float]:
    """The nearest element of a point below a node, the first of equally near ones, and its value.

    The seed is one of them, the nearer the better.
    """
    children, nodes = elements.children, elements.nodes
    best, who = _compared(elements, seed, p), seed
    stack[0], top = root, 1
    while top > 0:
        top -= 1
        node = stack[top]
        gap = node_gap(nodes, node, p) * (1.0 - 2.0**-40)
        if elements.is_plain:
            bound = gap * gap
        else:
            bound = nodes[node, LEAST_FACTOR] * gap - nodes[node, MOST_RADIUS]
            bound -= 2.0**-40 * abs(nodes[node, MOST_RADIUS])
        if bound > best:
            continue
        if children[node, 0] < 0:
            k = ~children[node, 0]
            value = _compared(elements, k, p)
            if value < best or (value == best and k < who):
                best, who = value, k
            continue
        top = _push_nearer_last(nodes, children, node, p, stack, top)
    return who, sqrt(best) if elements.is_plain else best


@kernel
def _compared(elements: Elements, k: int, p: Vec3) -> float:
    """What is compared of an element: the squared distance, or the value where elements differ in more."""
    square = element_square(elements.table, k, p, True)
    if elements.is_plain:
        return square
    value: float = elements.table[k, FACTOR] * sqrt(square) - elements.table[k, RADIUS]
    return value
