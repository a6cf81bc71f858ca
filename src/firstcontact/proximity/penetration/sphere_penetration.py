"""Penetration of spheres and closed meshes: how far the centre is from the surface, and on which side."""

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.bodies.wide_body import wide_body_of
from firstcontact.motions.rigid_motion import POSITION, ROTATION
from firstcontact.proximity.distance.mesh_distance import mesh_distances
from firstcontact.proximity.penetration.convex_penetration import ConvexPenetration
from firstcontact.proximity.touching.inside import contained
from firstcontact.shapes.mesh import Mesh

# The centre of a sphere, as a mesh.
CENTER = Mesh([[0.0, 0.0, 0.0]], [[0, 0, 0]])


def sphere_mesh_penetrations(radius: float, mesh: Mesh, rows_a: Array, rows_b: Array) -> ConvexPenetration:
    """Measure a sphere a and a closed mesh b at rest: rows (n, 26) of each motion, or (1, 26) for all."""
    measured = mesh_distances(wide_body_of(CENTER), wide_body_of(mesh), rows_a, rows_b)
    centers, points = measured.points[:, 0], measured.points[:, 1]
    is_inside = contained(CENTER, mesh, rows_a, rows_b)
    sign = np.where(is_inside, -1.0, 1.0)
    depth = radius - sign * measured.distance
    with np.errstate(invalid="ignore", divide="ignore"):
        direction = (sign / measured.distance)[:, np.newaxis] * (points - centers)
    on_surface = np.flatnonzero(measured.distance == 0.0)
    if len(on_surface) > 0:
        faces, rotations = measured.faces[on_surface, 1], _rotations(rows_b, len(depth))[on_surface]
        direction[on_surface] = -np.einsum("ijk,ik->ij", rotations, _normals(mesh, faces))
    is_overlapping = depth >= 0.0
    direction[~is_overlapping] = np.nan
    points_a = centers + radius * direction
    points_b = points_a - depth[:, np.newaxis] * direction
    depth[~is_overlapping] = 0.0
    return ConvexPenetration(depth, direction, points_a, points_b, is_overlapping)


def _normals(mesh: Mesh, faces: NDArray[np.int32]) -> Array:
    """Unit normals of faces; the first axis where a face has none."""
    a, b, c = (mesh.vertices[mesh.faces[faces, k]] for k in range(3))
    normals: Array = np.cross(b - a, c - a)
    lengths = np.linalg.norm(normals, axis=1)
    normals[lengths == 0.0] = [1.0, 0.0, 0.0]
    normals /= np.where(lengths == 0.0, 1.0, lengths)[:, np.newaxis]
    return normals


def _rotations(rows: Array, n: int) -> Array:
    return np.broadcast_to(rows[:, ROTATION:POSITION].reshape(-1, 3, 3), (n, 3, 3))
