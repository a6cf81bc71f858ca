"""First contact of a convex shape and a deforming mesh, posed to the search."""

from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.advancement.progress import shown
from firstcontact.advancement.refining import Motions, Search, first_refined, proven_refined
from firstcontact.answers.contact_results import AdvancementStats, FirstContact, no_contact
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import side_of
from firstcontact.deformable.with_rigid.convex_deforming_first import DeformingContact, Faces
from firstcontact.deformable.with_rigid.convex_deforming_in_steps import ShapeAndMesh, convex_deforming_steps
from firstcontact.motions.law import Which
from firstcontact.motions.rigid_paths import motion_at_origin
from firstcontact.proximity.touching.cloud_elements import element_kind
from firstcontact.queries.batches import single
from firstcontact.queries.kinds.convex import size_of, ways_out
from firstcontact.queries.kinds.mixed import size_at_start
from firstcontact.queries.kinds.rigid import options_of
from firstcontact.queries.kinds.solid_start import AB, first_of_solids
from firstcontact.shapes.convex_shape import table_of
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of
from firstcontact.status import Status


def deforming_first(a: Moving, b: Moving, ask: Ask) -> FirstContact:
    """First contact of a convex shape, moving or at rest, and a deforming mesh, in either order."""
    if ask.solid:
        return first_of_solids((a, b), AB, ask, partial(deforming_first, a, b))
    began = perf_counter()
    is_swapped = a.kind is Kind.DEFORMING
    shape, mesh = (b, a) if is_swapped else (a, b)
    table, motion = table_of(shape.shape), single(shape, "b" if is_swapped else "a").rigid
    options = options_of(ask, size_of(table), size_at_start(mesh))
    faces = Faces(mesh.surface.faces, mesh.surface.radii)
    pair = ShapeAndMesh(table, faces, mesh.deforms, shape_of(shape).reach)

    def search(rows: Array, _: Array, __: Which) -> _Found:
        return _Found.of(convex_deforming_steps(pair, rows[0], options))

    with shown(ask.progress, "motions", 1) as report:
        found = _refined(Motions(motion, motion_at_origin()), options.tolerance, search)
        report(1)
    tests = found.triangle_tests
    stats = AdvancementStats(tests, 0, 0, tests, perf_counter() - began)
    if found.status == Status.SEPARATED:
        return no_contact(stats)
    kind = element_kind(a.shape, b.shape)
    features = np.array([[kind, found.face, -1] if is_swapped else [kind, -1, found.face]], np.int32)
    points, normals = found.points.mean(axis=0)[np.newaxis], found.normal[np.newaxis]
    if found.status == Status.CONTACT_AT_START and found.face >= 0:
        triangle = mesh.vertices(0.0)[mesh.surface.faces[found.face]][np.newaxis]
        is_overlapping, ways = ways_out(side_of(table, motion.rows(), 1), triangle, motion_at_origin().rows())
        normals = ways if is_overlapping[0] else normals
    if found.face < 0:
        points, normals, features = points[:0], normals[:0], features[:0]
    normals = -normals if is_swapped else normals
    return FirstContact(found.status, found.time, found.time_upper, points, normals, features, stats)


class _Found(NamedTuple):
    """A contact as `refining` takes it: arrays of one item."""

    status: NDArray[np.int8]
    time: Array
    contact: NDArray[np.object_]

    @classmethod
    def of(cls, contact: DeformingContact) -> "_Found":
        one = np.empty(1, object)
        one[0] = contact
        return cls(np.array([contact.status], np.int8), np.array([contact.time]), one)


def _refined(motions: Motions, tolerance: float, search: Search[_Found]) -> DeformingContact:
    """Search, in finer pieces where the shape deviates from them; a later look may prove the contact."""
    found = first_refined(motions, tolerance, search)
    contact: DeformingContact = found.contact[0]
    if motions.are_exact or contact.face < 0:
        return contact

    def prove(rows_a: Array, rows_b: Array, which: Which) -> Array:
        return np.array([search(rows_a, rows_b, which).contact[0].time_upper])

    upper = proven_refined(motions, found, tolerance, prove)
    return contact._replace(time_upper=min(contact.time_upper, float(upper[0])))
