"""Cells of a lattice that a level surface may pass through: from large ones to small ones.

A function that changes by no more than a point moves has, in a cell of width w, no value farther from the one
in its middle than half its diagonal, w sqrt(3) / 2.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array, Flags, Ids
from firstcontact.sweeping.prism_tree import Band

# Cells along the longest side that are looked at first.
FIRST_CELLS = 16

# Cells looked at together, which bounds the memory.
MOST_AT_ONCE = 1 << 18

HALF_DIAGONAL = 0.8660254037844388  # of a unit cube, rounded up
CORNERS = np.array([[k & 1, k >> 1 & 1, k >> 2] for k in range(8)], np.int32)

# Large cells take values that are off by this part of their width, where that is more than the step.
ROUGH = 1.0 / 16.0

# Measures points (n, 3): values that are right within a band, and on the right side of it else; not below the
# truth, and no more than the step of the band above it.
Measure = Callable[[Array, Band], Array]


class Level(NamedTuple):
    """Which surface is looked for, and how far above the truth values may be."""

    value: float
    step: float


class Limits(NamedTuple):
    """How many cells there may be, and who is told of those that are looked at."""

    max_cells: int
    report: Callable[[int], object]


class Lattice(NamedTuple):
    """Cubes of a width side by side from a lowest corner on, (1 << depth) times as many as given, (3,)."""

    lower: Array
    width: float
    shape: tuple[int, int, int]
    depth: int

    def places(self, cells: Array | Ids) -> Array:
        """Places (n, 3) of corners of the smallest cubes, or of parts of them."""
        found: Array = self.lower + self.width * cells
        return found


def lattice_around(lower: Array, upper: Array, width: float) -> Lattice:
    """Cubes of a width that cover a box."""
    n = np.maximum(np.ceil((upper - lower) / width), 1.0)
    depth = max(int(np.ceil(np.log2(float(n.max()) / FIRST_CELLS))), 0)
    roots = np.ceil(n / (1 << depth)).astype(int)
    spare = 0.5 * (roots * (1 << depth) * width - (upper - lower))
    return Lattice(lower - spare, width, (int(roots[0]), int(roots[1]), int(roots[2])), depth)


def crossed_cells(lattice: Lattice, measure: Measure, level: Level, limits: Limits) -> Ids:
    """Smallest cells (n, 3), by their lowest corners, that the surface at a level may pass through."""
    a, b, c = lattice.shape
    roots = np.stack(np.unravel_index(np.arange(a * b * c), (a, b, c)), axis=1).astype(np.int32)
    waiting: list[tuple[int, Ids]] = [(lattice.depth, roots)]
    found: list[Ids] = []
    n_found = 0
    while waiting:
        left, cells = waiting.pop()
        if len(cells) > MOST_AT_ONCE:
            waiting += [(left, cells[MOST_AT_ONCE:]), (left, cells[:MOST_AT_ONCE])]
            continue
        kept = cells[_may_cross(lattice, measure, level, left, cells)]
        limits.report(len(cells))
        if left > 0:
            parts = 2 * kept[:, np.newaxis] + CORNERS
            waiting.append((left - 1, parts.reshape(-1, 3).astype(np.int32)))
            continue
        found.append(kept.astype(np.int32))
        n_found += len(kept)
        if n_found > limits.max_cells:
            raise ValueError(
                f"the surface passes through more than {limits.max_cells} cells, of half a kilobyte each: "
                "allow a larger tolerance, or more cells by max_cells"
            )
    return np.concatenate([np.empty((0, 3), np.int32), *found])


def _may_cross(lattice: Lattice, measure: Measure, level: Level, left: int, cells: Ids) -> Flags:
    """Which cells have a value in the middle that is near enough to the level?"""
    size = 1 << left
    half = HALF_DIAGONAL * lattice.width * size * (1.0 + 2.0**-30)
    step = max(level.step, ROUGH * lattice.width * size) if left > 0 else level.step
    # At the corners values may be a step above the truth, and here a step of these cells' own.
    band = Band(level.value - half - level.step, level.value + half + step, step)
    middles: Array = size * (cells.astype(np.float64) + 0.5)
    values = measure(lattice.places(middles), band)
    return (values > band.low) & (values < band.high)
