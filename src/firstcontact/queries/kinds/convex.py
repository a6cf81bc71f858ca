"""Queries about the first contact of convex shapes, posed to the search."""

from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.arrival import CONTACT_AT_START, Found
from firstcontact.advancement.ask import Ask
from firstcontact.advancement.goal import Options
from firstcontact.advancement.refining import Motions, proven_refined
from firstcontact.answers.contact_results import FirstContact, FirstContacts, no_contact
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import Side, side_of
from firstcontact.motions.law import Which
from firstcontact.motions.law_table import LawTables
from firstcontact.proximity.penetration.convex_penetration import convex_penetrations
from firstcontact.queries.batches import common_length, searched, single
from firstcontact.queries.kinds.rigid import BY_INTERVALS, CONVEX_METHODS, advancement_stats, options_of
from firstcontact.rigid.convex.compared_first import ADVANCEMENT, METHODS, compared_first_times
from firstcontact.rigid.convex.convex_first import convex_first_times
from firstcontact.rigid.convex.convex_proof import convex_proven_times
from firstcontact.rigid.interval.interval_convexes import interval_convex_times
from firstcontact.shapes.convex import RADIUS, REACH, ConvexTable, hull_table, joined
from firstcontact.shapes.convex_shape import table_of
from firstcontact.shapes.moving import Moving
from firstcontact.status import ContactKind, Status

# The names that methods have of all rigid bodies are known here, too.
OF_CONVEXES = METHODS | CONVEX_METHODS


class ConvexPair(NamedTuple):
    """Two convex shapes and their motions."""

    tables: tuple[ConvexTable, ConvexTable]
    motions: Motions
    options: Options


def convex_first(a: Moving, b: Moving, ask: Ask) -> FirstContact:
    """First contact of two convex shapes."""
    began = perf_counter()
    pair = pose_convexes(single(a, "a"), single(b, "b"), ask)
    found = _found(pair, ask)
    stats = advancement_stats(found.counts[0].tolist(), perf_counter() - began)
    status = Status(int(found.status[0]))
    if status == Status.SEPARATED:
        return no_contact(stats)
    upper = proven(pair, found)
    points, normals = found.points.mean(axis=1), found.normals
    features = np.array([[ContactKind.SHAPE_SHAPE, -1, -1]], np.int32)
    return FirstContact(status, float(found.time[0]), float(upper[0]), points, normals, features, stats)


def convex_firsts(a: Moving, b: Moving, ask: Ask) -> FirstContacts:
    """First contacts of a batch of motions of two convex shapes."""
    began = perf_counter()
    pair = pose_convexes(a, b, ask)
    found = _found(pair, ask)
    upper = proven(pair, found)
    features = np.full((len(found.time), 3), -1, np.int32)
    features[found.status != Status.SEPARATED, 0] = ContactKind.SHAPE_SHAPE
    stats = advancement_stats(np.ascontiguousarray(found.counts.T), perf_counter() - began)
    points = found.points.mean(axis=1)
    return FirstContacts(found.status, found.time, upper, points, found.normals, features, stats)


def convex_time(a: Moving, b: Moving, ask: Ask) -> float:
    """Time of the first contact of two convex shapes, 1 where there is none."""
    found = _found(pose_convexes(single(a, "a"), single(b, "b"), ask), ask)
    return min(float(found.time[0]), 1.0)


def size_of(table: ConvexTable) -> float:
    """Diameter of the ball around a shape's origin that holds it."""
    record = table.records[0]
    return float(2.0 * (record[REACH] + record[RADIUS]))


def pose_convexes(a: Moving, b: Moving, ask: Ask) -> ConvexPair:
    """Make shapes and motions ready for the search."""
    motions, tables = Motions(a.rigid, b.rigid), (table_of(a.shape), table_of(b.shape))
    common_length(*motions, "motions")
    sizes = size_of(tables[0]), size_of(tables[1])
    return ConvexPair(tables, motions, options_of(ask, *sizes, OF_CONVEXES))


