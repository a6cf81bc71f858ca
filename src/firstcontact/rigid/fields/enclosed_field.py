"""Is a part of a field's shape inside a closed mesh, whose surface it does not touch?

No single point could tell: a shape may have many parts. So the box around it is taken apart, until each cell
is away from the shape, or outside the mesh, or has a middle that is inside the mesh and, for all that the
field knows, in the shape. The distance to the shape changes by no more than a point moves, so a cell is away
from it where the field in its middle, less the tolerance, is more than half its diagonal.
"""

from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array
from firstcontact.bodies.point_body import point_body_of
from firstcontact.fields.distance_field import DistanceField
from firstcontact.fields.field_values import field_values
from firstcontact.proximity.points.closest_on_mesh import closest_on_mesh
from firstcontact.proximity.points.winding import winds_around
from firstcontact.shapes.mesh import Mesh

# Cells that are looked at together, those that are deepest in the field first.
BLOCK = 512

# Cells are not split below this part of the field's tolerance, nor are more than so many kept: what is open
# then counts as inside.
OF_TOLERANCE, MOST_CELLS = 0.25, 1 << 20

# Blocks that are looked at for a point that is in the shape for certain, once one is known that may be.
MOST_BLOCKS = 64

# Rounding of places and distances, in units of the largest coordinate.
ROUNDING = 2.0**-44

_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


def may_enclose(mesh: Mesh, field: DistanceField, pose: Array) -> bool:
    """Is a part of a field's shape inside a closed mesh? No is proven, if the surface does not touch it.

    pose : (4, 4) of the field in the frame of the mesh
    """
    return enclosed_point(mesh, field, pose) is not None


class Enclosed(NamedTuple):
    """A point (3,) inside a closed mesh, in its frame; and how far from it a field's shape is at most."""

    point: Array
    beyond: float


def enclosed_point(
    mesh: Mesh, field: DistanceField, pose: Array, is_proof_wanted: bool = False
) -> Enclosed | None:
    """Give a point that may be in the shape and inside; with a proof one that is, where it is found soon."""
    known: Enclosed | None = None
    n_blocks = 0
    turn, place = pose[:3, :3], pose[:3, 3]
    half = 0.5 * (field.bounds[1] - field.bounds[0])
    size = max(np.abs(x).max() for x in (field.bounds, mesh.bounds, place))
    slack, smallest = ROUNDING * float(size), OF_TOLERANCE * field.tolerance
    body = point_body_of(mesh)
    middles, parts, keys = field.bounds.mean(axis=0)[np.newaxis], np.ones(1), np.zeros(1)
    while 0 < len(middles) <= MOST_CELLS:
        order = np.argsort(keys)
        now, later = order[:BLOCK], order[BLOCK:]
        cells, sizes = middles[now], parts[now]
        radii = sizes * float(np.linalg.norm(half)) + slack
        least = field_values(field.octree, cells) - field.tolerance
        seen = cells @ turn.T + place
        is_inside = winds_around(mesh, seen)
        is_open = (least <= radii) & (is_inside | (closest_on_mesh(body, seen).distances <= radii))
        is_found = is_open & ((is_inside & (least <= slack)) | (radii <= smallest + 2.0 * slack))
        if is_found.any():
            best = int(np.argmin(np.where(is_found, least, np.inf)))
            most = float(least[best]) + 2.0 * field.tolerance + slack
            if known is None or most < known.beyond:
                known = Enclosed(seen[best], max(most if is_inside[best] else np.inf, 0.0))
        if known is not None:
            if known.beyond == 0.0 or not is_proof_wanted or n_blocks == MOST_BLOCKS:
                return known
            n_blocks += 1
            is_open &= least - radii <= -2.0 * field.tolerance  # only there a point can be in for certain
        split = cells[is_open, np.newaxis] + sizes[is_open, np.newaxis, np.newaxis] * _CORNERS * half
        middles = np.concatenate([middles[later], split.reshape(-1, 3)])
        parts = np.concatenate([parts[later], np.repeat(0.5 * sizes[is_open], 8)])
        keys = np.concatenate([keys[later], np.repeat(least[is_open], 8)])
    if known is None and len(middles) > 0:
        return Enclosed(middles[0] @ turn.T + place, np.inf)
    return known
