"""Voxels: what is asked of them is asked of their surface, and what is inside counts as contact.

A connected part of another thing that does not meet the surface is wholly inside, or wholly outside: one
point of it tells which, by the cell that it is in.
"""

from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.advancement.contact_watch import NOT_PROVEN
from firstcontact.answers.clearance_results import Clearance
from firstcontact.answers.contact_results import FirstContact, FirstContacts
from firstcontact.answers.depth_results import Depths
from firstcontact.answers.interval_results import ContactIntervals
from firstcontact.answers.penetration_results import Penetration
from firstcontact.answers.point_results import SignedDistances
from firstcontact.answers.proximity_results import Distance
from firstcontact.arrays import Array
from firstcontact.bodies.mesh_parts import witnesses
from firstcontact.proximity.points.signed_on_mesh import WINDING, signed_on_mesh
from firstcontact.proximity.rays.ray_mesh import FacesMet
from firstcontact.queries.kinds.field_first import as_field
from firstcontact.queries.kinds.resting import NO_FACES
from firstcontact.queries.kinds.rigid_intervals import interval_columns, spans_of, with_insides
from firstcontact.queries.look_up import answered_at_length, row_for
from firstcontact.queries.ray_cast import RayBatch, rays_at_mesh
from firstcontact.queries.signed_distance import (
    Bools,
    PointBatch,
    answered,
    check_sign,
    placed_in,
    shaped,
    standing,
)
from firstcontact.rigid.fields.enclosed_field import enclosed_point
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import box_corners, shape_of
from firstcontact.shapes.voxels import as_voxels, skinned
from firstcontact.status import Status

VOXELS, DEFORMING = Kind.VOXELS, Kind.DEFORMING

# Points looked at together.
CHUNK = 1 << 20

# Boxes are apart for certain by this part of their coordinates: some hundred roundings.
APART = 2.0**-44


def asked(verb: str, a: Moving, b: Moving, ask: Ask) -> Any:
    """Ask about surfaces."""
    surfaces = skinned(a), skinned(b)
    return answered_at_length(verb, *surfaces, row_for(verb, *surfaces).only(ask))


def voxels_first(a: Moving, b: Moving, ask: Ask) -> FirstContact:
    """Find the first contact; what is inside is in contact from the start."""
    found: FirstContact = asked("first_contact", a, b, ask)
    if found.time == 0.0:
        return found
    shared = shared_points(a, b)
    if np.isnan(shared.points[0, 0]):
        return found
    upper = 0.0 if shared.is_sure[0] else found.time_upper
    nowhere, nothing = np.empty((0, 3)), np.empty((0, 3), np.int32)
    return FirstContact(Status.CONTACT_AT_START, 0.0, upper, nowhere, nowhere.copy(), nothing, found.stats)


def voxels_firsts(a: Moving, b: Moving, ask: Ask) -> FirstContacts:
    """Find the first contacts of a batch of motions."""
    found: FirstContacts = asked("first_contacts", a, b, ask)
    shared = shared_points(a, b)
    rows = np.flatnonzero(~np.isnan(shared.points[:, 0]) & (found.time > 0.0))
    found.status[rows], found.features[rows] = Status.CONTACT_AT_START, -1
    found.time[rows], found.time_upper[rows[shared.is_sure[rows]]] = 0.0, 0.0
    found.points[rows], found.normals[rows] = np.nan, np.nan
    return found


def voxels_clearance(a: Moving, b: Moving, ask: Ask) -> Clearance:
    """Find how near they come: what is inside at the start is at no distance then."""
    found: Clearance = asked("clearance", a, b, ask)
    shared, beyond = shared_points(a, b)
    is_inside = ~np.isnan(shared[:, 0])
    if not is_inside.any():
        return found
    is_told = is_inside & (beyond <= np.atleast_1d(found.distance))  # else surfaces come as near for certain
    common = np.repeat(shared[:, np.newaxis], 2, axis=1)
    distance = np.where(is_told, beyond, found.distance)
    status = np.where(distance == 0.0, Status.CONTACT, Status.UNDECIDED)
    changed: dict[str, Any] = {
        "distance": distance,
        "distance_lower": np.where(is_inside, 0.0, found.distance_lower),
        "time": np.where(is_told, 0.0, found.time),
        "points": np.where(is_told[:, np.newaxis, np.newaxis], common, found.points),
        "faces": np.where(is_told[:, np.newaxis], NO_FACES, found.faces),
        "status": np.where(is_inside, status, found.status).astype(np.int8),
    }
    if np.ndim(found.distance) == 0:
        changed = {name: value[0] if value.ndim > 1 else value.item() for name, value in changed.items()}
        changed["status"] = Status(changed["status"])
    return replace(found, **changed)


