"""Compounds: what is asked of them is asked of their parts, and put together.

Pairs of parts come by how near they can come at most; those that cannot matter any more are left out.
"""

from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.answers.clearance_results import Clearance
from firstcontact.answers.contact_results import (
    AdvancementStats,
    ContactKind,
    FirstContact,
    FirstContacts,
    no_contact,
)
from firstcontact.answers.penetration_results import Penetration
from firstcontact.answers.proximity_results import Distance, DistanceStats
from firstcontact.arrays import Array
from firstcontact.queries.batches import common_length, single
from firstcontact.queries.kinds.resting import at_rest
from firstcontact.queries.kinds.rigid import advancement_stats
from firstcontact.queries.kinds.rigid_clearance import RigidMeasurer
from firstcontact.queries.look_up import answered_at_length, row_for
from firstcontact.shapes.bounded import DEFORMING, range_of
from firstcontact.shapes.compound import COMPOUND, CONVEX, as_compound, moving_parts
from firstcontact.shapes.mesh import is_empty
from firstcontact.shapes.moving import Moving
from firstcontact.status import Status

# Numbers of `AdvancementStats`.
N_COUNTS = 4

# What is rounded of a distance of two balls.
DOWN = 1.0 - 2.0**-40


class PartPair(NamedTuple):
    """A part of a and one of b, their numbers, and how near they can come in each row, (n,) or (1,)."""

    a: Moving
    b: Moving
    numbers: tuple[int, int]
    gaps: Array

    @property
    def gap(self) -> float:
        """The least of the gaps."""
        return float(self.gaps.min(initial=np.inf))


def part_pairs(a: Moving, b: Moving) -> list[PartPair]:
    """Give all pairs of parts, the nearest first."""
    sides = [[(k, part, range_of(part)) for k, part in enumerate(moving_parts(thing))] for thing in (a, b)]
    found = []
    for i, one, near in sides[0]:
        for j, other, far in sides[1]:
            if is_empty(one.shape) or is_empty(other.shape):
                continue
            apart = np.linalg.norm(near.places - far.places, axis=1) * DOWN
            found.append(PartPair(one, other, (i, j), apart - (near.spans + far.spans) / DOWN))
    return sorted(found, key=lambda pair: pair.gap)


def asked_of(verb: str, pair: PartPair, ask: Ask) -> Any:
    """Ask about two parts."""
    own = row_for(verb, pair.a, pair.b).only(ask._replace(progress=False))
    return answered_at_length(verb, pair.a, pair.b, own)


def compound_first(a: Moving, b: Moving, ask: Ask) -> FirstContact:
    """Find the first contact of any two parts."""
    single(a, "a"), single(b, "b")
    best, upper = no_contact(AdvancementStats(0, 0, 0, 0, 0.0)), np.inf
    for pair in part_pairs(a, b):
        if pair.gap > ask.min_separation or best.time == 0.0:
            break
        found: FirstContact = asked_of("first_contact", pair, ask)
        upper = min(upper, found.time_upper)
        if found.time < best.time:
            best = replace(found, features=_numbered(found.features, a, b, pair))
    return replace(best, time_upper=upper)


def compound_firsts(a: Moving, b: Moving, ask: Ask) -> FirstContacts:
    """Find the first contacts of any two parts, for each motion of a batch."""
    began, n = perf_counter(), common_length(a.rigid, b.rigid, "motions")
    nowhere, nothing = np.full((n, 3), np.nan), np.full((n, 3), -1, np.int32)
    times, counts = np.full(n, np.inf), np.zeros((N_COUNTS, n), np.int64)
    best = FirstContacts(
        np.full(n, Status.SEPARATED, np.int8),
        times,
        times.copy(),
        nowhere,
        nowhere.copy(),
        nothing,
        advancement_stats(counts, 0.0),
    )
    for pair in part_pairs(a, b):
        if pair.gap > ask.min_separation:
            break
        found: FirstContacts = asked_of("first_contacts", pair, ask)
        rows = np.flatnonzero(found.time < best.time)
        np.minimum(best.time_upper, found.time_upper, out=best.time_upper)
        for name in ("status", "time", "points", "normals"):
            getattr(best, name)[rows] = getattr(found, name)[rows]
        best.features[rows] = _numbered(found.features[rows], a, b, pair)
        counts += _counts(found)
    return replace(best, stats=advancement_stats(counts, perf_counter() - began))


