"""The farthest site of every pixel, tile by tile.

A site is as far as the nearest of its elements, which the site's own tree finds. At the centre of a tile, a
site whose value is below that of another by more than both can change within the tile is nowhere the farthest
there; halves of the tile keep what is left.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import INFINITY, Array, Ids, Keys
from firstcontact.hierarchy.build import build_tree
from firstcontact.hierarchy.refit import refit_below
from firstcontact.hierarchy.tree import MAX_DEPTH
from firstcontact.raster.element_value import element_value
from firstcontact.raster.elements import FACTOR, N_BOUNDS, Elements
from firstcontact.raster.grid import Grid
from firstcontact.raster.nearest import Box, Image, ball_of, box_at, halve, n_pixels, nearest_of

# A tile is no longer halved when it has so few pixels, or sites.
FEW_PIXELS, FEW_SITES = 16, 1

# A tile's pixels, halved down to one.
MOST_HALVES = 40


class Sites(NamedTuple):
    """Elements, with a tree for each site that has any.

    elements : as they are, but with all these trees in place of one
    roots, firsts : (n_sites,), where a site's tree and its elements begin
    """

    elements: Elements
    roots: Keys
    firsts: Keys


class Room(NamedTuple):
    """Memory to work in: lists of sites, one behind the other, boxes with where theirs begins and ends."""

    lists: Ids
    values: Array
    nearest: Keys
    halves: Keys
    ends: Keys
    stack: Keys


def sites_of(elements: Elements) -> Sites:
    """Build a tree for each site."""
    firsts, counts = np.unique(elements.sites, return_index=True, return_counts=True)[1:]
    sizes = 2 * counts - 1
    roots = np.cumsum(sizes) - sizes
    children = np.empty((int(sizes.sum()), 2), np.int32)
    is_single = counts == 1
    children[roots[is_single]] = ~firsts[is_single, np.newaxis].astype(np.int32)
    for site in np.flatnonzero(~is_single).tolist():
        first, count, root = int(firsts[site]), int(counts[site]), int(roots[site])
        own = build_tree(elements.bounds[first : first + count]).children
        children[root : root + len(own)] = np.where(own < 0, own - first, own + root)
    nodes = np.empty((len(children), N_BOUNDS))
    refit_below(children, np.array([0, len(children)]), elements.bounds, nodes)
    planted = elements._replace(children=children, nodes=nodes)
    return Sites(planted, roots.astype(np.int64), firsts.astype(np.int64))


def fill_farthest(elements: Elements, grid: Grid, tiles: Ids, image: Image, margin: float) -> None:
    """Find the farthest site of all pixels of some tiles, and of its elements the nearest."""
    sites = sites_of(elements)

    def fill(first: int, last: int) -> None:
        _fill_tiles(sites, grid, tiles[first:last], image, margin)

    on_ranges(fill, len(tiles), 4)


@driver
def _fill_tiles(sites: Sites, grid: Grid, tiles: Ids, image: Image, margin: float) -> None:
    n = len(sites.roots)
    halves, ends = np.empty((MOST_HALVES, 6), np.int64), np.empty((MOST_HALVES, 2), np.int64)
    nearest, stack = sites.firsts.copy(), np.empty(MAX_DEPTH + 2, np.int64)
    room = Room(np.empty(n * MOST_HALVES, np.int32), np.empty(n), nearest, halves, ends, stack)
    for i in range(n):
        room.lists[i] = i
    for tile in range(len(tiles)):
        for j in range(6):
            halves[0, j] = tiles[tile, j]
        ends[0, 0], ends[0, 1], n_halves = 0, n, 1
        while n_halves > 0:
            n_halves -= 1
            box, begin, end = box_at(halves, n_halves), ends[n_halves, 0], ends[n_halves, 1]
            kept = _filter(sites, grid, box, begin, end, room, margin)
            if kept - end <= FEW_SITES or n_pixels(box) <= FEW_PIXELS or n_halves + 2 > MOST_HALVES:
                _fill(sites, grid, box, (end, kept), image, room)
                continue
            for j in range(2):
                ends[n_halves + j, 0], ends[n_halves + j, 1] = end, kept
            n_halves = halve(grid, box, halves, n_halves)


@kernel
def _filter(sites: Sites, grid: Grid, box: Box, begin: int, end: int, room: Room, margin: float) -> int:
    """Write what can be the farthest of a pixel of a box behind the list [begin, end); give its end."""
    p, reach = ball_of(grid, box)
    table, lists, values, nearest = sites.elements.table, room.lists, room.values, room.nearest
    limit = -INFINITY
    for i in range(begin, end):
        site = lists[i]
        k = nearest[site]
        factor = table[k, FACTOR]
        # No site is farther than any of its elements.
        values[i - begin] = element_value(table, k, p)
        if values[i - begin] + factor * reach < limit:
            continue
        k, value = nearest_of(sites.elements, sites.roots[site], p, k, room.stack)
        nearest[site], values[i - begin] = k, value
        limit = max(limit, value - factor * reach)
    limit -= margin
    kept = end
    for i in range(begin, end):
        lists[kept] = lists[i]
        kept += values[i - begin] + table[nearest[lists[i]], FACTOR] * reach >= limit
    return kept


@kernel
def _fill(sites: Sites, grid: Grid, box: Box, span: tuple[int, int], image: Image, room: Room) -> None:
    """Measure all pixels of a box from all sites of a list."""
    nearest = room.nearest
    for i in range(box[0], box[3]):
        for j in range(box[1], box[4]):
            for m in range(box[2], box[5]):
                p, best, who = (grid.x[i], grid.y[j], grid.z[m]), -INFINITY, 0
                for at in range(span[0], span[1]):
                    site = room.lists[at]
                    k = nearest[site]
                    k, value = nearest_of(sites.elements, sites.roots[site], p, k, room.stack)
                    nearest[site] = k
                    if value > best:
                        best, who = value, k
                image.who[i, j, m], image.value[i, j, m] = who, best