def voxels_intervals(a: Moving, b: Moving, ask: Ask) -> ContactIntervals:
    """Find when they touch: when surfaces do, and while one is inside in between."""
    found: ContactIntervals = asked("contact_intervals", a, b, ask)
    is_with_field = Kind.FIELD in (a.kind, b.kind)
    touch = _inside_field if is_with_field else partial(voxels_intersects, ask=Ask(solid=ask.solid))
    spans = [with_insides(own, a, b, k, touch) for k, own in enumerate(spans_of(found))]
    return ContactIntervals(*interval_columns(spans), a.rigid.is_batch or b.rigid.is_batch)


def voxels_distance(a: Moving, b: Moving, ask: Ask) -> Distance:
    """Measure the distance: 0 with a common point where one is inside."""
    found: Distance = asked("distance", a, b, ask)
    if not np.any(found.distance):
        return found
    shared = shared_points(a, b).points
    is_inside = ~np.isnan(shared[:, 0]) & (np.atleast_1d(found.distance) > 0.0)
    if not is_inside.any():
        return found
    if np.ndim(found.distance) == 0:
        common = shared[0]
        return replace(found, distance=0.0, points_a=common, points_b=common.copy(), faces=NO_FACES.copy())
    points = [np.where(is_inside[:, np.newaxis], shared, own) for own in (found.points_a, found.points_b)]
    faces = np.where(is_inside[:, np.newaxis], NO_FACES, found.faces)
    distance = np.where(is_inside, 0.0, found.distance)
    return replace(found, distance=distance, points_a=points[0], points_b=points[1], faces=faces)


def voxels_intersects(a: Moving, b: Moving, ask: Ask) -> bool | NDArray[np.bool_]:
    """Have they a common point?"""
    found: bool | NDArray[np.bool_] = asked("intersects", a, b, ask)
    if np.all(found):
        return found
    touches = np.asarray(found) | ~np.isnan(shared_points(a, b).points[:, 0])
    return touches if np.ndim(found) else bool(touches[0])


def voxels_penetration(a: Moving, b: Moving, ask: Ask) -> Penetration:
    """Measure how deep they are in each other, as closed meshes are."""
    found: Penetration = asked("penetration", a, b, ask)
    return found


def voxels_depths(a: Moving, b: Moving, ask: Ask) -> Depths:
    """Measure the vertices of each that are inside the other."""
    found: Depths = asked("depths", a, b, ask)
    return found


def rays_at_voxels(thing: Moving, batch: RayBatch, ask: Ask) -> FacesMet:
    """Cast rays at the surface."""
    return rays_at_mesh(skinned(thing), batch, ask)


def points_at_voxels(thing: Moving, batch: PointBatch, ask: Ask) -> SignedDistances | Bools:
    """Measure points from the surface; inside is what a cell holds."""
    resting = standing(thing, batch.verb)
    check_sign(batch, resting)
    placed, voxels = placed_in(batch, resting.motion), as_voxels(resting.shape)
    if batch.is_side_only:
        return shaped(voxels.holds(placed.local), placed.shape)
    return answered(signed_on_mesh(voxels.mesh, placed.local, WINDING), placed, "cells")


class Shared(NamedTuple):
    """A point of both things for each row, (n, 3), NaN where there is none; how far from one it may be, (n,).

    That is 0 but for fields, which do not know better.
    """

    points: Array
    beyond: Array

    @property
    def is_sure(self) -> NDArray[np.bool_]:
        """Is the point one of both for certain?"""
        is_sure: NDArray[np.bool_] = self.beyond == 0.0
        return is_sure


