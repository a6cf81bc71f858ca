"""Queries about rigid bodies, posed to the search."""

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from firstcontact.advancement.arrival import Found
from firstcontact.advancement.ask import Ask
from firstcontact.advancement.goal import Options
from firstcontact.advancement.progress import in_parts
from firstcontact.advancement.refining import Motions, proven_refined
from firstcontact.answers.contact_results import AdvancementStats, FirstContact, FirstContacts, no_contact
from firstcontact.arrays import Array
from firstcontact.bodies.mesh_body import Body, body_of
from firstcontact.bodies.mesh_parts import check_closed
from firstcontact.bodies.plane_body import PlaneBody, centered_body
from firstcontact.motions.law import Which
from firstcontact.motions.law_table import LawTables
from firstcontact.proximity.touching.closest_contacts import closest_contacts, piece_at
from firstcontact.proximity.touching.inside import contained
from firstcontact.proximity.touching.touching_places import TouchingPlaces, touching
from firstcontact.queries.batches import common_length, searched, single
from firstcontact.rigid.algebraic.algebraic_first import algebraic_first_times, check_rational
from firstcontact.rigid.first_times import BEST_FIRST, METHODS, first_times
from firstcontact.rigid.interval.interval_first import interval_first_times
from firstcontact.rigid.proof import proven_times
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.planar import LiftedEdges
from firstcontact.status import Status

# Methods beside those of `first_times`, and their numbers: by algebra, which is not compiled; by intervals.
ALGEBRAIC, BY_ALGEBRA = "algebraic", len(METHODS)
INTERVAL, BY_INTERVALS = "interval", len(METHODS) + 1
MESH_METHODS = METHODS | {ALGEBRAIC: BY_ALGEBRA, INTERVAL: BY_INTERVALS}

# Those of convex shapes, also with meshes.
CONVEX_METHODS = {"c2a": BEST_FIRST, INTERVAL: BY_INTERVALS}

# Default limit of steps: seconds of work, and far beyond what any pair of meshes was seen to need.
MAX_ITERATIONS = 1 << 22


class Pair(NamedTuple):
    """Two bodies and their motions."""

    shapes: tuple[Mesh, Mesh]
    bodies: tuple[Body, Body]
    motions: Motions
    options: Options


def rigid_first(a: Moving, b: Moving, ask: Ask) -> FirstContact:
    """First contact of two rigid bodies, with all that touches then."""
    began = perf_counter()
    pair = pose_bodies(single(a, "a"), single(b, "b"), ask)
    found = _found(pair, ask)
    status, time = Status(int(found.status[0])), float(found.time[0])
    if status == Status.SEPARATED:
        return no_contact(advancement_stats(found.counts[0].tolist(), perf_counter() - began))
    upper, touches = proven(pair, found), touching_at(pair, found)
    features = np.column_stack([touches.kind, touches.ids]).astype(np.int32)
    stats = advancement_stats(found.counts[0].tolist(), perf_counter() - began)
    return FirstContact(
        status,
        time,
        float(upper[0]),
        touches.points,
        touches.normals,
        features,
        stats,
        is_truncated=touches.is_truncated,
    )


def touching_at(pair: Pair, found: Found) -> TouchingPlaces:
    """All that touches at the time that was found of one motion."""
    time, options = float(found.time[0]), pair.options
    row_a, row_b = (piece_at(rows, 0, time) for rows in pair.motions.at(found.time))
    near = options.min_separation + options.tolerance
    return touching(*pair.shapes, row_a, row_b, time, near, tolerance=options.tolerance)


def rigid_firsts(a: Moving, b: Moving, ask: Ask) -> FirstContacts:
    """First contacts of a batch of motions."""
    began = perf_counter()
    pair = pose_bodies(a, b, ask)
    found = _found(pair, ask)
    upper, rows = proven(pair, found), pair.motions.at(found.time)
    contact = closest_contacts(*pair.shapes, *rows, found.time, found.triangles)
    features = np.column_stack([contact.kind, contact.ids]).astype(np.int32)
    stats = advancement_stats(np.ascontiguousarray(found.counts.T), perf_counter() - began)
    return FirstContacts(found.status, found.time, upper, contact.points, contact.normals, features, stats)


