"""The least distance of two rigid bodies over their motions, posed to the searches."""

from collections.abc import Mapping
from time import perf_counter
from typing import NamedTuple

import numpy as np

from firstcontact.advancement.arrival import N_COUNTS
from firstcontact.advancement.ask import USUAL, Ask
from firstcontact.advancement.nearest import EXHAUSTED, RELATIVE, Nearest, Nearness, nothing_known
from firstcontact.advancement.nearest_refining import nearest_refined
from firstcontact.advancement.progress import in_parts
from firstcontact.advancement.refining import Motions
from firstcontact.answers.clearance_results import Clearance
from firstcontact.answers.proximity_results import Distance
from firstcontact.answers.rigid_certificate import rigid_certificate
from firstcontact.arrays import Array
from firstcontact.articulated.proof.certificate import Certificate
from firstcontact.bodies.mesh_body import body_of
from firstcontact.bodies.mesh_parts import check_closed
from firstcontact.motions.law_table import law_tables
from firstcontact.motions.poses_then import poses_then
from firstcontact.queries.batches import common_length
from firstcontact.queries.kinds.convex import size_of
from firstcontact.queries.kinds.rigid import MAX_ITERATIONS, advancement_stats
from firstcontact.queries.look_up import answer
from firstcontact.rigid.least_distance import Asked, least_distances
from firstcontact.rigid.pair_kinds import Bodies, bodies_of
from firstcontact.shapes.convex_shape import table_of
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of
from firstcontact.status import Status

# Times at which to look before anything is known of motions that deviate from their pieces.
LOOKS_OF_LAWS = tuple(np.linspace(0.0, 1.0, 9).tolist())

# How long before and after a time that is nearest to look for a contact that rounding leaves open.
MOMENTS = tuple(sign * 2.0**-k for k in (24, 18, 12, 6) for sign in (1.0, -1.0))


class RigidMeasurer(NamedTuple):
    """Measures two rigid bodies at times: a `Measurer`."""

    solid: bool

    def distances(self, things: Mapping[str, Moving], times: Array) -> Array:
        """Distances at times (m,): (m,), of a batch (n, m)."""
        a, b = things["a"], things["b"]
        n = common_length(a.rigid, b.rigid, "motions")
        if not (a.rigid.is_batch or b.rigid.is_batch):
            return np.asarray(self._measured(a, b, times).distance)
        columns = [self._measured(a, b, np.full(n, t)).distance for t in times.tolist()]
        return np.stack(columns, axis=1) if columns else np.empty((n, 0))

    def certificate(self, things: Mapping[str, Moving], kept: float) -> Certificate:
        """The proof that two bodies keep a distance at all times."""
        return rigid_certificate(things, kept, np.inf, self.solid)

    def _measured(self, a: Moving, b: Moving, times: Array) -> Distance:
        return measured_then(a, b, times, self.solid)


def measured_then(a: Moving, b: Moving, times: Array, is_solid: bool) -> Distance:
    """Measure two bodies, each pair of motions at its own time (n,), or a single pair at all of them."""
    one, other = (shape_of(thing).at(poses_then(thing.rigid, times)) for thing in (a, b))
    found: Distance = answer("distance", one, other, Ask(solid=is_solid))
    return found


def rigid_clearance(a: Moving, b: Moving, ask: Ask) -> Clearance:
    """Least distance of two rigid bodies, or of a batch."""
    began = perf_counter()
    n = common_length(a.rigid, b.rigid, "motions")
    if ask.solid:
        check_solids(a, b)
    bodies = bodies_of(a, b)

    def part(span: slice) -> Nearest:
        return _found(a, b, bodies, Motions(a.rigid, b.rigid).chosen(span), ask)

    nearest = in_parts(part, n, ask.progress)
    _meet(a, b, nearest, ask.solid)
    if not (a.rigid.is_batch or b.rigid.is_batch):
        return _single_clearance(a, b, nearest, ask.solid, began)
    there = measured_then(a, b, nearest.time, ask.solid)
    distance, points = np.asarray(there.distance), np.stack([there.points_a, there.points_b], axis=1)
    lower = np.minimum(nearest.lower, distance)
    status = np.where(lower > 0.0, Status.SEPARATED, Status.UNDECIDED).astype(np.int8)
    status[distance == 0.0] = Status.CONTACT
    status[nearest.state == EXHAUSTED] = Status.MAX_ITERATIONS
    stats = advancement_stats(np.ascontiguousarray(nearest.counts.T), perf_counter() - began)
    measurer = RigidMeasurer(ask.solid)
    return Clearance(distance, lower, nearest.time, points, there.faces, status, stats, measurer)


