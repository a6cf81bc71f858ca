"""The surface at a level of a function that is linear in tetrahedra: closed, and nowhere through itself.

Each cube is cut into six tetrahedra about its diagonal from the lowest corner to the highest, one for each
order of the axes, so that neighbours have the same diagonals on the face between them (Kuhn). In such a
tetrahedron, whose circumsphere is that of the cube, a function that is linear between values at the corners
is at x the mean of these, with weights w_i. Where no value differs from another by more than the points are
apart, it is off by sum(w_i |x - v_i|) at most, no more than the root of sum(w_i |x - v_i|^2), which is
largest in the middle of the circumsphere: half the diagonal of the cube.

Values at the level are moved off it by a small part of the width: so every vertex is within its edge, no two
are at one place, and the surface, which is that of a function without such values, has no fins.
"""

from itertools import permutations

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Ids, Keys
from firstcontact.sweeping.lattice import CORNERS

# No value is nearer to the level than this part of the width.
OFF_LEVEL = 1.0 / 64.0

# Corners of the six tetrahedra, by their numbers in a cube; whether they are right-handed.
_ORDERS = tuple(permutations(range(3)))
TETRAHEDRA = np.array([[0, 1 << a, 1 << a | 1 << b, 7] for a, b, _ in _ORDERS], np.int64)
IS_RIGHT = np.array([(a - b) * (b - c) * (c - a) > 0 for a, b, c in _ORDERS])


def _is_even(order: tuple[int, ...]) -> bool:
    return sum(order[i] > order[j] for j in range(4) for i in range(j)) % 2 == 0


def _triangles_of(inside: int) -> list[tuple[tuple[int, int], ...]]:
    """Triangles, by pairs of corners, that part the corners inside from others, and look away from them."""
    within = [i for i in range(4) if inside >> i & 1]
    without = [i for i in range(4) if not inside >> i & 1]
    order = within + without
    if not _is_even(tuple(order)):  # two that are on one side may change places
        first = 0 if len(within) > 1 else len(within)
        order[first], order[first + 1] = order[first + 1], order[first]
    i, j, k, m = order
    if len(within) == 1:
        return [((i, j), (i, k), (i, m))]
    if len(within) == 3:
        return [((i, m), (j, m), (k, m))]
    if len(within) == 2:
        return [((i, k), (i, m), (j, m)), ((i, k), (j, m), (j, k))]
    return []


def _table() -> tuple[Keys, Keys]:
    """How many triangles there are for each set of corners inside; their corners, (16, 2, 3, 2)."""
    counts, pairs = np.zeros(16, np.int64), np.zeros((16, 2, 3, 2), np.int64)
    for inside in range(16):
        found = _triangles_of(inside)
        counts[inside] = len(found)
        for n, triangle in enumerate(found):
            pairs[inside, n] = triangle
    return counts, pairs


N_TRIANGLES, PAIRS = _table()


def corners_of_cells(cells: Ids) -> tuple[Ids, Ids]:
    """All corners of cells (n, 3), each once, (m, 3), and which of them each cell has, (n, 8)."""
    if len(cells) == 0:
        return np.empty((0, 3), np.int32), np.empty((0, 8), np.int32)
    _, b, c = (int(n) + 2 for n in cells.max(axis=0))
    keys = np.empty((len(cells), 8), np.int64)
    for k in range(8):
        x, y, z = (cells + CORNERS[k]).astype(np.int64).T
        keys[:, k] = (x * b + y) * c + z
    unique, ids = np.unique(keys, return_inverse=True)
    corners = np.stack([unique // (b * c), unique // c % b, unique % c], axis=1).astype(np.int32)
    return corners, ids.reshape(-1, 8).astype(np.int32)


def march(corners: Ids, ids: Ids, values: Array) -> tuple[Array, Ids]:
    """Vertices (n, 3), in widths of cells, and faces of the surface on which values (m,) pass zero.

    values : at the corners, in widths; negative inside
    """
    off = np.where(np.abs(values) < OFF_LEVEL, np.where(values < 0.0, -OFF_LEVEL, OFF_LEVEL), values)
    counts = np.zeros(2, np.int64)
    numbers = np.full(8 * len(corners), -1, np.int32)
    none = np.empty((0, 3)), np.empty((0, 3), np.int32)
    _march(corners, ids, off, numbers, *none, counts)
    vertices, faces = np.empty((counts[0], 3)), np.empty((counts[1], 3), np.int32)
    numbers.fill(-1)
    counts.fill(0)
    _march(corners, ids, off, numbers, vertices, faces, counts)
    return vertices, faces


@driver
def _march(
    corners: Ids, ids: Ids, values: Array, numbers: Ids, vertices: Array, faces: Ids, counts: Keys
) -> None:
    """Count vertices and faces, or write them, where there is room for them."""
    for cell in range(len(ids)):
        n_inside = 0
        for k in range(8):
            n_inside += values[ids[cell, k]] < 0.0
        if n_inside == 0 or n_inside == 8:
            continue
        for tetrahedron in range(6):
            inside = 0
            for k in range(4):
                if values[ids[cell, TETRAHEDRA[tetrahedron, k]]] < 0.0:
                    inside |= 1 << k
            for n in range(N_TRIANGLES[inside]):
                face = counts[1]
                counts[1] = face + 1
                for k in range(3):
                    one, other = PAIRS[inside, n, k, 0], PAIRS[inside, n, k, 1]
                    low = TETRAHEDRA[tetrahedron, min(one, other)]
                    high = TETRAHEDRA[tetrahedron, max(one, other)]
                    ends = int(np.int64(ids[cell, low])), int(np.int64(ids[cell, high]))
                    vertex = _vertex(corners, values, numbers, vertices, counts, ends, high & ~low)
                    if len(faces) > 0:
                        faces[face, k if IS_RIGHT[tetrahedron] or k == 0 else 3 - k] = vertex


@kernel
def _vertex(
    corners: Ids, values: Array, numbers: Ids, vertices: Array, counts: Keys, ends: tuple[int, int], way: int
) -> int:
    """Number of the vertex on an edge from a corner to a higher one; a new one is written."""
    low, high = ends
    at = 8 * low + way
    if numbers[at] >= 0:
        return int(numbers[at])
    n = counts[0]
    counts[0] = n + 1
    numbers[at] = n
    if len(vertices) > 0:
        part = values[low] / (values[low] - values[high])
        for axis in range(3):
            vertices[n, axis] = corners[low, axis] + part * (way >> axis & 1)
    return int(n)
