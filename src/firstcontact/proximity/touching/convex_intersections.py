"""Which pairs of convex shapes at rest have a common point?"""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array
from firstcontact.bodies.convex_side import Side
from firstcontact.motions.relative_motion import MEASURED, OFFSET
from firstcontact.motions.rigid_motion import CENTER, POSITION
from firstcontact.motions.short_rows import is_resting
from firstcontact.narrowphase.convex.separating_axis_convex import AxisGap, gap_convex_convex
from firstcontact.proximity.distance.convex_distance import frame_of, place_of
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.vec3 import Vec3, norm, scale, sub
from firstcontact.shapes.convex import Convex, convex_at, origin_at
from firstcontact.shapes.packed_convex import records_in

# Pairs that pass directions on to each other, and how many times that is worth a thread. The blocks are the
# same for any number of threads, and so are the answers.
BLOCK = 64
WORTH_A_THREAD = 128


def convex_intersections(a: Side, b: Side) -> NDArray[np.bool_]:
    """Whether the shapes of each pair have a common point at t = 0, (n,).

    Never False where they have; True also where rounding hides the gap.
    """
    n = len(a.shape_ids)
    touches = np.empty(n, np.bool_)

    def task(first: int, last: int) -> None:
        _mark_range(a, b, touches, first * BLOCK, min(last * BLOCK, n))

    on_ranges(task, (n + BLOCK - 1) // BLOCK, WORTH_A_THREAD)
    return touches


@driver
def touch_convexes(packed_a: Array, rows_a: Array, packed_b: Array, rows_b: Array) -> int:
    """Answer for a single pair, 1 or 0; -1 where they move."""
    if not (is_resting(rows_a) and is_resting(rows_b)):
        return -1
    return 0 if gap_at_rest(packed_a, rows_a, packed_b, rows_b, (0.0, 0.0, 0.0)).width > 0.0 else 1


@kernel
def gap_at_rest(packed_a: Array, rows_a: Array, packed_b: Array, rows_b: Array, guess: Vec3) -> AxisGap:
    """Find a gap of a single pair; along the guess first, or from origin to origin where that is zero."""
    records_a, records_b = records_in(packed_a), records_in(packed_b)
    zero = int(np.int64(0))  # not a plain zero: functions are compiled for a constant argument apart
    a, b = convex_at(records_a, zero), convex_at(records_b, zero)
    origin_a, origin_b = origin_at(records_a, zero), origin_at(records_b, zero)
    frame = frame_of(place_of(rows_a, origin_a), place_of(rows_b, origin_b))
    rounding = (
        near_rounding(a, b, frame.offset) + far_rounding(rows_a, origin_a) + far_rounding(rows_b, origin_b)
    )
    if guess == (0.0, 0.0, 0.0):
        guess = scale(-1.0, frame.offset)
    return gap_convex_convex(a, b, packed_a, packed_b, frame, guess, rounding)


@driver
def _mark_range(a: Side, b: Side, touches: NDArray[np.bool_], first: int, last: int) -> None:
    records_a, pool_a, rows_a, shapes_a, ids_a = a.table.records, a.table.pool, a.rows, a.shape_ids, a.row_ids
    records_b, pool_b, rows_b, shapes_b, ids_b = b.table.records, b.table.pool, b.rows, b.shape_ids, b.row_ids
    axis, width, place = (0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 0.0)
    for k in range(first, last):
        i, j = int(np.int64(shapes_a[k])), int(np.int64(shapes_b[k]))
        shape_a, shape_b = convex_at(records_a, i), convex_at(records_b, j)
        row_a, row_b = rows_a[ids_a[k], 0], rows_b[ids_b[k], 0]
        origin_a, origin_b = origin_at(records_a, i), origin_at(records_b, j)
        frame = frame_of(place_of(row_a, origin_a), place_of(row_b, origin_b))
        offset = frame.offset
        rounding = (
            near_rounding(shape_a, shape_b, offset)
            + far_rounding(row_a, origin_a)
            + far_rounding(row_b, origin_b)
        )
        # Where the gap was wider than the way from the last place to this, it may still be there.
        is_near = k % BLOCK > 0 and norm(sub(offset, place)) < width
        guess = axis if is_near else scale(-1.0, offset)
        gap = gap_convex_convex(shape_a, shape_b, pool_a, pool_b, frame, guess, rounding)
        touches[k] = not gap.width > 0.0
        axis, width, place = gap.direction, gap.width, offset


@kernel
def near_rounding(a: Convex, b: Convex, offset: Vec3) -> float:
    """What rounding may do to a length measured between two shapes."""
    error: float = MEASURED * (norm(offset) + a.reach + a.radius + b.reach + b.radius)
    return error


@kernel
def far_rounding(row: Array, origin: Vec3) -> float:
    """What rounding may do to the place of a body, far from the origin."""
    far = abs(row[POSITION]) + abs(row[POSITION + 1]) + abs(row[POSITION + 2])
    far += 2.0 * (abs(row[CENTER]) + abs(row[CENTER + 1]) + abs(row[CENTER + 2]))
    far += abs(origin[0]) + abs(origin[1]) + abs(origin[2])
    error: float = OFFSET * far + SHORTEST
    return error
