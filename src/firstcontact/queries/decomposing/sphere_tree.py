"""Spheres that cover a shape, level by level.

Cells cover the shape; they are shared out among spheres, those of a sphere among its children, and each is
made as large as the corners of its cells need. So all levels cover the shape, however cells are shared out.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_choice, as_count, as_flag
from firstcontact.answers.sphere_results import SphereTree
from firstcontact.arrays import Array
from firstcontact.progress_bar import counted
from firstcontact.queries.decomposing.covered import Covered, covered_by
from firstcontact.queries.decomposing.covering_cells import CoveringCells, covering_cells
from firstcontact.queries.decomposing.farthest_in_boxes import whole_box
from firstcontact.queries.decomposing.sphere_splits import (
    Split,
    by_grid,
    by_least_squares,
    by_medial_axis,
    by_octants,
    on_axis,
)
from firstcontact.queries.decomposing.spheres_deviation import Spheres, spheres_deviation
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.shape import Shape

METHODS: dict[str, Split] = {
    "octree": by_octants,
    "grid": by_grid,
    "medial": by_medial_axis,
    "least-squares": by_least_squares,
}

# Spheres of the last would be a millionth of the first.
MOST_LEVELS = 20

# How often a center moves to the farthest corner, by less each time (Badoiu and Clarkson 2003).
MOVES = 24

# What rounding takes from a radius, in units of itself.
ROUNDED = 1e-14

# The least that rounding may hide, wherever a shape is and however small.
LEAST = 1e-300


class Groups(NamedTuple):
    """Cells in order of their groups: numbers of cells, (n,), and of their groups, (n,), from 0 on."""

    ids: NDArray[np.intp]
    labels: NDArray[np.intp]


def sphere_tree(shape: Shape, levels: int, method: str, progress: bool) -> SphereTree:
    """Cover a shape by spheres; `Shape.sphere_tree` says what comes of it."""
    n_levels, how = as_count("levels", levels), as_choice("method", method, tuple(METHODS))
    is_shown = as_flag("progress", progress)
    if n_levels > MOST_LEVELS:
        raise ValueError(f"levels must be {MOST_LEVELS} or fewer; received {n_levels}")
    if shape.kind in (Kind.HALF_SPACE, Kind.FIELD):
        why = "has no end" if shape.kind is Kind.HALF_SPACE else "stands for another: ask the one it is of"
        raise TypeError(f"sphere_tree covers shapes with bounds; a {type(shape).__name__} {why}")
    things = covered_by(shape)
    if not things:
        nothing = np.zeros(n_levels)
        return SphereTree(
            np.empty((0, 3)),
            np.empty(0),
            np.empty(0, np.int32),
            np.zeros(n_levels + 1, np.int64),
            nothing,
            how,
        )
    slack = max(whole_box(shape.bounds, 0)[1], LEAST)
    cells = covering_cells(things, shape.bounds, n_levels, slack)
    if how == "medial":
        cells = on_axis(things, cells, float(np.ptp(shape.bounds, axis=0).max()) + slack)
    return _tree(things, cells, how, (n_levels, slack, is_shown))


def _tree(
    things: list[Covered], cells: CoveringCells, method: str, how: tuple[int, float, bool]
) -> SphereTree:
    """Share cells out level by level, and put spheres around them."""
    n_levels, slack, is_shown = how
    n = len(cells.depths)
    groups, parents = Groups(np.arange(n), np.zeros(n, np.intp)), [np.full(1, -1)]
    spheres = [_around(cells.taken(groups.ids), groups.labels, slack)]
    deviation = [spheres_deviation(things, spheres[0], slack)]
    first = 0
    with counted(is_shown, "covering", "level", n_levels) as tell:
        tell(1)
        for level in range(1, n_levels):
            groups, of = _shared_out(cells, groups, METHODS[method], level)
            parents.append(first + of)
            first += len(spheres[-1].radii)
            spheres.append(_around(cells.taken(groups.ids), groups.labels, slack))
            deviation.append(spheres_deviation(things, spheres[-1], slack))
            tell(1)
    return SphereTree(
        np.concatenate([one.centers for one in spheres]),
        np.concatenate([one.radii for one in spheres]),
        np.concatenate(parents).astype(np.int32),
        np.cumsum([0, *(len(one.radii) for one in spheres)], dtype=np.int64),
        np.array(deviation),
        method,
    )


def _shared_out(
    cells: CoveringCells, groups: Groups, split: Split, level: int
) -> tuple[Groups, NDArray[np.intp]]:
    """Groups of the next level, and which group each is a part of."""
    starts = np.flatnonzero(np.diff(groups.labels, prepend=-1))
    ids, labels, of, n = [], [], [], 0
    for k, own in enumerate(np.split(groups.ids, starts[1:])):
        found = split(cells.taken(own), level) if len(own) > 1 else np.zeros(1, np.intp)
        names, label = np.unique(found, return_inverse=True)
        order = np.argsort(label, kind="stable")
        ids.append(own[order])
        labels.append(n + label[order])
        of.append(np.full(len(names), k))
        n += len(names)
    return Groups(np.concatenate(ids), np.concatenate(labels)), np.concatenate(of)


def _around(cells: CoveringCells, labels: NDArray[np.intp], slack: float) -> Spheres:
    """A sphere around each group of cells, in order of their groups: about as small as can be."""
    starts = np.flatnonzero(np.diff(labels, prepend=-1))
    lower = np.minimum.reduceat(cells.lowers, starts)
    upper = np.maximum.reduceat(cells.uppers, starts)
    centers = 0.5 * (lower + upper)
    best, radii = centers, np.full(len(starts), np.inf)
    for move in range(MOVES):
        corners, away = _farthest_corners(cells, centers[labels])
        reach = np.maximum.reduceat(away, starts)
        is_better = reach < radii
        best, radii = np.where(is_better[:, np.newaxis], centers, best), np.minimum(radii, reach)
        farthest = np.zeros(len(starts), np.intp)
        hits = np.flatnonzero(away == reach[labels])
        farthest[labels[hits]] = hits
        centers = centers + (corners[farthest] - centers) / (move + 2.0)
    return Spheres(best, radii * (1.0 + ROUNDED) + slack)


def _farthest_corners(cells: CoveringCells, centers: Array) -> tuple[Array, Array]:
    """The corner (n, 3) of each cell that is farthest from its own center, and how far that is, (n,)."""
    corners = np.where(cells.middles >= centers, cells.uppers, cells.lowers)
    away = np.abs(corners - centers)
    return corners, np.hypot(np.hypot(away[:, 0], away[:, 1]), away[:, 2])
