"""From pairs of triangles to pairs of features whose bounds overlap, a load of pairs at a time.

Most pairs of triangles are neighbours in a mesh, and share corners; and most features of a pair are stood for
by other triangles. Which ones are left is read from tables, by which corners two triangles share.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact._lanes import lowest_bit
from firstcontact.arrays import Ids
from firstcontact.deformable.surface import Surface
from firstcontact.hierarchy.traversal import is_overlapping

Counts = NDArray[np.int64]
Table = NDArray[np.int64]

# At most as many pairs of features come from a pair of triangles.
MOST_VERTEX_FACES = 6
MOST_EDGE_EDGES = 9
MOST_EDGE_FACES = 6

# Bits that say which corners of a face it stands for; those of its edges are above them.
_CORNERS, _FIRST_EDGE = 7, 3


class FeatureLists(NamedTuple):
    """Room for pairs of features: (n, 2) ids each, and `edge_faces` at the start only."""

    vertex_faces: Ids
    edge_edges: Ids
    edge_faces: Ids


@kernel
def feature_lists(n_pairs: int) -> FeatureLists:
    """Room for what comes from so many pairs of triangles."""
    return FeatureLists(
        np.empty((n_pairs * MOST_VERTEX_FACES, 2), np.int32),
        np.empty((n_pairs * MOST_EDGE_EDGES, 2), np.int32),
        np.empty((n_pairs * MOST_EDGE_FACES, 2), np.int32),
    )


def _tables() -> tuple[Table, Table, Table]:
    """By which corners are equal, bit 3 i + j for corner i of one triangle and j of the other.

    Which corners of the first are none of the second; of the second, none of the first; and which edges have
    no vertex in common, bit 3 i + j, where edge i begins at corner i.
    """
    codes = np.arange(1 << 9)
    is_same = (codes[:, np.newaxis] >> np.arange(9) & 1).reshape(-1, 3, 3).astype(np.bool_)
    weights = 1 << np.arange(3)
    of_edges = is_same | np.roll(is_same, -1, axis=1)
    of_edges |= np.roll(of_edges, -1, axis=2)
    return (
        ~is_same.any(axis=2) @ weights,
        ~is_same.any(axis=1) @ weights,
        ~of_edges.reshape(-1, 9) @ (1 << np.arange(9)),
    )


_APART_A, _APART_B, _EDGES_APART = _tables()

# Edges of which all corners that are apart, by bits: an edge goes from its corner to the next one.
_WHOLE: Table = np.array([c & (c >> 1 | c << 2) & _CORNERS for c in range(8)])

# Pairs of edges that two triangles stand for, by the bits of the first, 8 times, and those of the second.
_BOTH: Table = np.array(
    [sum((b << 3 * i) * (a >> i & 1) for i in range(3)) for a in range(8) for b in range(8)]
)


@kernel
def shared_corners(faces: Ids, f: int, g: int) -> int:
    """Say which corners of two faces are equal: bit 3 i + j for corner i of the one and j of the other."""
    code = 0
    for i in range(3):
        for j in range(3):
            code |= (faces[f, i] == faces[g, j]) << (3 * i + j)
    return code


@kernel
def list_features(
    surface: Surface, has_bounds: bool, pairs: Ids, n_pairs: int, lists: FeatureLists
) -> tuple[int, int, int]:
    """List vertices against faces and edges against edges; return how many of each, and how many were seen.

    Each face of a pair brings the features that it stands for. Those that share a vertex are left out, and,
    with bounds, those whose bounds are apart.
    """
    faces, face_edges, owned = surface.faces, surface.face_edges, surface.owned
    vertex_bounds, edge_bounds, face_bounds = surface.vertex_bounds, surface.edge_bounds, surface.face_bounds
    vertex_faces, edge_edges = lists.vertex_faces, lists.edge_edges
    n_vertex_faces = n_edge_edges = n_seen = 0
    for k in range(n_pairs):
        f, g = pairs[k, 0], pairs[k, 1]
        same, own_f, own_g = shared_corners(faces, f, g), int(owned[f]), int(owned[g])
        for side in range(2):
            mine, other = (f, g) if side == 0 else (g, f)
            corners = (_APART_A[same] & own_f if side == 0 else _APART_B[same] & own_g) & _CORNERS
            while corners != 0:
                vertex = faces[mine, lowest_bit(corners)]
                corners &= corners - 1
                n_seen += 1
                vertex_faces[n_vertex_faces, 0], vertex_faces[n_vertex_faces, 1] = vertex, other
                n_vertex_faces += not has_bounds or is_overlapping(vertex_bounds, vertex, face_bounds, other)
        edges = _EDGES_APART[same] & _BOTH[(own_f >> _FIRST_EDGE) << 3 | own_g >> _FIRST_EDGE]
        while edges != 0:
            at = lowest_bit(edges)
            edges &= edges - 1
            e, d = face_edges[f, at // 3], face_edges[g, at % 3]
            n_seen += 1
            # One order for a pair, however it was met: its answer depends on nothing else.
            edge_edges[n_edge_edges, 0], edge_edges[n_edge_edges, 1] = min(e, d), max(e, d)
            n_edge_edges += not has_bounds or is_overlapping(edge_bounds, e, edge_bounds, d)
    return n_vertex_faces, n_edge_edges, n_seen


@kernel
def list_edge_faces(surface: Surface, has_bounds: bool, pairs: Ids, n_pairs: int, lists: FeatureLists) -> int:
    """List edges against faces that share no vertex with them; return how many there are."""
    faces, face_edges, owned = surface.faces, surface.face_edges, surface.owned
    edge_bounds, face_bounds, edge_faces = surface.edge_bounds, surface.face_bounds, lists.edge_faces
    n = 0
    for k in range(n_pairs):
        f, g = pairs[k, 0], pairs[k, 1]
        same = shared_corners(faces, f, g)
        for side in range(2):
            mine, other = (f, g) if side == 0 else (g, f)
            corners = _APART_A[same] if side == 0 else _APART_B[same]
            edges = _WHOLE[corners] & int(owned[mine]) >> _FIRST_EDGE
            while edges != 0:
                edge = face_edges[mine, lowest_bit(edges)]
                edges &= edges - 1
                edge_faces[n, 0], edge_faces[n, 1] = edge, other
                n += not has_bounds or is_overlapping(edge_bounds, edge, face_bounds, other)
    return n
