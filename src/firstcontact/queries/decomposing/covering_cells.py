"""Cells that hold a shape: cubes are halved where they are neither outside nor inside of it.

A cube whose middle is farther from the shape than a corner from the middle has none of it; one whose middle
is as deep inside is full, and stays whole.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.queries.decomposing.covered import Covered, nearest_of
from firstcontact.queries.voxels_of import EIGHT
from firstcontact.shapes.voxel_skin import Cells

# Cells that there may be, in all.
MOST_CELLS = 1 << 18

# How many times cubes are halved beyond those of the last level: a sphere there is around 64 cells or fewer.
FINER = 2


class CoveringCells(NamedTuple):
    """Boxes whose union holds a shape: cells of an octree, cut off at the box around the shape.

    lowers, uppers : (n, 3)
    places, depths : (n, 3) and (n,), of the uncut cubes: how many of its size each is from the lowest corner
    centers : (n, 3), a point beside each that a sphere may be around: the middle of the uncut cube
    distances : (n,), of these from the shape
    """

    lowers: Array
    uppers: Array
    places: Cells
    depths: NDArray[np.int64]
    centers: Array
    distances: Array

    def taken(self, which: NDArray[np.intp]) -> "CoveringCells":
        """Some of them."""
        lowers, uppers, places, depths, centers, distances = self
        boxes = lowers[which], uppers[which], places[which], depths[which]
        return CoveringCells(*boxes, centers[which], distances[which])

    @property
    def middles(self) -> Array:
        """The middles of the boxes, (n, 3)."""
        return 0.5 * (self.lowers + self.uppers)


def covering_cells(things: list[Covered], bounds: Array, levels: int, slack: float) -> CoveringCells:
    """Cover things by cells small enough for so many levels; a `ValueError` where these are too many."""
    middle, side = bounds.mean(axis=0), float(np.ptp(bounds, axis=0).max()) + 2.0 * slack
    lowest, box = middle - 0.5 * side, bounds + np.array([[-slack], [slack]])
    places, found = np.zeros((1, 3), np.int64), list[CoveringCells]()
    n_found = 0
    for depth in range(levels + FINER):
        size = 0.5**depth * side
        centers = lowest + (places + 0.5) * size
        distances = nearest_of(things, centers).distances
        reach = np.sqrt(0.75) * size + slack
        corners = lowest + places * size, lowest + (places + 1) * size
        lowers, uppers = np.maximum(corners[0], box[0]), np.minimum(corners[1], box[1])
        depths = np.full(len(places), depth)
        cells = CoveringCells(lowers, uppers, places, depths, centers, distances)
        n_next = n_found + len(EIGHT) * np.count_nonzero(np.abs(distances) <= reach)
        is_last = depth == levels + FINER - 1 or size <= 8.0 * slack or n_next > MOST_CELLS
        if is_last and n_next > MOST_CELLS and depth < levels - 1 and size > 8.0 * slack:
            raise ValueError(f"levels must be {depth + 1} or fewer for this shape; received {levels}")
        is_done = (distances <= reach) & (is_last | (distances < -reach))
        found.append(cells.taken(np.flatnonzero(is_done)))
        n_found += int(np.count_nonzero(is_done))
        if is_last:
            break
        places = (2 * places[np.abs(distances) <= reach, np.newaxis] + EIGHT).reshape(-1, 3)
    return CoveringCells(*(np.concatenate(rows) for rows in zip(*found, strict=True)))
