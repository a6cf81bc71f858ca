"""The faces of a mesh in a tree of boxes, made once for all that ask for it."""

import numpy as np

from firstcontact._lanes import WIDTH
from firstcontact.hierarchy.box_blocks import BoxBlocks, box_blocks
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh


@OnceForEachMesh
def face_blocks(mesh: Mesh) -> BoxBlocks:
    """Return the tree over the faces of a mesh, eight a leaf, made on the first call."""
    corners = mesh.vertices[mesh.faces]
    return box_blocks(np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1), WIDTH)