def shared_points(a: Moving, b: Moving) -> Shared:
    """A point of one in a cell of the other at the start.

    Of each connected part one point is looked at: where there is none, and surfaces do not meet, nothing is
    inside.
    """
    if Kind.FIELD in (a.kind, b.kind):
        return _shared_with_field(*((a, b) if a.kind is VOXELS else (b, a)))
    ends = [_points_at_start(thing) for thing in (a, b)]
    n_a, n_b = (len(poses) for _, poses in ends)
    found = np.full((n_b if n_a == 1 else n_a, 3), np.nan)
    for holder, i in ((a, 0), (b, 1)):
        if holder.kind is VOXELS:
            _mark(found, holder, ends[i][1], *ends[1 - i])
    return Shared(found, np.zeros(len(found)))


def _inside_field(a: Moving, b: Moving) -> Array:
    """Is a part of a field's shape inside of cells? 1 for yes, and NOT_PROVEN where it only may be."""
    shared = shared_points(a, b)
    sure: Array = np.where(shared.is_sure, 1.0, NOT_PROVEN)
    return np.where(np.isnan(shared.points[:, 0]), 0.0, sure)


def _shared_with_field(voxels: Moving, other: Moving) -> Shared:
    """A point of a field's shape in a cell, for each row; what is in the shape meets it by its surface."""
    mesh, field = as_voxels(voxels.shape).mesh, as_field(other.shape)
    here, there = (thing.pose(0.0).reshape(-1, 4, 4) for thing in (voxels, other))
    poses = np.linalg.inv(here) @ there
    found = Shared(np.full((len(poses), 3), np.nan), np.zeros(len(poses)))
    if mesh.n_faces == 0:
        return found
    corners = box_corners(field.bounds) @ poses[:, :3, :3].transpose(0, 2, 1) + poses[:, np.newaxis, :3, 3]
    wide = APART * np.abs(corners).max(axis=(1, 2))[:, np.newaxis]
    is_near = corners.min(axis=1) - wide <= mesh.bounds[1]
    is_near &= corners.max(axis=1) + wide >= mesh.bounds[0]
    for k in np.flatnonzero(is_near.all(axis=1)).tolist():
        inside = enclosed_point(mesh, field, poses[k], is_proof_wanted=True)
        if inside is not None:
            own = here[min(k, len(here) - 1)]
            found.points[k], found.beyond[k] = own[:3, :3] @ inside.point + own[:3, 3], inside.beyond
    return found


def _points_at_start(thing: Moving) -> tuple[Array, Array]:
    """A point of each connected part, (k, 3), and the poses at the start, (n, 4, 4) or (1, 4, 4)."""
    if thing.kind is DEFORMING:
        return witnesses(thing.surface.placed(thing.deforms.vertices(0.0))), np.eye(4)[np.newaxis]
    return witnesses(shape_of(skinned(thing))), thing.pose(0.0).reshape(-1, 4, 4)


def _mark(found: Array, holder: Moving, own: Array, points: Array, poses: Array) -> None:
    """Write down points of another, in its poses, that are in cells of voxels, in theirs."""
    voxels, step = as_voxels(holder.shape), max(CHUNK // max(len(points), 1), 1)
    if voxels.n_cells == 0 or len(points) == 0:
        return
    for first in range(0, len(found), step):
        rows = slice(first, first + step)
        there, here = (all_poses if len(all_poses) == 1 else all_poses[rows] for all_poses in (poses, own))
        world = points @ there[:, :3, :3].transpose(0, 2, 1) + there[:, np.newaxis, :3, 3]
        local = (world - here[:, np.newaxis, :3, 3]) @ here[:, :3, :3]
        is_held = voxels.holds(local.reshape(-1, 3)).reshape(local.shape[:2])
        best = np.argmax(is_held, axis=1)[:, np.newaxis]
        is_new = np.take_along_axis(is_held, best, 1)[:, 0] & np.isnan(found[rows, 0])
        world = np.broadcast_to(world, local.shape)
        inner = np.take_along_axis(world, best[:, :, np.newaxis], 1)[:, 0]
        found[rows] = np.where(is_new[:, np.newaxis], inner, found[rows])
