"""Penetration of pairs of convex shapes at rest."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import Side
from firstcontact.motions.short_rows import is_resting
from firstcontact.narrowphase.convex.difference import CorePair
from firstcontact.narrowphase.convex.gjk import RelativePose
from firstcontact.narrowphase.convex.polytope import workspace
from firstcontact.narrowphase.convex.way_out import FEW_CORNERS, ConvexOverlap, penetration_convex_convex
from firstcontact.proximity.distance.convex_distance import Place, frame_of, in_world, place_of
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, scale, sub
from firstcontact.shapes.convex import BOX, Convex, convex_at, origin_at
from firstcontact.shapes.packed_convex import records_in

# Pairs from which several threads are worth their start.
WORTH_A_THREAD = 128


class ConvexPenetration(NamedTuple):
    """How deep n pairs are in each other; NaN where they are apart, but for a depth of 0.

    depth : (n,) float64
    direction : (n, 3) float64, the unit vector along which b leaves a after a way of `depth`
    points_a, points_b : (n, 3) float64, the deepest points, in the world
    is_overlapping : (n,) bool
    """

    depth: Array
    direction: Array
    points_a: Array
    points_b: Array
    is_overlapping: NDArray[np.bool_]


def convex_penetrations(a: Side, b: Side) -> ConvexPenetration:
    """Measure the shapes of each pair, where they are at t = 0."""
    n = len(a.shape_ids)
    found = ConvexPenetration(
        np.zeros(n),
        np.full((n, 3), np.nan),
        np.full((n, 3), np.nan),
        np.full((n, 3), np.nan),
        np.zeros(n, bool),
    )

    def task(first: int, last: int) -> None:
        _measure_range(a, b, found, first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    return found


class PairPenetration(NamedTuple):
    """One pair, measured, in the world; a depth below 0 where they are apart."""

    depth: float
    direction: Vec3
    point_a: Vec3
    point_b: Vec3


# Columns of what a query about a single pair writes down; the depth is below 0 where they are apart.
DEPTH = 0
DIRECTION = 1  # three
POINT_A = 4  # three
POINT_B = 7  # three
N_COLUMNS = 10


@driver
def sink_convexes(packed_a: Array, rows_a: Array, packed_b: Array, rows_b: Array, out: Array) -> float:
    """Measure how deep a single pair is in each other; NaN where they move."""
    if not (is_resting(rows_a) and is_resting(rows_b)):
        return np.nan
    return write_overlap(overlap_at_rest(packed_a, rows_a, packed_b, rows_b), out)


@kernel
def write_overlap(found: PairPenetration, out: Array) -> float:
    """Write how deep a pair is in each other; give the depth, below 0 where they are apart."""
    out[DEPTH] = found.depth
    for i in range(3):
        out[DIRECTION + i] = found.direction[i]
        out[POINT_A + i], out[POINT_B + i] = found.point_a[i], found.point_b[i]
    return found.depth


@kernel
def overlap_at_rest(packed_a: Array, rows_a: Array, packed_b: Array, rows_b: Array) -> PairPenetration:
    """Measure a single pair where its motions start."""
    records_a, records_b = records_in(packed_a), records_in(packed_b)
    zero = int(np.int64(0))  # not a plain zero: functions are compiled for a constant argument apart
    place_a, place_b = (
        place_of(rows_a, origin_at(records_a, zero)),
        place_of(rows_b, origin_at(records_b, zero)),
    )
    pair = _pair(convex_at(records_a, zero), convex_at(records_b, zero), frame_of(place_a, place_b))
    # Boxes need no polytope.
    needs_polytope = pair.a.kind != BOX or pair.b.kind != BOX
    numbers, links = workspace(FEW_CORNERS if needs_polytope else 0)
    return _seen(place_b, penetration_convex_convex(pair, packed_a, packed_b, numbers, links))


@driver
def _measure_range(a: Side, b: Side, found: ConvexPenetration, first: int, last: int) -> None:
    records_a, pool_a, rows_a, shapes_a, ids_a = a.table.records, a.table.pool, a.rows, a.shape_ids, a.row_ids
    records_b, pool_b, rows_b, shapes_b, ids_b = b.table.records, b.table.pool, b.rows, b.shape_ids, b.row_ids
    depth, direction, points_a, points_b, is_overlapping = found
    numbers, links = workspace(FEW_CORNERS)
    for k in range(first, last):
        i, j = int(np.int64(shapes_a[k])), int(np.int64(shapes_b[k]))
        shape_a, shape_b = convex_at(records_a, i), convex_at(records_b, j)
        place_a = place_of(rows_a[ids_a[k], 0], origin_at(records_a, i))
        place_b = place_of(rows_b[ids_b[k], 0], origin_at(records_b, j))
        pair = _pair(shape_a, shape_b, frame_of(place_a, place_b))
        overlap = _seen(place_b, penetration_convex_convex(pair, pool_a, pool_b, numbers, links))
        if overlap.depth < 0.0:
            continue
        depth[k], is_overlapping[k] = overlap.depth, True
        for x in range(3):
            direction[k, x] = overlap.direction[x]
            points_a[k, x], points_b[k, x] = overlap.point_a[x], overlap.point_b[x]


@kernel
def _pair(a: Convex, b: Convex, frame: RelativePose) -> CorePair:
    return CorePair(a, b, frame, transposed(frame.rotation))


@kernel
def _seen(place_b: Place, overlap: ConvexOverlap) -> PairPenetration:
    """Bring what was found in the frame of b into the world."""
    n, p = mat_vec(place_b.rotation, overlap.direction), in_world(place_b, overlap.point_a)
    return PairPenetration(overlap.depth, n, p, sub(p, scale(overlap.depth, n)))
