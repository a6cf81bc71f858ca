"""A mesh made ready for rays, once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.hierarchy.box_blocks import BoxBlocks, box_blocks
from firstcontact.narrowphase.triangles.ray_triangle import LEAF_SIZE
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh


class RayBody(NamedTuple):
    """The triangles of a mesh in a tree of boxes.

    tree : its primitives are the faces
    triangles : (n_leaves, 9, LEAF_SIZE), the corners of the faces of each leaf, column by column, scaled by
        the tree's factor and otherwise as they are; NaN for those left over
    """

    tree: BoxBlocks
    triangles: NDArray[np.float64]


@OnceForEachMesh
def ray_body_of(mesh: Mesh) -> RayBody:
    """Return the body of a mesh, made on the first call."""
    corners = mesh.vertices[mesh.faces]
    tree = box_blocks(np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1), LEAF_SIZE)
    flat = np.concatenate([corners.reshape(-1, 9) * tree.factor, np.full((1, 9), np.nan)])
    return RayBody(tree, np.ascontiguousarray(flat[tree.leaves].transpose(0, 2, 1)))
