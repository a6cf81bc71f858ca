"""Cells of a grid that a shape touches: cubes are halved, and asked about, down to single cells."""

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._validate import as_points
from firstcontact.advancement.ask import USUAL
from firstcontact.arrays import Array
from firstcontact.bodies.mesh_parts import check_closed
from firstcontact.proximity.points.winding import winds_around
from firstcontact.queries.look_up import answer
from firstcontact.shapes.box import Box
from firstcontact.shapes.cloud import Points
from firstcontact.shapes.mesh import Mesh, as_mesh, as_moving, is_empty
from firstcontact.shapes.movable import Kind, Movable
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import box_corners, shape_of
from firstcontact.shapes.voxel_skin import Cells
from firstcontact.shapes.voxels import MOST_ALONG, NARROWEST, Voxels

# Cubes asked about together.
CHUNK = 1 << 16

# How much larger than cells the cubes are that are asked about, in units of all coordinates: what rounding
# hides between a shape and a cell is less.
WIDER = 2.0**-44

EIGHT = np.array(list(product((0, 1), repeat=3)))


def voxels_of(shape: Any, size: float, origin: ArrayLike, is_solid: bool) -> Voxels:
    """Make voxels of all cells that a shape, or points, touch; `size` is known to be one."""
    grid = Voxels(np.empty((0, 3), np.int64), size, origin)
    thing = _as_thing(shape)
    if is_empty(thing.shape):
        return grid
    low, high = _range_of(grid, thing)
    is_bare = isinstance(thing.shape, Points) and thing.shape.thickness == 0.0
    cells = _cells_at(grid, thing.vertices(0.0)) if is_bare else _touched(grid, thing, low, high)
    if is_solid and thing.kind is Kind.MESH and not thing.shape.is_cloud:
        check_closed(as_mesh(thing.shape), "the shape")
        cells = np.concatenate([cells, _between(grid, cells, thing)])
    return Voxels(cells, size, grid.origin)


def _as_thing(shape: Any) -> Moving:
    """Accept points, or a thing at rest with bounds."""
    if not isinstance(shape, Moving | Movable) and not hasattr(shape, "faces"):
        return as_moving(Points(as_points("points", shape).reshape(-1, 3)))
    thing = as_moving(shape)
    what = type(thing.shape).__name__
    if thing.kind in (Kind.DEFORMING, Kind.ROBOT, Kind.FIELD, Kind.HALF_SPACE):
        how = "deforms" if thing.kind is Kind.DEFORMING else f"is a {what}"
        raise TypeError(f"voxels are made of points, and of rigid shapes with bounds; received what {how}")
    if thing.shape.is_thick:
        raise TypeError("voxels know no thickness, and the shape has one: make them of a mesh without")
    if not thing.motion.is_resting or thing.motion.is_batch:
        raise ValueError("voxels are made of a shape in one pose: use shape.at(pose)")
    return thing


def _range_of(grid: Voxels, thing: Moving) -> tuple[Cells, Cells]:
    """The lowest and the highest cell that a thing can touch."""
    pose = thing.pose(0.0)
    corners = box_corners(shape_of(thing).bounds) @ pose[:3, :3].T + pose[:3, 3]
    wide = WIDER * float(np.abs(corners).max())
    ends = np.stack([corners.min(axis=0) - wide, corners.max(axis=0) + wide]) - grid.origin
    if (
        float(np.abs(ends).max()) * NARROWEST > grid.size
        or np.ptp(ends, axis=0).max() > MOST_ALONG * grid.size
    ):
        raise ValueError(
            f"size is too small for a shape of {np.ptp(ends, axis=0).max():.4g}; received {grid.size}"
        )
    low, high = np.floor(ends / grid.size).astype(np.int64)
    return low - 1, high + 1


def _cells_at(grid: Voxels, points: Array) -> Cells:
    """The cells that points are in, or on the surface of."""
    high = grid.cells_below(points)
    low = high - (grid.corner(high) == points)
    return np.concatenate([np.where(pick, low, high) for pick in EIGHT.astype(np.bool_)])


def _touched(grid: Voxels, thing: Moving, low: Cells, high: Cells) -> Cells:
    """The cells from one to another that a thing touches."""
    levels = int(np.ceil(np.log2(float((high - low + 1).max()))))
    cubes = low[np.newaxis]
    for level in range(levels, -1, -1):
        cubes = cubes[_touches(grid, thing, cubes, 1 << level)]
        if level > 0:
            cubes = (cubes[:, np.newaxis] + EIGHT * (1 << (level - 1))).reshape(-1, 3)
    return cubes


def _touches(grid: Voxels, thing: Moving, cubes: Cells, side: int) -> NDArray[np.bool_]:
    """Which cubes of so many cells a side, from their lowest cells on, does a thing touch?"""
    found = np.zeros(len(cubes), np.bool_)
    for first in range(0, len(cubes), CHUNK):
        rows = slice(first, first + CHUNK)
        places = grid.corner(cubes[rows] + 0.5 * side)
        reach = np.abs(grid.origin).max() + np.abs(places).max() + side * grid.size
        box = Box(np.full(3, side * grid.size + WIDER * reach))
        turns = np.broadcast_to(np.eye(3), (len(places), 3, 3))
        found[rows] = answer("intersects", box.at((turns, places)), thing, USUAL)
    return found


def _between(grid: Voxels, cells: Cells, thing: Moving) -> Cells:
    """The cells inside a closed mesh, of which the cells that it touches are known.

    A row of cells between two of those is on one side of the mesh: one of its points tells which.
    """
    ordered = cells[np.lexsort(cells.T[::-1])]
    gaps = ordered[1:, 2] - ordered[:-1, 2] - 1
    rows = np.flatnonzero((ordered[1:, :2] == ordered[:-1, :2]).all(axis=1) & (gaps > 0))
    firsts, gaps = ordered[rows] + [0, 0, 1], gaps[rows]
    pose = thing.pose(0.0)
    middles = (grid.corner(firsts + 0.5) - pose[:3, 3]) @ pose[:3, :3]
    mesh: Mesh = as_mesh(thing.shape)
    is_inside = winds_around(mesh, np.ascontiguousarray(middles)) if len(rows) else np.zeros(0, np.bool_)
    firsts, gaps = firsts[is_inside], gaps[is_inside]
    found: Cells = np.repeat(firsts, gaps, axis=0)
    found[:, 2] += np.arange(len(found)) - np.repeat(np.cumsum(gaps) - gaps, gaps)
    return found
