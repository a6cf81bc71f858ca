"""Compounds: what is asked of them is asked of their parts, and put together.

Pairs of parts come by what is known of all of them; those that cannot matter any more are left out.
"""

from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.arrival import N_COUNTS
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
from firstcontact.motions.poses_then import poses_then
from firstcontact.queries.batches import common_length, single
from firstcontact.queries.kinds.part_pairs import PartPairs
from firstcontact.queries.kinds.resting import rested
from firstcontact.queries.kinds.rigid import advancement_stats
from firstcontact.queries.kinds.rigid_clearance import RigidMeasurer
from firstcontact.shapes.compound import COMPOUND, CONVEX, as_compound, moving_parts
from firstcontact.shapes.mesh import is_empty
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of
from firstcontact.status import Status, features_of

# Times at which compounds are looked at, of a single motion and of each of a batch.
LOOKS, BATCH_LOOKS = 17, 5


def compound_first(a: Moving, b: Moving, ask: Ask) -> FirstContact:
    """Find the first contact of any two parts."""
    single(a, "a"), single(b, "b")
    best, uppers = no_contact(AdvancementStats(0, 0, 0, 0, 0.0)), [np.inf]
    pairs = PartPairs(a, b)
    times = pairs.first_times(ask, ask.min_separation)
    for p, rows in pairs.in_order(times, lambda own: own < min(uppers)):
        found: FirstContact = pairs.asked("first_contact", p, rows, ask)
        uppers.append(found.time_upper)
        if found.time < best.time:
            best = replace(found, features=_numbered(found.features, a, b, pairs.numbers(p)))
    return replace(best, time_upper=min(uppers))


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
    pairs = PartPairs(a, b)
    first = pairs.first_times(ask, ask.min_separation)
    for p, rows in pairs.in_order(first, lambda own: own < best.time_upper):
        found: FirstContacts = pairs.asked("first_contacts", p, rows, ask)
        earlier = found.time < best.time[rows]
        best.time_upper[rows] = np.minimum(best.time_upper[rows], found.time_upper)
        for name in ("status", "time", "points", "normals"):
            getattr(best, name)[rows[earlier]] = getattr(found, name)[earlier]
        best.features[rows[earlier]] = _numbered(found.features[earlier], a, b, pairs.numbers(p))
        counts[:, rows] += _counts(found)
    return replace(best, stats=advancement_stats(counts, perf_counter() - began))


def compound_clearance(a: Moving, b: Moving, ask: Ask) -> Clearance:
    """Find how near any two parts come; nothing is ever nearer than the least of what is proven for each."""
    began, n = perf_counter(), common_length(a.rigid, b.rigid, "motions")
    best, counts = Nearest(n), np.zeros((N_COUNTS, n), np.int64)
    lower, is_given_up = np.full(n, np.inf), np.zeros(n, np.bool_)
    pairs = PartPairs(a, b)
    least = pairs.near_ones(ask, _seen_distances(a, b, ask)) if pairs.are_held else pairs.gaps
    for p, rows in pairs.in_order(least, lambda own: own < best.distance):
        found: Clearance = pairs.asked("clearance", p, rows, ask)
        points, faces = found.points.reshape(-1, 2, 3), _face_ids(found.faces, a, b, pairs.numbers(p))
        best.take(rows, np.atleast_1d(found.distance), points, faces, np.atleast_1d(found.time))
        lower[rows] = np.minimum(lower[rows], np.atleast_1d(found.distance_lower))
        is_given_up[rows] |= np.atleast_1d(found.status) == Status.MAX_ITERATIONS
        counts[:, rows] += _counts(found)
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


def _seen_distances(a: Moving, b: Moving, ask: Ask) -> Array:
    """How far two are apart at the nearest of some times, (n,): their clearance is no more."""
    n = common_length(a.rigid, b.rigid, "motions")
    rows, times = np.arange(n), np.linspace(0.0, 1.0, LOOKS if n == 1 else BATCH_LOOKS)
    for width in (0.5, 0.0625, 0.0) if n == 1 else (0.0,):
        then = np.tile(times, (n, 1)) if times.ndim == 1 else times
        one, other = (_placed_then(thing, np.repeat(rows, then.shape[1]), then) for thing in (a, b))
        found = compound_distance(one, other, Ask(solid=ask.solid)).distance
        seen = np.atleast_1d(found).reshape(then.shape)
        nearest = then[rows, np.argmin(seen, axis=1)]
        if width == 0.0 or not seen.min() > 0.0:
            break
        times = np.clip(nearest[:, np.newaxis] + width * np.linspace(-0.125, 0.125, LOOKS), 0.0, 1.0)
    least: Array = seen.min(axis=1)
    return least


def _placed_then(thing: Moving, rows: NDArray[np.intp], times: Array) -> Moving:
    """A thing where it is at times, each of the motion of a row."""
    own = thing.rigid.chosen(rows, True) if len(thing.rigid) > 1 else thing.rigid
    return shape_of(thing).at(poses_then(own, times.reshape(-1)))


def _counts(found: FirstContacts | Clearance) -> NDArray[np.int64]:
    """What a search has counted, (N_COUNTS, n), or (N_COUNTS, 1)."""
    stats: Any = found.stats
    names = "iterations", "front_nodes", "volume_tests", "triangle_tests"
    return np.stack([np.atleast_1d(getattr(stats, name, 0)) for name in names])


