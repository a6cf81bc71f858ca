"""Distances of pairs of convex shapes at rest."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import Side
from firstcontact.motions.rigid_motion import center_of, position_of, rotation_of
from firstcontact.motions.short_rows import is_resting
from firstcontact.narrowphase.convex.gjk import (
    EXACT,
    ClosestCores,
    RelativePose,
    closest_from,
    closest_straight,
    no_simplex,
)
from firstcontact.narrowphase.convex.told_pair import told_pair
from firstcontact.proximity.distance.single_distance import ITERATIONS, LEFT, told_distance, write_points
from firstcontact.scalar.mat3 import Mat3, mat_mul, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, scale, sub
from firstcontact.shapes.convex import Convex, convex_at, origin_at
from firstcontact.shapes.packed_convex import LARGEST, records_in

# Pairs from which several threads are worth their start: half a millisecond of work.
WORTH_A_THREAD = 4096


class ConvexMeasured(NamedTuple):
    """Distances of n pairs.

    distance : (n,) float64, 0 where they overlap
    points_a, points_b : (n, 3) float64, the closest points in the world; a common one where they overlap
    iterations : (n,) int64
    """

    distance: Array
    points_a: Array
    points_b: Array
    iterations: NDArray[np.int64]


class Place(NamedTuple):
    """A body at rest: a point x of it, seen from its origin, is at ``position + arm + rotation x``.

    position : of the point that a motion would turn about
    arm : from there to the origin
    """

    rotation: Mat3
    position: Vec3
    arm: Vec3


def convex_distances(a: Side, b: Side) -> ConvexMeasured:
    """Measure the shapes of each pair, where they are at t = 0."""
    n = len(a.shape_ids)
    measured = ConvexMeasured(np.empty(n), np.empty((n, 3)), np.empty((n, 3)), np.empty(n, np.int64))

    def task(first: int, last: int) -> None:
        _measure_range(a, b, measured, first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    return measured


class MeasuredPair(NamedTuple):
    """One pair, measured, in the world."""

    distance: float
    point_a: Vec3
    point_b: Vec3
    iterations: int


@driver
def measure_convexes(packed_a: Array, rows_a: Array, packed_b: Array, rows_b: Array, out: Array) -> float:
    """Measure a single pair into the columns of `single_distance`; LEFT where they move, or nearly touch."""
    if not (is_resting(rows_a) and is_resting(rows_b)):
        return LEFT
    records_a, records_b = records_in(packed_a), records_in(packed_b)
    zero = int(np.int64(0))  # not a plain zero: functions are compiled for a constant argument apart
    place_a, place_b = (
        place_of(rows_a, origin_at(records_a, zero)),
        place_of(rows_b, origin_at(records_b, zero)),
    )
    frame = frame_of(place_a, place_b)
    shape_a, shape_b = convex_at(records_a, zero), convex_at(records_b, zero)
    start = no_simplex(scale(-1.0, frame.offset))
    closest, _ = closest_from(shape_a, shape_b, packed_a, packed_b, frame, start, EXACT)
    pair = seen_pair(shape_a, shape_b, place_b, closest)
    write_points(out, pair.distance, pair.point_a, pair.point_b)
    out[ITERATIONS] = pair.iterations
    return told_distance(out, packed_a[LARGEST], packed_b[LARGEST])


@driver
def _measure_range(a: Side, b: Side, measured: ConvexMeasured, first: int, last: int) -> None:
    records_a, pool_a, rows_a, shapes_a, ids_a = a.table.records, a.table.pool, a.rows, a.shape_ids, a.row_ids
    records_b, pool_b, rows_b, shapes_b, ids_b = b.table.records, b.table.pool, b.rows, b.shape_ids, b.row_ids
    for k in range(first, last):
        i, j = int(np.int64(shapes_a[k])), int(np.int64(shapes_b[k]))
        shape_a, shape_b = convex_at(records_a, i), convex_at(records_b, j)
        place_a = place_of(rows_a[ids_a[k], 0], origin_at(records_a, i))
        place_b = place_of(rows_b[ids_b[k], 0], origin_at(records_b, j))
        frame = frame_of(place_a, place_b)
        closest = closest_straight(shape_a, shape_b, frame)
        if closest.steps == 0:
            start = no_simplex(scale(-1.0, frame.offset))
            closest, _ = closest_from(shape_a, shape_b, pool_a, pool_b, frame, start, EXACT)
        pair = seen_pair(shape_a, shape_b, place_b, closest)
        measured.distance[k], measured.iterations[k] = pair.distance, pair.iterations
        for i in range(3):
            measured.points_a[k, i], measured.points_b[k, i] = pair.point_a[i], pair.point_b[i]


@kernel
def seen_pair(a: Convex, b: Convex, place_b: Place, closest: ClosestCores) -> MeasuredPair:
    """Distance and closest points of two shapes from those of their cores."""
    distance, p, q = told_pair(closest, a.radius, b.radius)
    return MeasuredPair(distance, in_world(place_b, p), in_world(place_b, q), closest.steps)


@kernel
def place_of(row: Array, origin: Vec3) -> Place:
    """Read where a body is when a piece of its motion starts."""
    rotation, position, lever = rotation_of(row), position_of(row), sub(origin, center_of(row))
    return Place(rotation, position, mat_vec(rotation, lever))


@kernel
def frame_of(a: Place, b: Place) -> RelativePose:
    """Where a is, as seen from b."""
    back = transposed(b.rotation)
    apart = add(sub(a.position, b.position), sub(a.arm, b.arm))
    return RelativePose(mat_mul(back, a.rotation), mat_vec(back, apart))


@kernel
def in_world(place: Place, point: Vec3) -> Vec3:
    """Return a point of a body, seen from its origin, as seen in the world."""
    return add(place.position, add(place.arm, mat_vec(place.rotation, point)))
