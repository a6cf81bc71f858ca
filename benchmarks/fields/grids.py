"""Dense grids of distances, as they are made without this library: filled by libigl, or by edt.

A grid has nodes at equal steps all over a box, and is linear in between. libigl measures each node. edt takes
which nodes are inside, and gives how far each is from the nearest of the others; the surface is taken to be
half a step before that. Nodes are told to be inside by this library, the fastest at hand.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc

LIBIGL, EDT = "libigl, dense grid", "edt, dense grid"

# Nodes that are looked at together: some 50 MB of coordinates.
_SLAB = 2_000_000

# By how much a step is made smaller until it is fine enough, and how often the last one is halved.
_SMALLER, _HALVINGS = 0.7, 3


class DenseGrid(NamedTuple):
    """Nodes at equal steps: the lowest, the step, and how many there are along each axis."""

    lower: np.ndarray
    step: float
    shape: tuple[int, int, int]


def grid_over(box: np.ndarray, step: float) -> DenseGrid:
    """Cover a box (2, 3)."""
    a, b, c = (np.ceil((box[1] - box[0]) / step).astype(int) + 1).tolist()
    return DenseGrid(box[0], step, (a, b, c))


def filled(grid: DenseGrid, ask: Callable[[np.ndarray], np.ndarray], kind: Any) -> np.ndarray:
    """What `ask` says of all nodes, some layers at a time."""
    values = np.empty(grid.shape, kind)
    layers = max(_SLAB // (grid.shape[1] * grid.shape[2]), 1)
    y, z = (grid.lower[k] + grid.step * np.arange(grid.shape[k]) for k in (1, 2))
    for first in range(0, grid.shape[0], layers):
        x = grid.lower[0] + grid.step * np.arange(first, min(first + layers, grid.shape[0]))
        nodes = np.stack(np.meshgrid(x, y, z, indexing="ij"), axis=-1).reshape(-1, 3)
        values[first : first + len(x)] = np.asarray(ask(nodes)).reshape(len(x), len(y), len(z))
    return values


def by_libigl(grid: DenseGrid, mesh: fc.Mesh, n_threads: int) -> np.ndarray:
    """Distances by libigl, signed by pseudonormals; its threads are those of the process."""
    import igl

    faces, kind = mesh.faces.astype(np.int64), igl.SIGNED_DISTANCE_TYPE_PSEUDONORMAL
    return filled(grid, lambda nodes: igl.signed_distance(nodes, mesh.vertices, faces, kind)[0], np.float32)


def by_this_library(grid: DenseGrid, mesh: fc.Mesh, n_threads: int) -> np.ndarray:
    """The same distances, sooner: to find out which step is fine enough."""
    return filled(grid, lambda nodes: fc.signed_distance(mesh, nodes).distance, np.float32)


def by_edt(grid: DenseGrid, mesh: fc.Mesh, n_threads: int) -> np.ndarray:
    """Distances by edt."""
    import edt

    is_inside = filled(grid, lambda nodes: fc.contains(mesh, nodes), np.uint8)
    inward = edt.sdf(is_inside, anisotropy=(grid.step,) * 3, parallel=n_threads)
    return 0.5 * np.float32(grid.step) * np.sign(inward) - inward


FILLED = {LIBIGL: by_libigl, EDT: by_edt}


def step_for(
    method: str, mesh: fc.Mesh, box: np.ndarray, points: np.ndarray, truth: np.ndarray, error: float
) -> float:
    """A step at which the worst error at points is the given one, or a little less."""
    fill = by_this_library if method == LIBIGL else FILLED[method]

    def is_fine(step: float) -> bool:
        grid = grid_over(box, step)
        told = ByMapCoordinates(grid, fill(grid, mesh, 2)).value(points)
        return float(np.abs(told - truth).max()) <= error

    coarse, fine = 4.0 * error, 2.0 * error
    while not is_fine(fine):
        coarse, fine = fine, _SMALLER * fine
    for _ in range(_HALVINGS):
        middle = (coarse * fine) ** 0.5
        coarse, fine = (coarse, middle) if is_fine(middle) else (middle, fine)
    return fine


class ByMapCoordinates:
    """Read a grid by scipy's `map_coordinates`, linear; gradients from three more grids, of differences."""

    name = "map_coordinates"

    def __init__(self, grid: DenseGrid, values: np.ndarray) -> None:
        self.grid, self.values, self.slopes = grid, values, None

    def prepare(self) -> None:
        """Make what gradients are read from."""
        self.slopes = [np.ascontiguousarray(s) for s in np.gradient(self.values, self.grid.step)]

    def value(self, points: np.ndarray) -> np.ndarray:
        """Values at points (n, 3)."""
        return self._read(self.values, self._places(points))

    def gradient(self, points: np.ndarray) -> np.ndarray:
        """Gradients at points (n, 3)."""
        places = self._places(points)
        return np.stack([self._read(slopes, places) for slopes in self.slopes], axis=1)

    def _places(self, points: np.ndarray) -> np.ndarray:
        return ((points - self.grid.lower) / self.grid.step).T

    @staticmethod
    def _read(values: np.ndarray, places: np.ndarray) -> np.ndarray:
        from scipy.ndimage import map_coordinates

        return map_coordinates(values, places, np.float64, order=1, mode="nearest", prefilter=False)


class ByInterpolator:
    """Read a grid by scipy's `RegularGridInterpolator`, linear; gradients from one of differences."""

    name = "RegularGridInterpolator"

    def __init__(self, grid: DenseGrid, values: np.ndarray) -> None:
        from scipy.interpolate import RegularGridInterpolator

        self.grid, self.values = grid, values
        self.axes = tuple(grid.lower[k] + grid.step * np.arange(grid.shape[k]) for k in range(3))
        self.value = RegularGridInterpolator(self.axes, values.astype(np.float64))
        self.gradient = None

    def prepare(self) -> None:
        """Make what gradients are read from."""
        from scipy.interpolate import RegularGridInterpolator

        slopes = np.stack(np.gradient(self.values.astype(np.float64), self.grid.step), axis=-1)
        self.gradient = RegularGridInterpolator(self.axes, slopes)


READERS = (ByMapCoordinates, ByInterpolator)
