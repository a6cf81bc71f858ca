"""The triangles of moving meshes, as the search for contacts sees them.

Meshes are put one behind the other: vertices, edges and faces of the second follow those of the first.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

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

# Places where the features of one mesh begin, and end.
SINGLE = 2


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


class Starts(NamedTuple):
    """Where the features of each of n meshes begin, and one past the end: (n + 1,) int64 each."""

    vertex: NDArray[np.int64]
    edge: NDArray[np.int64]
    face: NDArray[np.int64]


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


def joined_topology(topologies: Sequence[Topology]) -> tuple[Topology, Starts]:
    """Topology of meshes one behind the other, and where each of them begins."""
    counts = [[len(one.vertex_radii), len(one.edges), len(one.faces)] for one in topologies]
    starts = Starts(*np.concatenate([np.zeros((1, 3), np.int64), np.cumsum(counts, axis=0)]).T.copy())
    if len(topologies) == 1:
        return topologies[0], starts
    columns = {name: np.concatenate(parts) for name, parts in _columns(topologies)}
    vertex = starts.vertex[:-1].astype(np.int32)
    for name, of_each, first in (
        ("faces", starts.face, vertex),
        ("edges", starts.edge, vertex),
        ("face_edges", starts.face, starts.edge[:-1].astype(np.int32)),
    ):
        columns[name] += np.repeat(first, np.diff(of_each))[:, np.newaxis]
    return Topology(**columns), starts


def _columns(topologies: Sequence[Topology]) -> Iterator[tuple[str, tuple[NDArray[Any], ...]]]:
    return zip(Topology._fields, zip(*topologies, strict=True), strict=True)


def place_of(ids: Ids, starts: NDArray[np.int64]) -> Ids:
    """Which of the meshes has each feature, (n,) int32, by where the features of each begin."""
    if len(starts) == SINGLE:
        return np.zeros(len(ids), np.int32)
    return np.searchsorted(starts[1:-1], ids, side="right").astype(np.int32)


def topology_in(surface: Surface) -> Topology:
    """The topology of a surface."""
    return Topology._make(getattr(surface, name) for name in Topology._fields)


def joined_positions(things: Sequence[Moving]) -> tuple[Array, Array]:
    """Positions of all vertices at t = 0 and at t = 1, in arrays of their own."""
    if len(things) == 1:
        start, finish = ends(things[0])
        return np.array(start), np.array(finish)
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
