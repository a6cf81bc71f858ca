"""Triangles as they are painted, from the back to the front: small, shaded, and not too many."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.spatial import KDTree

from firstcontact.arrays import Array
from firstcontact.viz.view import Ids

# Triangles are painted in the order of their centres, which is right for small ones alone: sides longer than
# this part of the picture are cut. Close to contacts, where surfaces are, they may be this part of the way
# there, but no less than the last part of the picture.
LONGEST, CLOSENESS, SHORTEST = 1 / 50, 0.1, 1 / 250

# Enough to halve three sides of the size of the picture until they are as short.
MAX_CUTS = 24

# Surfaces with more triangles in all are drawn coarser, which keeps it to a few seconds; the finest grid for
# that has so many cells a side.
MAX_TRIANGLES, N_CELLS = 100_000, 1024

# Brightness of what lies in the shade, and of what faces the light.
SHADE, LIGHT = 0.55, 1.1


class PaintedSurface(NamedTuple):
    """Vertices (n, 3), faces (m, 3), red, green, blue and opacity to paint; does it stay as fine as it is?"""

    vertices: Array
    faces: Ids
    color: Sequence[float]
    is_fixed: bool = False


class Painted(NamedTuple):
    """Triangles: corners (m, 3, 3), and a colour (m, 4) of each."""

    corners: Array
    colors: Array


def painted(
    surfaces: Sequence[PaintedSurface], near: Array, size: float, towards: Array, light: Array
) -> Painted:
    """Make triangles of surfaces.

    Parameters
    ----------
    surfaces : what to paint
    near : (k, 3) where they touch
    size : of the picture, in their units
    towards, light : unit vectors to the viewer and to the light
    """
    corners, colors = [np.empty((0, 3, 3))], [np.empty((0, 4))]
    for surface in coarser(surfaces, size):
        is_solid = surface.color[3] == 1.0  # of what is seen through, the order matters little
        pieces = small(surface.vertices[surface.faces], near if is_solid else near[:0], size)
        shades = np.ones((len(pieces), 4)) * surface.color
        shades[:, :3] = np.minimum(shades[:, :3] * _brightness(pieces, towards, light)[:, np.newaxis], 1.0)
        corners.append(pieces)
        colors.append(shades)
    return Painted(np.concatenate(corners), np.concatenate(colors))


def coarser(
    surfaces: Sequence[PaintedSurface], size: float, limit: int = MAX_TRIANGLES
) -> list[PaintedSurface]:
    """Surfaces with no more triangles than a limit in all, but for those that are to stay as they are.

    Where there are more, vertices in one cell of a grid become one, and triangles without an inside are left
    out; the cells are a thousandth of the picture at first, and grow until that is enough.
    """
    found, cell = list(surfaces), size / N_CELLS
    while sum(len(surface.faces) for surface in found if not surface.is_fixed) > limit:
        found = [surface if surface.is_fixed else _merged(surface, cell) for surface in surfaces]
        cell *= 2.0
    return found


def _merged(surface: PaintedSurface, cell: float) -> PaintedSurface:
    """Let the mean of the vertices in each cell of a grid stand for all of them."""
    x, y, z = ((surface.vertices - surface.vertices.min(axis=0)) / cell).astype(np.int64).T
    cells = (x * N_CELLS + y) * N_CELLS + z
    _, rows, counts = np.unique(cells, return_inverse=True, return_counts=True)
    sums = np.stack([np.bincount(rows, weights=axis) for axis in surface.vertices.T], axis=1)
    a, b, c = rows[surface.faces].T
    faces = np.stack([a, b, c], axis=1)[(a != b) & (b != c) & (c != a)]
    return PaintedSurface(sums / counts[:, np.newaxis], faces, surface.color)


def small(corners: Array, near: Array, size: float) -> Array:
    """Cut triangles (m, 3, 3) in two at the middle of their longest sides, until these are short enough."""
    origin = corners.reshape(-1, 3)[:1].sum(axis=0)  # numbers far from zero are too coarse to be halved
    tree = KDTree(near - origin) if len(near) > 0 else None
    corners, done = corners - origin, [corners[:0]]
    for _ in range(MAX_CUTS):
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2)
        gaps = np.inf if tree is None else tree.query(corners.mean(axis=1))[0]
        is_long = sides.max(axis=1) > np.clip(CLOSENESS * gaps, SHORTEST * size, LONGEST * size)
        done.append(corners[~is_long])
        corners, sides = corners[is_long], sides[is_long]
        # Turned so that the longest side comes first: a, b, then the corner opposite.
        turn = (np.argmax(sides, axis=1)[:, np.newaxis] + np.arange(3)) % 3
        a, b, c = np.take_along_axis(corners, turn[:, :, np.newaxis], axis=1).transpose(1, 0, 2)
        middle = 0.5 * (a + b)
        corners = np.concatenate([np.stack([a, middle, c], 1), np.stack([middle, b, c], 1)])
    pieces: Array = np.concatenate([*done, corners]) + origin
    return pieces


def _brightness(corners: Array, towards: Array, light: Array) -> Array:
    """How bright triangles are on the side that is seen, (m,)."""
    a, b, c = corners.transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    lengths = np.linalg.norm(across, axis=1)
    facing = np.where(across @ towards < 0.0, -1.0, 1.0) * (across @ light)
    cosines = np.divide(facing, lengths, out=np.zeros_like(lengths), where=lengths > 0.0)
    found: Array = SHADE + (LIGHT - SHADE) * 0.5 * (1.0 + cosines)
    return found
