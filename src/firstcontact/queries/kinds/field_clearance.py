"""The least distance of a rigid body and a field over their motions.

A separation that is kept is found by halving: first contacts at a separation prove that it is, or tell a time
at which the two are about that near. How far apart they are then is bounded by a point of the body.
"""

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from firstcontact.advancement.arrival import N_COUNTS
from firstcontact.advancement.ask import Ask
from firstcontact.advancement.nearest import RELATIVE
from firstcontact.answers.clearance_results import Clearance
from firstcontact.answers.contact_results import FirstContact
from firstcontact.arrays import Array
from firstcontact.fields.field_values import field_values
from firstcontact.motions.poses_then import poses_then
from firstcontact.queries.batches import common_length
from firstcontact.queries.kinds.field_contacts import PLACING
from firstcontact.queries.kinds.field_first import as_field, field_first
from firstcontact.queries.kinds.rigid import advancement_stats
from firstcontact.queries.kinds.rigid_clearance import RigidMeasurer, measured_then
from firstcontact.shapes.mesh import is_empty
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of
from firstcontact.status import Status

NOT_FAR = (
    "clearance needs fields that are exact outside, and `is_exact` of {name} says otherwise: "
    "nobody knows how far the surface is; use first_contact with a min_separation"
)

# Times at which to look before anything is known.
LOOKS = np.linspace(0.0, 1.0, 17)

# To know a separation better than by this part of the fields' tolerances would gain little.
OF_FIELD = 0.25


class Least(NamedTuple):
    """Bounds of the least distance, when the upper one was seen, whether the search had to end; counts."""

    upper: float
    lower: float
    time: float
    is_exhausted: bool
    counts: Array


def field_clearance(a: Moving, b: Moving, ask: Ask) -> Clearance:
    """Least distance of a body and a field, or of two fields, of one motion or a batch."""
    began = perf_counter()
    n = common_length(a.rigid, b.rigid, "motions")
    for name, thing in (("a", a), ("b", b)):
        if thing.kind is Kind.FIELD and not as_field(thing.shape).is_exact[0]:
            raise ValueError(NOT_FAR.format(name=name))
    found = [_least(_row(a, k), _row(b, k), ask) for k in range(n)]
    upper, lower, time = (np.array([row[i] for row in found], float) for i in range(3))
    there = measured_then(a, b, time, False)
    points = np.stack([there.points_a, there.points_b], axis=1)
    status = np.where(lower > 0.0, Status.SEPARATED, Status.UNDECIDED).astype(np.int8)
    status[upper == 0.0] = Status.CONTACT
    status[[row.is_exhausted for row in found]] = Status.MAX_ITERATIONS
    counts = np.array([row.counts for row in found], np.int64).reshape(n, N_COUNTS)
    measurer = RigidMeasurer(False)
    if a.rigid.is_batch or b.rigid.is_batch:
        stats = advancement_stats(np.ascontiguousarray(counts.T), perf_counter() - began)
        return Clearance(upper, lower, time, points, there.faces, status, stats, measurer)
    stats = advancement_stats(counts[0].tolist(), perf_counter() - began)
    numbers = float(upper[0]), float(lower[0]), float(time[0])
    return Clearance(*numbers, points[0], there.faces[0], Status(int(status[0])), stats, measurer)


def _row(thing: Moving, k: int) -> Moving:
    """One motion of a batch."""
    return Moving(thing.shape, thing.rigid.chosen(slice(k, k + 1), False))


def _least(a: Moving, b: Moving, ask: Ask) -> Least:
    """Halve what is not known of the separation that is kept."""
    counts, known = np.zeros(N_COUNTS), 0.0
    if is_empty(a.shape) or is_empty(b.shape):
        return Least(np.inf, np.inf, 0.0, False, counts)
    sizes = [2.0 * shape_of(thing).farthest for thing in (a, b)]
    part, length = (RELATIVE if ask.tolerance is None else 0.0), ask.tolerance_for(*sizes)
    fine = OF_FIELD * sum(as_field(thing.shape).tolerance for thing in (a, b) if thing.kind is Kind.FIELD)
    seen = _uppers(a, b, LOOKS)
    upper, time = float(seen.min()), float(LOOKS[np.argmin(seen)])
    high = upper
    while upper > 0.0 and high - known > (wanted := max(part * upper, length, fine)):
        level = known + 0.5 * (high - known)
        asked = Ask(0.25 * wanted, level, max_iterations=ask.max_iterations)
        hit: FirstContact = field_first(a, b, asked)
        stats: Any = hit.stats
        counts += stats.iterations, stats.front_nodes, stats.volume_tests, stats.triangle_tests
        if hit.status == Status.MAX_ITERATIONS:
            return Least(upper, known, time, True, counts)
        if hit.status == Status.SEPARATED:
            known = level
            continue
        there = float(_uppers(a, b, np.array([hit.time]))[0])
        if there < upper:
            upper, time = there, hit.time
        high = min(level, upper)
    return Least(upper, min(known, upper), time, False, counts)


def _uppers(a: Moving, b: Moving, times: Array) -> Array:
    """Bounds from above of how far two are apart at times, by the point of the body that seems nearest."""
    there = measured_then(a, b, times, False)
    thing, other, points = (a, b, there.points_a) if b.kind is Kind.FIELD else (b, a, there.points_b)
    if thing.kind is Kind.MESH:  # a search that had to end may have come to no face: any point will do then
        mesh, is_lost = thing.surface, there.faces[:, 0 if thing is a else 1] < 0
        poses = poses_then(thing.rigid, times[is_lost])
        points[is_lost] = poses[:, :3, :3] @ mesh.vertices[mesh.faces[0, 0]] + poses[:, :3, 3]
    found = _farthest(other, points, times)
    if thing.kind is Kind.FIELD:  # the point is near its shape
        found += np.maximum(_farthest(thing, points, times), 0.0)
    return np.maximum(found, 0.0)


def _farthest(thing: Moving, points: Array, times: Array) -> Array:
    """How far points (n, 3) of the world are at most from the shape of a field, each at its own time."""
    field, poses = as_field(thing.shape), poses_then(thing.rigid, times)
    own = np.einsum("nji,nj->ni", poses[:, :3, :3], points - poses[:, :3, 3])
    largest = max(float(np.abs(part).max(initial=0.0)) for part in (points, own, poses[:, :3, 3]))
    values = field_values(field.octree, np.ascontiguousarray(own))
    is_beyond = ((own < field.box[0]) | (own > field.box[1])).any(axis=1)
    far: Array = np.where(is_beyond, np.sqrt(2.0) * values, values) + field.tolerance
    return far + 2.0 * PLACING * largest
