"""How the cells of a sphere are shared out among its children: by each method, to at most eight."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.queries.decomposing.covered import Covered, nearest_of
from firstcontact.queries.decomposing.covering_cells import CoveringCells

MOST_CHILDREN = 8

# Centers that are tried for the children of one sphere: a grid of so many a side, or as many of the medial
# axis; and cells that are looked at to choose among them.
SIDE, MOST_TRIED, MOST_LOOKED_AT = 5, 128, 1024

# How often the radius that leads to eight children is halved in on, and centers move to their middles.
HALVINGS, ROUNDS = 8, 12

# Balls that shrink to the medial axis: how often they are tried, and how near is there, of the radius.
SHRINKINGS, AT_AXIS = 12, 1e-3

Split = Callable[[CoveringCells, int], NDArray[np.intp]]


def reaches(cells: CoveringCells, centers: Array) -> Array:
    """How far each of some centers (k, 3) is from the farthest corner of each cell: (k, n)."""
    halves = 0.5 * (cells.uppers - cells.lowers)
    away = np.abs(cells.middles - centers[:, np.newaxis]) + halves
    found: Array = np.linalg.norm(away, axis=2)
    return found


def by_octants(cells: CoveringCells, level: int) -> NDArray[np.intp]:
    """Share cells out by the cube of their level that they are in; those that are larger stay together."""
    bits = (cells.places >> np.maximum(cells.depths - level, 0)[:, np.newaxis]) & 1
    return np.where(cells.depths >= level, bits @ np.array([4, 2, 1]), 0)


def by_grid(cells: CoveringCells, level: int) -> NDArray[np.intp]:
    """Share cells out among spheres of one radius around points of a grid, those that hold most first."""
    lower, upper = cells.lowers.min(axis=0), cells.uppers.max(axis=0)
    steps = np.stack(np.meshgrid(*[(np.arange(SIDE) + 0.5) / SIDE] * 3, indexing="ij"), axis=-1)
    centers = lower + steps.reshape(-1, 3) * (upper - lower)
    return _greedily(cells, centers, np.zeros(len(centers)))


def by_medial_axis(cells: CoveringCells, level: int) -> NDArray[np.intp]:
    """Share cells out among spheres about the medial axis that stick out equally, by what they hold.

    A sphere around a center at the distance s, negative inside, that sticks out by e has the radius e - s.
    """
    tried = _some(len(cells.depths), MOST_TRIED)
    return _greedily(cells, cells.centers[tried], cells.distances[tried])


def by_least_squares(cells: CoveringCells, level: int) -> NDArray[np.intp]:
    """Share cells out among the centers that they are nearest to: least squares, weighed by volume."""
    middles, weights = cells.middles, 0.125 ** (cells.depths - cells.depths.min())
    away = np.linalg.norm(middles - np.average(middles, axis=0, weights=weights), axis=1)
    centers = np.empty((0, 3))
    for _ in range(min(MOST_CHILDREN, len(middles))):  # far from each other
        centers = np.concatenate([centers, middles[[away.argmax()]]])
        own = np.linalg.norm(middles - centers[-1], axis=1)
        away = own if len(centers) == 1 else np.minimum(away, own)
    labels = np.zeros(len(middles), np.intp)
    for _ in range(ROUNDS):
        labels = _nearest(middles, centers)
        total = np.bincount(labels, weights, len(centers))
        sums = np.stack([np.bincount(labels, weights * x, len(centers)) for x in middles.T], axis=1)
        moved = np.where(total[:, np.newaxis] > 0.0, sums / np.maximum(total, 1e-300)[:, np.newaxis], centers)
        if np.array_equal(moved, centers):
            break
        centers = moved
    return labels


def _nearest(points: Array, centers: Array) -> NDArray[np.intp]:
    """Which center is nearest to each point."""
    away = np.stack([np.linalg.norm(points - center, axis=1) for center in centers])
    found: NDArray[np.intp] = away.argmin(axis=0)
    return found


def _some(n: int, most: int) -> NDArray[np.intp]:
    """Evenly spread numbers of n, at most so many."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).astype(np.intp))


def _greedily(cells: CoveringCells, centers: Array, shifts: Array) -> NDArray[np.intp]:
    """Share cells out among few centers: by the least radius, less a shift each, that needs no more."""
    looked_at = cells.taken(_some(len(cells.depths), MOST_LOOKED_AT))
    needed = reaches(looked_at, centers) + shifts[:, np.newaxis]
    low, high = float(needed.min(axis=0).max()), float(needed.max(axis=1).min())
    chosen = [int(needed.max(axis=1).argmin())]
    for trial in range(HALVINGS):
        radius = low if trial == 0 else 0.5 * (low + high)
        picked = _picked(needed <= radius)
        if picked is None:
            low = radius
        else:
            high, chosen = radius, picked
            if trial == 0:
                break
    rest = np.stack([reaches(cells, centers[[k]])[0] + shifts[k] for k in chosen])
    found: NDArray[np.intp] = rest.argmin(axis=0)
    return found


def _picked(holds: NDArray[np.bool_]) -> list[int] | None:
    """Few centers that hold all cells, (k, n), the one that holds most of the rest first; or None."""
    is_left, chosen = np.ones(holds.shape[1], np.bool_), list[int]()
    while is_left.any():
        if len(chosen) == MOST_CHILDREN:
            return None
        chosen.append(int((holds & is_left).sum(axis=1).argmax()))
        is_left &= ~holds[chosen[-1]]
    return chosen


def on_axis(things: list[Covered], cells: CoveringCells, size: float) -> CoveringCells:
    """Move the center beside each cell to the medial axis: a ball inside shrinks until none is held.

    A ball that touches the surface at p, from within along a unit vector n, and has the point q of it inside,
    is too large: the one through both has the radius |q - p|^2 / (2 n (q - p)).
    """
    start = nearest_of(things, cells.centers).points
    away = start - cells.centers
    length = np.linalg.norm(away, axis=1)
    # Of what has no inside, the surface is the axis.
    is_inside = (length > AT_AXIS * AT_AXIS * size) & any(thing.has_inside for thing in things)
    inward = away * (np.sign(cells.distances) / np.where(is_inside, length, 1.0))[:, np.newaxis]
    radius = np.where(is_inside, size, 0.0)
    for _ in range(SHRINKINGS):
        found = nearest_of(things, start + radius[:, np.newaxis] * inward)
        way = found.points - start
        along = 2.0 * np.einsum("ij,ij->i", way, inward)
        is_large = is_inside & (-found.distances < radius * (1.0 - AT_AXIS)) & (along > 0.0)
        if not is_large.any():
            break
        through = np.einsum("ij,ij->i", way, way) / np.where(is_large, along, 1.0)
        radius = np.where(is_large, np.minimum(through, radius), radius)
    centers = start + radius[:, np.newaxis] * inward
    return cells._replace(centers=centers, distances=nearest_of(things, centers).distances)
