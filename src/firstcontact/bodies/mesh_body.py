"""A mesh made ready for queries about rigid bodies, once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver
from firstcontact.arrays import Array, Ids
from firstcontact.bounds.swept_sphere import RADIUS, REACH
from firstcontact.hierarchy.volume_tree import VolumeTree, volume_tree
from firstcontact.scalar.vec3 import Vec3
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh


class Body(NamedTuple):
    """The triangles of a mesh in a tree of volumes, all as seen from its origin.

    origin : the mesh's centroid; differences from it are rounded to their own size, not to the coordinates'
    reach : no triangle has a point farther from the origin
    children, order, depth : as in `VolumeTree`
    volumes : (n_nodes, 16), around the triangles with their radii
    triangles : (n, N_TRIANGLE), see placed_triangle.py
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
    far = np.sqrt(np.max(np.einsum("ijk,ijk->ij", corners, corners), axis=1, initial=0.0))
    reach = float(np.max(far + mesh.radii, initial=0.0))
    radii = mesh.radii[tree.order]
    if radii.any():
        _grow_volumes(tree.children, radii, tree.volumes)
    triangles = np.column_stack([tree.points, radii])
    x, y, z = origin.tolist()
    return Body((x, y, z), reach, tree.children, tree.volumes, triangles, tree.order, tree.depth)


@driver
def _grow_volumes(children: Ids, radii: Array, volumes: Array) -> None:
    """Make each volume larger by the largest radius of a triangle below it."""
    largest = np.empty(len(children))
    for node in range(len(children) - 1, -1, -1):  # a parent comes before its children
        p = ~children[node, 0]
        largest[node] = radii[p] if p >= 0 else max(largest[children[node, 0]], largest[children[node, 1]])
        volumes[node, RADIUS] += largest[node]
        volumes[node, REACH] += largest[node]
