"""What a scene knows of its bodies, in columns: one row each."""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.bounds.body_bounds import N_CORRIDOR
from firstcontact.motions.rigid_motion import N_COLUMNS as N_MOTION
from firstcontact.shapes.convex import N_COLUMNS as N_SHAPE

# Columns that change where bodies move, and nothing else does.
MOTIONS = ("is_stale", "kinds", "rows", "translations", "corridors")


@dataclass
class Columns:
    """What is known of n bodies.

    ids : (n,) int64
    is_there : (n,) bool, False for those that have left
    is_stale : (n,) bool, whether the corridor is that of another motion
    kinds : (n,) int8, of `Kind`, or IN_PIECES
    shape_ids : (n,) int32, the same for the same shape: its number in the table of convex shapes; of a mesh
        or a field, a negative number
    sizes : (n,) twice the farthest that a point is from the middle
    records : (n, N_SHAPE) the shape, for its bounds
    centers : (n, 3) centroids
    rows, translations : (n, 26) and (n, 3), motion and first translation of what moves in one piece
    corridors : (n, N_CORRIDOR)
    """

    ids: NDArray[np.int64]
    is_there: NDArray[np.bool_]
    is_stale: NDArray[np.bool_]
    kinds: NDArray[np.int8]
    shape_ids: NDArray[np.int32]
    sizes: Array
    records: Array
    centers: Array
    rows: Array
    translations: Array
    corridors: Array

    @classmethod
    def empty(cls, n: int) -> "Columns":
        """Room for n bodies, none of which is there."""
        ids, flags, kinds = np.zeros(n, np.int64), np.zeros((2, n), np.bool_), np.zeros(n, np.int8)
        widths = (N_SHAPE, 3, N_MOTION, 3, N_CORRIDOR)
        parts = [np.zeros((n, width)) for width in widths]
        return cls(ids, flags[0], flags[1], kinds, np.full(n, -1, np.int32), np.zeros(n), *parts)

    def taken(self, rows: Any) -> "Columns":
        """Copy some of the bodies, by their rows, into columns of their own."""
        return Columns(*(getattr(self, field.name)[rows].copy() for field in fields(self)))

    def with_own_motions(self, n: int) -> "Columns":
        """The same n bodies, with columns of their own for whatever a motion changes."""
        own = {name: getattr(self, name)[:n].copy() for name in MOTIONS}
        return replace(self, **own)

    def put(self, rows: Any, others: "Columns") -> None:
        """Write others over some of the bodies."""
        for field in fields(self):
            getattr(self, field.name)[rows] = getattr(others, field.name)

    def grown(self, n: int) -> "Columns":
        """Copy all bodies into columns with room for n."""
        larger = Columns.empty(n)
        for field in fields(self):
            own = getattr(self, field.name)
            getattr(larger, field.name)[: len(own)] = own
        return larger
