"""Queries about the first contact of convex shapes, posed to the search."""

from time import perf_counter
from typing import NamedTuple

import numpy as np

from firstcontact.advancement.arrival import Found
from firstcontact.advancement.goal import Options
from firstcontact.answers.contact_results import FirstContact, FirstContacts, no_contact
from firstcontact.bodies.convex_side import Side, side_of
from firstcontact.proximity.penetration.convex_penetration import convex_penetrations
from firstcontact.queries.kinds import common_length, rigid_motion, single, table_of
from firstcontact.queries.rigid import (
    RigidAsk,
    advancement_stats,
    in_parts,
)
from firstcontact.rigid.convex_first import convex_first_times
from firstcontact.rigid.convex_proof import convex_proven_times
from firstcontact.shapes.convex import RADIUS, REACH, ConvexTable
from firstcontact.shapes.moving import Moving
from firstcontact.status import ContactKind, Status


class ConvexPair(NamedTuple):
    """Two convex shapes and their motions."""

    sides: tuple[Side, Side]
    options: Options


def convex_first(a: Moving, b: Moving, ask: RigidAsk) -> FirstContact:
    """First contact of two convex shapes."""
    began = perf_counter()
    pair = _posed(single(a, "a"), single(b, "b"), ask)
    found = _found(pair, ask)
    stats = advancement_stats(found.counts[0].tolist(), began)
    status = Status(int(found.status[0]))
    if status == Status.SEPARATED:
        return no_contact(stats)
    upper = convex_proven_times(*pair.sides, found, pair.options.min_separation)
    points, normals = found.points.mean(axis=1), found.normals
    features = np.array([[ContactKind.SHAPE_SHAPE, -1, -1]], np.int32)
    return FirstContact(status, float(found.time[0]), float(upper[0]), points, normals, features, stats)


def convex_firsts(a: Moving, b: Moving, ask: RigidAsk) -> FirstContacts:
    """First contacts of a batch of motions of two convex shapes."""
    began = perf_counter()
    pair = _posed(a, b, ask)
    found = _found(pair, ask)
    upper = convex_proven_times(*pair.sides, found, pair.options.min_separation)
    features = np.full((len(found.time), 3), -1, np.int32)
    features[found.status != Status.SEPARATED, 0] = ContactKind.SHAPE_SHAPE
    stats = advancement_stats(np.ascontiguousarray(found.counts.T), began)
    points = found.points.mean(axis=1)
    return FirstContacts(found.status, found.time, upper, points, found.normals, features, stats)


def convex_time(a: Moving, b: Moving, ask: RigidAsk) -> float:
    """Time of the first contact of two convex shapes, 1 where there is none."""
    found = _found(_posed(single(a, "a"), single(b, "b"), ask), ask)
    return min(float(found.time[0]), 1.0)


def size_of(table: ConvexTable) -> float:
    """Diameter of the ball around a shape's origin that holds it."""
    record = table.records[0]
    return float(2.0 * (record[REACH] + record[RADIUS]))


def _posed(a: Moving, b: Moving, ask: RigidAsk) -> ConvexPair:
    """Make shapes and motions ready for the search."""
    motions, tables = (rigid_motion(a), rigid_motion(b)), (table_of(a.shape), table_of(b.shape))
    n = common_length(*motions, "motions")
    options = ask.options(size_of(tables[0]), size_of(tables[1]))
    sides = (side_of(table, motion.rows(), n) for table, motion in zip(tables, motions, strict=True))
    return ConvexPair((next(sides), next(sides)), options)


def _found(pair: ConvexPair, ask: RigidAsk) -> Found:
    """Search, in parts where progress is shown."""
    if not ask.progress:
        return first_times_and_normals(*pair.sides, pair.options)

    def part(span: slice) -> Found:
        a, b = (side.chosen(span) for side in pair.sides)
        return first_times_and_normals(a, b, pair.options)

    parts = in_parts(part, len(pair.sides[0].shape_ids))
    return Found._make(np.concatenate(arrays) for arrays in zip(*parts, strict=True))


def first_times_and_normals(a: Side, b: Side, options: Options) -> Found:
    """Search; what overlaps from the start has the normal along which it is parted soonest."""
    found = convex_first_times(a, b, options)
    at_start = np.flatnonzero(found.status == Status.CONTACT_AT_START)
    if len(at_start) > 0:
        deep = convex_penetrations(a.chosen(at_start), b.chosen(at_start))
        found.normals[at_start[deep.is_overlapping]] = deep.direction[deep.is_overlapping]
    return found
