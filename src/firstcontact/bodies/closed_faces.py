"""Whether the faces of a mesh close it: by their vertices, or only by the places of these."""

from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Ids
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh


class ClosedFaces(NamedTuple):
    """The faces of a mesh, (m, 3), with one number for vertices at one place where that is needed.

    n_open_edges : edges that faces run along in one direction more often than in the other
    is_closed_by_ids : whether the mesh is closed wherever its vertices are
    """

    faces: Ids
    n_open_edges: int
    is_closed_by_ids: bool


@OnceForEachMesh
def closed_faces(mesh: Mesh) -> ClosedFaces:
    """Return what is known of a mesh's edges, found on the first call."""
    if n_open_edges(mesh.faces) == 0:
        return ClosedFaces(mesh.faces, 0, True)
    joined = joined_faces(mesh)
    return ClosedFaces(joined, n_open_edges(joined), False)


@OnceForEachMesh
def joined_faces(mesh: Mesh) -> Ids:
    """Give the faces of a mesh, (m, 3), with one number for vertices at one place."""
    _, ids = np.unique(mesh.vertices + 0.0, axis=0, return_inverse=True)  # -0.0 is where 0.0 is
    return ids.reshape(-1)[mesh.faces].astype(np.int32).reshape(-1, 3)


def n_open_edges(faces: Ids) -> int:
    """Count the edges that faces (m, 3) run along in one direction more often than in the other."""
    wide = faces.astype(np.int64)
    ends = np.roll(wide, -1, axis=1)
    keys = np.sort((np.minimum(wide, ends) << 32 | np.maximum(wide, ends)).reshape(-1))
    forth = np.sort((wide << 32 | ends)[wide < ends])
    # Edges in both directions are there as often forth as back: each is every second of all.
    if len(keys) == 2 * len(forth) and np.array_equal(keys[::2], forth) and np.array_equal(keys[1::2], forth):
        return 0
    edges, index = np.unique((np.minimum(wide, ends) << 32 | np.maximum(wide, ends)), return_inverse=True)
    balance = np.bincount(index.reshape(-1), np.sign(ends - wide).reshape(-1), minlength=len(edges))
    return int(np.count_nonzero(balance))
