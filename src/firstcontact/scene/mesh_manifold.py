"""All points of a contact of meshes, and of what else is no pair of convex shapes."""

from typing import NamedTuple

import numpy as np

from firstcontact.answers.contact_results import Contacts
from firstcontact.arrays import Array, Flags, Ids
from firstcontact.proximity.manifolds.convex_manifold import (
    FEATURES,
    GAP,
    N_MANIFOLD,
    NORMAL,
    POINT_A,
    POINT_B,
)
from firstcontact.queries.contacts import contacts
from firstcontact.queries.proximity import distance
from firstcontact.shapes.convex import BOX, HULL, KIND, RADIUS
from firstcontact.shapes.convex_shape import is_convex
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of
from firstcontact.status import ContactKind

# A line between two points counts as straight out of a face where its cosine is off by no more.
UPRIGHT = 1e-6

# Edges face each other where no face at one of them rises towards the other by more than this sine: what lies
# on another within a hundredth of its size may do so by some hundredths.
LEANING = 0.05

# Points that are nearer, in units of the sizes, are one; and weights below it are those of an end.
SAME = 1e-9


# Edges that pass through faces: the two overlap.
CROSSING = ContactKind.EDGE_FACE, ContactKind.FACE_EDGE


class Stand(NamedTuple):
    """Two bodies, the time of their contact, one of its points, and the normal there."""

    a: Moving
    b: Moving
    time: float
    point: Array
    normal: Array


def mesh_manifold(two: Stand, within: float) -> Array:
    """Points of one contact, (k, N_MANIFOLD): all of two meshes, and else that of the contact."""
    placed = [_then(thing, two.time) for thing in (two.a, two.b)]
    gap = float(np.max(distance(*placed).distance))
    surfaces = [_surface(thing, two.time) for thing in (two.a, two.b)]
    a, b = surfaces
    if a is not None and b is not None:
        facing = _facing(a, b, gap, within)
        if facing is None:  # what rounding has pushed into each other faces each other as well
            hair = SAME * _size(a, b)
            facing = _facing(a, b.placed(b.vertices + hair * two.normal), 0.0, within + hair)
            if facing is not None:
                facing[:, POINT_B:GAP] -= hair * two.normal
                facing[:, GAP] = np.maximum(facing[:, GAP] - hair, 0.0)
        if facing is not None and len(facing):
            return facing
    row = np.zeros((1, N_MANIFOLD))
    row[0, POINT_A:POINT_B], row[0, POINT_B:GAP] = (
        two.point - 0.5 * gap * two.normal,
        two.point + 0.5 * gap * two.normal,
    )
    row[0, GAP], row[0, FEATURES:NORMAL], row[0, NORMAL:] = (
        gap,
        (ContactKind.SHAPE_SHAPE, -1, -1),
        two.normal,
    )
    return row


def _facing(a: Mesh, b: Mesh, gap: float, within: float) -> Array | None:
    """Points at which two surfaces at a gap face each other; None where they pass through each other."""
    still = (mesh.deforming(mesh.vertices, mesh.vertices) for mesh in (a, b))
    found = contacts(*still, min_separation=gap + within, assume_free_start=gap > 0.0, exact=False)
    return None if np.isin(found.kind, CROSSING).any() else _rows(found, a, b)


def _size(a: Mesh, b: Mesh) -> float:
    return max(float(np.ptp(mesh.vertices, axis=0).max()) for mesh in (a, b))


def _then(thing: Moving, time: float) -> Moving:
    """A body as it is at a time."""
    if thing.kind is Kind.DEFORMING:
        return thing.surface.placed(thing.vertices(time)).at(np.eye(4))
    return shape_of(thing).at(thing.pose(time))


def _surface(thing: Moving, time: float) -> Mesh | None:
    """The mesh that is all of a body's surface, where it stands; None where there is none."""
    if thing.kind in (Kind.DEFORMING, Kind.MESH):
        return None if thing.surface.is_cloud else thing.surface.placed(thing.vertices(time))
    shape = shape_of(thing)
    if not is_convex(shape):
        return None
    record, pose = shape.table.records[0], thing.pose(time)
    if record[RADIUS] != 0.0 or record[KIND] not in (BOX, HULL):
        return None
    mesh = shape.mesh
    return Mesh(mesh.vertices @ pose[:3, :3].T + pose[:3, 3], mesh.faces)


def _rows(found: Contacts, a: Mesh, b: Mesh) -> Array:
    """Pairs that face each other: a vertex above a face, edges that cross; each place once."""
    kinds, normals = found.kind, found.normals
    is_vertex = kinds == ContactKind.VERTEX_FACE
    is_face = kinds == ContactKind.FACE_VERTEX
    is_edge = (kinds == ContactKind.EDGE_EDGE) & (found.weights > SAME).all(axis=1)
    upright = np.zeros(len(kinds), bool)
    for mesh, ids, which in ((b, found.ids_b, is_vertex), (a, found.ids_a, is_face)):
        corners = mesh.vertices[mesh.faces[ids[which]]]
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        along = np.abs(np.einsum("ij,ij->i", across, normals[which]))
        upright[which] = along >= (1.0 - UPRIGHT) * np.linalg.norm(across, axis=1)
    half = 0.5 * found.gap[:, np.newaxis] * normals
    for mesh, ids, side in ((a, found.ids_a, -1.0), (b, found.ids_b, 1.0)):
        which = np.flatnonzero(is_edge)
        rises = _rises(mesh, ids[which], found.points[which] + side * half[which], -side * normals[which])
        is_edge[which[rises]] = False
    kept = np.flatnonzero(upright | is_edge)
    kept = kept[np.argsort(kinds[kept] == ContactKind.EDGE_EDGE, kind="stable")]
    size = SAME * _size(a, b)
    _, first = np.unique(np.round(found.points[kept] / max(size, 1e-300)), axis=0, return_index=True)
    kept = kept[np.sort(first)]
    rows = np.zeros((len(kept), N_MANIFOLD))
    points = found.points[kept]
    rows[:, POINT_A:POINT_B], rows[:, POINT_B:GAP] = points - half[kept], points + half[kept]
    rows[:, GAP], rows[:, NORMAL:] = found.gap[kept], normals[kept]
    rows[:, FEATURES:NORMAL] = np.column_stack([kinds[kept], found.ids_a[kept], found.ids_b[kept]])
    return rows


def _rises(mesh: Mesh, edges: Ids, points: Array, directions: Array) -> Flags:
    """At which edges, (k,), does a face rise along a direction (k, 3), as seen from a point on the edge?"""
    flat = mesh.face_edges.reshape(-1)
    order = np.argsort(flat, kind="stable")
    first, last = (np.searchsorted(flat, edges, side, sorter=order) for side in ("left", "right"))
    which = np.repeat(np.arange(len(edges)), last - first)
    places = np.arange(len(which)) - np.repeat(np.cumsum(last - first) - last, last - first)
    face, corner = np.divmod(order[places], 3)  # edge i of a face joins its corners i and i + 1
    way = mesh.vertices[mesh.faces[face, (corner + 2) % 3]] - points[which]
    rise = np.einsum("ij,ij->i", way, directions[which])
    is_rising = rise > LEANING * np.linalg.norm(way, axis=1)
    found: Flags = np.bincount(which[is_rising], minlength=len(edges)) > 0
    return found
