"""Queries about a convex shape and a mesh that move rigidly, posed to the search."""

from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.arrival import Found
from firstcontact.advancement.goal import Options
from firstcontact.answers.contact_results import FirstContact, FirstContacts, no_contact
from firstcontact.arrays import Array
from firstcontact.bodies.mesh_body import body_of
from firstcontact.bodies.mesh_parts import check_closed
from firstcontact.proximity.touching.inside import middle_inside
from firstcontact.queries.convex import size_of
from firstcontact.queries.kinds import common_length, rigid_motion, single, table_of
from firstcontact.queries.rigid import (
    RigidAsk,
    advancement_stats,
    in_parts,
)
from firstcontact.rigid.convex_mesh_first import Batch, batch_of, convex_mesh_first_times
from firstcontact.rigid.convex_mesh_proof import convex_mesh_proven_times
from firstcontact.shapes.convex_shape import ConvexShape
from firstcontact.shapes.moving import Moving
from firstcontact.status import ContactKind, Status


class ShapeAndMesh(NamedTuple):
    """A convex shape and a mesh, with their motions; whether the mesh is what the user calls a."""

    shape: Moving
    mesh: Moving
    is_swapped: bool
    batch: Batch
    options: Options


def convex_mesh_first(a: Moving, b: Moving, ask: RigidAsk) -> FirstContact:
    """First contact of a convex shape and a mesh; which is which does not matter."""
    began = perf_counter()
    pair = _posed(single(a, "a"), single(b, "b"), ask)
    found = _found(pair, ask)
    stats = advancement_stats(found.counts[0].tolist(), began)
    status = Status(int(found.status[0]))
    if status == Status.SEPARATED:
        return no_contact(stats)
    upper, features = convex_mesh_proven_times(pair.batch, found, pair.options), _features(pair, found)
    points, normals = _places(pair, found)
    if found.triangles[0, 1] < 0:
        points, normals, features = points[:0], normals[:0], features[:0]
    return FirstContact(status, float(found.time[0]), float(upper[0]), points, normals, features, stats)


def convex_mesh_firsts(a: Moving, b: Moving, ask: RigidAsk) -> FirstContacts:
    """First contacts of a batch of motions of a convex shape and a mesh."""
    began = perf_counter()
    pair = _posed(a, b, ask)
    found = _found(pair, ask)
    upper, features = convex_mesh_proven_times(pair.batch, found, pair.options), _features(pair, found)
    stats = advancement_stats(np.ascontiguousarray(found.counts.T), began)
    return FirstContacts(found.status, found.time, upper, *_places(pair, found), features, stats)


def convex_mesh_time(a: Moving, b: Moving, ask: RigidAsk) -> float:
    """Time of the first contact of a convex shape and a mesh, 1 where there is none."""
    found = _found(_posed(single(a, "a"), single(b, "b"), ask), ask)
    return min(float(found.time[0]), 1.0)


def _posed(a: Moving, b: Moving, ask: RigidAsk) -> ShapeAndMesh:
    """Make shape, mesh and motions ready for the search."""
    common_length(rigid_motion(a), rigid_motion(b), "motions")
    is_swapped = not isinstance(a.shape, ConvexShape)
    shape, mesh = (b, a) if is_swapped else (a, b)
    if ask.solid:
        check_closed(mesh.surface, "a" if is_swapped else "b")
    table, body = table_of(shape.shape), body_of(mesh.surface)
    options = ask.options(size_of(table), 2.0 * body.reach)
    batch = batch_of(table, body, rigid_motion(shape).rows(), rigid_motion(mesh).rows())
    return ShapeAndMesh(shape, mesh, is_swapped, batch, options)


def _found(pair: ShapeAndMesh, ask: RigidAsk) -> Found:
    """Search, in parts where progress is shown; a shape inside a mesh is in contact from the start."""
    batch, options = pair.batch, pair.options

    def part(span: slice) -> Found:
        rows_a, rows_b = (rows if len(rows) == 1 else rows[span] for rows in (batch.rows_a, batch.rows_b))
        return convex_mesh_first_times(batch._replace(rows_a=rows_a, rows_b=rows_b), options)

    if ask.progress:
        parts = in_parts(part, max(len(batch.rows_a), len(batch.rows_b)))
        found = Found._make(np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    else:
        found = convex_mesh_first_times(batch, options)
    if ask.solid:
        starts = pair.shape.pose(0.0), pair.mesh.pose(0.0)
        is_inside = middle_inside(pair.shape.shape, pair.mesh.surface, *starts, len(found.time))
        is_inside &= found.time > 0.0
        found.status[is_inside], found.time[is_inside] = Status.CONTACT_AT_START, 0.0
        found.triangles[is_inside] = -1
        found.points[is_inside], found.normals[is_inside] = np.nan, np.nan
    return found


def _features(pair: ShapeAndMesh, found: Found) -> NDArray[np.int32]:
    """Kind of contact, and the ids on a and on b; -1 where there is none."""
    features = np.full((len(found.time), 3), -1, np.int32)
    triangles = found.triangles[:, 1]
    is_face = triangles >= 0
    features[is_face, 0] = ContactKind.FACE_SHAPE if pair.is_swapped else ContactKind.SHAPE_FACE
    features[is_face, 1 if pair.is_swapped else 2] = pair.batch.mesh.order[triangles[is_face]]
    return features


def _places(pair: ShapeAndMesh, found: Found) -> tuple[Array, Array]:
    """Where they touch, and unit vectors from a to b."""
    return found.points.mean(axis=1), -found.normals if pair.is_swapped else found.normals
