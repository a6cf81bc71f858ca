"""A mesh made ready for rays, once."""

from typing import NamedTuple

import numpy as np

from firstcontact._lanes import LINKS, WIDTH, Singles
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.face_blocks import face_blocks
from firstcontact.hierarchy.box_blocks import lane_blocks
from firstcontact.scalar.vec3 import Vec3
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh


class RayBody(NamedTuple):
    """The triangles of a mesh in a tree of boxes; a place is one of WIDTH in a leaf.

    blocks : (m, BLOCK_ROWS, WIDTH) float32, boxes rounded outwards, and links; the rows are those of `_lanes`
    links : the same memory as int32
    triangles : (n_leaves, 9, WIDTH), the corners of the faces of each leaf, column by column, scaled by the
        tree's factor and otherwise as they are; NaN for those left over
    faces : (n_leaves * WIDTH,) int32, the faces at all places; -1 for places left over
    places : (n,) int32, the places of all faces
    factor, middle, half : those of `BoxBlocks`
    room : how many blocks and leaves wait at the most, where one of WIDTH is looked into; 0 of an empty mesh
    """

    blocks: Singles
    links: Ids
    triangles: Array
    faces: Ids
    places: Ids
    factor: float
    middle: Vec3
    half: Vec3
    room: int


class PackedRayBody(NamedTuple):
    """The same in three flat arrays, for a single ray: head and triangles; blocks; faces and places."""

    numbers: Array
    blocks: Singles
    faces: Ids


# Columns before the triangles of a packed body.
FACTOR = 0
MIDDLE = 1  # three
HALF = 4  # three
ROOM = 7
HEAD = 8


@OnceForEachMesh
def _bodies_of(mesh: Mesh) -> tuple[RayBody, PackedRayBody]:
    corners = mesh.vertices[mesh.faces]
    tree = face_blocks(mesh)
    flat = np.concatenate([corners.reshape(-1, 9) * tree.factor, np.full((1, 9), np.nan)])
    triangles = flat[tree.leaves].transpose(0, 2, 1)
    room = (WIDTH - 1) * tree.depth
    head = np.array([tree.factor, *tree.middle, *tree.half, room])
    numbers = np.concatenate([head, triangles.reshape(-1)])
    blocks, faces = lane_blocks(tree), tree.leaves.reshape(-1)
    blocks[:, :LINKS][np.isinf(blocks[:, :LINKS])] = np.nan  # left over: no ray enters what is NaN
    places = np.empty(len(mesh.faces), np.int32)
    places[faces[faces >= 0]] = np.flatnonzero(faces >= 0)
    packed = PackedRayBody(numbers, blocks.reshape(-1), np.concatenate([faces, places]))
    placed = numbers[HEAD:].reshape(triangles.shape)
    links = blocks.view(np.int32)
    body = RayBody(blocks, links, placed, faces, places, tree.factor, tree.middle, tree.half, room)
    return body, packed


def ray_body_of(mesh: Mesh) -> RayBody:
    """Return the body of a mesh, made on the first call."""
    return _bodies_of(mesh)[0]


def packed_ray_body_of(mesh: Mesh) -> PackedRayBody:
    """Return the packed body of a mesh, made on the first call."""
    return _bodies_of(mesh)[1]