def compound_clearance(a: Moving, b: Moving, ask: Ask) -> Clearance:
    """Find how near any two parts come; nothing is ever nearer than the least of what is proven for each."""
    began, n = perf_counter(), common_length(a.rigid, b.rigid, "motions")
    best, counts = Nearest(n), np.zeros((N_COUNTS, n), np.int64)
    lower, is_given_up = np.full(n, np.inf), np.zeros(n, np.bool_)
    for pair in part_pairs(a, b):
        if (pair.gaps >= best.distance).all():
            continue
        found: Clearance = asked_of("clearance", pair, ask)
        points, faces = found.points.reshape(-1, 2, 3), _face_ids(found.faces, a, b, pair)
        best.take(np.atleast_1d(found.distance), points, faces, np.atleast_1d(found.time))
        np.minimum(lower, np.atleast_1d(found.distance_lower), out=lower)
        is_given_up |= np.atleast_1d(found.status) == Status.MAX_ITERATIONS
        counts += _counts(found)
    lower = np.minimum(lower, best.distance)
    status = np.where(lower > 0.0, Status.SEPARATED, Status.UNDECIDED).astype(np.int8)
    status[is_given_up] = Status.MAX_ITERATIONS
    status[best.distance == 0.0] = Status.CONTACT
    measurer = RigidMeasurer(ask.solid)
    if a.rigid.is_batch or b.rigid.is_batch:
        stats = advancement_stats(counts, perf_counter() - began)
        return Clearance(best.distance, lower, best.time, best.points, best.faces, status, stats, measurer)
    numbers = float(best.distance[0]), float(lower[0]), float(best.time[0])
    stats = advancement_stats(counts[:, 0].tolist(), perf_counter() - began)
    return Clearance(*numbers, best.points[0], best.faces[0], Status(int(status[0])), stats, measurer)


def _counts(found: FirstContacts | Clearance) -> NDArray[np.int64]:
    """What a search has counted, (N_COUNTS, n), or (N_COUNTS, 1)."""
    stats: Any = found.stats
    names = "iterations", "front_nodes", "volume_tests", "triangle_tests"
    return np.stack([np.atleast_1d(getattr(stats, name, 0)) for name in names])


def compound_distance(a: Moving, b: Moving, ask: Ask) -> Distance:
    """Measure the nearest two parts."""
    n, is_batch = _resting("distance", a, b)
    best = Nearest(n)
    for pair in part_pairs(a, b):
        if (pair.gaps >= best.distance).all():
            continue
        found: Distance = asked_of("distance", pair, ask)
        points = np.stack([np.atleast_2d(found.points_a), np.atleast_2d(found.points_b)], axis=1)
        best.take(np.atleast_1d(found.distance), points, _face_ids(found.faces, a, b, pair))
    points_a, points_b = best.points[:, 0].copy(), best.points[:, 1].copy()
    if is_batch:
        stats = DistanceStats(*(np.zeros(n, np.int64) for _ in range(3)))
        return Distance(best.distance, points_a, points_b, best.faces, stats)
    return Distance(float(best.distance[0]), points_a[0], points_b[0], best.faces[0], DistanceStats(0, 0, 0))


def compound_intersects(a: Moving, b: Moving, ask: Ask) -> bool | NDArray[np.bool_]:
    """Have any two parts a point in common?"""
    n, is_batch = _resting("intersects", a, b)
    touches = np.zeros(n, np.bool_)
    for pair in part_pairs(a, b):
        if pair.gap > 0.0 or touches.all():
            break
        touches |= asked_of("intersects", pair, ask)
    return touches if is_batch else bool(touches[0])


