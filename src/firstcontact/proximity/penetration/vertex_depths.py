"""How deep points are inside a solid, and the way out: to the nearest point of its surface."""

from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array, Ids
from firstcontact.proximity.points.signed_on_convex import signed_on_convex
from firstcontact.proximity.points.signed_on_mesh import WINDING, signed_on_mesh
from firstcontact.shapes.convex_shape import ConvexShape
from firstcontact.shapes.mesh import Mesh


class Inside(NamedTuple):
    """Points that are inside a solid, in its frame.

    ids : (n,) int32, which they are
    depths : (n,)
    directions : (n, 3), unit vectors: the way to the surface
    points : (n, 3), the nearest points of the surface
    faces : (n,) int32, of a mesh; -1 for shapes without faces
    """

    ids: Ids
    depths: Array
    directions: Array
    points: Array
    faces: Ids


def inside_solid(solid: Mesh | ConvexShape, points: Array) -> Inside:
    """Find the points (n, 3) that are inside a closed mesh, or a convex shape, in its frame.

    Only those in its box are looked at. Inside a mesh is what it winds around, also where it passes through
    itself; the nearest point may then be on a sheet that is within the solid.
    """
    lower, upper = solid.bounds
    near = np.flatnonzero(((points >= lower) & (points <= upper)).all(axis=1))
    places = np.ascontiguousarray(points[near])
    if isinstance(solid, Mesh):
        field = signed_on_mesh(solid, places, WINDING)
    else:
        field = signed_on_convex(solid, places)
    rows = np.flatnonzero(field.distances < 0.0)
    ids, depths = near[rows].astype(np.int32), -field.distances[rows]
    return Inside(ids, depths, field.normals[rows], field.points[rows], field.faces[rows])
