"""The triangles of one or two moving meshes, as the search for contacts sees them.

Two meshes are put one behind the other: vertices, edges and faces of the second follow those of the first.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Ids
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving

# Bits of a face that owns everything it has, and of one that owns its corners; the first bit of an edge.
OWNS_ALL = 63
OWNS_CORNERS = 7
OWN_EDGES = 8


class Topology(NamedTuple):
    """What does not depend on where the vertices are.

    owned : six bits a face: 1 << i if the face stands for its corner i, 8 << i for its edge i
    vertex_radii, edge_radii, face_radii : how far around each the material reaches: of faces, and elements of
        points and strands, as `Mesh.radii` has it; of others, as far as that of a face that they belong to,
        so that two faces are within their radii of each other exactly if two of their features are
    """

    faces: Ids
    edges: Ids
    face_edges: Ids
    owned: NDArray[np.uint8]
    vertex_radii: Array
    edge_radii: Array
    face_radii: Array


class Surface(NamedTuple):
    """Moving triangles, by the fields of their topology, with the swept bounds of all features.

    Flat, since the compiler's parallel loops take no tuples within tuples.
    """

    vertices_t0: Array
    vertices_t1: Array
    faces: Ids
    edges: Ids
    face_edges: Ids
    owned: NDArray[np.uint8]
    vertex_radii: Array
    edge_radii: Array
    face_radii: Array
    vertex_bounds: Array
    edge_bounds: Array
    face_bounds: Array


class Offsets(NamedTuple):
    """Where the second of two meshes begins; one past the end for a mesh alone."""

    vertex: int
    edge: int
    face: int


@OnceForEachMesh
def topology_of(mesh: Mesh) -> Topology:
    """Topology of a mesh, worked out once; the arrays are not the mesh's own, which are read-only.

    Of a cloud each element is one edge, with the same number: the other two of its face are no others.
    """
    faces, edges, face_edges = mesh.faces.copy(), mesh.edges.copy(), mesh.face_edges.copy()
    if mesh.is_cloud:
        edges = np.ascontiguousarray(faces[:, :2])
        face_edges = np.repeat(np.arange(len(faces), dtype=np.int32), 3).reshape(-1, 3)
    owned = _first_uses(faces) | _first_uses(face_edges) << np.uint8(3)
    radii = mesh.radii.copy()
    vertex_radii, edge_radii = np.zeros(mesh.n_vertices), np.zeros(len(edges))
    if mesh.thickness > 0.0:
        np.maximum.at(vertex_radii, faces.reshape(-1), np.repeat(radii, 3))
        np.maximum.at(edge_radii, face_edges.reshape(-1), np.repeat(radii, 3))
    return Topology(faces, edges, face_edges, owned, vertex_radii, edge_radii, radii)


def joined_topology(topologies: Sequence[Topology], vertex: int) -> tuple[Topology, Offsets]:
    """Topology of one mesh, or of two of which the first has that many vertices."""
    first = topologies[0]
    offsets = Offsets(vertex, len(first.edges), len(first.faces))
    if len(topologies) == 1:
        return first, offsets
    second = topologies[1]
    joined = Topology(
        np.concatenate([first.faces, second.faces + np.int32(vertex)]),
        np.concatenate([first.edges, second.edges + np.int32(vertex)]),
        np.concatenate([first.face_edges, second.face_edges + np.int32(offsets.edge)]),
        np.concatenate([first.owned, second.owned]),
        np.concatenate([first.vertex_radii, second.vertex_radii]),
        np.concatenate([first.edge_radii, second.edge_radii]),
        np.concatenate([first.face_radii, second.face_radii]),
    )
    return joined, offsets


def topology_in(surface: Surface) -> Topology:
    """The topology of a surface."""
    return Topology._make(getattr(surface, name) for name in Topology._fields)


def joined_positions(things: Sequence[Moving]) -> tuple[Array, Array]:
    """Positions of all vertices at t = 0 and at t = 1."""
    starts, finishes = zip(*map(ends, things), strict=True)
    return np.concatenate(starts), np.concatenate(finishes)


def ends(thing: Moving) -> tuple[Array, Array]:
    """Positions of the vertices at t = 0 and at t = 1, of a thing whose vertices move on straight lines."""
    if thing.kind is Kind.DEFORMING:
        return thing.deformation.vertices_t0, thing.deformation.vertices_t1
    if thing.motion.is_batch or not thing.motion.is_resting:
        raise TypeError(
            "vertices must move on straight lines here: what Mesh.deforming gives, or one mesh at rest"
        )
    vertices = thing.vertices(0.0)
    return vertices, vertices


def _first_uses(ids: Ids) -> NDArray[np.uint8]:
    """Mark, with a bit for each of three columns, where an id occurs for the first time."""
    _, first = np.unique(ids.reshape(-1), return_index=True)
    is_first = np.zeros((len(ids), 8), dtype=np.bool_)
    is_first[first // 3, first % 3] = True
    return np.packbits(is_first, axis=1, bitorder="little")[:, 0]
