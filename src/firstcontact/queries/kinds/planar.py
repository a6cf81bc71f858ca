"""Things in the plane: what is asked of them is asked of their edges in space, and what is inside is contact.

An outline that meets no edge of another thing is wholly inside of it, or wholly outside: a point tells which.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.answers.answer import About, Answer
from firstcontact.answers.clearance_results import Clearance
from firstcontact.answers.contact_results import Contacts, FirstContact, FirstContacts
from firstcontact.answers.interval_results import ContactIntervals
from firstcontact.answers.proximity_results import Distance
from firstcontact.arrays import Array
from firstcontact.bodies.plane_body import plane_body, plane_body_of
from firstcontact.proximity.plane.sides import are_inside
from firstcontact.queries.kinds.planar_normals import with_normals
from firstcontact.queries.kinds.resting import NO_FACES, rested
from firstcontact.queries.kinds.rigid_intervals import interval_columns, spans_of, with_insides
from firstcontact.queries.look_up import answered_at_length, refuse, row_for
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.planar import as_planar
from firstcontact.status import Status

DEFORMING_PLANAR = Kind.DEFORMING_PLANAR

A = TypeVar("A", bound=Answer)


def asked(verb: str, a: Moving, b: Moving | None, ask: Ask) -> Any:
    """Ask about edges in space; what is refused is refused in the names of the things themselves."""
    edges = a.lifted, None if b is None else b.lifted
    row = row_for(verb, *edges)
    refuse(row, verb, a, b)
    return answered_at_length(verb, *edges, row.only(ask))


def flat(found: A, *names: str) -> A:
    """An answer with two coordinates of its points or vectors, which does not know what it is about."""
    fields: dict[str, Any] = {name: np.ascontiguousarray(getattr(found, name)[..., :2]) for name in names}
    return replace(found, _about=About({}), **fields)


class PlanarMeasurer(NamedTuple):
    """Measures two things of the plane at times, by who measures their edges: a `Measurer`."""

    of_edges: Any

    def distances(self, things: Mapping[str, Moving], times: Array) -> Array:
        """Distances at times (m,): (m,), of a batch (n, m); 0 where one is inside of the other."""
        edges = {name: thing.lifted for name, thing in things.items()}
        found: Array = np.array(self.of_edges.distances(edges, times))
        for k, t in enumerate(times.tolist()):
            is_inside = ~np.isnan(shared_points(*(_then(thing, t) for thing in things.values()))[:, 0])
            found[..., k] = np.where(is_inside if found.ndim > 1 else is_inside[0], 0.0, found[..., k])
        return found

    def certificate(self, things: Mapping[str, Moving], kept: float) -> Any:
        """Refuse: a certificate is about shapes in space."""
        raise ValueError("a certificate is for two rigid bodies in space, and for robots")


def planar_first(a: Moving, b: Moving | None, ask: Ask) -> FirstContact:
    """Find the first contact; what is inside is in contact from the start."""
    told: FirstContact = asked("first_contact", a, b, ask)
    times = np.full(len(told.points), told.time)
    normals = with_normals(told.normals, (a, a if b is None else b), told.features[:, 1:], times)
    found = replace(flat(told, "points"), normals=normals)
    if b is None or found.time == 0.0 or np.isnan(shared_points(a, b)[0, 0]):
        return found
    nowhere, nothing = np.empty((0, 2)), np.empty((0, 3), np.int32)
    return FirstContact(Status.CONTACT_AT_START, 0.0, 0.0, nowhere, nowhere.copy(), nothing, found.stats)


def planar_firsts(a: Moving, b: Moving, ask: Ask) -> FirstContacts:
    """Find the first contacts of a batch of motions."""
    told: FirstContacts = asked("first_contacts", a, b, ask)
    normals = with_normals(told.normals, (a, b), told.features[:, 1:], told.time)
    found = replace(flat(told, "points"), normals=normals)
    rows = np.flatnonzero(~np.isnan(shared_points(a, b)[:, 0]) & (found.time > 0.0))
    found.status[rows], found.features[rows] = Status.CONTACT_AT_START, -1
    found.time[rows], found.time_upper[rows] = 0.0, 0.0
    found.points[rows], found.normals[rows] = np.nan, np.nan
    return found


def planar_contacts(a: Moving, b: Moving | None, ask: Ask) -> Contacts:
    """List all pairs of edges that touch in a step; of outlines, whatever is inside."""
    found: Contacts = asked("contacts", a, b, ask)
    ids = np.stack([found.ids_a, found.ids_b], axis=1)
    normals = with_normals(found.normals, (a, a if b is None else b), ids, found.time)
    return replace(flat(found, "points", "velocities"), normals=normals)


def planar_clearance(a: Moving, b: Moving, ask: Ask) -> Clearance:
    """Find how near they come: what is inside at the start is at no distance then."""
    told: Clearance = flat(asked("clearance", a, b, ask), "points")
    found = replace(told, _measurer=PlanarMeasurer(told._measurer))
    shared = shared_points(a, b)
    is_inside = ~np.isnan(shared[:, 0])
    if not is_inside.any():
        return found
    changed: dict[str, Any] = {
        "distance": np.where(is_inside, 0.0, found.distance),
        "distance_lower": np.where(is_inside, 0.0, found.distance_lower),
        "time": np.where(is_inside, 0.0, found.time),
        "points": np.where(is_inside[:, None, None], np.stack([shared, shared], axis=1), found.points),
        "faces": np.where(is_inside[:, None], NO_FACES, found.faces),
        "status": np.where(is_inside, Status.CONTACT, found.status).astype(np.int8),
    }
    if np.ndim(found.distance) == 0:
        changed = {name: value[0] if value.ndim > 1 else value.item() for name, value in changed.items()}
        changed["status"] = Status(changed["status"])
    return replace(found, **changed)


def planar_intervals(a: Moving, b: Moving, ask: Ask) -> ContactIntervals:
    """Find when they touch: when edges do, and while one is inside in between."""
    found: ContactIntervals = asked("contact_intervals", a, b, ask)
    touch, edges = partial(_are_inside, a, b), (a.lifted, b.lifted)
    spans = [with_insides(own, *edges, k, touch) for k, own in enumerate(spans_of(found))]
    return ContactIntervals(*interval_columns(spans), a.rigid.is_batch or b.rigid.is_batch)


def planar_distance(a: Moving, b: Moving, ask: Ask) -> Distance:
    """Measure the distance: 0 with a common point where one is inside."""
    for name, thing in (("a", a), ("b", b)):
        rested("distance", name, thing)
    found: Distance = flat(asked("distance", a, b, ask), "points_a", "points_b")
    if not np.any(found.distance):
        return found
    shared = shared_points(a, b)
    is_inside = ~np.isnan(shared[:, 0]) & (np.atleast_1d(found.distance) > 0.0)
    if not is_inside.any():
        return found
    if np.ndim(found.distance) == 0:
        common = shared[0]
        return replace(found, distance=0.0, points_a=common, points_b=common.copy(), faces=NO_FACES.copy())
    points = [np.where(is_inside[:, None], shared, own) for own in (found.points_a, found.points_b)]
    faces = np.where(is_inside[:, None], NO_FACES, found.faces)
    distance = np.where(is_inside, 0.0, found.distance)
    return replace(found, distance=distance, points_a=points[0], points_b=points[1], faces=faces)


def planar_intersects(a: Moving, b: Moving, ask: Ask) -> bool | NDArray[np.bool_]:
    """Have they a common point?"""
    for name, thing in (("a", a), ("b", b)):
        rested("intersects", name, thing)
    found: bool | NDArray[np.bool_] = asked("intersects", a, b, ask)
    if np.all(found):
        return found
    touches = np.asarray(found) | ~np.isnan(shared_points(a, b)[:, 0])
    return touches if np.ndim(found) else bool(touches[0])


def shared_points(a: Moving, b: Moving) -> Array:
    """A point of both at the start, where one is inside of the other, (n, 2); NaN where there is none.

    Of each row of edges the first point is looked at: where edges do not meet, no other need be.
    """
    poses = [_poses(thing) for thing in (a, b)]
    n = max(map(len, poses)) if min(map(len, poses)) else 0
    found = np.full((n, 2), np.nan)
    for holder, i in ((a, 0), (b, 1)):
        if as_planar(holder.shape).is_filled:
            _mark(found, holder, poses[i], (b, a)[i], poses[1 - i])
    return found


def _are_inside(a: Moving, b: Moving, edges_a: Moving, edges_b: Moving) -> NDArray[np.bool_]:
    """Is one inside of the other, in each of the poses of their edges?"""
    placed = Moving(a.shape, edges_a.motion), Moving(b.shape, edges_b.motion)
    inside: NDArray[np.bool_] = ~np.isnan(shared_points(*placed)[:, 0])
    return inside


def _then(thing: Moving, t: float) -> Moving:
    """A thing as it stands at a time."""
    shape = as_planar(thing.shape)
    if thing.kind is DEFORMING_PLANAR:
        return shape.deforming(thing.vertices(t), thing.vertices(t))
    return shape.at(thing.pose(t))


def _poses(thing: Moving) -> Array:
    """The poses at the start, (n, 3, 3)."""
    if thing.kind is DEFORMING_PLANAR:
        return np.eye(3)[np.newaxis]
    return thing.pose(0.0).reshape(-1, 3, 3)


def _start(thing: Moving) -> Array:
    """The points as they are at the start, in the frame of the pose."""
    return thing.vertices(0.0) if thing.kind is DEFORMING_PLANAR else as_planar(thing.shape).vertices


def _mark(found: Array, holder: Moving, own: Array, other: Moving, there: Array) -> None:
    """Write down points of another, in its poses, that are inside of a holder, in its poses."""
    shape, counts = as_planar(holder.shape), as_planar(other.shape).counts
    firsts = (np.cumsum(counts) - counts)[counts > 0]
    if shape.n_edges == 0 or len(firsts) == 0 or len(found) == 0:
        return
    is_whole = holder.kind is not DEFORMING_PLANAR
    body = plane_body_of(shape) if is_whole else plane_body(_start(holder), shape.edges)
    world = _start(other)[firsts] @ there[:, :2, :2].transpose(0, 2, 1) + there[:, None, :2, 2]
    local = (world - own[:, None, :2, 2]) @ own[:, :2, :2]
    inside = are_inside(body, np.ascontiguousarray(local.reshape(-1, 2))).reshape(local.shape[:2])
    best = np.argmax(inside, axis=1)
    rows = np.flatnonzero(inside[np.arange(len(best)), best] & np.isnan(found[:, 0]))
    world = np.broadcast_to(world, local.shape)
    found[rows] = world[rows, best[rows]]