def compound_distance(a: Moving, b: Moving, ask: Ask) -> Distance:
    """Measure the nearest two parts."""
    n, is_batch = _resting("distance", a, b)
    best = Nearest(n)
    pairs = PartPairs(a, b)
    for p, rows in pairs.in_order(pairs.distances(), lambda own: own < best.distance):
        found: Distance = pairs.asked("distance", p, rows, ask)
        points = np.stack([np.atleast_2d(found.points_a), np.atleast_2d(found.points_b)], axis=1)
        faces = _face_ids(found.faces, a, b, pairs.numbers(p))
        best.take(rows, np.atleast_1d(found.distance), points, faces)
    points_a, points_b = best.points[:, 0].copy(), best.points[:, 1].copy()
    if is_batch:
        stats = DistanceStats(*(np.zeros(n, np.int64) for _ in range(3)))
        return Distance(best.distance, points_a, points_b, best.faces, stats)
    return Distance(float(best.distance[0]), points_a[0], points_b[0], best.faces[0], DistanceStats(0, 0, 0))


def compound_intersects(a: Moving, b: Moving, ask: Ask) -> bool | NDArray[np.bool_]:
    """Have any two parts a point in common, or are within a distance?"""
    n, is_batch = _resting("intersects", a, b)
    touches = np.zeros(n, np.bool_)
    pairs = PartPairs(a, b)
    may_count = pairs.gaps <= ask.within if ask.within else pairs.touching()
    apart = np.where(may_count, pairs.gaps, np.inf)
    for p, rows in pairs.in_order(apart, lambda _: ~touches):
        touches[rows] |= pairs.asked("intersects", p, rows, ask)
    return touches if is_batch else bool(touches[0])


def compound_penetration(a: Moving, b: Moving, ask: Ask) -> Penetration:
    """Measure the two parts that are deepest in each other: to part all of them takes that, or more."""
    n, is_batch = _resting("penetration", a, b)
    depth, is_overlapping = np.zeros(n), np.zeros(n, np.bool_)
    directions, points_a, points_b = (np.full((n, 3), np.nan) for _ in range(3))
    pairs = PartPairs(a, b)
    most = pairs.depths()
    for p, rows in pairs.in_order(np.where(most < 0.0, np.inf, -most), lambda own: -own >= depth):
        found: Penetration = pairs.asked("penetration", p, rows, ask)
        own, depths = np.atleast_1d(found.is_overlapping), np.atleast_1d(found.depth)
        deeper = own & (~is_overlapping[rows] | (depths > depth[rows]))
        depth[rows[deeper]], is_overlapping[rows[deeper]] = depths[deeper], True
        columns = (directions, found.direction), (points_a, found.points_a), (points_b, found.points_b)
        for kept, new in columns:
            kept[rows[deeper]] = np.atleast_2d(new)[deeper]
    if is_batch:
        return Penetration(depth, directions, points_a, points_b, is_overlapping)
    return Penetration(float(depth[0]), directions[0], points_a[0], points_b[0], bool(is_overlapping[0]))


class Nearest:
    """The nearest so far, of n rows: how far, where, on which faces, and when."""

    def __init__(self, n: int) -> None:
        self.distance, self.time = np.full(n, np.inf), np.zeros(n)
        self.points, self.faces = np.full((n, 2, 3), np.nan), np.full((n, 2), -1, np.int32)

    def take(
        self,
        rows: NDArray[np.intp],
        distance: Array,
        points: Array,
        faces: NDArray[np.int32],
        time: Array | None = None,
    ) -> None:
        """Take what is nearer, of some rows."""
        new = np.flatnonzero(distance < self.distance[rows])
        nearer = rows[new]
        self.distance[nearer], self.points[nearer], self.faces[nearer] = (
            distance[new],
            points[new],
            faces[new],
        )
        if time is not None:
            self.time[nearer] = time[new]


def _resting(query: str, a: Moving, b: Moving) -> tuple[int, bool]:
    """Check that two things rest; how many pairs of poses there are, and whether they are a batch."""
    motions = [rested(query, name, thing).motion for name, thing in (("a", a), ("b", b))]
    n = common_length(motions[0], motions[1], "poses")
    return n, any(motion.is_batch for motion in motions)


def _face_ids(faces: Any, a: Moving, b: Moving, numbers: tuple[int, int]) -> NDArray[np.int32]:
    """Faces (n, 2) of parts, counted on from part to part."""
    found = np.atleast_2d(faces).copy()
    for side, (thing, k) in enumerate(zip((a, b), numbers, strict=True)):
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


def _numbered(
    features: NDArray[np.int32], a: Moving, b: Moving, numbers: tuple[int, int]
) -> NDArray[np.int32]:
    """Features (k, 3) of parts, with ids that count on from part to part."""
    found = features.copy()
    for row in found:
        names = features_of(ContactKind(int(row[0]))) if row[0] >= 0 else ()
        for side, (feature, thing, k) in enumerate(zip(names, (a, b), numbers, strict=False), 1):
            row[side] = ids_in(thing, k, row[side : side + 1], feature)[0]
    return found


def each_part(thing: Moving) -> Iterator[tuple[int, Moving]]:
    """Parts of a compound that have points, with their numbers."""
    return ((k, part) for k, part in enumerate(moving_parts(thing)) if not is_empty(part.shape))