def _single_clearance(a: Moving, b: Moving, nearest: Nearest, is_solid: bool, began: float) -> Clearance:
    """The answer about one motion: its distance is measured in short, which takes a tenth of the time."""
    one, other = (_standing(thing, nearest.time) for thing in (a, b))
    there: Distance = answer("distance", one, other, Ask(solid=True) if is_solid else USUAL)
    distance = float(there.distance)
    lower = min(float(nearest.lower[0]), distance)
    status = Status.SEPARATED if lower > 0.0 else Status.UNDECIDED
    if distance == 0.0:
        status = Status.CONTACT
    if nearest.state[0] == EXHAUSTED:
        status = Status.MAX_ITERATIONS
    stats = advancement_stats(nearest.counts[0].tolist(), perf_counter() - began)
    points = np.array([there.points_a, there.points_b])
    numbers = distance, lower, float(nearest.time[0])
    return Clearance(*numbers, points, there.faces, status, stats, RigidMeasurer(is_solid))


def _standing(thing: Moving, time: Array) -> Moving:
    """A body as it is at a time (1,); posed anew also where it rests, as a batch has it to the last bit."""
    return shape_of(thing).at(poses_then(thing.rigid, time)[0])


def _meet(a: Moving, b: Moving, nearest: Nearest, is_solid: bool) -> None:
    """Where no distance is proven, take a time at which bodies touch, if there is one beside the nearest."""
    if (nearest.lower > 0.0).all():
        return
    motions = Motions(a.rigid, b.rigid)
    for moment in (0.0, *MOMENTS):
        left = np.flatnonzero((nearest.lower <= 0.0) & (nearest.upper > 0.0) & (nearest.upper < np.inf))
        if len(left) == 0:
            return
        times = np.clip(nearest.time[left] + moment, 0.0, 1.0)
        one, other = (Moving(x.shape, own) for x, own in zip((a, b), motions.chosen(left), strict=True))
        touches = left[np.asarray(measured_then(one, other, times, is_solid).distance) == 0.0]
        nearest.upper[touches] = 0.0
        nearest.time[touches] = np.clip(nearest.time[touches] + moment, 0.0, 1.0)


def check_solids(a: Moving, b: Moving) -> None:
    """Refuse meshes that have no inside."""
    for name, thing in (("a", a), ("b", b)):
        if thing.kind is Kind.MESH:
            check_closed(thing.surface, name)


def nearness_of(ask: Ask, size_a: float, size_b: float) -> Nearness:
    """How well the least distance of things of these sizes is to be known."""
    part = RELATIVE if ask.tolerance is None else 0.0
    return Nearness(part, ask.tolerance_for(size_a, size_b), ask.max_iterations or MAX_ITERATIONS)


def _found(a: Moving, b: Moving, bodies: Bodies | None, motions: Motions, ask: Ask) -> Nearest:
    """Search; where finer pieces come from Python, from a few times on that are looked at first."""
    n = len(motions)
    nearest, nearness = nothing_known(n, N_COUNTS), nearness_of(ask, diameter_of(a), diameter_of(b))
    if bodies is None:
        return nearest
    one, other = Moving(a.shape, motions.a), Moving(b.shape, motions.b)
    tables = law_tables(*bodies.ordered(*motions))
    is_one_walk = motions.are_exact or tables is not None
    # What is inside a solid at the start stays so until the surfaces meet.
    looks = LOOKS_OF_LAWS if not is_one_walk else (0.0,) if ask.solid else ()
    for t in looks:
        seen = np.asarray(measured_then(one, other, np.full(n, t), ask.solid and t == 0.0).distance)
        is_less = seen < nearest.upper if not is_one_walk else seen == 0.0
        nearest.upper[is_less], nearest.time[is_less] = seen[is_less], t

    def walk(rows_a: Array, rows_b: Array, known: Nearest) -> None:
        least_distances(bodies, Asked(*bodies.ordered(rows_a, rows_b), nearness, known, tables))

    if is_one_walk:
        walk(*motions.rows, nearest)
    else:
        nearest_refined(motions, nearness, nearest, walk)
    return nearest


def diameter_of(thing: Moving) -> float:
    """Diameter of the ball around a body's origin that holds it."""
    if thing.kind is Kind.CONVEX:
        return size_of(table_of(thing.shape))
    return 2.0 * body_of(thing.surface).reach
