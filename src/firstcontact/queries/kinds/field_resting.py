"""A field at an instant: distances, contact, rays and points."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.answers.point_results import SignedDistances
from firstcontact.answers.proximity_results import Distance, DistanceStats
from firstcontact.fields.field_points import Nearby, nearby
from firstcontact.fields.field_rays import cast_at_field
from firstcontact.fields.field_values import field_values
from firstcontact.fields.seen_field import seen_field
from firstcontact.proximity.points.signed_on_mesh import Field
from firstcontact.proximity.rays.ray_hits import ALL, Hits
from firstcontact.queries.batches import common_length
from firstcontact.queries.kinds.field_first import as_field, motion_of, pieces_of
from firstcontact.queries.ray_cast import RayBatch, rays_in, rested_once
from firstcontact.queries.signed_distance import PointBatch, answered, check_sign, placed_in, shaped, standing
from firstcontact.rigid.fields.field_nearest import FieldMeasured, field_distances
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving


def field_distance(a: Moving, b: Moving, ask: Ask) -> Distance:
    """Measure a body and a field, in one pose each or a batch of them; 0 wherever they may touch."""
    found, is_swapped, order, is_batch = _measured("distance", a, b)
    faces = np.full((len(found.distance), 2), -1, np.int32)
    is_face = found.triangles >= 0
    faces[is_face, 1 if is_swapped else 0] = order[found.triangles[is_face]]
    points = found.points[:, ::-1] if is_swapped else found.points
    volumes, pieces = found.counts.T
    if is_batch:
        stats = DistanceStats(volumes.copy(), pieces.copy(), np.zeros(len(faces), np.int64))
        return Distance(found.distance, points[:, 0].copy(), points[:, 1].copy(), faces, stats)
    stats = DistanceStats(int(volumes[0]), int(pieces[0]), 0)
    return Distance(float(found.distance[0]), points[0, 0].copy(), points[0, 1].copy(), faces[0], stats)


def field_intersects(a: Moving, b: Moving, ask: Ask) -> bool | NDArray[np.bool_]:
    """May a body and the shape of a field touch, in one pose each or a batch of them? No is proven."""
    found, _, _, is_batch = _measured("intersects", a, b)
    touches: NDArray[np.bool_] = found.distance <= 0.0
    return touches if is_batch else bool(touches[0])


def _measured(verb: str, a: Moving, b: Moving) -> tuple[FieldMeasured, bool, Any, bool]:
    """What was found; whether the field is a; numbers of a mesh's triangles; whether this is a batch."""
    for name, thing in (("a", a), ("b", b)):
        if not thing.motion.is_resting:
            raise ValueError(f"{verb} is for one instant, and {name} moves: use {name}.at(pose)")
    is_swapped = b.kind is not Kind.FIELD
    thing, other = (b, a) if is_swapped else (a, b)
    field = seen_field(as_field(other.shape))
    body, motions = pieces_of(thing, field), (motion_of(thing), other.rigid)
    common_length(*motions, "poses")
    rows = [np.ascontiguousarray(motion.rows()[:, 0]) for motion in motions]
    is_batch = motions[0].is_batch or motions[1].is_batch
    return field_distances(body, field, rows[0], rows[1]), is_swapped, body.order, is_batch


def rays_at_field(thing: Moving, batch: RayBatch, ask: Ask) -> Hits:
    """Cast rays at the surface of a field's shape."""
    if batch.wanted == ALL:
        raise ValueError("hits='all' is for shapes whose surface is known, and this is a field: use 'first'")
    found = rested_once(thing)
    return cast_at_field(seen_field(as_field(found.shape)), rays_in(batch, found), batch.n)


def points_at_field(thing: Moving, batch: PointBatch, ask: Ask) -> SignedDistances | bool | NDArray[np.bool_]:
    """Measure points from the shape of a field, as well as that knows it."""
    resting = standing(thing, batch.verb)
    check_sign(batch, resting)
    placed, field = placed_in(batch, resting.motion), as_field(resting.shape)
    if batch.is_side_only:
        return shaped(field_values(field.octree, placed.local) < 0.0, placed.shape)
    near: Nearby = nearby(seen_field(field), placed.local)
    faces = np.full(len(near.values), -1, np.int32)
    return answered(Field(near.values, near.points, near.normals, faces), placed, "field")
