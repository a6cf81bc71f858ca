"""Queries about a convex shape and a mesh that move rigidly, posed to the search."""

from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.arrival import Found
from firstcontact.advancement.ask import Ask
from firstcontact.advancement.goal import Options
from firstcontact.advancement.refining import Motions, proven_refined
from firstcontact.answers.contact_results import FirstContact, FirstContacts, no_contact
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import side_of
from firstcontact.bodies.mesh_body import body_of
from firstcontact.bodies.mesh_parts import check_closed
from firstcontact.motions.law import Which
from firstcontact.motions.law_table import LawTables
from firstcontact.proximity.touching.cloud_elements import element_kind
from firstcontact.proximity.touching.inside import witness_inside
from firstcontact.queries.batches import common_length, searched, single
from firstcontact.queries.kinds.convex import size_of, ways_out
from firstcontact.queries.kinds.rigid import BY_INTERVALS, CONVEX_METHODS, advancement_stats, options_of
from firstcontact.rigid.convex.convex_mesh_first import ConvexMeshBatch, batch_of, convex_mesh_first_times
from firstcontact.rigid.convex.convex_mesh_proof import convex_mesh_proven_times
from firstcontact.rigid.interval.interval_first import interval_mesh_times
from firstcontact.shapes.convex_shape import table_of
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of
from firstcontact.status import ContactKind, Status


class ShapeAndMesh(NamedTuple):
    """A convex shape and a mesh, with their motions; whether the mesh is what the user calls a."""

    shape: Moving
    mesh: Moving
    is_swapped: bool
    motions: Motions
    batch: ConvexMeshBatch
    options: Options


def convex_mesh_first(a: Moving, b: Moving, ask: Ask) -> FirstContact:
    """First contact of a convex shape and a mesh; which is which does not matter."""
    began = perf_counter()
    pair = pose_shape_and_mesh(single(a, "a"), single(b, "b"), ask)
    found = _found(pair, ask)
    stats = advancement_stats(found.counts[0].tolist(), perf_counter() - began)
    status = Status(int(found.status[0]))
    if status == Status.SEPARATED:
        return no_contact(stats)
    upper, features = proven(pair, found), features_of(pair, found)
    points, normals = places_of(pair, found)
    if found.triangles[0, 1] < 0:
        points, normals, features = points[:0], normals[:0], features[:0]
    return FirstContact(status, float(found.time[0]), float(upper[0]), points, normals, features, stats)


def convex_mesh_firsts(a: Moving, b: Moving, ask: Ask) -> FirstContacts:
    """First contacts of a batch of motions of a convex shape and a mesh."""
    began = perf_counter()
    pair = pose_shape_and_mesh(a, b, ask)
    found = _found(pair, ask)
    upper, features = proven(pair, found), features_of(pair, found)
    stats = advancement_stats(np.ascontiguousarray(found.counts.T), perf_counter() - began)
    return FirstContacts(found.status, found.time, upper, *places_of(pair, found), features, stats)


def convex_mesh_time(a: Moving, b: Moving, ask: Ask) -> float:
    """Time of the first contact of a convex shape and a mesh, 1 where there is none."""
    found = _found(pose_shape_and_mesh(single(a, "a"), single(b, "b"), ask), ask)
    return min(float(found.time[0]), 1.0)


def pose_shape_and_mesh(a: Moving, b: Moving, ask: Ask) -> ShapeAndMesh:
    """Make shape, mesh and motions ready for the search."""
    common_length(a.rigid, b.rigid, "motions")
    is_swapped = a.kind is Kind.MESH
    shape, mesh = (b, a) if is_swapped else (a, b)
    if ask.solid:
        check_closed(mesh.surface, "a" if is_swapped else "b")
    table, body = table_of(shape.shape), body_of(mesh.surface)
    options = options_of(ask, size_of(table), 2.0 * body.reach, CONVEX_METHODS)
    motions = Motions(shape.rigid, mesh.rigid)
    return ShapeAndMesh(shape, mesh, is_swapped, motions, batch_of(table, body, *motions.rows), options)


def _found(pair: ShapeAndMesh, ask: Ask) -> Found:
    """Search, in parts where progress is shown; a shape inside a mesh is in contact from the start."""
    is_by_intervals = pair.options.method == BY_INTERVALS

    def search(rows_a: Array, rows_b: Array, _: Which) -> Found:
        who = interval_mesh_times if is_by_intervals else convex_mesh_first_times
        return who(pair.batch._replace(rows_a=rows_a, rows_b=rows_b), pair.options)

    def follow(motions: Motions, tables: LawTables) -> Found:
        rows_a, rows_b = motions.rows
        batch = pair.batch._replace(rows_a=rows_a, rows_b=rows_b)
        return convex_mesh_first_times(batch, pair.options, tables)

    quick = None if is_by_intervals else follow
    found = searched(pair.motions, pair.options.tolerance, search, quick, ask.progress)
    if ask.solid:
        starts = pair.shape.pose(0.0), pair.mesh.pose(0.0)
        is_inside = witness_inside(shape_of(pair.shape), pair.mesh.surface, *starts, len(found.time))
        is_inside &= found.time > 0.0
        found.status[is_inside], found.time[is_inside] = Status.CONTACT_AT_START, 0.0
        found.triangles[is_inside] = -1
        found.points[is_inside], found.normals[is_inside] = np.nan, np.nan
    return found


def proven(pair: ShapeAndMesh, found: Found) -> Array:
    """Times at which contact is certain."""

    def prove(rows_a: Array, rows_b: Array, which: Which) -> Array:
        batch = pair.batch._replace(rows_a=rows_a, rows_b=rows_b)
        chosen = Found._make(array[which] for array in found)
        return convex_mesh_proven_times(batch, chosen, pair.options)

    return proven_refined(pair.motions, found, pair.options.tolerance, prove)


def features_of(pair: ShapeAndMesh, found: Found) -> NDArray[np.int32]:
    """Kind of contact, and the ids on a and on b; -1 where there is none."""
    features = np.full((len(found.time), 3), -1, np.int32)
    triangles = found.triangles[:, 1]
    is_face = triangles >= 0
    features[is_face, 0] = ContactKind.FACE_SHAPE if pair.is_swapped else ContactKind.SHAPE_FACE
    if pair.mesh.surface.is_cloud:
        shapes = pair.shape.shape, pair.mesh.shape
        features[is_face, 0] = element_kind(*(reversed(shapes) if pair.is_swapped else shapes))
    features[is_face, 1 if pair.is_swapped else 2] = pair.batch.mesh.order[triangles[is_face]]
    return features


def places_of(pair: ShapeAndMesh, found: Found) -> tuple[Array, Array]:
    """Where they touch, and unit vectors from a to b: at the start, those along which they part soonest."""
    normals, surface = found.normals, pair.mesh.surface
    at_start = np.flatnonzero((found.status == Status.CONTACT_AT_START) & (found.triangles[:, 1] >= 0))
    if len(at_start) > 0:
        rows_a, rows_b = (rows if len(rows) == 1 else rows[at_start] for rows in pair.motions.rows)
        faces = surface.faces[pair.batch.mesh.order[found.triangles[at_start, 1]]]
        shape = side_of(pair.batch.table, rows_a, len(at_start))
        is_overlapping, ways = ways_out(shape, surface.vertices[faces], rows_b)
        normals[at_start[is_overlapping]] = ways[is_overlapping]
    return found.points.mean(axis=1), -normals if pair.is_swapped else normals
