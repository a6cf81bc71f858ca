"""First contacts of convex bodies in one pass: from pairs of boxes that overlap to those that touch.

Each pair is looked at once: do the corridors of both meet at the same time, and if so, do the two touch? Only
what touches is written down. It is the same kernel as of pairs asked by themselves, with the same options, so
its answers are the same bits.
"""

from math import frexp, ldexp
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.advancement.arrival import CONTACT, N_COUNTS, SEPARATED, Arrival, told_status
from firstcontact.advancement.ask import RELATIVE_TOLERANCE, Ask
from firstcontact.advancement.goal import BodyExtent, Options, goal_of
from firstcontact.arrays import Array, Flags, Keys
from firstcontact.bounds.body_bounds import BEND
from firstcontact.hierarchy.pair_key import HALF
from firstcontact.motions.rigid_motion import DEVIATION, N_COLUMNS, START_TIME, pose_at
from firstcontact.queries.kinds.rigid import MAX_ITERATIONS
from firstcontact.rigid.convex.convex_first import advance_convexes
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Vec3, add
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.body_rows import CONVEX
from firstcontact.scene.entry_times import entry_time
from firstcontact.scene.kept_directions import NO_DIRECTIONS, Directions, Posed, are_kept_apart
from firstcontact.scene.pose_pairs import vector_at, write_row_between
from firstcontact.shapes.convex import ConvexTable, convex_at, origin_at

Pairs = NDArray[np.int32]
T = TypeVar("T", bound=np.generic)

# Pairs from which several threads are worth their start.
WORTH_A_THREAD = 1024

# Columns of what is found of a pair that touches.
TIME = 0
POINT = 1  # three: in the middle between the closest points of both
NORMAL = 4  # three
N_FOUND = 7

# The tolerance where each pair has that of its sizes.
BY_SIZES = -1.0


class Crowded(NamedTuple):
    """What is known of all bodies, as `Columns` has it, by how much each is widened, and what is asked."""

    kinds: NDArray[np.int8]
    shape_ids: NDArray[np.int32]
    sizes: Array
    centers: Array
    is_written: Flags
    pieces: Array
    poses: Array
    corridors: Array
    margins: Array
    table: ConvexTable
    options: Options


# Room for pairs that touch, their status and numbers, and for the others, as `Met` has them; and for those
# that are apart, and along what.
Written = tuple[Pairs, NDArray[np.int8], Array, Pairs, Keys, Array]


class Met(NamedTuple):
    """What was found of pairs of convex bodies.

    pairs, status, numbers : (k, 2) rows, (k,) and (k, N_FOUND), of those that touch, in the order of pairs
    others : (j, 2), those whose boxes meet, and which are to be solved in another way
    n_due : how many have corridors that meet, those others among them
    apart : those among these that are apart, and along what
    """

    pairs: Pairs
    status: NDArray[np.int8]
    numbers: Array
    others: Pairs
    n_due: int
    apart: Directions


def convex_frame(
    bodies: Bodies, margins: Array, pairs: Pairs, ask: Ask, before: Directions = NO_DIRECTIONS
) -> Met:
    """Find the first contacts of pairs (m, 2) of rows, as far as they are convex and in one piece each.

    before : directions that kept pairs apart, to be tried first
    """
    known, m = _crowded(bodies, margins, ask), len(pairs)
    found = np.empty((m, 2), np.int32), np.empty(m, np.int8), np.empty((m, N_FOUND)), np.empty_like(pairs)
    written = *found, np.empty(m, np.int64), np.empty((m, 3))
    if m < 2 * WORTH_A_THREAD:
        return _joined(written, [(0, *_meet(pairs, known, before, written, 0))])
    parts: list[tuple[int, int, int, int, int]] = []

    def task(first: int, last: int) -> None:
        parts.append((first, *_meet(pairs[first:last], known, before, written, first)))

    on_ranges(task, m, WORTH_A_THREAD)
    return _joined(written, sorted(parts))


def first_times(bodies: Bodies, pairs: Pairs, bounds: Array, ask: Ask, latest: float) -> tuple[Array, int]:
    """Times (m,) of the first contacts of pairs, which have these lower bounds, ascending; inf for none.

    One that cannot be before the latest time, nor before all that come earlier in the list, may be left out:
    inf. NaN of pairs that are not both convex and in one piece: they are left to others. Also returns how
    many were searched.
    """
    times, searched = np.empty(len(pairs)), []
    known = _crowded(bodies, bounds, ask)

    def task(first: int, last: int) -> None:
        part = slice(first, last)
        searched.append(_write_times(pairs[part], bounds[part], known, latest, times[part]))

    on_ranges(task, len(pairs), WORTH_A_THREAD)
    return times, sum(searched)


