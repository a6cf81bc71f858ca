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
    ends, corners = surface.edges[pierced.edges], surface.faces[pierced.faces]
    part, weights, normals = _geometry(surface.vertices_t0[ends], surface.vertices_t0[corners])
    points = np.einsum("ni,nij->nj", part, surface.vertices_t0[ends])
    motion = surface.vertices_t1 - surface.vertices_t0
    approach = np.einsum("ni,nij->nj", part, motion[ends]) - np.einsum("ni,nij->nj", weights, motion[corners])
    closing_speed = np.einsum("nj,nj->n", approach, normals)  # the same from the face's side
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
        closing_speed,
        np.full((n, 4), np.nan),
        np.full(n, CONTACT_AT_START, np.int8),
    )


def _geometry(edges: Array, faces: Array) -> tuple[Array, Array, Array]:
    """Where edges (n, 2, 3) pass through faces (n, 3, 3), and unit normals of the faces.

    Weights of the edges' ends, (n, 2), and of the faces' corners, (n, 3), and normals, (n, 3). The shorter
    part of an edge counts as what has come through: the normal points from the longer part to it.
    """
    corner = faces[:, :1]
    # In units of the largest difference, so that no product underflows.
    spread = np.concatenate([faces - corner, edges - corner], axis=1)
    seen = spread / np.abs(spread).max(axis=(1, 2), keepdims=True)
    plane = np.cross(seen[:, 1], seen[:, 2])
    ends = seen[:, 3:]
    heights = np.einsum("nij,nj->ni", ends, plane)
    # What is too flat to have a plane in floating point is passed along the edge.
    is_flat = ~(heights[:, 0] * heights[:, 1] < 0.0)
    heights[is_flat] = -1.0, 1.0
    plane[is_flat] = ends[is_flat, 1] - ends[is_flat, 0]
    part = np.abs(heights[:, ::-1]) / np.abs(heights).sum(axis=1, keepdims=True)
    nearer = np.where(part[:, 0] >= 0.5, heights[:, 0], heights[:, 1])
    normals = plane * np.sign(nearer)[:, np.newaxis] + 0.0  # no zeros with a sign
    weights = _weights(seen[:, :3], np.einsum("ni,nij->nj", part, ends), plane)
    return part, weights, normals / np.linalg.norm(normals, axis=1, keepdims=True)


def _weights(faces: Array, points: Array, planes: Array) -> Array:
    """Barycentric weights, (n, 3), of points in faces; those of the middle where a face is too flat."""
    around = faces - points[:, np.newaxis]
    areas = np.stack(
        [
            np.einsum("nj,nj->n", np.cross(around[:, (i + 1) % 3], around[:, (i + 2) % 3]), planes)
            for i in range(3)
        ],
        axis=1,
    )
    areas = np.maximum(areas, 0.0)
    total = areas.sum(axis=1, keepdims=True)
    return np.where(total > 0.0, areas / np.where(total > 0.0, total, 1.0), 1.0 / 3.0)
