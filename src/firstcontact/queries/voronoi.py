"""Voronoi diagrams as images."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from firstcontact._validate import as_box, as_count, as_flag, as_scalar, shown
from firstcontact.arrays import Array
from firstcontact.queries.voronoi_diagram import Asked, Voronoi, diagram_of

# Cells unless more are allowed: a gigabyte and a half.
MOST_CELLS = 2**27


def voronoi(
    sites: Any,
    bounds: ArrayLike,
    resolution: Any,
    *,
    weights: ArrayLike | None = None,
    factors: ArrayLike | None = None,
    farthest: bool = False,
    solid: bool = False,
    features: bool = False,
    time: float = 0.0,
    max_cells: int = MOST_CELLS,
) -> Voronoi:
    """Which site is the nearest to the centre of each cell of an image, and how far away is it?

    No distance is off by more than `error`; a site is farther than the nearest by twice that at most. Of
    equally near ones the first. A site's value is factor * distance - weight; in a ball it is below 0.

    Parameters
    ----------
    sites : points (n, d), polylines (n, m, d), or a list of both and of shapes, moving or not
    bounds : (2, 2) or (2, 3), lower and upper ends, of an image or of a volume
    resolution : cells along each axis; one number for those along the longest, and cells as cubic as can be
    weights, factors : one number, or one for each site; 0 and 1 unless given
    farthest, features : for the farthest site; for each vertex, edge and face as a site of its own
    solid : in closed meshes and outlines distances are below 0, as deep as the point is
    time, max_cells : of sites that move; more cells, of 12 bytes each, are a `ValueError`

    Examples
    --------
    >>> import firstcontact as fc
    >>> v = fc.voronoi([[0.5, 0.5], [3.5, 0.5]], [[0, 0], [4, 1]], 4)
    >>> v.ids.tolist(), v.distance.tolist(), v.neighbors().tolist()
    ([[0], [0], [1], [1]], [[0.0], [1.0], [1.0], [0.0]], [[0, 1]])
    >>> fc.voronoi([], [[0, 0, 0], [1, 1, 1]], 1).ids.tolist()
    [[[-1]]]
    """
    box = as_box("bounds", bounds)
    counts = _counts(resolution, box, as_count("max_cells", max_cells))
    flags = {"farthest": farthest, "solid": solid, "features": features}
    is_farthest, is_solid, has_features = (as_flag(name, value) for name, value in flags.items())
    if is_solid and (is_farthest or has_features):
        raise ValueError("solid has no meaning for the farthest sites, nor for features")
    at = as_scalar("time", time, 0.0, 1.0)
    asked = Asked(box, counts, weights, factors, is_farthest, is_solid, has_features)
    return diagram_of(sites, asked, at, None)


def _counts(resolution: Any, box: Array, most: int) -> tuple[int, ...]:
    """How many cells there are along each axis."""
    sizes = box[1] - box[0]
    if isinstance(resolution, tuple | list | np.ndarray):
        if len(resolution) != len(sizes):
            raise ValueError(
                f"resolution must be {len(sizes)} integers, or one; received {shown(resolution)}"
            )
        counts = tuple(as_count(f"resolution[{i}]", n) for i, n in enumerate(resolution))
    else:
        n = as_count("resolution", resolution)
        counts = tuple(max(1, round(float(n * size / sizes.max()))) for size in sizes)
    if np.prod(np.array(counts, np.float64)) > most:
        raise ValueError(f"more than max_cells = {most} cells were asked for: {' x '.join(map(str, counts))}")
    return counts
