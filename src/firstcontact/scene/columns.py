"""What a scene knows of its bodies, in columns: one row each."""

from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.bounds.body_bounds import N_CORRIDOR
from firstcontact.motions.rigid_motion import N_COLUMNS as N_MOTION
from firstcontact.scene.pose_pairs import NO_POSES, write_rows
from firstcontact.shapes.convex import N_COLUMNS as N_SHAPE

# Columns that change where bodies move, and nothing else does. The first one is copied first: what it says is
# written is so to its end, and all else is written again.
MOTIONS = ("is_written", "is_posed", "is_stale", "kinds", "pieces", "places", "corridors")

_ALL = np.empty(0, np.int64)


@dataclass
class Columns:
    """What is known of n bodies.

    ids : (n,) int64
    is_there : (n,) bool, False for those that have left
    is_written : (n,) bool, whether the row of motion is that of the poses, where these are there
    is_posed : (n,) bool, whether the motion is that of the poses
    is_stale : (n,) bool, whether the corridor is that of another motion
    kinds : (n,) int8, of `Kind`, or IN_PIECES
    shape_ids : (n,) int32, the same for the same shape: its number in the table of convex shapes; of a mesh
        or a field, a negative number
    sizes : (n,) twice the farthest that a point is from the middle
    records : (n, N_SHAPE) the shape, for its bounds
    centers : (n, 3) centroids
    pieces, places : (n, 26) and (n, 3), motion and first translation of what moves in one piece, where that
        is written: `rows` and `translations` are
    corridors : (n, N_CORRIDOR)
    poses : (n, N_POSES), from which to which all bodies go, where they do; (0, N_POSES) else. Never changed
    """

    ids: NDArray[np.int64]
    is_there: NDArray[np.bool_]
    is_written: NDArray[np.bool_]
    is_posed: NDArray[np.bool_]
    is_stale: NDArray[np.bool_]
    kinds: NDArray[np.int8]
    shape_ids: NDArray[np.int32]
    sizes: Array
    records: Array
    centers: Array
    pieces: Array
    places: Array
    corridors: Array
    poses: Array = field(default_factory=lambda: NO_POSES)

    @property
    def rows(self) -> Array:
        """Motions (n, 26) of what moves in one piece, all of them."""
        self.write(_ALL)
        return self.pieces

    @property
    def translations(self) -> Array:
        """Translations (n, 3) of the poses that these start with."""
        self.write(_ALL)
        return self.places

    def write(self, which: NDArray[np.int64]) -> None:
        """Write the rows of motion of some bodies, where poses are what is known of them; of all, if none."""
        if len(self.poses) > 0:
            write_rows(self.poses, self.centers, which, self.is_written, self.pieces, self.places)

    @classmethod
    def empty(cls, n: int) -> "Columns":
        """Room for n bodies, none of which is there."""
        ids, kinds, numbers = np.zeros(n, np.int64), np.zeros(n, np.int8), np.full(n, -1, np.int32)
        flags = np.zeros(n, np.bool_), np.ones(n, np.bool_), np.zeros(n, np.bool_), np.zeros(n, np.bool_)
        widths = (N_SHAPE, 3, N_MOTION, 3, N_CORRIDOR)
        parts = [np.zeros((n, width)) for width in widths]
        return cls(ids, *flags, kinds, numbers, np.zeros(n), *parts)

    def taken(self, rows: Any) -> "Columns":
        """Copy some of the bodies, by their rows, into columns of their own."""
        self.write(_ALL if isinstance(rows, slice) else np.asarray(rows, np.int64))
        return Columns(*(getattr(self, name)[rows].copy() for name in _ARRAYS))

    def with_own_motions(self, n: int) -> "Columns":
        """The same n bodies, with columns of their own for whatever a motion changes."""
        own = {name: getattr(self, name)[:n].copy() for name in MOTIONS}
        return replace(self, **own)

    def with_poses(self, poses: Array, corridors: Array) -> "Columns":
        """The same n bodies, all of which go from pose to pose, through these corridors; none deforms."""
        n, new = len(corridors), Columns.__new__(Columns)
        new.__dict__.update(self.__dict__)
        new.is_written, new.is_posed = np.zeros(n, np.bool_), np.ones(n, np.bool_)
        new.is_stale, new.kinds = np.zeros(n, np.bool_), self.kinds[:n].copy()
        new.pieces, new.places = np.empty((n, N_MOTION)), np.empty((n, 3))
        new.poses, new.corridors = poses, corridors
        return new

    def put(self, rows: Any, others: "Columns") -> None:
        """Write others over some of the bodies."""
        for name in _ARRAYS:
            getattr(self, name)[rows] = getattr(others, name)

    def grown(self, n: int) -> "Columns":
        """Copy all bodies into columns with room for n."""
        larger = Columns.empty(n)
        self.write(_ALL)
        for name in _ARRAYS:
            own = getattr(self, name)
            getattr(larger, name)[: len(own)] = own
        return larger


_ARRAYS = tuple(one.name for one in fields(Columns) if one.name != "poses")
