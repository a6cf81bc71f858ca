"""A Voronoi diagram as an image, and what is read from it."""

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_scalar
from firstcontact.answers.voronoi_results import VoronoiBoundary
from firstcontact.arrays import Array, Flags
from firstcontact.plain import Plain, seal
from firstcontact.queries.voronoi_sites import Weights, sites_from
from firstcontact.raster.diagram import Drawn, drawn
from firstcontact.raster.feet import feet
from firstcontact.raster.grid import grid_of
from firstcontact.shapes.shape import frozen

# Degrees: where sites are seen in directions that differ by less, there is no medial axis between them.
USUAL_ANGLE = 60.0


class Asked(NamedTuple):
    """What is asked of a diagram, checked, but for weights and factors, of which there is one a site."""

    bounds: Array
    counts: tuple[int, ...]
    weights: Any
    factors: Any
    is_farthest: bool
    is_solid: bool
    has_features: bool


@dataclass(frozen=True, eq=False)
class Voronoi(Plain):
    """The nearest site of each cell of an image, or the farthest: what `voronoi` gives.

    Attributes
    ----------
    ids : (nx, ny) or (nx, ny, nz) int32, the site at the centre of each cell; -1 without sites
    distance : the same shape, float64, its value: factor * distance - weight; inf without sites
    error : no distance is off by more than that, and no site nearer than the one told by twice that
    bounds : (2, 2) or (2, 3)
    n_sites : how many sites there are
    n_made : cells that were made anew
    features : (n_sites, 3) int32 if they are sites: of which site given; 0, 1 or 2 for a vertex, an edge or a
        face; and which of these. None otherwise
    """

    ids: NDArray[np.int32]
    distance: NDArray[np.float64]
    error: float
    bounds: NDArray[np.float64]
    n_sites: int
    n_made: int
    features: NDArray[np.int32] | None
    _asked: Asked = field(repr=False, compare=False)
    _drawn: Drawn = field(repr=False, compare=False)

    @property
    def axes(self) -> tuple[Array, ...]:
        """The centres of cells along each axis."""
        grid = grid_of(self.bounds, self.ids.shape)
        return tuple(grid)[3 - self.ids.ndim :]

    def moved(self, sites: Any, *, time: float = 0.0) -> "Voronoi":
        """Draw the same sites elsewhere: as `voronoi` anew, to the last bit, and keep what can be kept.

        Cells are kept where no site that has moved was, or can be, the nearest; none of farthest sites.

        Parameters
        ----------
        sites : all of them, as given to `voronoi`, as many as before
        time : of sites that move
        """
        n = self.n_sites if self.features is None else None
        return diagram_of(sites, self._asked, as_scalar("time", time, 0.0, 1.0), (self._drawn, n))

    def boundary(self) -> VoronoiBoundary:
        """All pairs of neighbouring cells of different sites: boundaries of regions pass between them."""
        return self._between(self.ids)[1]

    def neighbors(self) -> NDArray[np.int32]:
        """Pairs (m, 2) of sites whose regions meet in the image, i < j, sorted: the dual graph."""
        pairs = np.sort(self.boundary().sites, axis=1)
        found: NDArray[np.int32] = np.unique(pairs, axis=0)
        return found

    def medial_axis(self, angle: float = USUAL_ANGLE) -> VoronoiBoundary:
        """Where the nearest points of sites, or of one site, are seen in directions that differ: the middle.

        Pairs of neighbouring cells whose nearest points, from halfway between the cells, are apart by the
        angle at least; those of one site count, too. Approximate, to a cell.

        Parameters
        ----------
        angle : degrees, in (0, 180]
        """
        least = as_scalar("angle", angle, 0.0, 180.0)
        cells, found = self._between(self._drawn.image.who.reshape(self.ids.shape))
        if len(found) == 0:
            return found
        points = np.zeros((len(found), 3))
        points[:, 3 - self.ids.ndim :] = found.points
        who = self._drawn.image.who.reshape(-1)
        ways = [feet(self._drawn.elements.table, who[cells[:, i]], points) - points for i in range(2)]
        lengths = [np.linalg.norm(way, axis=1) for way in ways]
        with np.errstate(invalid="ignore", divide="ignore"):
            cosine = (ways[0] * ways[1]).sum(axis=1) / (lengths[0] * lengths[1])
        kept = np.flatnonzero(cosine <= np.cos(np.radians(least)) + 2.0**-40)
        return VoronoiBoundary(found.points[kept], found.sites[kept], found.distance[kept], found.cells[kept])

    def plot(self, **options: Any) -> Any:
        """Draw it, as `plot(self, ...)` does, with its options."""
        return import_module("firstcontact").plot(self, **options)

    def _between(self, numbers: NDArray[np.int32]) -> tuple[NDArray[np.int64], VoronoiBoundary]:
        """Pairs of neighbouring cells with different numbers: places in the image (n, 2), and the pairs."""
        cells = np.arange(self.ids.size).reshape(self.ids.shape)
        pairs = [np.empty((0, 2), np.int64)]
        for axis in range(self.ids.ndim):
            near, far = _beside(axis, self.ids.ndim)
            differs: Flags = numbers[near] != numbers[far]
            pairs.append(np.stack([cells[near][differs], cells[far][differs]], axis=1))
        places = np.concatenate(pairs)
        at = np.stack(np.unravel_index(places, self.ids.shape), axis=-1)
        points = np.stack([axis[at[..., i]].mean(axis=1) for i, axis in enumerate(self.axes)], axis=-1)
        sites, distance = (
            self.ids.reshape(-1)[places],
            self.distance.reshape(-1)[places].min(axis=1, initial=np.inf),
        )
        return places, VoronoiBoundary(points, sites, distance, at)

    def __setstate__(self, state: dict[str, Any]) -> None:
        seal((state["ids"], state["distance"]))  # which `moved` reads, where it was sent and in copies, too
        self.__dict__.update(state)

    def __bool__(self) -> bool:
        return self.n_sites > 0

    def __repr__(self) -> str:
        size = " x ".join(map(str, self.ids.shape))
        return f"Voronoi({size} cells, {self.n_sites} sites, within {self.error:.3g})"


def _beside(axis: int, dimension: int) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """All cells that have one behind them along an axis, and those."""
    near, far = [slice(None)] * dimension, [slice(None)] * dimension
    near[axis], far[axis] = slice(None, -1), slice(1, None)
    return tuple(near), tuple(far)


def diagram_of(sites: Any, asked: Asked, time: float, last: tuple[Drawn, int | None] | None) -> Voronoi:
    """Draw a diagram, or the next one."""
    dimension = asked.bounds.shape[1]
    weights = Weights(asked.weights, asked.factors)
    found = sites_from(sites, dimension, time, weights, asked.has_features)
    if last is not None and last[1] not in (None, found.n):
        raise ValueError(f"sites must be as many as before, {last[1]}; received {found.n}")
    solids = found.solids if asked.is_solid else found.solids[:0]
    if asked.is_solid and len(solids) == 0 and found.n > 0:
        raise ValueError("solid has no meaning where no site is closed")
    grid = grid_of(asked.bounds, asked.counts)
    picture = drawn(found.parts, solids, grid, asked.is_farthest, None if last is None else last[0])
    who, owners = picture.image.who, picture.elements.sites
    ids = who if np.array_equal(owners, np.arange(len(owners))) else owners[who]
    n_made = picture.n_made
    return Voronoi(
        frozen(ids.reshape(asked.counts)),
        frozen(picture.image.value.reshape(asked.counts)),
        picture.error,
        asked.bounds,
        found.n,
        n_made,
        found.features,
        asked,
        picture,
    )
