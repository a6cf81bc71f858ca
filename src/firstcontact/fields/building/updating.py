"""A field of a mesh that has changed a little: what is as it was is kept (docs/fields.md)."""

import numpy as np

from firstcontact.arrays import Array, Flags
from firstcontact.bodies.point_body import point_body_of
from firstcontact.fields.building.growing import Before, grown_octree
from firstcontact.fields.building.sampling import ROUNDING, SAMPLING, bounds_of_faces, task_of
from firstcontact.fields.field_file import Stored
from firstcontact.fields.field_values import field_values
from firstcontact.fields.octree import upper_of
from firstcontact.progress_bar import counted
from firstcontact.proximity.points.closest_on_mesh import closest_on_mesh
from firstcontact.proximity.points.winding import winding_numbers
from firstcontact.shapes.mesh import Mesh

# The attempt at winding numbers that is good to 0.005: whole numbers are told apart.
ATTEMPT = 1


def updated(field: Stored, before: Mesh, after: Mesh, max_cells: int, is_shown: bool) -> Stored | None:
    """The field of a mesh after some vertices have moved, on the same grid; None where it leaves the box."""
    if field.digest != before.content.digest:
        raise ValueError("before must be the mesh that the field was made of, to the last digit")
    grid = field.octree.grid
    lower, upper = np.array(grid.lower), upper_of(grid)
    bounds = bounds_of_faces(after)
    if (bounds[0] < lower).any() or (bounds[1] > upper).any():
        return None
    task, is_signed = task_of(after, grid, field.tolerance)
    is_moved = (before.vertices != after.vertices).any(axis=1)
    faces = before.faces[is_moved[before.faces].any(axis=1)]
    if len(faces) == 0:
        return field._replace(digest=after.content.digest)
    known = None
    if is_signed == field.is_signed:
        # All that is there no more, and all that is new: together closed, so that it has winding numbers.
        places = np.concatenate([before.vertices, after.vertices]) - lower + task.origin
        both = Mesh(places, np.concatenate([faces[:, ::-1], faces + before.n_vertices]))
        known = Before(
            field.octree, lambda p, radius: _is_same(field, both, p, p - task.origin + lower, radius)
        )
    with counted(is_shown, *SAMPLING, int(np.prod(grid.shape))) as tell:
        octree = grown_octree(task, max_cells, tell, known)
    return Stored(octree, field.tolerance, bounds, is_signed, digest=after.content.digest)


def _is_same(field: Stored, changed: Mesh, seen: Array, middles: Array, radius: float) -> Flags:
    """Is the distance what it was in boxes with these middles, as the source and as the field sees them?"""
    diagonal = float(np.linalg.norm(upper_of(field.octree.grid) - np.array(field.octree.grid.lower)))
    nearest = np.abs(field_values(field.octree, middles)) + field.tolerance
    away = closest_on_mesh(point_body_of(changed), seen).distances
    is_same: Flags = away > nearest + 2.0 * radius * (1.0 + 1e-9) + 4.0 * ROUNDING * diagonal
    if field.is_signed:
        kept = np.flatnonzero(is_same)
        turns = winding_numbers(changed, np.ascontiguousarray(seen[kept]), ATTEMPT)
        is_same[kept] = np.abs(turns) < 0.5
    return is_same
