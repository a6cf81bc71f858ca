"""Edges that pass through faces, as rows of a result."""

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.deformable.elementary_candidates import FeaturesFound
from firstcontact.deformable.feature_names import Names, names_of, swapped_back
from firstcontact.deformable.problem import Problem
from firstcontact.deformable.rows import Rows, described, in_order
from firstcontact.deformable.surface import place_of
from firstcontact.deformable.touching.pierced import Pierced
from firstcontact.narrowphase.elementary.elementary_query import CONTACT_AT_START
from firstcontact.status import ContactKind

# Ways by which an edge leaves a face: by an end, or over a side.
BY_FIRST_END, BY_SECOND_END = -1, 0
SIDES = (1, 2, 3)

# Depths, in units of the pair's size, up to which features may touch but for rounding: that is looked at.
SHALLOW = 1e-9

# Products of an edge and a side shorter than this, in units of the pair's size, have no direction left.
SHORTEST_WAY = 2.0**-40


def with_pierced(rows: Rows, problem: Problem, pierced: Pierced) -> Rows:
    """Add edges that pass through faces at the start to the contacts, in the same order."""
    if len(pierced.edges) == 0:
        return rows
    pairs = zip(rows, _pierced_rows(problem, pierced), strict=True)
    all_rows = Rows._make(np.concatenate([column, more]) for column, more in pairs)
    return in_order(all_rows)


def _pierced_rows(problem: Problem, pierced: Pierced) -> Rows:
    """Describe edges that pass through faces. Each has five vertices: its row names none of them."""
    n, starts, surface = len(pierced.edges), problem.starts, problem.surface
    kind = np.full(n, ContactKind.EDGE_FACE, np.int8)
    things = np.stack([place_of(pierced.edges, starts.edge), place_of(pierced.faces, starts.face)], axis=1)
    edges, faces = (
        ids - begins[things[:, side]].astype(np.int32)
        for side, (ids, begins) in enumerate(((pierced.edges, starts.edge), (pierced.faces, starts.face)))
    )
    names = swapped_back(Names(kind, things, edges, faces), ContactKind.FACE_EDGE)
    ends, corners = surface.edges[pierced.edges], surface.faces[pierced.faces]
    part, weights, normals, depths = _geometry(surface.vertices_t0[ends], surface.vertices_t0[corners])
    points = np.einsum("ni,nij->nj", part, surface.vertices_t0[ends])
    motion = surface.vertices_t1 - surface.vertices_t0
    approach = np.einsum("ni,nij->nj", part, motion[ends]) - np.einsum("ni,nij->nj", weights, motion[corners])
    _settle_shallow(problem, pierced, np.flatnonzero(depths <= SHALLOW), normals)
    closing_speed = np.einsum("nj,nj->n", approach, normals)  # the same from the face's side
    is_swapped = kind == ContactKind.FACE_EDGE
    normals[is_swapped] *= -1.0
    approach[is_swapped] *= -1.0
    return Rows(
        *names,
        np.full((n, 4), -1, np.int32),
        np.zeros(n),
        np.zeros(n),
        points,
        normals,
        closing_speed,
        np.full((n, 4), np.nan),
        np.full(n, CONTACT_AT_START, np.int8),
        np.zeros(n),
        approach,
    )


def _settle_shallow(problem: Problem, pierced: Pierced, rows: NDArray[np.intp], normals: Array) -> None:
    """Give rows that pass through by hardly more than rounding the normals of what touches there.

    How deep they are says little then. An end of the edge touches the face, or the edge a side of it: the
    normal of such a contact comes from what is around it.
    """
    for way in (BY_FIRST_END, BY_SECOND_END, *SIDES):
        part = Pierced(pierced.edges[rows], pierced.faces[rows])
        found, is_back = _touch(problem, part, way)
        names = names_of(problem, found)
        geometry = described(problem, found, names)[1]
        is_back |= names.kind == ContactKind.FACE_VERTEX
        signs = np.where(is_back, -1.0, 1.0)[:, np.newaxis]
        is_open = geometry.is_open
        normals[rows[is_open]] = (signs * geometry.normals)[is_open]
        rows = rows[~is_open]


