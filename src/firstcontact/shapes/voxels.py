"""Voxels: the occupied cells of a grid, as one solid."""

from collections.abc import Callable
from importlib import import_module
from itertools import product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._validate import as_flag, as_size, as_stack, as_vertices, shown
from firstcontact.arrays import Array
from firstcontact.plain import once
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.movable import Kind, Movable
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape, frozen
from firstcontact.shapes.voxel_skin import Cells, is_among, packed, skin

# Cells along an axis, from the first to the last: three such numbers fit into one of 64 bits.
MOST_ALONG = 1 << 20

# Cells are wider than this part of all coordinates: far more than rounding moves their corners.
NARROWEST = 2.0**-40


class Voxels(Shape):
    """The occupied cells of a grid: an occupancy map, a scan, a body cut into cubes. They are solid.

    Cell [i, j, k] is the cube from ``origin + size * [i, j, k]`` to the corner of cell [i + 1, j + 1, k + 1],
    its surface included. Face ids in answers are rows of ``mesh.faces``.

    Parameters
    ----------
    occupied : (l, m, n) bools; or the occupied cells themselves, (k, 3) integers, in any order
    size : the side of a cell
    origin : (3,) numbers, the lowest corner of cell [0, 0, 0]

    Examples
    --------
    >>> import firstcontact as fc
    >>> step = fc.Voxels([[[True, True]], [[True, False]]], size=0.5)
    >>> step
    Voxels(3 cells of 0.5, from [0, 0, 0] to [1, 0.5, 1])
    >>> fc.distance(step, fc.Sphere(0.25).at((np.eye(3), [1, 0.25, 1]))).distance
    0.25
    >>> fc.intersects(step, fc.Sphere(0.01).at((np.eye(3), [0.25, 0.25, 0.25])))  # it is inside
    True
    >>> fc.Voxels(np.zeros((2, 2, 2), bool), 1)
    Voxels(0 cells of 1)
    """

    kind: ClassVar[Kind] = Kind.VOXELS
    rows: ClassVar[Any] = None

    def __init__(self, occupied: ArrayLike, size: float, origin: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        self._cells = frozen(_as_cells(occupied))
        self._size = as_size("size", size)
        self._origin = frozen(_as_origin(origin))
        self._check_places()

    @classmethod
    def of(
        cls, shape: Any, size: float, origin: ArrayLike = (0.0, 0.0, 0.0), *, solid: bool = False
    ) -> "Voxels":
        """Occupy all cells that a shape touches, if only at their surface: no point of it is left out.

        Parameters
        ----------
        shape : points (n, 3), or any shape with bounds, or what `Shape.at` gives for one pose
        size, origin : of the grid
        solid : of closed meshes: cells inside count, too; of what is solid they always do

        Examples
        --------
        >>> import firstcontact as fc
        >>> fc.Voxels.of([[0.5, 0.5, 0.5], [1, 0.5, 0.5]], size=1).cells.tolist()
        [[0, 0, 0], [1, 0, 0]]
        >>> ball = fc.Sphere(1).mesh
        >>> fc.Voxels.of(ball, 0.4).n_cells, fc.Voxels.of(ball, 0.4, solid=True).n_cells
        (128, 160)
        """
        found: Voxels = import_module("firstcontact.queries.voxels_of").voxels_of(  # far above a shape
            shape, as_size("size", size), origin, as_flag("solid", solid)
        )
        return found

    def save(self, file: Any) -> None:
        """Write the cells to an .npz file, or to a .bt file of OctoMap, whole or not at all.

        A .bt file has no origin: that of the grid must be a multiple of its size.
        """
        import_module("firstcontact.io.load_voxels").save_voxels(self, file)  # above a shape

    @property
    def cells(self) -> Cells:
        """The occupied cells, (n, 3), in ascending order."""
        return self._cells

    @property
    def n_cells(self) -> int:
        """The number of occupied cells."""
        return len(self._cells)

    @property
    def size(self) -> float:
        """The side of a cell."""
        return self._size

    @property
    def origin(self) -> Array:
        """The lowest corner of cell [0, 0, 0], (3,)."""
        return self._origin

    def corner(self, cells: Any) -> Array:
        """Lowest corners of cells, (n, 3) numbers of the grid; those of neighbours agree to the last bit."""
        place: Array = self._origin + self._size * np.asarray(cells, np.float64)
        return place

    @once
    def mesh(self) -> Mesh:
        """The surface: a closed mesh, of sides of cells without a neighbour, joined where they are level."""
        if self.n_cells == 0:
            return Mesh([], [])
        places, faces = skin(self._cells)
        return Mesh(self.corner(places), faces)

    @once
    def bounds(self) -> Array:
        """The smallest box around all cells, (2, 3); without any, the empty box, inf to -inf."""
        if self.n_cells == 0:
            return frozen(np.array([[np.inf] * 3, [-np.inf] * 3]))
        low, high = self._cells.min(axis=0), self._cells.max(axis=0) + 1
        return frozen(np.stack([self.corner(low), self.corner(high)]))

    @once
    def centroid(self) -> Array:
        """The centre of all cells, (3,)."""
        if self.n_cells == 0:
            return frozen(np.zeros(3))
        return frozen(self.corner(self._cells.mean(axis=0) + 0.5))

    def holds(self, points: Array) -> NDArray[np.bool_]:
        """Which points (n, 3), in the frame of the grid, are in a cell, or on its surface? Exact."""
        found = np.zeros(len(points), np.bool_)
        near = np.flatnonzero((points >= self.bounds[0]).all(axis=1) & (points <= self.bounds[1]).all(axis=1))
        if len(near) == 0:
            return found
        high = self.cells_below(points[near])
        low = high - (self.corner(high) == points[near])
        for pick in product((False, True), repeat=3):
            found[near] |= self._has(np.where(pick, low, high))
        return found

    def cells_below(self, points: Array) -> Cells:
        """The cells whose lowest corners are the last that are not above points, axis by axis."""
        cells: Cells = np.floor((points - self._origin) / self._size).astype(np.int64)
        for _ in range(2):  # a quotient is rounded, by less than a cell
            cells += (self.corner(cells + 1) <= points).astype(np.int64) - (self.corner(cells) > points)
        return cells

    def _has(self, cells: Cells) -> NDArray[np.bool_]:
        """Which of some cells are occupied? They may be one away from the box around all."""
        lowest, keys, spans = self._keys
        return is_among(keys, packed(cells - lowest, spans))

    @once
    def _keys(self) -> tuple[Cells, Cells, Cells]:
        """The lowest cell, less one; a number for each cell, ascending; and how many cells there can be."""
        lowest = self._cells.min(axis=0) - 1
        spans = self._cells.max(axis=0) - lowest + 2
        return lowest, packed(self._cells - lowest, spans), spans

    def _check_places(self) -> None:
        """Refuse cells that are too many along an axis, or too narrow for where they are."""
        if self.n_cells == 0:
            return
        along = int(np.ptp(self._cells, axis=0).max()) + 1
        if along > MOST_ALONG:
            raise ValueError(f"occupied cells may be {MOST_ALONG} apart along an axis; received {along}")
        largest = float(np.abs(as_vertices(self.bounds, "corners of cells")).max())
        if self._size < NARROWEST * max(largest, float(np.abs(self._origin).max())):
            raise ValueError(f"size is lost beside coordinates of {largest:.4g}; received {self._size}")

    def __reduce__(self) -> tuple[Callable[..., "Voxels"], tuple[Any, ...]]:
        return Voxels, (self._cells, self._size, self._origin)

    def __repr__(self) -> str:
        words = f"{self.n_cells} cell{'' if self.n_cells == 1 else 's'} of {self._size:.4g}"
        if self.n_cells == 0:
            return f"Voxels({words})"
        lower, upper = (", ".join(f"{x:.4g}" for x in corner) for corner in self.bounds)
        return f"Voxels({words}, from [{lower}] to [{upper}])"


def as_voxels(shape: Movable) -> Voxels:
    """Tell that a shape is made of voxels."""
    if not isinstance(shape, Voxels):
        raise TypeError(f"a {type(shape).__name__} is not made of voxels")
    return shape


def skinned(thing: Moving) -> Moving:
    """Voxels as the closed mesh that is their surface; anything else as it is."""
    return Moving(as_voxels(thing.shape).mesh, thing.motion) if thing.kind is Kind.VOXELS else thing


def _as_origin(origin: ArrayLike) -> Array:
    """Accept a place, (3,)."""
    places, is_batch = as_stack("origin", origin, (3,))
    if is_batch:
        raise ValueError(f"origin must have shape (3,); received {places.shape}")
    place: Array = places[0].copy()
    return place


def _as_cells(occupied: ArrayLike) -> Cells:
    """Accept bools of a grid, or cells; each once, in ascending order."""
    rule = "occupied must be bools of shape (l, m, n), or cells, integers of shape (k, 3)"
    try:
        given = np.asarray(occupied)
    except Exception:  # rows of different lengths, or whatever an object that gives an array may raise
        raise ValueError(f"{rule}; received {shown(occupied)}") from None
    if given.dtype == np.bool_ and given.ndim == 3:
        return np.argwhere(given).astype(np.int64)
    if given.size == 0 and given.shape in ((0,), (0, 3)):
        return np.empty((0, 3), np.int64)
    if given.dtype.kind not in "iu" or given.ndim != 2 or given.shape[1] != 3:
        raise ValueError(f"{rule}; received shape {given.shape} of {given.dtype}")
    if (given > 2**52).any() or (given < -(2**52)).any():
        raise ValueError(f"occupied cells must be from -2**52 to 2**52; received {shown(occupied)}")
    cells: Cells = given.astype(np.int64)
    cells = cells[np.lexsort(cells.T[::-1])]
    is_again = (cells[1:] == cells[:-1]).all(axis=1)
    return np.delete(cells, np.flatnonzero(is_again) + 1, axis=0)
