"""A deforming mesh against a rigid body, posed to the search."""

import numpy as np

from firstcontact.deformable.culling import Culling
from firstcontact.deformable.rigid_pieces import MAX_ITERATIONS, Goal, first_contact_with_rigid
from firstcontact.deformable.rows import contact_rows
from firstcontact.queries.contact_results import FirstContact, no_contact
from firstcontact.queries.deforming import shown, stats_of
from firstcontact.queries.rigid import RigidAsk, default_tolerance, single
from firstcontact.shapes.moving import Moving
from firstcontact.status import Status


def mixed_first(a: Moving, b: Moving, ask: RigidAsk, culling: Culling) -> FirstContact:
    """First contact of two things, one of which deforms and the other moves rigidly."""
    sizes = [_size(single(thing, name)) for thing, name in ((a, "a"), (b, "b"))]
    tolerance = default_tolerance(*sizes) if ask.tolerance is None else ask.tolerance
    goal = Goal(tolerance, ask.min_separation, ask.max_iterations or MAX_ITERATIONS)
    with shown(ask.progress) as report:
        met = first_contact_with_rigid(a, b, goal, culling, report)
    stats = stats_of(met.problem, met.search, met.seconds)
    if met.status == Status.SEPARATED:
        return no_contact(stats)
    rows = contact_rows(met.problem, met.search.found)
    features = np.stack([rows.kind, rows.ids_a, rows.ids_b], axis=1).astype(np.int32)
    return FirstContact(met.status, met.time, met.time_upper, rows.points, rows.normals, features, stats)


def _size(thing: Moving) -> float:
    """Diagonal of the box around a thing at the start."""
    vertices = thing.vertices(0.0)
    return float(np.linalg.norm(np.ptp(vertices, axis=0))) if len(vertices) else 0.0
