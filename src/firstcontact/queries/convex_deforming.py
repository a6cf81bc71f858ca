"""First contact of a convex shape and a deforming mesh, posed to the search."""

from time import perf_counter

import numpy as np

from firstcontact.advancement.ask import Ask
from firstcontact.advancement.progress import shown
from firstcontact.answers.contact_results import AdvancementStats, FirstContact, no_contact
from firstcontact.deformable.convex_first import convex_deforming_first
from firstcontact.deformable.rigid_pieces import Goal
from firstcontact.queries.batches import single
from firstcontact.queries.convex import size_of
from firstcontact.queries.mixed import size_at_start
from firstcontact.queries.rigid import options_of
from firstcontact.shapes.convex_shape import table_of
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.status import ContactKind, Status


def deforming_first(a: Moving, b: Moving, ask: Ask) -> FirstContact:
    """First contact of a convex shape, moving or at rest, and a deforming mesh, in either order."""
    began = perf_counter()
    is_swapped = a.kind is Kind.DEFORMING
    shape, mesh = (b, a) if is_swapped else (a, b)
    table, rows = table_of(shape.shape), single(shape, "b" if is_swapped else "a").rigid.rows()[0]
    options = options_of(ask, size_of(table), size_at_start(mesh))
    goal = Goal(options.tolerance, options.min_separation, options.max_iterations)
    ends = mesh.vertices(0.0), mesh.vertices(1.0)
    with shown(ask.progress, "motions", 1) as report:
        found = convex_deforming_first(table, rows, ends, mesh.surface.faces, goal)
        report(1)
    tests = found.triangle_tests
    stats = AdvancementStats(tests, 0, 0, tests, perf_counter() - began)
    if found.status == Status.SEPARATED:
        return no_contact(stats)
    kind = ContactKind.FACE_SHAPE if is_swapped else ContactKind.SHAPE_FACE
    features = np.array([[kind, found.face, -1] if is_swapped else [kind, -1, found.face]], np.int32)
    points, normals = found.points.mean(axis=0)[np.newaxis], found.normal[np.newaxis]
    if found.face < 0:
        points, normals, features = points[:0], normals[:0], features[:0]
    normals = -normals if is_swapped else normals
    return FirstContact(found.status, found.time, found.time_upper, points, normals, features, stats)