def rigid_time(a: Moving, b: Moving, ask: Ask) -> float:
    """Time of the first contact, 1 where there is none."""
    found = _found(pose_bodies(single(a, "a"), single(b, "b"), ask), ask)
    return min(float(found.time[0]), 1.0)


def options_of(ask: Ask, size_a: float, size_b: float, methods: dict[str, int] = MESH_METHODS) -> Options:
    """What the search takes, for things of these sizes."""
    max_iterations = ask.max_iterations or MAX_ITERATIONS
    tolerance = ask.tolerance_for(size_a, size_b)
    return Options(tolerance, ask.min_separation, max_iterations, ask.method_of(methods))


def pose_bodies(a: Moving, b: Moving, ask: Ask) -> Pair:
    """Make bodies and motions ready for the search."""
    motions = Motions(a.rigid, b.rigid)
    common_length(*motions, "motions")
    if ask.method == ALGEBRAIC:
        check_algebraic(a, b, ask, ("min_separation", "max_iterations"))
    if ask.solid:
        check_closed(a.surface, "a")
        check_closed(b.surface, "b")
    bodies = body_of(a.surface), body_of(b.surface)
    options = options_of(ask, 2.0 * bodies[0].reach, 2.0 * bodies[1].reach)
    return Pair((a.surface, b.surface), bodies, motions, options)


def check_algebraic(a: Moving, b: Moving, ask: Ask, unused: tuple[str, ...]) -> None:
    """See that algebra can answer, and is asked for nothing that it does not know."""
    for name in unused:
        if name in ask.given():
            raise ValueError(f'method="{ALGEBRAIC}" has no use for {name}: leave it out')
    for name, thing in (("a", a), ("b", b)):
        check_rational(name, thing.surface, thing.rigid)


def _found(pair: Pair, ask: Ask) -> Found:
    """Search, in parts where progress is shown; what is inside another body is in contact from the start."""

    def search(rows_a: Array, rows_b: Array, _: Which) -> Found:
        who = interval_first_times if pair.options.method == BY_INTERVALS else first_times
        return who(*pair.bodies, (rows_a, rows_b), pair.options)

    def follow(motions: Motions, tables: LawTables) -> Found:
        return first_times(*pair.bodies, motions.rows, pair.options, tables)

    def decide(span: slice) -> Found:
        return algebraic_first_times(pair.shapes, pair.motions.chosen(span))

    # Methods that are there to be compared are compiled for pieces alone.
    quick = follow if pair.options.method == BEST_FIRST else None
    if pair.options.method == BY_ALGEBRA:
        found = in_parts(decide, len(pair.motions), ask.progress)
    else:
        found = searched(pair.motions, pair.options.tolerance, search, quick, ask.progress)
    if ask.solid:
        starts = [np.ascontiguousarray(rows[:, 0]) for rows in pair.motions.rows]
        is_inside = contained(*pair.shapes, *starts) & (found.time > 0.0)
        found.status[is_inside], found.time[is_inside] = Status.CONTACT_AT_START, 0.0
        found.triangles[is_inside] = -1
    return found


def proven(pair: Pair, found: Found) -> Array:
    """Times at which contact is certain."""

    def prove(rows_a: Array, rows_b: Array, which: Which) -> Array:
        chosen = Found._make(array[which] for array in found)
        return proven_times(*pair.bodies, rows_a, rows_b, chosen, pair.options, holders=holders)

    holders = _holders(*pair.shapes)
    if pair.options.method == BY_ALGEBRA:
        is_between = (found.time > 0.0) & (found.time < 1.0)
        return np.where(is_between, np.nextafter(found.time, 1.0), found.time)
    return proven_refined(pair.motions, found, pair.options.tolerance, prove)


def _holders(a: Mesh, b: Mesh) -> tuple[PlaneBody | None, PlaneBody | None] | None:
    """What edges of things in the plane enclose, where that belongs to these; None of what is in space."""
    if not isinstance(a, LiftedEdges) or not isinstance(b, LiftedEdges):
        return None
    return centered_body(a) if a.is_filled else None, centered_body(b) if b.is_filled else None


def advancement_stats(counts: Any, seconds: float) -> AdvancementStats:
    """Counters of a search, and the time it took."""
    iterations, front_nodes, volume_tests, triangle_tests = counts
    return AdvancementStats(iterations, front_nodes, volume_tests, triangle_tests, seconds)
