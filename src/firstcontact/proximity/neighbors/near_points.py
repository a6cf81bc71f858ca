"""All points within a radius of each point: counted, then listed.

Points go cell by cell. What is in the nine rows of three cells around one is copied side by side, in chunks,
and measured from each point of the cell in straight loops, which the compiler makes vectors of. Both times
the same code says who is near: there is room for exactly those.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import INFINITY, Array, Ids, Keys
from firstcontact.proximity.neighbors.point_cells import PointCells, Strides, cells_of
from firstcontact.proximity.neighbors.within_radius import Radius, as_radius, is_within
from firstcontact.scalar.expansion import FACTORS
from firstcontact.scalar.vec3 import Vec3

# Points that are measured in one go: they stay in the processor's cache; and a part of a vector loop.
CHUNK, BLOCK = 4096, 16

# Points that should share what is copied around them, cells along x together where they have less.
WORTH_LOADING = 8

ROWS = 9  # of three cells each, around a cell
LOWER, UPPER = 0, 1  # ends of a span of cells, or of points

# Numbers of points that are none: of no point, and behind those of all.
NOBODY, LAST_ID = -1, 2**31 - 1

WORTH_A_THREAD = 1 << 11


class Lists(NamedTuple):
    """What was found, for each point; its list has room from its start on.

    counts : (n,) int64, how many are on its list by now
    starts : (n + 1,) int64; none while they are counted
    ids, distances : who they are, int32, and how far away; no room where distances are not asked for
    total : (1,) int64, about as many as were counted by all threads
    """

    counts: Keys
    starts: Keys
    ids: Ids
    distances: Array
    total: Keys


class Chunk(NamedTuple):
    """Points around a cell, and memory to work in.

    x, y, z, ids : (CHUNK,) each
    squares : (CHUNK,), of the distances from one point
    picked, near_ids, ranks : (CHUNK,) int32, those near it: places in the chunk, numbers, places in its list
    room : for an expansion
    """

    x: Array
    y: Array
    z: Array
    ids: Ids
    squares: Array
    picked: Ids
    near_ids: Ids
    ranks: Ids
    room: Array


class Task(NamedTuple):
    """Who is near whom.

    points, others, is_one_set : in cells; whether both are the same
    strides, n_along : how cells lie; as many of them along x are looked at in one go
    radius, most : what is near; how many pairs are too many
    """

    points: PointCells
    others: PointCells
    is_one_set: bool
    strides: Strides
    n_along: int
    radius: Radius
    most: int


class Near(NamedTuple):
    """Who is near each point: `ids[starts[i] : starts[i + 1]]`, increasing, and how far away if asked for."""

    starts: Keys
    ids: Ids
    distances: Array


def near_points(
    points: Array, others: Array | None, radius: float, has_distances: bool, most: int
) -> Near | None:
    """List who of the others, or of the same points, is near each point; None where they are more than most.

    Parameters
    ----------
    points, others : (n, 3) and (m, 3)
    """
    n = len(points)
    if n == 0 or (others is not None and len(others) == 0):
        return Near(np.zeros(n + 1, np.int64), np.empty(0, np.int32), np.empty(0))
    sets, strides = cells_of((points,) if others is None else (points, others), radius)
    n_itself = 1 if others is None else 0  # counted, and not listed
    n_along = max(1, round(WORTH_LOADING * len(sets[0].keys) / n))
    limits = as_radius(radius), most + n * n_itself
    task = Task(sets[0], sets[-1], others is None, strides, n_along, *limits)
    counts, nothing = np.zeros(n, np.int64), np.empty(0)
    counting = Lists(counts, np.empty(0, np.int64), np.empty(0, np.int32), nothing, np.zeros(1, np.int64))
    on_ranges(lambda first, last: _search(task, counting, first, last), n, WORTH_A_THREAD)
    if counting.total[0] > task.most or counts.sum() > task.most:
        return None
    counts -= n_itself
    starts = np.zeros(n + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    ids, distances = np.empty(starts[-1], np.int32), np.empty(starts[-1]) if has_distances else nothing
    counts[:] = 0
    listing = Lists(counts, starts, ids, distances, np.zeros(1, np.int64))
    on_ranges(lambda first, last: _search(task, listing, first, last), n, WORTH_A_THREAD)
    return Near(starts, ids, distances)


@driver
def _search(task: Task, lists: Lists, first: int, last: int) -> None:
    """Count or list who is near the points [first, last), in the order of their cells."""
    keys, starts, total = task.points.keys, task.points.starts, lists.total
    chunk, cells = _make_chunk(), np.empty((ROWS, 2), np.int64)
    spans = np.empty((ROWS, 2), np.int64)
    cell = _place(starts, first + 1) - 1
    for row in range(ROWS):
        middle = keys[cell] + _offset(task.strides, row)
        cells[row, LOWER] = _place(task.others.keys, middle - 1)
        cells[row, UPPER] = _place(task.others.keys, middle + 2)
    begin = first
    while begin < last and total[0] <= task.most:
        # Cells of one row alone: what is around them is in nine rows, and none is in two of these.
        beyond = min(keys[cell] + task.n_along, (keys[cell] // task.strides.y + 1) * task.strides.y)
        next_cell = cell + 1
        while next_cell < len(keys) and keys[next_cell] < beyond:
            next_cell += 1
        end = min(starts[next_cell], last)
        _set_spans(task, (keys[cell], keys[next_cell - 1]), cells, spans)
        n, n_chunks = _load(task.others, spans, chunk), 0
        while n > 0:
            n_chunks += 1
            _look(task, lists, chunk, n, (begin, end))
            n = _load(task.others, spans, chunk)
        if n_chunks > 1:
            _sort_lists(task, lists, begin, end)
        begin, cell = end, next_cell


@kernel
def _offset(strides: Strides, row: int) -> int:
    """What a key grows by from a cell to the middle of a row beside it."""
    return (row % 3 - 1) * strides.y + (row // 3 - 1) * strides.z


@kernel
def _make_chunk() -> Chunk:
    x, y, z, squares = np.empty(CHUNK), np.empty(CHUNK), np.empty(CHUNK), np.empty(CHUNK)
    ids, picked = np.empty(CHUNK, np.int32), np.empty(CHUNK, np.int32)
    near_ids, ranks = np.empty(CHUNK, np.int32), np.empty(CHUNK, np.int32)
    return Chunk(x, y, z, ids, squares, picked, near_ids, ranks, np.empty(FACTORS))


@kernel
def _place(sorted_numbers: Keys, number: int) -> int:
    """Find the place of the first that is at least this number."""
    low, high = 0, len(sorted_numbers)
    while low < high:
        middle = (low + high) // 2
        if sorted_numbers[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _set_spans(task: Task, ends: tuple[int, int], cells: Keys, spans: Keys) -> None:
    """Find the points in the rows around some cells, from where the rows around those before them were."""
    keys, starts = task.others.keys, task.others.starts
    for row in range(ROWS):
        offset = _offset(task.strides, row)
        for side in range(2):
            cell, limit = cells[row, side], offset + (ends[1] + 2 if side else ends[0] - 1)
            while cell < len(keys) and keys[cell] < limit:
                cell += 1
            cells[row, side] = cell
            spans[row, side] = starts[cell]


@kernel
def _load(others: PointCells, spans: Keys, chunk: Chunk) -> int:
    """Copy points of the spans, as many as there is room for, and take them off; fill up a block.

    Returns how many there are in whole blocks; what fills them up is at no place.
    """
    xs, ys, zs, ids, order = chunk.x, chunk.y, chunk.z, chunk.ids, others.order
    sx, sy, sz = others.places[0], others.places[1], others.places[2]
    n = 0
    for row in range(ROWS):
        first = spans[row, LOWER]
        count = min(spans[row, UPPER] - first, CHUNK - n)
        # Unsigned: what may be negative counts from the end, and that would be looked at each time.
        at, to = np.uint64(first), np.uint64(n)
        for k in range(np.uint64(count)):
            xs[to + k] = sx[at + k]
            ys[to + k] = sy[at + k]
            zs[to + k] = sz[at + k]
            ids[to + k] = order[at + k]
        spans[row, LOWER] = first + count
        n += count
    whole = (n + BLOCK - 1) // BLOCK * BLOCK
    for k in range(n, whole):
        xs[k] = ys[k] = zs[k] = INFINITY
        ids[k] = NOBODY
    return whole


@kernel
def _look(task: Task, lists: Lists, chunk: Chunk, n: int, points: tuple[int, int]) -> None:
    """Count or list those of a chunk that are near each of the points of a cell.

    Plain arrays are handed on for each point: a tuple of them would take longer than to look at the point.
    """
    places, order, radius, total = task.points.places, task.points.order, task.radius, lists.total
    counts, starts, ids, distances = lists.counts, lists.starts, lists.ids, lists.distances
    x, y, z, squares, picked = chunk.x, chunk.y, chunk.z, chunk.squares, chunk.picked
    near_ids, ranks = chunk.near_ids, chunk.ranks
    for i in range(points[0], points[1]):
        own, p = order[i], (places[0, i], places[1, i], places[2, i])
        n_sure, n_near = _measure(x, y, z, squares, n, p, radius)
        if n_sure < n_near:
            n_near = _decide(chunk, n, p, radius)
        if len(starts) == 0:
            counts[own] += n_near
            total[0] += n_near
            if total[0] > task.most:
                return
            continue
        n_near = _pick(squares, chunk.ids, picked, near_ids, n, radius.most)
        n_near = _without(own if task.is_one_set else NOBODY, near_ids, picked, n_near)
        _rank(near_ids, n_near, ranks)
        first = starts[own] + counts[own]
        for k in range(n_near):
            ids[first + ranks[k]] = near_ids[k]
        if len(distances) > 0:
            for k in range(n_near):
                distances[first + ranks[k]] = min(sqrt(squares[picked[k]]), radius.radius)
        counts[own] += n_near


@kernel
def _measure(
    x: Array, y: Array, z: Array, squares: Array, n: int, p: Vec3, radius: Radius
) -> tuple[int, int]:
    """Measure a chunk from a point, and count who is near for sure, and who may be."""
    n_sure = n_most = 0
    for k in range(n):
        dx, dy, dz = x[k] - p[0], y[k] - p[1], z[k] - p[2]
        square = dx * dx + dy * dy + dz * dz
        squares[k] = square
        n_sure += square <= radius.sure
        n_most += square <= radius.most
    return n_sure, n_most


@kernel
def _decide(chunk: Chunk, n: int, p: Vec3, radius: Radius) -> int:
    """Put those far away that are not near by a hair, and count who is near."""
    n_near = 0
    for k in range(n):
        if radius.sure < chunk.squares[k] <= radius.most:
            q = chunk.x[k], chunk.y[k], chunk.z[k]
            if not is_within(q, p, radius.radius, chunk.room):
                chunk.squares[k] = INFINITY
        n_near += chunk.squares[k] <= radius.most
    return n_near


@kernel
def _pick(squares: Array, ids: Ids, picked: Ids, near_ids: Ids, n: int, most: float) -> int:
    """Put those side by side that are near; without branches, which nobody could foresee."""
    to = np.uint64(0)
    for k in range(n):
        picked[to] = k
        to += np.uint64(squares[k] <= most)
    n_near = int(np.int64(to))
    for k in range(n_near):
        near_ids[k] = ids[picked[k]]
    return n_near


@kernel
def _without(own: int, near_ids: Ids, picked: Ids, n: int) -> int:
    """Take a point off those near it."""
    kept = 0
    for k in range(n):
        near_ids[kept], picked[kept] = near_ids[k], picked[k]
        kept += near_ids[k] != own
    return kept


@kernel
def _rank(near_ids: Ids, n: int, ranks: Ids) -> None:
    """Find how many of some different numbers are smaller than each: for few, faster than to sort them."""
    whole = (n + BLOCK - 1) // BLOCK * BLOCK
    for k in range(n, whole):
        near_ids[k] = LAST_ID
    for i in range(n):
        own, rank = near_ids[i], np.int32(0)
        for k in range(whole):
            rank += np.int32(near_ids[k] < own)
        ranks[i] = rank


@kernel
def _sort_lists(task: Task, lists: Lists, begin: int, end: int) -> None:
    """Sort lists that were written in several chunks, each of them sorted."""
    if len(lists.starts) > 0:
        for i in range(begin, end):
            own = task.points.order[i]
            _sort(lists.ids, lists.distances, lists.starts[own], lists.starts[own + 1])


@kernel
def _sort(ids: Ids, distances: Array, first: int, last: int) -> None:
    """Sort a list by its numbers, distances with them if there are any: a heap."""
    n = last - first
    for turn in range(n // 2 + max(n - 1, 0)):
        # The first half of all turns make a heap; each other takes its largest off.
        parent, size = n // 2 - 1 - turn, n
        if turn >= n // 2:
            parent, size = 0, n - 1 - (turn - n // 2)
            _swap(ids, distances, first, first + size)
        child = 2 * parent + 1
        while child < size:
            if child + 1 < size and ids[first + child] < ids[first + child + 1]:
                child += 1
            if ids[first + parent] >= ids[first + child]:
                break
            _swap(ids, distances, first + parent, first + child)
            parent, child = child, 2 * child + 1


@kernel
def _swap(ids: Ids, distances: Array, i: int, j: int) -> None:
    ids[i], ids[j] = ids[j], ids[i]
    if len(distances) > 0:
        distances[i], distances[j] = distances[j], distances[i]
