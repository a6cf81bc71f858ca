"""A mesh made ready for rays, once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Ids
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


class PackedRayBody(NamedTuple):
    """The same in three arrays, for a single ray: the head and the triangles; boxes; children and leaves."""

    numbers: Array
    boxes: NDArray[np.float32]
    links: Ids


# Columns before the triangles of a packed body.
FACTOR = 0
MIDDLE = 1  # three
HALF = 4  # three
DEPTH = 7
N_BLOCKS = 8
HEAD = 16


@OnceForEachMesh
def _bodies_of(mesh: Mesh) -> tuple[RayBody, PackedRayBody]:
    corners, head = mesh.vertices[mesh.faces], np.zeros(HEAD)
    tree = box_blocks(np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1), LEAF_SIZE)
    flat = np.concatenate([corners.reshape(-1, 9) * tree.factor, np.full((1, 9), np.nan)])
    triangles = flat[tree.leaves].transpose(0, 2, 1)
    head[: N_BLOCKS + 1] = tree.factor, *tree.middle, *tree.half, tree.depth, len(tree.boxes)
    numbers = np.concatenate([head, triangles.reshape(-1)])
    links = np.concatenate([tree.children.reshape(-1), tree.leaves.reshape(-1)])
    packed = PackedRayBody(numbers, tree.boxes.reshape(-1), links)
    return RayBody(tree, numbers[HEAD:].reshape(triangles.shape)), packed


def ray_body_of(mesh: Mesh) -> RayBody:
    """Return the body of a mesh, made on the first call."""
    return _bodies_of(mesh)[0]


def packed_ray_body_of(mesh: Mesh) -> PackedRayBody:
    """Return the packed body of a mesh, made on the first call."""
    return _bodies_of(mesh)[1]
