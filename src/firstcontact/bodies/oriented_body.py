"""A mesh with a tree of oriented boxes."""

from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array
from firstcontact.hierarchy.oriented_tree import OrientedTree, oriented_tree
from firstcontact.scalar.vec3 import Vec3
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh


class OrientedBody(NamedTuple):
    """The triangles of a mesh in a tree of oriented boxes, all as seen from its origin.

    origin, reach : as in `Body`
    triangles : (n, N_TRIANGLE), see placed_triangle.py, in the order of the mesh
    """

    origin: Vec3
    reach: float
    triangles: Array
    tree: OrientedTree


@OnceForEachMesh
def oriented_body_of(mesh: Mesh) -> OrientedBody:
    """Return the body of a mesh with its tree of oriented boxes, made on the first call."""
    origin = mesh.centroid
    vertices, faces = mesh.vertices - origin, mesh.faces.copy()
    corners = vertices[faces]
    far = np.sqrt(np.max(np.einsum("ijk,ijk->ij", corners, corners), axis=1, initial=0.0))
    triangles = np.column_stack([corners.reshape(-1, 9), mesh.radii])
    x, y, z = origin.tolist()
    reach = float(np.max(far, initial=0.0))
    return OrientedBody((x, y, z), reach, triangles, oriented_tree(vertices, faces))