def sides_of(pair: ConvexPair, rows_a: Array, rows_b: Array) -> tuple[Side, Side]:
    """Both sides of each pair of motions."""
    n = len(rows_b) if len(rows_a) == 1 else len(rows_a)
    return side_of(pair.tables[0], rows_a, n), side_of(pair.tables[1], rows_b, n)


def _found(pair: ConvexPair, ask: Ask) -> Found:
    """Search, in parts where progress is shown."""

    def search(rows_a: Array, rows_b: Array, _: Which) -> Found:
        return first_times_and_normals(*sides_of(pair, rows_a, rows_b), pair.options)

    def follow(motions: Motions, tables: LawTables) -> Found:
        return followed_times_and_normals(*sides_of(pair, *motions.rows), motions, tables, pair.options)

    # Methods that are there to be compared are compiled for pieces alone.
    quick = follow if pair.options.method == ADVANCEMENT else None
    return searched(pair.motions, pair.options.tolerance, search, quick, ask.progress)


def proven(pair: ConvexPair, found: Found) -> Array:
    """Times at which contact is certain."""

    def prove(rows_a: Array, rows_b: Array, which: Which) -> Array:
        chosen = Found._make(array[which] for array in found)
        return convex_proven_times(*sides_of(pair, rows_a, rows_b), chosen, pair.options.min_separation)

    return proven_refined(pair.motions, found, pair.options.tolerance, prove)


def write_ways_out(found: Found, a: Side, b: Side, motions: Motions) -> None:
    """Write the normals of pairs with laws that overlap at the start: along which they are parted soonest."""
    at_start = np.flatnonzero(found.status == CONTACT_AT_START)
    if len(at_start) > 0:
        starts = motions.refined(at_start, np.zeros((len(at_start), 2)))
        sides = (_with_rows(side.chosen(at_start), rows) for side, rows in zip((a, b), starts, strict=True))
        _write_ways_out(found, at_start, *sides)


def _with_rows(side: Side, rows: Array) -> Side:
    """One side with other motions: one for each pair, or one for all."""
    n = len(side.shape_ids)
    ids = np.zeros(n, np.int32) if len(rows) == 1 else np.arange(n, dtype=np.int32)
    return side._replace(rows=np.ascontiguousarray(rows), row_ids=ids)


def ways_out(shape: Side, triangles: Array, rows: Array) -> tuple[NDArray[np.bool_], Array]:
    """Which shapes overlap a triangle at the start, and the unit vectors along which it leaves them soonest.

    triangles, rows : (n, 3, 3) the corners, and the motions of what they belong to, (n, k, 26) or (1, k, 26)
    """
    n = len(triangles)
    tables = joined([hull_table(triangle) for triangle in triangles])
    deep = convex_penetrations(
        shape, side_of(tables, rows, n)._replace(shape_ids=np.arange(n, dtype=np.int32))
    )
    return deep.is_overlapping, deep.direction


def first_times_and_normals(a: Side, b: Side, options: Options) -> Found:
    """Search; what overlaps from the start has the normal along which it is parted soonest."""
    found = _searched(a, b, options)
    at_start = np.flatnonzero(found.status == CONTACT_AT_START)
    if len(at_start) > 0:
        _write_ways_out(found, at_start, a.chosen(at_start), b.chosen(at_start))
    return found


def _searched(a: Side, b: Side, options: Options) -> Found:
    """Search by the method asked for."""
    if options.method == ADVANCEMENT:
        return convex_first_times(a, b, options)
    if options.method == BY_INTERVALS:
        return interval_convex_times(a, b, options)
    return compared_first_times(a, b, options)


def followed_times_and_normals(
    a: Side, b: Side, motions: Motions, tables: LawTables, options: Options
) -> Found:
    """Search along motions by their laws; normals as of `first_times_and_normals`."""
    found = convex_first_times(a, b, options, tables)
    write_ways_out(found, a, b, motions)
    return found


def _write_ways_out(found: Found, at_start: NDArray[np.intp], a: Side, b: Side) -> None:
    """Write the normals of pairs that overlap at the start, both sides in the same order."""
    deep = convex_penetrations(a, b)
    found.normals[at_start[deep.is_overlapping]] = deep.direction[deep.is_overlapping]
