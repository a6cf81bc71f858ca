"""Edges that pass through faces, as rows of a result."""

import numpy as np

from firstcontact.deformable.pierced import Pierced
from firstcontact.deformable.problem import Problem
from firstcontact.deformable.rows import Rows
from firstcontact.deformable.surface import Array
from firstcontact.narrowphase.elementary_query import CONTACT_AT_START
from firstcontact.status import ContactKind


def with_pierced(rows: Rows, problem: Problem, pierced: Pierced) -> Rows:
    """Add edges that pass through faces at the start to the contacts, in the same order."""
    if len(pierced.edges) == 0:
        return rows
    pairs = zip(rows, _pierced_rows(problem, pierced), strict=True)
    all_rows = Rows._make(np.concatenate([column, more]) for column, more in pairs)
    order = np.lexsort((all_rows.ids_b, all_rows.ids_a, all_rows.kind, all_rows.time))
    return Rows._make(column[order] for column in all_rows)


def _pierced_rows(problem: Problem, pierced: Pierced) -> Rows:
    """Describe edges that pass through faces. Each has five vertices: its row names none of them."""
    n, offsets, surface = len(pierced.edges), problem.offsets, problem.surface
    kind = np.full(n, ContactKind.EDGE_FACE, np.int8)
    ids_a, ids_b = pierced.edges.copy(), pierced.faces.copy()
    if not problem.is_self:
        is_swapped = pierced.edges >= offsets.edge
        kind[is_swapped] = ContactKind.FACE_EDGE
        ids_a[is_swapped], ids_b[is_swapped] = (
            pierced.faces[is_swapped],
            pierced.edges[is_swapped] - offsets.edge,
        )
        ids_b[~is_swapped] -= offsets.face
    points, normals = _geometry(
        surface.vertices_t0[surface.edges[pierced.edges]], surface.vertices_t0[surface.faces[pierced.faces]]
    )
    normals[kind == ContactKind.FACE_EDGE] *= -1.0
    return Rows(
        kind,
        ids_a,
        ids_b,
        np.full((n, 4), -1, np.int32),
        np.zeros(n),
        np.zeros(n),
        points,
        normals,
        np.full((n, 4), np.nan),
        np.full(n, CONTACT_AT_START, np.int8),
    )


def _geometry(edges: Array, faces: Array) -> tuple[Array, Array]:
    """Where edges (n, 2, 3) pass through faces (n, 3, 3), and unit normals of the faces, (n, 3) each.

    The shorter part of an edge counts as what has come through: the normal points from the longer part to it.
    """
    corner = faces[:, 0]
    # In units of the largest difference, so that no product underflows.
    spread = np.concatenate([faces - corner[:, np.newaxis], edges - corner[:, np.newaxis]], axis=1)
    seen = spread / np.abs(spread).max(axis=(1, 2), keepdims=True)
    plane = np.cross(seen[:, 1], seen[:, 2])
    ends = seen[:, 3:]
    heights = np.einsum("nij,nj->ni", ends, plane)
    # What is too flat to have a plane in floating point is passed along the edge.
    along = ends[:, 1] - ends[:, 0]
    is_flat = ~(heights[:, 0] * heights[:, 1] < 0.0)
    heights[is_flat] = -1.0, 1.0
    plane[is_flat] = along[is_flat]
    part = np.abs(heights[:, 0]) / np.abs(heights).sum(axis=1)
    nearer = np.where(part <= 0.5, heights[:, 0], heights[:, 1])
    normals = plane * np.sign(nearer)[:, np.newaxis] + 0.0  # no zeros with a sign
    points = edges[:, 0] + part[:, np.newaxis] * (edges[:, 1] - edges[:, 0])
    return points, normals / np.linalg.norm(normals, axis=1, keepdims=True)