def _touch(problem: Problem, pierced: Pierced, way: int) -> tuple[FeaturesFound, NDArray[np.bool_]]:
    """Pairs of an end of the edge and the face, or of the edge and a side; which begin with the side."""
    n, surface = len(pierced.edges), problem.surface
    if way in SIDES:
        side = surface.face_edges[pierced.faces, way - 1]
        ids, is_back = np.stack([pierced.edges, side], axis=1), pierced.edges > side
        ids.sort(axis=1)
    else:
        end = surface.edges[pierced.edges, 0 if way == BY_FIRST_END else 1]
        ids, is_back = np.stack([end, pierced.faces], axis=1), np.zeros(n, np.bool_)
    is_side, status = np.full(n, way in SIDES), np.full(n, CONTACT_AT_START, np.int8)
    return FeaturesFound(is_side, ids.astype(np.int32), status, np.zeros(n), np.zeros(n)), is_back


def _geometry(edges: Array, faces: Array) -> tuple[Array, Array, Array, Array]:
    """Where edges (n, 2, 3) pass through faces (n, 3, 3), and along which unit normals.

    Weights of the edges' ends, (n, 2), and of the faces' corners, (n, 3), and normals, (n, 3): against these,
    the way is shortest that parts the two. How long it is, (n,), in units of the pair's size.
    """
    corner = faces[:, :1]
    # In units of the largest difference, so that no product underflows.
    spread = np.concatenate([faces - corner, edges - corner], axis=1)
    seen = spread / np.abs(spread).max(axis=(1, 2), keepdims=True)
    corners, ends = seen[:, :3], seen[:, 3:]
    plane = np.cross(corners[:, 1], corners[:, 2])
    heights = np.einsum("nij,nj->ni", ends, plane)
    # What is too flat to have a plane in floating point is passed along the edge.
    is_flat = np.linalg.norm(plane, axis=1) <= SHORTEST_WAY
    heights[is_flat] = -1.0, 1.0
    plane[is_flat] = ends[is_flat, 1] - ends[is_flat, 0]
    # The ends are on both sides: where rounding says otherwise, the nearer one is as good as in the plane.
    nearer = np.argmin(np.abs(heights), axis=1)
    doubtful = np.flatnonzero(heights[:, 0] * heights[:, 1] >= 0.0)
    heights[doubtful, nearer[doubtful]] = 0.0
    total = np.abs(heights).sum(axis=1, keepdims=True)
    part = np.where(total > 0.0, np.abs(heights[:, ::-1]) / np.where(total > 0.0, total, 1.0), 0.5)
    weights = _weights(corners, np.einsum("ni,nij->nj", part, ends), plane)
    normals, depths = _shortest_way(corners, ends, plane, heights)
    return part, weights, normals + 0.0, depths  # no zeros with a sign


def _shortest_way(corners: Array, ends: Array, plane: Array, heights: Array) -> tuple[Array, Array]:
    """Unit vectors (n, 3) against which an edge leaves a face the soonest, and how far that is."""
    nearer = np.where(np.abs(heights[:, 0]) <= np.abs(heights[:, 1]), heights[:, 0], heights[:, 1])
    sides = np.roll(corners, -1, axis=1) - corners
    over = np.cross((ends[:, 1] - ends[:, 0])[:, np.newaxis], sides)
    beyond = -np.einsum("nij,nij->ni", over, corners - ends[:, :1])  # of the side, as seen from the edge
    ways = np.concatenate([plane[:, np.newaxis], over], axis=1)
    depths = np.concatenate([nearer[:, np.newaxis], beyond], axis=1)
    lengths = np.linalg.norm(ways, axis=2)
    # A side along the edge shows no way; by the plane there is always one.
    is_way = lengths > SHORTEST_WAY
    is_way[:, 0] = True
    with np.errstate(divide="ignore", invalid="ignore"):
        lengths_of_ways = np.where(is_way, np.abs(depths) / lengths, np.inf)
    best, rows = np.argmin(lengths_of_ways, axis=1), np.arange(len(ways))
    chosen = ways[rows, best] / lengths[rows, best, np.newaxis]
    signed: Array = np.where(depths[rows, best] < 0.0, -1.0, 1.0)[:, np.newaxis] * chosen
    return signed, lengths_of_ways[rows, best]


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
