"""Every contact of what deforms with a field, over a step or from frame to frame: a row for each element."""

from dataclasses import replace
from functools import reduce
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.advancement.goal import Options
from firstcontact.advancement.progress import Report, shown
from firstcontact.answers.contact_results import Contacts, ContactStats
from firstcontact.arrays import Array, Ids
from firstcontact.deformable.common_steps import CommonStep
from firstcontact.errors import too_many
from firstcontact.fields.seen_field import seen_field
from firstcontact.motions.rigid_motion import AXIS, BASE_TIME, END_TIME, POSITION, RATE, VELOCITY
from firstcontact.motions.rigid_paths import motion_at_origin
from firstcontact.proximity.touching.cloud_elements import element_kind
from firstcontact.queries.kinds.deforming_steps import all_in_whole, joined
from firstcontact.queries.kinds.field_contacts import NOT_DEEP, single_at
from firstcontact.queries.kinds.field_first import MAX_ITERATIONS, as_field, pieces_of
from firstcontact.queries.kinds.field_steps import LinesAndField
from firstcontact.rigid.fields.field_every import field_every_time
from firstcontact.rigid.fields.field_first import FieldBatch, FieldFound
from firstcontact.rigid.fields.field_proof import field_proven_times
from firstcontact.shapes.moving import Moving
from firstcontact.status import ContactKind, Status

# Corners of an element that count, by the word for it in the name of a contact.
N_CORNERS = {"POINT": 1, "SEGMENT": 2, "FACE": 3}

# Elements between two updates of a progress bar.
PROGRESS_EVERY = 1 << 14


def contacts_with_field(a: Moving, b: Moving, ask: Ask) -> Contacts:
    """List every element that comes near a field's shape, each once, with its first time."""
    pair = LinesAndField.of(single_at(a, "a"), single_at(b, "b"), ask)
    within, field = ask.within or 0.0, as_field(pair.other.shape)
    if within < 0.0 and not field.is_exact[1]:
        raise ValueError(NOT_DEEP)
    options = Options(pair.tolerance, within, MAX_ITERATIONS)
    kind = element_kind(a.shape, b.shape)
    n, known = pair.thing.surface.n_faces, None
    ids = np.arange(n, dtype=np.int32)
    with shown(ask.progress, "elements") as report:
        for step in pair.steps():
            found = _in_step(step, ids, options, (pair.is_swapped, kind), report)
            whole = all_in_whole(found, step)
            known = whole if known is None else joined(known, whole)
            if len(known) > ask.max_contacts:
                raise too_many("contacts", "max_contacts", ask.max_contacts)
            ids = ids[~np.isin(ids, found.ids_b if pair.is_swapped else found.ids_a)]
    assert known is not None  # there is a step at the least
    return replace(known, time_upper=np.where(np.isfinite(known.time_upper), known.time_upper, 1.0))


def _in_step(
    step: CommonStep, ids: Ids, options: Options, names: tuple[bool, ContactKind], report: Report
) -> Contacts:
    """Contacts of some of the elements in a step, by its clock."""
    began, (thing, other) = perf_counter(), step.things
    field = seen_field(as_field(other.shape))
    body = pieces_of(thing, field)
    rows = motion_at_origin().rows(), other.rigid.rows()
    parts, done = [], 0
    for own in np.array_split(ids, max(-(-len(ids) // PROGRESS_EVERY), 1)):
        few = body._replace(triangles=body.triangles[own], ways=body.ways[own], order=own)
        batch = FieldBatch(few, field, *rows)
        found = field_every_time(batch, options)
        parts.append(_listed(thing, batch, found, field_proven_times(batch, found, options), names))
        done += len(own)
        report(done, sum(len(part) for part in parts))
    seconds = perf_counter() - began
    stats = ContactStats(
        feature_pairs=len(ids), advanced=len(ids), seconds={"search": seconds, "total": seconds}
    )
    return replace(reduce(joined, parts), stats=stats)


def _listed(
    thing: Moving, batch: FieldBatch, found: FieldFound, upper: Array, names: tuple[bool, ContactKind]
) -> Contacts:
    """Contacts as rows, by their times."""
    is_swapped, kind = names
    hits = np.flatnonzero(found.status != Status.SEPARATED)
    elements = batch.body.order[hits]
    hits = hits[np.lexsort((elements, found.time[hits]))]
    elements = batch.body.order[hits]
    n, n_corners = len(hits), N_CORNERS[next(word for word in kind.name.split("_") if word in N_CORNERS)]
    vertex_ids, weights = np.full((n, 4), -1, np.int32), np.full((n, 4), np.nan)
    vertex_ids[:, :n_corners] = thing.surface.faces[elements, :n_corners]
    weights[:, :n_corners] = _weights(batch, found, hits, n_corners)
    points, normals, nobody = found.points[hits].mean(axis=1), found.normals[hits], np.full(n, -1, np.int32)
    gap = np.einsum("ij,ij->i", found.points[hits, 1] - found.points[hits, 0], normals)
    velocities = found.materials[hits, 3:] - _velocities(batch.rows_b[0], points, found.time[hits])
    closing = np.einsum("ij,ij->i", velocities, normals)
    ids_a, ids_b = (nobody, elements) if is_swapped else (elements, nobody)
    return Contacts(
        np.full(n, kind, np.int8),
        np.tile(np.array([[0, 1]], np.int32), (n, 1)),
        ids_a,
        ids_b,
        vertex_ids,
        found.time[hits],
        upper[hits],
        points,
        -normals if is_swapped else normals,
        closing,
        weights,
        found.status[hits],
        gap,
        -velocities if is_swapped else velocities,
        ContactStats(),
    )


def _weights(batch: FieldBatch, found: FieldFound, hits: NDArray[np.intp], n_corners: int) -> Array:
    """Weights of the corners that count, of the points that were found: they are the same all the time."""
    n, own = len(hits), found.materials[hits]
    both = batch.body.triangles[hits, :9].reshape(n, 3, 3), batch.body.ways[hits].reshape(n, 3, 3)
    corners = np.concatenate(both, axis=2)[:, :n_corners]
    sides = corners[:, 1:] - corners[:, :1]
    is_there = np.isfinite(own[:, 0])
    away = np.where(is_there[:, np.newaxis], own, 0.0) - corners[:, 0]
    parts = np.einsum("nij,ni->nj", np.linalg.pinv(sides), away) if n_corners > 1 else np.empty((n, 0))
    weights = np.concatenate([1.0 - parts.sum(axis=1, keepdims=True), parts], axis=1).clip(0.0, 1.0)
    weights /= weights.sum(axis=1, keepdims=True)
    weights[~is_there] = np.nan
    return weights


def _velocities(rows: Array, points: Array, times: Array) -> Array:
    """Velocities of a body's points that are at places (n, 3) at times (n,), of the pieces (k, 26)."""
    own = rows[np.searchsorted(rows[:-1, END_TIME], times, side="right")]
    linear = own[:, VELOCITY:AXIS]
    pivots = own[:, POSITION:VELOCITY] + (times - own[:, BASE_TIME])[:, np.newaxis] * linear
    turning: Array = np.cross(own[:, AXIS:RATE] * own[:, RATE : RATE + 1], points - pivots)
    return linear + turning
