"""From a shape to a field: which grid, which source of distances, what rounding takes of the tolerance."""

from typing import Any

import numpy as np

from firstcontact._validate import shown
from firstcontact.arrays import Array
from firstcontact.bodies.mesh_parts import is_closed
from firstcontact.fields.building.cell_proof import Allowed
from firstcontact.fields.building.growing import Task, grown_octree
from firstcontact.fields.building.source import Core, Surface
from firstcontact.fields.field_file import Stored
from firstcontact.fields.octree import LEAST_TOLERANCE, Grid, grid_around, upper_of
from firstcontact.progress_bar import counted
from firstcontact.shapes.convex import HALF, HULL, KIND, ORIGIN, RADIUS
from firstcontact.shapes.convex_shape import as_convex
from firstcontact.shapes.mesh import Mesh, as_mesh, is_empty
from firstcontact.shapes.movable import Kind, Movable
from firstcontact.shapes.moving import Moving

# What is done, and what is counted, as a progress bar has it.
SAMPLING = "sampling", "cubes"

# Parts of the largest size: the usual tolerance, and how far the box goes beyond the shape.
USUAL_TOLERANCE, USUAL_MARGIN = 1.0 / 500.0, 0.25

# Parts of the box's diagonal: how far rounding can put a distance off, which is some hundred roundings of a
# coordinate; and what all roundings of a proof and of a value can add up to.
ROUNDING, ALL_ROUNDING = 2.0**-44, 2.0**-40

# What is lost, in parts of the diagonal, where all values are less by a radius: three roundings of theirs.
SHIFTED = 2.0**-22

# Meshes whose box begins no farther away than this, in diagonals of it, are taken where they are.
NEAR_ORIGIN = 4.0


def sampled(
    shape: Any, tolerance: float | None, margin: float | None, max_cells: int, is_shown: bool
) -> Stored:
    """Sample a shape's distances, proven to a tolerance."""
    if isinstance(shape, Moving):
        raise TypeError("a field is made of a shape, where it was made: move the field itself")
    thing: Any = shape if isinstance(shape, Movable) else as_mesh(shape)
    if thing.is_cloud:
        raise TypeError(f"a field is of a convex shape or a mesh, and the shape is a {type(thing).__name__}")
    if thing.is_thick:
        raise TypeError("a field knows no thickness, and the shape has one: make it of a mesh without")
    if thing.kind not in (Kind.CONVEX, Kind.MESH):
        raise TypeError(f"a field is made of a convex shape or a mesh; received {shown(shape)}")
    if is_empty(thing):
        raise ValueError("a field needs a shape; received a mesh without faces")
    bounds = np.array(thing.bounds if thing.kind is Kind.CONVEX else bounds_of_faces(as_mesh(thing)))
    size = float((bounds[1] - bounds[0]).max()) or float(np.abs(bounds).max()) or 1.0
    beyond = USUAL_MARGIN * size if margin is None else margin
    if not (bounds[1] - bounds[0]).max() + 2.0 * beyond > 0.0:
        beyond = USUAL_MARGIN * size
    grid = grid_around(bounds[0] - beyond, bounds[1] + beyond)
    diagonal = float(np.linalg.norm(upper_of(grid) - np.array(grid.lower)))
    error = USUAL_TOLERANCE * size if tolerance is None else tolerance
    if error < LEAST_TOLERANCE * diagonal:
        least = LEAST_TOLERANCE * diagonal
        raise ValueError(f"tolerance must be at least {least:.3g}, 2**-20 of the box; received {error:.3g}")
    rounded = radius_around_hull(thing)
    task, is_signed = task_of(thing, grid, error - (SHIFTED * diagonal if rounded > 0.0 else 0.0))
    with counted(is_shown, *SAMPLING, int(np.prod(grid.shape))) as tell:
        octree = grown_octree(task, max_cells, tell)
    if rounded > 0.0:
        octree = octree._replace(values=octree.values - np.float32(rounded))
    digest = as_mesh(thing).content.digest if thing.kind is Kind.MESH else b""
    return Stored(octree, error, bounds, is_signed, digest=digest)


def radius_around_hull(thing: Any) -> float:
    """Radius of a rounded hull, whose field is that of the hull less it; 0 of all else."""
    record = as_convex(thing).table.records[0] if thing.kind is Kind.CONVEX else None
    return 0.0 if record is None or record[KIND] != HULL else float(record[RADIUS])


def task_of(thing: Any, grid: Grid, tolerance: float) -> tuple[Task, bool]:
    """What is to be done for the field of a shape on a grid, and whether the shape has an inside."""
    diagonal = float(np.linalg.norm(upper_of(grid) - np.array(grid.lower)))
    source, is_signed, origin = _source_of(thing, grid, diagonal)
    allowed = Allowed(tolerance - ALL_ROUNDING * diagonal, ROUNDING * diagonal, is_signed)
    return Task(source, grid, allowed, origin), is_signed


def bounds_of_faces(mesh: Mesh) -> Array:
    """The smallest box around the faces of a mesh: vertices that no face uses do not count."""
    corners = mesh.vertices[mesh.faces.reshape(-1)]
    return np.stack([corners.min(axis=0), corners.max(axis=0)])


def _source_of(thing: Any, grid: Grid, diagonal: float) -> tuple[Core | Surface, bool, Array]:
    """What distances are of, whether it has an inside, and where it sees the grid's lowest corner."""
    lower = np.array(grid.lower)
    if thing.kind is Kind.MESH:
        mesh = as_mesh(thing)
        is_signed = is_closed(mesh) and _has_area(mesh)
        near, origin = _brought_near(mesh, lower, diagonal)
        return Surface(near, is_signed), is_signed, origin
    shape = as_convex(thing)
    record = shape.table.records[0]
    if record[KIND] == HULL:
        near, origin = _brought_near(shape.unrounded.mesh, lower, diagonal)
        return Surface(near, True), True, origin
    x, y, z = (record[ORIGIN:] - lower).tolist()
    a, b, c = record[HALF:RADIUS].tolist()
    return Core(int(record[KIND]), (a, b, c), float(record[RADIUS]), (x, y, z)), True, np.zeros(3)


def _brought_near(mesh: Mesh, lower: Array, diagonal: float) -> tuple[Mesh, Array]:
    """A mesh near the origin as it is; others as seen from the grid: places far away have few digits left."""
    if float(np.abs(lower).max()) <= NEAR_ORIGIN * diagonal:
        return mesh, lower
    return Mesh(mesh.vertices - lower, mesh.faces), np.zeros(3)


def _has_area(mesh: Mesh) -> bool:
    """Is there a face with three corners that are not on a line?"""
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    return bool(np.cross(b - a, c - a).any())
