"""Compounds with rays and points, and when they touch: what is found of their parts, put together."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.advancement.contact_watch import (
    DOUBT,
    N_COLUMNS,
    NOT_PROVEN,
    PART_LOWER,
    PART_UPPER,
    TOUCH_LOWER,
    TOUCH_UPPER,
)
from firstcontact.answers.interval_results import ContactIntervals
from firstcontact.answers.point_results import SignedDistances
from firstcontact.arrays import Array
from firstcontact.errors import too_many
from firstcontact.motions.attached import attached
from firstcontact.motions.rigid_motion import RigidMotion
from firstcontact.proximity.rays.ray_hits import ALL, Hits, missed
from firstcontact.proximity.rays.ray_mesh import FacesMet
from firstcontact.queries.batches import common_length
from firstcontact.queries.kinds.compound import each_part, ids_in
from firstcontact.queries.kinds.part_pairs import PartPairs
from firstcontact.queries.kinds.rigid_intervals import interval_columns, spans_of
from firstcontact.queries.look_up import kind_of
from firstcontact.queries.ray_cast import RayBatch, rested_once
from firstcontact.queries.registry import POINTS, RAYS, ROWS
from firstcontact.queries.signed_distance import Bools, PointBatch, check_sign, placed_in, shaped, standing
from firstcontact.shapes.compound import as_compound, holders_in
from firstcontact.shapes.mesh import is_empty
from firstcontact.shapes.moving import Moving

# Balls are as much larger than what holds the parts, and places are off by this part of all coordinates at
# most: far more than rounding.
LARGER, ROUNDING = 1.0 + 2.0**-30, 2.0**-40

# Pairs of a part and a ray, or a point, that are looked at together.
BLOCK = 1 << 18


def compound_intervals(a: Moving, b: Moving, ask: Ask) -> ContactIntervals:
    """Find when any two parts touch: all intervals, joined where they overlap, or may."""
    n = common_length(a.rigid, b.rigid, "motions")
    spans: list[list[Array]] = [[] for _ in range(n)]
    pairs = PartPairs(a, b)
    for p, asked in pairs.in_order(pairs.first_times(ask, 0.0), lambda own: own < np.inf):
        found: ContactIntervals = pairs.asked("contact_intervals", p, asked, ask)
        for k, own in zip(asked.tolist(), spans_of(found), strict=True):
            spans[k].extend(own)
    whole = [np.array(joined_spans(own)).reshape(-1, N_COLUMNS) for own in spans]
    return ContactIntervals(*interval_columns(whole), a.rigid.is_batch or b.rigid.is_batch)


def joined_spans(spans: list[Array]) -> list[Array]:
    """Join spans of which one may begin before another has ended; what is between them is in doubt."""
    joined: list[Array] = []
    for span in sorted(spans, key=lambda one: float(one[TOUCH_LOWER])):
        if not joined or span[TOUCH_LOWER] > joined[-1][PART_UPPER]:
            joined.append(span.copy())
            continue
        last = joined[-1]
        last[PART_UPPER] = max(last[PART_UPPER], span[PART_UPPER])
        if last[DOUBT] == NOT_PROVEN or span[DOUBT] == NOT_PROVEN:
            if span[DOUBT] != NOT_PROVEN:
                last[[TOUCH_UPPER, PART_LOWER, DOUBT]] = span[[TOUCH_UPPER, PART_LOWER, DOUBT]]
            elif last[DOUBT] == NOT_PROVEN:
                last[TOUCH_UPPER], last[PART_LOWER] = last[PART_UPPER], last[TOUCH_LOWER]
            continue
        between = max(last[TOUCH_UPPER], span[TOUCH_UPPER]) - min(last[PART_LOWER], span[PART_LOWER])
        last[DOUBT] += span[DOUBT] + max(between, 0.0)
        last[TOUCH_UPPER] = min(last[TOUCH_UPPER], span[TOUCH_UPPER])
        last[PART_LOWER] = max(last[PART_LOWER], span[PART_LOWER])
    return joined


def rays_at_compound(thing: Moving, batch: RayBatch, ask: Ask) -> Hits:
    """Cast rays at all parts whose balls they meet: surfaces that are inside of other parts count, too."""
    resting = rested_once(thing)
    n = batch.n
    found, origins, directions = (
        [missed(n, batch.wanted)],
        *(np.broadcast_to(rays, (n, 3)) for rays in (batch.origins, batch.directions)),
    )
    balls = Balls(thing, resting.motion)
    for i, rows in balls.chosen(n, lambda some: balls.may_meet(some, origins, directions)):
        k, part = balls.part(i)
        own = batch._replace(origins=origins[rows], directions=directions[rows], n=len(rows))
        met = ROWS["ray_cast", kind_of(part), RAYS].answer(part, own, ask)
        hits: Hits = met.told() if isinstance(met, FacesMet) else met
        is_met = hits.times < np.inf
        faces = np.where(is_met, ids_in(thing, k, hits.faces, "face"), -1).astype(np.int32)
        found.append(_of_all(hits._replace(faces=faces), rows, n, batch.wanted))
    if batch.wanted != ALL:
        return _first_of(found)
    rays = np.concatenate([np.repeat(np.arange(n), np.diff(hits.starts)) for hits in found])
    columns = [np.concatenate([getattr(hits, name) for hits in found]) for name in Hits._fields[1:]]
    if len(rays) > batch.most:
        raise too_many("hits", "max_hits", batch.most)
    order = np.lexsort((columns[0], rays))
    starts = np.searchsorted(rays[order], np.arange(n + 1)).astype(np.int64)
    return Hits(starts, *(column[order] for column in columns))


class Balls:
    """Balls in the world that hold the parts of a compound that have points, with room for rounding."""

    def __init__(self, thing: Moving, motion: RigidMotion) -> None:
        self._thing, self._parts = thing, as_compound(thing.shape).parts
        self._numbers = [k for k, part in enumerate(self._parts) if not is_empty(part.shape)]
        self._middles, self._radii = np.empty((0, 3)), np.empty(0)
        if self._numbers:
            holders, pose = holders_in(as_compound(thing.shape)), motion.pose(0.0)
            own = (holders.poses[:, :3, :3] @ holders.middles[:, :, np.newaxis])[..., 0]
            self._middles = (own + holders.poses[:, :3, 3]) @ pose[:3, :3].T + pose[:3, 3]
            far = np.abs(self._middles).max(axis=1) + np.abs(pose[:3, 3]).max()
            self._radii = holders.radii * LARGER + ROUNDING * far

    def part(self, i: int) -> tuple[int, Moving]:
        """The number of a part, and the part as it stands."""
        k = self._numbers[i]
        shape, pose = self._parts[k]
        return k, Moving(shape, attached(self._thing.rigid, pose))

    def chosen(
        self, n: int, choose: Callable[[slice], NDArray[np.bool_]]
    ) -> Iterator[tuple[int, NDArray[np.intp]]]:
        """Give parts one after the other, with the rows, of n, that are chosen for some of them, (k, n)."""
        step = max(BLOCK // max(n, 1), 1)
        for first in range(0, len(self._numbers), step):
            are_chosen = choose(slice(first, first + step))
            for i in np.flatnonzero(are_chosen.any(axis=1)).tolist():
                yield first + i, np.flatnonzero(are_chosen[i])

    def gaps(self, some: slice, points: Array) -> Array:
        """How far points (n, 3) are from some of the balls, at least, (k, n); negative inside."""
        away = np.linalg.norm(points - self._middles[some, np.newaxis], axis=2)
        gaps: Array = away * (1.0 - ROUNDING) - self._radii[some, np.newaxis]
        return gaps

    def nearest(self, points: Array) -> NDArray[np.intp]:
        """Which ball each of the points (n, 3) is nearest to, or deepest in, (n,)."""
        found, least = np.full(len(points), -1), np.full(len(points), np.inf)
        for i in range(0, len(self._numbers), step := max(BLOCK // max(len(points), 1), 1)):
            gaps = self.gaps(slice(i, i + step), points)
            own = np.argmin(gaps, axis=0)
            there = np.take_along_axis(gaps, own[np.newaxis], 0)[0]
            found, least = np.where(there < least, i + own, found), np.minimum(there, least)
        return found

    def may_meet(self, some: slice, origins: Array, directions: Array) -> NDArray[np.bool_]:
        """Which lines (n, 3) may meet some of the balls, (k, n)."""
        largest = np.abs(directions).max(axis=1, keepdims=True)
        ways = directions / np.where(largest > 0.0, largest, 1.0)
        ways = ways / np.linalg.norm(ways, axis=1, keepdims=True)
        away = origins - self._middles[some, np.newaxis]
        across = away - np.einsum("kij,ij->ki", away, ways)[..., np.newaxis] * ways
        most = self._radii[some, np.newaxis] + ROUNDING * np.linalg.norm(away, axis=2)
        is_near: NDArray[np.bool_] = ~(np.linalg.norm(across, axis=2) > most)
        return is_near


def _of_all(hits: Hits, rows: NDArray[np.intp], n: int, wanted: int) -> Hits:
    """Hits of some rays as those of all n."""
    whole = missed(n, wanted)
    if wanted != ALL:
        for name in Hits._fields[1:]:
            getattr(whole, name)[rows] = getattr(hits, name)
        return whole
    counts = np.zeros(n, np.int64)
    counts[rows] = np.diff(hits.starts)
    return hits._replace(starts=np.concatenate([[0], np.cumsum(counts)]))


def _first_of(found: list[Hits]) -> Hits:
    """The first hit of each ray."""
    best = found[0]
    for hits in found[1:]:
        rows = np.flatnonzero(hits.times < best.times)
        for name in Hits._fields[1:]:
            getattr(best, name)[rows] = getattr(hits, name)[rows]
    return best


def points_at_compound(thing: Moving, batch: PointBatch, ask: Ask) -> SignedDistances | Bools:
    """Measure points from the nearest part; inside, from that in which they are deepest.

    A part is asked about the points that may be nearer to its ball than to what is known, or inside.
    """
    resting = standing(thing, batch.verb)
    check_sign(batch, resting)
    placed = placed_in(batch, resting.motion)
    if resting.motion.is_batch:
        return _points_at_poses(thing, batch, ask, placed.shape)
    best, balls = NearestParts(thing, batch, ask), Balls(thing, resting.motion)
    points, n = best.points, len(best.points)
    if batch.is_side_only:
        for i, rows in balls.chosen(n, lambda some: balls.gaps(some, points) <= 0.0):
            best.ask(balls.part(i), rows[~best.is_inside[rows]])
        return shaped(best.is_inside, placed.shape)
    nearest = balls.nearest(points)
    for i in np.unique(nearest[nearest >= 0]).tolist():
        best.ask(balls.part(i), np.flatnonzero(nearest == i))

    def may_be_nearer(some: slice) -> NDArray[np.bool_]:
        gaps = balls.gaps(some, points)
        return (gaps < best.distance) | (gaps <= 0.0)

    for i, rows in balls.chosen(n, may_be_nearer):
        best.ask(balls.part(i), rows[nearest[rows] != i])
    return best.told(placed.shape)


class NearestParts:
    """Which part each of some points is nearest to, or deepest in, as far as parts were asked."""

    def __init__(self, thing: Moving, batch: PointBatch, ask: Ask) -> None:
        self.points, self._thing, self._batch, self._ask = batch.points.reshape(-1, 3), thing, batch, ask
        n = len(self.points)
        self.is_inside, self.distance = np.zeros(n, np.bool_), np.full(n, np.inf)
        self._faces, self._places = np.full(n, -1, np.int32), np.full((n, 3), np.nan)
        self._normals = np.full((n, 3), np.nan)

    def ask(self, part: tuple[int, Moving], rows: NDArray[np.intp]) -> None:
        """Ask a part about some of the points."""
        if len(rows) == 0:
            return
        k, moving = part
        own = self._batch._replace(points=np.ascontiguousarray(self.points[rows]))
        found: Any = ROWS[own.verb, kind_of(moving), POINTS].answer(moving, own, self._ask)
        if own.is_side_only:
            self.is_inside[rows] |= found
            return
        is_less = found.distance < self.distance[rows]
        less = rows[is_less]
        self.distance[less], self._places[less] = found.distance[is_less], found.points[is_less]
        self._normals[less] = found.normals[is_less]
        self._faces[less] = ids_in(self._thing, k, np.asarray(found.faces), "face")[is_less]

    def told(self, shape: tuple[int, ...]) -> SignedDistances:
        """What is known, for points in such an array."""
        points, normals = self._places.reshape(*shape, 3), self._normals.reshape(*shape, 3)
        if shape == ():
            return SignedDistances(float(self.distance[0]), points, int(self._faces[0]), normals, "parts")
        return SignedDistances(
            self.distance.reshape(shape), points, self._faces.reshape(shape), normals, "parts"
        )


def _points_at_poses(
    thing: Moving, batch: PointBatch, ask: Ask, shape: tuple[int, ...]
) -> SignedDistances | Bools:
    """Measure points from a compound in many poses: all of them, from each part."""
    is_inside = np.zeros(shape, np.bool_)
    distance, faces = np.full(shape, np.inf), np.full(shape, -1, np.int32)
    points, normals = np.full((*shape, 3), np.nan), np.full((*shape, 3), np.nan)
    for k, part in each_part(thing):
        found: Any = ROWS[batch.verb, kind_of(part), POINTS].answer(part, batch, ask)
        if batch.is_side_only:
            is_inside |= found
            continue
        is_less = np.asarray(found.distance) < distance
        distance = np.where(is_less, found.distance, distance)
        own: NDArray[Any] = ids_in(thing, k, np.asarray(found.faces), "face")
        faces = np.where(is_less, own, faces).astype(np.int32)
        points = np.where(is_less[..., np.newaxis], found.points, points)
        normals = np.where(is_less[..., np.newaxis], found.normals, normals)
    if batch.is_side_only:
        return shaped(is_inside.reshape(-1), shape)
    return SignedDistances(distance, points, faces, normals, "parts")
