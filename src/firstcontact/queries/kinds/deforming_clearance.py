"""The least distance of a mesh that deforms and another thing, posed to the search."""

from collections.abc import Mapping
from itertools import pairwise
from time import perf_counter
from typing import NamedTuple

import numpy as np

from firstcontact.advancement.ask import Ask
from firstcontact.advancement.nearest import RELATIVE
from firstcontact.answers.clearance_results import Clearance
from firstcontact.answers.contact_results import AdvancementStats
from firstcontact.answers.proximity_results import Distance
from firstcontact.arrays import Array
from firstcontact.articulated.proof.certificate import Certificate
from firstcontact.deformable.least_distance import Bound, Least, least_in_step
from firstcontact.deformable.moving_tree import MovingTree, moving_tree, standing_tree, tree_over
from firstcontact.deformable.straight_steps import StraightStep, bends, straight_step
from firstcontact.hierarchy.tree import Tree
from firstcontact.proximity.touching.near_pairs import FLOOR
from firstcontact.queries.batches import single
from firstcontact.queries.kinds.mixed import size_at_start
from firstcontact.queries.kinds.resting import resting_distance
from firstcontact.queries.kinds.rigid_clearance import diameter_of
from firstcontact.shapes.convex import ORIGIN, ConvexTable
from firstcontact.shapes.convex_shape import table_of
from firstcontact.shapes.mesh import as_moving, is_empty
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of
from firstcontact.status import Status

# Times at which to look before anything is known.
LOOKS = (0.0, 0.25, 0.5, 0.75, 1.0)

# How much of the tolerance, and of what rounding may hide, steps may deviate from straight ones.
FINE, ROUNDED = 0.125, 8.0

# Pairs of nodes that are looked at unless told otherwise.
MAX_ITERATIONS = 1 << 40

NO_CERTIFICATE = "a certificate is for rigid bodies and robots, and one of these deforms"


class DeformingMeasurer(NamedTuple):
    """Measures two things, one of which deforms, at times: a `Measurer`."""

    def distances(self, things: Mapping[str, Moving], times: Array) -> Array:
        """Distances at times (m,)."""
        return np.array([measured_at(things["a"], things["b"], t).distance for t in times.tolist()])

    def certificate(self, things: Mapping[str, Moving], kept: float) -> Certificate:
        """There is none."""
        raise ValueError(NO_CERTIFICATE)


def measured_at(a: Moving, b: Moving, t: float) -> Distance:
    """Measure two things at a time."""
    return resting_distance(thing_then(a, t), thing_then(b, t))


def thing_then(thing: Moving, t: float) -> Moving:
    """A thing where it is at a time."""
    if thing.kind is Kind.DEFORMING:
        return as_moving(thing.surface.placed(thing.vertices(t)))
    return shape_of(thing).at(thing.pose(t))


class Sides(NamedTuple):
    """A mesh that deforms, with its tree, and another thing, with its own; or as one that stands still."""

    mesh: Moving
    other: Moving
    tree: Tree
    other_tree: Tree | None
    standing: MovingTree | None
    table: ConvexTable | None
    origin: Array

    def trees(self, step: StraightStep) -> tuple[MovingTree, MovingTree]:
        """Both as they move in a step."""
        start, end = step.mesh - self.origin
        one = moving_tree(self.tree, self.mesh.surface, start, end)
        if self.standing is not None:
            return one, self.standing
        assert step.other is not None
        assert self.other_tree is not None
        return one, moving_tree(self.other_tree, self.other.surface, step.other[0], step.other[1])


def deforming_clearance(a: Moving, b: Moving, ask: Ask) -> Clearance:
    """Least distance of two things, one of which deforms or both."""
    began = perf_counter()
    things = single(a, "a"), single(b, "b")
    found = Found(np.inf, np.inf, 0.0, 0, 0)
    if not any(is_empty(thing.shape) for thing in things):
        mesh, other = (a, b) if a.kind is Kind.DEFORMING else (b, a)
        found = _searched(_sides(mesh, other), ask)
    there = measured_at(a, b, found.time)
    distance = float(there.distance)
    lower = min(found.lower, distance)
    status = Status.SEPARATED if lower > 0.0 else Status.CONTACT if distance == 0.0 else Status.UNDECIDED
    if found.n_left < 0:
        status = Status.MAX_ITERATIONS
    stats = AdvancementStats(found.n_nodes, 0, found.n_nodes, found.n_pairs, perf_counter() - began)
    points = np.stack([there.points_a, there.points_b])
    return Clearance(distance, lower, found.time, points, there.faces, status, stats, DeformingMeasurer())


