"""First contact of a convex shape and a deforming mesh, posed to the search."""

from time import perf_counter

import numpy as np

from firstcontact.answers.contact_results import AdvancementStats, FirstContact, no_contact
from firstcontact.deformable.convex_deforming_first import convex_deforming_first
from firstcontact.motions.deformation import Deformation
from firstcontact.queries.convex import size_of
from firstcontact.queries.kinds import rigid_motion, single, table_of
from firstcontact.queries.mixed import size_at_start
from firstcontact.queries.rigid import RigidAsk
from firstcontact.shapes.moving import Moving
from firstcontact.status import ContactKind, Status


def deforming_first(a: Moving, b: Moving, ask: RigidAsk) -> FirstContact:
    """First contact of a convex shape, moving or at rest, and a deforming mesh, in either order."""
    began = perf_counter()
    is_swapped = isinstance(a.motion, Deformation)
    shape, mesh = (b, a) if is_swapped else (a, b)
    table, rows = table_of(shape.shape), rigid_motion(single(shape, "b" if is_swapped else "a")).rows()[0]
    options = ask.options(size_of(table), size_at_start(mesh))
    ends = mesh.vertices(0.0), mesh.vertices(1.0)
    found = convex_deforming_first(table, rows, ends, mesh.surface.faces, options)
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


def deforming_time(a: Moving, b: Moving, ask: RigidAsk) -> float:
    """Time of the first contact of a convex shape and a deforming mesh, 1 where there is none."""
    return min(deforming_first(a, b, ask).time, 1.0)
