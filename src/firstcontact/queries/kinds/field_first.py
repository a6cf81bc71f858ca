"""Queries about the first contact of a body and a field, posed to the search."""

from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.advancement.goal import Options
from firstcontact.advancement.progress import in_parts
from firstcontact.advancement.refining import Motions, first_refined, proven_refined
from firstcontact.answers.contact_results import FirstContact, FirstContacts, no_contact
from firstcontact.arrays import Array
from firstcontact.fields.distance_field import DistanceField
from firstcontact.fields.pieces import (
    LINES,
    SURFACE,
    Pieces,
    pieces_of_convex,
    pieces_of_field,
    pieces_of_lines,
    pieces_of_mesh,
)
from firstcontact.fields.seen_field import SeenField, seen_field
from firstcontact.motions.law import Which
from firstcontact.motions.rigid_motion import RigidMotion
from firstcontact.motions.rigid_paths import motion_at_origin
from firstcontact.proximity.touching.cloud_elements import element_kind
from firstcontact.queries.batches import common_length, single
from firstcontact.queries.kinds.rigid import advancement_stats
from firstcontact.rigid.fields.field_first import FieldBatch, FieldFound, field_first_times
from firstcontact.rigid.fields.field_proof import field_proven_times
from firstcontact.shapes.movable import Kind, Movable
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of
from firstcontact.status import ContactKind, Status

# Default limit of steps, and some more for each triangle: a second of work, and 200 MB for as many pieces.
MAX_ITERATIONS = 1 << 20


class BodyAndField(NamedTuple):
    """A body and a field, with their motions; whether the field is what the user calls a.

    kind : what a contact of a mesh, points or strands is called
    """

    is_swapped: bool
    kind: ContactKind
    motions: Motions
    batch: FieldBatch
    options: Options


def field_first(a: Moving, b: Moving, ask: Ask) -> FirstContact:
    """First contact of a body and a field; which is which does not matter."""
    began = perf_counter()
    pair = pose_body_and_field(single(a, "a"), single(b, "b"), ask)
    found = field_found(pair, ask)
    stats = advancement_stats(found.counts[0].tolist(), perf_counter() - began)
    status, time = Status(int(found.status[0])), float(found.time[0])
    if status == Status.SEPARATED:
        return no_contact(stats)
    if status == Status.MAX_ITERATIONS:
        nothing = np.empty((0, 3))
        return FirstContact(status, time, np.inf, nothing, nothing.copy(), np.empty((0, 3), np.int32), stats)
    upper, features = proven_times(pair, found), features_of(pair, found)
    points, normals = places_of(pair, found)
    return FirstContact(status, time, float(upper[0]), points, normals, features, stats)


def field_firsts(a: Moving, b: Moving, ask: Ask) -> FirstContacts:
    """First contacts of a batch of motions of a body and a field."""
    began = perf_counter()
    pair = pose_body_and_field(a, b, ask)
    found = field_found(pair, ask)
    upper, features = proven_times(pair, found), features_of(pair, found)
    stats = advancement_stats(np.ascontiguousarray(found.counts.T), perf_counter() - began)
    return FirstContacts(found.status, found.time, upper, *places_of(pair, found), features, stats)


def field_time(a: Moving, b: Moving, ask: Ask) -> float:
    """Time of the first contact of a body and a field, 1 where there is none."""
    found = field_found(pose_body_and_field(single(a, "a"), single(b, "b"), ask), ask)
    return min(float(found.time[0]), 1.0)


def as_field(shape: Movable) -> DistanceField:
    """Accept a shape that is known to be a field."""
    if not isinstance(shape, DistanceField):
        raise TypeError(f"a {type(shape).__name__} is no field")
    return shape


def pieces_of(thing: Moving, field: SeenField, separation: float = 0.0) -> Pieces:
    """A body as it meets a field."""
    if thing.kind is Kind.CONVEX:
        return pieces_of_convex(shape_of(thing), field, separation)
    if thing.kind is Kind.FIELD:
        return pieces_of_field(seen_field(as_field(thing.shape)), field)
    if thing.kind is Kind.MESH:
        return pieces_of_mesh(thing.surface, field)
    return pieces_of_lines((thing.vertices(0.0), thing.vertices(1.0)), thing.surface, field)


def motion_of(thing: Moving) -> RigidMotion:
    """The rigid motion of a body; what deforms does so at rest."""
    return motion_at_origin() if thing.kind is Kind.DEFORMING else thing.rigid


def pose_body_and_field(a: Moving, b: Moving, ask: Ask) -> BodyAndField:
    """Make body, field and motions ready for the search."""
    is_swapped = b.kind is not Kind.FIELD
    thing, other = (b, a) if is_swapped else (a, b)
    field = seen_field(as_field(other.shape))
    body = pieces_of(thing, field, ask.min_separation)
    motions = Motions(motion_of(thing), other.rigid)
    common_length(*motions, "motions")
    tolerance = ask.tolerance_for(2.0 * (body.reach + body.radius), 2.0 * field.reach)
    usual = MAX_ITERATIONS + 4 * len(body.triangles)
    options = Options(tolerance, ask.min_separation, ask.max_iterations or usual)
    kind = element_kind(a.shape, b.shape)
    return BodyAndField(is_swapped, kind, motions, FieldBatch(body, field, *motions.rows), options)


def field_found(pair: BodyAndField, ask: Ask) -> FieldFound:
    """Search, in parts where progress is shown."""

    def search(rows_a: Array, rows_b: Array, _: Which) -> FieldFound:
        return field_first_times(pair.batch._replace(rows_a=rows_a, rows_b=rows_b), pair.options)

    def part(span: slice) -> FieldFound:
        return first_refined(pair.motions.chosen(span), _fine(pair), search)

    return in_parts(part, len(pair.motions), ask.progress)


def proven_times(pair: BodyAndField, found: FieldFound) -> Array:
    """Times at which contact is certain."""

    def prove(rows_a: Array, rows_b: Array, which: Which) -> Array:
        batch = pair.batch._replace(rows_a=rows_a, rows_b=rows_b)
        return field_proven_times(batch, FieldFound._make(array[which] for array in found), pair.options)

    return proven_refined(pair.motions, found, _fine(pair), prove)


def _fine(pair: BodyAndField) -> float:
    """Tolerance for what motions deviate: to be finer than the field is would gain nothing."""
    return pair.options.tolerance + 0.5 * pair.batch.field.tolerance


def features_of(pair: BodyAndField, found: FieldFound) -> NDArray[np.int32]:
    """Kind of contact, and the ids on a and on b; -1 where there is none."""
    features = np.full((len(found.time), 3), -1, np.int32)
    is_hit = (found.status == Status.CONTACT) | (found.status == Status.CONTACT_AT_START)
    if pair.batch.body.kind not in (SURFACE, LINES):
        features[is_hit, 0] = ContactKind.SHAPE_SHAPE
        return features
    features[is_hit, 0] = pair.kind
    features[is_hit, 2 if pair.is_swapped else 1] = pair.batch.body.order[found.triangles[is_hit, 0]]
    return features


def places_of(pair: BodyAndField, found: FieldFound) -> tuple[Array, Array]:
    """Where they touch, and unit vectors from a to b."""
    return found.points.mean(axis=1), -found.normals if pair.is_swapped else found.normals
