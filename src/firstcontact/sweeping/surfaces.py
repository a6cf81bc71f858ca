"""Closed meshes about sweeps, and within them.

A function f that changes by no more than a point moves is known at the corners of small cubes, and g is
linear between these, in tetrahedra: |g - f| <= E (`marching`). Outside: f is the distance to what covers the
sweep, at corners known to a step s, f <= v <= f + s, and the mesh is where g = E + s. Where f <= 0 that is
more than g: all of it is inside. On the mesh f <= 2 E + s. Within: f is the least signed distance of the
thing at some instants, and the mesh is where g = -E: f <= 0 inside of it.
"""

from collections.abc import Container
from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array, Ids
from firstcontact.proximity.points.winding import winds_around
from firstcontact.shapes.moving import Moving
from firstcontact.sweeping.lattice import (
    HALF_DIAGONAL,
    Lattice,
    Level,
    Limits,
    Measure,
    crossed_cells,
    lattice_around,
)
from firstcontact.sweeping.marching import OFF_LEVEL, corners_of_cells, march
from firstcontact.sweeping.prism_tree import Band, distances_to_prisms, prism_tree
from firstcontact.sweeping.prisms import bounds_of
from firstcontact.sweeping.snapshots import APART, depth_measure, snapshots_of
from firstcontact.sweeping.sweep_prisms import Solid, Sweep

# How far g is from f, in widths of the cubes (E above); how far apart corners of one cube are.
OFF = HALF_DIAGONAL + OFF_LEVEL
DIAGONAL = 2.0 * HALF_DIAGONAL

# How far above the distance values may be, in tolerances: what is nearer by less need not be found.
STEP = 1.0 / 32.0

# What rounding does to a distance, in units of the box of the sweep, and of its coordinates.
OF_SIZE, OF_PLACE = 2.0**-42, 2.0**-48

# A tolerance is at least so many times what rounding does, and what pieces as fine as they get are off by.
LEAST, MOST_SLACK = 64.0, 4.0


class Surface(NamedTuple):
    """A closed mesh, how far it is from the sweep at most, and how many cells it passes through."""

    vertices: Array
    faces: Ids
    error: float
    n_cells: int


def outer_surface(sweep: Sweep, tolerance: float, limits: Limits) -> Surface:
    """A mesh that contains a sweep, nowhere farther from what covers it than a tolerance less its slack."""
    prisms = sweep.prisms
    if len(prisms.radii) == 0:
        return _nothing()
    boxes = bounds_of(prisms)
    lower, upper = boxes[:, :3].min(axis=0), boxes[:, 3:].max(axis=0)
    middle = 0.5 * (lower + upper)
    rounding = rounding_of(lower, upper, tolerance)
    _check_tolerance(tolerance, MOST_SLACK * prisms.slack)
    corners = prisms.corners.reshape(-1, 6, 3) - middle
    tree = prism_tree(prisms._replace(corners=corners.reshape(len(corners), -1)))
    step = STEP * tolerance
    width = (tolerance - prisms.slack - step - 4.0 * rounding) / (2.0 * OFF)
    level = OFF * width + step + rounding

    def measure(points: Array, band: Band) -> Array:
        values = distances_to_prisms(tree, points, band)
        for solid in sweep.solids:
            _put_inside(solid, points + middle, values)
        return values

    margin = 2.0 * level + width
    lattice = lattice_around(lower - middle - margin, upper - middle + margin, width)
    vertices, faces, n_cells = _level_surface(lattice, measure, Level(level, step), limits)
    error = level + OFF * width + rounding + sweep.slack
    return Surface(vertices + middle, faces, error, n_cells)


def inner_surface(thing: Moving, tolerance: float, links: Container[str], limits: Limits) -> Surface:
    """A mesh within a sweep, around all that is ever deeper in the thing than a tolerance."""
    shots = snapshots_of(thing, tolerance, links)
    if sum(len(one.poses) for one in shots) == 0:
        return _nothing()
    places = [one.poses[:, :3, :3] @ one.ball[0] + one.poses[:, :3, 3] for one in shots]
    lower = np.min([at.min(axis=0) - one.ball[1] for at, one in zip(places, shots, strict=True)], axis=0)
    upper = np.max([at.max(axis=0) + one.ball[1] for at, one in zip(places, shots, strict=True)], axis=0)
    middle = 0.5 * (lower + upper)
    rounding = rounding_of(lower, upper, tolerance) + max(one.deviation for one in shots)
    _check_tolerance(tolerance, MOST_SLACK * rounding)
    width = ((1.0 - APART) * tolerance - 2.0 * rounding) / (2.0 * OFF)
    level = -OFF * width - rounding
    lattice = lattice_around(lower - middle - width, upper - middle + width, width)
    found = _level_surface(lattice, depth_measure(shots, middle), Level(level, 0.0), limits)
    return Surface(found[0] + middle, found[1], tolerance, found[2])


def rounding_of(lower: Array, upper: Array, tolerance: float) -> float:
    """What rounding does to a distance in a box; a tolerance that it may hide is refused."""
    size, place = float(np.linalg.norm(upper - lower)), float(np.abs([lower, upper]).max())
    rounding = OF_SIZE * size + OF_PLACE * place
    _check_tolerance(tolerance, LEAST * rounding)
    return rounding


def _check_tolerance(tolerance: float, least: float) -> None:
    """Refuse a tolerance that rounding, or pieces as fine as they get, would take most of."""
    if not tolerance >= least:
        raise ValueError(f"tolerance must be at least {least:.3g} here; received {tolerance:.3g}")


def _level_surface(
    lattice: Lattice, measure: Measure, level: Level, limits: Limits
) -> tuple[Array, Ids, int]:
    """Vertices and faces of the surface at a level, and how many cells it may pass through."""
    cells = crossed_cells(lattice, measure, level, limits)
    corners, ids = corners_of_cells(cells)
    far = DIAGONAL * lattice.width
    band = Band(level.value - far, level.value + far, level.step)
    values = measure(lattice.places(corners), band)
    vertices, faces = march(corners, ids, (values - level.value) / lattice.width)
    return lattice.places(vertices), faces, len(cells)


def _put_inside(solid: Solid, points: Array, values: Array) -> None:
    """Turn the sign of distances where points are inside of a solid at the start, away from all prisms."""
    rotation, place = solid.pose[:3, :3], solid.pose[:3, 3]
    local = (points - place) @ rotation
    lower, upper = solid.mesh.bounds
    which = np.flatnonzero((values > 0.0) & (local >= lower).all(axis=1) & (local <= upper).all(axis=1))
    if len(which) > 0:
        is_inside = winds_around(solid.mesh, np.ascontiguousarray(local[which]))
        values[which[is_inside]] *= -1.0


def _nothing() -> Surface:
    return Surface(np.empty((0, 3)), np.empty((0, 3), np.int32), 0.0, 0)
