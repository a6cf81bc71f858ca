"""A deforming mesh against a rigid body, posed to the search."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.advancement.goal import Options
from firstcontact.advancement.progress import shown
from firstcontact.answers.contact_results import Contacts, FirstContact, no_contact
from firstcontact.arrays import Array
from firstcontact.deformable.cloud_features import named_elements
from firstcontact.deformable.contact_list import Search
from firstcontact.deformable.rows import contact_rows
from firstcontact.deformable.with_rigid.course import Course, nothing_found
from firstcontact.deformable.with_rigid.rigid_contacts import Lister
from firstcontact.deformable.with_rigid.rigid_pieces import (
    MAX_ITERATIONS,
    Encounter,
    first_contact_with_rigid,
)
from firstcontact.queries.batches import single
from firstcontact.queries.kinds.deforming import TRIANGLE_PAIRS, as_culling, stats_of
from firstcontact.queries.kinds.rigid import rigid_first
from firstcontact.queries.kinds.solid_start import AB, first_of_solids
from firstcontact.shapes.mesh import Mesh, as_moving
from firstcontact.shapes.moving import Moving
from firstcontact.status import ContactKind, Status, features_of


def mixed_first(a: Moving, b: Moving, ask: Ask) -> FirstContact:
    """First contact of two things, one of which deforms and the other moves rigidly."""
    if ask.solid:
        return first_of_solids((a, b), AB, ask, partial(mixed_first, a, b))
    culling = as_culling(ask.culling)
    tolerance = ask.tolerance_for(size_at_start(single(a, "a")), size_at_start(single(b, "b")))
    if not ask.assume_free_start:
        resting = ask._replace(tolerance=tolerance, max_iterations=None, progress=False)
        at_start = _first_at_start(a, b, resting)
        if at_start:
            return at_start
    options = Options(tolerance, ask.min_separation, ask.max_iterations or MAX_ITERATIONS)
    with shown(ask.progress, TRIANGLE_PAIRS) as report:
        met = first_contact_with_rigid([a, b], options, culling, report)
    return first_of_encounter(met)


def first_of_encounter(met: Encounter) -> FirstContact:
    """First contact as rigid bodies in motion met it."""
    stats = stats_of(met.problem, met.search, met.seconds)
    if met.status == Status.SEPARATED:
        return no_contact(stats)
    rows = named_elements(contact_rows(met.problem, met.search.found, met.rounding), met.problem)
    features = np.stack([rows.kind, rows.ids_a, rows.ids_b], axis=1).astype(np.int32)
    return FirstContact(
        met.status,
        met.time,
        met.time_upper,
        rows.points,
        rows.normals,
        features,
        stats,
        is_truncated=met.search.is_truncated,
        _thing_ids=rows.thing_ids,
    )


def mixed_contacts(a: Moving, b: Moving, ask: Ask) -> Contacts:
    """All contacts of two things, one of which deforms and the other moves rigidly."""
    tolerance = ask.tolerance_for(size_at_start(single(a, "a")), size_at_start(single(b, "b")))
    return contacts_of_bodies([a, b], tolerance, ask)


def contacts_of_bodies(things: Sequence[Moving], tolerance: float, ask: Ask) -> Contacts:
    """All contacts of rigid bodies in motion with each other and with what deforms."""
    began = perf_counter()
    with shown(ask.progress, TRIANGLE_PAIRS) as report:
        course = Course(things, as_culling(ask.culling), report)
        lister = Lister(course, Options(tolerance, ask.min_separation, MAX_ITERATIONS), ask.max_contacts)
        if not ask.assume_free_start:
            lister.add_pierced()
        lister.search()
    search = Search(nothing_found(), course.tally, course.seconds_settling)
    seconds = perf_counter() - began - course.problem.seconds
    return Contacts(*lister.rows(), stats=stats_of(course.problem, search, seconds))


def _first_at_start(a: Moving, b: Moving, ask: Ask) -> FirstContact | None:
    """Contact at the start, if there is one.

    The search for deforming meshes is for features that meet. Surfaces that cross already need not have any.
    """
    places = a.vertices(0.0), b.vertices(0.0)
    margin = ask.min_separation + (ask.tolerance or 0.0) + a.surface.thickness + b.surface.thickness
    near_a = _near(places[0], a.surface, _box(places[1], b.surface.faces), margin)
    near_b = _near(places[1], b.surface, _box(places[0], a.surface.faces[near_a]), margin)
    parts = a.surface.part(places[0], near_a), b.surface.part(places[1], near_b)
    if min(part.n_faces for part in parts) == 0:
        return None
    hit = rigid_first(as_moving(parts[0]), as_moving(parts[1]), ask)
    if not hit:
        return None
    features = hit.features.copy()
    for row in features:
        for side, (thing, part, near) in enumerate(((a, parts[0], near_a), (b, parts[1], near_b))):
            what = features_of(ContactKind(row[0]))[side]
            row[1 + side] = _id_in(thing.surface, part, near, what, row[1 + side])
    return replace(hit, features=features)


def _near(places: Array, mesh: Mesh, box: tuple[Array, Array], margin: float) -> NDArray[np.int64]:
    """Faces whose boxes come within a margin of a box."""
    corners = places[mesh.faces]
    low, high = box[0] - margin, box[1] + margin
    is_near = (corners.max(axis=1) >= low) & (corners.min(axis=1) <= high)
    return np.flatnonzero(is_near.all(axis=1))


def _box(places: Array, faces: NDArray[np.int32]) -> tuple[Array, Array]:
    is_used = np.zeros(len(places), np.bool_)
    is_used[faces] = True
    used = places if is_used.all() else places[is_used]
    return used.min(axis=0, initial=np.inf), used.max(axis=0, initial=-np.inf)


def _id_in(mesh: Mesh, part: Mesh, faces: NDArray[np.int64], what: str, i: int) -> int:
    """Number in a mesh of a feature that is numbered in a part of its faces."""
    if what == "edge":
        return int(np.flatnonzero((mesh.edges == part.edges[i]).all(axis=1))[0])
    return int(faces[i]) if what == "face" else i


def size_at_start(thing: Moving) -> float:
    """Diagonal of the box around a thing at the start."""
    low, high = _box(thing.vertices(0.0), thing.surface.faces)
    return float(np.linalg.norm(high - low) + 2.0 * thing.surface.thickness) if thing.surface.n_faces else 0.0
