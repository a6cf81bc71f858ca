"""Convex shapes as compiled code sees them: all points within a radius of a core.

A core is a point, a segment, a box, a cylinder, an ellipsoid, a cone or the hull of points. Numbers describe
all but the last; the points of hulls are in a pool, one array of floats for any number of shapes.

The farthest point of a large hull along a direction is found among a few. All directions are sorted into the
cells of a cube around the origin, and each cell has a list of all points that are farthest along one of its
directions: those that no other point beats along every corner of the cell. So a query takes the same time for
any number of points, and its answer is that of a look at all of them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.vec3 import Vec3

Ids = NDArray[np.int64]

POINT, SEGMENT, BOX, CYLINDER, ELLIPSOID, HULL, CONE = range(7)

# Columns of an array of shapes.
KIND = 0
HALF = 1  # three: half the size along each axis, of the box around the core
RADIUS = 4
REACH = 5  # no point of the core is farther from the origin
FIRST = 6  # where in the pool a hull's list or cells begin
COUNT = 7  # points of a hull
CELLS = 8  # cells along a side of the cube; 0: there is only the list of all points
ORIGIN = 9  # three: the point of the shape from which all is counted
N_COLUMNS = 12

# Hulls of more points have cells: to look at this many takes as long as to find a cell's own.
LISTED = 24

# Cells are wider than they are by this, in units of the cube: a direction close to a border may be taken for
# one beyond it, by rounding.
BORDER = 2.0**-40


class Convex(NamedTuple):
    """A convex shape, all in numbers, as seen from its origin; hulls have their points in a pool.

    half : half the size along each axis; a segment lies along the third, a cylinder or a cone stands on it
    reach : no point of the core is farther from the origin
    first, n_points, n_cells : where in the pool its points or cells begin, and how many there are
    """

    kind: int
    half: Vec3
    radius: float
    reach: float
    first: int
    n_points: int
    n_cells: int


class ConvexTable(NamedTuple):
    """Any number of convex shapes: (n, N_COLUMNS) float64, and the pool of their points, (k,) float64."""

    records: Array
    pool: Array


@kernel
def convex_at(records: Array, i: int) -> Convex:
    """Read one of an array of shapes."""
    row = records[i]
    half, first, count = (row[HALF], row[HALF + 1], row[HALF + 2]), int(row[FIRST]), int(row[COUNT])
    return Convex(int(row[KIND]), half, row[RADIUS], row[REACH], first, count, int(row[CELLS]))


@kernel
def origin_at(records: Array, i: int) -> Vec3:
    """Point of a shape from which all is counted."""
    return records[i, ORIGIN], records[i, ORIGIN + 1], records[i, ORIGIN + 2]


def simple_table(kind: int, half: tuple[float, float, float], radius: float, reach: float) -> ConvexTable:
    """A shape without points, around its origin."""
    record = np.zeros((1, N_COLUMNS))
    record[0, KIND], record[0, HALF:RADIUS], record[0, RADIUS], record[0, REACH] = kind, half, radius, reach
    return ConvexTable(record, np.empty(0))


def hull_table(points: Array) -> ConvexTable:
    """Hull of points (n, 3), counted from the middle of their box."""
    origin = 0.5 * (points.min(axis=0) + points.max(axis=0))
    local = np.ascontiguousarray(points - origin)
    record = np.zeros((1, N_COLUMNS))
    record[0, KIND], record[0, COUNT], record[0, ORIGIN:] = HULL, len(points), origin
    record[0, HALF:RADIUS] = np.abs(local).max(axis=0)
    # A few roundings more than the longest, which is what its own computation may have lost.
    record[0, REACH] = np.nextafter(np.sqrt(np.einsum("ij,ij->i", local, local).max()), np.inf)
    if len(points) <= LISTED:
        return ConvexTable(record, local.reshape(-1))
    n_cells = 1
    while 12 * n_cells * n_cells < len(points):
        n_cells *= 2
    record[0, CELLS] = n_cells
    return ConvexTable(record, _pool_of(local, n_cells))


def has_faces(record: Array) -> bool:
    """Is this, a record or a shape in one array, a hull that is not rounded: is its surface its mesh?"""
    return bool(record[KIND] == HULL and record[RADIUS] == 0.0)


def joined(tables: list[ConvexTable]) -> ConvexTable:
    """All shapes of some tables in one, in their order."""
    records = np.concatenate([table.records for table in tables])
    starts = np.concatenate([[0], np.cumsum([len(table.pool) for table in tables])[:-1]])
    records[:, FIRST] += np.repeat(starts, [len(table.records) for table in tables])
    return ConvexTable(records, np.concatenate([table.pool for table in tables]))


def _pool_of(points: Array, n_cells: int) -> Array:
    """Where the list of each cell begins, and where the last ends, from the pool's start; the lists."""
    offsets, ids = np.array([len(points) * i for i in range(7)]), np.tile(np.arange(len(points)), 6)
    cells = 1
    while True:
        lengths = np.zeros(6 * cells * cells + 1, np.int64)
        capacity = 4 * len(ids) + 64 if cells > 1 else len(ids)
        kept = np.empty(capacity, np.int64)
        n = _thin(points, offsets, ids, cells, lengths, kept)
        offsets, ids = np.cumsum(lengths), kept[:n].copy()
        if cells == n_cells:
            break
        cells *= 2
    table = offsets * 3 + len(offsets)
    return np.concatenate([table.astype(np.float64), points[ids].reshape(-1)])


