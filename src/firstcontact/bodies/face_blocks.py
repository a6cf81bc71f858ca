"""The faces of a mesh in a tree of boxes, made once for all that ask for it."""

import numpy as np

from firstcontact._lanes import WIDTH
from firstcontact.hierarchy.box_blocks import BoxBlocks, box_blocks
from firstcontact.hierarchy.grid_blocks import grid_blocks
from firstcontact.shapes.height_field import HeightField
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh


@OnceForEachMesh
def face_blocks(mesh: Mesh) -> BoxBlocks:
    """Return the tree over the faces of a mesh, eight a leaf, made on the first call; of a grid, the grid."""
    if isinstance(mesh, HeightField):
        return grid_blocks(mesh.vertices.reshape(*mesh.heights.shape, 3), mesh.spacing)
    a, b, c = mesh.vertices[mesh.faces].transpose(1, 0, 2)
    # Two at a time: along an axis of three, the same takes three times as long.
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    return box_blocks(np.concatenate([low, high], axis=1), WIDTH)
