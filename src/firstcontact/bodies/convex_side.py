"""Many convex shapes in many places: one side of each of many pairs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.motions.short_rows import pieces_in
from firstcontact.scalar.vec3 import Vec3
from firstcontact.shapes.convex import Convex, ConvexTable, convex_at, origin_at
from firstcontact.shapes.packed_convex import records_in


class Side(NamedTuple):
    """One side of n pairs.

    table : shapes
    rows : (m, k, 26) float64, motions, as `RigidMotion.rows`
    shape_ids, row_ids : (n,) int32, the shape and the motion of this side of each pair
    """

    table: ConvexTable
    rows: NDArray[np.float64]
    shape_ids: Ids
    row_ids: Ids

    def chosen(self, which: slice | NDArray[np.intp]) -> "Side":
        """Some of the pairs."""
        return self._replace(shape_ids=self.shape_ids[which], row_ids=self.row_ids[which])


class OneSide(NamedTuple):
    """One side of a single pair: a shape, its origin and its pool, and its motion, (k, 26)."""

    shape: Convex
    origin: Vec3
    pool: Array
    rows: Array


@kernel
def packed_side(packed: Array, rows: Array) -> OneSide:
    """Read one side of a single pair."""
    records, zero = records_in(packed), int(np.int64(0))
    return OneSide(convex_at(records, zero), origin_at(records, zero), packed, pieces_in(rows))


def side_of(table: ConvexTable, rows: NDArray[np.float64], n: int) -> Side:
    """The first of some shapes in each of n motions, or n times in a single one."""
    nought = np.zeros(n, np.int32)
    return Side(table, rows, nought, nought if len(rows) == 1 else np.arange(n, dtype=np.int32))