def _crowded(bodies: Bodies, margins: Array, ask: Ask) -> Crowded:
    c, tolerance = bodies.columns, BY_SIZES if ask.tolerance is None else ask.tolerance
    poses = c.centers, c.is_written, c.pieces, c.poses
    options = Options(tolerance, ask.min_separation, MAX_ITERATIONS)
    return Crowded(c.kinds, c.shape_ids, c.sizes, *poses, c.corridors, margins, bodies.table(), options)


def _joined(written: Written, parts: list[tuple[int, int, int, int, int]]) -> Met:
    """Put what parts have found one behind the other."""
    pairs, status, numbers, left, keys, directions = written
    if len(parts) == 1:
        _, n, n_left, n_due, n_apart = parts[0]
        apart = Directions(keys[:n_apart], directions[:n_apart])
        return Met(pairs[:n], status[:n], numbers[:n], left[:n_left], n_due, apart)
    hits = [slice(part[0], part[0] + part[1]) for part in parts]
    others = [slice(part[0], part[0] + part[2]) for part in parts]
    kept = [slice(part[0], part[0] + part[4]) for part in parts]
    return Met(
        _all_of(pairs, hits),
        _all_of(status, hits),
        _all_of(numbers, hits),
        _all_of(left, others),
        sum(part[3] for part in parts),
        Directions(_all_of(keys, kept), _all_of(directions, kept)),
    )


def _all_of(array: NDArray[T], parts: list[slice]) -> NDArray[T]:
    return np.concatenate([array[part] for part in parts])


@driver
def _meet(
    pairs: Pairs,
    known: Crowded,
    before: Directions,
    written: Written,
    first: int,
) -> tuple[int, int, int, int]:
    """Write what touches, is left to others, and is apart, from a place on; count these, and all that is due.

    Counts are those of what touches, of others, of what is due, and of what is apart.
    """
    corridors, margins = known.corridors, known.margins
    found, status, numbers, others, keys, directions = written
    counts, room = np.zeros(N_COUNTS, np.int64), np.empty((2, N_COLUMNS))
    row_a, row_b = room[0], room[1]
    n_hits = n_left = n_due = n_apart = n_before = 0
    if len(pairs) > 0:
        n_before = int(np.searchsorted(before.keys, np.int64(pairs[0, 0]) << HALF | np.int64(pairs[0, 1])))
    for k in range(len(pairs)):
        i, j = int(np.int64(pairs[k, 0])), int(np.int64(pairs[k, 1]))
        if not entry_time(corridors[i], corridors[j], margins[i] + margins[j]) <= 1.0:
            continue
        n_due, key = n_due + 1, i << HALF | j
        while n_before < len(before.keys) and before.keys[n_before] < key:
            n_before += 1
        if n_before < len(before.keys) and before.keys[n_before] == key:
            direction = vector_at(before.directions, n_before)
            if _is_kept_apart(known, i, j, direction):
                _keep(keys, directions, first + n_apart, key, direction)
                n_apart += 1
                continue
        if not (_is_plain(known, i, row_a) and _is_plain(known, j, row_b)):
            others[first + n_left, 0], others[first + n_left, 1] = i, j
            n_left += 1
            continue
        arrival, lever = _look(known, i, j, row_a, row_b, counts)
        if arrival.status == SEPARATED:
            _keep(keys, directions, first + n_apart, key, arrival.normal)
            n_apart += 1
            continue
        at = first + n_hits
        found[at, 0], found[at, 1] = i, j
        status[at], numbers[at, TIME] = told_status(arrival.status, arrival.time), arrival.time
        for axis in range(3):
            numbers[at, POINT + axis] = numbers[at, NORMAL + axis] = np.nan
        if arrival.status == CONTACT:
            turned, place = pose_at(row_b, arrival.time)
            p = mat_vec(turned, add(lever, arrival.point_a))
            q = mat_vec(turned, add(lever, arrival.point_b))
            n = mat_vec(turned, arrival.normal)
            for axis in range(3):
                numbers[at, POINT + axis] = ((place[axis] + p[axis]) + (place[axis] + q[axis])) / 2.0
                numbers[at, NORMAL + axis] = n[axis]
        n_hits += 1
    return n_hits, n_left, n_due, n_apart


