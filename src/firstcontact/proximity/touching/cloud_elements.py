"""Contacts of points and strands, elements in place of features; and of all that has radii around it."""

import numpy as np

from firstcontact.arrays import Ids
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.placed_triangle import RADIUS
from firstcontact.proximity.touching.contact_rows import NO_CONTACT, ContactRows
from firstcontact.shapes.cloud import Cloud
from firstcontact.shapes.movable import Movable
from firstcontact.status import ContactKind


def element_kind(a: Movable, b: Movable) -> ContactKind:
    """What a contact of two shapes is called, one of which is a cloud."""
    return ContactKind[f"{_element(a)}_{_element(b)}"]


def _element(shape: Movable) -> str:
    if isinstance(shape, Cloud):
        return shape.element
    return "FACE" if hasattr(shape, "faces") else "SHAPE"


def of_elements(
    contacts: ContactRows, shapes: tuple[Movable, Movable], bodies: tuple[Body, Body], triangles: Ids
) -> ContactRows:
    """Let contacts of triangles be those of elements, with their radii; a mesh has faces."""
    found = np.flatnonzero(contacts.kind != NO_CONTACT)
    for side, body in enumerate(bodies):
        contacts.ids[found, side] = body.order[triangles[found, side]]
    contacts.kind[found] = element_kind(*shapes)
    return with_radii(contacts, bodies, triangles)


def with_radii(contacts: ContactRows, bodies: tuple[Body, Body], triangles: Ids) -> ContactRows:
    """Let contacts of triangles be those of all that is within their radii."""
    found = np.flatnonzero(contacts.kind != NO_CONTACT)
    pairs = triangles[found]
    radius_a, radius_b = (body.triangles[pairs[:, side], RADIUS] for side, body in enumerate(bodies))
    between = contacts.distances[found]
    # From the closest point of a: in the middle of the gap, or of what both cover of the way to b.
    middle = np.maximum(np.maximum(0.5 * (between + radius_a - radius_b), between - radius_b), 0.0)
    along = np.minimum(np.minimum(middle, radius_a), between)
    along = np.where(between > radius_a + radius_b, 0.5 * (between + radius_a - radius_b), along)
    contacts.points[found] += (along - 0.5 * between)[:, np.newaxis] * contacts.normals[found]
    contacts.distances[found] = np.maximum(between - radius_a - radius_b, 0.0)
    return contacts
