"""Diagrams: images of the nearest or the farthest site, made anew or from one of the same sites elsewhere."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver
from firstcontact.arrays import Array, Flags, Ids
from firstcontact.raster.elements import (
    FACTOR,
    LOWER,
    RADIUS,
    UPPER,
    Elements,
    Parts,
    chosen,
    elements_of,
    error_of,
)
from firstcontact.raster.farthest import fill_farthest
from firstcontact.raster.grid import Grid, tiles_of
from firstcontact.raster.inside import are_inside
from firstcontact.raster.nearest import Image, ball_of, fill_nearest, node_gap


class Drawn(NamedTuple):
    """An image, with what it was made of.

    parts, elements : what sites gave, and as compiled code has it
    solids : (k,) sites whose inside counts
    image : the element of each pixel and its value
    error : no value is off by more than that
    n_made : pixels that were made anew
    """

    parts: Parts
    elements: Elements
    solids: Ids
    image: Image
    error: float
    n_made: int


def drawn(parts: Parts, solids: Ids, grid: Grid, is_farthest: bool, last: Drawn | None = None) -> Drawn:
    """Draw a diagram; where there is a last one, of the same sites elsewhere, keep what cannot change."""
    elements = elements_of(parts)
    shape, error = grid.shape, error_of(elements, *grid.box)
    if len(elements.table) == 0:
        nothing = Image(np.full(shape, -1, np.int32), np.full(shape, -np.inf if is_farthest else np.inf))
        return Drawn(parts, elements, solids, nothing, 0.0, 0)
    tiles, margin = tiles_of(shape, len(elements.table)), 2.0 * error
    image = Image(np.empty(shape, np.int32), np.empty(shape))
    if is_farthest:
        fill_farthest(elements, grid, tiles, image, margin)
        return Drawn(parts, elements, solids, image, error, image.who.size)
    is_made = np.ones(len(tiles), np.bool_)
    if last is not None and _are_alike(last.elements, elements):
        is_made = _are_touched(last, elements, solids, grid, tiles, max(margin, 2.0 * last.error))
        if not is_made.all():
            image = Image(last.image.who.copy(), last.image.value.copy())
    made = tiles[is_made]
    fill_nearest(elements, grid, made, image, margin)
    _sink(parts, elements, solids, grid, made, image)
    n_made = int(np.prod(made[:, 3:].astype(np.int64) - made[:, :3], axis=1).sum())
    return Drawn(parts, elements, solids, image, error, n_made)


def _are_alike(one: Elements, other: Elements) -> bool:
    return len(one.table) == len(other.table) and np.array_equal(one.sites, other.sites)


def _are_touched(
    last: Drawn, elements: Elements, solids: Ids, grid: Grid, tiles: Ids, margin: float
) -> Flags:
    """Which tiles can elements that are elsewhere now, or have been, be the nearest in?"""
    is_changed = (last.elements.table != elements.table).any(axis=1)
    changed = np.isin(elements.sites, np.union1d(solids, last.solids)) & is_changed
    if changed.any() or not np.array_equal(
        solids, last.solids
    ):  # what is inside of a solid may be anywhere in it
        moved = np.isin(elements.sites, np.unique(elements.sites[changed]))
        moved |= np.isin(elements.sites, np.setxor1d(solids, last.solids))
        is_changed |= moved
    touched, which = np.zeros(len(tiles), np.bool_), np.flatnonzero(is_changed).astype(np.int32)
    boxes = _solid_boxes(last, elements, solids, is_changed)
    _touch(elements, grid, tiles, last.image, (which, is_changed), (boxes, margin), touched)
    return touched


def _solid_boxes(last: Drawn, elements: Elements, solids: Ids, is_changed: Flags) -> Array:
    """Boxes (k, 6) around solids that are elsewhere now."""
    ids = np.intersect1d(np.union1d(solids, last.solids), np.unique(elements.sites[is_changed]))
    boxes = np.empty((2 * len(ids), 6))
    for i, site in enumerate(ids.tolist()):
        own = elements.sites == site
        for j, bounds in enumerate((elements.bounds[own], last.elements.bounds[own])):
            boxes[2 * i + j, :3] = bounds[:, LOWER : LOWER + 3].min(axis=0)
            boxes[2 * i + j, 3:] = bounds[:, UPPER : UPPER + 3].max(axis=0)
    return boxes


@driver
def _touch(
    elements: Elements,
    grid: Grid,
    tiles: Ids,
    image: Image,
    elsewhere: tuple[Ids, Flags],
    solids: tuple[Array, float],
    touched: Flags,
) -> None:
    """Mark tiles that have an element of those that changed, or that one of them can come into."""
    (changed, is_changed), (boxes, margin) = elsewhere, solids
    for tile in range(len(tiles)):
        x0, y0, z0 = tiles[tile, 0], tiles[tile, 1], tiles[tile, 2]
        x1, y1, z1 = tiles[tile, 3], tiles[tile, 4], tiles[tile, 5]
        p, reach = ball_of(grid, (x0, y0, z0, x1, y1, z1))
        limit, is_touched = -np.inf, False
        for i in range(x0, x1):
            for j in range(y0, y1):
                for m in range(z0, z1):
                    limit = max(limit, image.value[i, j, m])
                    is_touched |= is_changed[image.who[i, j, m]]
        for i in range(len(boxes)):
            x = max(max(boxes[i, 0] - p[0], p[0] - boxes[i, 3]), 0.0)
            y = max(max(boxes[i, 1] - p[1], p[1] - boxes[i, 4]), 0.0)
            z = max(max(boxes[i, 2] - p[2], p[2] - boxes[i, 5]), 0.0)
            is_touched |= max(x, max(y, z)) <= reach + margin
        for i in range(len(changed)):
            if is_touched:
                break
            k = changed[i]
            gap = max(node_gap(elements.bounds, k, p) - reach, 0.0)
            is_touched = elements.table[k, FACTOR] * gap - elements.table[k, RADIUS] <= limit + margin
        touched[tile] = is_touched


def _sink(parts: Parts, elements: Elements, solids: Ids, grid: Grid, tiles: Ids, image: Image) -> None:
    """Let the inside of solids count below 0, in some tiles: as far as it is from their surface."""
    if len(solids) == 0 or len(tiles) == 0:
        return
    is_made = np.zeros(grid.shape, np.bool_)
    for x0, y0, z0, x1, y1, z1 in tiles.tolist():
        is_made[x0:x1, y0:y1, z0:z1] = True
    for site in solids.tolist():
        rows = np.arange(*np.searchsorted(elements.sites, [site, site + 1]), dtype=np.int32)
        own = slice(*np.searchsorted(parts.sites, [site, site + 1]))
        window = _window(elements, rows, grid)
        part = Grid(*(axis[cut] for axis, cut in zip(grid, window, strict=True)))
        if 0 in part.shape:
            continue
        is_inside = are_inside(np.ascontiguousarray(parts.corners[own]), part) & is_made[window]
        if is_inside.any():
            _sink_one(elements, rows, part, is_inside, Image(image.who[window], image.value[window]))


def _window(elements: Elements, rows: Ids, grid: Grid) -> tuple[slice, ...]:
    """The pixels in the box around some elements."""
    bounds = elements.bounds[rows]
    low, high = bounds[:, LOWER : LOWER + 3].min(axis=0), bounds[:, UPPER : UPPER + 3].max(axis=0)
    return tuple(
        slice(int(np.searchsorted(axis, low[i])), int(np.searchsorted(axis, high[i], "right")))
        for i, axis in enumerate(grid)
    )


def _sink_one(elements: Elements, rows: Ids, part: Grid, is_inside: Flags, image: Image) -> None:
    """Write the depth in one solid where no other site is nearer than that."""
    own = chosen(elements, rows)
    deep = Image(np.empty(part.shape, np.int32), np.empty(part.shape))
    fill_nearest(own, part, tiles_of(part.shape, len(rows)), deep, 2.0 * error_of(own, *part.box))
    value = -deep.value - 2.0 * own.table[0, RADIUS]  # of a thick one: as deep, and its thickness
    is_deeper = is_inside & (value < image.value)
    image.who[is_deeper], image.value[is_deeper] = rows[deep.who[is_deeper]], value[is_deeper]
