"""Polygons cut into triangles that cover what their outlines enclose, and nothing else."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Triple = tuple[int, int, int]

# Corners that may be looked at before an outline counts as too intricate, for each corner that it has.
_PATIENCE = 64
# A triangle that turns the other way by less than this part of the polygon does so by rounding.
_ROUNDING = 1e-14


def triangles(vertices: NDArray[np.float64], counts: ArrayLike, corners: ArrayLike) -> NDArray[np.int64]:
    """Cut polygons into triangles, in their order: a polygon of n corners becomes n - 2.

    A polygon becomes a fan around its first corner where the fan lies within the outline, as it does in every
    convex one. Else ears are cut off, as seen along the axis nearest to its normal. An outline that crosses
    itself encloses nothing for certain: it becomes the fan, which covers all that it might enclose.

    Parameters
    ----------
    vertices : (n, 3)
    counts : (m,) corners of each polygon
    corners : (sum of counts,) rows of the vertices, polygon after polygon

    Raises
    ------
    ValueError
        A polygon has fewer than three corners, a corner that is no vertex, or too intricate an outline.
    """
    sizes, rows = np.asarray(counts, dtype=np.int64), np.asarray(corners, dtype=np.int64)
    if len(sizes) == 0:
        return np.empty((0, 3), dtype=np.int64)
    if sizes.min() < 3:
        face = int(np.argmax(sizes < 3))
        raise ValueError(f"a face must have three corners or more; face {face} has {sizes[face]}")
    ends = np.cumsum(sizes)
    is_lost = (rows < 0) | (rows >= len(vertices))
    if is_lost.any():
        worst = int(np.argmax(is_lost))
        face = int(np.searchsorted(ends, worst, side="right"))
        raise ValueError(f"faces must be integers in [0, {len(vertices)}); row {face} has {rows[worst]}")
    starts = ends - sizes
    first = np.concatenate([[0], np.cumsum(sizes - 2)])  # the first triangle of each polygon
    faces = np.repeat(np.arange(len(sizes)), sizes - 2)
    second = starts[faces] + np.arange(first[-1]) - first[faces] + 1
    cut = np.stack([rows[starts[faces]], rows[second], rows[second + 1]], axis=1)
    with np.errstate(all="ignore"):  # what is not finite is told later, of vertices
        for face in _not_fans(vertices, cut, faces, sizes):
            outline = rows[starts[face] : ends[face]]
            triples = _ears(_flattened(vertices[outline]), int(face))
            if triples is not None:
                cut[first[face] : first[face + 1]] = outline[triples]
    return cut


def _not_fans(
    vertices: NDArray[np.float64], fans: NDArray[np.int64], faces: NDArray[np.int64], sizes: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Find the polygons whose fans have triangles that turn against the rest."""
    if sizes.max() == 3:
        return np.empty(0, dtype=np.int64)
    a, b, c = (vertices[fans[:, corner]] for corner in range(3))
    areas = np.cross(b - a, c - a)
    normals = np.zeros((len(sizes), 3))
    np.add.at(normals, faces, areas)
    axes = np.argmax(np.abs(normals), axis=1)[faces]
    seen, whole = areas[np.arange(len(faces)), axes], normals[faces, axes]
    is_back = (seen * np.sign(whole) < -_ROUNDING * np.abs(whole)) & (sizes[faces] > 3)
    return np.unique(faces[is_back])


def _flattened(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Look at an outline along the axis nearest to its normal, from where it turns to the left: (n, 2)."""
    spokes = points - points[0]
    normal = np.cross(spokes[1:-1], spokes[2:]).sum(axis=0)
    axis = int(np.argmax(np.abs(normal)))
    kept = [(axis + 1) % 3, (axis + 2) % 3]
    seen: NDArray[np.float64] = spokes[:, kept if normal[axis] > 0.0 else kept[::-1]]
    return seen


def _ears(points: NDArray[np.float64], face: int) -> list[Triple] | None:
    """Cut off one ear after the other; None where an outline has none, since it crosses itself.

    Triangles that all turn to the left, and together have the polygon's outline, cover each point as often as
    the outline goes around it: so they are right, whatever ears were taken.
    """
    ring = list(range(len(points)))
    triples: list[Triple] = []
    i, misses, patience, is_flat_taken = 0, 0, _PATIENCE * len(points), False
    while len(ring) > 3:
        corner = ring[i - 1], ring[i], ring[(i + 1) % len(ring)]
        if _is_ear(points, ring, corner, is_flat_taken):
            triples.append(corner)
            del ring[i]
            i, misses, is_flat_taken = i % len(ring), 0, False
            continue
        i, misses, patience = (i + 1) % len(ring), misses + 1, patience - 1
        if patience < 0:
            raise ValueError(f"the outline of face {face}, of {len(points)} corners, is too intricate")
        if misses > len(ring):
            if is_flat_taken:
                return None
            misses, is_flat_taken = 0, True  # only what has no area is left to cut off
    triples.append((ring[0], ring[1], ring[2]))
    return triples if _turn(*points[ring]) >= 0.0 else None


def _is_ear(points: NDArray[np.float64], ring: Sequence[int], corner: Triple, is_flat_taken: bool) -> bool:
    a, b, c = points[list(corner)]
    turn = _turn(a, b, c)
    if turn <= 0.0:
        return turn == 0.0 and is_flat_taken
    others = points[ring]
    is_own = np.zeros(len(ring), dtype=bool)
    for own in (a, b, c):  # other corners in the same places do not matter: outlines may touch themselves
        is_own |= (others == own).all(axis=1)
    is_inside = (_turn(a, b, others) >= 0.0) & (_turn(b, c, others) >= 0.0) & (_turn(c, a, others) >= 0.0)
    return not bool(np.any(is_inside & ~is_own))


def _turn(a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64]) -> NDArray[np.float64]:
    """Twice the area of triangles: positive where a, b, c turn to the left."""
    area: NDArray[np.float64] = (b[0] - a[0]) * (c[..., 1] - a[1]) - (b[1] - a[1]) * (c[..., 0] - a[0])
    return area
