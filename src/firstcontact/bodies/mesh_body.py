"""A mesh made ready for queries about rigid bodies, once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.hierarchy.volume_tree import VolumeTree, volume_tree
from firstcontact.scalar.vec3 import Vec3
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh


class Body(NamedTuple):
    """The triangles of a mesh in a tree of volumes, all as seen from its origin.

    origin : the mesh's centroid; differences from it are rounded to their own size, not to the coordinates'
    reach : no triangle has a point farther from the origin
    children, volumes, triangles, order, depth : as in `VolumeTree`; triangles are (n, 9)
    """

    origin: Vec3
    reach: float
    children: NDArray[np.int32]
    volumes: NDArray[np.float64]
    triangles: NDArray[np.float64]
    order: NDArray[np.int32]
    depth: int


@OnceForEachMesh
def body_of(mesh: Mesh) -> Body:
    """Return the body of a mesh, made on the first call."""
    origin = mesh.centroid
    corners = (mesh.vertices - origin)[mesh.faces]
    tree: VolumeTree = volume_tree(corners)
    reach = float(np.sqrt(np.max(np.einsum("ijk,ijk->ij", corners, corners), initial=0.0)))
    x, y, z = origin.tolist()
    return Body((x, y, z), reach, *tree)
