"""Compounds with rays and points, and when they touch: what is found of their parts, put together."""

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
from firstcontact.proximity.rays.ray_hits import ALL, Hits, missed
from firstcontact.proximity.rays.ray_mesh import Places
from firstcontact.queries.batches import common_length
from firstcontact.queries.kinds.compound import each_part, ids_in
from firstcontact.queries.kinds.part_pairs import PartPairs
from firstcontact.queries.kinds.rigid_intervals import interval_columns, spans_of
from firstcontact.queries.look_up import kind_of
from firstcontact.queries.ray_cast import RayBatch, rested_once
from firstcontact.queries.registry import POINTS, RAYS, ROWS
from firstcontact.queries.signed_distance import Bools, PointBatch, check_sign, placed_in, shaped, standing
from firstcontact.shapes.moving import Moving


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
    """Cast rays at all parts: surfaces that are inside of other parts count, too."""
    rested_once(thing)
    n = batch.n
    found = [missed(n, batch.wanted)]
    for k, part in each_part(thing):
        met = ROWS["ray_cast", kind_of(part), RAYS].answer(part, batch, ask)
        hits: Hits = met.told() if isinstance(met, Places) else met
        is_met = hits.times < np.inf
        faces = np.where(is_met, ids_in(thing, k, hits.faces, "face"), -1).astype(np.int32)
        found.append(hits._replace(faces=faces))
    if batch.wanted != ALL:
        return _first_of(found)
    rays = np.concatenate([np.repeat(np.arange(n), np.diff(hits.starts)) for hits in found])
    columns = [np.concatenate([getattr(hits, name) for hits in found]) for name in Hits._fields[1:]]
    if len(rays) > batch.most:
        raise too_many("hits", "max_hits", batch.most)
    order = np.lexsort((columns[0], rays))
    starts = np.searchsorted(rays[order], np.arange(n + 1)).astype(np.int64)
    return Hits(starts, *(column[order] for column in columns))


def _first_of(found: list[Hits]) -> Hits:
    """The first hit of each ray."""
    best = found[0]
    for hits in found[1:]:
        rows = np.flatnonzero(hits.times < best.times)
        for name in Hits._fields[1:]:
            getattr(best, name)[rows] = getattr(hits, name)[rows]
    return best


def points_at_compound(thing: Moving, batch: PointBatch, ask: Ask) -> SignedDistances | Bools:
    """Measure points from the nearest part; inside, from that in which they are deepest."""
    resting = standing(thing, batch.verb)
    check_sign(batch, resting)
    shape = placed_in(batch, resting.motion).shape
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
    if shape == ():
        return SignedDistances(float(distance), points, int(faces), normals, "parts")
    return SignedDistances(distance, points, faces, normals, "parts")
