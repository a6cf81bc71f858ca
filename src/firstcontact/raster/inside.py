"""Which pixels are inside of closed outlines and surfaces: behind an odd number of crossings.

A plane through a row of pixels cuts a closed surface in closed outlines: each edge that passes through it
gives one point, the same for both of its faces, whatever its rounding. A line of pixels crosses an outline
wherever an edge of it has one end before the line and one not. So crossings are even in number beyond any
outline, and only pixels within rounding of the surface can be told on the wrong side.
"""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Flags, Ids
from firstcontact.raster.grid import Grid
from firstcontact.scalar.vec3 import Vec3

Bytes = NDArray[np.uint8]


def are_inside(corners: Array, grid: Grid) -> Flags:
    """Tell which pixels (nx, ny, nz) are inside of triangles (n, 3, 3), or of edges: two corners agree.

    Where all are edges, they are outlines in the plane, and the grid has one pixel along x.
    """
    crossed = np.zeros(grid.shape, np.uint8)
    _cross(corners, grid, crossed, _are_edges(corners))
    np.bitwise_xor.accumulate(crossed, axis=2, out=crossed)
    return crossed.view(np.bool_)


def closed_sites(corners: Array, counts: NDArray[np.int64], dimension: int) -> Ids:
    """Which sites, with so many triangles or edges each, one behind the other, enclose something.

    In the plane a chain of edges does where it ends at its beginning: every other point is there once for
    each side.
    """
    ends = np.cumsum(counts)
    sites = np.flatnonzero(counts > 1)
    if len(sites) == 0:
        return np.empty(0, np.int32)
    first, last = ends[sites] - counts[sites], ends[sites] - 1
    is_edge = (corners[:, 1] == corners[:, 2]).all(axis=1)
    is_joined = np.ones(len(corners), np.bool_)  # to the next one of the same site
    is_joined[:-1] = is_edge[:-1] & is_edge[1:] & (corners[:-1, 1] == corners[1:, 0]).all(axis=1)
    n_joined = np.concatenate([[0], np.cumsum(is_joined)])
    is_chain = n_joined[last] - n_joined[first] == last - first
    is_found = is_chain & (dimension == 2) & (corners[last, 1] == corners[first, 0]).all(axis=1)
    for k in np.flatnonzero(~is_chain).tolist():
        is_found[k] = is_closed(corners[first[k] : last[k] + 1], dimension)
    found: Ids = sites[is_found].astype(np.int32)
    return found


def is_closed(corners: Array, dimension: int) -> bool:
    """Is each edge of triangles, or in the plane each end of edges, there an even number of times?

    By coordinates. In space, edges alone enclose nothing.
    """
    if len(corners) == 0:
        return False
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    if _are_edges(corners):
        if dimension > 2:
            return False
        ends = np.concatenate([a, b])
        counts = np.unique(ends, axis=0, return_counts=True)[1]
        return bool((counts % 2 == 0).all())
    sides = np.concatenate([np.stack(pair, axis=1) for pair in ((a, b), (b, c), (c, a))])
    ids = np.unique(sides.reshape(-1, 3), axis=0, return_inverse=True)[1].reshape(-1, 2)
    ids = np.sort(ids[ids[:, 0] != ids[:, 1]], axis=1)
    counts = np.unique(ids, axis=0, return_counts=True)[1]
    return len(ids) > 0 and bool((counts % 2 == 0).all())


def _are_edges(corners: Array) -> bool:
    return bool((corners[:, 1] == corners[:, 2]).all())


@driver
def _cross(corners: Array, grid: Grid, crossed: Bytes, is_flat: bool) -> None:
    """Mark, for each line of pixels along z, the first pixel that is not before each crossing."""
    for k in range(len(corners)):
        a, b, c = _corner(corners, k, 0), _corner(corners, k, 1), _corner(corners, k, 2)
        if is_flat:
            _cross_lines(a, b, grid, crossed[0])
            continue
        low, high = min(a[0], min(b[0], c[0])), max(a[0], max(b[0], c[0]))
        i = np.searchsorted(grid.x, low)
        while i < len(grid.x) and grid.x[i] < high:
            n, p, q = _cut(a, b, c, grid.x[i])
            if n == 2:
                _cross_lines(p, q, grid, crossed[i])
            i += 1


@kernel
def _corner(corners: Array, k: int, i: int) -> Vec3:
    return corners[k, i, 0], corners[k, i, 1], corners[k, i, 2]


@kernel
def _cut(a: Vec3, b: Vec3, c: Vec3, x: float) -> tuple[int, Vec3, Vec3]:
    """Where a plane across x cuts the edges of a triangle: in two of them, or in none."""
    n, p, q = 0, a, a
    if (a[0] > x) != (b[0] > x):
        n, p = n + 1, _between(a, b, x)
    if (b[0] > x) != (c[0] > x):
        at = _between(b, c, x)
        n, p, q = n + 1, at if n == 0 else p, at
    if (c[0] > x) != (a[0] > x):
        n, q = n + 1, _between(c, a, x)
    return n, p, q


@kernel
def _between(a: Vec3, b: Vec3, x: float) -> Vec3:
    """The point of an edge at x: the same bits from either end."""
    if a[0] > b[0]:
        a, b = b, a
    t = (x - a[0]) / (b[0] - a[0])
    return x, a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])


@kernel
def _cross_lines(p: Vec3, q: Vec3, grid: Grid, crossed: Bytes) -> None:
    """Mark where the lines of pixels along z in a plane cross a segment in it."""
    ys, zs = grid.y, grid.z
    low, high = min(p[1], q[1]), max(p[1], q[1])
    j = np.searchsorted(ys, low)
    while j < len(ys) and ys[j] < high:
        if (p[1] > ys[j]) != (q[1] > ys[j]):
            t = (ys[j] - p[1]) / (q[1] - p[1])
            m = np.searchsorted(zs, p[2] + t * (q[2] - p[2]))
            if m < len(zs):
                crossed[j, m] ^= 1
        j += 1