@kernel
def _keep(keys: Keys, directions: Array, at: int, key: int, direction: Vec3) -> None:
    """Write a direction that kept a pair apart."""
    keys[at] = key
    directions[at, 0], directions[at, 1], directions[at, 2] = direction


@kernel
def _is_kept_apart(known: Crowded, i: int, j: int, direction: Vec3) -> bool:
    """Does a direction prove that two convex bodies, which go from pose to pose, stay apart?"""
    if known.is_written[i] or known.is_written[j] or known.kinds[i] != CONVEX or known.kinds[j] != CONVEX:
        return False
    a, b = _posed(known, i), _posed(known, j)
    tolerance = _tolerance(known.options.tolerance, known.sizes[i], known.sizes[j])
    return are_kept_apart(a, b, known.table.pool, direction, known.options.min_separation, tolerance)


@kernel
def _posed(known: Crowded, i: int) -> Posed:
    one, records = int(np.int64(known.shape_ids[i])), known.table.records
    center, bend = vector_at(known.centers, i), known.corridors[i, BEND]
    return Posed(convex_at(records, one), origin_at(records, one), center, known.poses[i], bend)


@driver
def _write_times(
    pairs: Pairs,
    bounds: Array,
    known: Crowded,
    latest: float,
    times: Array,
) -> int:
    """Write the times of pairs as far as they may be the earliest; return how many were searched."""
    counts, room = np.zeros(N_COUNTS, np.int64), np.empty((2, N_COLUMNS))
    row_a, row_b, n = room[0], room[1], 0
    for k in range(len(pairs)):
        i, j = int(np.int64(pairs[k, 0])), int(np.int64(pairs[k, 1]))
        times[k] = np.inf
        if bounds[k] >= latest:
            continue
        if not (_is_plain(known, i, row_a) and _is_plain(known, j, row_b)):
            times[k] = np.nan
            continue
        arrival, _ = _look(known, i, j, row_a, row_b, counts)
        n += 1
        if arrival.status != SEPARATED:
            times[k] = arrival.time
            latest = min(latest, arrival.time)
    return n


@kernel
def _is_plain(known: Crowded, i: int, row: Array) -> bool:
    """Is a body convex, and its motion a piece that it does not deviate from? Then read or make its row."""
    if known.kinds[i] != CONVEX:
        return False
    if known.is_written[i]:
        for k in range(N_COLUMNS):
            row[k] = known.pieces[i, k]
    else:
        write_row_between(known.poses[i], vector_at(known.centers, i), row)
    return bool(row[DEVIATION] == 0.0)


@kernel
def _look(
    known: Crowded,
    i: int,
    j: int,
    row_a: Array,
    row_b: Array,
    counts: NDArray[np.int64],
) -> tuple[Arrival, Vec3]:
    """Search for the first contact of two convex bodies; where it arrives, and from where b is described."""
    sizes, options, (records, pool) = known.sizes, known.options, known.table
    own = Options(
        _tolerance(options.tolerance, sizes[i], sizes[j]),
        options.min_separation,
        options.max_iterations,
        options.method,
        options.is_first,
    )
    one, other = int(np.int64(known.shape_ids[i])), int(np.int64(known.shape_ids[j]))
    shape_a, shape_b = convex_at(records, one), convex_at(records, other)
    extent_a = BodyExtent(origin_at(records, one), shape_a.reach, shape_a.radius)
    extent_b = BodyExtent(origin_at(records, other), shape_b.reach, shape_b.radius)
    start = max(row_a[START_TIME], row_b[START_TIME])
    motion, goal = goal_of(extent_a, extent_b, row_a, row_b, own, start)
    arrival = advance_convexes(shape_a, shape_b, pool, pool, motion, goal, counts)
    return arrival, motion.spin_b.lever


@kernel
def _tolerance(given: float, size_a: float, size_b: float) -> float:
    """Tolerance of a pair, as `Ask.tolerances` has it."""
    if given >= 0.0:
        return given
    smaller, larger = min(size_a, size_b), max(size_a, size_b)
    mantissa, exponent = frexp(RELATIVE_TOLERANCE * (smaller if smaller > 0.0 else larger))
    return ldexp(0.5, exponent) if mantissa > 0.0 else 0.0