@driver
def _thin(points: Array, offsets: Ids, ids: Ids, cells: int, lengths: Ids, kept: Ids) -> int:
    """List what may be farthest in each cell, from the lists of cells twice as wide; return their length."""
    wide = max(cells // 2, 1)
    n = 0
    corners, best = np.empty((5, 3)), np.empty(5, np.int64)
    for cell in range(6 * cells * cells):
        side, u, v = cell // (cells * cells), cell // cells % cells, cell % cells
        parent = (side * wide + u * wide // cells) * wide + v * wide // cells
        own = ids[offsets[parent] : offsets[parent + 1]]
        for k in range(5):
            # The four corners, and the middle.
            at_u, at_v = (k & 1, k >> 1) if k < 4 else (0.5, 0.5)
            _write_direction(side, _edge(u, at_u, cells), _edge(v, at_v, cells), corners[k])
        for k in range(5):
            best[k] = _farthest(points, own, corners[k])
        first = n
        for i in own:
            if _may_win(points, i, best, corners):
                kept[n] = i
                n += 1
        lengths[cell + 1] = n - first
    return n


@kernel
def _edge(i: int, at: float, cells: int) -> float:
    """Place of a cell's lower (0) or upper (1) border, or its middle, in [-1, 1]; the borders widened."""
    return 2.0 * (i + at) / cells - 1.0 + (2.0 * at - 1.0) * BORDER


@kernel
def _write_direction(side: int, u: float, v: float, direction: Array) -> None:
    axis = side >> 1
    direction[axis] = 1.0 if side & 1 == 0 else -1.0
    direction[(axis + 1) % 3], direction[(axis + 2) % 3] = u, v


@kernel
def _farthest(points: Array, own: Ids, d: Array) -> int:
    best, farthest = int(own[0]), -np.inf
    for i in own:
        along = points[i, 0] * d[0] + points[i, 1] * d[1] + points[i, 2] * d[2]
        if along > farthest:
            best, farthest = int(i), along
    return best


@kernel
def _may_win(points: Array, i: int, best: Ids, corners: Array) -> bool:
    """May a point be farthest in a cell? Not if one of the best is farther along each of its corners."""
    for j in best:
        if i == j:
            return True
    for j in best:
        x, y, z = points[i, 0] - points[j, 0], points[i, 1] - points[j, 1], points[i, 2] - points[j, 2]
        size = 8.0 * UNIT_ROUNDOFF * (abs(x) + abs(y) + abs(z))  # rounding of the sums below
        is_beaten = True
        for k in range(4):
            if not x * corners[k, 0] + y * corners[k, 1] + z * corners[k, 2] < -size:
                is_beaten = False
        if is_beaten:
            return False
    return True
