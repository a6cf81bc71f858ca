"""Contacts of points and of vertices with a field, at one instant."""

from typing import Any, NamedTuple

import numpy as np

from firstcontact._validate import as_vertices
from firstcontact.advancement.ask import Ask
from firstcontact.answers.field_results import FieldContacts
from firstcontact.arrays import Array
from firstcontact.fields.distance_field import DistanceField
from firstcontact.fields.field_contacts import near_field
from firstcontact.queries.kinds.field_first import as_field
from firstcontact.queries.kinds.resting import at_rest
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.shapes.moving import Moving

NOT_DEEP = (
    "a within below 0 needs a field that is exact inside, and `is_exact` says otherwise: "
    "points deeper than that could be missing; use within=0"
)

# What a point may be off by after it was put into the frame of a field, in units of the largest coordinate.
PLACING = 32.0 * UNIT_ROUNDOFF


class PlacedField(NamedTuple):
    """A field, and the pose that it stands at."""

    field: DistanceField
    pose: Array


def points_in_field(points: Any, b: Moving, ask: Ask) -> FieldContacts:
    """List the points (n, 3) that are near a field's shape."""
    places = as_vertices(points, "a")
    return _listed(places, np.zeros(len(places)), _placed(b), ask.within or 0.0)


def vertices_in_field(a: Moving, b: Moving, ask: Ask) -> FieldContacts:
    """List vertices of a mesh, at a pose or deformed, or points with radii, that are near a field's shape."""
    resting = at_rest(single_at(a, "a"))
    if resting is None:
        raise ValueError(
            "contacts with a field are of one instant, and a moves: use a.at(pose), or straight paths, "
            "a.shape.deforming(a.vertices(0), a.vertices(1))"
        )
    vertices, motion = resting.mesh.vertices, resting.motion
    radii = np.ascontiguousarray(a.surface.radius)
    return _listed(motion.vertices(0.0, vertices), radii, _placed(b), ask.within or 0.0)


def _placed(b: Moving) -> PlacedField:
    if not single_at(b, "b").motion.is_resting:
        raise ValueError(
            "contacts with a field are of one instant, and b moves: use b.at(pose), or let a deform"
        )
    return PlacedField(as_field(b.shape), b.rigid.pose(0.0))


def single_at(thing: Moving, name: str) -> Moving:
    """Accept a thing with one motion."""
    if thing.motion.is_batch:
        n = len(thing.motion)
        raise ValueError(f"{name} has a batch of {n} poses: contacts with a field are of one")
    return thing


def _listed(points: Array, radii: Array, placed: PlacedField, within: float) -> FieldContacts:
    """List the points, in the world, from whose balls the distance may be at most `within`."""
    field, pose = placed
    if within < 0.0 and not field.is_exact[1]:
        raise ValueError(NOT_DEEP)
    turn, place, is_moved = pose[:3, :3], pose[:3, 3], not np.array_equal(pose, np.eye(4))
    own = np.ascontiguousarray((points - place) @ turn) if is_moved else points
    # What a pose is off by, its own rounding included, hides nothing.
    largest = max(np.abs(points).max(initial=0.0), np.abs(own).max(initial=0.0), np.abs(place).max())
    limits = radii + (within + field.tolerance + PLACING * float(largest))
    found = near_field(field.octree, own, limits)
    gradients, hessians = found.gradients, found.hessians
    if is_moved:
        gradients, hessians = gradients @ turn.T, turn @ hessians @ turn.T
    places, values = points[found.ids], found.values - radii[found.ids]
    return FieldContacts(found.ids, values, places, gradients, hessians, within, field.tolerance)
