"""What of a mesh can be a contact of its own: its corners and creases, and the faces around them.

A flat polygon is made of triangles that share edges, and vertices, within it. Where such a polygon lies on
another, it touches in the corners of the overlap: what is within either polygon, or along a straight crease,
adds nothing.

A feature of a mesh is one number: vertices come first, then edges, then faces. In a triangle they are
numbered alike: corners 0 to 2, edges 3 to 5 (edge 3 + i joins the corners i and i + 1), the face 6.
"""

from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array, Flags, Ids
from firstcontact.bodies.mesh_body import body_of
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh

# An angle, in radians, below which two faces are one, and two edges are: some roundings of coordinates in
# single precision, in which many meshes are kept. Over the length of an edge it is no more than the default
# tolerance. Which contacts are listed depends on it, and nothing that is proven.
FLAT = 2.0**-20


class Creases(NamedTuple):
    """The features of a mesh; triangles are numbered as in its body.

    features : (m, 7) int32, the features of each triangle
    does_count : which features can be a contact of their own: corners, creases, and all faces
    offsets, around : the triangles around feature f are ``around[offsets[f]:offsets[f + 1]]``, that of the
        lowest face id first
    first_edge, first_face : where the edges and the faces begin
    largest : the number of triangles around any feature is at most this
    """

    features: Ids
    does_count: Flags
    offsets: Ids
    around: Ids
    first_edge: int
    first_face: int
    largest: int


@OnceForEachMesh
def creases_of(mesh: Mesh) -> Creases:
    """Creases of a mesh, worked out once."""
    order = body_of(mesh).order
    first_edge, first_face = mesh.n_vertices, mesh.n_vertices + len(mesh.edges)
    last = np.arange(first_face, first_face + mesh.n_faces, dtype=np.int32)[:, np.newaxis]
    features = np.concatenate([mesh.faces, mesh.face_edges + np.int32(first_edge), last], axis=1)
    # In units of the size, products neither overflow nor underflow.
    points = mesh.vertices - mesh.centroid
    points /= float(np.abs(points).max(initial=0.0)) or 1.0
    is_crease = ~_is_flat(mesh, points)
    is_corner = _is_corner(mesh, points, is_crease)
    does_count = np.concatenate([is_corner, is_crease, np.ones(mesh.n_faces, np.bool_)])
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order), dtype=np.int32)
    around = rank[np.argsort(features.reshape(-1), kind="stable") // 7]
    n_around = np.bincount(features.reshape(-1), minlength=first_face + mesh.n_faces)
    offsets = np.concatenate(([0], np.cumsum(n_around))).astype(np.int32)
    largest = int(n_around.max(initial=1))
    return Creases(features[order], does_count, offsets, around, first_edge, first_face, largest)


def _is_flat(mesh: Mesh, points: Array) -> Flags:
    """Is an edge between two faces that go on in one plane? Faces without area do not."""
    offsets, face_ids = mesh.edge_faces
    edges = np.flatnonzero(np.diff(offsets) == 2)
    start, end = mesh.edges[edges].T
    along = points[end] - points[start]
    normals = []
    for k in range(2):
        # Of the three corners, the one that is not an end.
        third = mesh.faces[face_ids[offsets[edges] + k]].sum(axis=1, dtype=np.int64) - start - end
        normals.append(_unit(np.cross(along, points[third] - points[start])))
    is_flat = np.zeros(len(mesh.edges), np.bool_)
    # Seen along the edge, the third corners are on opposite sides, and so are these normals.
    has_area = normals[0].any(axis=1)
    is_flat[edges] = has_area & (np.linalg.norm(normals[0] + normals[1], axis=1) <= FLAT)
    return is_flat


def _is_corner(mesh: Mesh, points: Array, is_crease: Flags) -> Flags:
    """Do creases end or turn at a vertex? It is no corner without any, nor where two go straight on."""
    edges = mesh.edges[is_crease]
    directions = _unit(points[edges[:, 1]] - points[edges[:, 0]])
    ends, n = edges.reshape(-1), mesh.n_vertices
    signed = np.stack([directions, -directions], axis=1).reshape(-1, 3)
    n_creases = np.bincount(ends, minlength=n)
    sums = np.stack([np.bincount(ends, weights=signed[:, k], minlength=n) for k in range(3)], axis=1)
    is_straight = (n_creases == 2) & (np.linalg.norm(sums, axis=1) <= FLAT)
    is_corner: Flags = (n_creases > 0) & ~is_straight
    is_corner[edges[~directions.any(axis=1)].reshape(-1)] = True  # a crease of no length is a point
    return is_corner


def _unit(vectors: Array) -> Array:
    """Vectors of length one; none stays none."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Array = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0.0)
    return unit