def compound_penetration(a: Moving, b: Moving, ask: Ask) -> Penetration:
    """Measure the two parts that are deepest in each other: to part all of them takes that, or more."""
    n, is_batch = _resting("penetration", a, b)
    depth, is_overlapping = np.zeros(n), np.zeros(n, np.bool_)
    directions, points_a, points_b = (np.full((n, 3), np.nan) for _ in range(3))
    for pair in part_pairs(a, b):
        if pair.gap > 0.0:
            break
        found: Penetration = asked_of("penetration", pair, ask)
        own, depths = np.atleast_1d(found.is_overlapping), np.atleast_1d(found.depth)
        rows = np.flatnonzero(own & (~is_overlapping | (depths > depth)))
        depth[rows], is_overlapping[rows] = depths[rows], True
        columns = (directions, found.direction), (points_a, found.points_a), (points_b, found.points_b)
        for kept, new in columns:
            kept[rows] = np.atleast_2d(new)[rows]
    if is_batch:
        return Penetration(depth, directions, points_a, points_b, is_overlapping)
    return Penetration(float(depth[0]), directions[0], points_a[0], points_b[0], bool(is_overlapping[0]))


class Nearest:
    """The nearest so far, of n rows: how far, where, on which faces, and when."""

    def __init__(self, n: int) -> None:
        self.distance, self.time = np.full(n, np.inf), np.zeros(n)
        self.points, self.faces = np.full((n, 2, 3), np.nan), np.full((n, 2), -1, np.int32)

    def take(self, distance: Array, points: Array, faces: Any, time: Array | None = None) -> None:
        """Take what is nearer."""
        rows = np.flatnonzero(distance < self.distance)
        self.distance[rows], self.points[rows], self.faces[rows] = distance[rows], points[rows], faces[rows]
        if time is not None:
            self.time[rows] = time[rows]


def _resting(query: str, a: Moving, b: Moving) -> tuple[int, bool]:
    """Check that two things rest; how many pairs of poses there are, and whether they are a batch."""
    for name, thing in (("a", a), ("b", b)):
        if not thing.motion.is_resting:
            raise ValueError(f"{query} is for one instant, and {name} moves: use {name}.at(pose)")
    motions = [thing.rigid for thing in (a, b) if at_rest(thing) is not None and thing.kind is not DEFORMING]
    n = common_length(motions[0], motions[-1], "poses")
    return n, any(motion.is_batch for motion in motions)


def _face_ids(faces: Any, a: Moving, b: Moving, pair: PartPair) -> NDArray[np.int32]:
    """Faces (n, 2) of parts, counted on from part to part."""
    found = np.atleast_2d(faces).copy()
    for side, (thing, k) in enumerate(zip((a, b), pair.numbers, strict=True)):
        found[:, side] = ids_in(thing, k, found[:, side], "face")
    return found


def ids_in(thing: Moving, k: int, ids: Any, feature: str) -> Any:
    """Ids of part k, counted on from part to part; of what is no compound, as they are."""
    if thing.kind is not COMPOUND:
        return ids
    compound = as_compound(thing.shape)
    first = compound.first_ids(feature)[k]
    if compound.parts[k].shape.kind is CONVEX:
        return np.full_like(ids, first)
    return np.where(ids < 0, ids, ids + first)


def _numbered(features: NDArray[np.int32], a: Moving, b: Moving, pair: PartPair) -> NDArray[np.int32]:
    """Features (k, 3) of parts, with ids that count on from part to part."""
    found = features.copy()
    for row in found:
        names = ContactKind(int(row[0])).name.lower().split("_") if row[0] >= 0 else ()
        for side, (name, thing, k) in enumerate(zip(names, (a, b), pair.numbers, strict=False), 1):
            feature = name if name in ("vertex", "edge") else "face"
            row[side] = ids_in(thing, k, row[side : side + 1], feature)[0]
    return found


def each_part(thing: Moving) -> Iterator[tuple[int, Moving]]:
    """Parts of a compound that have points, with their numbers."""
    return ((k, part) for k, part in enumerate(moving_parts(thing)) if not is_empty(part.shape))
