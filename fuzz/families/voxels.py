"""Voxels: with convex shapes, meshes, clouds and each other, moving and at rest, and points at them.

The referee is a compound of as many boxes: every cell a convex shape, which other searches answer about.
Sides of points are told by comparing their coordinates with those of all cells.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from shrinking import fewer_and_rounder
from things import cloud_in, convex_in, mesh_in, motion_in, moving_of, shape_of

# Of all lengths: what rounding may do to a distance.
ROUNDING = 1e-12

SECONDS_A_CASE = 30


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Some cells, another thing, and motions, most of which make them meet."""
    n, reach = int(rng.integers(0 if rng.random() < 0.05 else 1, 14)), int(rng.integers(1, 4))
    other = (convex_in, mesh_in, cloud_in)[rng.integers(3)](rng)
    motions = {"motion_a": motion_in(rng), "motion_b": motion_in(rng)}
    if rng.random() < 0.6:
        way = np.subtract(motions["motion_b"]["place"], motions["motion_a"]["place"])
        motions["motion_a"]["velocity"] = (way + motions["motion_b"]["velocity"]).tolist()
    if rng.random() < 0.3:  # on the grid, where all is exact
        motions = {
            name: motion | {"turn": [0.0] * 3, "rotation": np.eye(3).tolist()}
            for name, motion in motions.items()
        }
    return motions | {
        "cells": rng.integers(-reach, reach, (n, 3)).tolist(),
        "size": float(rng.choice([0.5, 0.3, 1.0, 2.0])),
        "origin": (rng.choice([0.0, 0.1, 1e3]) * rng.integers(-1, 2, 3)).tolist(),
        "other": None if rng.random() < 0.1 else other,
        "points": rng.uniform(-3, 3, (6, 3)).tolist(),
    }


def boxes_of(grid: fc.Voxels) -> fc.Compound:
    """As many boxes."""
    cube = fc.Box(np.full(3, grid.size))
    return fc.Compound([cube.at((np.eye(3), grid.corner(cell + 0.5))) for cell in grid.cells])


def check(case: dict[str, Any]) -> str | None:
    """Compare voxels with as many boxes."""
    grid = fc.Voxels(np.reshape(case["cells"], (-1, 3)).astype(int), case["size"], case["origin"])
    boxes = boxes_of(grid)
    other = grid if case["other"] is None else shape_of(case["other"])
    of_other = boxes if case["other"] is None else other
    size = 10.0 + np.abs(case["origin"]).max()
    return (
        _points(grid, np.reshape(case["points"], (-1, 3)) + case["origin"])
        or _resting(case, (grid, boxes), (other, of_other), size)
        or _moving(case, (grid, boxes), (other, of_other), size)
    )


def _points(grid: fc.Voxels, points: np.ndarray) -> str | None:
    low, high = grid.corner(grid.cells), grid.corner(grid.cells + 1)
    among = np.concatenate([points, low, 0.5 * (low + high), high]) if grid.n_cells else points
    truth = ((among[:, np.newaxis] >= low) & (among[:, np.newaxis] <= high)).all(axis=2).any(axis=1)
    if not np.array_equal(fc.contains(grid, among), truth):
        return "a point is on the wrong side"
    field = fc.signed_distance(grid, points).distance
    is_held = truth[: len(points)]
    if grid.n_cells and (field[is_held] > ROUNDING).any() | (field[~is_held] < -ROUNDING).any():
        return "a distance has the wrong sign"
    return None


def _resting(case: dict[str, Any], grids: Any, others: Any, size: float) -> str | None:
    poses = [moving_of(fc.Sphere(1), case[name]).pose(0.3) for name in ("motion_a", "motion_b")]
    found = fc.distance(grids[0].at(poses[0]), others[0].at(poses[1]))
    truth = fc.distance(grids[1].at(poses[0]), others[1].at(poses[1]))
    if not abs(found.distance - truth.distance) <= ROUNDING * size and found.distance != truth.distance:
        return f"a distance is {found.distance}, that of boxes {truth.distance}"
    touches = fc.intersects(others[0].at(poses[1]), grids[0].at(poses[0]))
    if touches is not (found.distance == 0.0):
        return "the distance says that they touch, and intersects that they do not, or the other way round"
    return None


def _moving(case: dict[str, Any], grids: Any, others: Any, size: float) -> str | None:
    tolerance = 1e-7 * size
    pairs = zip(grids, others, strict=True)
    things = [(moving_of(a, case["motion_a"]), moving_of(b, case["motion_b"])) for a, b in pairs]
    found, truth = (fc.first_contact(*pair, tolerance=tolerance) for pair in things)
    if found.time > truth.time_upper:
        return f"a contact at {truth.time_upper} or before is told at {found.time}"
    if truth.time > found.time_upper:
        return f"a contact is called certain at {found.time_upper}, and boxes are apart until {truth.time}"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer cells and points."""
    return fewer_and_rounder(case)
