"""A mesh made ready for points, once: triangles in a tree of boxes, eight at a time in single precision."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact._lanes import (
    CORNER,
    LEAF_ROWS,
    LENGTH,
    LENGTH_2,
    LENGTH_3,
    SIDE_2,
    SIDE_3,
    WIDTH,
    X_AXIS,
    Y_AXIS,
    Z_AXIS,
    Singles,
)
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.face_blocks import face_blocks
from firstcontact.hierarchy.box_blocks import aligned, lane_blocks
from firstcontact.scalar.vec3 import Triangle, Vec3
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh

# Triangles thinner than this part of a side are segments: what is left out is far below a single's rounding.
FLAT = 1e-9

# Where places left over in a leaf are: farther than any limit, and its square is a single still.
NOWHERE = 2.0**60


class PointBody(NamedTuple):
    """The triangles of a mesh in a tree of boxes.

    Singles are in units in which all of it, seen from the middle, lies within [-1, 1]; doubles are scaled by
    the factor, a power of two, and otherwise exactly as they are. A place is one of WIDTH in a leaf.

    blocks : (m, BLOCK_ROWS, WIDTH) float32, boxes rounded outwards; the rows are those of `_lanes`
    links : the same memory as int32: of its row LINKS, the block of each child, ~l for leaf l
    leaves : (n_leaves, LEAF_ROWS, WIDTH) float32, triangles in frames of their own
    triangles : (n_leaves * WIDTH, 9), the corners
    faces : (n_leaves * WIDTH,) int32, the faces at all places; -1 for places left over
    middle, factor, depth : those of `BoxBlocks`
    longest : no side of a triangle is longer, in units of the tree
    """

    blocks: Singles
    links: Ids
    leaves: Singles
    triangles: Array
    faces: Ids
    middle: Vec3
    factor: float
    depth: int
    longest: float


@kernel
def corners_at(triangles: Array, place: int) -> Triangle:
    """Corners of the triangle at a place, scaled."""
    t = triangles[place]
    return (t[0], t[1], t[2]), (t[3], t[4], t[5]), (t[6], t[7], t[8])


@OnceForEachMesh
def point_body_of(mesh: Mesh) -> PointBody:
    """Return the body of a mesh, made on the first call."""
    corners = mesh.vertices[mesh.faces]
    tree = face_blocks(mesh)
    faces = tree.leaves.reshape(-1)
    triangles = np.ascontiguousarray((corners * tree.factor)[faces]) if len(faces) else np.empty((0, 3, 3))
    leaves, longest = _leaves(triangles - tree.middle, faces)
    blocks = lane_blocks(tree)
    return PointBody(
        blocks,
        blocks.view(np.int32),
        leaves,
        triangles.reshape(-1, 9),
        faces,
        tree.middle,
        tree.factor,
        tree.depth,
        longest,
    )


def _leaves(triangles: Array, faces: Ids) -> tuple[Singles, float]:
    """Bring triangles (n, 3, 3) into frames of their own; say how long their longest side is."""
    rows = np.zeros((len(faces), LEAF_ROWS))
    a, ab, ac = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    rows[:, CORNER:X_AXIS] = a
    x, length = _units(ab, np.array([1.0, 0.0, 0.0]))
    across = _without(x, _without(x, ac))
    y, height = _units(across, _any_across(x))
    is_flat = height <= FLAT * np.linalg.norm(ac, axis=1)
    y[is_flat] = _any_across(x)[is_flat]
    z = np.cross(x, y)
    rows[:, X_AXIS:Y_AXIS], rows[:, Y_AXIS:Z_AXIS], rows[:, Z_AXIS:LENGTH] = x, y, z
    rows[:, LENGTH] = length
    third = np.stack([_dots(x, ac), np.where(is_flat, 0.0, height)], axis=1)
    to_third = third - np.stack([length, np.zeros_like(length)], axis=1)
    for row, length_row, side in ((SIDE_2, LENGTH_2, third), (SIDE_3, LENGTH_3, to_third)):
        rows[:, row:length_row], rows[:, length_row] = _units(side, np.array([1.0, 0.0]))
    longest = float(rows[:, [LENGTH, LENGTH_2, LENGTH_3]].max(initial=0.0))
    rows[faces < 0] = 0.0
    rows[faces < 0, CORNER:X_AXIS] = NOWHERE
    rows[faces < 0, X_AXIS] = rows[faces < 0, Y_AXIS + 1] = rows[faces < 0, Z_AXIS + 2] = 1.0
    leaves = aligned((len(faces) // WIDTH, LEAF_ROWS, WIDTH))
    leaves[:] = rows.reshape(-1, WIDTH, LEAF_ROWS).transpose(0, 2, 1)
    return leaves, longest


def _units(vectors: Array, instead: Array) -> tuple[Array, Array]:
    """Make vectors (n, k) one long, those of no length something else; return them and their lengths."""
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    scaled = vectors / np.where(largest > 0.0, largest, 1.0)[:, np.newaxis]
    lengths = np.linalg.norm(scaled, axis=1)
    is_long = lengths > 0.0
    units = np.where(is_long[:, np.newaxis], scaled / np.where(is_long, lengths, 1.0)[:, np.newaxis], instead)
    return units, lengths * largest


def _dots(a: Array, b: Array) -> Array:
    products: Array = np.einsum("ij,ij->i", a, b)
    return products


def _without(x: Array, vectors: Array) -> Array:
    """Take from vectors what is along unit vectors x."""
    return vectors - _dots(x, vectors)[:, np.newaxis] * x


def _any_across(x: Array) -> Array:
    """Unit vectors at right angles to the unit vectors x."""
    axes = np.eye(3)[np.argmin(np.abs(x), axis=1)]
    across = np.cross(x, axes)
    return np.asarray(across / np.linalg.norm(across, axis=1, keepdims=True))