class Found(NamedTuple):
    """The least distance of a whole motion, as in `Least`; and pairs of nodes that were looked at."""

    upper: float
    lower: float
    time: float
    n_left: int
    n_pairs: int
    n_nodes: int = 0


def _sides(mesh: Moving, other: Moving) -> Sides:
    """Make two things ready."""
    tree, origin = tree_over(mesh.vertices(0.0), mesh.surface.faces), np.zeros(3)
    if other.kind is Kind.DEFORMING:
        own = tree_over(other.vertices(0.0), other.surface.faces)
        return Sides(mesh, other, tree, own, None, None, origin)
    if other.kind is Kind.MESH:
        surface, vertices = other.surface, other.surface.vertices
        standing = moving_tree(tree_over(vertices, surface.faces), surface, vertices, vertices)
        return Sides(mesh, other, tree, None, standing, None, origin)
    table = table_of(other.shape)
    origin = table.records[0, ORIGIN:]
    standing = standing_tree(shape_of(other).bounds - origin)
    return Sides(mesh, other, tree, None, standing, table, origin)


def _searched(sides: Sides, ask: Ask) -> Found:
    """Look at some times; then search, in shorter steps where the least distance turns out to be small."""
    sizes = [
        size_at_start(thing) if thing.kind is Kind.DEFORMING else diameter_of(thing) for thing in sides[:2]
    ]
    part, length = (RELATIVE if ask.tolerance is None else 0.0), ask.tolerance_for(*sizes)
    most = ask.max_iterations or MAX_ITERATIONS
    near = Near(part, length)
    known = Known(Least(np.inf, np.nan, np.inf, most, 0), 0.0)
    for t in LOOKS:
        known = _gone_through(sides, straight_step(sides.mesh, sides.other, t, t), near, known)
    waiting = list(pairwise(bends(sides.mesh, sides.other).tolist()))[::-1]
    while waiting:
        start, end = waiting.pop()
        step, tolerance = (
            straight_step(sides.mesh, sides.other, start, end),
            near.tolerance(known.least.upper),
        )
        middle = 0.5 * (start + end)
        is_rough = step.deviation > max(FINE * tolerance, ROUNDED * step.rounding) and start < middle < end
        found = _gone_through(sides, step, near, known, is_rough)
        if found.least.lower < 0.0:
            waiting += [(middle, end), (start, middle)]
            lower = known.least.lower
            found = found._replace(least=found.least._replace(lower=lower))
        known = found
    upper, _, lower, n_left, n_pairs = known.least
    return Found(upper, lower, known.time, n_left, n_pairs, most - max(n_left, 0))


class Near(NamedTuple):
    """How well to know: a part of the distance, and a length."""

    part: float
    length: float

    def tolerance(self, distance: float) -> float:
        """How far the bounds of a distance may be apart."""
        return max(self.part * distance, self.length) if distance < np.inf else self.length


class Known(NamedTuple):
    """What is known of all steps up to now, and when the least distance was seen."""

    least: Least
    time: float


def _gone_through(
    sides: Sides, step: StraightStep, near: Near, known: Known, is_rough: bool = False
) -> Known:
    """Search a step, or an instant, from what is known of others."""
    is_instant = step.start == step.end
    hidden = step.rounding + step.deviation
    length = max(near.length, FLOOR * step.rounding, 0.0 if is_rough else 4.0 * hidden)
    bound, span = Bound(near.part, length, hidden, is_rough), (0.0, 0.0) if is_instant else (0.0, 1.0)
    found = least_in_step(*sides.trees(step), sides.table, span, bound, known.least._replace(time=np.nan))
    if np.isnan(found.time):
        return Known(found, known.time)
    return Known(found, min(step.start + found.time * (step.end - step.start), step.end))
