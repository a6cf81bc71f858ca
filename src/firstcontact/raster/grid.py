"""Pixels and voxels: where their centres are, and tiles of them."""

from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array, Ids

# Tiles that an image has at least, if it has as many pixels; and elements that a tile should have.
LEAST_TILES, ELEMENTS_A_TILE = 64, 8

# Pixels along a side of a tile at least.
LEAST_SIDE = 4


class Grid(NamedTuple):
    """Centres of pixels along three axes; in the plane, the first has one, at 0.

    x, y, z : (nx,), (ny,) and (nz,) float64, increasing
    """

    x: Array
    y: Array
    z: Array

    @property
    def shape(self) -> tuple[int, int, int]:
        """How many there are along each axis."""
        return len(self.x), len(self.y), len(self.z)

    @property
    def box(self) -> tuple[Array, Array]:
        """The first centre and the last, (3,) each."""
        ends = np.array([[axis[0], axis[-1]] for axis in self])
        return ends[:, 0], ends[:, 1]


def grid_of(bounds: Array, counts: tuple[int, ...]) -> Grid:
    """Centres of as many pixels along each axis of bounds (2, 2) or (2, 3)."""
    axes = [
        bounds[0, i] + (np.arange(n) + 0.5) * ((bounds[1, i] - bounds[0, i]) / n)
        for i, n in enumerate(counts)
    ]
    return Grid(np.zeros(1), *axes) if len(axes) == 2 else Grid(*axes)


def tiles_of(shape: tuple[int, int, int], n_elements: int) -> Ids:
    """Boxes of pixels (m, 6), first and behind the last along each axis, that cover an image."""
    n_pixels = shape[0] * shape[1] * shape[2]
    n_tiles = max(LEAST_TILES, n_elements / ELEMENTS_A_TILE)
    dimensions = sum(n > 1 for n in shape) or 1
    side = max(LEAST_SIDE, round((n_pixels / n_tiles) ** (1.0 / dimensions)))
    cuts = [np.append(np.arange(0, n, side), n) for n in shape]
    lower = np.stack(np.meshgrid(*(cut[:-1] for cut in cuts), indexing="ij"), axis=-1).reshape(-1, 3)
    upper = np.stack(np.meshgrid(*(cut[1:] for cut in cuts), indexing="ij"), axis=-1).reshape(-1, 3)
    return np.concatenate([lower, upper], axis=1).astype(np.int32)
