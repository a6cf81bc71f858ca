"""The surface on which a field has a value, as a closed mesh.

Dual to the octree: each leaf that the surface passes through has one vertex, and each smallest edge between
leaves along which the values pass the level has one face, around the vertices of the leaves about it. Around
the border of any face between two leaves the values pass the level as often up as down, so that as many faces
of the mesh run along the line between their vertices in one direction as in the other: it is closed, also
where large leaves meet small ones.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Ids, Keys
from firstcontact.fields.octree import DEEPEST, Octree

# Of each edge of a cell, its axis, and the corner that it begins at.
N_EDGES = 12

# The four leaves about an edge, in the order of a turn about its axis: which side they are on of the next
# axis and of the one after.
TURN = ((-1, -1), (1, -1), (1, 1), (-1, 1))


class Leaves(NamedTuple):
    """Where each leaf is: its lowest corner and width, (n, 4), in units of the smallest cell."""

    places: Keys
    depth: int


def level_mesh(octree: Octree, level: float) -> tuple[Array, Ids, int]:
    """Vertices and faces of the surface at a level, and how often it passes through the border of the box."""
    places, depths = leaf_places(octree)
    deepest = int(depths.max())
    units = np.column_stack([places >> np.int64(DEEPEST - deepest), 1 << (deepest - depths)]).astype(np.int64)
    counts = np.zeros(2, np.int64)
    no_faces, no_sums = np.empty((0, 4), np.int32), np.empty((0, 4))
    _list_faces(octree, units, deepest, level, no_faces, no_sums, counts)
    faces, sums = np.empty((counts[0], 4), np.int32), np.zeros((len(units), 4))
    n_out = int(counts[1])
    counts[:] = 0
    _list_faces(octree, units, deepest, level, faces, sums, counts)
    used = np.flatnonzero(sums[:, 3] > 0)
    number = np.full(len(units), -1, np.int32)
    number[used] = np.arange(len(used), dtype=np.int32)
    scale = octree.grid.width / (1 << deepest)
    vertices = sums[used, :3] / sums[used, 3:] * scale + np.array(octree.grid.lower)
    return vertices, _triangles(number[faces]), n_out


def _triangles(quads: Ids) -> Ids:
    """Two triangles for each face of four leaves; one where two neighbours are the same; none for less."""
    a, b, c, d = quads.T
    both = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    is_face = (both[:, 0] != both[:, 1]) & (both[:, 1] != both[:, 2]) & (both[:, 2] != both[:, 0])
    return np.ascontiguousarray(both[is_face])


def leaf_places(octree: Octree) -> tuple[Keys, Keys]:
    """Lowest corner of each leaf, (n, 3), in units of the smallest cell that there can be, and its depth."""
    places, depths = np.empty((len(octree.values), 3), np.int64), np.empty(len(octree.values), np.int64)
    _place_leaves(octree, places, depths)
    return places, depths


@driver
def _place_leaves(octree: Octree, places: Keys, depths: Keys) -> None:
    a, b, c = octree.grid.shape
    stack = np.empty((8 * DEEPEST + 8, 5), np.int64)
    for root in range(a * b * c):
        row = stack[0]
        row[0], row[1] = root, 0
        row[2], row[3], row[4] = root // (b * c) << DEEPEST, root // c % b << DEEPEST, root % c << DEEPEST
        top = 0
        while top >= 0:
            node, depth, x, y, z = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3], stack[top, 4]
            link = octree.links[node]
            if link < 0:
                leaf = -1 - link
                places[leaf, 0], places[leaf, 1], places[leaf, 2], depths[leaf] = x, y, z, depth
                top -= 1
                continue
            half = 1 << (DEEPEST - depth - 1)
            for i in range(8):
                row = stack[top + i]
                row[0], row[1] = link + i, depth + 1
                row[2], row[3], row[4] = x + half * (i & 1), y + half * (i >> 1 & 1), z + half * (i >> 2)
            top += 7


@driver
def _list_faces(
    octree: Octree, units: Keys, deepest: int, level: float, faces: Ids, sums: Array, counts: Keys
) -> None:
    """List, or count, the four leaves about each edge that passes the level; add up where, for each leaf."""
    about = np.empty(4, np.int64)
    for leaf in range(len(units)):
        for edge in range(N_EDGES):
            axis, first, last = _ends(edge)
            low, high = float(octree.values[leaf, first]), float(octree.values[leaf, last])
            if (low < level) == (high < level):
                continue
            outcome = _leaves_about(octree, units, deepest, leaf, (axis, first), about)
            if outcome == IS_OUTSIDE:
                counts[1] += 1
            if outcome != IS_MINE:
                continue
            n = counts[0]
            counts[0] = n + 1
            if len(faces) == 0:
                continue
            for k in range(4):
                faces[n, k] = about[k] if low < level else about[3 - k]
                _add_crossing(units, leaf, (axis, first), (level - low) / (high - low), sums[about[k]])


@kernel
def _ends(edge: int) -> tuple[int, int, int]:
    """Axis of an edge of a cell, and the corners at its ends."""
    axis, i = edge >> 2, edge & 3
    bit, after, last = 1 << axis, 1 << (axis + 1) % 3, 1 << (axis + 2) % 3
    first = (after if i & 1 else 0) + (last if i & 2 else 0)
    return axis, first, first + bit


IS_MINE, IS_OTHERS, IS_OUTSIDE = range(3)


@kernel
def _leaves_about(
    octree: Octree, units: Keys, deepest: int, leaf: int, edge: tuple[int, int], about: Keys
) -> int:
    """Find the four leaves about an edge of a leaf: it is told by the first of the smallest of them."""
    width = units[leaf, 3]
    mine = IS_MINE
    for k in range(4):
        # In units of half the smallest cell, a point of the leaf there, next to the edge's middle.
        x, y, z = _beside(units, leaf, edge, k)
        other = _leaf_of(octree, (x, y, z), deepest)
        if other < 0:
            return IS_OUTSIDE
        about[k] = other
        if units[other, 3] < width or (units[other, 3] == width and other < leaf):
            mine = IS_OTHERS
    return mine


@kernel
def _beside(units: Keys, leaf: int, edge: tuple[int, int], k: int) -> tuple[int, int, int]:
    """Middle of an edge, moved by half a smallest cell into each of the two axes across: in half cells."""
    axis, first = edge
    width = units[leaf, 3]
    one, other = TURN[k]
    after, last = (axis + 1) % 3, (axis + 2) % 3
    x = _along(units[leaf, 0], width, first & 1, 0, (axis, after, last), (one, other))
    y = _along(units[leaf, 1], width, first >> 1 & 1, 1, (axis, after, last), (one, other))
    z = _along(units[leaf, 2], width, first >> 2, 2, (axis, after, last), (one, other))
    return x, y, z


@kernel
def _along(
    low: int, width: int, end: int, own: int, axes: tuple[int, int, int], shifts: tuple[int, int]
) -> int:
    if own == axes[0]:
        return 2 * low + width  # the middle of a smallest edge is on a border of half cells: any side will do
    return 2 * (low + end * width) + (shifts[0] if own == axes[1] else shifts[1])


@kernel
def _leaf_of(octree: Octree, half_cells: tuple[int, int, int], deepest: int) -> int:
    """Leaf around a point, in half smallest cells; -1 outside the box."""
    a, b, c = octree.grid.shape
    x, y, z = half_cells
    if x < 0 or y < 0 or z < 0:
        return -1
    shift = deepest + 1
    i, j, k = x >> shift, y >> shift, z >> shift
    if i >= a or j >= b or k >= c:
        return -1
    link = octree.links[(i * b + j) * c + k]
    while link >= 0:
        shift -= 1
        link = octree.links[link + (x >> shift & 1) + 2 * (y >> shift & 1) + 4 * (z >> shift & 1)]
    return int(-1 - link)


@kernel
def _add_crossing(units: Keys, leaf: int, edge: tuple[int, int], part: float, total: Array) -> None:
    """Add the point of an edge at which the level is passed to what a leaf has so far."""
    axis, first = edge
    width = units[leaf, 3]
    for k in range(3):
        total[k] += units[leaf, k] + (part * width if k == axis else (first >> k & 1) * width)
    total[3] += 1.0
